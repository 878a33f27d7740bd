// layers/research/extract/Blocks.ts: a text as a reader's eye sees it: headings, points, rows and paragraphs, each under what
// stands above it.
import { isText, type Label, labelled, oneLine } from "#layers/research/extract/Labels.ts"
import * as Lines from "#layers/research/extract/Lines.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"

type Kind = "heading" | "point" | "row" | "paragraph"

export interface Block {
  readonly kind: Kind
  /** Without its marks. */
  readonly text: string
  /** The headings above it, the nearest last. */
  readonly under: ReadonlyArray<string>
  /** The topic of the nearest heading that names one. */
  readonly topic: Topic | undefined
  /** The cells of a row, with the names of their columns where there are any. */
  readonly cells: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  /** A row whose cells only wide gaps keep apart. */
  readonly isLaidOut: boolean
  /** Whether a line of it that begins with a capital was joined to the one above, which may have been another statement. */
  readonly isJoined: boolean
  /** How deep a heading stands; 0 for anything else. */
  readonly level: number
}

const ofOthers: ReadonlySet<Topic | undefined> = new Set(["others", "competitors", "urls", "cases"] as const)

/** Whether a block is about a customer, a competitor or another third party, and so states nothing about the business. */
export const isOfOthers = ({ text, topic }: Block) =>
  (ofOthers.has(topic) && labelled(text)?.label !== "contact") ||
  /^(?:>|(?:To|Cc|Bcc|An|Bill to|Ship to|Invoice to) ?: ?)/.test(text) ||
  (topic !== "objections" && topic !== "magnets" && /^[“„«"]|[”"»] [–—-] /.test(text))

interface Heading {
  readonly level: number
  readonly text: string
  readonly topic: Topic | undefined
}

/** What was read so far. */
class Page {
  readonly blocks: Array<Block> = []
  /** The headings that what comes next stands under. */
  readonly path: Array<Heading> = []
  /** Of the table that is being read. */
  columns: ReadonlyArray<string> = []
  /** The lines of a paragraph that may go on. */
  open: Array<string> = []

  put(kind: Kind, text: string, more: Partial<Block> = {}) {
    if (text === "" && (more.cells ?? []).length === 0) return
    const topic = this.path.findLast((heading) => heading.topic !== undefined)?.topic
    const under = this.path.map((heading) => heading.text)
    this.blocks.push({
      kind,
      text,
      under,
      topic,
      cells: [],
      columns: [],
      isLaidOut: false,
      isJoined: false,
      level: 0,
      ...more
    })
  }

  close() {
    const isJoined = this.open.slice(1).some((line) => !/^\p{Ll}/u.test(line))
    if (this.open.length > 0) this.put("paragraph", Lines.plain(this.open.join(" ")), { isJoined })
    this.open = []
  }

  head(level: number, raw: string) {
    this.close()
    const text = Lines.plain(raw).replace(/\s*:$/, "")
    const topic = topicOf(text)
    while ((this.path.at(-1)?.level ?? 0) >= level) this.path.pop()
    this.put("heading", text, { level, topic })
    this.path.push({ level, text, topic })
  }
}

interface Line {
  readonly text: string
  readonly before: string | undefined
  readonly next: string | undefined
  /** The next but for one blank line. */
  readonly follows: string | undefined
}

/** Takes a line of its kind to the page, and answers whether it is one. */
type Reader = (page: Page, line: Line) => boolean

const blank: Reader = (page, { text }) => {
  if (!Lines.isBlank(text)) return false
  page.close()
  page.columns = []
  return true
}

const tableRule: Reader = (_, { text }) => Lines.isTableRule(text)

const rule: Reader = (page, { text }) => {
  if (!Lines.isRule(text)) return false
  // Under a single short line it makes a heading of it.
  const [title = "", ...more] = page.open
  if (more.length === 0 && title !== "" && title.length < 100 && Lines.isUnderline(text)) {
    page.open = []
    page.head(text.includes("=") ? 1 : 2, title)
  } else page.close()
  return true
}

