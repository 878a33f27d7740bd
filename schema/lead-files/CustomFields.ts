// schema/lead-files/CustomFields.ts: which columns of a file become custom fields, and under which keys.
import { cutTo } from "#schema/Fields.ts"
import { maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import type { Column } from "#schema/lead-files/Columns.ts"
import { unaccented } from "#schema/lead-files/Headers.ts"
import type { Row } from "#schema/lead-files/Table.ts"

export interface CustomColumn {
  readonly index: number
  readonly header: string
  /** Under which it is a custom field. */
  readonly key: string
}

const maxKeyLength = 64

/** "companySize" and "IDNumber" are two words; in a header of several words, capitals mark none. */
const splitWords = (header: string) =>
  /^[A-Za-z0-9]+$/.test(header)
    ? header.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    : header

/** A header in snake_case: "Größe (m²)" is `grosse_m2`. Empty where nothing in it has a Latin letter or a digit for it. */
const snakeCase = (header: string) =>
  unaccented(splitWords(header.trim()))
    .replace(/['\u2019`]/g, "")
    .replace(/&/g, " and ")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")

const truncateKey = (key: string, room: number) => key.slice(0, room).replace(/_+$/, "")

const columnKey = ({ header, index }: Pick<Column, "header" | "index">) => {
  const key = snakeCase(header)
  if (key === "") return `column_${index + 1}`
  return truncateKey(/^[0-9]/.test(key) ? `field_${key}` : key, maxKeyLength)
}

/** Equal keys get a number that no other header has. */
const makeDistinct = (keys: ReadonlyArray<string>) => {
  const taken = new Set(keys)
  const seen = new Set<string>()
  return keys.map((key) => {
    let own = key
    for (let n = 2; seen.has(own) || (own !== key && taken.has(own)); n++) {
      own = `${truncateKey(key, maxKeyLength - `_${n}`.length)}_${n}`
    }
    seen.add(own)
    return own
  })
}

/** The keys of columns that become custom fields, no two alike. */
export const customFieldKeys = (columns: ReadonlyArray<Pick<Column, "header" | "index">>) =>
  makeDistinct(columns.map(columnKey))

/** The columns, of those that are no field of a lead, that become custom fields: the first ones that hold anything. */
export const customColumns = (unused: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): ReadonlyArray<CustomColumn> => {
  const columns = unused
    .filter(({ index }) => rows.some(({ cells }) => (cells[index] ?? "") !== ""))
    .slice(0, maxCustomFields)
  const keys = customFieldKeys(columns)
  return columns.map(({ header, index }, at) => ({ header, index, key: keys[at] ?? "" }))
}

/** The custom fields of a row, and the columns whose text had to be cut. */
export const customFieldsOf = (columns: ReadonlyArray<CustomColumn>, cells: ReadonlyArray<string>) => {
  const fields: Record<string, string> = {}
  const shortened: Array<CustomColumn> = []
  for (const column of columns) {
    const cell = cells[column.index] ?? ""
    if (cell === "") continue
    const text = cutTo(cell, maxCustomField)
    if (text !== cell) shortened.push(column)
    fields[column.key] = text
  }
  return { fields, shortened }
}
