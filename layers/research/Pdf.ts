// layers/research/Pdf.ts: the text of a PDF, line by line as it stands on the page.
import { getDocumentProxy } from "unpdf"
import { Unreadable } from "#layers/research/Unreadable.ts"

const mostPages = 300

const opened = (bytes: Uint8Array) =>
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

export const fromPdf = async (bytes: Uint8Array, mostText: number): Promise<string> => {
  const pdf = await opened(bytes)
  if (pdf.numPages > mostPages) throw new Unreadable(`The PDF has more than ${mostPages} pages`)
  let text = ""
  for (let number = 1; number <= pdf.numPages && text.length < mostText; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    let lowest: number | undefined
    let line = ""
    for (const item of items) {
      if (!("str" in item)) continue
      const y: number = item.transform[5]
      const height = item.height || 10
      if (lowest !== undefined && Math.abs(lowest - y) > height * 0.5) {
        // A gap wider than that between lines is one between paragraphs.
        text += `${line.trim()}\n${Math.abs(lowest - y) > height * 1.7 ? "\n" : ""}`
        line = ""
      }
      line += item.str
      if (item.str !== "") lowest = y
    }
    text += `${line.trim()}\n\n`
    page.cleanup()
  }
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unreadable("The PDF holds no text, only pictures of it; send one whose text can be selected")
  }
  return text
}
