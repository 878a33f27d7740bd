// layers/research/extract/Lines.ts: what single lines look like, in Markdown, plain prose, and what is left of a page or a PDF.
import { labelled } from "#layers/research/extract/Labels.ts"
import { topicOf } from "#layers/research/extract/Topics.ts"
import { cut } from "#layers/text/Cut.ts"

/** A line longer than this is no line that a person wrote; the rest of it is let go. */
const longest = 5000
const most = 20_000

/** What stands for a wide gap: two blanks tell it from the edge of a column that is marked. */
const gap = " |  "

/** Without control characters and whatever else no eye can see. */
const tidy = (text: string) =>
  text
    .replace(/[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv, "")
    // What is struck out is not valid any more.
    .replace(/~~[^~\n]{1,300}~~/g, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
    // Symbol fonts keep their bullets where Unicode has nothing.
    .replace(/^([ \t]*)\p{Co}/gmu, "$1•")
    // A tab after a mark is its indent; one between words is the edge of a column, and so is a wide gap.
    .replace(/^([ \t]*\S{1,3})\t+/gm, "$1 ")
    .replace(/(?<=[^\s|]) ?\t\s?(?=[^\s|])/g, " | ")
    .replace(/(?<=[^\s|]) {3,}(?=[^\s|])/g, gap)
    .replaceAll("\t", " ")

/** Of a left column, and as far as a line is searched for one. */
const leastWidth = 15
const mostWidth = 200
const prosaic = (text: string) => /^\p{Ll}/u.test(text.trim()) || dangling.test(text.trim())

/**
 * Two columns of prose, as a PDF leaves them side by side: the left one, then the right one. A table has no lines that
 * break off or continue in lower case.
 */
const inOneColumn = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const starts = lines.flatMap((line) =>
    [...line.slice(0, mostWidth).matchAll(/(?<= {2})\S/g)].map(({ index }) => index)
  )
  const counts = Map.groupBy(starts, (at) => at)
  const [edge = 0, found = []] = [...counts].toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
  if (found.length < 4 || edge < leastWidth) return lines
  const isSplit = (line: string) => line.length <= edge || line.slice(edge - 2, edge) === "  "
  const first = lines.findIndex((line) => line.length > edge && isSplit(line))
  const last = lines.findLastIndex((line) => line.length > edge && isSplit(line))
  const region = lines.slice(first, last + 1)
  const left = region.map((line) => (isSplit(line) ? line.slice(0, edge).trimEnd() : line))
  const right = region.map((line) => (isSplit(line) ? line.slice(edge).trimEnd() : ""))
  if ([...left, ...right].filter(prosaic).length < 2) return lines
  const rest = lines.slice(last + 1)
  const next = rest.findIndex((line) => line.trim() === "")
  const more = next === -1 ? rest : rest.slice(0, next)
  return [...lines.slice(0, first), ...left, ...more, "", ...right, "", ...rest.slice(more.length)]
}

export const linesOf = (text: string): ReadonlyArray<string> =>
  tidy(inOneColumn(text.split(/\r\n|\r|\n/, most)).join("\n"))
    .split(/\r\n|\r|\n|\u2028|\u2029/, most)
    .map((line) => (/^\s*(?:slide|page|folie|seite)\s+\d{1,3}\s*$/i.test(line) ? "" : cut(line, longest)))

/** Takes the marks of emphasis, links and code from a line, and keeps what they hold. */
export const plain = (text: string) =>
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

export const isBlank = (line: string | undefined) => line === undefined || line.trim() === ""

export const bullet = /^\s*(?:[-*+•‣▪●◦·–]|\d{1,2}[.)]|\(\d{1,2}\))\s+(.+)$/
export const hashes = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/
export const boldLine = /^\s*(?:\*\*|__)([^*_]{2,80})(?:\*\*|__):?$/
/** `**Name** Words about it` names what it speaks of, as a label does. */
export const boldLead = /^(\s*)(?:\*\*|__)([^*_:?]{2,60})(?:\*\*|__)(?=\s+[\p{Lu}\d£$€])/u

export const isRule = (line: string) => /^\s*([-=_*~])(?:\s*\1){2,}\s*$/.test(line)
export const isTableRule = (line: string) => /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$/.test(line)
/** A rule that may make a heading of the line above. */
export const isUnderline = (line: string) => /^\s*(?:={3,}|-{3,})\s*$/.test(line)

export const isRow = (line: string) =>
  (line.match(/\|/g) ?? []).length >= (line.trim().startsWith("|") ? 2 : 1) && line.length < 2000

/** Whether only wide gaps keep the cells of a row apart. */
export const isLaidOut = (row: string) => !row.trim().startsWith("|") && row.includes(gap)

export const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => plain(cell))

/** A short line, or one with an address or a number at its end, is not wrapped, unless it breaks off. */
export const isWhole = (line: string) =>
  (line.length < 48 || /@|\d$|\.{4,}/.test(line)) &&
  !/(?:,|\b(?:an?|and|are|as|at|by|for|from|in|is|its|of|on|or|our|than|that|the|their|to|with))$/.test(line)

const dangling =
  /(?:[,–—-]|\b(?:an?|and|are|as|at|by|for|from|in|is|its|of|on|or|our|than|that|the|their|to|with|und|oder|der|die|das|mit|für|et|de|la|le|les|pour|avec))$/

/** Whether a text neither begins nor breaks off in the middle of a sentence, as one torn by columns or pages does. */
export const isComplete = (text: string) => {
  const count = (mark: RegExp) => (text.match(mark) ?? []).length
  return (
    !dangling.test(text) &&
    !/^(?:and|or|but|which|that|who|und|oder|et) |^[,;:.)\]]|\u2026$|\.\.\.$| \| /.test(text) &&
    // A word that a narrow column broke: nobody can tell "family-owned" from "ware-house".
    !/\p{L}- (?!(?:and|or|und|oder|bzw|et|ou)\b)\p{Ll}/u.test(text) &&
    count(/\(/g) === count(/\)/g) &&
    count(/["“”„]/g) % 2 === 0
  )
}

/** A line that stands alone like a heading though nothing marks it: short, without a stop, begun with a capital. */
export const looksLikeHeading = (line: string, next: string) => {
  const text = line.trim()
  if (text.length > 60 || /[.,;!]$|@|https?:|\d{3}/.test(text) || text.split(/\s+/).length > 7) return false
  if (!/^[\p{Lu}\d]/u.test(text) || isUnderline(next) || labelled(text) !== undefined) return false
  const follows = next.trim()
  if (text.endsWith(":")) return true
  if (text.endsWith("?") && topicOf(text) === undefined && !bullet.test(follows)) return false
  if (topicOf(text) !== undefined) return follows !== "" || /^[\p{Lu}\s&]+$/u.test(text)
  return follows !== "" && (bullet.test(follows) || /^[\p{Lu}\d\s&'-]{4,}$/u.test(text)) && !bullet.test(line)
}
