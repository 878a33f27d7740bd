// schema/lead-files/Parser.ts: parses a lead file, whatever its columns are called.
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { truncateTo } from "#schema/Fields.ts"
import { Lead, leadFields, maxCustomField, maxLeads } from "#schema/Lead.ts"
import { maxOmittedName, maxOmittedReason, maxOmittedRows, type OmittedRowInput } from "#schema/OmittedRows.ts"
import { emailAddressIn, isEmailCell, quoteCell, displayCell } from "#schema/lead-files/Cells.ts"
import { type CustomColumn, customColumns, customFieldsOf } from "#schema/lead-files/CustomFields.ts"
import {
  type Column,
  type Field,
  type Mapping,
  mapByContent,
  mapByHeader,
  mappedFields
} from "#schema/lead-files/Columns.ts"
import { isExcludingCell, isOptOutColumn, recogniseHeader } from "#schema/lead-files/Headers.ts"
import {
  type Delimiter,
  type Encoding,
  LeadFileError,
  tableFromSheet,
  type Row,
  type Table,
  readTable
} from "#schema/lead-files/Table.ts"

export { LeadFileError }

const aboveHeadersReason = "above the row of headers"
const repeatedAddress = "same address as line"

/** Whether the skipped row is one of the leads' rows, and not above the headers. */
export const isDataLine = ({ reason }: SkippedLine) => reason !== aboveHeadersReason

/**
 * How many of the skipped rows repeat the address of an earlier one, and how many cannot be read as leads. Rows that a
 * column such as "Opt out" leaves out do not count.
 */
export const countSkipped = (skipped: ReadonlyArray<SkippedLine>) => {
  const rows = skipped.filter((line) => isDataLine(line) && line.lead === undefined)
  const duplicate = rows.filter(({ reason }) => reason.startsWith(repeatedAddress)).length
  return { duplicate, unusable: rows.length - duplicate }
}

/** A skipped row, with the reason. */
export interface SkippedLine {
  /** The line where the row begins, from 1. */
  readonly line: number
  readonly reason: string
  /** The row's address, valid or not. */
  readonly email?: string
  /** The row's name, where the row gives no lead. */
  readonly name?: string
  /** Whether the column says that the person must not be written to at all, such as "Unsubscribed". */
  readonly isOptOut?: true
  /** The row's lead, where a column such as "Opt out" says to leave it out: a person may write to it all the same. */
  readonly lead?: Lead
}

export interface LeadFile {
  /** Null for a workbook, like the delimiter. */
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  /** The headers that each field is read from, joined in this order; empty if no column matches. */
  readonly columns: Readonly<Record<Field, ReadonlyArray<string>>>
  /** The columns that become custom fields, with their keys. */
  readonly custom: ReadonlyArray<Pick<CustomColumn, "header" | "key">>
  /** Columns that are not used: they are empty, or exceed the limit of custom fields. */
  readonly unused: ReadonlyArray<string>
  /** Custom fields whose text was truncated, with the number of rows. */
  readonly shortened: ReadonlyArray<{ readonly header: string; readonly rows: number }>
  /** All headers of the file, in order. */
  readonly headers: ReadonlyArray<string>
  readonly leads: ReadonlyArray<Lead>
  readonly left_out: ReadonlyArray<SkippedLine>
}

/**
 * The headers chosen by a person for a field; an empty list leaves the field empty. All other fields are recognised.
 */
export type ChosenColumns = { readonly [F in Field]?: ReadonlyArray<string> }

/** Rows that are sampled to recognise columns. */
const maxSampledRows = 1000

/** Cells in a row. Each column is examined, so a row of a million commas would take seconds. */
const maxColumns = 1000

/** The leads of a file in row order, without repeated addresses. Fails if the file is not a list of leads. */
export const parseLeadFile = Effect.fn("LeadFile.read")(function* (
  file: Uint8Array | string,
  chosen: ChosenColumns = {}
) {
  return yield* fromTable(yield* readTable(file), chosen)
})

/** The leads of a workbook sheet, from its rows. */
export const parseLeadSheet = Effect.fn("LeadFile.readSheet")(
  (cells: ReadonlyArray<ReadonlyArray<string>>, chosen: ChosenColumns) => fromTable(tableFromSheet(cells), chosen)
)

