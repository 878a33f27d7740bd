// layers/research/extract/Lines.ts: recognises and cleans single lines of Markdown, plain text, web pages and PDFs.
import { knownLabel, parseLabelled, headingTopic } from "#layers/research/extract/Labels.ts"
import { isStopWord, looksEnglish, truncate } from "#layers/text/Words.ts"

/** Characters of a line that are read; the rest is dropped. */
const maxLineLength = 5000
const maxLines = 20_000

/** What stands for a wide gap: two blanks distinguish it from the edge of a column that is marked. */
const columnGap = " |  "

/** Removes control and other invisible characters, and marks column edges with bars. */
const cleanText = (text: string) =>
  text
    .replace(/[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv, "")
    .replace(/(?<= )--(?= )/g, "–")
    // The mark of a footnote.
    .replace(/(?<=\p{L}[.!?])\*(?=\s|$)/gmu, "")
    // What is struck out is not valid any more.
    .replace(/~~[^~\n]{1,300}~~/g, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
    // Symbol fonts keep their bullets where Unicode has nothing.
    .replace(/^([ \t]*)\p{Co}/gmu, "$1•")
    // A tab after a mark is its indent; one between words is the edge of a column, and so is a wide gap.
    .replace(/^([ \t]*\S{1,3})\t+/gm, "$1 ")
    .replace(/(?<=[^\s|]) ?\t\s?(?=[^\s|])/g, " | ")
    .replace(/(?<=[^\s|]) {3,}(?=[^\s|])/g, columnGap)
    .replaceAll("\t", " ")

/** Minimum width of a left column, and how far into a line one is searched, in characters. */
const minColumnWidth = 15
const maxSearchedWidth = 200
const isBrokenProse = (text: string) =>
  text.trim().length > 3 && (/^\p{Ll}/u.test(text.trim()) || (danglingEnd.test(text.trim()) && !/\s-+$/.test(text)))

/** Whether a line has nothing across the place where a right column begins. */
const isSplitAt = (line: string, edge: number) => line.length <= edge || line.slice(edge - 2, edge) === "  "
const sliceLeft = (line: string, edge: number) => line.slice(0, edge).trimEnd()
const sliceRight = (line: string, edge: number) => line.slice(edge).trimEnd()

/** A field's name without its number: "1.7 Website". */
export const removeNumber = (text: string) => text.replace(/^\d{1,2}(?:\.\d{1,2})*\.?\s+/, "")

/** As many labels in a left column make it a sheet of labels and values. */
const minLabels = 3

/**
 * Where the right one of two columns of prose begins in the lines of a paragraph. A table has no lines that break off or
 * continue in lower case.
 */
const rightColumnStart = (allLines: ReadonlyArray<string>): number | undefined => {
  const lines = allLines.filter((line) => !isRule(line))
  const starts = lines.flatMap((line) =>
    [...line.slice(0, maxSearchedWidth).matchAll(/(?<= {2})\S/g)].map(({ index }) => index)
  )
  const [edge] =
    [...Map.groupBy(starts, (index) => index)]
      .filter(
        ([column, occurrences]) =>
          occurrences.length > 1 && column >= minColumnWidth && lines.every((line) => isSplitAt(line, column))
      )
      .toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
  if (edge === undefined) return undefined
  const twoColumnLines = lines.filter((line) => sliceLeft(line, edge).trim() !== "" && sliceRight(line, edge) !== "")
  const isTable = (line: string) =>
    priceStart.test(sliceRight(line, edge).trim()) || sliceLeft(line, edge).endsWith(":")
  const labels = twoColumnLines.filter((line) => knownLabel(removeNumber(sliceLeft(line, edge).trim())) !== undefined)
  if (twoColumnLines.filter(isTable).length * 2 > twoColumnLines.length || labels.length >= minLabels) return undefined
  const halves = lines.flatMap((line) => [sliceLeft(line, edge), sliceRight(line, edge)])
  return halves.filter(isBrokenProse).length < 2 ? undefined : edge
}

/** A line of a list or of a letterhead: with a gap, dots, a price at its end, or an address. */
const listEntry =
  / {2}|\.{3}|@|www\.|\d{3}[ .-]?\d{3}|\d ?(?:a|an|per|pro|par) \p{L}+$|(?:[€$£] ?[\d.,]+|[\d.,]+ ?(?:€|EUR|[.,]\d\d))$|^\p{Lu}\p{Ll}[^.!?]*(?:[€$£] ?\d[\d.,]*|\d ?(?:€|EUR))(?: \S+){0,3}$/u
const priceStart =
  /^(?:from +|ab +|dès +|à partir de +|up to +)?(?:[€$£]|(?:GBP|EUR|USD|CHF)(?!\p{L})|\d[\d.,' ]*(?:€|EUR|$))/u

/** "Hive, per bloom: $198", on a line of its own. */
export const isPriced = (line: string) =>
  /^\p{Lu}[^:]{3,100}: (?:(?:from|ab|dès|desde) )?(?:[€$£] ?\d|(?:EUR|GBP|USD|CHF) ?\d|\d[\d.,]* ?(?:€|EUR)|free(?!\p{L}))/u.test(
    line
  )

/**
 * Joins the lines that only the width of their column broke, in the middle of a sentence: the next word did not fit. In English
 * a line with a capital does not continue the first of a paragraph, which may be a client's name that fills its column.
 */
const joinWrapped = (lines: ReadonlyArray<string>, isEnglish: boolean): ReadonlyArray<string> => {
  const width = Math.max(...lines.map((line) => line.trim().length))
  const joined: Array<string> = []
  let previous = ""
  let isFirst = false
  for (const line of lines) {
    const text = line.trim()
    const [word = ""] = text.split(" ")
    const isFull = previous.length + 1 + word.length > width && !/[.!?:;)"”»]$/.test(previous)
    // "THE PROBLEM" above a sentence is its heading.
    const isBelowHeading = !/\p{Ll}/u.test(previous)
    const isProse =
      /\p{Ll}/u.test(text) &&
      !isBelowHeading &&
      !bullet.test(line) &&
      !listEntry.test(previous) &&
      !listEntry.test(text)
    const isName: boolean =
      isEnglish && isFirst && /^\p{Lu}/u.test(text) && /^\p{Lu}/u.test(previous) && !danglingEnd.test(previous)
    if (previous !== "" && isFull && isProse && !isName) joined.push(`${joined.pop() ?? ""} ${text}`)
    else joined.push(line)
    // So does each line of a list under a heading in capitals, unless a title in it goes over to the next.
    const endsSmall = !/\p{Lu}\p{L}*$/u.test(text)
    isFirst = previous === "" || (endsSmall && (isName || (!/\p{Ll}/u.test(previous) && /\p{Lu}/u.test(previous))))
    previous = text
  }
  return joined
}

/** Lines up to a blank one or a rule, each with those after it. */
const splitParagraphs = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const paragraphs: Array<Array<string>> = [[]]
  let hasEnded = false
  for (const line of lines) {
    const isEmpty = line.trim() === "" || isRule(line)
    if (hasEnded && !isEmpty) paragraphs.push([])
    paragraphs.at(-1)?.push(line)
    hasEnded = isEmpty
  }
  return paragraphs
}

/** Whether a paragraph can belong to columns with this edge, and is no list of prices. */
const fitsColumns = (lines: ReadonlyArray<string>, edge: number) =>
  lines.every((line) => isSplitAt(line, edge) && !priceStart.test(sliceRight(line, edge).trim()))

/** Two columns of prose, as a PDF leaves them side by side: the left one, then the right one. */
const joinColumns = (lines: ReadonlyArray<string>, isEnglish: boolean): ReadonlyArray<string> => {
  const paragraphs = splitParagraphs(lines)
  const edges = paragraphs.map(rightColumnStart)
  for (const [index, paragraph] of paragraphs.entries()) {
    const previousEdge = edges[index - 1]
    if (edges[index] === undefined && previousEdge !== undefined && fitsColumns(paragraph, previousEdge))
      edges[index] = previousEdge
  }
  for (const [position, paragraph] of [...paragraphs.entries()].toReversed()) {
    const nextEdge = edges[position + 1]
    if (edges[position] === undefined && nextEdge !== undefined && fitsColumns(paragraph, nextEdge))
      edges[position] = nextEdge
  }
  return paragraphs.flatMap((paragraph, start) => {
    const edge = edges[start]
    if (edge === undefined) return paragraph
    if (edges[start - 1] === edge) return []
    const end = edges.findIndex((other, index) => index > start && other !== edge)
    const columnParagraphs = paragraphs.slice(start, end === -1 ? undefined : end)
    // Below the end of the right column the page has one again.
    const endIndex = columnParagraphs.findLastIndex((part) => part.some((line) => line.length > edge)) + 1
    const columnLines = columnParagraphs
      .slice(0, endIndex)
      .flat()
      .filter((line) => !isRule(line))
    const [left = [], right = []] = [sliceLeft, sliceRight].map((slice) =>
      joinWrapped(
        columnLines.map((line) => slice(line, edge)),
        isEnglish
      )
    )
    return [...left, "", ...right, "", ...columnParagraphs.slice(endIndex).flat()]
  })
}

/** Whether a text has columns side by side, where a heading may belong to what stands beside it. */
export const hasColumns = (text: string): boolean =>
  splitParagraphs(text.split(/\r\n|\r|\n/, maxLines)).some((lines) => rightColumnStart(lines) !== undefined)

/** A word that the end of a line broke: "Zeich-" above "nung". */
const hyphenatedBreak = /(\p{Ll}{2})-[ \n] *(?!(?:und|oder|bzw|et|ou|y)(?!\p{L}))(?=\p{Ll}{2})/gu

/** Characters of a text that are read to detect its language. */
const languageSampleLength = 20_000

/** What a page has around its text: its number, a mark of secrecy, a place for a picture, or a row of links to other pages. */
export const pageFurniture =
  /^[\s[(–—-]*(?:(?:slide|page|folie|diapositive|seite|p\.)\s*\d{1,3}(?:\s*(?:of|\/|von|sur|de)\s*\d{1,3})?|(?:confidential|vertraulich|confidentiel)(?:[\s|]+\d{1,3})?|click to add (?:text|title)|(?:comment \[\w+\]|deleted|inserted): .{0,300}|skip to (?:main )?content|zum inhalt(?: springen)?|aller au contenu|retour en haut|(?:back|return) to top|<!--.{0,200}-->|!\[[^\]]{0,300}\](?:\([^)]{0,2000}\))?)[\s\])–—-]*$/i
/** The number of a page, at its edge or between dashes. */
const pageNumber = /^(?:\s{8,}\d{1,3}|\s*[–—-]\s*\d{1,3}\s*[–—-])\s*$/
const cookieNotice = /\bcookies?\b.*(?:accept|akzept|aceptar|refus|reject|ablehnen)/i
const linkPattern = /\[[^\]]{1,100}\]\([^)\s]{1,500}\)/g
const isMenu = (line: string) =>
  /^\s*\[/.test(line) &&
  (line.match(linkPattern) ?? []).length > 0 &&
  !/[\p{L}\d]{3}/u.test(line.replace(linkPattern, "").replaceAll("©", ""))

/** Labels that a profile page sets above their values. */
const stackedLabels: ReadonlySet<string | undefined> = new Set([
  "website_url",
  "industry_vertical",
  "city_region",
  "contact_phone",
  "contact_email"
])

/** "Headquarters" above "Brno, Czechia": one line of a label and its value. */
const joinLabels = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isShort = (line = "") => line.trim().length < 60 && !/[.!?:]$/.test(line.trim())
  const isLabel = (line = "") => line.length < 30 && stackedLabels.has(knownLabel(line.trim()))
  const hasValueBelow = (index: number) =>
    isLabel(lines[index]) && !isBlank(lines[index + 1]) && !isLabel(lines[index + 1])
  return lines.flatMap((line, index) => {
    if (hasValueBelow(index) && isShort(lines[index + 1]) && isShort(lines[index + 2]))
      return [`${line.trim()}: ${lines[index + 1]?.trim()}`]
    return index > 0 && hasValueBelow(index - 1) && isShort(line) && isShort(lines[index + 1]) ? [] : [line]
  })
}

