// schema/lead-files/Columns.ts: maps the columns of a file to the fields of a lead.
import { leadFields, type LeadField } from "#schema/Lead.ts"
import { emailAddressIn, isEmailCell } from "#schema/lead-files/Cells.ts"
import { type HeaderMeaning, isSenderColumn, recogniseHeader } from "#schema/lead-files/Headers.ts"

/** A field of a lead, or `exclude`: the mark of a lead that is left out. */
export type Field = LeadField | "exclude"

export const mappedFields: ReadonlyArray<Field> = [...leadFields, "exclude"]

/** A column with its sampled cells by row; empty strings where a row has no cell. */
export interface Column {
  readonly index: number
  readonly header: string
  readonly cells: ReadonlyArray<string>
}

/** The columns of each field; their cells are joined in this order. */
export type Mapping = Readonly<Record<Field, ReadonlyArray<Column>>>

type Test = (cell: string, row: number) => boolean

const countCells = (column: Column, test: Test) =>
  column.cells.filter((cell, row) => cell !== "" && test(cell, row)).length
const isEmpty = (column: Column) => countCells(column, () => true) === 0
const isMostly = (column: Column, test: Test) => countCells(column, test) * 2 > countCells(column, () => true)

/** Of the columns where most cells pass the test, the one where the most do. */
const fullestColumn = (columns: ReadonlyArray<Column>, test: Test) =>
  columns
    .filter((column) => isMostly(column, test))
    .toSorted((a, b) => countCells(b, test) - countCells(a, test))
    .at(0)

const isProfile = (cell: string) => /linkedin\.com\/(?:in|pub|sales)\//i.test(cell)
const isCompanyPage = (cell: string) => /linkedin\.com\/(?:company|school|showcase)\//i.test(cell)
const isWebsite = (cell: string) => /^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?$/i.test(cell)
const isText = (cell: string) => /\p{L}/u.test(cell) && !isEmailCell(cell) && !/^https?:/i.test(cell)

const definedColumns = (...columns: ReadonlyArray<Column | undefined>) =>
  columns.filter((column) => column !== undefined)

/** Maps columns by their headers, checked against their cells. */
export const mapByHeader = (columns: ReadonlyArray<Column>): Mapping => {
  const candidates = (meaning: HeaderMeaning) =>
    columns
      .flatMap((column) => {
        const match = recogniseHeader(column.header)
        return match?.meaning === meaning ? [{ column, rank: match.rank, empty: isEmpty(column) }] : []
      })
      .toSorted((a, b) => Number(a.empty) - Number(b.empty) || a.rank - b.rank)
      .map(({ column }) => column)

  const email =
    candidates("email").find((column) => column.cells.some(isEmailCell)) ??
    fullestColumn(
      columns.filter((column) => !isSenderColumn(column.header)),
      isEmailCell
    ) ??
    candidates("email")[0]
  const linkedin =
    candidates("linkedin_url").find((column) => !isMostly(column, isCompanyPage)) ?? fullestColumn(columns, isProfile)
  const website = candidates("company_website").find(
    (column) => !isMostly(column, (cell) => isProfile(cell) || isCompanyPage(cell))
  )
  return {
    email: definedColumns(email),
    name: nameColumns(candidates),
    title: definedColumns(firstTextColumn(candidates("title"))),
    company: definedColumns(firstTextColumn(candidates("company"))),
    linkedin_url: definedColumns(linkedin),
    company_website: definedColumns(website),
    exclude: candidates("exclude")
  }
}

const isTextColumn = (column: Column) => isMostly(column, isText)

/** Prefers a column of text to one of numbers: "Account" may be a key. */
const firstTextColumn = (columns: ReadonlyArray<Column>) => columns.find(isTextColumn) ?? columns[0]

const nameColumns = (candidates: (meaning: HeaderMeaning) => ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const whole = firstTextColumn(candidates("name"))
  if (whole) return [whole]
  const first = firstTextColumn(candidates("firstName"))
  const infix = firstTextColumn(candidates("infix"))
  const last = firstTextColumn(candidates("lastName"))
  if (first && last) return definedColumns(first, infix, last)
  const ambiguousName = firstTextColumn(candidates("anyName"))
  const partialName = first ?? last
  // "Vorname, Name" and "Nombre, Apellidos" are the two halves of a name; in "First Name, Name" the second is the
  // whole.
  if (
    ambiguousName &&
    partialName &&
    !isMostly(partialName, (cell, row) => includes(ambiguousName.cells[row] ?? "", cell))
  )
    return partialName === first
      ? definedColumns(first, infix, ambiguousName)
      : definedColumns(ambiguousName, infix, last)
  return definedColumns(ambiguousName ?? first ?? candidates("contact").find(isTextColumn))
}

const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** Maps columns by their cells, for a file without headers. Cannot recognise job titles. */
export const mapByContent = (columns: ReadonlyArray<Column>): Mapping => {
  const email = fullestColumn(columns, isEmailCell)
  const others = columns.filter((column) => column !== email)
  const linkedin = fullestColumn(others, isProfile)
  const website = fullestColumn(others, (cell) => isWebsite(cell) && !/linkedin\.com\//i.test(cell))
  const rest = others.filter((column) => column !== linkedin && column !== website)
  const part = (row: number, partIndex: 0 | 1) =>
    emailAddressIn(email?.cells[row] ?? "")
      .toLowerCase()
      .split("@")[partIndex] ?? ""
  // "Sanne Bakker" matches sanne@…, and "Kleurhof B.V." matches …@kleurhof.example.
  const name = fullestColumn(rest, (cell, row) => sharesWord(cell, part(row, 0)))
  const company = fullestColumn(
    rest.filter((column) => column !== name),
    (cell, row) => sharesWord(cell, part(row, 1))
  )
  return {
    email: definedColumns(email),
    name: definedColumns(name),
    title: [],
    company: definedColumns(company),
    linkedin_url: definedColumns(linkedin),
    company_website: definedColumns(website),
    exclude: []
  }
}

const sharesWord = (text: string, within: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.length >= 3 && within.includes(word))
