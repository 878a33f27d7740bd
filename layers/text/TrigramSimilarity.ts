// layers/text/TrigramSimilarity.ts: similarity of two texts by shared character trigrams.

/** A text's character trigrams, each hashed to one of 16,384 bits. */
export interface Trigrams {
  readonly bits: Uint32Array
  readonly size: number
}

const countBits = (value: number): number => {
  const pairs = value - ((value >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export const trigramBits = (words: Iterable<string>): Trigrams => {
  const bits = new Uint32Array(512)
  let size = 0
  for (const word of words) {
    let a = 32
    let b = 32
    for (let index = 0; index <= word.length; index++) {
      const c = index < word.length ? word.charCodeAt(index) : 32
      const hash = Math.imul(Math.imul(Math.imul(a, 31) + b, 131) + c, 0x9e3779b1) >>> 18
      const wordIndex = hash >>> 5
      const bit = 1 << (hash & 31)
      const current = bits[wordIndex] ?? 0
      if ((current & bit) === 0) {
        bits[wordIndex] = current | bit
        size++
      }
      a = b
      b = c
    }
  }
  return { bits, size }
}

/** The Jaccard index of two texts' trigrams, 0 to 1. */
export const trigramSimilarity = (a: Trigrams, b: Trigrams): number => {
  let sharedCount = 0
  for (let index = 0; index < a.bits.length; index++)
    sharedCount += countBits((a.bits[index] ?? 0) & (b.bits[index] ?? 0))
  const unionSize = a.size + b.size - sharedCount
  return unionSize === 0 ? 0 : sharedCount / unionSize
}
