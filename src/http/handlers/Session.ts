// src/http/handlers/Session.ts: sign-in to the console, and sign-out.
import { Effect, Option, Redacted } from "effect"
import { Auth } from "#layers/Auth.ts"
import type { NewSession } from "#layers/auth/Sessions.ts"
import { Credits } from "#layers/Credits.ts"
import { FirstRun } from "#layers/FirstRun.ts"
import { SignInMail } from "#layers/SignInMail.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { CurrentPrincipal, type WorkspaceId } from "#schema/Auth.ts"
import { NotFound, Unauthorized, Unprocessable } from "#schema/Errors.ts"
import { clearCookie, setCookie } from "#src/http/Guards.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { addResponseHeader, RequestContext } from "#src/http/RequestContext.ts"

/** The workspace and the scopes of a session or key. */
const makeDescribeSession = Effect.gen(function* () {
  const auth = yield* Auth
  const credits = yield* Credits
  const workspaces = yield* Workspaces
  return Effect.fnUntraced(function* (workspace_id: WorkspaceId, key_id: string, expires_at: string | null) {
    // The workspace or the key may have been deleted meanwhile.
    const refuseEnded = () => new Unauthorized({ message: "The key of this session has ended" })
    const { id, name } = yield* Effect.mapError(workspaces.find(workspace_id), refuseEnded)
    const key = yield* Effect.mapError(auth.findKey(workspace_id, key_id), refuseEnded)
    return {
      workspace: { id, name, is_unlimited: yield* credits.isUnlimited(workspace_id) },
      key: { id: key.id, name: key.name, kind: key.kind, scopes: key.scopes },
      expires_at
    }
  })
})

export const SignInHandlers = Effect.gen(function* () {
  const auth = yield* Auth
  const firstRun = yield* FirstRun
  const mail = yield* SignInMail
  const describeSession = yield* makeDescribeSession

  /** Sets the new session's cookie and ends the browser's previous session, against session fixation. */
  const startSession = Effect.fnUntraced(function* ({ expires_at, key_id, secret, workspace_id }: NewSession) {
    const context = yield* RequestContext
    const cookie = context?.cookie ?? { isSecure: false, secret: undefined }
    if (context !== undefined) {
      context.workspace = workspace_id
      context.key = key_id
    }
    if (cookie.secret !== undefined) yield* auth.dropSession(cookie.secret)
    yield* addResponseHeader(setCookie(cookie, Redacted.value(secret)))
    return yield* describeSession(workspace_id, key_id, expires_at)
  })

  return handlersOf("sign_in", {
    getSignInOptions: () => Effect.map(mail.isAvailable, (email) => ({ email })),
    signIn: Effect.fnUntraced(function* ({ payload: { key, token } }) {
      const credential = token != null ? { token } : key != null ? { key } : undefined
      const session = credential === undefined ? Option.none() : yield* auth.signIn(credential)
      if (Option.isSome(session)) return yield* startSession(session.value)
      return yield* new Unauthorized({
        message:
          token != null
            ? "This link was used, has ended or is not complete. Ask for another"
            : "This key is unknown, expired or revoked"
      })
    }),
    requestSignInLink: Effect.fnUntraced(function* ({ payload }) {
      if (!(yield* mail.isAvailable)) {
        return yield* new Unprocessable({
          message: "This server sends no mail. Ask its operator for a sign-in link: overture link"
        })
      }
      yield* mail.request(payload.email)
      return { accepted: true }
    }),
    setUpFirstWorkspace: Effect.fnUntraced(function* ({ payload: { email, name, token } }) {
      return yield* startSession(yield* firstRun.begin({ token, name, email }))
    }),
    findModelServers: ({ payload: { token } }) =>
      Effect.map(firstRun.modelServersFor(token), (servers) => ({ servers }))
  })
})

export const SessionHandlers = Effect.gen(function* () {
  const auth = yield* Auth
  const describeSession = yield* makeDescribeSession

  return handlersOf("session", {
    getSession: Effect.fnUntraced(function* () {
      const { id, session, workspace_id } = yield* CurrentPrincipal
      return yield* describeSession(workspace_id, id, session?.expires_at ?? null)
    }),
    endSession: Effect.fnUntraced(function* ({ query }) {
      const principal = yield* CurrentPrincipal
      const isEverywhere = query.everywhere === "true"
      if (principal.session === undefined && !isEverywhere) {
        return yield* new NotFound({ message: "This request came with a key; it has no session to end" })
      }
      const ended = yield* auth.signOut(principal, isEverywhere)
      const context = yield* RequestContext
      if (principal.session !== undefined && context?.cookie !== undefined) {
        yield* addResponseHeader(clearCookie(context.cookie))
      }
      return { ended }
    })
  })
})
