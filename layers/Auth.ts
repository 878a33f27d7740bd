// layers/Auth.ts: API keys, sessions, and the principals that they stand for. The store has only hashes; verified secrets are cached
// in memory.
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { plans } from "#layers/credits/Plans.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import * as Secret from "#layers/auth/Secret.ts"
import * as Sessions from "#layers/auth/Sessions.ts"
import { now } from "#layers/lib/Now.ts"
import { type Principal, Scope, scopes as allScopes, WorkspaceId } from "#schema/Auth.ts"
import { Tier } from "#schema/Credits.ts"
import { NotFound } from "#schema/Errors.ts"

const Scopes = Schema.fromJsonString(Schema.Array(Scope))

/** A key as an operator sees it. */
const KeyRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  kind: Schema.Literals(["key", "sign_in"]),
  prefix: Schema.String,
  scopes: Scopes,
  created_at: Schema.String,
  expires_at: Schema.NullOr(Schema.String),
  last_used_at: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Schema.String)
})
export type KeyRecord = typeof KeyRecord.Type

export interface NewKey {
  readonly id: string
  readonly key: Redacted.Redacted
  readonly name: string | null
  readonly scopes: ReadonlyArray<Scope>
  readonly expires_at: string | null
}

/** How long a verified key is cached: another process sees a revocation this much later at most. */
const cacheDuration = Duration.toMillis("2 seconds")
/** How often `last_used_at` is written. */
const lastUsedInterval = Duration.toMillis("1 minute")

/** A key or a session, which have each an end, an owner and a last use. */
const VerifiedKey = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  scopes: Scopes,
  tier: Tier,
  expires_at: Schema.NullOr(Schema.String),
  last_used_at: Schema.NullOr(Schema.String),
  session: Schema.NullOr(Schema.String),
  session_expires_at: Schema.NullOr(Schema.String),
  session_used_at: Schema.NullOr(Schema.String)
})

export class Auth extends Context.Service<
  Auth,
  {
    /**
     * The principal of a secret of this kind; none if it is unknown, expired or revoked, or if the key that a session stands
     * for is.
     */
    readonly find: (secret: string, kind?: "key" | "session") => Effect.Effect<Option.Option<Principal>>
    /** The ids of those keys and sessions that have not ended. */
    readonly stillValid: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    readonly create: (
      workspace: WorkspaceId,
      options: {
        readonly name: string | null
        readonly scopes: ReadonlyArray<Scope>
        readonly expiresIn: Duration.Duration | undefined
      }
    ) => Effect.Effect<NewKey>
    readonly list: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<KeyRecord>>
    /** A key of the workspace. */
    readonly record: (workspace: WorkspaceId, id: string) => Effect.Effect<KeyRecord, NotFound>
    readonly revoke: (id: string) => Effect.Effect<void, NotFound>
    /** A new key with the name and scopes of the old one, which lives on for `grace`. */
    readonly rotate: (id: string, grace: Duration.Duration) => Effect.Effect<NewKey, NotFound>
    /** The sign-in key of this name, with every scope. It is created if there is none. */
    readonly signInKey: (workspace: WorkspaceId, name: string) => Effect.Effect<string>
    /** A link that begins a session of the key, once. */
    readonly link: (key: string) => Effect.Effect<Sessions.NewLink, NotFound>
    /** A link to the first run of a store without workspaces. */
    readonly firstRunLink: Effect.Effect<Sessions.NewLink>
    /** Whether this is such a link, which stays one. */
    readonly isFirstRunLink: (token: string) => Effect.Effect<boolean>
    /** Whether this was such a link, which none is afterwards. */
    readonly useFirstRunLink: (token: string) => Effect.Effect<boolean>
    /** A new session by a link or a key; none if that is unknown, used or ended. */
    readonly signIn: (
      by: { readonly token: string } | { readonly key: string } | { readonly key_id: string }
    ) => Effect.Effect<Option.Option<Sessions.NewSession>>
    /** Ends the session of a secret, whatever has become of it. */
    readonly dropSession: (secret: string) => Effect.Effect<void>
    /** Ends the session of a request, or every session and link of its key. Returns how many sessions. */
    readonly signOut: (principal: Principal, everywhere: boolean) => Effect.Effect<number>
  }
