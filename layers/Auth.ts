// layers/Auth.ts: API keys and the principals that they stand for. The store has only hashes; verified keys are cached in memory.
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { plans } from "#layers/credits/Plans.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import * as Secret from "#layers/auth/Secret.ts"
import { now } from "#layers/lib/Now.ts"
import { type Principal, Scope, WorkspaceId } from "#schema/Auth.ts"
import { Tier } from "#schema/Credits.ts"
import { NotFound } from "#schema/Errors.ts"

const Scopes = Schema.fromJsonString(Schema.Array(Scope))

/** A key as an operator sees it. */
const KeyRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
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
const cachedFor = Duration.toMillis("2 seconds")
/** How often `last_used_at` is written. */
const usedEvery = Duration.toMillis("1 minute")

export class Auth extends Context.Service<
  Auth,
  {
    /** The principal of a key; none if the key is unknown, expired or revoked. */
    readonly find: (secret: string) => Effect.Effect<Option.Option<Principal>>
    /** The ids of those keys that are neither revoked nor expired. */
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
    readonly revoke: (id: string) => Effect.Effect<void, NotFound>
    /** A new key with the name and scopes of the old one, which lives on for `grace`. */
    readonly rotate: (id: string, grace: Duration.Duration) => Effect.Effect<NewKey, NotFound>
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
        Result: Schema.Struct({
          id: Schema.String,
          workspace_id: WorkspaceId,
          scopes: Scopes,
          tier: Tier,
          expires_at: Schema.NullOr(Schema.String),
          last_used_at: Schema.NullOr(Schema.String)
        }),
        execute: ({ at, hash }) => sql`
          SELECT k.id, k.workspace_id, k.scopes, a.tier, k.expires_at, k.last_used_at
          FROM api_keys k JOIN credit_accounts a ON a.workspace_id = k.workspace_id
          WHERE k.hash = ${hash} AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > ${at})`
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
          SELECT id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at FROM api_keys
          WHERE workspace_id = ${workspace} ORDER BY created_at, id`
      })

      const cache = new Map<string, { readonly key: Principal; readonly since: number; readonly until: number }>()

      const verify = Effect.fn("Auth.find")(function* (secret: string, millis: number) {
        if (!Secret.isWellFormed(secret)) return Option.none<Principal>()
        const at = DateTime.formatIso(DateTime.makeUnsafe(millis))
        const found = yield* byHash({ hash: yield* hashOf(secret), at })
        if (Option.isNone(found)) {
          cache.delete(secret)
          return Option.none<Principal>()
        }
        const { expires_at, id, last_used_at, scopes, tier, workspace_id } = found.value
        const key: Principal = { id, workspace_id, scopes, requests_per_minute: plans[tier].requests_per_minute }
        // Cleared as a whole: entries are found again at the next request.
        if (cache.size > 10_000) cache.clear()
        const end = expires_at === null ? Infinity : Date.parse(expires_at)
        cache.set(secret, { key, since: millis, until: Math.min(end, millis + cachedFor) })
        // A use in the future was noted by a clock that has been put back since.
        if (last_used_at === null || Math.abs(millis - Date.parse(last_used_at)) > usedEvery) {
          yield* Effect.forkDetach(Effect.ignore(sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`))
        }
        return Option.some(key)
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        name: string | null,
        scopes: ReadonlyArray<Scope>,
        expires_at: string | null
      ) {
        const id = yield* random.uuidV7()
        const key = yield* Effect.provideService(Secret.make, SecureRandom.SecureRandom, random)
        const secret = Redacted.value(key)
        yield* sql`
          INSERT INTO api_keys ${sql.insert({
            id,
            workspace_id: workspace,
            hash: yield* hashOf(secret),
            prefix: Secret.prefixOf(secret),
            name,
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
        find: (secret) =>
          Effect.flatMap(Clock.currentTimeMillis, (millis) => {
            const key = findCached(secret, millis)
            return key === undefined ? verify(secret, millis) : Effect.succeedSome(key)
          }),

        stillValid: Effect.fnUntraced(function* (ids) {
          const rows = yield* sql<{ readonly id: string }>`
            SELECT id FROM api_keys
            WHERE ${sql.in("id", ids)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${yield* now})`
          return new Set(rows.map(({ id }) => id))
        }, Effect.orDie),

        create: Effect.fn("Auth.create")(function* (workspace, { expiresIn, name, scopes }) {
          return yield* insert(workspace, name, scopes, expiresIn === undefined ? null : yield* later(expiresIn))
        }, Effect.orDie),

        list: (workspace) => Effect.orDie(all(workspace)),

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
            const { created_at, expires_at, name, revoked_at, scopes, workspace_id } = old.value
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
        )
      })
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))
}
