// layers/research/extract/Statements.ts: splits a text into sentences and cells, each with the words around it that may say what it is about.
import type { Block } from "#layers/research/extract/Blocks.ts"
import { headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete, pageFurniture } from "#layers/research/extract/Lines.ts"
import { splitParagraph } from "#layers/text/Words.ts"

/** A sentence or a cell of a table, with what stands before or above it and may say what it is about. */
export interface Statement {
  readonly sentence: string
  /** The sentence without its label. */
  readonly text: string
  /** What stands before its colon, or in the first cell of its row. */
  readonly label: string
  /** The label of its paragraph, the question or introduction above it, and its heading. */
  readonly context: ReadonlyArray<string>
  readonly block: Block
  /** The index of its block in the text. */
  readonly blockIndex: number
}

/** Sentences, where one that begins in lower case, in brackets or behind initials continues the one before: "Acme B.V. makes". */
const sentencesOf = (text: string) =>
  splitParagraph(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 &&
      (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$|^\P{P}{1,50}\?$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** "Who we want more of: butchers", "Customers. Packhouses bring": what a sentence is about, and what it says. */
const labelPattern = /^([^:.!?;]{2,70}?)(?:\s*\??\s*:| [–—-](?= )|\?)\s+(\S.*)$/su
const splitLabel = (text: string): readonly [label: string, rest: string] => {
  const [, label, rest] = labelPattern.exec(text) ?? []
  if (label === undefined || rest === undefined) return ["", text]
  // A question that names no field is a condition: "Not happy? We clean again."
  const isCondition = text.startsWith(`${label}?`) && headingTopic(`${label}?`) === undefined
  return isCondition ? ["", text] : [label, rest]
}

/** Sentences of prose, each with its label and that of its paragraph: "Customers. Packhouses bring 61%." */
const statementsOf = (block: Block, blockIndex: number, context: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  if (block.kind === "row") {
    // Of columns side by side each has its own heading; otherwise the first cell says what the others are about.
    const isOfTopics = block.columns.some((name) => headingTopic(name) !== undefined)
    const [first = "", ...others] = block.cells.filter((cell) => cell !== "")
    const cells = others.length === 0 || isOfTopics ? block.cells : others
    return cells.flatMap((cell) =>
      sentencesOf(cell).map((text) => ({
        sentence: text,
        text,
        label: others.length === 0 || isOfTopics ? "" : first,
        context: isOfTopics ? [block.columns[block.cells.indexOf(cell)] ?? ""] : context,
        block,
        blockIndex
      }))
    )
  }
  const sentences = sentencesOf(block.text)
  const [opening = ""] = sentences
  const title = opening.split(" ").length <= 4 ? opening : splitLabel(opening)[0]
  return sentences.map((sentence) => {
    const [label, text] = splitLabel(sentence)
    return { sentence, text, label, context: [title, ...context], block, blockIndex }
  })
}

export const readStatements = (all: ReadonlyArray<Block>): ReadonlyArray<Statement> => {
  let introduction = ""
  return all.flatMap((block, index) => {
    const before = all[index - 1]
    // A short line without a stop is a heading that nothing marks.
    if (before !== undefined && /[?:]$|^>|^[^.!,;@]{4,50}$/.test(before.text)) introduction = before.text
    else if (block.kind !== "point" || before?.kind !== "point") introduction = ""
    return block.kind === "heading"
      ? []
      : statementsOf(
          block,
          index,
          [introduction, block.under.at(-1) ?? ""].filter((text) => text.length < 120)
        )
  })
}

export const maxSentenceLength = 400

/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bsee below\b|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|page \d|(?:issue|version|rev(?:ision)?|ausgabe) \d|supersedes|bidder|supplier|tenderer|figure \d|table \d|[AQ]:|office use)(?!\p{L})/iu
/** Whether a text can be shown alone, as a sentence of the business. */
export const isReadable = (text: string): boolean =>
  text.length <= maxSentenceLength &&
  isComplete(text) &&
  !remarkPattern.test(text) &&
  !pageFurniture.test(text) &&
  /\p{L}{2}|\d{2}/u.test(text) &&
  !/\?["”]?$|^contact us|\[\[| > .* > |:$/i.test(text) &&
  /^["“„«(]?[\p{L}\d$€£]/u.test(text)
