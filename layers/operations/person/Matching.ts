// layers/operations/person/Matching.ts: finds an address or a name in stored text, and takes it out.
import { Predicate } from "effect"

export const erased = "[erased]"

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** SQLite and PostgreSQL lower-case ASCII letters alone in these columns. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What `lower(column) LIKE … ESCAPE '\'` compares with. */
export const patternOf = (text: string) => `%${lower(text).replace(/[\\%_]/g, "\\$&")}%`

/** The address itself, and no longer one that ends or begins with it. */
const ofAddress = (address: string) =>
  new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped(address)}(?![\\w-]|\\.\\w)`, "gi")

const ofName = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu")

export interface Matcher {
  /** Patterns for LIKE that find at least all matches. */
  readonly patterns: ReadonlyArray<string>
  readonly matches: (text: string) => boolean
  /** The text with each match replaced; JSON stays JSON. */
  readonly without: (text: string) => string
}

const mapped = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((one) => mapped(one, change))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change)]))
}

/** The document of a JSON text; undefined for other text. */
const documentOf = (text: string): unknown => {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Matches an address, and the names of the person, where two words of a name tell the person from others. */
export const matcherOf = (address: string, names: ReadonlyArray<string> = []): Matcher => {
  const full = names.filter((name) => /\S+\s+\S+/.test(name) && name.length >= 5)
  const expressions = [ofAddress(address), ...full.map(ofName)]
  const replaced = (text: string) => expressions.reduce((rest, each) => rest.replace(each, erased), text)
  const without = (text: string) => {
    const document = documentOf(text)
    return document === undefined ? replaced(text) : JSON.stringify(mapped(document, replaced))
  }
  return {
    patterns: [address, ...full].map(patternOf),
    matches: (text) => {
      const document = documentOf(text)
      return document === undefined ? replaced(text) !== text : without(text) !== JSON.stringify(document)
    },
    without
  }
}
