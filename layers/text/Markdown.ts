// layers/text/Markdown.ts: the few forms that the documents are made of.
import { String } from "effect"
import { withoutAsides } from "#layers/text/Words.ts"

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
    .flatMap((line) => line.split(/;|(?<=[.!?])\s+(?=\p{Lu})/u))
    .map((point) => point.trim())
    .filter((point) => point !== "")
    .map((point) => String.capitalize(point.replace(/\.$/, "")))
}

/** Names in a list that commas, semicolons or lines part. */
export const names = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(/[,;\n]|(?<=\s)\/(?=\s)/)
    .map((name) =>
      name
        .replace(start, "")
        .replace(/^and\s+/i, "")
        .trim()
    )
    .filter((name) => name !== "")

/** A short title out of a fact, cut where a phrase ends. */
export const titleOf = (text: string, most = 60): string => {
  const whole =
    withoutAsides(clean(text))
      .split(/[;\n]|[.!?](?=\s|$)/)[0]
      ?.trim() ?? ""
  if (whole.length <= most) return whole
  const cuts = [
    ...whole.matchAll(
      /,? (?:and|or|but|in|on|at|for|with|to|from|of|by|that|which|who|if|when|without|within)\b|[,:]| - /g
    )
  ].map(({ index }) => index)
  const cut = cuts.filter((at) => at >= 15 && at <= most).at(-1)
  if (cut !== undefined) return whole.slice(0, cut).trim()
  const short = whole.slice(0, most)
  return short.slice(0, Math.max(short.lastIndexOf(" "), 20)).trim()
}
