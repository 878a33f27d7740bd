// layers/Idempotency.ts: work that is done once however often it is asked for.
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
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

/** A clock that is only set right does not jump. */
const noticed = Duration.toMillis("1 minute")

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Does the work, or answers what it answered before. The claim, the work and its answer are one transaction, so a
     * failure or a crash frees the key with everything else. A twin is refused while the first is in hand here; one that
     * another process has in hand is waited for. For work in this store alone; `A` must survive JSON.
     */
    readonly once: <A, E, R>(
      attempt: Attempt,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<{ readonly answer: A; readonly replayed: boolean } | "in flight", E | Conflict, R>
    /**
     * As `once`, for work that a job does after this transaction: `start` queues it and answers its id. The key is then
     * the job's, under the job's lease, until `end`; a key whose job ended without an answer, or is gone, is free.
     */
    readonly begin: <E, R>(
      attempt: Attempt,
      start: Effect.Effect<string, E, R>
    ) => Effect.Effect<
      { readonly replayed: true; readonly answer: any } | { readonly replayed: false; readonly job: string },
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
      let seen = { at: yield* Clock.currentTimeMillis, elapsed: yield* elapsed }

      /** A clock that is put forward or back takes the keys with it: a day has passed when it has. */
      const follow = Effect.gen(function* () {
        const before = seen
        const present = { at: yield* Clock.currentTimeMillis, elapsed: yield* elapsed }
        const jump = present.at - before.at - (present.elapsed - before.elapsed)
        if (Math.abs(jump) < noticed) return
        seen = present
        yield* Effect.onError(sql`UPDATE idempotency_keys SET expires_at = expires_at + ${jump}`, () =>
          Effect.sync(() => void (seen = before))
        )
      }).pipe(Effect.orDie)

      const claimed = SqlSchema.findOneOption({
        Request: Schema.Struct({
          workspace: Schema.String,
          operation: Schema.String,
          key: Schema.String,
          fingerprint: Schema.String,
          expires_at: Schema.Int
        }),
        Result: Schema.Struct({ key: Schema.String }),
        execute: ({ expires_at, fingerprint, key, operation, workspace }) => sql`
          INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, expires_at)
          VALUES (${workspace}, ${operation}, ${key}, ${fingerprint}, ${expires_at})
          ON CONFLICT DO NOTHING RETURNING key`
      })
      const earlier = SqlSchema.findOne({
        Request: Schema.Struct({ workspace: Schema.String, operation: Schema.String, key: Schema.String }),
        Result: Schema.Struct({ fingerprint: Schema.String, answer: Schema.NullOr(Schema.String) }),
        execute: ({ key, operation, workspace }) => sql`
          SELECT fingerprint, answer FROM idempotency_keys
          WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key}`
      })

      /** What was answered before, or nothing, and then the key is the caller's. */
      const claim = Effect.fnUntraced(function* (attempt: Attempt) {
        const at = yield* Clock.currentTimeMillis
        const { fingerprint, key, operation, workspace } = attempt
        yield* Effect.orDie(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${at}`)
        yield* Effect.orDie(sql`
          DELETE FROM idempotency_keys
          WHERE workspace_id = ${workspace} AND operation = ${operation} AND key = ${key} AND answer IS NULL
            AND NOT EXISTS (SELECT 1 FROM jobs j
              WHERE j.id = idempotency_keys.job AND j.workspace_id = idempotency_keys.workspace_id
              AND j.status IN ('waiting', 'pending', 'processing'))`)
        const mine = yield* Effect.orDie(claimed({ workspace, operation, key, fingerprint, expires_at: at + kept }))
        if (mine._tag === "Some") return undefined
        const before = yield* Effect.orDie(earlier({ workspace, operation, key }))
        if (before.fingerprint !== fingerprint) {
          return yield* new Conflict({ message: "This Idempotency-Key was sent with another body before" })
        }
        if (before.answer === null) {
          return yield* new InFlight({ message: inFlight })
        }
        return before.answer
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
        once: (attempt, work) =>
          Effect.gen(function* () {
            const before = yield* Effect.catchTag(claim(attempt), "InFlight", () => Effect.succeed(null))
            if (before === null) return "in flight" as const
            if (before !== undefined) return { answer: JSON.parse(before), replayed: true }
            const answer = yield* work
            yield* Effect.orDie(sql`
              UPDATE idempotency_keys SET answer = ${JSON.stringify(answer)}
              WHERE workspace_id = ${attempt.workspace} AND operation = ${attempt.operation} AND key = ${attempt.key}`)
            return { answer, replayed: false }
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die), (work) =>
            alone(attempt, Effect.andThen(follow, work))
          ),

        begin: (attempt, start) =>
          Effect.gen(function* () {
            const before = yield* claim(attempt)
            if (before !== undefined) return { replayed: true as const, answer: JSON.parse(before) }
            const job = yield* start
            yield* Effect.orDie(sql`
              UPDATE idempotency_keys SET job = ${job}
              WHERE workspace_id = ${attempt.workspace} AND operation = ${attempt.operation} AND key = ${attempt.key}`)
            return { replayed: false as const, job }
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die), (begun) =>
            Effect.andThen(follow, begun)
          ),

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
