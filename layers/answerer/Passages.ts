// layers/answerer/Passages.ts: a campaign's texts, cut into passages that can be searched and cited.
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
import { cellsOf, isRow, isTableRule } from "#layers/research/extract/Lines.ts"
import { splitParagraph, wordTokens, truncate } from "#layers/text/Words.ts"
import type { Citation } from "#schema/Agent.ts"

/** A sentence, or a point of a list. */
export interface Line {
  readonly text: string
  /** The sentence before it, or the one that introduces its list. */
  readonly precedingText: string
  readonly isPoint: boolean
  /** Sentences of one paragraph have the same number. */
  readonly paragraph: number
}

/** A short section of a text, or a group of paragraphs of a long one. */
export interface Passage {
  readonly file: KnowledgeFile
  /** The title of its text. */
  readonly title: string
  readonly heading: string
  /** In Markdown, without the heading. */
  readonly text: string
  /** The lines that no earlier passage has. */
  readonly lines: ReadonlyArray<Line>
}

/** Limits in lines and characters. The longest profiles have fewer lines; further lines are not indexed. */
const maxLines = 6000
const maxLineLength = 800
const maxPassageLength = 900

/** A key for comparing texts: their words, without punctuation and case. */
export const comparisonKey = (text: string) => wordTokens(text.toLowerCase()).join(" ")

/** Removes invisible characters, and those that change the direction of text. */
const removeInvisible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === "\n" || char === "\t" ? char : ""))

