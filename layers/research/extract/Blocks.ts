// layers/research/extract/Blocks.ts: splits a text into headings, points, rows and paragraphs, each with the headings above it.
import {
  isText,
  knownLabel,
  type Label,
  parseLabelled,
  isOneLine,
  type Topic,
  headingTopic
} from "#layers/research/extract/Labels.ts"
import * as Lines from "#layers/research/extract/Lines.ts"

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
  /** A point that only its indent marks. */
  readonly isIndented: boolean
  /** The level of a heading, 1 for the highest; 0 for other blocks. */
  readonly level: number
}

const thirdPartyTopics: ReadonlySet<Topic | undefined> = new Set([
  "others",
  "competitors",
  "ideal_client_urls",
  "case_studies"
] as const)

/** Whether a block is about a customer, a competitor or another third party. */
const isAboutThirdParty = ({ text, topic }: Block) =>
  (thirdPartyTopics.has(topic) && (topic === "others" || parseLabelled(text)?.label !== "contact")) ||
  /^(?:>|(?:To|Cc|Bcc|An|Bill to|Ship to|Invoice to) ?: ?)/.test(text)

/** Sections that quote what a client objects to or complains of. */
const quotingTopics: ReadonlySet<Topic | undefined> = new Set([
  "objections_and_responses",
  "lead_magnets",
  "pain_points"
] as const)

/** Whether a block is about others or quotes them, and so states nothing about the business. */
export const isThirdParty = (block: Block) =>
  isAboutThirdParty(block) || (!quotingTopics.has(block.topic) && /^[“„«"]|[”"»] [–—-] /.test(block.text))

interface Heading {
  readonly level: number
  readonly text: string
  readonly topic: Topic | undefined
}

/** Collects the blocks of a text line by line. */
class PageReader {
  readonly blocks: Array<Block> = []
  /** The headings that what comes next stands under. */
  readonly headings: Array<Heading> = []
  /** The column names of the table that is being read. */
  columns: ReadonlyArray<string> = []
  /** Whether a slide's number was read. */
  isDeck = false
  /** The lines of a paragraph that may continue. */
  paragraphLines: Array<string> = []

  addBlock(kind: Kind, text: string, properties: Partial<Block> = {}) {
    if (text === "" && (properties.cells ?? []).length === 0) return
    const topicAbove = this.headings.findLast((heading) => heading.topic !== undefined)?.topic
    // "WE ARE HIRING: a driver" and "Free: five days" say what they are about themselves.
    const [, label = ""] = /^([^:.]{2,40}?)(?:\s?:|\.)\s/.exec(text) ?? []
    const topic =
      (thirdPartyTopics.has(topicAbove) || kind === "heading" ? undefined : headingTopic(label)) ?? topicAbove
    const under = this.headings.map((heading) => heading.text)
    this.blocks.push({
      kind,
      text,
      under,
      topic,
      cells: [],
      columns: [],
      isLaidOut: false,
      isJoined: false,
      isIndented: false,
      level: 0,
      ...properties
    })
  }

  closeParagraph() {
    const isJoined = this.paragraphLines.slice(1).some((line) => !/^\p{Ll}/u.test(line))
    if (this.paragraphLines.length > 0)
      this.addBlock("paragraph", Lines.removeMarkup(this.paragraphLines.join(" ")), { isJoined })
    this.paragraphLines = []
  }

  addHeading(level: number, rawText: string) {
    this.closeParagraph()
    const text = Lines.removeMarkup(rawText).replace(/\s*:$/, "")
    const topic = headingTopic(text)
    while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop()
    this.addBlock("heading", text, { level, topic })
    this.headings.push({ level, text, topic })
  }
}

interface Line {
  readonly text: string
  readonly before: string | undefined
  readonly next: string | undefined
  /** The next line, or the one after it if the next is blank. */
  readonly nextFilled: string | undefined
}

/** Adds a line of its kind to the page; returns whether the line was of that kind. */
type LineReader = (page: PageReader, line: Line) => boolean

const readBlank: LineReader = (page, { text }) => {
  if (!Lines.isBlank(text)) return false
  page.closeParagraph()
  page.columns = []
  return true
}