/** The name of a paragraph's style, which a converter wrote into the text. */
export const styleName = /(?<!\p{L})(?:Heading|Überschrift|Titre|Título|Titolo|Kop|Nagłówek) [1-9](?![\p{L}\d])/u
const isStyleName = (line: string) =>
  line.length < 60 && styleName.test(line) && !/[\p{L}\d]/u.test(line.replace(styleName, ""))

/** The number of a slide, alone in its line. */
export const slideNumber = /^[\s[(–—-]*(?:slide|folie|diapositive) \d{1,3}[\s\])–—-]*$/iu
export const isShortLine = (line = "") => /^\s*[\p{Lu}\d].{2,60}[^.,;:]$/u.test(line.trimEnd())
/** Several words in capitals: on slides the name of a client above its result. */
export const isInCapitals = (line: string) => /^\p{Lu}{2,}(?: [\p{Lu}&'’-]+)+\s*$/u.test(line)
const quotedPoint = /^> (?=\p{Lu}[^.!?:]{2,90}(?:[.!?]|$))/u

/** Lines behind ">" right below a title are points of it, and no quotation of another text. */
const markQuotedPoints = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let isList = false
  return lines.map((line, index) => {
    if (!quotedPoint.test(line)) isList = isShortLine(line) && quotedPoint.test(lines[index + 2] ?? "")
    return isList ? line.replace(quotedPoint, "- ") : line
  })
}

/** "EN: We build scales." and the letters of an interview: "Q: What do you do?" */
const languageMark = /^\s*(EN|DE|FR|ES|NL|IT)\s?:\s+(?=\S)/
const speakerMark = /^(\s*(?:\*\*)?)[QA]:\s+(?=\p{Lu})/u

/** Of lines that say the same in several languages, each behind its mark, only the English ones are read. */
const dropTranslations = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isBilingual = lines.some((line) => languageMark.exec(line)?.[1] === "EN")
  return isBilingual
    ? lines.flatMap((line) => ((languageMark.exec(line)?.[1] ?? "EN") === "EN" ? [line.replace(languageMark, "")] : []))
    : lines
}

