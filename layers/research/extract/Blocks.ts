// layers/research/extract/Blocks.ts: a text as a reader's eye sees it: headings, points, rows and paragraphs, each under what
// stands above it. Takes Markdown, plain prose, and what is left of a page or a PDF.
import { cut } from "#layers/text/Cut.ts"
import { sentences } from "#layers/text/Text.ts"
import { labelled, type Topic, topicOf } from "#layers/research/extract/Topics.ts"

type Kind = "heading" | "point" | "row" | "paragraph"

export interface Block {
  readonly kind: Kind
  /** Without its marks. */
  readonly text: string
  /** The headings above it, the nearest last. */
  readonly under: ReadonlyArray<string>
  /** What the nearest heading that says anything speaks of. */
  readonly topic: Topic | undefined
  /** The cells of a row, with the names of their columns where there are any. */
  readonly cells: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  /** How deep a heading stands; 0 for anything else. */
  readonly level: number
}

/** A line longer than this is no line that a person wrote; the rest of it is let go. */
const longest = 5000
const mostLines = 20_000

/** Without control characters and whatever else no eye can see. */
const tidy = (text: string) =>
  text
    .replace(/[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
    // Symbol fonts keep their bullets where Unicode has nothing.
    .replace(/^([ \t]*)\p{Co}/gmu, "$1•")
    // A tab after a mark is its indent; one between words is the edge of a column, and so is a wide gap.
    .replace(/^([ \t]*\S{1,3})\t+/gm, "$1 ")
    .replace(/(?<=[^\s|]) ?\t\s?(?=[^\s|])/g, " | ")
    .replace(/(?<=[^\s|]) {3,}(?=[^\s|])/g, " | ")
    .replaceAll("\t", " ")

/** Takes the marks of emphasis, links and code from a line, and keeps what they hold. */
const plain = (text: string) =>
  text
    .replace(/!\[[^\]]{0,300}\]\([^)]{0,2000}\)/g, "")
    .replace(
      /\[([^\]]{1,300})\]\((?:mailto:|tel:)?([^)\s]{1,2000})(?:\s[^)]{0,300})?\)/g,
      (_, label: string, target: string) =>
        /^https?:/.test(target) && !label.includes(".") ? label : label.includes("@") ? target : label
    )
    .replace(/<((?:https?:\/\/|mailto:)?[^<>\s]{3,300}[.@][^<>\s]{1,300})>/g, "$1")
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/`([^`]*)`/g, "$1")
    .replace(/ {2,}/g, " ")
    .trim()

/** The level of a heading that nothing marks, below all that are marked. */
const unmarked = 7

const bullet = /^\s*(?:[-*+•‣▪●◦·–]|\d{1,2}[.)]|\(\d{1,2}\))\s+(.+)$/
const hashes = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/
const boldLine = /^\s*(?:\*\*|__)([^*_]{2,80})(?:\*\*|__):?$/
const isRule = (line: string) => /^\s*([-=_*~])(?:\s*\1){2,}\s*$/.test(line)
const isTableRule = (line: string) => /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$/.test(line)

/** `**Name** Words about it` names what it speaks of, as a label does. */
const boldLead = /^(\s*)(?:\*\*|__)([^*_:?]{2,60})(?:\*\*|__)(?=\s+[\p{Lu}\d£$€])/u

const columnName =
  /^(?:(?:unit |net |your )?(?:price|cost|fee|rate)s?\b.{0,20}|pricing|amount|per (?:month|hour|day|year)|monthly|results?|outcomes?|description|duration|details|includes?|value)$/i

/** The first row of a table names its columns where one of them is called as columns are. */
const namesColumns = (cells: ReadonlyArray<string>) =>
  cells.every((cell) => cell.length <= 30 && !/\d/.test(cell)) && cells.slice(1).some((cell) => columnName.test(cell))

const isUnderline = (line: string | undefined) => line !== undefined && /^\s*(?:={3,}|-{3,})\s*$/.test(line)

/** A short line, or one with an address or a number at its end, is not wrapped, unless it breaks off. */
const endsLine = (line: string) =>
  (line.length < 48 || /@|\d$/.test(line)) &&
  !/(?:,|\b(?:an?|and|are|as|at|by|for|from|in|is|its|of|on|or|our|than|that|the|their|to|with))$/.test(line)

/** A line that stands alone like a heading though nothing marks it: short, without a stop, begun with a capital. */
const looksLikeHeading = (line: string, next: string | undefined, before: string | undefined) => {
  const text = line.trim()
  if (text.length > 60 || /[.,;!?]$|@|https?:|\d{3}/.test(text) || text.split(/\s+/).length > 7) return false
  if (!/^[\p{Lu}\d]/u.test(text) || isUnderline(next) || labelled(text) !== undefined) return false
  if (before !== undefined && before.trim() !== "") return false
  const follows = next?.trim() ?? ""
  if (text.endsWith(":")) return true
  if (topicOf(text) !== undefined) return follows !== "" || /^[\p{Lu}\s&]+$/u.test(text)
  return follows !== "" && (bullet.test(follows) || /^[\p{Lu}\d\s&'-]{4,}$/u.test(text)) && !bullet.test(line)
}

const isRow = (line: string) =>
  (line.match(/\|/g) ?? []).length >= (line.trim().startsWith("|") ? 2 : 1) && line.length < 2000

/** A row of two cells is a label and its value, but where the columns say what the second is. */
const isLabelled = (name: string, value: string, columns: ReadonlyArray<string>) =>
  !columns.some((each) => columnName.test(each) && each !== "value") && labelled(`${name}: ${value}`) !== undefined

/** What stands under an unmarked heading ends with its list or its paragraph: what follows is of the text around it. */
const isAllOf = (topic: Topic | undefined, last: Block | undefined) =>
  last?.kind === "point" ||
  (last?.kind === "paragraph" && topic !== "products" && topic !== "contact" && last.text.length > 60)

const split = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => plain(cell))

export const blocks = (text: string): ReadonlyArray<Block> => {
  const lines = tidy(text)
    .split(/\r\n|\r|\n|\u2028|\u2029/, mostLines)
    .map((line) => cut(line, longest))
  const found: Array<Block> = []
  const path: Array<{ readonly level: number; readonly text: string; readonly topic: Topic | undefined }> = []
  let columns: ReadonlyArray<string> = []
  let open: Array<string> = []

  const put = (kind: Kind, text: string, more: Partial<Block> = {}) => {
    if (text === "" && (more.cells ?? []).length === 0) return
    const topic = path.findLast((heading) => heading.topic !== undefined)?.topic
    const under = path.map((heading) => heading.text)
    found.push({ kind, text, under, topic, cells: [], columns: [], level: 0, ...more })
  }
  const close = () => {
    if (open.length > 0) put("paragraph", plain(open.join(" ")))
    open = []
  }
  const head = (level: number, raw: string) => {
    close()
    const text = plain(raw).replace(/\s*:$/, "")
    while ((path.at(-1)?.level ?? 0) >= level) path.pop()
    put("heading", text, { level, topic: topicOf(text) })
    path.push({ level, text, topic: topicOf(text) })
  }

  for (const [at, raw] of lines.entries()) {
    const line = raw.replace(boldLead, "$1$2:")
    if (line !== raw) close()
    const next = lines[at + 1]
    if (line.trim() === "") {
      close()
      columns = []
      continue
    }
    if (isTableRule(line)) continue
    if (isRule(line)) {
      // Under a single short line it makes a heading of it.
      const [title = "", ...more] = open
      if (more.length === 0 && title !== "" && title.length < 100 && isUnderline(line)) {
        open = []
        head(line.includes("=") ? 1 : 2, title)
      } else close()
      continue
    }
    const marked = hashes.exec(line)
    if (marked !== null) {
      head((marked[1] ?? "").length, marked[2] ?? "")
      continue
    }
    const bold = boldLine.exec(line)
    if (bold !== null) {
      head(5, bold[1] ?? "")
      continue
    }
    const point = bullet.exec(line)
    if (point !== null) {
      close()
      put("point", plain(point[1] ?? ""))
      continue
    }
    if (isRow(line)) {
      close()
      const cells = split(line)
      const [name = "", value = ""] = cells
      const begins = found.at(-1)?.kind !== "row" || (lines[at - 1] ?? "").trim() === ""
      if (columns.length === 0 && ((next !== undefined && isTableRule(next)) || (begins && namesColumns(cells))))
        columns = cells
      else if (cells.length === 2 && isLabelled(name, value, columns)) put("paragraph", `${name}: ${value}`)
      else put("row", cells.filter((cell) => cell !== "").join(", "), { cells, columns })
      continue
    }
    if (open.length === 0 && looksLikeHeading(line, next?.trim() === "" ? lines[at + 2] : next, lines[at - 1])) {
      head(unmarked, line.trim())
      continue
    }
    // A point that goes on, indented, in the next line.
    const last = found.at(-1)
    if (open.length === 0 && /^\s{2,}\S/.test(line) && last?.kind === "point" && (lines[at - 1] ?? "").trim() !== "") {
      found[found.length - 1] = { ...last, text: `${last.text} ${plain(line)}` }
      continue
    }
    const rested = open.length === 0 && (lines[at - 1] ?? "").trim() === ""
    const above = path.at(-1)
    if (rested && above?.level === unmarked && isAllOf(above.topic, last)) path.pop()
    // "Acme - cut its waste" is a point that nothing marks.
    const begins = labelled(line) !== undefined || /^\s*\p{Lu}[^.:]{2,50} [–—-] \S/u.test(line)
    // Lines of an address or a letterhead stay apart; lines of prose that were wrapped are joined.
    if (open.length > 0 && begins) close()
    if (open.length > 0 && endsLine(open.at(-1) ?? "") && /^\s*[\p{Lu}\d+(]|@/u.test(line)) close()
    open.push(line.trim())
  }
  close()
  return found
}

/** A sentence with where it stands. */
export interface Said {
  readonly text: string
  readonly block: Block
  /** Its place in the text, to tell what stands near. */
  readonly at: number
}

/** Sentences, where one that begins in lower case, or in brackets, goes on with the one before: "Acme B.V. makes". */
const sentencesOf = (text: string) =>
  sentences(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$/.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** Every sentence that is no heading and no row. A question within a paragraph is the heading of its answer. */
export const said = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) => {
    if (block.kind === "heading" || block.kind === "row") return []
    let asked = block
    return sentencesOf(block.text).map((text) => {
      const topic = text.endsWith("?") && text.split(" ").length > 2 ? topicOf(text) : undefined
      if (topic !== undefined) asked = { ...block, topic }
      return { text, block: asked, at }
    })
  })
