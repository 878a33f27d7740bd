// scripts/chaos/SeededRandom.ts: random decisions from a seed. Each decision maker has its own stream, so that timing does not change the
// decisions of others.

export interface SeededRandom {
  /** From 0 up to 1. */
  readonly next: () => number
  /** A whole number, both ends included. */
  readonly int: (min: number, max: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(options: readonly [A, ...ReadonlyArray<A>]) => A
  readonly shuffle: <A>(all: ReadonlyArray<A>) => ReadonlyArray<A>
  /** A stream with this name; the same name gives the same decisions. */
  readonly stream: (name: string) => SeededRandom
}

const hashName = (seed: number, text: string) => {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

export const make = (seed: number): SeededRandom => {
  let state = seed >>> 0
  /** Mulberry32, which is short and good enough to choose faults by. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (options) => options[int(0, options.length - 1)] ?? options[0],
    shuffle: (all) =>
      all
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ item }) => item),
    stream: (name) => make(hashName(seed, name))
  }
}
