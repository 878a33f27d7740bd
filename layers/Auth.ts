// layers/Auth.ts: API keys, sessions and their principals. The database has only hashes of secrets; verified secrets
// are cached in memory.
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { plans } from "#layers/credits/Account.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import * as Secret from "#layers/auth/Secret.ts"
import * as Sessions from "#layers/auth/Sessions.ts"
import { now } from "#layers/lib/Time.ts"
import { type Principal, Scope, scopes as allScopes, WorkspaceId } from "#schema/Auth.ts"
import { Tier } from "#schema/Credits.ts"
import { Conflict, NotFound } from "#schema/Errors.ts"
import { maxLiveKeys } from "#schema/Keys.ts"

const Scopes = Schema.fromJsonString(Schema.Array(Scope))

/** A key as the operator sees it, without its secret. */
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

/** How long a verified key is cached. Another process accepts a revoked key for at most this long. */
const cacheDuration = Duration.toMillis("2 seconds")
/** The shortest interval between two writes of `last_used_at`. */
const lastUsedInterval = Duration.toMillis("1 minute")

/** The row of a verified key or session, with the limits that apply to both. */
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

const timestampAfter = (duration: Duration.Duration) =>
  Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.addDuration(time, duration)))

/** When a key made now ends; null for never. */
const newExpiry = Effect.fnUntraced(function* (
  lifetime: Duration.Duration | undefined,
  latestEnd: string | null = null
) {
  if (lifetime === undefined) return latestEnd
  const end = yield* timestampAfter(lifetime)
  return latestEnd !== null && latestEnd < end ? latestEnd : end
})

/** Otherwise each new key would multiply the rate limits. */
const requireFreeKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, workspace: WorkspaceId) {
  const liveKeys = yield* Effect.orDie(sql`
    SELECT id FROM api_keys
    WHERE workspace_id = ${workspace} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${yield* now})
    LIMIT ${maxLiveKeys}`)
  if (liveKeys.length < maxLiveKeys) return
  return yield* new Conflict({ message: `A workspace has at most ${maxLiveKeys} keys; revoke one first` })
})

