// layers/lists/Csv.ts: a list's CSV: one row a lead that succeeded, two columns a step.
import { type LeadField, leadFields, type Sequence } from "#schema/Lead.ts"

type LeadCells = { readonly [F in LeadField]-?: string | null }

/** A spreadsheet would run what begins like this as a formula; the quote makes it text again. */
const harmless = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line in which no cell does more than be read. */
export const line = (cells: ReadonlyArray<string>) => `${cells.map((cell) => quoted(harmless(cell))).join(",")}\r\n`

export const header = (steps: number) =>
  line([
    ...leadFields,
    ...Array.from({ length: steps }, (_, i) => [`step_${i + 1}_subject`, `step_${i + 1}_body`]).flat()
  ])

export const row = (lead: LeadCells, sequence: Sequence, steps: number) =>
  line([
    ...leadFields.map((field) => lead[field] ?? ""),
    ...Array.from({ length: steps }, (_, i) => [sequence[i]?.subject ?? "", sequence[i]?.body ?? ""]).flat()
  ])
