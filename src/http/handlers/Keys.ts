// src/http/handlers/Keys.ts: the API keys of a workspace. A key can neither create nor rotate a key with scopes that it
// lacks, or one that ends later than itself.
import { DateTime, Duration, Effect, Redacted } from "effect"
import { Auth, type KeyRecord } from "#layers/Auth.ts"
import { Links } from "#layers/Links.ts"
import { signInAddress } from "#layers/SignInMail.ts"
import { CurrentPrincipal, type Principal, type Scope } from "#schema/Auth.ts"
import { BadRequest, Forbidden, Unprocessable } from "#schema/Errors.ts"
import { positioned } from "#schema/Page.ts"
import { handlersOf } from "#src/http/Handlers.ts"

const refuseMissingScopes = Effect.fnUntraced(function* ({ scopes }: Principal, requested: ReadonlyArray<Scope>) {
  const missing = requested.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return
  return yield* new Forbidden({ message: `This key lacks ${missing.join(", ")}, and cannot give what it lacks` })
})

export const KeysHandlers = Effect.gen(function* () {
  const auth = yield* Auth
  const links = yield* Links

  const toKeyResponse = (principal: Principal, key: KeyRecord) => ({ ...key, is_current: key.id === principal.id })

  /** When the key of this request ends, also that of a session; null if never. */
  const endOfKey = (principal: Principal) =>
    auth.findKey(principal.workspace_id, principal.id).pipe(
      Effect.map(({ expires_at }) => expires_at),
      Effect.orDie
    )

  /**
   * A key that this one may manage. NOT_FOUND outside its workspace, FORBIDDEN if the key has a scope that this one
   * lacks, or ends later.
   */
  const findManageable = Effect.fnUntraced(function* (principal: Principal, id: string) {
    const key = yield* auth.findKey(principal.workspace_id, id)
    yield* refuseMissingScopes(principal, key.scopes)
    const latestEnd = yield* endOfKey(principal)
    if (latestEnd !== null && (key.expires_at === null || key.expires_at > latestEnd)) {
      return yield* new Forbidden({
        message: `This key ends at ${latestEnd}, and cannot replace or sign in as a key that ends later`
      })
    }
    return { ...key, latestEnd }
  })

  const withSecret = Effect.fnUntraced(function* (
    principal: Principal,
    { id, key }: { readonly id: string; readonly key: Redacted.Redacted }
  ) {
    const record = yield* Effect.orDie(auth.findKey(principal.workspace_id, id))
    return { ...toKeyResponse(principal, record), key: Redacted.value(key) }
  })

  return handlersOf("keys", {
    listKeys: Effect.fnUntraced(function* ({ query }) {
      const principal = yield* CurrentPrincipal
      const keys = (yield* auth.list(principal.workspace_id)).toReversed()
      const rows = keys.slice(query.offset, query.offset + query.limit)
      return positioned({ rows: rows.map((key) => toKeyResponse(principal, key)), total: keys.length }, query)
    }),
    createKey: Effect.fnUntraced(function* ({ payload }) {
      const principal = yield* CurrentPrincipal
      const scopes = [...new Set(payload.scopes ?? principal.scopes)]
      yield* refuseMissingScopes(principal, scopes)
      const latestEnd = yield* endOfKey(principal)
      const expiresIn = payload.expires_in_days == null ? undefined : Duration.days(payload.expires_in_days)
      if (latestEnd !== null && expiresIn !== undefined) {
        const end = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, expiresIn))
        if (end > latestEnd) {
          return yield* BadRequest.at(
            "expires_in_days",
            `must end no later than the key of this request, at ${latestEnd}`
          )
        }
      }
      const name = payload.name?.trim() || null
      const created = yield* auth.create(principal.workspace_id, { name, scopes, expiresIn, latestEnd })
      return yield* withSecret(principal, created)
    }),
    revokeKey: Effect.fnUntraced(function* ({ params }) {
      const principal = yield* CurrentPrincipal
      yield* auth.findKey(principal.workspace_id, params.id)
      yield* auth.revoke(params.id)
      return toKeyResponse(principal, yield* auth.findKey(principal.workspace_id, params.id))
    }),
    rotateKey: Effect.fnUntraced(function* ({ params, payload }) {
      const principal = yield* CurrentPrincipal
      const { kind, latestEnd } = yield* findManageable(principal, params.id)
      if (kind === "sign_in") {
        return yield* new Unprocessable({ message: "This key is for signing in and has no secret to replace" })
      }
      // A key that replaces itself gets its lifetime again, as with `overture key rotate`: that is how programs renew it.
      const newestEnd = params.id === principal.id ? null : latestEnd
      const rotated = yield* Effect.catchTag(
        auth.rotate(params.id, Duration.hours(payload.grace_hours ?? 24), newestEnd),
        "NOT_FOUND",
        () => new Unprocessable({ message: "This key has ended; create another" })
      )
      return yield* withSecret(principal, rotated)
    }),
    createSignInLink: Effect.fnUntraced(function* ({ params }) {
      const principal = yield* CurrentPrincipal
      yield* findManageable(principal, params.id)
      const { expires_at, token } = yield* Effect.catchTag(
        auth.createLink(params.id),
        "NOT_FOUND",
        () => new Unprocessable({ message: "This key has ended, and so have its links" })
      )
      return { url: signInAddress(yield* links.baseUrl, token), expires_at }
    })
  })
})
