// layers/generator/checker/Wording.ts: finds wordings that no email may contain: template leftovers, forbidden phrases, spam
// terms. Imports little of effect, because loading all of it dominates the start of a thread.
import { memoize } from "effect/Function"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { findingAt, quoteShort } from "#layers/generator/checker/EmailText.ts"
import type { Finding } from "#schema/Findings.ts"

type Place = "subject" | "body"

/** Leftovers that are no words: "{{ name }}", "[Company]", "lorem ipsum". */
const leftoverPattern =
  /\{\{[^}]*\}?\}?|\{%[^%]*%\}|\{[A-Za-z_][\w .]{0,40}\}|\[(?!sic\]|\d+\]|\.\.\.\]|\u2026\])[^\]\n]{1,60}\]|%[A-Z_]{2,}%|<<[^>\n]{1,40}>>|<\/?[A-Za-z_][^>\n]{0,60}>|_{3,}|\((?:insert|enter) [^)\n]{1,40}\)|\b(?:undefined|NaN|TODO|FIXME|XXX|TBD)\b|\[object Object\]|\blorem ipsum\b|\bas an ai\b|\bas a language model\b|\bhere is (?:the|your|a|an) (?:email|draft|sequence|version)\b|^subject:|\bHi (?:null|none|nan|unknown)\b|\bat null\b|\{[^{}|\n]+\|[^{}\n]+\}/gim

/** Placeholders that differ from words only by their capitals. */
const capitalPlaceholder =
  /\b(?:XX+|[XYN])\s?%|[$€£]\s?(?:XX+|[XYN])\b|\b(?:INSERT|ENTER|ADD|FILL IN|REPLACE)(?: [A-Z_]{2,}){1,4}\b|\bYOUR (?:FIRST |LAST |COMPANY )?(?:NAME|COMPANY|TITLE|PRODUCT|CITY|INDUSTRY|WEBSITE|LINK|PHONE)\b|\b(?:FIRST|LAST|COMPANY|CLIENT|PRODUCT|CONTACT|SENDER) ?_?NAME\b|\b[A-Z]{3,}(?:_[A-Z]+)+\b/g

/** Leftovers of a template. */
export const leftoverFindings = (text: string, place: Place): ReadonlyArray<Finding> => [
  ...unfilledFindings(text, place),
  ...(/[A-Z]{3}|[XYN] ?%|[$€£] ?[XYN]/.test(text) ? [...text.matchAll(capitalPlaceholder)] : []).map((match) =>
    findingAt(
      place,
      "template.leftover",
      "fail",
      { start: match.index, end: match.index + match[0].length },
      `${quoteShort(match[0])} looks like a placeholder. Fill it in, or remove it.`
    )
  )
]

