// src/http/body/Shape.ts: checks a JSON text in one pass, before it is parsed.

const maxDepth = 64

/** A backslash in a JSON text. */
const escape = 0x5c
const quote = 0x22

/** The code unit of the escape at `at`; undefined unless it has the form \uXXXX. */
const unitAt = (json: string, at: number): number | undefined => {
  if (json.charCodeAt(at) !== escape || json.charCodeAt(at + 1) !== 0x75) return undefined
  const digits = json.slice(at + 2, at + 6)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const unstorable = "A string of the body holds NUL or an unpaired surrogate"

/** Of bodies up to `limit` bytes: the entries that one list may have, and the values that all of it may hold. */
const bounds = (limit: number) => ({ entries: Math.floor(limit / 320), values: Math.floor(limit / 8) })

/** Fields of an object within an entry or a field of the body: where that is a record, all of them are decoded at once. */
const mostFields = 10_000
/** Objects further out are no records, and their unknown fields are ignored, however many there are. */
const recordDepth = 3

/** Where a long list at the top of a body lies in its text: what is between its brackets, and commas to cut it at. */
export interface Long {
  readonly start: number
  readonly cuts: ReadonlyArray<number>
  readonly end: number
}

/** Entries that are parsed, and looked at, before others have their turn. */
export const pieceSize = 200

/**
 * Reads over a text of well-formed UTF-16, as far as it is told to at a time, and says why it is refused before it is
 * parsed, if it is. A short text can hold so many values that whoever looks at each of them, and has something to say of
 * each, is busy for everybody else's time and memory.
 */
export const shapeOf = (json: string, limit: number) => {
  const most = bounds(limit)
  const tooMany = `The body holds too many values: at most ${most.values} are taken, and ${most.entries} in one list`
  const entries: Array<number> = [0]
  const fields: Array<number> = [0]
  const long: Array<Long> = []
  let cuts: Array<number> = []
  let start = 0
  let depth = 0
  let values = 0
  let inString = false
  let read = 0

  /** Reads on to `until`, or to the first fault. */
  const readTo = (until: number): string | undefined => {
    const end = Math.min(until, json.length)
    let i = read
    for (; i < end; i++) {
      const code = json.charCodeAt(i)
      if (inString) {
        if (code === quote) inString = false
        if (code !== escape) continue
        const unit = unitAt(json, i)
        if (unit === undefined) i++
        else if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return unstorable
        else if (unit >= 0xd800 && unit <= 0xdbff) {
          const next = unitAt(json, i + 6) ?? 0
          if (next < 0xdc00 || next > 0xdfff) return unstorable
          i += 11
        } else i += 5
      } else if (code === quote) inString = true
      else if (code === 0x5b || code === 0x7b) {
        if (++depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels`
        entries[depth] = code === 0x5b ? 0 : -Infinity
        fields[depth] = 0
        if (depth === 2) {
          start = i + 1
          cuts = []
        }
        if (++values > most.values) return tooMany
      } else if (code === 0x5d || code === 0x7d) {
        if (depth === 2 && cuts.length > 0) long.push({ start, cuts, end: i })
        depth--
      } else if (code === 0x2c) {
        const count = (entries[depth] ?? 0) + 1
        entries[depth] = count
        if (count === -Infinity && depth >= recordDepth) {
          const more = (fields[depth] ?? 0) + 1
          fields[depth] = more
          if (more >= mostFields) return `An object of the body has too many fields: at most ${mostFields} are taken`
        }
        if (depth === 2 && count > 0 && count % pieceSize === 0) cuts.push(i)
        if (++values > most.values || count >= most.entries) return tooMany
      }
    }
    read = i
    return undefined
  }
  return { readTo, isRead: () => read >= json.length, long: long as ReadonlyArray<Long> }
}
