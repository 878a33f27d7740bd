// layers/previews/Columns.ts: fills the columns of a user's lead file from a synthetic lead.
import { Schema, Struct } from "effect"
import { isSenderColumn, recogniseHeader } from "#schema/lead-files/Headers.ts"
import type { SyntheticLead } from "#layers/Generator.ts"
import { truncateTo, Email } from "#schema/Fields.ts"
import { type CustomFields, maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import { customFieldKeys } from "#schema/lead-files/CustomFields.ts"

const fullName = ({ first_name, last_name }: SyntheticLead) => `${first_name} ${last_name}`

/** For each kind of column, the lead's value. */
const cellValues = {
  email: (lead) => lead.email,
  name: fullName,
  anyName: fullName,
  contact: fullName,
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

const ColumnMeaning = Schema.Literals(Struct.keys(cellValues))
type ColumnMeaning = typeof ColumnMeaning.Type

/**
 * `holds` is null if a synthetic lead has no value for the column. A column with a `key` becomes a custom field of the lead.
 */
export const Column = Schema.Struct({
  header: Schema.String,
  holds: Schema.NullOr(ColumnMeaning),
  key: Schema.optionalKey(Schema.String)
})
export type Column = typeof Column.Type

export const cellText = ({ holds }: Column, lead: SyntheticLead): string =>
  holds === null ? "" : cellValues[holds](lead)

/** The custom fields of a synthetic lead, without empty ones. */
export const customFieldCells = (columns: ReadonlyArray<Column>, lead: SyntheticLead): CustomFields =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const cell = cellText(column, lead)
      return column.key === undefined || cell === "" ? [] : [[column.key, truncateTo(cell, maxCustomField)]]
    })
  )

/** Columns about a company that are not lead fields. */
const companyColumns: ReadonlyArray<readonly [RegExp, ColumnMeaning]> = [
  [/\bdomain\b/, "company_domain"],
  [/^(?:company )?(?:industry|sector|branche|secteur)$/, "industry"],
  [
    /^(?:company |organi[sz]ation )?(?:size|employees|employee count|headcount)$|^(?:number|no\.?|#) (?:of )?employees$|^mitarbeiter(?:zahl)?$/,
    "company_size"
  ],
  [/^(?:company )?(?:location|city|town|stadt|ort|standort|ville|ciudad)$/, "location"]
]

const enrichmentColumns: ReadonlyArray<Column> = [
  { header: "Company Industry", holds: "industry" },
  { header: "Company Size", holds: "company_size" },
  { header: "Company Location", holds: "location" }
]

const normalizeHeader = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
const isSameHeader = (a: string, b: string) => normalizeHeader(a) === normalizeHeader(b)

const meaningByHeader = (header: string): ColumnMeaning | undefined => {
  const meaning =
    companyColumns.find(([pattern]) => pattern.test(normalizeHeader(header)))?.[1] ?? recogniseHeader(header)?.meaning
  // A synthetic lead is never excluded.
  return meaning === "exclude" ? undefined : meaning
}

/** Recognises a column by its cells if its header is unknown. */
const meaningByCells = (header: string, cells: ReadonlyArray<string>): ColumnMeaning | undefined => {
  const allCells = (test: (cell: string) => boolean) => cells.length > 0 && !isSenderColumn(header) && cells.every(test)
  if (allCells(Schema.is(Email))) return "email"
  if (allCells((cell) => /linkedin\.com\/(?:in|pub)\//i.test(cell))) return "linkedin_url"
  return allCells((cell) => /^https?:\/\/\S+$/i.test(cell)) ? "company_website" : undefined
}

const isCustomColumn = (holds: Column["holds"]) =>
  holds === null || companyColumns.some(([, holding]) => holding === holds)

/** Assigns custom field keys to the columns that are not lead fields. */
const addCustomKeys = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  // Without a website column, the domain is used as the website.
  const hasSite = columns.some(({ holds }) => holds === "company_website")
  const custom = columns
    .map(({ header, holds }, index) => ({ header, holds, index }))
    .filter(({ holds }) => isCustomColumn(holds) && (holds !== "company_domain" || hasSite))
    .slice(0, maxCustomFields)
  const keys = customFieldKeys(custom)
  const keyByIndex = new Map(custom.map(({ index }, keyIndex) => [index, keys[keyIndex] ?? ""]))
  return columns.map((column, index) => {
    const key = keyByIndex.get(index)
    return key === undefined ? column : { ...column, key }
  })
}

/**
 * Maps the columns. `mapping` maps lead fields, in the caller's spelling ("jobTitle"), to headers. Other columns are
 * recognised by their header, or else by the sample's cells, unless their field is mapped.
 */
export const assignColumns = (
  headers: ReadonlyArray<string>,
  mapping: Readonly<Record<string, string | null>>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  enriched: boolean
): ReadonlyArray<Column> => {
  const mappedColumns = new Map<number, ColumnMeaning>()
  for (const [field, header] of Object.entries(mapping)) {
    const meaning = meaningByHeader(field)
    if (meaning === undefined || header === null) continue
    const exactIndex = headers.indexOf(header)
    const columnIndex = exactIndex === -1 ? headers.findIndex((each) => isSameHeader(each, header)) : exactIndex
    if (columnIndex !== -1) mappedColumns.set(columnIndex, meaning)
  }
  const mappedMeanings = new Set(mappedColumns.values())
  const meanings = headers.map((header, index): ColumnMeaning | undefined => {
    const cells = rows.flatMap((row) => row[index]?.trim() || [])
    const meaning = mappedColumns.get(index) ?? meaningByHeader(header) ?? meaningByCells(header, cells)
    if (meaning === undefined || (!mappedColumns.has(index) && mappedMeanings.has(meaning))) return undefined
    // If the caller's websites are bare domains, so are the synthetic ones.
    const isBare = meaning === "company_website" && cells.length > 0 && !cells.some((cell) => /^https?:/i.test(cell))
    return isBare ? "company_domain" : meaning
  })
  // Beside a first or last name, a general name header is the other half: "Vorname, Name", "Nombre, Apellidos".
  const hasFirstName = meanings.includes("firstName")
  const hasLastName = meanings.includes("lastName")
  const ambiguousName = hasFirstName === hasLastName ? "anyName" : hasFirstName ? "lastName" : "firstName"
  const fileColumns = addCustomKeys(
    headers.map((header, index): Column => {
      const meaning = meanings[index] ?? null
      return { header, holds: meaning === "anyName" && !mappedColumns.has(index) ? ambiguousName : meaning }
    })
  )
  return enriched
    ? [...fileColumns, ...enrichmentColumns.filter(({ header }) => !headers.some((each) => isSameHeader(each, header)))]
    : fileColumns
}
