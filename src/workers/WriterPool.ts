// src/workers/WriterPool.ts: where leads are written: how many at once, and the batches that share the place.
import { Effect, Semaphore } from "effect"

export interface WriterPool {
  /** A permit for each lead that may be written at once. */
  readonly writers: Semaphore.Semaphore
  /** Runs a batch beside the others, or with the place to itself. */
  readonly share: <A, E, R>(alone: boolean, batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A place for `batches` batches and `leads` leads at once. */
export const make = Effect.fnUntraced(function* (batches: number, leads: number) {
  const writers = yield* Semaphore.make(leads)
  const places = yield* Semaphore.make(batches)
  const door = yield* Semaphore.make(1)
  // Places are taken one by one: a request for all of them would wait for ever beside requests for one.
  const all = Effect.forEach(Array.from({ length: batches }), () => places.takeScoped(1), { discard: true })
  return {
    writers,
    share: (alone, batch) =>
      alone ? door.withPermit(Effect.scoped(Effect.andThen(all, batch))) : places.withPermit(batch)
  } satisfies WriterPool
})