const markedHeading: Reader = (page, { text }) => {
  const [, hashes = "", title] = Lines.hashes.exec(text) ?? []
  if (title !== undefined) page.head(hashes.length, title)
  return title !== undefined
}

/** The levels of a heading that is numbered and of one in bold. */
const numbered = 2
const bold = 5

const boldHeading: Reader = (page, { text }) => {
  const title = Lines.boldLine.exec(text)?.[1]
  if (title !== undefined) page.head(bold, title)
  return title !== undefined
}

const point: Reader = (page, { before, follows = "", next, text }) => {
  const words = Lines.bullet.exec(text)?.[1]
  if (words === undefined) return false
  // "4. REFERENCES" over a text is a heading; between other numbers it is a point.
  const isNumbered =
    /^\s*\d/.test(text) && !(before !== undefined && Lines.bullet.test(before)) && !Lines.bullet.test(next ?? "")
  const isAlone = Lines.isBlank(before) && /^\p{Lu}[^.!?;:]+\??$/u.test(words) && !Lines.bullet.test(follows)
  if (isNumbered && words.length < 60 && (isAlone || topicOf(words) !== undefined || !/\p{Ll}/u.test(words))) {
    page.head(numbered, words)
    return true
  }
  page.close()
  page.put("point", Lines.plain(words))
  return true
}

const columnName =
  /^(?:(?:unit |net |your )?(?:price|cost|fee|rate)s?\b.{0,20}|pricing|amount|answer|per (?:month|hour|day|year)|monthly|results?|outcomes?|description|duration|details|includes?|value)$/i

const whatIsSold = /^(?:product|item|article|service|bezeichnung|artikel|leistung|produkt|désignation|prestation)s?$/i

/** The second column of a sheet of labels and values. */
const answers = /^(?:answer|value)$/i

/** The first row of a table names its columns where one of them is called as columns are. */
const namesColumns = (cells: ReadonlyArray<string>) =>
  (cells.length > 2 && cells.some((cell) => whatIsSold.test(cell))) ||
  (cells.every((cell) => cell.length <= 30 && !/\d/.test(cell)) && cells.slice(1).some((cell) => columnName.test(cell)))

/** Two columns side by side: the heading of the left one, and a line of the right one: "GARANTIE      elf Nächten". */
const isBesideHeading = (name: string, label: Label, text: string) =>
  Lines.isLaidOut(text) && !/\p{Ll}/u.test(name) && !(isText(label) && oneLine(label)) && label !== "contact"

/** A row of two cells is a label and its value, but where the columns say what the second is. */
const isLabelled = (text: string, [name = "", value = ""]: ReadonlyArray<string>, columns: ReadonlyArray<string>) => {
  const { label } = labelled(`${name}: ${value}`) ?? {}
  return (
    label !== undefined &&
    !isBesideHeading(name, label, text) &&
    !columns.some((each) => columnName.test(each) && !answers.test(each))
  )
}

const row: Reader = (page, { before, next, text }) => {
  if (!Lines.isRow(text)) return false
  page.close()
  const { columns } = page
  const cells = Lines.cellsOf(text)
  // "id; Field; Value": the label stands in front of its value.
  const at = Math.max(
    1,
    columns.findIndex((column) => answers.test(column))
  )
  const [first = "", value = ""] = cells.slice(at - 1)
  const name = first.replace(/\s*[::]$/, "")
  const begins = page.blocks.at(-1)?.kind !== "row" || Lines.isBlank(before)
  if (columns.length === 0 && ((next !== undefined && Lines.isTableRule(next)) || (begins && namesColumns(cells))))
    page.columns = cells
  else if (
    // Behind an answer stand notes on it.
    (answers.test(columns[at] ?? "") || cells.slice(2).every((cell) => cell === "")) &&
    value !== "" &&
    isLabelled(text, [name, value], columns)
  )
    page.put("paragraph", `${name}: ${value}`)
  else
    page.put("row", cells.filter((cell) => cell !== "").join(", "), {
      cells,
      columns,
      isLaidOut: Lines.isLaidOut(text)
    })
  return true
}

