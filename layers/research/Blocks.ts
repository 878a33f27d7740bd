// layers/research/Blocks.ts: a text as a reader's eye sees it: headings, points, rows and paragraphs, each under what
// stands above it. Takes Markdown, plain prose, and what is left of a page or a PDF.
import { sentences } from "#layers/generator/Text.ts"
import { labelled, type Topic, topicOf } from "#layers/research/Topics.ts"

export type Kind = "heading" | "point" | "row" | "paragraph"

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
  text.replace(/[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv, "").replace(/[\t\u00a0\u2000-\u200a\u202f\u3000]/g, " ")

/** Takes the marks of emphasis, links and code from a line, and keeps what they hold. */
export const plain = (text: string) =>
  text
    .replace(/!\[[^\]]{0,300}\]\([^)]{0,2000}\)/g, "")
    .replace(
      /\[([^\]]{1,300})\]\((?:mailto:|tel:)?([^)\s]{1,2000})[^)]{0,300}\)/g,
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

const isUnderline = (line: string | undefined) => line !== undefined && /^\s*(?:={3,}|-{3,})\s*$/.test(line)

/** A line that stands alone like a heading though nothing marks it: short, without a stop, begun with a capital. */
const looksLikeHeading = (line: string, next: string | undefined, before: string | undefined) => {
  const text = line.trim()
  if (text.length > 60 || /[.,;!?]$|@|https?:|\d{3}/.test(text) || text.split(/\s+/).length > 7) return false
  if (!/^[\p{Lu}\d]/u.test(text) || isUnderline(next)) return false
  if (before !== undefined && before.trim() !== "") return false
  const follows = next?.trim() ?? ""
  if (text.endsWith(":")) return true
  if (topicOf(text) !== undefined) return follows !== "" || /^[\p{Lu}\s&]+$/u.test(text)
  return follows !== "" && (bullet.test(follows) || /^[\p{Lu}\d\s&'-]{4,}$/u.test(text)) && !bullet.test(line)
}

const split = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => plain(cell))

export const blocks = (text: string): ReadonlyArray<Block> => {
  const lines = tidy(text)
    .split(/\r\n|\r|\n|\u2028|\u2029/, mostLines)
    .map((line) => line.slice(0, longest))
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

  for (const [at, line] of lines.entries()) {
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
    if ((line.match(/\|/g) ?? []).length >= (line.trim().startsWith("|") ? 2 : 1) && line.length < 2000) {
      close()
      const cells = split(line)
      if (columns.length === 0 && next !== undefined && isTableRule(next)) columns = cells
      else put("row", cells.join(", "), { cells, columns })
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
    // Lines of an address or a letterhead stay apart; lines of prose that were wrapped are joined.
    // What stands under an unmarked heading ends with its list or its paragraph: what follows is of the text around it.
    const rested = open.length === 0 && (lines[at - 1] ?? "").trim() === ""
    const above = path.at(-1)
    if (
      rested &&
      above?.level === unmarked &&
      (last?.kind === "point" ||
        (last?.kind === "paragraph" &&
          above.topic !== "products" &&
          above.topic !== "contact" &&
          last.text.length > 60))
    )
      path.pop()
    if (open.length > 0 && labelled(line) !== undefined) close()
    if (open.length > 0 && (open.at(-1) ?? "").length < 48 && /^\s*[\p{Lu}\d+(]|@/u.test(line)) close()
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

/** Every sentence that is no heading and no row. */
export const said = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) =>
    block.kind === "heading" || block.kind === "row" ? [] : sentences(block.text).map((text) => ({ text, block, at }))
  )
