// scripts/bench/Pairs.ts: measures two effects alternately, so that other load on the machine affects both, and compares
// their rounds.
import { Clock, Effect } from "effect"
import { median } from "../Median.ts"

export interface Pair<A, B> {
  readonly a: A
  readonly b: B
}

/** A B, B A, A B, …: runs `count` pairs, but starts none after `seconds`. */
export const measurePairs = Effect.fnUntraced(function* <A, B, R, S>(
  count: number,
  measureA: Effect.Effect<A, never, R>,
  measureB: Effect.Effect<B, never, S>,
  seconds = Infinity
) {
  const completed: Array<Pair<A, B>> = []
  const end = (yield* Clock.currentTimeMillis) + seconds * 1000
  for (let i = 0; i < count && (i === 0 || (yield* Clock.currentTimeMillis) < end); i++) {
    if (i % 2 === 0) {
      const first = yield* measureA
      completed.push({ a: first, b: yield* measureB })
    } else {
      const first = yield* measureB
      completed.push({ a: yield* measureA, b: first })
    }
  }
  return completed
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

export interface Comparison {
  readonly a: number
  readonly b: number
  /** The ratios of the pairs, not of the medians. */
  readonly ratio: Spread
}

/** The medians of a figure of the rounds, and the ratios of the pairs; `referenceFigureOf` reads the figure of the reference. */
export const compare = <R>(
  rounds: ReadonlyArray<Pair<R, R>>,
  figureOf: (round: R) => number,
  referenceFigureOf: (round: R) => number = figureOf
): Comparison => ({
  a: median(rounds.map((round) => figureOf(round.a))),
  b: median(rounds.map((round) => referenceFigureOf(round.b))),
  ratio: spread(rounds.map((round) => figureOf(round.a) / referenceFigureOf(round.b)))
})

/** The inverse ratios, for figures of which less is better. */
export const invertRatio = ({ a, b, ratio }: Comparison): Comparison => ({
  a,
  b,
  ratio: { median: 1 / ratio.median, min: 1 / ratio.max, max: 1 / ratio.min }
})