/** The level of a heading that nothing marks, below all that are marked. */
const unmarked = 7

const unmarkedHeading: Reader = (page, { before, follows = "", next = "", text }) => {
  const isFree = page.open.length === 0 && Lines.isBlank(before)
  // "Products" right over a list needs no blank line above it.
  const isOfList = topicOf(text.trim()) !== undefined && Lines.bullet.test(next)
  if (!(isFree || isOfList) || !Lines.looksLikeHeading(text, follows)) return false
  page.head(unmarked, text.trim())
  return true
}

/** A point that continues in the next line. */
const moreOfPoint: Reader = ({ blocks, open }, { before, text }) => {
  const last = blocks.at(-1)
  if (open.length > 0 || last?.kind !== "point" || Lines.isBlank(before)) return false
  // A line of its own begins with a capital, and follows a point that does not break off.
  const isMore = /^\s{2,}\S/.test(text) || /^\s*\p{Ll}/u.test(text) || !Lines.isComplete(last.text)
  if (!isMore || labelled(text) !== undefined) return false
  blocks[blocks.length - 1] = { ...last, text: `${last.text} ${Lines.plain(text)}` }
  return true
}

/** What stands under an unmarked heading ends with its list or its paragraph: what follows is of the text around it. */
const isAllOf = (topic: Topic | undefined, last: Block | undefined) =>
  last?.kind === "point" ||
  (last?.kind === "paragraph" && topic !== "products" && topic !== "contact" && last.text.length > 60)

const prose: Reader = (page, { before, text }) => {
  const { open, path } = page
  const above = path.at(-1)
  const rested = open.length === 0 && Lines.isBlank(before)
  const last = page.blocks.at(-1)
  const isOver =
    above?.level === unmarked ? isAllOf(above.topic, last) : above?.level === bold && last?.kind === "point"
  if (rested && isOver) path.pop()
  // "Acme - cut its waste" is a point that nothing marks.
  const words = Lines.plain(text)
  const begins =
    labelled(words) !== undefined ||
    /^\p{Lu}[\p{L}'’-]*(?: [\p{L}'’&-]+){0,6}: \S/u.test(words) ||
    /^[>[]|^\p{Lu}[^.:]{2,50} [–—-] \S/u.test(words)
  // Lines of an address or a letterhead stay apart; lines of prose that were wrapped are joined.
  const isApart = /\.{4,}/.test(text) || (Lines.isWhole(open.at(-1) ?? "") && /^\s*[\p{Lu}\d+(]|@/u.test(text))
  // A name, a number or an address behind its label ends with its line.
  const label = labelled(Lines.plain(open.join(" ")))?.label
  const isValue =
    label !== undefined && (label === "contact" || (label !== "business_address" && isText(label) && oneLine(label)))
  if (begins || isApart || isValue) page.close()
  page.open.push(text.trim())
  return true
}

/** The first that takes a line has it. */
const readers: ReadonlyArray<Reader> = [
  blank,
  tableRule,
  rule,
  markedHeading,
  boldHeading,
  point,
  row,
  unmarkedHeading,
  moreOfPoint,
  prose
]

export const blocks = (text: string): ReadonlyArray<Block> => {
  const lines = Lines.linesOf(text)
  const page = new Page()
  for (const [at, raw] of lines.entries()) {
    const text = raw.replace(
      Lines.boldLead,
      (_, indent: string, name: string) => `${indent}${name.replace(/\.(?=["”]?$)/, "")}:`
    )
    if (text !== raw) page.close()
    const next = lines[at + 1]
    const line = { text, before: lines[at - 1], next, follows: next?.trim() === "" ? lines[at + 2] : next }
    readers.some((read) => read(page, line))
  }
  page.close()
  return page.blocks
}