export const linesOf = (text: string): ReadonlyArray<string> => {
  // In English "family-owned" and "ware-house" look alike.
  const isEnglish = looksEnglish(text.slice(0, languageSampleLength))
  const lines = dropTranslations(text.split(/\r\n|\r|\n/, maxLines))
  const joinedText = joinColumns(joinLabels(markQuotedPoints(lines)), isEnglish).join("\n")
  return (
    cleanText(isEnglish ? joinedText : joinedText.replace(hyphenatedBreak, "$1"))
      .split(/\r\n|\r|\n|\u2028|\u2029/, maxLines)
      .map((line) => truncate(line, maxLineLength))
      .map((line) => line.replace(speakerMark, "$1"))
      // As a word processor shows the styles of its paragraphs.
      .map((line) => (isStyleName(line) ? "" : line))
      .map((line) => line.replace(/^Heading ([1-6]) (?=\S)/, (_, level: string) => `${"#".repeat(Number(level))} `))
      .map((line) =>
        line.replace(/^[\s[(–—-]*(?:slide|folie|diapositive) \d{1,3}\s*[–—:\])-]+\s*(?=\p{L}.{0,80}$)/iu, "## ")
      )
      .map((line) =>
        line.length < 600 &&
        !slideNumber.test(line) &&
        (pageFurniture.test(line) || pageNumber.test(line) || cookieNotice.test(line) || isMenu(line))
          ? ""
          : line
      )
  )
}

