// schema/lead-files/CustomFields.ts: selects the columns that become custom fields, and makes their keys.
import { truncateTo } from "#schema/Fields.ts"
import { maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import type { Column } from "#schema/lead-files/Columns.ts"
import { unaccented } from "#schema/lead-files/Headers.ts"
import type { Row } from "#schema/lead-files/Table.ts"

export interface CustomColumn {
  readonly index: number
  readonly header: string
  /** The key of the custom field. */
  readonly key: string
}

const maxKeyLength = 64

/** Splits "companySize" and "IDNumber" into words; headers that have spaces are not split at capitals. */
const splitWords = (header: string) =>
  /^[A-Za-z0-9]+$/.test(header)
    ? header.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    : header

/** A header in snake_case: "Größe (m²)" is `grosse_m2`. Empty if the header has no Latin letter or digit. */
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

/** Appends a number to repeated keys that no other header has. */
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

/** Distinct keys for the columns that become custom fields. */
export const customFieldKeys = (columns: ReadonlyArray<Pick<Column, "header" | "index">>) =>
  makeDistinct(columns.map(columnKey))

/** The first of the unused columns that are not empty, up to the limit of custom fields. */
export const customColumns = (unused: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): ReadonlyArray<CustomColumn> => {
  const columns = unused
    .filter(({ index }) => rows.some(({ cells }) => (cells[index] ?? "") !== ""))
    .slice(0, maxCustomFields)
  const keys = customFieldKeys(columns)
  return columns.map(({ header, index }, position) => ({ header, index, key: keys[position] ?? "" }))
}

/** The custom fields of a row, and the columns whose text was truncated. */
export const customFieldsOf = (columns: ReadonlyArray<CustomColumn>, cells: ReadonlyArray<string>) => {
  const fields: Record<string, string> = {}
  const shortened: Array<CustomColumn> = []
  for (const column of columns) {
    const cell = cells[column.index] ?? ""
    if (cell === "") continue
    const text = truncateTo(cell, maxCustomField)
    if (text !== cell) shortened.push(column)
    fields[column.key] = text
  }
  return { fields, shortened }
}
