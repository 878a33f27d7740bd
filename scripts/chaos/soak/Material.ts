// scripts/chaos/soak/Material.ts: the leads, questions, documents and sites of a soak.
import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { docx, pdf } from "#test/support/documents.ts"
import * as Leads from "../../Leads.ts"

/** Each has a company of its own, so that nothing kept by it is asked for again. */
export const lead = (at: number, website?: string) => {
  const { company, email, name, title } = Leads.lead(at)
  return {
    email,
    name,
    title,
    company: company.replace(" ", `${at.toString(36)} `),
    ...(website === undefined ? {} : { company_website: website })
  }
}

export const questions = [
  "What does it cost?",
  "Who are the competitors?",
  "What is the guarantee?",
  "Which results can we show a CFO?",
  "How long does it take to start?",
  "Where are you based, and whom do I call?"
]

const brochure = (name: string) => readFileSync(join(import.meta.dirname, "../../../test/fixtures/brochures", name))
const lines = brochure("dental.md").toString().split("\n")

interface Document {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const of = (name: string) => ({ name, bytes: new Uint8Array(brochure(name)) })

/** What can be read, of each kind, and what cannot. */
export const documents: ReadonlyArray<Document> = [
  of("agency.txt"),
  of("pumps.md"),
  of("profile.csv"),
  { name: "dental.docx", bytes: docx(lines) },
  { name: "dental.pdf", bytes: pdf([lines.slice(0, 40), lines.slice(40, 80)]) },
  { name: "long.txt", bytes: new Uint8Array(Buffer.from(lines.join("\n").repeat(100))) },
  { name: "broken.pdf", bytes: pdf([lines.slice(0, 10)]).slice(0, 300) },
  { name: "broken.docx", bytes: docx(lines).slice(0, 400) }
]

const page = brochure("hvac.md").toString().replaceAll("&", "&amp;").replaceAll("<", "&lt;").split("\n")
const html = `<!doctype html><title>Home</title>${page.map((line) => `<p>${line}</p>`).join("")}<a href="/about">About</a>`

export const website: RequestListener = (_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8")
  response.end(html)
}
