// layers/lib/Turns.ts: runs a long computation in turns of a few milliseconds, between which other requests are answered.
import { Effect } from "effect"

/** A computation that can be paused wherever it yields. */
export type Turns<A> = Generator<void, A>

/** Maximum duration of a turn, in milliseconds, apart from the last step in it. */
const maxTurnMillis = 2

export const runAtOnce = <A>(turns: Turns<A>): A => {
  for (;;) {
    const step = turns.next()
    if (step.done === true) return step.value
  }
}

export const runInTurns = Effect.fnUntraced(function* <A>(turns: Turns<A>) {
  for (;;) {
    const end = performance.now() + maxTurnMillis
    while (performance.now() < end) {
      const step = turns.next()
      if (step.done === true) return step.value
    }
    yield* Effect.yieldNow
  }
})

/** Adds the results of a function for each item; may be paused between two items. */
export const flatMapInTurns = function* <A, B>(
  items: Iterable<A>,
  map: (item: A) => ReadonlyArray<B>
): Turns<ReadonlyArray<B>> {
  const results: Array<B> = []
  for (const item of items) {
    results.push(...map(item))
    yield
  }
  return results
}

/** Answers requests before a computation that is short enough for one turn. */
export const runInOneTurn = <A>(compute: () => A): Effect.Effect<A> =>
  Effect.andThen(Effect.yieldNow, Effect.sync(compute))
