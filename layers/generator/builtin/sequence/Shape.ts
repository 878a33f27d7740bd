// layers/generator/builtin/sequence/Shape.ts: what tells at a glance that a wording will not pass.

/** How many words there may be. */
export interface Room {
  readonly least: number
  readonly most: number
}

/** A quick look at length and rhythm, so that fewer drafts reach the checker only to come back. */
export const wellShaped = (text: string, { least, most }: Room): boolean => {
  let total = 0
  let size = 0
  let before = 0
  let beforeThat = 0
  let inWord = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    if (code !== 32 && code !== 124) {
      inWord = true
      continue
    }
    if (inWord) size++
    inWord = false
    const stop = text.charCodeAt(at - 1)
    // A sentence ends with a full stop or a question mark before a gap, and with the text.
    if (size === 0 || (stop !== 46 && stop !== 63 && at < text.length)) continue
    if (size > 25) return false
    if (beforeThat > 0 && Math.max(size, before, beforeThat) - Math.min(size, before, beforeThat) <= 2) return false
    total += size
    beforeThat = before
    before = size
    size = 0
  }
  return total >= least && total <= most
}

const contraction = /n't|'re |'ve |'ll |'d |\b(?:it|that|there|here)'s /i

// The shape is what most wordings lack, and the cheapest to see.
export const wellSaid = (text: string, room: Room): boolean =>
  wellShaped(text, room) &&
  contraction.test(text) &&
  (text.match(/\byou/gi)?.length ?? 0) > (text.match(/\b(?:we|us|our|I|me|my)\b/gi)?.length ?? 0)
