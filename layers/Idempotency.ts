// layers/Idempotency.ts: runs work once per Idempotency-Key and stores its answer for repeated requests.
import { Context, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import * as KeyRows from "#layers/idempotency/KeyRows.ts"
import * as Time from "#layers/idempotency/Time.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Conflict } from "#schema/Errors.ts"

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Does the work, or returns its stored answer. Another request with the key is refused while the work runs, in any
     * process. The work and its answer are one transaction; a failure frees the key, and a crash frees it when its
     * 30-second lease expires. Only for work in this database; `A` must survive JSON.
     */
    readonly once: <A, E, R>(
      attempt: KeyRows.Attempt,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<{ readonly answer: A; readonly replayed: boolean } | "in flight", E | Conflict, R>
    /**
     * Like `once`, after a preparation outside the transaction, for example a call to the model. The lease of the key
     * is renewed while the preparation runs.
     */
    readonly onceWithPreparation: <P, A, E, R, E2, R2>(
      attempt: KeyRows.Attempt,
      prepare: Effect.Effect<P, E, R>,
      work: (preparation: P) => Effect.Effect<A, E2, R2>
    ) => Effect.Effect<{ readonly answer: A; readonly replayed: boolean } | "in flight", E | E2 | Conflict, R | R2>
    /**
     * Like `once`, for work that a job does later: `start` queues the job and returns its id. The key then belongs to
     * the job, under the job's lease, until `end` stores the answer. A key whose job ended without an answer, or was
     * deleted, is free.
     */
    readonly begin: <E, R>(
      attempt: KeyRows.Attempt,
      start: Effect.Effect<string, E, R>
    ) => Effect.Effect<
      { readonly replayed: true; readonly answer: string } | { readonly replayed: false; readonly job: string },
      E | Conflict | KeyRows.InFlight,
      R
    >
    /**
     * Stores the answer of the job's work for retries, or frees the key if there is none. Part of the job's last
     * transaction.
     */
    readonly end: (workspace: WorkspaceId, job: string, answer?: string) => Effect.Effect<void>
  }
>()("overture/layers/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const transaction = inTransaction(yield* SqlClient.SqlClient)
      const random = yield* SecureRandom.SecureRandom
      const time = yield* Time.make
      const keys = yield* KeyRows.make(time.now)
      const processId = yield* random.uuidV7()
      let attempts = 0

      const runningKeys = new Set<string>()

      /** Does the work unless this process is already doing it for the same key. */
      const runUnlessRunning = <A, E, R>(
        { key, operation, workspace }: KeyRows.Attempt,
        work: Effect.Effect<A, E, R>
      ) => {
        const runningKey = JSON.stringify([workspace, operation, key])
        return Effect.suspend((): Effect.Effect<A | "in flight", E, R> => {
          if (runningKeys.has(runningKey)) return Effect.succeed("in flight")
          runningKeys.add(runningKey)
          return Effect.ensuring(
            work,
            Effect.sync(() => void runningKeys.delete(runningKey))
          )
        })
      }

      const runOnce = <P, A, E, R, E2, R2>(
        attempt: KeyRows.Attempt,
        prepare: (owner: string) => Effect.Effect<P, E, R>,
        work: (preparation: P) => Effect.Effect<A, E2, R2>
      ) => {
        const owner = `${processId}:${++attempts}`
        // Committed before the work starts, so that other processes see the claim.
        const claim = Effect.gen(function* () {
          const storedAnswer = yield* keys.find(attempt)
          return storedAnswer === undefined ? yield* transaction(keys.claim(attempt, owner)) : storedAnswer
        }).pipe(Effect.catchTag("InFlight", () => Effect.succeed(null)))
        const runAndStore = Effect.fnUntraced(function* (preparation: P) {
          const answer = yield* work(preparation)
          const isStored = yield* keys.answer(attempt, owner, JSON.stringify(answer))
          if (!isStored) return yield* Effect.die(new Error("The request took so long that it lost its key"))
          return { answer, replayed: false }
        }, transaction)
        const prepareAndRun = Effect.flatMap(prepare(owner), runAndStore)
        return runUnlessRunning(
          attempt,
          Effect.andThen(
            time.adjustToClockJump,
            Effect.acquireUseRelease(
              claim,
              Effect.fnUntraced(function* (storedAnswer) {
                if (storedAnswer === null) return "in flight" as const
                if (storedAnswer !== undefined) return { answer: JSON.parse(storedAnswer), replayed: true }
                return yield* prepareAndRun
              }),
              (storedAnswer, exit) =>
                storedAnswer === undefined && Exit.isFailure(exit)
                  ? Effect.ignoreCause(keys.release(attempt, owner))
                  : Effect.void
            )
          )
        )
      }

      return Idempotency.of({
        once: (attempt, work) =>
          runOnce(
            attempt,
            () => Effect.void,
            () => work
          ),

        onceWithPreparation: (attempt, prepare, work) =>
          runOnce(
            attempt,
            (owner) =>
              Effect.raceFirst(prepare, Effect.forever(Effect.delay(keys.renew(attempt, owner), "10 seconds"))),
            work
          ),

        begin: (attempt, start) =>
          Effect.gen(function* () {
            const storedAnswer = yield* keys.claim(attempt, null)
            if (storedAnswer !== undefined) return { replayed: true as const, answer: storedAnswer }
            const job = yield* start
            yield* keys.assign(attempt, job)
            return { replayed: false as const, job }
          }).pipe(transaction, (work) => Effect.andThen(time.adjustToClockJump, work)),

        end: (workspace, job, answer) => Effect.asVoid(keys.end(workspace, job, answer))
      })
    })
  )
}
