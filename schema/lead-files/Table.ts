// schema/lead-files/Table.ts: decodes a file into rows of cells with line numbers.
import { Array, Effect, Result, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { cleanCell, isEmailCell } from "#schema/lead-files/Cells.ts"
import { recogniseHeader } from "#schema/lead-files/Headers.ts"
import * as Windows1252 from "#schema/lead-files/Windows1252.ts"

/** The file cannot be read. The message tells how to fix it. */
export class LeadFileError extends Schema.TaggedError<LeadFileError>()("LeadFileError", {
  problem: Schema.Literals([
    "not text",
    "broken CSV",
    "no rows",
    "no email column",
    "unknown column",
    "too many rows",
    "too many columns"
  ]),
  message: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  /** The field for which a column was chosen that the file does not have. */
  field: Schema.optionalKey(Schema.String),
  /** The file's headers, if none of them is a column of addresses. */
  headers: Schema.optionalKey(Schema.Array(Schema.String))
}) {}

const delimiters = [",", ";", "\t", "|"] as const
export type Delimiter = (typeof delimiters)[number]

type UnicodeEncoding = "utf-8" | "utf-16le" | "utf-16be"
export type Encoding = UnicodeEncoding | "windows-1252"

export interface Row {
  /** The line where the row begins, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface Table {
  /** Null for a workbook, like the delimiter. */
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  /** The rows that are not empty, with cleaned cells. */
  readonly rows: ReadonlyArray<Row>
}

export const readTable = Effect.fnUntraced(function* (file: Uint8Array | string) {
  const { encoding, text } = yield* Effect.fromResult(decodeFile(file))
  // Excel may declare the delimiter in a first line: `sep=;`.
  const declared = /^"?sep=(.)"?(?=[\r\n])/i.exec(text)?.[1]
  const delimiter = delimiters.find((delimiter) => delimiter === declared) ?? detectDelimiter(text)
  const records = yield* Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter })),
    Stream.runCollect,
    Effect.mapError(csvError)
  )
  const rows = numberRows(records)
    .slice(declared === undefined ? 0 : 1)
    .map(({ cells, line }) => ({ line, cells: cells.map(cleanCell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
  return { encoding, delimiter, rows } satisfies Table
})

/** The rows of a sheet in a workbook, from its first row. */
export const tableFromSheet = (cells: ReadonlyArray<ReadonlyArray<string>>): Table => ({
  encoding: null,
  delimiter: null,
  rows: cells
    .map((row, index) => ({ line: index + 1, cells: row.map(cleanCell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
})

const notTextError = (message: string) =>
  new LeadFileError({ problem: "not text", message: `${message} Save the leads as CSV (UTF-8) and use that file.` })

interface Decoded {
  readonly encoding: Encoding
  readonly text: string
}

const decodeFile = (file: Uint8Array | string) =>
  Result.filterOrFail(
    typeof file === "string" ? decodeString(file) : decodeBytes(file),
    ({ text }) => !text.includes("\0"),
    () => notTextError("This file is not text.")
  )

const decodeString = (text: string): Result.Result<Decoded, LeadFileError> =>
  Result.succeed({ encoding: "utf-8", text: text.replace(/^\uFEFF/, "") })

const workbookSignatures = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0]
]

const byteOrderMarks: ReadonlyArray<readonly [UnicodeEncoding, ReadonlyArray<number>]> = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]]
]

const decodeBytes = (bytes: Uint8Array): Result.Result<Decoded, LeadFileError> => {
  const startsWith = (start: ReadonlyArray<number>) => start.every((byte, index) => bytes[index] === byte)
  if (workbookSignatures.some(startsWith))
    return Result.fail(notTextError("This file is a workbook or an archive, not CSV."))
  const markedEncoding = byteOrderMarks.find(([, mark]) => startsWith(mark))?.[0]
  if (markedEncoding) return decodeUnicode(bytes, markedEncoding)
  return Result.orElse(decodeUnicode(bytes, "utf-8"), () => decodeWindows1252(bytes))
}

const decodeUnicode = (bytes: Uint8Array, encoding: UnicodeEncoding) =>
  Result.try({
    try: (): Decoded => ({ encoding, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) }),
    catch: () => notTextError(`This file is marked as ${encoding} but is damaged.`)
  })

const decodeWindows1252 = (bytes: Uint8Array): Result.Result<Decoded, LeadFileError> => {
  const text = Windows1252.decode(bytes)
  // Any byte sequence is valid windows-1252, so control characters reveal files that are not text.
  return /(?![\s\u0080-\u009F])\p{Cc}/u.test(text)
    ? Result.fail(notTextError("This file is not text."))
    : Result.succeed({ encoding: "windows-1252", text })
}

/** The delimiter that yields the most known headers and addresses; the first row outweighs all others. */
const detectDelimiter = (text: string): Delimiter => {
  const records = (text.slice(0, 65_536).match(/(?:"[^"]*"|[^"\r\n]+)+/g) ?? []).slice(0, 20)
  const countKnownCells = (delimiter: string, record: string) =>
    record
      .replace(/"[^"]*"/g, (quote) => quote.replaceAll(delimiter, " "))
      .split(delimiter)
      .map((cell) => cleanCell(cell.trim().replace(/^"|"$/g, "")))
      .filter((cell) => isEmailCell(cell) || recogniseHeader(cell) !== undefined).length
  const score = (delimiter: string) =>
    records.reduce((sum, record, index) => sum + countKnownCells(delimiter, record) * (index === 0 ? 65_536 : 1), 0)
  return delimiters.reduce<Delimiter>((best, next) => (score(next) > score(best) ? next : best), delimiters[0])
}

/** Numbers the rows by line: cells keep their line breaks, and blank lines are records. */
const numberRows = (records: ReadonlyArray<Csv.Row>): ReadonlyArray<Row> =>
  Array.mapAccum(records, 1, (line, cells) => [
    line + 1 + Array.reduce(cells, 0, (sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0)),
    { line, cells }
  ])[1]

const csvError = (error: Csv.CsvError) => {
  const where = `The row on line ${error.line}`
  const message =
    error.kind === "RecordSize"
      ? `${where} does not end within a million characters. A quote (") that is opened there is probably never closed.`
      : error.message.startsWith("Unterminated")
        ? `${where} opens a quote (") in cell ${error.column} that is never closed. Close it, or remove it.`
        : `${where} has a quote (") out of place in cell ${error.column}. Put the whole cell in quotes and double those inside it: "Sam ""Sammy"" Hill".`
  return new LeadFileError({ problem: "broken CSV", message, line: error.line })
}