const removeEmphasis = (text: string): string => text.replace(/\*\*|__|`/g, "").trim()

/** Removes the note of sources from a statement in a model's document. Inferred statements stay marked. */
const removeSourceNote = (line: string): string =>
  line.replace(/ \*(?:Source|Asked because of): [^*]*\*$/, "").replace(/ \*Inferred from: [^*]*\*$/, " (inferred)")

/** Splits a text into sentences and points. `introduction` is the sentence before the text. */
export const linesOf = (text: string, introduction = ""): ReadonlyArray<Line> => {
  let precedingText = introduction
  let header = ""
  return text.split("\n").flatMap((rawLine, paragraph, allLines): ReadonlyArray<Line> => {
    if (isTableRule(rawLine)) return []
    if (!isRow(rawLine)) header = ""
    // Repeats the table header with each row, because a row is meaningless without it.
    else if (header === "" && isTableRule(allLines[paragraph + 1] ?? "")) {
      header = cellsOf(rawLine).join(" | ")
      return []
    } else if (header !== "")
      return [
        { text: truncate(cellsOf(rawLine).join(" | "), maxLineLength), precedingText: header, isPoint: true, paragraph }
      ]
    const line = removeSourceNote(rawLine.replace(/\s+/g, " ").trim())
    const [, point] = /^(?:[-*+•]|\d{1,2}[.)]) (.+)$/.exec(line) ?? []
    if (!/[\p{L}\p{N}]/u.test(line)) return []
    if (point !== undefined)
      return [{ text: truncate(removeEmphasis(point), maxLineLength), precedingText, isPoint: true, paragraph }]
    return splitParagraph(removeEmphasis(line)).map((each) => {
      const sentence = { text: truncate(each, maxLineLength), precedingText, isPoint: false, paragraph }
      precedingText = sentence.text
      return sentence
    })
  })
}

/** Whether a block needs the next one: a question its reply, the header of a message its body. */
export const leadsToNext = (block: string): boolean =>
  /[?:]\W*$/.test(block) ||
  /^(?:[> ]*(?:from|to|cc|sent|date|subject|re|fw|von|an|gesendet|datum|betreff|de|para|à|objet|asunto|fecha)\b[^\n]{0,20}:[^\n]*\n?)+[> ]*$/i.test(
    block
  )

/** Groups paragraphs and points up to the maximum length of a passage. */
const groupBlocks = (text: string): ReadonlyArray<string> => {
  const groups: Array<string> = []
  for (const block of text.split(/\n{2,}|\n(?=(?:[-*+•]|\d{1,2}[.)]) )/)) {
    const lastGroup = groups.at(-1)
    const separator = /^(?:[-*+•]|\d{1,2}[.)]) /.test(block) ? "\n" : "\n\n"
    if (lastGroup !== undefined && lastGroup.length + block.length <= maxPassageLength)
      groups[groups.length - 1] = `${lastGroup}${separator}${block}`
    else groups.push(block)
  }
  return groups
}

/** The displayed name of a text; for an upload, its file name. */
export const nameOf = ({ filename, source }: KnowledgeFile): string =>
  source === "imported" ? filename : filename.replace(/\.md$/, "")

const money = "(?:[€£$]|EUR|USD|GBP|CHF|DKK|SEK|NOK|PLN|CAD|AUD)"
const amount = `${money}? ?\\d[\\d.,]*(?: ?(?:-|–|to) ?${money}? ?\\d[\\d.,]*)?`
const unit = `(?:${money}|%|k?g|t|ml|cl|l|mm|cm|m|m2|km|lb|oz|pcs|pieces|units|litres?|hours?|days?|weeks?|months?)`
/** A line of only an amount, such as "GBP 68", "from 500 ml" or "EUR 4 per week". */
const amountLine = new RegExp(
  `^(?:[-*+•] )?((?:from |up to |ab )?${amount} ?${unit}?(?: ?(?:per|a|each|/) ?\\p{L}*)?)$`,
  "iu"
)
const maxNameLength = 80

/** Puts a line of only an amount behind the name above it: a text layout has them in lines of their own. */
const joinAmounts = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joinedLines: Array<string> = []
  const amountOf = (line = "") => amountLine.exec(line.trim())?.[1]
  // Names in one column and amounts in the next are not paired, because the last name would get the first amount.
  const isColumn = (index: number) =>
    amountOf(lines[index + 1]) !== undefined || amountOf(lines[index - 1]) !== undefined
  for (const [index, line] of lines.entries()) {
    const amountText = amountOf(line)
    const name = joinedLines.at(-1) ?? ""
    const isName = /\p{L}/u.test(name) && name.length <= maxNameLength && !/^\s*#|\||[.!?]$/.test(name)
    if (amountText === undefined || !isName || isColumn(index)) joinedLines.push(line)
    else joinedLines[joinedLines.length - 1] = `${name.trimEnd().replace(/[:;,]$/, "")}: ${amountText}`
  }
  return joinedLines
}

const maxHeadingLength = 80

/** Whether a line is in capitals: "PRICES 2026 (GBP, ex VAT)". What is in brackets may be small. */
const isInCapitals = (line: string) => {
  const textOutsideBrackets = line.replace(/\([^()]*\)/g, "")
  return (
    line.length <= maxHeadingLength &&
    /^\p{Lu}[^|:;]*\p{Lu}{3}[^|:;.!?]*$/u.test(textOutsideBrackets) &&
    !/\p{Ll}/u.test(textOutsideBrackets)
  )
}

/** Whether a line in capitals, or a short one without a full stop, stands alone above text: "Living walls". */
const isPlainHeading = (lines: ReadonlyArray<string>, index: number): boolean => {
  const line = (lines[index] ?? "").trim()
  const isTitle = !isInCapitals(line) && /^\p{Lu}[^|:;,.!]{2,58}$/u.test(line)
  if ((lines[index - 1] ?? "").trim() !== "" || !(isTitle || isInCapitals(line))) return false
  const nextLine = lines
    .slice(index + 1)
    .find((each) => each.trim() !== "")
    ?.trim()
  if (nextLine === undefined || nextLine.startsWith("#") || isInCapitals(nextLine)) return false
  // Other short lines may belong to a letter or to a column of names.
  return (
    !isTitle ||
    ((lines[index + 1] ?? "").trim() === "" &&
      (/^[-*+•] /.test(nextLine) || (nextLine.length > line.length && /[.!?]$/.test(nextLine))))
  )
}

/** A question and its answer: "Q. What does it cost? $6 per worker." The question is a heading. */
const questionLine = /^(?:> ?)*(?:Q\d{0,2} ?[.:)]|\d{1,2}[.)]) ?([^?.!]{3,100}\?) ?(.*)$/u

/** The sections of a text. The part before the first heading has an empty heading. */
const sectionsOf = ({ content, source }: KnowledgeFile) => {
  const sections = [{ heading: "", lines: new Array<string>() }]
  const allLines = removeInvisible(content).split(/\r?\n/)
  const lines = source === "imported" ? joinAmounts(allLines) : allLines
  for (const [index, rawLine] of lines.entries()) {
    const isPlain = source === "imported" && isPlainHeading(lines, index)
    const [, heading, answer] = isPlain
      ? [rawLine, rawLine.trim()]
      : (/^\s*#{1,6} (.+)$/.exec(rawLine) ?? (source === "imported" ? questionLine.exec(rawLine) : null) ?? [])
    if (heading === undefined) sections.at(-1)?.lines.push(rawLine)
    else sections.push({ heading: removeEmphasis(heading), lines: answer === undefined ? [] : [answer] })
  }
  return sections
}

/** Sources in the order in which they are indexed. The profile is first, so a document adds only what the profile lacks. */
const sourceOrder = ["profile", "imported", "document", "lists", "playbook", "lead", "selections"]

/** The keys of a line with and without its label: "**Phone:** 5" repeats the profile's "5" under "Phone". */
const lineKeys = (line: string) => [comparisonKey(line), comparisonKey(line.replace(/^[^:]{1,40}: /, ""))]

/** Cuts texts into passages and keeps each line only in the first text that has it. Selections and leads are kept whole. */
export const cutPassages = function* (files: ReadonlyArray<KnowledgeFile>): Turns<ReadonlyArray<Passage>> {
  const passages: Array<Passage> = []
  const seenKeys = new Set<string>()
  const longKeys: Array<string> = []
  let count = 0
  const headings = new Set<string>()
  const isRepeated = (line: string, { source }: KnowledgeFile) => {
    const keys = lineKeys(line)
    return (
      keys.some((key) => seenKeys.has(key)) ||
      // "Repair bills arrive late. Concerns all of them." adds nothing to the profile's "Repair bills arrive late".
      (source === "document" && longKeys.some((key) => keys[0]?.includes(key)))
    )
  }
  for (const file of files.toSorted((a, b) => sourceOrder.indexOf(a.source) - sourceOrder.indexOf(b.source))) {
    const sections = sectionsOf(file)
    const title = file.title ?? `${file.filename} ${sections.find(({ heading }) => heading !== "")?.heading ?? ""}`
    for (const { heading, lines: rawLines } of sections) {
      let introduction = ""
      for (const text of groupBlocks(rawLines.join("\n").trim())) {
        yield
        if (file.source === "profile") headings.add(heading)
        // Documents copy profile sections, and the copy may be outdated.
        else if (file.source === "document" && headings.has(heading)) continue
        const blockLines = linesOf(text, introduction)
        introduction = blockLines.findLast(({ isPoint }) => !isPoint)?.text ?? introduction
        const isWhole = file.source === "selections" || file.source === "lead"
        const lines = isWhole ? blockLines : blockLines.filter((line) => !isRepeated(line.text, file))
        if (lines.length === 0 || count >= maxLines) continue
        for (const key of isWhole ? [] : blockLines.flatMap((line) => lineKeys(line.text))) {
          if (!seenKeys.has(key) && key.split(" ").length > 4) longKeys.push(key)
          seenKeys.add(key)
        }
        count += lines.length
        passages.push({ file, title, heading: heading === "" ? nameOf(file) : heading, text, lines })
      }
    }
  }
  return passages
}

/** The passages of a few texts. */
export const passagesOf = (files: ReadonlyArray<KnowledgeFile>) => runAtOnce(cutPassages(files))

/** The citation of a passage: its text, and the console's address for it. */
export const citationOf = ({ file, heading, text }: Pick<Passage, "file" | "heading" | "text">): Citation => {
  const anchor = file.anchor?.(heading)
  return {
    file_id: file.file_id,
    filename: file.filename,
    source: file.source,
    heading,
    passage: text,
    link: anchor === undefined ? file.link : `${file.link}/${anchor}`
  }
}
