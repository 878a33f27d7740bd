// layers/research/read/Pdf.ts: extracts the lines of text of a PDF.
import { getDocumentProxy } from "unpdf"
import { Unreadable } from "#layers/lib/Unreadable.ts"

const maxPages = 300

const openPdf = (bytes: Uint8Array) =>
  getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, useSystemFonts: false, stopAtErrors: false }).catch(
    (error: unknown) => {
      const name = error instanceof Error ? error.name : ""
      throw new Unreadable(
        name === "PasswordException"
          ? "The PDF is protected with a password"
          : "The PDF is damaged and cannot be opened"
      )
    }
  )

interface Line {
  text: string
  /** Of its letters, in points; a mark before them may be larger. */
  height: number
  /** Whether a gap wider than that between lines stands before it. */
  readonly isApart: boolean
}

/** The height of most letters; a line that is clearly taller is a heading. */
const bodyHeight = (lines: ReadonlyArray<Line>) => {
  const letters = new Map<number, number>()
  for (const { height, text } of lines) letters.set(height, (letters.get(height) ?? 0) + text.length)
  return [...letters].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}

/** Letters that stand together, as the parser reports them. */
interface TextPiece {
  readonly str: string
  readonly height: number
  readonly width: number
  readonly transform: ReadonlyArray<number>
}

const joinLines = (items: ReadonlyArray<TextPiece>): Array<Line> => {
  const lines: Array<Line> = []
  let previousY = Number.POSITIVE_INFINITY
  for (const { height, str, transform, width } of items) {
    const y = transform[5] ?? 0
    const line = lines.at(-1)
    const maxHeight = Math.max(height, line?.height ?? 0, 1)
    if (str.trim() === "") {
      // A space as wide as a letter is tall is the edge of a column.
      if (line !== undefined && str !== "") line.text += width > maxHeight ? "\t" : " "
    } else if (line !== undefined && Math.abs(previousY - y) <= maxHeight * 0.5) {
      if (line.text.length < 3) line.height = Math.round(height)
      line.text += str
    } else {
      lines.push({ text: str, height: Math.round(height), isApart: Math.abs(previousY - y) > maxHeight * 1.7 })
      previousY = y
    }
  }
  return lines
}

export const fromPdf = async (bytes: Uint8Array, maxTextLength: number): Promise<string> => {
  const pdf = await openPdf(bytes)
  if (pdf.numPages > maxPages) throw new Unreadable(`The PDF has more than ${maxPages} pages`)
  const lines: Array<Line> = []
  let length = 0
  for (let pageNumber = 1; pageNumber <= pdf.numPages && length < maxTextLength; pageNumber++) {
    const page = await pdf.getPage(pageNumber)
    const { items } = await page.getTextContent()
    for (const line of joinLines(items.filter((item) => "str" in item))) {
      lines.push(line)
      length += line.text.length
    }
    page.cleanup()
  }
  const textHeight = bodyHeight(lines)
  const text = lines
    .map(({ isApart, height, text }) => {
      const isHeading = height > textHeight * 1.15 && text.length < 100
      return isHeading ? `\n## ${text.trim()}\n` : `${isApart ? "\n" : ""}${text.trim()}`
    })
    .join("\n")
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unreadable("The PDF holds no text, only pictures of it; send one whose text can be selected")
  }
  return text
}
