// layers/research/Read.ts: what is asked of the reading thread, and how it answers. Runs in that thread alone.
import { fromDocx } from "#layers/research/read/Docx.ts"
import { extract, type Reading } from "#layers/research/Extract.ts"
import { fromHtml, type PageData } from "#layers/research/read/Html.ts"
import { type Kind, wideOf } from "#layers/research/read/Kinds.ts"
import { fromPdf } from "#layers/research/read/Pdf.ts"
import { fromCsv } from "#layers/research/read/Csv.ts"
import { Unreadable } from "#layers/research/read/Unreadable.ts"
import * as Windows1252 from "#schema/leadfile/Windows1252.ts"

interface SitePage {
  readonly html: boolean
  readonly text: string
}
export type Question =
  | { readonly kind: Kind; readonly content: Uint8Array }
  | { readonly kind: "pages"; readonly site: string; readonly pages: ReadonlyArray<SitePage> }
export type Reply = (Reading & { readonly text: string }) | { readonly unreadable: string }

const mostText = 2_000_000

const decoded = (bytes: Uint8Array) => {
  try {
    return new TextDecoder(wideOf(bytes) ?? "utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Windows1252.decode(bytes)
  }
}

const textOf = async ({ content, kind }: Extract<Question, { readonly content: Uint8Array }>): Promise<string> => {
  if (kind === "pdf") return fromPdf(content, mostText)
  if (kind === "docx") return fromDocx(content, mostText)
  const text = decoded(content).slice(0, mostText)
  return kind === "csv" ? fromCsv(text) : text
}

const noData: PageData = { title: "", siteName: "", description: "", organizations: [] }

const readSite = ({ pages, site }: Extract<Question, { readonly kind: "pages" }>): Reply => {
  const read = pages.map(({ html, text }) => (html ? fromHtml(text, mostText) : { text, data: noData }))
  const text = read
    .map((page) => page.text)
    .join("\n\n")
    .slice(0, mostText)
    .toWellFormed()
  return { ...extract(text, { url: site, pages: read.map(({ data }) => data) }), text }
}

export const answer = async (question: Question): Promise<Reply> => {
  try {
    if (question.kind === "pages") return readSite(question)
    const text = (await textOf(question)).slice(0, mostText).toWellFormed()
    return text.trim() === "" ? { unreadable: "The document holds no text" } : { ...extract(text), text }
  } catch (error) {
    return { unreadable: error instanceof Unreadable ? error.message : "The document is damaged and cannot be read" }
  }
}
