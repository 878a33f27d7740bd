// layers/lib/Turns.ts: runs long computations in turns, between which the event loop answers requests.
import { Effect } from "effect"

/** A computation that can pause at each `yield`. */
export type Turns<A> = Generator<undefined, A>

export const runAtOnce = <A>(turns: Turns<A>): A => {
  for (;;) {
    const { done, value } = turns.next()
    if (done === true) return value
  }
}

/** Answers requests before the computation and wherever it pauses. */
export const runInTurns = Effect.fnUntraced(function* <A>(start: () => Turns<A>) {
  const turns = start()
  for (;;) {
    yield* Effect.yieldNow
    const { done, value } = turns.next()
    if (done === true) return value
  }
})

/** Answers requests before a computation that is short enough for one turn. */
export const runInOneTurn = <A>(compute: () => A): Effect.Effect<A> =>
  Effect.andThen(Effect.yieldNow, Effect.sync(compute))
