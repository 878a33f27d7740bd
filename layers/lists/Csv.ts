// layers/lists/Csv.ts: a list's CSV: one row a lead that succeeded, two columns a step, a column for each custom field.
import { type CustomFields, type LeadField, leadFields, type Sequence } from "#schema/Lead.ts"

type LeadCells = { readonly [F in LeadField]-?: string | null } & { readonly custom_fields: CustomFields | null }

/** A spreadsheet would run what begins like this as a formula; the quote makes it text again. */
const harmless = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line in which no cell does more than be read. */
export const line = (cells: ReadonlyArray<string>) => `${cells.map((cell) => quoted(harmless(cell))).join(",")}\r\n`

const steps = (count: number, cells: (step: number) => ReadonlyArray<string>) =>
  Array.from({ length: count }, (_, step) => cells(step)).flat()

/** The columns of a list's CSV that depend on the list. */
export interface Columns {
  /** Emails of each lead. */
  readonly steps: number
  /** Keys of custom fields, in the order of their columns. */
  readonly keys: ReadonlyArray<string>
}

export const header = (columns: Columns) =>
  line([
    ...leadFields,
    ...steps(columns.steps, (step) => [`step_${step + 1}_subject`, `step_${step + 1}_body`]),
    ...columns.keys.map((key) => `custom_${key}`)
  ])

/** A key such as `constructor` is a field only where the lead has it itself. */
const custom = (fields: CustomFields | null, key: string) =>
  fields !== null && Object.hasOwn(fields, key) ? String(fields[key] ?? "") : ""

export const row = (lead: LeadCells, sequence: Sequence, columns: Columns) =>
  line([
    ...leadFields.map((field) => lead[field] ?? ""),
    ...steps(columns.steps, (step) => [sequence[step]?.subject ?? "", sequence[step]?.body ?? ""]),
    ...columns.keys.map((key) => custom(lead.custom_fields, key))
  ])
