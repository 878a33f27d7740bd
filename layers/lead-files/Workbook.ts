// layers/lead-files/Workbook.ts: reads the cells of a sheet in an .xlsx workbook as text. Runs only in a worker thread.
import { Parser } from "htmlparser2"
import { readSheet } from "read-excel-file/universal"
import { Unreadable } from "#layers/research/read/Unreadable.ts"
import { readParts, storeParts } from "#layers/research/read/Zip.ts"

const workbookPath = "xl/workbook.xml"

/** Parts without cells, which can be large: pictures, charts, pivot tables. */
const irrelevantParts =
  /^(?:docProps|customXml|xl\/(?:pivot|drawings|charts|media|theme|printerSettings|externalLinks))/

const isNeededPart = (name: string) => /\.(?:xml|rels)$/.test(name) && !irrelevantParts.test(name)

const sheetNames = (xml: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  const parser = new Parser(
    {
      onopentag(tag, { name }) {
        if (/^(?:\w+:)?sheet$/.test(tag) && name !== undefined) names.push(name)
      }
    },
    { xmlMode: true }
  )
  parser.end(xml)
  return names
}

/** A date, with its time if it has one. Excel has no time zones. */
const formatDate = (date: Date) => {
  const text = date.toISOString().slice(0, 16).replace("T", " ")
  return text.endsWith(" 00:00") ? text.slice(0, 10) : text
}

const cellText = (cell: unknown): string => {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : formatDate(cell)
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? String(cell) : ""
}

export interface Sheet {
  readonly name: string
  /** The names of all sheets, in their order. */
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Unpacks the parts first, because the library would inflate them in threads without a memory limit. */
const unpackParts = (file: Uint8Array) => {
  const parts = readParts(file, isNeededPart)
  return { archive: storeParts(parts).buffer, names: sheetNames(parts.get(workbookPath)?.toString("utf8") ?? "") }
}

/** The sheet with this name, or the first one. */
export const readWorkbookSheet = async (file: Uint8Array, wanted: string | undefined): Promise<Sheet> => {
  const { archive, names } = unpackParts(file)
  const [first] = names
  if (first === undefined) throw new Unreadable("The file is a ZIP archive but not an .xlsx workbook")
  const name = wanted ?? first
  if (!names.includes(name)) {
    throw new Unreadable(
      `The workbook has no sheet "${name}". Its sheets are ${names.map((one) => `"${one}"`).join(", ")}`
    )
  }
  const cells: ReadonlyArray<ReadonlyArray<unknown>> = await readSheet(archive, name)
  return { name, names, rows: cells.map((row) => row.map(cellText)) }
}
