// test/support/documents.ts: builds small ZIP, Word and PDF files, valid and invalid.
import { constants, crc32, deflateRawSync } from "node:zlib"

interface Part {
  readonly name: string
  readonly content: string | Buffer
  /** The uncompressed size written in the archive; the true size by default. */
  readonly claimedSize?: number
  readonly flags?: number
}

/** A ZIP archive of these parts. */
export const zip = (parts: ReadonlyArray<Part>): Uint8Array<ArrayBuffer> => {
  const fileEntries: Array<Buffer> = []
  const directoryEntries: Array<Buffer> = []
  let offset = 0
  for (const { claimedSize, content, flags = 0, name } of parts) {
    const raw = Buffer.from(content)
    const compressed = deflateRawSync(raw)
    const nameBytes = Buffer.from(name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(flags, 2)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(crc32(raw), 10)
    header.writeUInt32LE(compressed.length, 14)
    header.writeUInt32LE(claimedSize ?? raw.length, 18)
    header.writeUInt16LE(nameBytes.length, 22)
    const directoryTail = Buffer.alloc(14)
    directoryTail.writeUInt32LE(offset, 10)
    directoryEntries.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), header, directoryTail, nameBytes])
    )
    const fileEntry = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), header, nameBytes, compressed])
    fileEntries.push(fileEntry)
    offset += fileEntry.length
  }
  const directory = Buffer.concat(directoryEntries)
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", "latin1")
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...fileEntries, directory, end]))
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const paragraph = (line: string) => {
  const [, marks, text] = /^(#{1,3} |- )?(.*)$/.exec(line) ?? []
  const style =
    marks === undefined
      ? ""
      : marks.startsWith("#")
        ? `<w:pPr><w:pStyle w:val="Heading${marks.length - 1}"/></w:pPr>`
        : `<w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr>`
  return `<w:p>${style}<w:r><w:t xml:space="preserve">${escape(text ?? "")}</w:t></w:r></w:p>`
}

/** A Word document of these lines: `# ` starts a heading, `- ` a list item, and `<` raw XML. */
export const docx = (lines: ReadonlyArray<string>) => {
  const body = lines.map((line) => (line.startsWith("<") ? line : paragraph(line))).join("")
  return zip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    { name: "word/document.xml", content: `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>` }
  ])
}

/** A PDF with a page for each list of lines, and `extra` in its trailer. */
export const pdf = (pages: ReadonlyArray<ReadonlyArray<string>>, extra = ""): Uint8Array<ArrayBuffer> =>
  pdfOf(
    pages.map((lines) => {
      const textOperators = lines.map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj T*`).join("\n")
      return { dictionary: "", stream: `BT /F1 11 Tf 50 780 Td 14 TL\n${textOperators}\nET` }
    }),
    extra
  )

/** A small PDF of one page whose content inflates to this many megabytes. */
export const inflatingPdf = (megabytes: number) => {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH })
  const packed = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: megabytes }, () => block)])
  return pdfOf([{ dictionary: "/Filter /FlateDecode", stream: packed.toString("latin1") }])
}

const pdfOf = (
  pages: ReadonlyArray<{ readonly dictionary: string; readonly stream: string }>,
  extra = ""
): Uint8Array<ArrayBuffer> => {
  const objects: Array<string> = []
  const pageReferences = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ")
  objects.push("<< /Type /Catalog /Pages 2 0 R >>")
  objects.push(`<< /Type /Pages /Count ${pages.length} /Kids [${pageReferences}] >>`)
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
  pages.forEach(({ dictionary, stream }, index) => {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`
    )
    objects.push(`<< /Length ${stream.length} ${dictionary} >>\nstream\n${stream}\nendstream`)
  })
  return pdfFrom(objects, extra)
}

/** A PDF of these objects, numbered from 1. The first one is the catalog. */
export const pdfFrom = (objects: ReadonlyArray<string>, extra = ""): Uint8Array<ArrayBuffer> => {
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const tableOffset = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  text += offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${extra} >>\nstartxref\n${tableOffset}\n%%EOF\n`
  return new Uint8Array(Buffer.from(text, "latin1"))
}
