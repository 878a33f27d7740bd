// test/support/workbooks.ts: small .xlsx workbooks made from scratch, sound ones and others.
import { zip } from "./documents.ts"

/** Text, a number, a truth value, a date as Excel counts days, a formula with the result saved with it, or nothing. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly days: number }
  | { readonly formula: string; readonly result?: string }
  | { readonly fault: string }

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const letters = (at: number): string =>
  (at < 26 ? "" : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

const cellOf = (cell: Cell, row: number, column: number): string => {
  const at = `r="${letters(column)}${row}"`
  if (cell === null) return ""
  if (typeof cell === "string") return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
  if (typeof cell === "number") return `<c ${at}><v>${cell}</v></c>`
  if (typeof cell === "boolean") return `<c ${at} t="b"><v>${Number(cell)}</v></c>`
  if ("days" in cell) return `<c ${at} s="1"><v>${cell.days}</v></c>`
  if ("fault" in cell) return `<c ${at} t="e"><f>1/0</f><v>${cell.fault}</v></c>`
  const result = cell.result === undefined ? "" : `<v>${escape(cell.result)}</v>`
  return `<c ${at} t="str"><f>${escape(cell.formula)}</f>${result}</c>`
}

const sheetOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>) =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map((cells, at) => `<row r="${at + 1}">${cells.map((cell, i) => cellOf(cell, at + 1, i)).join("")}</row>`)
    .join("")}</sheetData></worksheet>`

const styles = `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`

type Part = Parameters<typeof zip>[0][number]

/** The parts of a workbook of these sheets. */
export const partsOf = (sheets: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Cell>>>>): ReadonlyArray<Part> => {
  const names = Object.keys(sheets)
  const listed = names.map((name, at) => `<sheet name="${escape(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const related = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`
  )
  return [
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "xl/workbook.xml",
      content: `<?xml version="1.0"?><workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${listed.join("")}</sheets></workbook>`
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<?xml version="1.0"?><Relationships>${related.join("")}<Relationship Id="rIdS" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`
    },
    { name: "xl/styles.xml", content: styles },
    ...names.map((name, at) => ({ name: `xl/worksheets/sheet${at + 1}.xml`, content: sheetOf(sheets[name] ?? []) }))
  ]
}

export const xlsx = (sheets: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Cell>>>>) => zip(partsOf(sheets))