>()("overture/layers/Auth") {
  static readonly layer = Layer.effect(
    Auth,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const { digestHex } = yield* Digest.Digest
      const encoder = new TextEncoder()

      const hashOf = (secret: string) => Effect.orDie(digestHex(Digest.sha256, encoder.encode(secret)))

      const byHash = SqlSchema.findOneOption({
        Request: Schema.Struct({ hash: Schema.String, at: Schema.String }),
        Result: VerifiedKey,
        execute: ({ at, hash }) => sql`
          SELECT k.id, k.workspace_id, k.scopes, a.tier, k.expires_at, k.last_used_at, NULL AS session,
            NULL AS session_expires_at, NULL AS session_used_at
          FROM api_keys k JOIN credit_accounts a ON a.workspace_id = k.workspace_id
          WHERE k.hash = ${hash} AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > ${at})`
      })
      const bySessionHash = SqlSchema.findOneOption({
        Request: Schema.Struct({ hash: Schema.String, at: Schema.String, idle: Schema.String }),
        Result: VerifiedKey,
        execute: ({ at, hash, idle }) => sql`
          SELECT k.id, k.workspace_id, k.scopes, a.tier, k.expires_at, k.last_used_at, s.id AS session,
            s.expires_at AS session_expires_at, s.last_used_at AS session_used_at
          FROM sessions s JOIN api_keys k ON k.id = s.key_id
            JOIN credit_accounts a ON a.workspace_id = k.workspace_id
          WHERE s.hash = ${hash} AND s.expires_at > ${at} AND s.last_used_at > ${idle}
            AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${at})`
      })
      const record = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ ...KeyRecord.fields, workspace_id: WorkspaceId }),
        execute: (id) => sql`SELECT * FROM api_keys WHERE id = ${id}`
      })
      const all = SqlSchema.findAll({
        Request: Schema.String,
        Result: KeyRecord,
        execute: (workspace) => sql`
          SELECT id, name, kind, prefix, scopes, created_at, expires_at, last_used_at, revoked_at FROM api_keys
          WHERE workspace_id = ${workspace} ORDER BY created_at, id`
      })

      const sessions = yield* Sessions.make(hashOf)
      const cache = new Map<string, { readonly key: Principal; readonly since: number; readonly until: number }>()

      /** Notes the use of a key or session. A use in the future was noted by a clock that has been put back since. */
      const noteUse = (of: "key" | "session", id: string, last: string | null, millis: number) => {
        if (last !== null && Math.abs(millis - Date.parse(last)) <= lastUsedInterval) return Effect.void
        const at = DateTime.formatIso(DateTime.makeUnsafe(millis))
        const note =
          of === "key"
            ? sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`
            : sql`UPDATE sessions SET last_used_at = ${at} WHERE id = ${id}`
        return Effect.forkDetach(Effect.ignore(note))
      }

      const verify = Effect.fn("Auth.find")(function* (secret: string, kind: "key" | "session", millis: number) {
        if (!Secret.isWellFormed(secret, kind)) return Option.none<Principal>()
        const at = DateTime.formatIso(DateTime.makeUnsafe(millis))
        const hash = yield* hashOf(secret)
        const found =
          kind === "key"
            ? yield* byHash({ hash, at })
            : yield* bySessionHash({ hash, at, idle: Sessions.idleSince(at) })
        if (Option.isNone(found)) {
          cache.delete(secret)
          return Option.none<Principal>()
        }
        const {
          expires_at,
          id,
          last_used_at,
          scopes,
          session,
          session_expires_at,
          session_used_at,
          tier,
          workspace_id
        } = found.value
        const key: Principal = {
          id,
          workspace_id,
          scopes,
          requests_per_minute: plans[tier].requests_per_minute,
          ...(session !== null &&
            session_expires_at !== null && { session: { id: session, expires_at: session_expires_at } })
        }
        // Cleared as a whole: entries are found again at the next request.
        if (cache.size > 10_000) cache.clear()
        const end = Math.min(
          ...[expires_at, session_expires_at].map((end) => (end === null ? Infinity : Date.parse(end)))
        )
        cache.set(secret, { key, since: millis, until: Math.min(end, millis + cacheDuration) })
        yield* noteUse("key", id, last_used_at, millis)
        if (session !== null) yield* noteUse("session", session, session_used_at, millis)
        return Option.some(key)
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        name: string | null,
        scopes: ReadonlyArray<Scope>,
        expires_at: string | null,
        kind: KeyRecord["kind"] = "key"
      ) {
        const id = yield* random.uuidV7()
        const key = yield* Effect.provideService(Secret.makeKey, SecureRandom.SecureRandom, random)
        const secret = Redacted.value(key)
        yield* sql`
          INSERT INTO api_keys ${sql.insert({
            id,
            workspace_id: workspace,
            hash: yield* hashOf(secret),
            prefix: Secret.displayPrefix(secret),
            name,
            kind,
            scopes: JSON.stringify(scopes),
            created_at: yield* now,
            expires_at
          })}`
        return { id, key, name, scopes, expires_at }
      })

      const later = (duration: Duration.Duration) =>
        Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.addDuration(time, duration)))

      /** Undefined if the key is not cached, even if it is valid. */
      const findCached = (secret: string, millis: number) => {
        const entry = cache.get(secret)
        // A clock that has jumped, in either direction, makes nothing true for longer.
        return entry !== undefined && entry.since <= millis && millis < entry.until ? entry.key : undefined
      }

      return Auth.of({
        find: (secret, kind = "key") =>
          Effect.clockWith((clock) => {
            const millis = clock.currentTimeMillisUnsafe()
            const key = findCached(secret, millis)
            // A cached secret is of the other kind if it came by the other way.
            if (key === undefined || (key.session === undefined) !== (kind === "key"))
              return verify(secret, kind, millis)
            return Effect.succeedSome(key)
          }),

        stillValid: Effect.fnUntraced(function* (ids) {
          const at = yield* now
          const rows = yield* sql<{ readonly id: string }>`
            SELECT id FROM api_keys
            WHERE ${sql.in("id", ids)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})
            UNION ALL
            SELECT s.id FROM sessions s JOIN api_keys k ON k.id = s.key_id
            WHERE ${sql.in("s.id", ids)} AND s.expires_at > ${at}
              AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${at})`
          return new Set(rows.map(({ id }) => id))
        }, Effect.orDie),

        create: Effect.fn("Auth.create")(function* (workspace, { expiresIn, name, scopes }) {
          return yield* insert(workspace, name, scopes, expiresIn === undefined ? null : yield* later(expiresIn))
        }, Effect.orDie),

        list: (workspace) => Effect.orDie(all(workspace)),

        record: Effect.fn("Auth.record")(function* (workspace, id) {
          const found = yield* Effect.orDie(record(id))
          if (Option.isNone(found) || found.value.workspace_id !== workspace) return yield* NotFound.of("key")
          const { workspace_id: _, ...own } = found.value
          return own
        }),

        revoke: Effect.fn("Auth.revoke")(function* (id) {
          const revoked = yield* Effect.orDie(sql`
            UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ${yield* now}) WHERE id = ${id} RETURNING id`)
          if (revoked.length === 0) return yield* new NotFound({ message: `No key ${id}` })
          cache.clear()
        }),

        rotate: Effect.fn("Auth.rotate")(
          function* (id, grace) {
            const old = yield* record(id)
            if (Option.isNone(old)) return yield* new NotFound({ message: `No key ${id}` })
            const { created_at, expires_at, kind, name, revoked_at, scopes, workspace_id } = old.value
            if (kind === "sign_in") {
              return yield* new NotFound({ message: `The key ${id} is for signing in and has no secret to replace` })
            }
            // A key that was ended has no successor: make a new key.
            if (revoked_at !== null || (expires_at !== null && expires_at <= (yield* now))) {
              return yield* new NotFound({ message: `The key ${id} has ended; make a new one with key create` })
            }
            // The new key lives as long as the old one was meant to.
            const lifetime = expires_at === null ? undefined : Date.parse(expires_at) - Date.parse(created_at)
            const ends = lifetime === undefined ? null : yield* later(Duration.millis(lifetime))
            const made = yield* insert(workspace_id, name, scopes, ends)
            const end = yield* later(grace)
            yield* sql`
            UPDATE api_keys SET expires_at = ${expires_at !== null && expires_at < end ? expires_at : end}
            WHERE id = ${id}`
            return made
          },
          inTransaction(sql),
          // The old key may be cached beyond its new end.
          Effect.tap(() => Effect.sync(() => cache.clear()))
        ),

        signInKey: Effect.fn("Auth.signInKey")(function* (workspace, name) {
          const [known] = yield* sql<{ readonly id: string }>`
            SELECT id FROM api_keys
            WHERE workspace_id = ${workspace} AND kind = 'sign_in' AND name = ${name} AND revoked_at IS NULL
            ORDER BY created_at DESC LIMIT 1`
          if (known !== undefined) return known.id
          return (yield* insert(workspace, name, allScopes, null, "sign_in")).id
        }, inTransaction(sql)),

        link: Effect.fn("Auth.link")(function* (key) {
          const link = yield* Effect.orDie(sessions.link(key))
          return Option.isSome(link) ? link.value : yield* new NotFound({ message: `The key ${key} has ended` })
        }),

        firstRunLink: Effect.orDie(sessions.firstRunLink),

        isFirstRunLink: (token) => Effect.orDie(sessions.isFirstRunLink(token)),

        useFirstRunLink: (token) => Effect.orDie(sessions.useFirstRunLink(token)),

        signIn: Effect.fn("Auth.signIn")(function* (by) {
          if ("token" in by) return yield* sessions.beginByLink(by.token)
          if ("key_id" in by) return yield* sessions.begin(by.key_id)
          const found = yield* verify(by.key, "key", yield* Clock.currentTimeMillis)
          return Option.isNone(found) ? Option.none() : yield* sessions.begin(found.value.id)
        }, inTransaction(sql)),

        dropSession: (secret) =>
          Effect.orDie(
            Effect.andThen(
              sessions.drop(secret),
              Effect.sync(() => void cache.delete(secret))
            )
          ),

        signOut: Effect.fn("Auth.signOut")(function* ({ id, session, workspace_id }, everywhere) {
          const ended = everywhere
            ? yield* sessions.endAll(workspace_id, id)
            : session === undefined
              ? 0
              : yield* sessions.end(workspace_id, session.id)
          cache.clear()
          return ended
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))
}
