// test/support/workbooks.ts: builds small .xlsx workbooks, valid and invalid.
import { zip } from "./documents.ts"

/** Text, a number, a boolean, nothing, a date in Excel's day count, a formula with its saved result, or an error. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly days: number }
  | { readonly formula: string; readonly result?: string }
  | { readonly errorValue: string }

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const columnLetters = (at: number): string =>
  (at < 26 ? "" : columnLetters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

const cellOf = (cell: Cell, row: number, column: number): string => {
  const reference = `r="${columnLetters(column)}${row}"`
  if (cell === null) return ""
  if (typeof cell === "string")
    return `<c ${reference} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
  if (typeof cell === "number") return `<c ${reference}><v>${cell}</v></c>`
  if (typeof cell === "boolean") return `<c ${reference} t="b"><v>${Number(cell)}</v></c>`
  if ("days" in cell) return `<c ${reference} s="1"><v>${cell.days}</v></c>`
  if ("errorValue" in cell) return `<c ${reference} t="e"><f>1/0</f><v>${cell.errorValue}</v></c>`
  const result = cell.result === undefined ? "" : `<v>${escape(cell.result)}</v>`
  return `<c ${reference} t="str"><f>${escape(cell.formula)}</f>${result}</c>`
}

const sheetOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>) =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((cell, i) => cellOf(cell, row + 1, i)).join("")}</row>`)
    .join("")}</sheetData></worksheet>`

const styles = `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`

type Part = Parameters<typeof zip>[0][number]

/** The parts of a workbook of these sheets. */
export const partsOf = (sheets: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Cell>>>>): ReadonlyArray<Part> => {
  const names = Object.keys(sheets)
  const sheetEntries = names.map(
    (name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`
  )
  const relationships = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`
  )
  return [
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "xl/workbook.xml",
      content: `<?xml version="1.0"?><workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheetEntries.join("")}</sheets></workbook>`
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<?xml version="1.0"?><Relationships>${relationships.join("")}<Relationship Id="rIdS" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`
    },
    { name: "xl/styles.xml", content: styles },
    ...names.map((name, at) => ({ name: `xl/worksheets/sheet${at + 1}.xml`, content: sheetOf(sheets[name] ?? []) }))
  ]
}

export const xlsx = (sheets: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Cell>>>>) => zip(partsOf(sheets))
