// layers/text/Markdown.ts: builds Markdown documents and splits fields into points.
import { String } from "effect"
import { splitSentences } from "#layers/text/Sentences.ts"
import { wordTokens } from "#layers/text/Words.ts"

const singleLine = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\t[ \t]*| [ \t]+/g, " ")
    .trim()

/** A heading with its blocks; empty if every block is empty. */
export const renderSection = (
  title: string,
  ...blocks: ReadonlyArray<string | null | undefined>
): ReadonlyArray<string> => {
  const lines = blocks.flatMap((block) =>
    block === null || block === undefined || singleLine(block) === "" ? [] : [singleLine(block)]
  )
  return lines.length === 0 ? [] : [`## ${title}`, ...lines]
}

export const renderDocument = (title: string, ...sections: ReadonlyArray<ReadonlyArray<string>>): string =>
  [`# ${title}`, ...sections.flat()].join("\n\n")

/** A bullet list; undefined if there are no items. */
export const renderBullets = (items: ReadonlyArray<string>): string | undefined =>
  items.length === 0 ? undefined : items.map((item) => `- ${singleLine(item).replace(/\s*\n\s*/g, " ")}`).join("\n")

const bulletPattern = /^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+/

/** Splits a field into points: at line breaks, semicolons or sentence ends. */
export const splitPoints = (text: string | null | undefined): ReadonlyArray<string> => {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.replace(bulletPattern, "").trim())
  return lines
    .flatMap((line) => line.split(";"))
    .flatMap((part) => splitSentences(part))
    .map((point) => String.capitalize(point.trim().replace(/(?<![.\s])\.$/, "")))
}

const objectionSeparator = /: |^["“„«]|(?:["”»]|\p{L}) [–—-] /u

/** Joins two parts; a part that ended at a semicolon becomes a sentence. */
const joinParts = (text: string, next: string) =>
  /[.!?]["'”’)]*$/.test(text) ? `${text} ${next}` : `${text}. ${String.capitalize(next)}`

/** Splits a field into objections with their answers; an answer may have several sentences. */
export const splitObjections = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(/\r?\n|;|\s\/\s/)
    .map((line) => line.replace(bulletPattern, "").trim())
    .flatMap(splitSentences)
    .reduce<ReadonlyArray<string>>(
      (points, sentence) =>
        points.length === 0 || objectionSeparator.test(sentence) || !objectionSeparator.test(points.at(-1) ?? "")
          ? [...points, sentence]
          : [...points.slice(0, -1), joinParts(points.at(-1) ?? "", sentence)],
      []
    )
    .map((point) => String.capitalize(point.trim().replace(/(?<![.\s])\.$/, "")))

/** A key for comparing sentences, which ignores case and punctuation. */
export const sentenceKey = (text: string): string => wordTokens(text.toLowerCase()).join(" ")

/** Returns a filter for one document that drops every sentence it has passed before. */
export const skipRepeatedSentences = (): ((texts: ReadonlyArray<string>) => ReadonlyArray<string>) => {
  const seenKeys = new Set<string>()
  return (texts) =>
    texts.flatMap((text) => {
      const newSentences = splitSentences(text).filter((sentence) => {
        const key = sentenceKey(sentence)
        if (key === "" || seenKeys.has(key)) return false
        seenKeys.add(key)
        return true
      })
      return newSentences.length === 0 ? [] : [newSentences.join(" ")]
    })
}

/** Splits a list of names at commas, semicolons and line breaks. */
export const splitNames = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    // Commas in brackets do not separate names: "Buyer (packaging, pallets)".
    .split(/[;\n]|,(?![^()\n]*\))(?!(?<=\d,)\d{3}(?!\d))|(?<=\s)\/(?=\s)/)
    .map((name) =>
      name
        .replace(bulletPattern, "")
        .replace(/^and\s+/i, "")
        .trim()
    )
    .filter((name) => name !== "")
