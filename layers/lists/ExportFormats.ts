// layers/lists/ExportFormats.ts: encodes written leads as CSV, in the API's columns or those of a sending tool, and as
// JSON.
import { Effect, Schema, Stream } from "effect"
import { combineMarks, StoredCheck, WrittenLead } from "#layers/lists/LeadColumns.ts"
import { type CustomFields, type LeadField, leadFields, type Sequence } from "#schema/Lead.ts"
import type { Marks } from "#schema/ListLeads.ts"
import { type ExportPreset, sendDays } from "#schema/Lists.ts"

type LeadCells = { readonly [F in LeadField]-?: string | null } & { readonly custom_fields: CustomFields | null }

/** Prefixes a quote to cells that a spreadsheet would run as a formula. */
const escapeFormula = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

const quoteCell = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of CSV in which no cell can run as a formula. */
export const csvLine = (cells: ReadonlyArray<string>) =>
  `${cells.map((cell) => quoteCell(escapeFormula(cell))).join(",")}\r\n`

const cellsPerStep = (count: number, cells: (step: number) => ReadonlyArray<string>) =>
  Array.from({ length: count }, (_, step) => cells(step)).flat()

/** The variable columns of a list's CSV. */
export interface Columns {
  /** Emails per lead. */
  readonly steps: number
  /** Custom field keys in column order. */
  readonly keys: ReadonlyArray<string>
}

const headerCells = (columns: Columns) => [
  ...leadFields,
  ...cellsPerStep(columns.steps, (step) => [`step_${step + 1}_subject`, `step_${step + 1}_body`]),
  ...columns.keys.map((key) => `custom_${key}`)
]

const csvHeader = (columns: Columns) => csvLine(headerCells(columns))

/** `hasOwn`, because a key like `constructor` exists on every object. */
const customCell = (fields: CustomFields | null, key: string) =>
  fields !== null && Object.hasOwn(fields, key) ? String(fields[key] ?? "") : ""

const rowCells = (lead: LeadCells, sequence: Sequence, columns: Columns) => [
  ...leadFields.map((field) => lead[field] ?? ""),
  ...cellsPerStep(columns.steps, (step) => [sequence[step]?.subject ?? "", sequence[step]?.body ?? ""]),
  ...columns.keys.map((key) => customCell(lead.custom_fields, key))
]

const csvRow = (lead: LeadCells, sequence: Sequence, columns: Columns) => csvLine(rowCells(lead, sequence, columns))

/** The options of an export; without any, it has all leads in the API's columns. */
export interface ExportOptions {
  readonly review?: "approved" | undefined
  readonly preset?: ExportPreset | undefined
  readonly columns?: "all" | undefined
  readonly suppressed?: "exclude" | undefined
  /** `new`: only leads that no earlier file has. */
  readonly exported?: "new" | undefined
}

/** A lead with the additional columns of `columns=all`. */
export const ExportRow = Schema.Struct({
  ...WrittenLead.fields,
  persona_id: Schema.NullOr(Schema.String),
  edited: Schema.BooleanFromBit,
  findings: Schema.NullOr(Schema.fromJsonString(Schema.Array(StoredCheck))),
  review: Schema.NullOr(Schema.String),
  review_note: Schema.NullOr(Schema.String)
})
export type ExportRow = typeof ExportRow.Type

const countedSeverities = ["fail", "warn", "hint"] as const

const reviewHeaders = ({ steps: count }: Columns) => [
  ...cellsPerStep(count, (step) => [`send_day_${step + 1}`]),
  ...countedSeverities.map((severity) => `findings_${severity}`),
  "persona_id",
  "edited",
  "review",
  "review_note",
  "ai_generated",
  "model",
  "prompt_version"
]

const exportMarks = ({ findings, sequence }: ExportRow) =>
  combineMarks(sequence.map((_, index) => findings?.[index] ?? {}))