const unfilledFindings = (text: string, place: Place): ReadonlyArray<Finding> =>
  // Almost no text contains one of these characters, so most skip the search.
  /[{[%<_]|\((?:insert|enter) |undefined|NaN|TODO|FIXME|XXX|TBD|lorem|\bas an? (?:ai|language)|here is|^subject:|null|none|unknown/im.test(
    text
  )
    ? [...text.matchAll(leftoverPattern)].map((match) =>
        findingAt(
          place,
          "template.leftover",
          "fail",
          { start: match.index, end: match.index + match[0].length },
          `${quoteShort(match[0])} was left over from a template. Remove it, or use a variable that has a value.`
        )
      )
    : []

/** A text in lower case with single blanks and plain apostrophes, and the offset of each of its characters in the original. */
const comparableText = cacheByText((text) => {
  const offsets: Array<number> = []
  let comparable = ""
  for (const { 0: character, index } of text.matchAll(/\s+|./gsu)) {
    const lowerCase = character.toLowerCase()
    // Keeps "İ" unchanged, because its lower-case form has two characters and would shift all offsets after it.
    const replacement = /^\s/.test(character)
      ? " "
      : /['\u2018\u2019]/.test(character)
        ? "'"
        : lowerCase.length === character.length
          ? lowerCase
          : character
    comparable += replacement
    for (let unit = 0; unit < replacement.length; unit++) offsets.push(index + unit)
  }
  return { comparable, offsets: [...offsets, text.length] }
})

const comparablePhrases = memoize((phrases: ReadonlyArray<string>) =>
  phrases.map((phrase) => comparableText(phrase.normalize("NFC").trim()).comparable).filter((phrase) => phrase !== "")
)

const letterBefore = /[\p{L}\p{N}]$/u
/** The end of a word: a plural counts as its singular. */
const wordEnd = /(?:'?s|es)?(?![\p{L}\p{N}])/uy

/** The spans of a phrase in a text, as whole words. */
const occurrencesOf = (
  phrase: string,
  comparable: string
): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const spans: Array<{ readonly from: number; readonly to: number }> = []
  for (let start = comparable.indexOf(phrase); start !== -1; start = comparable.indexOf(phrase, start + 1)) {
    wordEnd.lastIndex = start + phrase.length
    const end = wordEnd.exec(comparable)
    if (end === null || letterBefore.test(comparable.slice(Math.max(0, start - 2), start))) continue
    spans.push({ from: start, to: start + phrase.length + end[0].length })
    start = start + phrase.length - 1
  }
  return spans
}

/**
 * Findings for phrases of the never-say list. Uses string search, because one regular expression of a hundred long
 * phrases took half a minute on texts that repeat their beginnings.
 */
export const forbiddenFindings = (
  text: string,
  place: Place,
  phrases: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  if (phrases.length === 0) return []
  const { comparable, offsets } = comparableText(text)
  const spans = comparablePhrases(phrases)
    .flatMap((phrase) => occurrencesOf(phrase, comparable))
    .toSorted((a, b) => a.from - b.from)
  let lastEnd = 0
  return spans.flatMap(({ from, to }) => {
    if (from < lastEnd) return []
    lastEnd = to
    const [start = 0, end = text.length] = [offsets[from], offsets[to]]
    return [
      findingAt(
        place,
        "never_say",
        "fail",
        { start, end },
        `${quoteShort(text.slice(start, end))} is on the campaign's never-say list. Say it another way.`
      )
    ]
  })
}

export const containsForbidden = (text: string, phrases: ReadonlyArray<string>): boolean =>
  forbiddenFindings(text, "body", phrases).length > 0

const spamPattern =
  /\b(?:act now|buy now|call now|apply now|order now|click (?:here|below)|limited[- ]time|limited offer|special (?:offer|promotion)|exclusive (?:deal|offer)|once in a lifetime|risk[- ]free|no (?:obligation|strings attached|catch)|100% (?:free|guaranteed|satisfied)|guaranteed|money[- ]back|cash bonus|winner|prize|earn (?:money|extra)|make money|double your (?:income|money|sales|revenue)|lowest price|best price|bargain|save big|increase sales|amazing|incredible|miracle|congratulations|dear (?:friend|sir or madam)|this isn't spam|not spam|viagra|casino|investment opportunity|million dollars|what are you waiting for|while supplies last|hidden (?:fees|charges)|get started (?:now|today)|free gift|free money|satisfaction guaranteed|cheap)\b|\${2,}|!{2,}/gi

export const findSpamTerms = (text: string): ReadonlyArray<{ readonly term: string; readonly start: number }> =>
  [...text.matchAll(spamPattern)].map((match) => ({ term: match[0], start: match.index }))

/** Spam terms in subject and body, except the sender's own words according to `isAllowed`. */
export const spamFindings = (
  email: { subject: string; body: string },
  isAllowed: (term: string) => boolean
): ReadonlyArray<Finding> => {
  const terms = (["subject", "body"] as const)
    .flatMap((place) => findSpamTerms(email[place]).map((hit) => ({ ...hit, place })))
    .filter(({ term }) => !isAllowed(term))
  const distinctTerms = new Set(terms.map(({ term }) => term.toLowerCase()))
  // One or two different terms occur in honest emails.
  const isSpam = distinctTerms.size >= 3
  return terms
    .slice(0, isSpam ? undefined : 2)
    .map(({ place, start, term }) =>
      findingAt(
        place,
        "spam.terms",
        isSpam ? "fail" : "hint",
        { start, end: start + term.length },
        isSpam
          ? `The email has ${distinctTerms.size} spam terms, such as ${quoteShort(term)}. Say these things in plain words.`
          : `Spam filters look for ${quoteShort(term)}. Say it in other words.`
      )
    )
}

const linkShortener =
  /\b(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|rb\.gy|is\.gd|buff\.ly|cutt\.ly|lnkd\.in|shorturl\.at)\/\S+/gi

export const shortLinkFindings = (text: string): ReadonlyArray<Finding> =>
  [...text.matchAll(linkShortener)].map((match) =>
    findingAt(
      "body",
      "link.shortened",
      "warn",
      { start: match.index, end: match.index + match[0].length },
      "Spam filters block shortened links. Write the full address."
    )
  )
