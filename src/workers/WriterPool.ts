// src/workers/WriterPool.ts: limits how many leads and batches are written at the same time.
import { Effect, Semaphore } from "effect"

export interface WriterPool {
  /** A permit for each lead that may be written at the same time. */
  readonly writers: Semaphore.Semaphore
  /** Runs a batch beside others, or alone. */
  readonly share: <A, E, R>(alone: boolean, batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Room for `batches` batches and `leads` leads at the same time. */
export const makeWriterPool = Effect.fnUntraced(function* (batches: number, leads: number) {
  const writers = yield* Semaphore.make(leads)
  const batchPermits = yield* Semaphore.make(batches)
  const exclusive = yield* Semaphore.make(1)
  // Takes the permits one by one, because a request for all of them would starve behind requests for one.
  const takeAllPermits = Effect.forEach(Array.from({ length: batches }), () => batchPermits.takeScoped(1), {
    discard: true
  })
  return {
    writers,
    share: (alone, batch) =>
      alone
        ? exclusive.withPermit(Effect.scoped(Effect.andThen(takeAllPermits, batch)))
        : batchPermits.withPermit(batch)
  } satisfies WriterPool
})
