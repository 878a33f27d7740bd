// layers/text/Markdown.ts: the few forms that the documents are made of.
import { String } from "effect"
import { sentencesOf } from "#layers/text/Sentences.ts"
import { words } from "#layers/text/Words.ts"

const clean = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+/g, " ")
    .trim()

/** A heading and what stands under it, or nothing where there is nothing to say. */
export const section = (title: string, ...blocks: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => {
  const said = blocks.flatMap((block) =>
    block === null || block === undefined || clean(block) === "" ? [] : [clean(block)]
  )
  return said.length === 0 ? [] : [`## ${title}`, ...said]
}

export const document = (title: string, ...sections: ReadonlyArray<ReadonlyArray<string>>): string =>
  [`# ${title}`, ...sections.flat()].join("\n\n")

/** As points, or nothing where there is nothing to list. */
export const list = (items: ReadonlyArray<string>): string | undefined =>
  items.length === 0 ? undefined : items.map((item) => `- ${clean(item).replace(/\s*\n\s*/g, " ")}`).join("\n")

const start = /^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+/

/** The points of a field, however it was written: lines, semicolons or sentences. */
export const points = (text: string | null | undefined): ReadonlyArray<string> => {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.replace(start, "").trim())
  return lines
    .flatMap((line) => line.split(";"))
    .flatMap((part) => sentencesOf(part))
    .map((point) => String.capitalize(point.trim().replace(/(?<![.\s])\.$/, "")))
}

const objection = /: |^["“„«]|["”»] [–—-] /

/** Points of which each begins with what is objected: an answer of several sentences stays with its objection. */
export const objections = (text: string | null | undefined): ReadonlyArray<string> => {
  const all = points(text)
  return all.reduce<ReadonlyArray<string>>(
    (found, point) =>
      found.length === 0 || objection.test(point) || !objection.test(found.at(-1) ?? "")
        ? [...found, point]
        : [...found.slice(0, -1), `${found.at(-1)}. ${point}`],
    []
  )
}

/** The same sentence has the same key, whatever its case and punctuation. */
export const sentenceKey = (text: string): string => words(text.toLowerCase()).join(" ")

/** For one document: returns each text without the sentences that the document has already said. */
export const unsaid = (): ((texts: ReadonlyArray<string>) => ReadonlyArray<string>) => {
  const said = new Set<string>()
  return (texts) =>
    texts.flatMap((text) => {
      const left = sentencesOf(text).filter((sentence) => {
        const key = sentenceKey(sentence)
        if (key === "" || said.has(key)) return false
        said.add(key)
        return true
      })
      return left.length === 0 ? [] : [left.join(" ")]
    })
}

/** Names in a list that commas, semicolons or lines part. */
export const names = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    // Not within brackets: "Buyer (packaging, pallets)".
    .split(/[;\n]|,(?![^()\n]*\))|(?<=\s)\/(?=\s)/)
    .map((name) =>
      name
        .replace(start, "")
        .replace(/^and\s+/i, "")
        .trim()
    )
    .filter((name) => name !== "")