export class Auth extends Context.Service<
  Auth,
  {
    /**
     * The principal of an API key or session secret. None if the secret is unknown, expired or revoked, or if the key
     * of a session has expired or is revoked.
     */
    readonly find: (secret: string, kind?: "key" | "session") => Effect.Effect<Option.Option<Principal>>
    /** The ids of those keys and sessions that are neither expired nor revoked. */
    readonly filterValid: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** CONFLICT if the workspace has the most keys it can have. */
    readonly create: (
      workspace: WorkspaceId,
      options: {
        readonly name: string | null
        readonly scopes: ReadonlyArray<Scope>
        readonly expiresIn: Duration.Duration | undefined
        /** The key ends no later than this. */
        readonly latestEnd?: string | null
      }
    ) => Effect.Effect<NewKey, Conflict>
    readonly list: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<KeyRecord>>
    /** NOT_FOUND unless the key belongs to this workspace. */
    readonly findKey: (workspace: WorkspaceId, id: string) => Effect.Effect<KeyRecord, NotFound>
    readonly revoke: (id: string) => Effect.Effect<void, NotFound>
    /**
     * Makes a key with the name, scopes and lifetime of the old one, which stays valid for `grace`. The new key ends no
     * later than `latestEnd`. CONFLICT if the workspace has the most keys it can have.
     */
    readonly rotate: (
      id: string,
      grace: Duration.Duration,
      latestEnd?: string | null
    ) => Effect.Effect<NewKey, NotFound | Conflict>
    /** Returns the id of the sign-in key of this name, which has every scope. Creates the key if there is none. */
    readonly signInKey: (workspace: WorkspaceId, name: string) => Effect.Effect<string>
    /** A link that starts one session of the key. */
    readonly createLink: (key: string) => Effect.Effect<Sessions.NewLink, NotFound>
    /** A one-time link that creates the first workspace. */
    readonly createFirstRunLink: Effect.Effect<Sessions.NewLink>
    /** Whether the token is a valid first-run link. Does not use it up. */
    readonly isFirstRunLink: (token: string) => Effect.Effect<boolean>
    /** Uses up a first-run link; false if the token is not a valid one. */
    readonly useFirstRunLink: (token: string) => Effect.Effect<boolean>
    /** Starts a session by a link or a key. None if either is unknown, used, expired or revoked. */
    readonly signIn: (
      credential: { readonly token: string } | { readonly key: string } | { readonly key_id: string }
    ) => Effect.Effect<Option.Option<Sessions.NewSession>>
    /** Ends the session with this secret, even if it has expired. */
    readonly dropSession: (secret: string) => Effect.Effect<void>
    /**
     * Ends the session of this request or, with `everywhere`, all sessions and links of its key. Returns the number of
     * sessions ended.
     */
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

      const findKeyByHash = SqlSchema.findOneOption({
        Request: Schema.Struct({ hash: Schema.String, at: Schema.String }),
        Result: VerifiedKey,
        execute: ({ at, hash }) => sql`
          SELECT k.id, k.workspace_id, k.scopes, a.tier, k.expires_at, k.last_used_at, NULL AS session,
            NULL AS session_expires_at, NULL AS session_used_at
          FROM api_keys k JOIN credit_accounts a ON a.workspace_id = k.workspace_id
          WHERE k.hash = ${hash} AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > ${at})`
      })
      const findSessionByHash = SqlSchema.findOneOption({
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
      const findKeyById = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ ...KeyRecord.fields, workspace_id: WorkspaceId }),
        execute: (id) => sql`SELECT * FROM api_keys WHERE id = ${id}`
      })
      const findKeys = SqlSchema.findAll({
        Request: Schema.String,
        Result: KeyRecord,
        execute: (workspace) => sql`
          SELECT id, name, kind, prefix, scopes, created_at, expires_at, last_used_at, revoked_at FROM api_keys
          WHERE workspace_id = ${workspace} ORDER BY created_at, id`
      })

      const sessions = yield* Sessions.make(hashOf)
      const cache = new Map<
        string,
        { readonly principal: Principal; readonly validFrom: number; readonly validUntil: number }
      >()

      /** Updates `last_used_at`, also when it is in the future: it was written before the clock was set back. */
      const recordUse = (kind: "key" | "session", id: string, lastUsedAt: string | null, millis: number) => {
        if (lastUsedAt !== null && Math.abs(millis - Date.parse(lastUsedAt)) <= lastUsedInterval) return Effect.void
        const timestamp = DateTime.formatIso(DateTime.makeUnsafe(millis))
        const update =
          kind === "key"
            ? sql`UPDATE api_keys SET last_used_at = ${timestamp} WHERE id = ${id}`
            : sql`UPDATE sessions SET last_used_at = ${timestamp} WHERE id = ${id}`
        return Effect.forkDetach(Effect.ignore(update))
      }

      const verify = Effect.fn("Auth.find")(function* (secret: string, kind: "key" | "session", millis: number) {
        if (!Secret.isWellFormed(secret, kind)) return Option.none<Principal>()
        const timestamp = DateTime.formatIso(DateTime.makeUnsafe(millis))
        const hash = yield* hashOf(secret)
        const row =
          kind === "key"
            ? yield* findKeyByHash({ hash, at: timestamp })
            : yield* findSessionByHash({ hash, at: timestamp, idle: Sessions.oldestUse(timestamp) })
        if (Option.isNone(row)) {
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
        } = row.value
        const principal: Principal = {
          id,
          workspace_id,
          scopes,
          requests_per_minute: plans[tier].requests_per_minute,
          ...(session !== null &&
            session_expires_at !== null && { session: { id: session, expires_at: session_expires_at } })
        }
        // Clears the whole cache when it is full; the next request of a key fetches it again.
        if (cache.size > 10_000) cache.clear()
        const expiry = Math.min(
          ...[expires_at, session_expires_at].map((time) => (time === null ? Infinity : Date.parse(time)))
        )
        cache.set(secret, { principal, validFrom: millis, validUntil: Math.min(expiry, millis + cacheDuration) })
        yield* recordUse("key", id, last_used_at, millis)
        if (session !== null) yield* recordUse("session", session, session_used_at, millis)
        return Option.some(principal)
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

      /** Undefined if the key is not cached, even if it is valid. */
      const findCached = (secret: string, millis: number) => {
        const entry = cache.get(secret)
        // An entry stored in the future dates from before the clock was set back, and is ignored.
        return entry !== undefined && entry.validFrom <= millis && millis < entry.validUntil
          ? entry.principal
          : undefined
      }

      return Auth.of({
        find: (secret, kind = "key") =>
          Effect.clockWith((clock) => {
            const millis = clock.currentTimeMillisUnsafe()
            const principal = findCached(secret, millis)
            // A session secret is not accepted as an API key, nor the reverse, so `verify` decides.
            if (principal === undefined || (principal.session === undefined) !== (kind === "key"))
              return verify(secret, kind, millis)
            return Effect.succeedSome(principal)
          }),

        filterValid: Effect.fnUntraced(function* (ids) {
          const timestamp = yield* now
          const rows = yield* sql<{ readonly id: string }>`
            SELECT id FROM api_keys
            WHERE ${sql.in("id", ids)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${timestamp})
            UNION ALL
            SELECT s.id FROM sessions s JOIN api_keys k ON k.id = s.key_id
            WHERE ${sql.in("s.id", ids)} AND s.expires_at > ${timestamp}
              AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${timestamp})`
          return new Set(rows.map(({ id }) => id))
        }, Effect.orDie),

        create: Effect.fn("Auth.create")(function* (workspace, { expiresIn, latestEnd, name, scopes }) {
          yield* requireFreeKey(sql, workspace)
          return yield* insert(workspace, name, scopes, yield* newExpiry(expiresIn, latestEnd))
        }, inTransaction(sql)),

        list: (workspace) => Effect.orDie(findKeys(workspace)),

        findKey: Effect.fn("Auth.record")(function* (workspace, id) {
          const row = yield* Effect.orDie(findKeyById(id))
          if (Option.isNone(row) || row.value.workspace_id !== workspace) return yield* NotFound.of("key")
          const { workspace_id: _, ...keyRecord } = row.value
          return keyRecord
        }),

        revoke: Effect.fn("Auth.revoke")(function* (id) {
          const revokedKeys = yield* Effect.orDie(sql`
            UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ${yield* now}) WHERE id = ${id} RETURNING id`)
          if (revokedKeys.length === 0) return yield* new NotFound({ message: `No key ${id}` })
          cache.clear()
        }),

        rotate: Effect.fn("Auth.rotate")(
          function* (id, grace, latestEnd) {
            const oldRow = yield* findKeyById(id)
            if (Option.isNone(oldRow)) return yield* new NotFound({ message: `No key ${id}` })
            const { created_at, expires_at, kind, name, revoked_at, scopes, workspace_id } = oldRow.value
            if (kind === "sign_in") {
              return yield* new NotFound({ message: `The key ${id} is for signing in and has no secret to replace` })
            }
            // An expired or revoked key cannot be rotated.
            if (revoked_at !== null || (expires_at !== null && expires_at <= (yield* now))) {
              return yield* new NotFound({ message: `The key ${id} has ended; make a new one with key create` })
            }
            // The new key has the lifetime of the old one.
            const lifetime =
              expires_at === null ? undefined : Duration.millis(Date.parse(expires_at) - Date.parse(created_at))
            const oldExpiry = yield* timestampAfter(grace)
            yield* sql`
            UPDATE api_keys SET expires_at = ${expires_at !== null && expires_at < oldExpiry ? expires_at : oldExpiry}
            WHERE id = ${id}`
            // After the update: without a grace period the old key no longer counts.
            yield* requireFreeKey(sql, workspace_id)
            return yield* insert(workspace_id, name, scopes, yield* newExpiry(lifetime, latestEnd))
          },
          inTransaction(sql),
          // The cache may hold the old key beyond its new expiry.
          Effect.tap(() => Effect.sync(() => cache.clear()))
        ),

        signInKey: Effect.fn("Auth.signInKey")(function* (workspace, name) {
          const [existing] = yield* sql<{ readonly id: string }>`
            SELECT id FROM api_keys
            WHERE workspace_id = ${workspace} AND kind = 'sign_in' AND name = ${name} AND revoked_at IS NULL
            ORDER BY created_at DESC LIMIT 1`
          if (existing !== undefined) return existing.id
          return (yield* insert(workspace, name, allScopes, null, "sign_in")).id
        }, inTransaction(sql)),

        createLink: Effect.fn("Auth.link")(function* (key) {
          const link = yield* Effect.orDie(sessions.createLink(key))
          return Option.isSome(link) ? link.value : yield* new NotFound({ message: `The key ${key} has ended` })
        }),

        createFirstRunLink: Effect.orDie(sessions.createFirstRunLink),

        isFirstRunLink: (token) => Effect.orDie(sessions.isFirstRunLink(token)),

        useFirstRunLink: (token) => Effect.orDie(sessions.useFirstRunLink(token)),

        // Writes only for a valid credential, because anyone can send others.
        signIn: Effect.fn("Auth.signIn")(function* (credential) {
          if ("key_id" in credential) return yield* inTransaction(sql)(sessions.begin(credential.key_id))
          if ("token" in credential) {
            if (!(yield* sessions.isSignInLink(credential.token))) return Option.none()
            return yield* inTransaction(sql)(sessions.beginByLink(credential.token))
          }
          const principal = yield* verify(credential.key, "key", yield* Clock.currentTimeMillis)
          if (Option.isNone(principal)) return Option.none()
          return yield* inTransaction(sql)(sessions.begin(principal.value.id))
        }, Effect.orDie),

        dropSession: (secret) =>
          Effect.orDie(
            Effect.andThen(
              sessions.drop(secret),
              Effect.sync(() => void cache.delete(secret))
            )
          ),

        signOut: Effect.fn("Auth.signOut")(function* ({ id, session, workspace_id }, everywhere) {
          const sessionCount = everywhere
            ? yield* sessions.endAll(workspace_id, id)
            : session === undefined
              ? 0
              : yield* sessions.end(workspace_id, session.id)
          cache.clear()
          return sessionCount
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))
}
