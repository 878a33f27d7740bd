// scripts/bench/Pairs.ts: measures two things alternately, so that other load on the machine affects both, and compares
// their rounds.
import { Clock, Effect } from "effect"
import { median } from "../Median.ts"

export interface Pair<A, B> {
  readonly a: A
  readonly b: B
}

/** A B, B A, A B, …: runs `count` pairs, but starts none after `seconds`. */
export const pairs = Effect.fnUntraced(function* <A, B, R, S>(
  count: number,
  a: Effect.Effect<A, never, R>,
  b: Effect.Effect<B, never, S>,
  seconds = Infinity
) {
  const all: Array<Pair<A, B>> = []
  const end = (yield* Clock.currentTimeMillis) + seconds * 1000
  for (let i = 0; i < count && (i === 0 || (yield* Clock.currentTimeMillis) < end); i++) {
    if (i % 2 === 0) {
      const first = yield* a
      all.push({ a: first, b: yield* b })
    } else {
      const first = yield* b
      all.push({ a: yield* a, b: first })
    }
  }
  return all
})

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

const spread = (numbers: ReadonlyArray<number>): Spread => ({
  median: median(numbers),
  min: Math.min(...numbers),
  max: Math.max(...numbers)
})

export interface Compared {
  readonly a: number
  readonly b: number
  /** The ratios of the pairs, not of the medians. */
  readonly ratio: Spread
}

/** The medians of a figure of the rounds, and the ratios of the pairs; `b` reads the figure of the reference. */
export const compare = <R>(
  rounds: ReadonlyArray<Pair<R, R>>,
  a: (round: R) => number,
  b: (round: R) => number = a
): Compared => ({
  a: median(rounds.map((round) => a(round.a))),
  b: median(rounds.map((round) => b(round.b))),
  ratio: spread(rounds.map((round) => a(round.a) / b(round.b)))
})

/** The inverse ratios, for figures of which less is better. */
export const inverse = ({ a, b, ratio }: Compared): Compared => ({
  a,
  b,
  ratio: { median: 1 / ratio.median, min: 1 / ratio.max, max: 1 / ratio.min }
})