const fromTable = Effect.fnUntraced(function* ({ delimiter, encoding, rows }: Table, chosen: ChosenColumns) {
  const wide = rows.find(({ cells }) => cells.length > maxColumns)
  if (wide !== undefined) return yield* tooManyColumnsError(wide)
  const { above, columns, data, hasHeader, width } = splitHeader(rows)
  if (data.length === 0) return yield* noRowsError(rows)
  if (data.length > maxLeads) return yield* tooManyError(data.length)
  for (const field of mappedFields) {
    const missing = chosen[field]?.find((header) => !columns.some((column) => column.header === header))
    if (missing !== undefined) return yield* unknownColumnError(field, missing, columns)
  }

  const recognised = hasHeader ? mapByHeader(columns) : mapByContent(columns)
  const mapping = mapFields(
    (field) =>
      chosen[field]?.flatMap((header) => columns.find((column) => column.header === header) ?? []) ?? recognised[field]
  )
  if (mapping.email.length === 0) return yield* noEmailColumnError(columns)

  const used = new Set(mappedFields.flatMap((field) => mapping[field]))
  const others = columns.filter((column) => !used.has(column))
  const custom = customColumns(others, data)
  const { leads, left_out, shortened } = readLeads(data, { mapping, custom, width })

  const customIndexes = new Set(custom.map(({ index }) => index))
  return {
    encoding,
    delimiter,
    columns: mapFields((field) => mapping[field].map(({ header }) => header)),
    custom: custom.map(({ header, key }) => ({ header, key })),
    unused: others.filter(({ index }) => !customIndexes.has(index)).map(({ header }) => header),
    shortened,
    headers: columns.map(({ header }) => header),
    leads,
    left_out: [...above.map(({ line }): SkippedLine => ({ line, reason: aboveHeadersReason })), ...left_out]
  } satisfies LeadFile
})

const mapFields = <A>(valueOf: (field: Field) => A): Readonly<Record<Field, A>> => ({
  email: valueOf("email"),
  name: valueOf("name"),
  title: valueOf("title"),
  company: valueOf("company"),
  linkedin_url: valueOf("linkedin_url"),
  company_website: valueOf("company_website"),
  exclude: valueOf("exclude")
})

const isEmailHeader = (cell: string) => recogniseHeader(cell)?.meaning === "email"

/** The headers are above the first address; if the first row has an address, there are no headers. */
const splitHeader = (rows: ReadonlyArray<Row>) => {
  const firstAddressRow = rows.findIndex(({ cells }) => cells.some(isEmailCell))
  const hasHeader = firstAddressRow !== 0
  const candidates = rows.slice(0, firstAddressRow === -1 ? 1 : firstAddressRow)
  const headerRow = Math.max(
    0,
    candidates.findIndex(({ cells }) => cells.some(isEmailHeader))
  )
  const data = hasHeader ? rows.slice(headerRow + 1) : rows
  const sample = data.slice(0, maxSampledRows)
  const headers = hasHeader ? (rows[headerRow]?.cells ?? []) : []
  const width = hasHeader ? headers.length : commonWidth(sample)
  const columns = Array.from({ length: width }, (_, index): Column => {
    const header = headers[index] || `column ${index + 1}`
    return { index, header, cells: sample.map(({ cells }) => cells[index] ?? "") }
  }).filter(({ cells, index }) => headers[index] || cells.some((cell) => cell !== ""))
  return { above: rows.slice(0, headerRow), hasHeader, columns, width, data }
}

const commonWidth = (rows: ReadonlyArray<Row>) => {
  const widths = Map.groupBy(rows, ({ cells }) => cells.length)
  return [...widths].reduce((best, next) => (next[1].length > best[1].length ? next : best), [0, []])[0]
}

const noRowsError = (rows: ReadonlyArray<Row>) =>
  new LeadFileError({
    problem: "no rows",
    message:
      rows.length === 0
        ? "The file is empty. It needs a row of headers and a row for each lead."
        : "The file has a row of headers and nothing below it. Add a row for each lead."
  })

const listHeaders = (columns: ReadonlyArray<Column>) => quoteList(columns.slice(0, 20).map(({ header }) => header))

const unknownColumnError = (field: Field, header: string, columns: ReadonlyArray<Column>) =>
  new LeadFileError({
    problem: "unknown column",
    field,
    message: `names the header ${quoteCell(header)}, which the file does not have. Its headers are ${listHeaders(columns)}`
  })

const noEmailColumnError = (columns: ReadonlyArray<Column>) =>
  new LeadFileError({
    problem: "no email column",
    headers: columns.map(({ header }) => header),
    message: `No column holds email addresses. The headers are ${listHeaders(columns)}; give the one with the addresses the header "Email".`
  })

const tooManyError = (count: number) =>
  new LeadFileError({
    problem: "too many rows",
    message: `The file has ${count} rows below the headers; at most ${maxLeads} can be read from one. Split it into smaller files.`
  })