const reviewCells = (lead: ExportRow, { steps: count }: Columns) => {
  const { edited, findings, persona_id, review, review_note } = lead
  const { ai_generated, model, prompt_version } = exportMarks(lead)
  const allFindings = (findings ?? []).flatMap((email) => email.findings)
  return [
    ...cellsPerStep(count, (step) => [String(sendDays[count]?.[step] ?? "")]),
    ...countedSeverities.map((severity) =>
      String(allFindings.filter((finding) => finding.severity === severity).length)
    ),
    persona_id ?? "",
    String(edited),
    review ?? "open",
    review_note ?? "",
    // Empty if unknown.
    ai_generated === null ? "" : String(ai_generated),
    model ?? "",
    prompt_version ?? ""
  ]
}

/** The header line and a row encoder for a CSV with a filter, preset or additional columns. `encodeCsv` makes the CSV without options. */
export const csvWithOptions = (options: ExportOptions, columns: Columns) => {
  const hasAllColumns = options.columns === "all"
  const headers = [...headerCells(columns), ...(hasAllColumns ? reviewHeaders(columns) : [])]
  const leadCells = (lead: ExportRow) => [
    ...rowCells(lead, lead.sequence, columns),
    ...(hasAllColumns ? reviewCells(lead, columns) : [])
  ]
  if (options.preset === undefined)
    return { header: csvLine(headers), rowOf: (lead: ExportRow) => csvLine(leadCells(lead)) }
  const columnsOfPreset = presetColumns(options.preset, headers)
  return {
    header: csvLine(columnsOfPreset.map(({ header }) => header)),
    rowOf: (lead: ExportRow) => {
      const cells = leadCells(lead)
      return csvLine(columnsOfPreset.map(({ read }) => read(cells)))
    }
  }
}

export const formats = ["csv", "json"] as const
export type Format = (typeof formats)[number]

export type Pages = Stream.Stream<ReadonlyArray<WrittenLead>>

const leadJson = ({ company, custom_fields, email, name, sequence, title }: WrittenLead, marks: Partial<Marks> = {}) =>
  JSON.stringify({
    email,
    name,
    company,
    title,
    ...(custom_fields === null ? {} : { custom_fields }),
    sequence,
    ...marks
  })

/**
 * The CSV without options: the API's columns of all written leads, also in the files of long lists. `csvWithOptions`
 * needs columns of the review, which these leads are read without.
 */
const encodeCsv = (pages: Pages, columns: Columns) =>
  Stream.make(csvHeader(columns)).pipe(
    Stream.concat(Stream.map(pages, (leads) => leads.map((lead) => csvRow(lead, lead.sequence, columns)).join("")))
  )

const encodeJson = <L extends WrittenLead>(
  pages: Stream.Stream<ReadonlyArray<L>>,
  marksFor: (lead: L) => Partial<Marks> = () => ({})
) => {
  const body = pages.pipe(
    Stream.filter((leads) => leads.length > 0),
    Stream.zipWithIndex,
    Stream.map(([leads, i]) => (i === 0 ? "" : ",") + leads.map((lead) => leadJson(lead, marksFor(lead))).join(","))
  )
  return Stream.make('{"leads":[').pipe(Stream.concat(body), Stream.concat(Stream.make("]}")))
}

/** The leads as JSON. `columns=all` adds the marks of generated text. */
export const jsonWithOptions = ({ columns }: ExportOptions, pages: Stream.Stream<ReadonlyArray<ExportRow>>) =>
  encodeJson(pages, columns === "all" ? exportMarks : undefined)

/** Encodes a file page by page. Yields after each page, so that other requests run however fast the reader is. */
export const encode = (format: Format, pages: Pages, columns: Columns): Stream.Stream<Uint8Array> => {
  const yielding = Stream.tap(pages, () => Effect.yieldNow)
  return Stream.encodeText(format === "csv" ? encodeCsv(yielding, columns) : encodeJson(yielding))
}

/**
 * The headers that a sending tool maps to its own fields. Columns without such a field, mainly the emails, become
 * custom variables.
 */