/** Takes the marks of emphasis, links and code from a line, and keeps what they hold. */
export const removeMarkup = (text: string) =>
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

/** A bullet or a number before a list item. "o" and "x" stand for bullets in typewritten lists. */
export const bullet =
  /^\s*(?:(?:[-*+•‣▪●◦·–✓✔☑✗×~]|[ox](?= \p{Lu})|\d{1,2}[.)]|\(\d{1,2}\))\s+|\d{1,2}[.)](?=\p{Lu}\p{Ll}))(.+)$/u
export const markdownHeading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/
export const boldLine = /^\s*(?:\*\*|__)([^*_]{2,80})(?:\*\*|__):?$/
/** `**Name** Words about it` names its subject, as a label does. */
export const boldLabel = /^(\s*)(?:\*\*|__)([^*_:?]{2,60})(?:\*\*|__)(?=\s+[\p{Lu}\d£$€])/u

export const isRule = (line: string) => /^\s*([-=_*~])(?:\s*\1){2,}\s*$/.test(line)
export const isTableRule = (line: string) => /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$/.test(line)
/** A rule that may make a heading of the line above. */
export const isUnderline = (line: string) => /^\s*(?:={3,}|-{3,})\s*$/.test(line)

export const isRow = (line: string) =>
  (line.match(/\|/g) ?? []).length >= (line.trim().startsWith("|") ? 2 : 1) && line.length < 2000

