// layers/Idempotency.ts: work that is done once however often it is asked for.
import { Clock, Context, Duration, Effect, Exit, Layer, Option, Schema, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { elapsed } from "#layers/Elapsed.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"

export interface Attempt {
  readonly workspace: WorkspaceId
  /** Method and path: the same key on another endpoint is another key. */
  readonly operation: string
  readonly key: string
  /** Stands for the body. */
  readonly fingerprint: string
}

export const inFlight = "The request with this Idempotency-Key is still being answered"

/** A twin of this request is still being worked on. */
export class InFlight extends Schema.TaggedError<InFlight>()("InFlight", { message: Schema.String }) {}

/** How long an answer is kept. */
const kept = Duration.toMillis("24 hours")

/** How long a process may have a key in hand. One that takes longer has lost it, and its work is undone. */
const lease = Duration.toMillis("30 seconds")

/** A clock that is only set right does not jump. */
const noticed = Duration.toMillis("1 minute")

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Does the work, or answers what it answered before. A twin is refused while the first is in hand, here or in another
     * process. The work and its answer are one transaction; a failure frees the key, and after a crash it is free within
     * half a minute. For work in this store alone; `A` must survive JSON.
     */
    readonly once: <A, E, R>(
      attempt: Attempt,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<{ readonly answer: A; readonly replayed: boolean } | "in flight", E | Conflict, R>
    /**
     * As `once`, for work that a job does after this transaction: `start` queues it and answers its id. The key is then
     * the job's, under the job's lease, until `end`, whose answer a retry gets as it was given; a key whose job ended
     * without an answer, or is gone, is free.
     */
    readonly begin: <E, R>(
      attempt: Attempt,
      start: Effect.Effect<string, E, R>
    ) => Effect.Effect<
      { readonly replayed: true; readonly answer: string } | { readonly replayed: false; readonly job: string },
      E | Conflict | InFlight,
      R
    >
    /** Keeps the answer of the job's work for retries, or without one frees the key; part of the job's last transaction. */
    readonly end: (workspace: WorkspaceId, job: string, answer?: string) => Effect.Effect<void>
  }
>()("overture/layers/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const process = yield* random.uuidV7()
      let attempts = 0
      let seen = { at: yield* Clock.currentTimeMillis, elapsed: yield* elapsed }

      const shared = isPostgres(sql)
      const reading = Effect.all({ at: Clock.currentTimeMillis, elapsed })
      const jumpOf = (present: typeof seen) => present.at - seen.at - (present.elapsed - seen.elapsed)

      /**
       * The time that keys go by: the clock's when it was last followed, and what has passed since. Whoever read the clock
       * itself would find them ended by a jump that they have not followed yet.
       */
      const time = shared ? Clock.currentTimeMillis : Effect.map(elapsed, (now) => seen.at + now - seen.elapsed)

      const move = Effect.gen(function* () {
        const present = yield* reading
        const jump = jumpOf(present)
        if (Math.abs(jump) < noticed) return
        yield* sql`UPDATE idempotency_keys SET expires_at = expires_at + ${jump}`
        seen = present
      })

      const moving = Semaphore.makeUnsafe(1)

      /**
       * A clock that is put forward or back takes the keys with it: a day has passed when it has. Not where machines share
       * a database: the clock of one of them says nothing of the others'.
       */
      const follow = Effect.gen(function* () {
        if (shared || Math.abs(jumpOf(yield* reading)) < noticed) return
        yield* moving.withPermit(
          Effect.suspend(() => {
            const before = seen
            return Effect.onError(sql.withTransaction(move), () => Effect.sync(() => void (seen = before)))
          })
        )
      }).pipe(Effect.orDie)

      const claimed = SqlSchema.findOneOption({
        Request: Schema.Struct({
          workspace: Schema.String,
          operation: Schema.String,
          key: Schema.String,
          fingerprint: Schema.String,
          expires_at: Schema.Int,
          owner: Schema.NullOr(Schema.String),
          owned_until: Schema.Int
        }),
        Result: Schema.Struct({ key: Schema.String }),
        execute: ({ expires_at, fingerprint, key, operation, owned_until, owner, workspace }) => sql`
          INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, expires_at, owner, owned_until)
          VALUES (${workspace}, ${operation}, ${key}, ${fingerprint}, ${expires_at}, ${owner}, ${owned_until})
          ON CONFLICT DO NOTHING RETURNING key`
      })
      const earlier = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, operation: Schema.String, key: Schema.String }),
        Result: Schema.Struct({
          fingerprint: Schema.String,
          answer: Schema.NullOr(Schema.String),
          expires_at: Schema.Int,
          owner: Schema.NullOr(Schema.String),
          owned_until: Schema.NullOr(Schema.Int)
        }),
        execute: ({ key, operation, workspace }) => sql`
          SELECT fingerprint, answer, expires_at, owner, owned_until FROM idempotency_keys
          WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key}`
      })

      /** What was answered before, or nothing, and then the key is the caller's. */
      const claim = Effect.fnUntraced(function* (attempt: Attempt, owner: string | null) {
        const at = yield* time
        const { fingerprint, key, operation, workspace } = attempt
        yield* Effect.orDie(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${at}`)
        yield* Effect.orDie(sql`
          DELETE FROM idempotency_keys
          WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key} AND answer IS NULL
            AND NOT EXISTS (SELECT 1 FROM jobs j
              WHERE j.id = idempotency_keys.job AND j.workspace_id = idempotency_keys.workspace_id
              AND j.status IN ('waiting', 'pending', 'processing'))
            AND (owner IS NULL OR owned_until <= ${at} OR owned_until > ${at + lease})`)
        const expires_at = at + kept
        const owned_until = at + lease
        const mine = yield* Effect.orDie(
          claimed({ workspace, operation, key, fingerprint, expires_at, owner, owned_until })
        )
        if (Option.isSome(mine)) return undefined
        const before = yield* Effect.orDie(Effect.flatMap(earlier({ workspace, operation, key }), Effect.fromOption))
        if (before.fingerprint !== fingerprint) {
          return yield* new Conflict({ message: "This Idempotency-Key was sent with another body before" })
        }
        if (before.answer === null) {
          return yield* new InFlight({ message: inFlight })
        }
        return before.answer
      })

      /**
       * Whether it is worth while to claim the key. Only a look, which waits for nobody: where SQLite is shared, whoever
       * writes waits until another process has done its work.
       */
      const look = Effect.fnUntraced(function* ({ fingerprint, key, operation, workspace }: Attempt) {
        const at = yield* time
        const before = Option.getOrUndefined(yield* Effect.orDie(earlier({ workspace, operation, key })))
        if (before === undefined || before.expires_at <= at) return undefined
        if (before.answer !== null && before.fingerprint === fingerprint) return before.answer
        const until = before.owner === null ? 0 : (before.owned_until ?? 0)
        return before.answer === null && until > at && until <= at + lease ? null : undefined
      })

      const inHand = new Set<string>()

      /** Does the work unless a twin of it is being done. */
      const alone = <A, E, R>({ key, operation, workspace }: Attempt, work: Effect.Effect<A, E, R>) => {
        const name = JSON.stringify([workspace, operation, key])
        return Effect.suspend((): Effect.Effect<A | "in flight", E, R> => {
          if (inHand.has(name)) return Effect.succeed("in flight")
          inHand.add(name)
          return Effect.ensuring(
            work,
            Effect.sync(() => void inHand.delete(name))
          )
        })
      }

      return Idempotency.of({
        once: (attempt, work) => {
          const { key, operation, workspace } = attempt
          const owner = `${process}:${++attempts}`
          // In a transaction of its own, so that other processes see it while the work is being done.
          const claiming = Effect.gen(function* () {
            const before = yield* look(attempt)
            return before === undefined ? yield* sql.withTransaction(claim(attempt, owner)) : before
          }).pipe(
            Effect.catchTags({
              InFlight: () => Effect.succeed(null),
              SqlError: Effect.die
            })
          )
          const working = Effect.gen(function* () {
            const answer = yield* work
            const mine = yield* Effect.orDie(sql`
              UPDATE idempotency_keys SET answer = ${JSON.stringify(answer)}, owner = NULL
              WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key} AND owner = ${owner}
              RETURNING key`)
            if (mine.length === 0) return yield* Effect.die(new Error("The request took so long that it lost its key"))
            return { answer, replayed: false }
          }).pipe(inTransaction(sql))
          const release = Effect.ignoreCause(sql`
            DELETE FROM idempotency_keys
            WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key} AND owner = ${owner}`)
          return alone(
            attempt,
            Effect.andThen(
              follow,
              Effect.acquireUseRelease(
                claiming,
                Effect.fnUntraced(function* (before) {
                  if (before === null) return "in flight" as const
                  if (before !== undefined) return { answer: JSON.parse(before), replayed: true }
                  return yield* working
                }),
                (before, exit) => (before === undefined && Exit.isFailure(exit) ? release : Effect.void)
              )
            )
          )
        },

        begin: (attempt, start) =>
          Effect.gen(function* () {
            const before = yield* claim(attempt, null)
            if (before !== undefined) return { replayed: true as const, answer: before }
            const job = yield* start
            yield* Effect.orDie(sql`
              UPDATE idempotency_keys SET job = ${job}
              WHERE workspace_id = ${attempt.workspace} AND operation = ${attempt.operation} AND key = ${attempt.key}`)
            return { replayed: false as const, job }
          }).pipe(inTransaction(sql), (begun) => Effect.andThen(follow, begun)),

        end: Effect.fnUntraced(function* (workspace, job, answer) {
          yield* answer === undefined
            ? sql`DELETE FROM idempotency_keys WHERE job = ${job} AND workspace_id = ${workspace}`
            : sql`
                UPDATE idempotency_keys SET answer = ${answer} WHERE job = ${job} AND workspace_id = ${workspace}`
        }, Effect.orDie)
      })
    })
  )
}
