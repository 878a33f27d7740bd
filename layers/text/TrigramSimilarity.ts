// layers/text/TrigramSimilarity.ts: similarity of two texts by shared character trigrams.

/** A hash of 14 bits makes collisions rare in an email, which has a few thousand trigrams at most. */
const hashBits = 14
const elementBits = 32

/** A text's character trigrams: the bit of each trigram's hash is set. */
export interface Trigrams {
  readonly bits: Uint32Array
  readonly setBits: number
}

/** Counts the set bits in parallel: in pairs, then fours, then bytes, whose sum the multiplication leaves in the top byte. */
const countSetBits = (element: number): number => {
  const pairs = element - ((element >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * Combines the characters by primes, so that their order counts, and spreads the result by Knuth's multiplicative hash:
 * 2^32 divided by the golden ratio. The highest bits depend on all characters.
 */
const hashTrigram = (first: number, second: number, third: number) =>
  Math.imul(Math.imul(Math.imul(first, 31) + second, 131) + third, 0x9e3779b1) >>> (32 - hashBits)

const space = 32

/** The trigrams of the words, each between spaces. */
export const trigramBits = (words: Iterable<string>): Trigrams => {
  const bits = new Uint32Array(2 ** hashBits / elementBits)
  let setBits = 0
  for (const word of words) {
    let first = space
    let second = space
    for (let index = 0; index <= word.length; index++) {
      const third = index < word.length ? word.charCodeAt(index) : space
      const hash = hashTrigram(first, second, third)
      const elementIndex = Math.floor(hash / elementBits)
      const bit = 1 << (hash % elementBits)
      const element = bits[elementIndex] ?? 0
      if ((element & bit) === 0) {
        bits[elementIndex] = element | bit
        setBits++
      }
      first = second
      second = third
    }
  }
  return { bits, setBits }
}

/** The Jaccard index of two texts' trigrams, 0 to 1. */
export const trigramSimilarity = (left: Trigrams, right: Trigrams): number => {
  let sharedBits = 0
  for (let index = 0; index < left.bits.length; index++)
    sharedBits += countSetBits((left.bits[index] ?? 0) & (right.bits[index] ?? 0))
  const unionBits = left.setBits + right.setBits - sharedBits
  return unionBits === 0 ? 0 : sharedBits / unionBits
}
