// scripts/bench/Report.ts: the results as JSON, as tables for a terminal, and as a page of docs/.
import { Schema } from "effect"
import { arch, availableParallelism, cpus, totalmem } from "node:os"
import type { Comparison, Spread } from "./Pairs.ts"

const Cells = Schema.Array(Schema.String)

const Table = Schema.Struct({
  title: Schema.String,
  heads: Cells,
  rows: Schema.Array(Cells),
  notes: Cells
})
export type Table = typeof Table.Type

const Machine = Schema.Struct({
  cores: Schema.Int,
  processor: Schema.String,
  memory_gb: Schema.Int,
  node: Schema.String,
  os: Schema.String
})

export const Report = Schema.Struct({
  at: Schema.String,
  /** Whether this is the short form, which only checks that everything works. */
  quick: Schema.Boolean,
  machine: Machine,
  sections: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      seconds: Schema.Int,
      tables: Schema.Array(Table),
      /** The figures behind the tables, round by round. */
      figures: Schema.Unknown
    })
  )
})
export type Report = typeof Report.Type
export type SectionResult = Pick<Report["sections"][number], "tables" | "figures">

export const describeMachine = (): typeof Machine.Type => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  os: `${process.platform} ${arch()}`
})

export const formatNumber = (n: number, digits = 0) =>
  Number.isFinite(n)
    ? n.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : "unknown"

/** As many digits as are significant. */
export const formatSignificant = (n: number) => {
  const size = Math.abs(n)
  return formatNumber(n, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3)
}

/** Replaces the sections of a report that were measured again. */
export const mergeReports = (before: Report, newReport: Report): Report => {
  const sections = before.sections.map(
    (previous) => newReport.sections.find(({ name }) => name === previous.name) ?? previous
  )
  const addedSections = newReport.sections.filter(
    ({ name }) => !before.sections.some((previous) => previous.name === name)
  )
  return { ...newReport, sections: [...sections, ...addedSections] }
}

/** The report with its figures rounded to five digits. */
export const asJson = (report: Report) =>
  JSON.stringify(
    report,
    (_, value: unknown) =>
      typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value,
    2
  ) + "\n"

export const formatSpread = ({ max, median, min }: Spread) =>
  `${formatSignificant(median)} (${formatSignificant(min)} to ${formatSignificant(max)})`

/** A row: name, Overture, the reference, their ratio, and the aim. */
export const comparisonRow = (label: string, { a, b, ratio }: Comparison, aim = "") => [
  label,
  formatSignificant(a),
  formatSignificant(b),
  formatSpread(ratio),
  aim
]

const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)))
  const alignCell = (text: string, i: number) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))
  return rows.map((row) => row.map(alignCell).join("  ").trimEnd()).join("\n")
}

export const asText = ({ heads, notes, rows, title }: Table) =>
  [`\n${title}`, alignColumns([heads, ...rows]), ...notes].join("\n")

const escapeCell = (cell: string) => cell.replaceAll("|", "\\|")
const markdownRow = (cells: ReadonlyArray<string>) => `| ${cells.map(escapeCell).join(" | ")} |`

const asMarkdown = ({ heads, notes, rows, title }: Table) =>
  [
    `### ${title}`,
    "",
    markdownRow(heads),
    markdownRow(heads.map((_, i) => (i === 0 ? "---" : "--:"))),
    ...rows.map(markdownRow),
    ...notes.flatMap((note) => ["", note])
  ].join("\n")

/** docs/maintainers/benchmarks.md, from its report. */
export const asPage = ({ at, machine, quick, sections }: Report) =>
  [
    "# How fast it is",
    "",
    "Written by `npm run bench -- --docs` from `docs/maintainers/benchmarks.json`, which has every round. [speed.md](speed.md) " +
      "explains where the time goes.",
    "",
    `Measured on ${at.slice(0, 10)} with ${machine.cores} cores (${machine.processor}), ${machine.memory_gb} GB, ` +
      `${machine.os}, Node ${machine.node}. The sender, the model server and the measured server share these cores.` +
      (quick ? " This was the short form, which only checks that everything works." : ""),
    "",
    "An absolute time says more about the machine than about the program. So each figure is beside a reference that was " +
      "measured alternately with it, A B B A, in the same minutes, and the ratio is what counts. Figures are medians of the " +
      "rounds, ratios medians of the ratios of the pairs, with the worst and the best pair in brackets. A ratio above 1 is in " +
      "Overture's favour unless the table says otherwise.",
    "",
    ...sections.flatMap(({ tables }) => tables.flatMap((table) => [asMarkdown(table), ""]))
  ].join("\n")
