// schema/leadfile/Columns.ts: which columns of a file hold which field of a lead.
import type { LeadField } from "#schema/Lead.ts"
import { address, isAddress } from "#schema/leadfile/Cells.ts"
import { type Meaning, isOurs, recognise } from "#schema/leadfile/Headers.ts"

export type Field = LeadField

/** A column with some of its cells, row by row; an empty string where there is none. */
export interface Column {
  readonly index: number
  readonly header: string
  readonly cells: ReadonlyArray<string>
}

/** The columns of each field, in the order in which their cells are joined. */
export type Mapping = Readonly<Record<Field, ReadonlyArray<Column>>>

type Test = (cell: string, row: number) => boolean

const count = (column: Column, test: Test) => column.cells.filter((cell, row) => cell !== "" && test(cell, row)).length
const isEmpty = (column: Column) => count(column, () => true) === 0
const mostly = (column: Column, test: Test) => count(column, test) * 2 > count(column, () => true)

/** Of the columns that mostly pass, the one with the most cells that do. */
const fullest = (columns: ReadonlyArray<Column>, test: Test) =>
  columns
    .filter((column) => mostly(column, test))
    .toSorted((a, b) => count(b, test) - count(a, test))
    .at(0)

const isProfile = (cell: string) => /linkedin\.com\/(?:in|pub|sales)\//i.test(cell)
const isCompanyPage = (cell: string) => /linkedin\.com\/(?:company|school|showcase)\//i.test(cell)
const isWebsite = (cell: string) => /^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?$/i.test(cell)
const isText = (cell: string) => /\p{L}/u.test(cell) && !isAddress(cell) && !/^https?:/i.test(cell)

const present = (...columns: ReadonlyArray<Column | undefined>) => columns.filter((column) => column !== undefined)

/** Columns by what their headers say, checked against what the cells hold. */
export const byHeader = (columns: ReadonlyArray<Column>): Mapping => {
  const candidates = (meaning: Meaning) =>
    columns
      .flatMap((column) => {
        const sense = recognise(column.header)
        return sense?.meaning === meaning ? [{ column, rank: sense.rank, empty: isEmpty(column) }] : []
      })
      .toSorted((a, b) => Number(a.empty) - Number(b.empty) || a.rank - b.rank)
      .map(({ column }) => column)

  const email =
    candidates("email").find((column) => column.cells.some(isAddress)) ??
    fullest(
      columns.filter((column) => !isOurs(column.header)),
      isAddress
    ) ??
    candidates("email")[0]
  const linkedin =
    candidates("linkedin_url").find((column) => !mostly(column, isCompanyPage)) ?? fullest(columns, isProfile)
  const website = candidates("company_website").find(
    (column) => !mostly(column, (cell) => isProfile(cell) || isCompanyPage(cell))
  )
  return {
    email: present(email),
    name: nameColumns(candidates),
    title: present(wordy(candidates("title"))),
    company: present(wordy(candidates("company"))),
    linkedin_url: present(linkedin),
    company_website: present(website)
  }
}

const isWordy = (column: Column) => mostly(column, isText)

/** Rather the column of words than that of numbers: "Account" may be a key. */
const wordy = (columns: ReadonlyArray<Column>) => columns.find(isWordy) ?? columns[0]

const nameColumns = (candidates: (meaning: Meaning) => ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const whole = wordy(candidates("name"))
  if (whole) return [whole]
  const first = wordy(candidates("firstName"))
  const infix = wordy(candidates("infix"))
  const last = wordy(candidates("lastName"))
  if (first && last) return present(first, infix, last)
  const any = wordy(candidates("anyName"))
  const half = first ?? last
  // "Vorname, Name" and "Nombre, Apellidos" are halves; in "First Name, Name" the second has it all.
  if (any && half && !mostly(half, (cell, row) => includes(any.cells[row] ?? "", cell)))
    return half === first ? present(first, infix, any) : present(any, infix, last)
  return present(any ?? first ?? candidates("contact").find(isWordy))
}

const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** Columns by what their cells hold, for a file that has no headers. Job titles cannot be recognised this way. */
export const byContent = (columns: ReadonlyArray<Column>): Mapping => {
  const email = fullest(columns, isAddress)
  const others = columns.filter((column) => column !== email)
  const linkedin = fullest(others, isProfile)
  const website = fullest(others, (cell) => isWebsite(cell) && !/linkedin\.com\//i.test(cell))
  const rest = others.filter((column) => column !== linkedin && column !== website)
  const part = (row: number, of: 0 | 1) =>
    address(email?.cells[row] ?? "")
      .toLowerCase()
      .split("@")[of] ?? ""
  // "Sanne Bakker" goes with sanne@…, "Kleurhof B.V." with …@kleurhof.example.
  const name = fullest(rest, (cell, row) => sharesWord(cell, part(row, 0)))
  const company = fullest(
    rest.filter((column) => column !== name),
    (cell, row) => sharesWord(cell, part(row, 1))
  )
  return {
    email: present(email),
    name: present(name),
    title: [],
    company: present(company),
    linkedin_url: present(linkedin),
    company_website: present(website)
  }
}

const sharesWord = (text: string, within: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.length >= 3 && within.includes(word))
