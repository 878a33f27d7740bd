// src/client/Presets.ts: a list's CSV under the headers by which a sending tool knows its own fields. What the tool has no
// field for, the emails above all, becomes a custom variable under its header.
import { Stream } from "effect"
import { Csv } from "effect/encoding"
import { line } from "#layers/lists/Csv.ts"

export const presets = ["instantly", "smartlead", "lemlist"] as const
type Preset = (typeof presets)[number]

interface Headers {
  readonly email: string
  /** A tool greets by the first name alone. */
  readonly first_name: string
  readonly last_name: string
  readonly title: string
  readonly company: string
  readonly linkedin_url: string
  readonly company_website: string
  /** Of `step_2_subject` and the like. */
  readonly step: (column: string) => string
}

const asItIs = (column: string) => column

/** The names of a lead's fields in each tool's own API; that its import of files knows them too was not tried there. */
const headers: { readonly [P in Preset]: Headers } = {
  // https://developer.instantly.ai/api-reference/lead
  instantly: {
    email: "email",
    first_name: "first_name",
    last_name: "last_name",
    title: "job_title",
    company: "company_name",
    linkedin_url: "linkedin_url",
    company_website: "website",
    step: asItIs
  },
  // https://api.smartlead.ai/api-reference/openapi.yaml, of leads that are added to a campaign
  smartlead: {
    email: "email",
    first_name: "first_name",
    last_name: "last_name",
    title: "title",
    company: "company_name",
    linkedin_url: "linkedin_profile",
    company_website: "website",
    step: asItIs
  },
  // https://developer.lemlist.com/api-reference/objects-definitions/lead
  lemlist: {
    email: "email",
    first_name: "firstName",
    last_name: "lastName",
    title: "jobTitle",
    company: "companyName",
    linkedin_url: "linkedinUrl",
    company_website: "companyWebsite",
    step: (column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  }
}

interface Column {
  readonly header: string
  readonly of: (row: ReadonlyArray<string>) => string
}

const firstWord = (name: string) => name.trim().split(/\s+/)[0] ?? ""
const otherWords = (name: string) => name.trim().split(/\s+/).slice(1).join(" ")

/** What becomes of the columns that the server's CSV has. */
const columnsOf = (named: Headers, found: ReadonlyArray<string>): ReadonlyArray<Column> =>
  found.flatMap((column, at): ReadonlyArray<Column> => {
    const of = (row: ReadonlyArray<string>) => row[at] ?? ""
    switch (column) {
      case "name":
        return [
          { header: named.first_name, of: (row) => firstWord(of(row)) },
          { header: named.last_name, of: (row) => otherWords(of(row)) }
        ]
      case "email":
      case "title":
      case "company":
      case "linkedin_url":
      case "company_website":
        return [{ header: named[column], of }]
      default:
        return [{ header: named.step(column), of }]
    }
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
            if (columns !== undefined) return line(columns.map(({ of }) => of(row)))
            columns = columnsOf(headers[preset], row)
            return line(columns.map(({ header }) => header))
          })
          .join("")
      ]),
      Stream.encodeText
    )
  })
