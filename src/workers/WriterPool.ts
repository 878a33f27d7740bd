// src/workers/WriterPool.ts: limits the leads and batches written at the same time.
import { Effect, Semaphore } from "effect"

export interface WriterPool {
  /** A permit for each lead being written. */
  readonly writers: Semaphore.Semaphore
  /** Runs a batch beside others or, with `alone`, exclusively. */
  readonly share: <A, E, R>(alone: boolean, batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Allows `batches` batches and `leads` leads at the same time. */
export const makeWriterPool = Effect.fnUntraced(function* (batches: number, leads: number) {
  const writers = yield* Semaphore.make(leads)
  const batchPermits = yield* Semaphore.make(batches)
  const exclusive = yield* Semaphore.make(1)
  // One by one, because a request for all permits at once would starve behind requests for one.
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