/** Whether only wide gaps keep the cells of a row apart. */
export const isLaidOut = (row: string) => !row.trim().startsWith("|") && row.includes(columnGap)

export const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => removeMarkup(cell))

/** A short line, or one with an address or a number at its end, is not wrapped, unless it breaks off. */
export const isWhole = (line: string) =>
  (line.length < 49 || /@|\d$|\.{4,}/.test(line)) &&
  !/(?:,|(?<!\p{L})(?:an?|and|are|as|at|by|for|from|in|is|its|of|on|or|our|than|that|the|their|to|with|und|oder|als|bis|von|zum?|zur|im|auf|bei|nach|et|du|de|en|à|dans|sur|une?))$/u.test(
    line
  )

const danglingEnd =
  /(?:[,–—-]|(?<!\p{L})(?:a|(?<!par )an|and|are|as|at|by|for|from|in|is|its|of|on|or|our|than|that|the|their|to|with|und|oder|der|die|das|mit|für|et|de|la|le|les|pour|avec))$/u

/** Whether a line begins a sentence behind one without a stop: inside a sentence no "We" or "The" has a capital. */
export const startsSentence = (line: string, previous: string) => {
  const [word = ""] = /^\s*\p{Lu}\p{Ll}+(?= )/u.exec(line) ?? []
  return (
    /[\p{L}\d)]$/u.test(previous) &&
    !danglingEnd.test(previous) &&
    !/^\s*(?:May|Will)?$/.test(word) &&
    isStopWord(word.trim().toLowerCase())
  )
}

/** A word that a narrow column broke: "family-owned" and "ware-house" look alike. */
export const brokenWord = /\p{L}- (?!(?:and|or|und|oder|bzw|et|ou)\b)\p{Ll}/u

/** Whether a text neither begins nor breaks off in the middle of a sentence, as one torn by columns or pages does. */
export const isComplete = (text: string) => {
  const count = (mark: RegExp) => (text.match(mark) ?? []).length
  return (
    !danglingEnd.test(text) &&
    !/^(?:and|[Oo]r|but|which|that|who|und|oder|et) |^[,;:.)\]]|\u2026$|\.\.\.$| \| /.test(text) &&
    !brokenWord.test(text) &&
    count(/\(/g) === count(/\)/g) &&
    count(/\[/g) === count(/\]/g) &&
    count(/["“”„]/g) % 2 === 0
  )
}

/** A line that stands alone like a heading though nothing marks it: short, without a stop, begun with a capital. */
export const looksLikeHeading = (line: string, next: string) => {
  const text = line.trim()
  if (text.length > 60 || /[.,;!]$|@|https?:|\d{3}/.test(text) || text.split(/\s+/).length > 7) return false
  if (!/^[\p{Lu}\d]/u.test(text) || isUnderline(next)) return false
  if (parseLabelled(text) !== undefined && !/^case study: \p{Lu}[\p{L} &'’-]+$/iu.test(text)) return false
  const nextText = next.trim()
  if (text.endsWith(":")) return true
  if (text.endsWith("?") && headingTopic(text) === undefined && !bullet.test(nextText)) return false
  if (headingTopic(text) !== undefined) return nextText !== "" || /^[\p{Lu}\s&]+$/u.test(text)
  return nextText !== "" && (bullet.test(nextText) || /^[\p{Lu}\d\s&'-]{4,}$/u.test(text)) && !bullet.test(line)
}
