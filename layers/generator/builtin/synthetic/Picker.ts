// layers/generator/builtin/synthetic/Picker.ts: pseudo-random choices that a seed repeats.
import { hash } from "#layers/text/Hash.ts"

/** Picks by turns out of one seed: each call gives another number, and the same seed the same row of numbers. */
export class Picker {
  #state: number
  constructor(seed: string) {
    this.#state = hash(seed)
  }
  /** A whole number from 0 up to `below`, which is at least 1. */
  next(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  of<A>(items: ReadonlyArray<A>): A | undefined {
    return items.length === 0 ? undefined : items[this.next(items.length)]
  }
}