interface SendingTool {
  /** The tool's names for lead fields, where they differ from the API's. */
  readonly fieldNames: { readonly [field: string]: string }
  /** The headers of the whole, first and last name. Most tools have no field for the whole name. */
  readonly nameHeaders: { readonly full?: string; readonly first: string; readonly last: string }
  /** Converts a header to the tool's spelling. */
  readonly formatHeader: (name: string) => string
}

const keepSpelling = (name: string) => name
const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const toTitleCase = (name: string) =>
  name.replace(/(^|_)([a-z\d])/g, (_, gap: string, letter: string) => `${gap === "" ? "" : " "}${letter.toUpperCase()}`)

const apiNameHeaders = { first: "first_name", last: "last_name" }

/** From each tool's API reference; the tools' file imports were not tried. */
const sendingTools: { readonly [P in ExportPreset]: SendingTool } = {
  // https://developer.instantly.ai/api-reference/lead
  instantly: {
    fieldNames: { title: "job_title", company: "company_name", company_website: "website" },
    nameHeaders: apiNameHeaders,
    formatHeader: keepSpelling
  },
  // https://api.smartlead.ai/api-reference/openapi.yaml, leads added to a campaign
  smartlead: {
    fieldNames: { company: "company_name", linkedin_url: "linkedin_profile", company_website: "website" },
    nameHeaders: apiNameHeaders,
    formatHeader: keepSpelling
  },
  // https://developer.lemlist.com/api-reference/objects-definitions/lead
  lemlist: {
    fieldNames: { title: "job_title", company: "company_name" },
    nameHeaders: apiNameHeaders,
    formatHeader: toCamelCase
  },
  // The merge fields are {{name}}, {{first}} and {{last}}.
  mailshake: {
    fieldNames: { company_website: "website" },
    nameHeaders: { full: "name", first: "first", last: "last" },
    formatHeader: keepSpelling
  },
  // https://knowledge.hubspot.com/import-and-export/sample-import-files
  hubspot: {
    fieldNames: {
      title: "Job Title",
      company: "Company Name",
      company_website: "Website URL",
      linkedin_url: "LinkedIn URL"
    },
    nameHeaders: { first: "First Name", last: "Last Name" },
    formatHeader: toTitleCase
  }
}

export interface Column {
  readonly header: string
  readonly read: (row: ReadonlyArray<string>) => string
}

const firstWord = (name: string) => name.trim().split(/\s+/)[0] ?? ""
const otherWords = (name: string) => name.trim().split(/\s+/).slice(1).join(" ")

/** Numbers headers that differ only in case, because tools merge such columns: "customA1" and "customA1_2". */
const withUniqueHeaders = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const usedHeaders = new Set<string>()
  return columns.map(({ header, read }) => {
    let uniqueHeader = header
    for (let count = 2; usedHeaders.has(uniqueHeader.toLowerCase()); count++) uniqueHeader = `${header}_${count}`
    usedHeaders.add(uniqueHeader.toLowerCase())
    return { header: uniqueHeader, read }
  })
}

/** The columns of the tool's file, made from the columns of the API's CSV. */
const presetColumns = (preset: ExportPreset, headers: ReadonlyArray<string>): ReadonlyArray<Column> => {
  const { fieldNames, nameHeaders, formatHeader: spell } = sendingTools[preset]
  const columns = headers.flatMap((header, index): ReadonlyArray<Column> => {
    const read = (row: ReadonlyArray<string>) => row[index] ?? ""
    const toolName = fieldNames[header]
    if (header !== "name") return [{ header: spell(toolName ?? header), read }]
    return [
      ...(nameHeaders.full === undefined ? [] : [{ header: nameHeaders.full, read }]),
      { header: spell(nameHeaders.first), read: (row) => firstWord(read(row)) },
      { header: spell(nameHeaders.last), read: (row) => otherWords(read(row)) }
    ]
  })
  return withUniqueHeaders(columns)
}
