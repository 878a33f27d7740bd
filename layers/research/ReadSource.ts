// layers/research/ReadSource.ts: the requests to the thread that reads documents, and its replies. Runs only in that thread.
import { fromDocx } from "#layers/research/read/Docx.ts"
import { extract, type ExtractedProfile } from "#layers/research/ExtractProfile.ts"
import { fromHtml, type PageData } from "#layers/research/read/Html.ts"
import { type Kind, wideEncoding } from "#layers/research/read/FileKinds.ts"
import { fromPdf } from "#layers/research/read/Pdf.ts"
import { fromCsv } from "#layers/research/read/Csv.ts"
import { Unreadable } from "#layers/lib/Unreadable.ts"
import * as Windows1252 from "#schema/lead-files/Windows1252.ts"

interface SitePage {
  readonly html: boolean
  readonly text: string
}
export type ReadRequest =
  | { readonly kind: Kind; readonly content: Uint8Array }
  | { readonly kind: "pages"; readonly site: string; readonly pages: ReadonlyArray<SitePage> }
export type ReadReply = (ExtractedProfile & { readonly text: string }) | { readonly unreadable: string }

const maxTextLength = 2_000_000

const decodeText = (bytes: Uint8Array) => {
  try {
    return new TextDecoder(wideEncoding(bytes) ?? "utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Windows1252.decode(bytes)
  }
}

const readText = async ({ content, kind }: Extract<ReadRequest, { readonly content: Uint8Array }>): Promise<string> => {
  if (kind === "pdf") return fromPdf(content, maxTextLength)
  if (kind === "docx") return fromDocx(content, maxTextLength)
  const text = decodeText(content).slice(0, maxTextLength)
  return kind === "csv" ? fromCsv(text) : text
}

const noPageData: PageData = { title: "", siteName: "", address: "", description: "", organizations: [] }

const readSite = ({ pages, site }: Extract<ReadRequest, { readonly kind: "pages" }>): ReadReply => {
  const readPages = pages.map(({ html, text }) => (html ? fromHtml(text, maxTextLength) : { text, data: noPageData }))
  const text = readPages
    .map((page) => page.text)
    .join("\n\n")
    .slice(0, maxTextLength)
    .toWellFormed()
  return { ...extract(text, { url: site, pages: readPages.map(({ data }) => data) }), text }
}

export const answerReadRequest = async (request: ReadRequest): Promise<ReadReply> => {
  try {
    if (request.kind === "pages") return readSite(request)
    const text = (await readText(request)).slice(0, maxTextLength).toWellFormed()
    return text.trim() === "" ? { unreadable: "The document holds no text" } : { ...extract(text), text }
  } catch (error) {
    return { unreadable: error instanceof Unreadable ? error.message : "The document is damaged and cannot be read" }
  }
}
