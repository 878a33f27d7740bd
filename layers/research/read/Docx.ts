// layers/research/read/Docx.ts: converts a Word document to Markdown, with its headings, lists and tables.
import { Parser } from "htmlparser2"
import { Unreadable } from "#layers/lib/Unreadable.ts"
import { readPart } from "#layers/lib/Zip.ts"

export const fromDocx = (bytes: Uint8Array, maxTextLength: number): string => {
  const xml = readPart(bytes, "word/document.xml")
  if (xml === undefined) throw new Unreadable("The file is a ZIP archive but not a Word document")
  const lines: Array<string> = []
  let length = 0
  let line = ""
  let prefix = ""
  let isInText = false
  let cells: Array<string> | undefined
  let rowDepth = 0
  let fallbackDepth = 0

  const endLine = () => {
    if (cells === undefined) lines.push(prefix.startsWith("-") ? `${prefix}${line}` : `${prefix}${line}\n`)
    else if (line.trim() !== "") cells.push(`${cells.pop() ?? ""} ${line.replaceAll("|", "/")}`)
    line = ""
    prefix = ""
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // What an old Word shows in place of a text box says it a second time.
        if (name === "mc:Fallback" || fallbackDepth > 0) fallbackDepth++
        else if (name === "w:t") isInText = true
        else if (name === "w:txbxContent") endLine()
        else if (name === "w:tab") line += "\t"
        else if (name === "w:br" || name === "w:cr") line += "\n"
        else if (name === "w:pStyle") {
          const [, level] = /^(?:Heading|berschrift|Titre|Nagwek)\s?([1-6])$/i.exec(attributes["w:val"] ?? "") ?? []
          if (level !== undefined) prefix = `${"#".repeat(Number(level))} `
          else if (/^Title$/i.test(attributes["w:val"] ?? "")) prefix = "# "
          else if (/^List/i.test(attributes["w:val"] ?? "")) prefix = "- "
        } else if (name === "w:numPr") prefix ||= "- "
        else if (name === "w:tr" && ++rowDepth === 1) cells = []
      },
      ontext(text) {
        if (isInText && fallbackDepth === 0 && length < maxTextLength) {
          line += text
          length += text.length
        }
      },
      onclosetag(name) {
        if (fallbackDepth > 0) fallbackDepth--
        else if (name === "w:t") isInText = false
        else if (name === "w:p") endLine()
        else if (name === "w:tc") cells?.push("")
        else if (name === "w:tr" && --rowDepth === 0) {
          lines.push(
            `| ${(cells ?? [])
              .map((cell) => cell.replace(/\s+/g, " ").trim())
              .slice(0, -1)
              .join(" | ")} |`
          )
          cells = undefined
        } else if (name === "w:tbl" && rowDepth === 0) lines.push("")
      }
    },
    { xmlMode: true }
  )
  parser.end(xml.toString("utf8"))
  return lines.join("\n")
}
