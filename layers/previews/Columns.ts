// layers/previews/Columns.ts: a lead laid out under somebody's own headers.
import { type Meaning, recognise } from "#layers/leadfile/Headers.ts"
import type { SyntheticLead } from "#layers/Generator.ts"

/** What one column holds of a lead; nothing where its header stands for nothing that a lead has. */
export type Column = { readonly header: string; readonly cell: (lead: SyntheticLead) => string }

type Cell = Column["cell"]

const cells: Readonly<Record<Meaning, Cell>> = {
  email: (lead) => lead.email,
  name: (lead) => `${lead.first_name} ${lead.last_name}`,
  anyName: (lead) => `${lead.first_name} ${lead.last_name}`,
  contact: (lead) => `${lead.first_name} ${lead.last_name}`,
  firstName: (lead) => lead.first_name,
  infix: () => "",
  lastName: (lead) => lead.last_name,
  title: (lead) => lead.title,
  company: (lead) => lead.company,
  linkedin_url: (lead) => lead.linkedin_url,
  company_website: (lead) => lead.company_website
}

const enrichment: ReadonlyArray<Column> = [
  { header: "Company Industry", cell: (lead) => lead.industry },
  { header: "Company Size", cell: (lead) => lead.company_size },
  { header: "Company Location", cell: (lead) => lead.location }
]

const empty: Cell = () => ""
const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/**
 * A mapping names the field of a lead in the caller's words ("jobTitle") and the header that holds it. The other headers
 * are recognised, but for fields that were mapped.
 */
export const columnsOf = (
  headers: ReadonlyArray<string>,
  mapping: Readonly<Record<string, string | null>>,
  enriched: boolean
): ReadonlyArray<Column> => {
  const mapped = new Map<number, Meaning>()
  for (const [field, header] of Object.entries(mapping)) {
    const meaning = recognise(field)?.meaning
    if (meaning === undefined || header === null) continue
    const exact = headers.indexOf(header)
    const at = exact === -1 ? headers.findIndex((each) => same(each, header)) : exact
    if (at !== -1) mapped.set(at, meaning)
  }
  const taken = new Set(mapped.values())
  const meanings = headers.map((header, at) => {
    const meaning = mapped.get(at) ?? recognise(header)?.meaning
    return meaning !== undefined && (mapped.has(at) || !taken.has(meaning)) ? meaning : undefined
  })
  // "Vorname, Name" and "Nombre, Apellidos" are halves.
  const first = meanings.includes("firstName")
  const last = meanings.includes("lastName")
  const half = first === last ? undefined : first ? cells.lastName : cells.firstName
  const own = headers.map((header, at): Column => {
    const meaning = meanings[at]
    if (meaning === undefined) return { header, cell: empty }
    return { header, cell: meaning === "anyName" && !mapped.has(at) ? (half ?? cells.anyName) : cells[meaning] }
  })
  if (!enriched) return own
  return [...own, ...enrichment.filter(({ header }) => !headers.some((each) => same(each, header)))]
}