const tooManyColumnsError = ({ cells, line }: Row) =>
  new LeadFileError({
    problem: "too many columns",
    message: `The row on line ${line} has ${cells.length} cells; a file can have at most ${maxColumns} columns. Delete those that are not needed.`,
    line
  })

/** How rows are turned into leads. */
interface Layout {
  readonly mapping: Mapping
  readonly custom: ReadonlyArray<CustomColumn>
  readonly width: number
}

type Exclusion = Pick<SkippedLine, "isOptOut" | "reason">

/** Why a row says that its lead is left out, an opt-out first; undefined if it does not. */
const exclusionOf = ({ cells }: Row, { mapping: { exclude } }: Layout): Exclusion | undefined => {
  const columns = exclude.filter(({ index }) => isExcludingCell(cells[index] ?? ""))
  const column = columns.find(({ header }) => isOptOutColumn(header)) ?? columns[0]
  if (column === undefined) return undefined
  const reason = `the column ${quoteCell(column.header)} says ${quoteCell(cells[column.index] ?? "")}`
  return isOptOutColumn(column.header) ? { reason, isOptOut: true } : { reason }
}

/** All addresses in the row's cells for an address, in lower case, also where the row gives no lead. */
const addressesIn = ({ cells }: Row, { mapping: { email } }: Layout) =>
  email.flatMap(({ index }) => (cells[index] ?? "").toLowerCase().match(/[^\s;,<>()"']+@[^\s;,<>()"']+/g) ?? [])

const readLeads = (rows: ReadonlyArray<Row>, layout: Layout) => {
  const leads: Array<Lead> = []
  const left_out: Array<SkippedLine> = []
  const lines = new Map<string, number>()
  const exclusions = new Map<string, Exclusion>()
  const exclude = (address: string, exclusion: Exclusion) => {
    if (exclusions.get(address)?.isOptOut !== true || exclusion.isOptOut === true) exclusions.set(address, exclusion)
  }
  const truncatedRows = new Map<string, number>()
  for (const row of rows) {
    const exclusion = exclusionOf(row, layout)
    if (exclusion !== undefined) for (const address of addressesIn(row, layout)) exclude(address, exclusion)
    const read = readLead(row, layout)
    if (Result.isFailure(read)) {
      left_out.push({ line: row.line, ...read.failure })
      continue
    }
    const { lead, shortened } = read.success
    const { email } = lead
    if (exclusion !== undefined) exclude(email.toLowerCase(), exclusion)
    const earlier = lines.get(email.toLowerCase())
    if (earlier === undefined) {
      lines.set(email.toLowerCase(), row.line)
      leads.push(lead)
      for (const { header } of shortened) truncatedRows.set(header, (truncatedRows.get(header) ?? 0) + 1)
    } else
      left_out.push({
        line: row.line,
        reason: `${repeatedAddress} ${earlier}`,
        email,
        ...(lead.name === undefined || lead.name === null ? {} : { name: truncateTo(lead.name, maxOmittedName) })
      })
  }
  // After all rows, because any row of an address may say that it is left out.
  const excluded = leads.flatMap((lead): ReadonlyArray<SkippedLine> => {
    const exclusion = exclusions.get(lead.email.toLowerCase())
    const line = lines.get(lead.email.toLowerCase()) ?? 0
    return exclusion === undefined ? [] : [{ line, ...exclusion, email: lead.email, lead }]
  })
  return {
    leads: leads.filter(({ email }) => !exclusions.has(email.toLowerCase())),
    left_out: [...left_out, ...excluded].toSorted((a, b) => a.line - b.line),
    shortened: [...truncatedRows].map(([header, rows]) => ({ header, rows }))
  }
}

const decodeLead = Schema.decodeUnknownResult(Lead)
const format = SchemaIssue.makeFormatterStandardSchemaV1()

interface ReadLead {
  readonly lead: Lead
  readonly shortened: ReadonlyArray<CustomColumn>
}

const readLead = (
  { cells }: Row,
  { custom, mapping, width }: Layout
): Result.Result<ReadLead, Omit<SkippedLine, "line">> => {
  const texts = mapFields((field) =>
    mapping[field]
      .map(({ index }) => cells[index] ?? "")
      .filter((cell) => cell !== "")
      .join(" ")
  )
  const email = emailAddressIn(texts.email)
  const fail = (reason: string) =>
    Result.fail({
      reason,
      ...(email === "" || email.length > 254 ? {} : { email }),
      ...(texts.name === "" ? {} : { name: truncateTo(texts.name, maxOmittedName) })
    })

  const filled = cells.findLastIndex((cell) => cell !== "") + 1
  if (filled > width) return fail(`has ${filled} cells where there are ${width} columns; is a cell not in quotes?`)
  if (texts.email === "") return fail("no email address")
  if (!isEmailCell(texts.email))
    return fail(
      texts.email.split("@").length > 2
        ? `${quoteCell(texts.email)} is more than one address`
        : `${quoteCell(texts.email)} is not a valid email address`
    )
  const filledFields = leadFields.filter((field) => texts[field] !== "").map((field) => [field, texts[field]])
  const { fields, shortened } = customFieldsOf(custom, cells)
  const more = Object.keys(fields).length === 0 ? {} : { custom_fields: fields }
  return decodeLead({ ...Object.fromEntries(filledFields), email, ...more }).pipe(
    Result.map((lead) => ({ lead, shortened })),
    Result.mapError((error) => {
      const issue = format(error.issue).issues[0]
      const field = leadFields.find((field) => field === issue?.path?.[0]) ?? "email"
      return {
        reason: `${quoteList(mapping[field].map(({ header }) => header))} does not fit: ${issue?.message}`,
        email
      }
    })
  )
}

const quoteList = (texts: ReadonlyArray<string>, separator = ", ") => texts.map(quoteCell).join(separator)

/** The source of each field, one line per field, for a person to check before sending. */
export const describeLeadFile = ({ columns, custom, encoding, shortened, unused }: LeadFile): ReadonlyArray<string> => [
  ...leadFields.map(
    (field) => `${field} ← ${columns[field].length === 0 ? "no column" : quoteList(columns[field], " + ")}`
  ),
  ...(columns.exclude.length === 0 ? [] : [`left out if it says so: ${quoteList(columns.exclude)}`]),
  ...custom.map(({ header, key }) => `custom.${key} ← ${quoteCell(header)}`),
  ...shortened.map(
    ({ header, rows }) =>
      `${quoteCell(header)} is cut to ${maxCustomField} characters in ${rows} ${rows === 1 ? "row" : "rows"}`
  ),
  ...(unused.length === 0 ? [] : [`not used: ${quoteList(unused)}`]),
  ...(encoding === "windows-1252" ? ["read as windows-1252; if accents look wrong, save the file as UTF-8"] : [])
]

/** A skipped row as a batch names it. */
export const toOmittedRow = ({ email, lead, line, name, reason }: SkippedLine): OmittedRowInput => {
  const shownName = name ?? lead?.name ?? undefined
  return {
    line,
    ...(email === undefined ? {} : { email }),
    ...(shownName === undefined ? {} : { name: truncateTo(shownName, maxOmittedName) }),
    reason: truncateTo(reason, maxOmittedReason)
  }
}

/** Of very many rows, the last one stands for the rest. */
export const limitOmittedRows = (rows: ReadonlyArray<OmittedRowInput>): ReadonlyArray<OmittedRowInput> => {
  if (rows.length <= maxOmittedRows) return rows
  const shown = rows.slice(0, maxOmittedRows - 1)
  return [...shown, { reason: `and ${rows.length - shown.length} more rows, which the list does not name` }]
}

/** The skipped rows as a batch names them. */
export const omittedRowsOf = ({ left_out }: LeadFile) => limitOmittedRows(left_out.filter(isDataLine).map(toOmittedRow))

/** The skipped rows, one line per reason, most frequent first; empty if there are none. */
export const describeSkippedLines = ({ left_out }: LeadFile): ReadonlyArray<string> => {
  if (left_out.length === 0) return []
  const reasons = [...Map.groupBy(left_out, ({ reason }) => reason)].toSorted(([, a], [, b]) => b.length - a.length)
  const hidden = reasons.slice(20).flatMap(([, rows]) => rows).length
  return [
    `${left_out.length} ${left_out.length === 1 ? "row" : "rows"} left out:`,
    ...reasons.slice(0, 20).map(([reason, rows]) => `  ${listLineNumbers(rows)}: ${reason}`),
    ...(hidden === 0 ? [] : [`  and ${hidden} more`])
  ]
}

const listLineNumbers = (rows: ReadonlyArray<SkippedLine>) => {
  const [first] = rows
  if (rows.length === 1 && first) return `line ${first.line}${first.email ? ` (${displayCell(first.email)})` : ""}`
  const listed = rows.slice(0, 10).map(({ line }) => line)
  return `lines ${listed.join(", ")}${rows.length > 10 ? ` and ${rows.length - 10} more` : ""}`
}
