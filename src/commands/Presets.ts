// src/commands/Presets.ts: a list's CSV under the headers by which a sending tool knows its own fields. What the tool has no
// field for, the emails above all, becomes a custom variable under its header.
import { Stream } from "effect"
import { Csv } from "effect/encoding"
import { csvLine } from "#layers/lists/Exports.ts"

export const presets = ["instantly", "smartlead", "lemlist"] as const
type Preset = (typeof presets)[number]

interface Tool {
  /** The tool's names of a lead's fields, where they differ. */
  readonly named: { readonly [field: string]: string }
  /** Converts a name to the tool's spelling. */
  readonly written: (name: string) => string
}

const asItIs = (name: string) => name
const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Names are taken from each tool's API reference; file imports were not tried. */
const tools: { readonly [P in Preset]: Tool } = {
  // https://developer.instantly.ai/api-reference/lead
  instantly: {
    named: { title: "job_title", company: "company_name", company_website: "website" },
    written: asItIs
  },
  // https://api.smartlead.ai/api-reference/openapi.yaml, leads added to a campaign
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

/** The new header of each column of the server's CSV. */
const columnsOf = ({ named, written }: Tool, found: ReadonlyArray<string>): ReadonlyArray<Column> =>
  found.flatMap((column, at): ReadonlyArray<Column> => {
    const of = (row: ReadonlyArray<string>) => row[at] ?? ""
    if (column !== "name") return [{ header: written(named[column] ?? column), of }]
    // These tools greet by the first name.
    return [
      { header: written("first_name"), of: (row) => firstWord(of(row)) },
      { header: written("last_name"), of: (row) => otherWords(of(row)) }
    ]
  })

/** Converts the server's CSV of a list, as a stream. */
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
