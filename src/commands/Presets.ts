// src/commands/Presets.ts: a list's CSV under the headers by which a sending tool knows its own fields. What the tool has no
// field for, the emails above all, becomes a custom variable under its header.
import { Stream } from "effect"
import { Csv } from "effect/encoding"
import { csvLine } from "#layers/lists/Exports.ts"

export const presets = ["instantly", "smartlead", "lemlist"] as const
type Preset = (typeof presets)[number]

interface Tool {
  /** The fields of a lead that it calls something else. */
  readonly named: { readonly [field: string]: string }
  /** A name as it writes names. */
  readonly written: (name: string) => string
}

const asItIs = (name: string) => name
const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** By each tool's own API; that its import of files knows the same names was not tried there. */
const tools: { readonly [P in Preset]: Tool } = {
  // https://developer.instantly.ai/api-reference/lead
  instantly: {
    named: { title: "job_title", company: "company_name", company_website: "website" },
    written: asItIs
  },
  // https://api.smartlead.ai/api-reference/openapi.yaml, of leads that are added to a campaign
  smartlead: {
    named: { company: "company_name", linkedin_url: "linkedin_profile", company_website: "website" },
    written: asItIs
  },
  // https://developer.lemlist.com/api-reference/objects-definitions/lead
  lemlist: {
    named: { title: "job_title", company: "company_name" },
    written: inCamelCase
  }
}

interface Column {
  readonly header: string
  readonly of: (row: ReadonlyArray<string>) => string
}

const firstWord = (name: string) => name.trim().split(/\s+/)[0] ?? ""
const otherWords = (name: string) => name.trim().split(/\s+/).slice(1).join(" ")

/** What becomes of the columns that the server's CSV has. */
const columnsOf = ({ named, written }: Tool, found: ReadonlyArray<string>): ReadonlyArray<Column> =>
  found.flatMap((column, at): ReadonlyArray<Column> => {
    const of = (row: ReadonlyArray<string>) => row[at] ?? ""
    if (column !== "name") return [{ header: written(named[column] ?? column), of }]
    // A tool greets by the first name alone.
    return [
      { header: written("first_name"), of: (row) => firstWord(of(row)) },
      { header: written("last_name"), of: (row) => otherWords(of(row)) }
    ]
  })

/** The server's CSV of a list, made over as it comes. */
export const convert = <E>(
  csv: Stream.Stream<Uint8Array, E>,
  preset: Preset
): Stream.Stream<Uint8Array, E | Csv.CsvError> =>
  Stream.suspend(() => {
    let columns: ReadonlyArray<Column> | undefined
    return csv.pipe(
      Stream.decodeText,
      Stream.pipeThroughChannel(Csv.decodeString()),
      Stream.mapArray((rows) => [
        rows
          .map((row) => {
            if (columns !== undefined) return csvLine(columns.map(({ of }) => of(row)))
            columns = columnsOf(tools[preset], row)
            return csvLine(columns.map(({ header }) => header))
          })
          .join("")
      ]),
      Stream.encodeText
    )
  })
