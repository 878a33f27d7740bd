// layers/generator/builtin/grammar/Phrases.ts: what a piece of prose is, and so how it fits into a sentence.
import { lowerFirst, upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { trim } from "#layers/generator/builtin/grammar/Pieces.ts"
import { baseOf, isBaseVerb, verbAt } from "#layers/generator/builtin/grammar/Verbs.ts"
import { setOf, withoutAsides, words } from "#layers/text/Words.ts"

/** With one full stop at its end. */
export const stopped = (text: string): string => `${text.replace(/[\s,;:.]+$/, "")}.`

/** The same as a sentence: its first letter is a capital. */
export const sentence = (text: string): string => upperFirst(stopped(text))

/** What was said of clients, said to one of them. */
export const yours = (text: string): string => text.replace(/\btheir\b/g, "your")

/**
 * `clause` stands as a sentence of its own, `ours` is one that starts with "We" or our name, `doing` starts with a
 * participle, `thing` is a noun phrase, `deed` starts with a bare verb, `other` can only be quoted after a colon.
 */
export interface Phrase {
  readonly kind: "clause" | "ours" | "doing" | "thing" | "deed" | "other"
  /** Starts lower case unless with a name; no stop at its end. */
  readonly text: string
  readonly count: number
}

const notDoing = setOf(
  "nothing something anything everything pricing billing marketing shipping training spring string king ring during missing existing " +
    "growing rising increasing aging ageing building buildings evening morning meeting housing staffing scheduling planning reporting " +
    "accounting ongoing incoming outgoing outstanding engineering manufacturing farming banking funding recurring conflicting"
)

const deeds = setOf(
  "stop start win gain cut save reduce increase improve know avoid fill free hire track lower raise boost double halve close speed simplify automate protect"
)

const afterPlural =
  /^(?:of|for|to|in|on|at|with|from|by|that|which|who|between|about|and|or|due|when|where|without|within|because|after|before|during|per|across|against|under|over|than|as|into|through|via|instead|mid-.*|.*ing|.*ed|.*ly|not|no|too|lost|left|late|early|away|out|down|up)$/

const oddAfterPlural = (next: string | undefined): boolean => next !== undefined && !afterPlural.test(next)

const kindOf = (text: string, ours: string): Phrase["kind"] => {
  const lower = words(text.toLowerCase())
  const first = lower[0] ?? ""
  if (/["?]/.test(text)) return "other"
  const mine =
    /^(?:we|we're|we've|we'll|our)$/.test(first) ||
    (ours !== "" && text.toLowerCase().startsWith(`${ours.toLowerCase()} `))
  if (mine) return first === "our" && verbAt(lower) < 0 ? "thing" : "ours"
  const second = lower[1] ?? ""
  if (
    /^[a-z]{2,}ing$/.test(first) &&
    (!notDoing.has(first) || /^(?:past|to|from|in|out|into|through|over|the|a|an|your|up|down|on)$/.test(second))
  )
    return "doing"
  if (first === "not" && second.endsWith("ing")) return "other"
  if (/^(?:you|they|it|nobody|everyone|everybody)(?:'\w+)?$/.test(first) && lower.length > 2) return "clause"
  if (/^(?:can't|cannot|don't|haven't|never|have)$/.test(first)) return "deed"
  if (verbAt(lower) >= 0) return "clause"
  if (
    deeds.has(first) ||
    (isBaseVerb(first) &&
      /^(?:the|a|an|your|our|their|every|all|more|less|to|too|up|out|who|what|which|how|track|time|hours|days|money|[a-z]+s)$/.test(
        lower[1] ?? ""
      ))
  )
    return "deed"
  if (
    /^(?:if|when|while|because|after|before|since|what|how|why|where|once|so|but|to|for|in|on|at|by|with|without|from|under|not)$/.test(
      first
    )
  )
    return "other"
  // So does a plural that something other than a preposition follows ("guests grumble about ...").
  if (lower.slice(0, 4).some((word, at) => /[^s]s$/.test(word) && oddAfterPlural(lower[at + 1]))) return "other"
  // A word that may well be the verb of this fragment makes a poor noun phrase.
  if (
    lower.some(
      (word, at) => at > 0 && (baseOf(word) !== undefined || (isBaseVerb(word) && (lower[at - 1] ?? "").endsWith("s")))
    )
  )
    return "other"
  return "thing"
}

/** Reads one piece. `ours` is our company's name, `names` what is to keep its capital. */
export const phrase = (piece: string, ours: string, names: ReadonlySet<string>): Phrase => {
  const short = words(piece).length > 12 ? withoutAsides(piece) : piece
  const trimmed = trim(short)
  const all = words(trimmed.toLowerCase())
  // "Works with ..." is said of what is sold.
  const said =
    baseOf(all[0] ?? "") !== undefined &&
    /^(?:with|in|on|from|for|like|as|the|a|an|your|every|all|by|to|without|any)$/.test(all[1] ?? "") &&
    (all[0] ?? "") !== "costs"
  const text = said ? `it ${lowerFirst(trimmed, new Set())}` : lowerFirst(trimmed, names)
  return { kind: kindOf(text, ours), text, count: words(text).length }
}
