// layers/previews/Columns.ts: a synthetic lead under the column headers of a user's file.
import { Schema, Struct } from "effect"
import { isOurs, recognise } from "#schema/leadfile/Headers.ts"
import type { SyntheticLead } from "#layers/Generator.ts"
import { cutTo, Email } from "#schema/Fields.ts"
import { type CustomFields, maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import { keysOf } from "#schema/leadfile/Custom.ts"

const name = ({ first_name, last_name }: SyntheticLead) => `${first_name} ${last_name}`

/** What a column can hold of a lead. */
const cells = {
  email: (lead) => lead.email,
  name,
  anyName: name,
  contact: name,
  firstName: (lead) => lead.first_name,
  infix: () => "",
  lastName: (lead) => lead.last_name,
  title: (lead) => lead.title,
  company: (lead) => lead.company,
  linkedin_url: (lead) => lead.linkedin_url,
  company_website: (lead) => lead.company_website,
  company_domain: (lead) => lead.company_website.replace(/^https?:\/\/(?:www\.)?/, ""),
  industry: (lead) => lead.industry,
  company_size: (lead) => lead.company_size,
  location: (lead) => lead.location
} satisfies Readonly<Record<string, (lead: SyntheticLead) => string>>

const Holding = Schema.Literals(Struct.keys(cells))
type Holding = typeof Holding.Type

/**
 * `holds` is null where a header stands for nothing that a made-up lead has. With a `key`, a lead of such a file has the
 * column as a custom field.
 */
export const Column = Schema.Struct({
  header: Schema.String,
  holds: Schema.NullOr(Holding),
  key: Schema.optionalKey(Schema.String)
})
export type Column = typeof Column.Type

export const cellOf = ({ holds }: Column, lead: SyntheticLead): string => (holds === null ? "" : cells[holds](lead))

/** The custom fields of a made-up lead; none for columns that nothing can be made up for. */
export const customFieldsOf = (columns: ReadonlyArray<Column>, lead: SyntheticLead): CustomFields =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const cell = cellOf(column, lead)
      return column.key === undefined || cell === "" ? [] : [[column.key, cutTo(cell, maxCustomField)]]
    })
  )

/** What lead files tell of a company beyond what a lead is written to by. */
const beyond: ReadonlyArray<readonly [RegExp, Holding]> = [
  [/\bdomain\b/, "company_domain"],
  [/^(?:company )?(?:industry|sector|branche|secteur)$/, "industry"],
  [
    /^(?:company |organi[sz]ation )?(?:size|employees|employee count|headcount)$|^(?:number|no\.?|#) (?:of )?employees$|^mitarbeiter(?:zahl)?$/,
    "company_size"
  ],
  [/^(?:company )?(?:location|city|town|stadt|ort|standort|ville|ciudad)$/, "location"]
]

const enrichment: ReadonlyArray<Column> = [
  { header: "Company Industry", holds: "industry" },
  { header: "Company Size", holds: "company_size" },
  { header: "Company Location", holds: "location" }
]

const plain = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
const same = (a: string, b: string) => plain(a) === plain(b)

const byHeader = (header: string): Holding | undefined =>
  beyond.find(([pattern]) => pattern.test(plain(header)))?.[1] ?? recognise(header)?.meaning

/** What the caller's own cells are, where their header does not say it. */
const byCells = (header: string, shown: ReadonlyArray<string>): Holding | undefined => {
  const all = (test: (cell: string) => boolean) => shown.length > 0 && !isOurs(header) && shown.every(test)
  if (all(Schema.is(Email))) return "email"
  if (all((cell) => /linkedin\.com\/(?:in|pub)\//i.test(cell))) return "linkedin_url"
  return all((cell) => /^https?:\/\/\S+$/i.test(cell)) ? "company_website" : undefined
}

const isBeyond = (holds: Column["holds"]) => holds === null || beyond.some(([, holding]) => holding === holds)

/** Gives the columns that are no field of a lead the keys that they have in a lead file. */
const withKeys = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  // A domain stands in for the site where no other column has that.
  const hasSite = columns.some(({ holds }) => holds === "company_website")
  const custom = columns
    .map(({ header, holds }, index) => ({ header, holds, index }))
    .filter(({ holds }) => isBeyond(holds) && (holds !== "company_domain" || hasSite))
    .slice(0, maxCustomFields)
  const keys = keysOf(custom)
  const keyAt = new Map(custom.map(({ index }, at) => [index, keys[at] ?? ""]))
  return columns.map((column, at) => {
    const key = keyAt.get(at)
    return key === undefined ? column : { ...column, key }
  })
}

/**
 * A mapping names the field of a lead in the caller's words ("jobTitle") and the header that holds it. The other headers
 * are recognised, by their words or else by the cells of the sample, but for fields that were mapped.
 */
export const columnsOf = (
  headers: ReadonlyArray<string>,
  mapping: Readonly<Record<string, string | null>>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  enriched: boolean
): ReadonlyArray<Column> => {
  const mapped = new Map<number, Holding>()
  for (const [field, header] of Object.entries(mapping)) {
    const holding = byHeader(field)
    if (holding === undefined || header === null) continue
    const exact = headers.indexOf(header)
    const at = exact === -1 ? headers.findIndex((each) => same(each, header)) : exact
    if (at !== -1) mapped.set(at, holding)
  }
  const taken = new Set(mapped.values())
  const holdings = headers.map((header, at): Holding | undefined => {
    const shown = rows.flatMap((row) => row[at]?.trim() || [])
    const holding = mapped.get(at) ?? byHeader(header) ?? byCells(header, shown)
    if (holding === undefined || (!mapped.has(at) && taken.has(holding))) return undefined
    // Where the caller's sites are bare domains, so are these.
    const isBare = holding === "company_website" && shown.length > 0 && !shown.some((cell) => /^https?:/i.test(cell))
    return isBare ? "company_domain" : holding
  })
  // "Vorname, Name" and "Nombre, Apellidos" are halves.
  const first = holdings.includes("firstName")
  const last = holdings.includes("lastName")
  const half = first === last ? "anyName" : first ? "lastName" : "firstName"
  const own = withKeys(
    headers.map((header, at): Column => {
      const holding = holdings[at] ?? null
      return { header, holds: holding === "anyName" && !mapped.has(at) ? half : holding }
    })
  )
  return enriched ? [...own, ...enrichment.filter(({ header }) => !headers.some((each) => same(each, header)))] : own
}