/** A slide's number ends what stood on the one before, and the line below it is the title. */
const readSlide: LineReader = (page, { before = "", text }) => {
  if (Lines.slideNumber.test(text)) {
    page.closeParagraph()
    page.isDeck = true
    while ((page.headings.at(-1)?.level ?? 0) >= slideLevel) page.headings.pop()
    return true
  }
  if (!page.isDeck || Lines.isRow(text)) return false
  const isTitle = Lines.slideNumber.test(before) && Lines.isShortLine(text)
  if (isTitle || Lines.isInCapitals(text)) page.addHeading(isTitle ? slideLevel : slideLevel + 1, text)
  return isTitle || Lines.isInCapitals(text)
}

const readTableRule: LineReader = (_, { text }) => Lines.isTableRule(text)

const readRule: LineReader = (page, { text }) => {
  if (!Lines.isRule(text)) return false
  // Under a single short line it makes a heading of it.
  const [title = "", ...otherLines] = page.paragraphLines
  if (otherLines.length === 0 && title !== "" && title.length < 100 && Lines.isUnderline(text)) {
    page.paragraphLines = []
    page.addHeading(text.includes("=") ? 1 : 2, title)
  } else page.closeParagraph()
  return true
}

const readMarkedHeading: LineReader = (page, { text }) => {
  const [, hashes = "", title] = Lines.markdownHeading.exec(text) ?? []
  if (title !== undefined) page.addHeading(hashes.length, title)
  return title !== undefined
}

/** The levels of a slide's title, of a heading that is numbered and of one in bold. */
const slideLevel = 2
const numberedLevel = 2
const boldLevel = 5

const readBoldHeading: LineReader = (page, { text }) => {
  const title = Lines.boldLine.exec(text)?.[1]
  if (title !== undefined) page.addHeading(boldLevel, title)
  return title !== undefined
}

const readPoint: LineReader = (page, { before, nextFilled = "", next, text }) => {
  const words = Lines.bullet.exec(text)?.[1]
  if (words === undefined) return false
  // "4. REFERENCES" over a text is a heading; between other numbers it is a point.
  const isNumbered =
    /^\s*\d/.test(text) && !(before !== undefined && Lines.bullet.test(before)) && !Lines.bullet.test(next ?? "")
  const isAlone = Lines.isBlank(before) && /^\p{Lu}[^.!?;:]+\??$/u.test(words) && !Lines.bullet.test(nextFilled)
  if (
    isNumbered &&
    words.length < 60 &&
    (isAlone || headingTopic(words) !== undefined || !/\p{Ll}/u.test(words.replace(/\([^()]*\)/, "")))
  ) {
    page.addHeading(numberedLevel, words)
    return true
  }
  page.closeParagraph()
  page.addBlock("point", Lines.removeMarkup(words))
  return true
}

const valueColumn =
  /^(?:(?:unit |net |your )?(?:price|cost|fee|rate)s?\b.{0,20}|pricing|amount|answer|per (?:month|hour|day|year)|monthly|results?|outcomes?|content|description|duration|details|includes?|before|after|what changed|value)$/i

const productColumn =
  /^(?:product|item|article|service|bezeichnung|artikel|leistung|produkt|désignation|prestation)s?$/i

/** The second column of a sheet of labels and values. */
const answerColumn = /^(?:answers?|content|inhalt|value|antwort(?:en)?|wert|angaben?|réponses?|respuestas?)$/iu

/** The first row of a table names its columns where one of them is called as columns are. */
const isColumnHeader = (cells: ReadonlyArray<string>) =>
  (cells.length > 2 && cells.some((cell) => productColumn.test(cell))) ||
  (cells.every((cell) => cell.length <= 30 && !/\d/.test(cell)) &&
    cells.slice(1).some((cell) => valueColumn.test(cell)))

/** Two columns side by side: the heading of the left one, and a line of the right one: "GARANTIE      elf Nächten". */
const isBesideHeading = (name: string, label: Label, text: string) =>
  Lines.isLaidOut(text) && !/\p{Ll}/u.test(name) && !(isText(label) && isOneLine(label)) && label !== "contact"

/** A row of two cells is a label and its value, but where the columns say what the second is. */
const isLabelRow = (text: string, [name = "", value = ""]: ReadonlyArray<string>, columns: ReadonlyArray<string>) => {
  const { label } = parseLabelled(`${name}: ${value}`) ?? {}
  return (
    label !== undefined &&
    !isBesideHeading(name, label, text) &&
    !columns.some((each) => valueColumn.test(each) && !answerColumn.test(each))
  )
}

