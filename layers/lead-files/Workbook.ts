// layers/lead-files/Workbook.ts: reads the cells of a sheet in an .xlsx workbook as text. Runs only in a worker thread.
import { Parser } from "htmlparser2"
import { readSheet } from "read-excel-file/universal"
import { Unreadable } from "#layers/lib/Unreadable.ts"
import { readParts, storeParts } from "#layers/lib/Zip.ts"
import { truncate } from "#layers/text/Words.ts"

const workbookPath = "xl/workbook.xml"

/** Parts without cells, which can be large: pictures, charts, pivot tables. */
const irrelevantParts =
  /^(?:docProps|customXml|xl\/(?:pivot|drawings|charts|media|theme|printerSettings|externalLinks))/

const isNeededPart = (name: string) => /\.(?:xml|rels)$/.test(name) && !irrelevantParts.test(name)

type Attributes = Readonly<Record<string, string>>

/** Workbooks need about ten levels. The parser's time grows with the square of the depth. */
const maxDepth = 64

/** Calls `onTag` for each opening tag, without its namespace. */
const readTags = (xml: Buffer | undefined, onTag: (name: string, attributes: Attributes) => void) => {
  let depth = 0
  new Parser(
    {
      onopentag: (tag, attributes) => {
        if (++depth > maxDepth) {
          throw new Unreadable(`The workbook has tags nested deeper than ${maxDepth} levels. Save the leads as CSV`)
        }
        onTag(tag.slice(tag.indexOf(":") + 1), attributes)
      },
      onclosetag: () => {
        depth--
      }
    },
    { xmlMode: true }
  ).end(xml?.toString("utf8") ?? "")
}

type Parts = ReadonlyMap<string, Buffer>

/** The names of the sheets, and the part that each is in. */
const sheetParts = (parts: Parts): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>()
  readTags(parts.get("xl/_rels/workbook.xml.rels"), (tag, { Id = "", Target = "" }) => {
    if (tag === "Relationship") targets.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`)
  })
  const sheets = new Map<string, string>()
  readTags(parts.get(workbookPath), (tag, { name, "r:id": id = "" }) => {
    if (tag === "sheet" && name !== undefined) sheets.set(name, targets.get(id) ?? "")
  })
  return sheets
}

/** Excel's own limits. */
const maxRow = 1_048_576
const maxColumn = 16_384

/** The library fills the rectangle from A1 to the last row and column with cells. This is 50,000 rows of 200 columns. */
const maxCells = 10_000_000

/** The row and the column of "B7", read like the library reads them. */
const parseAddress = (address: string) => {
  const letters = /^\D*/.exec(address)?.[0] ?? ""
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { row: Number(address.slice(letters.length)), column }
}

/** Refuses a sheet whose last cells are so far away that filling the rectangle before them takes all memory. */
const checkSize = (xml: Buffer, sheet: string) => {
  let [rows, columns] = [0, 0]
  let currentRow = 0
  let currentCell = ""
  const refuse = (reason: string) => {
    throw new Unreadable(
      `The sheet "${truncate(sheet, 100)}" is too large: ${reason}. Clear what is far from the leads, or save the leads as CSV`
    )
  }
  readTags(xml, (tag, { r = "" }) => {
    if (tag === "row") {
      currentRow = Number(r)
      currentCell = ""
      if (currentRow > maxRow) refuse(`it has a row ${truncate(r, 20)}`)
    } else if (tag === "c") currentCell = r
    // A cell without a value only has a style.
    else if ((tag === "v" || tag === "is") && currentCell !== "") {
      const { column, row } = parseAddress(currentCell)
      rows = Math.max(rows, row, currentRow)
      columns = Math.max(columns, column)
      if (rows > maxRow || columns > maxColumn || rows * columns > maxCells) {
        refuse(`with the cell ${truncate(currentCell, 20)} it has ${rows} rows of ${columns} columns`)
      }
    }
  })
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

/** The sheet with this name, or the first one. */
export const readWorkbookSheet = async (file: Uint8Array, sheetName: string | undefined): Promise<Sheet> => {
  // Unpacked first, because the library would inflate the parts in threads without a memory limit.
  const parts = readParts(file, isNeededPart)
  const sheets = sheetParts(parts)
  const names = [...sheets.keys()]
  const [first] = names
  if (first === undefined) throw new Unreadable("The file is a ZIP archive but not an .xlsx workbook")
  const name = sheetName ?? first
  if (!names.includes(name)) {
    throw new Unreadable(
      `The workbook has no sheet "${name}". Its sheets are ${names.map((sheetTitle) => `"${sheetTitle}"`).join(", ")}`
    )
  }
  const otherParts = new Set([...sheets].flatMap(([other, part]) => (other === name ? [] : [part])))
  const neededParts = new Map([...parts].filter(([part]) => part === sheets.get(name) || !otherParts.has(part)))
  // All that the library may take for the sheet is checked.
  for (const part of neededParts.values()) if (part.includes("sheetData")) checkSize(part, name)
  const cells: ReadonlyArray<ReadonlyArray<unknown>> = await readSheet(storeParts(neededParts).buffer, name)
  return { name, names, rows: cells.map((row) => row.map(cellText)) }
}