/** A note that the author has not decided yet. */
const undecidedNote =
  /[?!]|\b(?:not|don['’]t|waiting|ask|check|tbc|tbd|offen|unklar|nicht|fragen|klären|intern\p{L}*|confirmer|demander|pas|confirmar|preguntar)\b/iu

/** The level of a heading that nothing marks, below all that are marked. */
const unmarkedLevel = 7

/** The lines of a row with an empty second cell. "Park 14, Erbach;;Tel;06272 555 019" has a pair of its own behind it. */
const sparseLines = (title: string, second: string, [note = ""]: ReadonlyArray<string>): ReadonlyArray<string> =>
  knownLabel(second) !== undefined && note !== "" ? [title, `${second}: ${note}`] : [`${title}: ${second}`]

/** Two fields of a form side by side: "Contact: Ann Lee    Title: Owner". */
const readFields: LineReader = (page, { text }) => {
  const cells = Lines.isRow(text) && Lines.isLaidOut(text) ? Lines.cellsOf(text) : []
  if (cells.length === 0 || cells.some((cell) => parseLabelled(cell) === undefined)) return false
  page.closeParagraph()
  for (const cell of cells) page.addBlock("paragraph", cell)
  return true
}

const readRow: LineReader = (page, { before, next, text }) => {
  if (!Lines.isRow(text)) return false
  page.closeParagraph()
  const { columns } = page
  const cells = Lines.cellsOf(text)
  const [title = "", second = "", ...notes] = cells.filter((cell) => cell !== "")
  // A row of one cell is the heading of those below it.
  if (
    cells.length > 2 &&
    second === "" &&
    title.length < 60 &&
    (headingTopic(title) !== undefined || !/\p{Ll}/u.test(title))
  ) {
    page.addHeading(unmarkedLevel, title)
    // Below "RESULTS" the columns of the price list above are over; a heading of services may be a part of it.
    if (!["core_products", undefined].includes(headingTopic(title))) page.columns = []
    return true
  }
  // A row that leaves the second column empty is no row of the table around it, but a label and what it names.
  if (
    cells.length > 3 &&
    title === cells[0] &&
    second !== "" &&
    cells[1] === "" &&
    !undecidedNote.test(notes.join(" "))
  ) {
    for (const line of sparseLines(title, second, notes)) page.addBlock("paragraph", line)
    return true
  }
  // "id; Field; Value": the label stands in front of its value.
  const valueIndex = Math.max(
    1,
    columns.findIndex((column) => answerColumn.test(column))
  )
  const [first = "", value = ""] = cells.slice(valueIndex - 1)
  const name = Lines.removeNumber(first).replace(/\s*[::]$/, "")
  const startsTable = page.blocks.at(-1)?.kind !== "row" || Lines.isBlank(before)
  // "IDEAL CLIENT      WHY WE WIN": headings side by side, each of the column below it.
  const areHeadings =
    cells.length > 1 && Lines.isLaidOut(text) && cells.every((cell) => headingTopic(cell) !== undefined)
  if (
    areHeadings ||
    (columns.length === 0 &&
      ((next !== undefined && Lines.isTableRule(next)) || (startsTable && isColumnHeader(cells))))
  )
    page.columns = cells
  else if (
    // Behind an answer stand notes on it.
    (answerColumn.test(columns[valueIndex] ?? "") || cells.slice(2).every((cell) => cell === "")) &&
    value !== "" &&
    !undecidedNote.test(cells.slice(2).join(" ")) &&
    isLabelRow(text, [name, value], columns)
  )
    page.addBlock("paragraph", `${name}: ${value}`)
  else
    page.addBlock("row", cells.filter((cell) => cell !== "").join(", "), {
      cells,
      columns,
      isLaidOut: Lines.isLaidOut(text)
    })
  return true
}

const readUnmarkedHeading: LineReader = (page, { before, nextFilled = "", next = "", text }) => {
  const followsBlank =
    page.paragraphLines.length === 0 && (before === undefined || Lines.isBlank(before) || Lines.isRule(before))
  // "Products" right over a list needs no blank line above it.
  const isOfList = headingTopic(text.trim()) !== undefined && Lines.bullet.test(next)
  if (!(followsBlank || isOfList) || !Lines.looksLikeHeading(text, nextFilled)) return false
  page.addHeading(unmarkedLevel, text.trim())
  return true
}

/** A point that continues in the next line. */
const continuePoint: LineReader = ({ blocks, paragraphLines }, { before, text }) => {
  const lastBlock = blocks.at(-1)
  if (paragraphLines.length > 0 || lastBlock?.kind !== "point" || Lines.isBlank(before)) return false
  // A line of its own begins with a capital, and follows a point that does not break off.
  const isContinuation = /^\s{2,}\S/.test(text) || /^\s*\p{Ll}/u.test(text) || !Lines.isComplete(lastBlock.text)
  if (!isContinuation || parseLabelled(text) !== undefined) return false
  blocks[blocks.length - 1] = { ...lastBlock, text: `${lastBlock.text} ${Lines.removeMarkup(text)}` }
  return true
}

/** Lines under a heading or a question that are indented as much as each other: points that nothing else marks. */
const readIndentedPoint: LineReader = (page, { before = "", next = "", text }) => {
  const [indent = ""] = /^ *(?=\S)/.exec(text) ?? []
  if (indent.length < 2 || text.length > 100 || parseLabelled(text) !== undefined) return false
  const isAsDeep = (line: string) => line.startsWith(indent) && /\S/.test(line.charAt(indent.length))
  const { blocks, paragraphLines } = page
  const [opening = ""] = paragraphLines
  const isUnderOpening = paragraphLines.length === 1 && /[?:]$/.test(opening) && opening === before.trim()
  // A longer line may be prose that the width of the page broke.
  const isUnderHeading =
    paragraphLines.length === 0 && blocks.at(-1)?.kind === "heading" && !Lines.isBlank(before) && Lines.isWhole(text)
  const isFirst = (isUnderOpening || isUnderHeading) && isAsDeep(next) && !isAsDeep(before)
  if (!isFirst && !(paragraphLines.length === 0 && blocks.at(-1)?.isIndented === true && isAsDeep(before))) return false
  page.closeParagraph()
  page.addBlock("point", Lines.removeMarkup(text), { isIndented: true })
  return true
}

/** A value that only the width of its column broke: its next line is far to the right and has nothing on its left. */
const continueValue: LineReader = ({ blocks, paragraphLines }, { before = "", text }) => {
  // Looked at first, because it is true of few lines.
  if (paragraphLines.length > 0 || !/^ {12,}\S/.test(text) || Lines.isRow(text)) return false
  const lastBlock = blocks.at(-1)
  const value = text.trim()
  const isBroken =
    lastBlock !== undefined &&
    lastBlock.cells.length < 3 &&
    lastBlock.text.includes(before.trim().split(/ \| +/).at(-1) ?? before) &&
    (Lines.isLaidOut(before) || /^ {12}/.test(before)) &&
    (/^\p{Ll}/u.test(value) || !Lines.isComplete(lastBlock.text))
  if (!isBroken) return false
  const cells = lastBlock.cells.map((cell, index) => (index === lastBlock.cells.length - 1 ? `${cell} ${value}` : cell))
  blocks[blocks.length - 1] = { ...lastBlock, cells, text: `${lastBlock.text} ${Lines.removeMarkup(value)}` }
  return true
}

/** What stands under an unmarked heading ends with its list or its paragraph: what follows is of the text around it. */
const endsTopic = (topic: Topic | undefined, lastBlock: Block | undefined) =>
  lastBlock?.kind === "point" ||
  (lastBlock?.kind === "paragraph" &&
    topic !== "core_products" &&
    topic !== "contact" &&
    lastBlock.text.length > 60 &&
    !/^["“„«»]/.test(lastBlock.text))

/** A definition below its term: "Slackwater Brewing" above ": 210 square metres laid in two nights." */
const readDefinition: LineReader = (page, { text }) => {
  const [, definition = ""] = /^\s*: +(\S.*)$/.exec(text) ?? []
  if (definition === "") return false
  const term = page.paragraphLines.pop()
  page.closeParagraph()
  page.addBlock("paragraph", Lines.removeMarkup(term === undefined ? definition : `${term}: ${definition}`))
  return true
}

const noteLabel = /^\p{L}[\p{L}'’-]*(?: [\p{L}'’-]+){0,3}: \S/u

const readParagraph: LineReader = (page, { before, next = "", text }) => {
  const { paragraphLines, headings } = page
  const lastHeading = headings.at(-1)
  const isAfterBlank = paragraphLines.length === 0 && Lines.isBlank(before)
  const lastBlock = page.blocks.at(-1)
  const sectionEnds =
    lastHeading?.level === unmarkedLevel
      ? endsTopic(lastHeading.topic, lastBlock)
      : lastHeading?.level === boldLevel && lastBlock?.kind === "point"
  if (isAfterBlank && sectionEnds) headings.pop()
  // "Acme - cut its waste" is a point that nothing marks.
  const words = Lines.removeMarkup(text)
  const startsParagraph =
    parseLabelled(words) !== undefined ||
    /^(?:tel|fax|phone|fon|telefon|tél|telephone|téléphone|mobile?)(?!\p{L})|^\S+@\S+$/iu.test(words) ||
    Lines.isPriced(words) ||
    /^\p{Lu}[\p{L}'’-]*(?: [\p{L}'’&-]+){0,6}: \S/u.test(words) ||
    // Notes have one label below another, in small letters.
    (noteLabel.test(words) && /^\p{L}[\p{L}'’ -]{1,40}: \S|[.!]$/u.test(paragraphLines.at(-1) ?? "")) ||
    /^[>[]|^\p{Lu}[^.:]{2,50} [–—-] \S/u.test(words)
  // Lines of an address or a letterhead, and whole sentences, stay apart; lines of prose that were wrapped are joined.
  const isApart =
    /\.{4,}/.test(text) ||
    (/[.!?]$/.test(paragraphLines.at(-1) ?? "") && /^\p{Lu}.{40}/u.test(words)) ||
    Lines.startsSentence(text, paragraphLines.at(-1) ?? "") ||
    (Lines.isWhole(paragraphLines.at(-1) ?? "") && /^\s*[\p{Lu}\d+(]|@/u.test(text))
  // A short line between a sentence and a label names what the label is about: a client above "Result: ...".
  const isName =
    /[.!?]["”]?$/.test(paragraphLines.at(-1) ?? "") &&
    /^\p{Lu}[^.!?:]{2,60}$/u.test(words) &&
    parseLabelled(next) !== undefined
  // A name, a number or an address behind its label ends with its line.
  const label = parseLabelled(Lines.removeMarkup(paragraphLines.join(" ")))?.label
  const isValue =
    label !== undefined && (label === "contact" || (label !== "business_address" && isText(label) && isOneLine(label)))
  // A label on a line of its own, with its value indented below it.
  const isIndented =
    paragraphLines.length === 1 && /^ {3,}\S/.test(text) && before !== undefined && /^\S.{1,38}$/.test(before)
  // An answer below a question that is quoted from another mail.
  const isReply = paragraphLines.some((line) => line.startsWith(">")) && !text.startsWith(">")
  if (startsParagraph || isApart || isName || isValue || isIndented || isReply) page.closeParagraph()
  page.paragraphLines.push(text.trim())
  return true
}

/** In order: the first reader that takes a line ends the search. */
const lineReaders: ReadonlyArray<LineReader> = [
  readBlank,
  readSlide,
  readTableRule,
  readRule,
  readMarkedHeading,
  readBoldHeading,
  readPoint,
  readFields,
  readRow,
  readUnmarkedHeading,
  readIndentedPoint,
  continuePoint,
  continueValue,
  readDefinition,
  readParagraph
]

export const parseBlocks = (text: string): ReadonlyArray<Block> => {
  const lines = Lines.linesOf(text)
  const page = new PageReader()
  for (const [index, rawLine] of lines.entries()) {
    const text = rawLine.replace(
      Lines.boldLabel,
      (_, indent: string, name: string) => `${indent}${name.replace(/\.(?=["”]?$)/, "")}:`
    )
    if (text !== rawLine) page.closeParagraph()
    const next = lines[index + 1]
    const line = { text, before: lines[index - 1], next, nextFilled: next?.trim() === "" ? lines[index + 2] : next }
    lineReaders.some((read) => read(page, line))
  }
  page.closeParagraph()
  return page.blocks
}
