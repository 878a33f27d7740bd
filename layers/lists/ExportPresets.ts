// layers/lists/ExportPresets.ts: the headers by which a sending tool knows its own fields. What the tool has no field for, the
// emails above all, becomes a custom variable under its header.
import type { ExportPreset } from "#schema/Lists.ts"

interface SendingTool {
  /** The tool's names of a lead's fields, where they differ. */
  readonly named: { readonly [field: string]: string }
  /** The headers of the whole, first and last name. Most tools greet by the first name, and have no field for the whole. */
  readonly people: { readonly whole?: string; readonly first: string; readonly last: string }
  /** Converts a name to the tool's spelling. */
  readonly written: (name: string) => string
}

const unchanged = (name: string) => name
const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const inTitleCase = (name: string) =>
  name.replace(/(^|_)([a-z\d])/g, (_, gap: string, letter: string) => `${gap === "" ? "" : " "}${letter.toUpperCase()}`)

const nameHeaders = { first: "first_name", last: "last_name" }

/** Names are taken from each tool's reference; file imports were not tried. */
const sendingTools: { readonly [P in ExportPreset]: SendingTool } = {
  // https://developer.instantly.ai/api-reference/lead
  instantly: {
    named: { title: "job_title", company: "company_name", company_website: "website" },
    people: nameHeaders,
    written: unchanged
  },
  // https://api.smartlead.ai/api-reference/openapi.yaml, leads added to a campaign
  smartlead: {
    named: { company: "company_name", linkedin_url: "linkedin_profile", company_website: "website" },
    people: nameHeaders,
    written: unchanged
  },
  // https://developer.lemlist.com/api-reference/objects-definitions/lead
  lemlist: {
    named: { title: "job_title", company: "company_name" },
    people: nameHeaders,
    written: inCamelCase
  },
  // Its merge fields are {{name}}, {{first}} and {{last}}.
  mailshake: {
    named: { company_website: "website" },
    people: { whole: "name", first: "first", last: "last" },
    written: unchanged
  },
  // https://knowledge.hubspot.com/import-and-export/sample-import-files
  hubspot: {
    named: {
      title: "Job Title",
      company: "Company Name",
      company_website: "Website URL",
      linkedin_url: "LinkedIn URL"
    },
    people: { first: "First Name", last: "Last Name" },
    written: inTitleCase
  }
}

export interface Column {
  readonly header: string
  readonly of: (row: ReadonlyArray<string>) => string
}

const firstWord = (name: string) => name.trim().split(/\s+/)[0] ?? ""
const otherWords = (name: string) => name.trim().split(/\s+/).slice(1).join(" ")

/** The columns of a tool's file, from those of the CSV that has the names of the API. */
export const presetColumns = (preset: ExportPreset, headers: ReadonlyArray<string>): ReadonlyArray<Column> => {
  const { named, people, written } = sendingTools[preset]
  return headers.flatMap((header, at): ReadonlyArray<Column> => {
    const of = (row: ReadonlyArray<string>) => row[at] ?? ""
    const known = named[header]
    if (header !== "name") return [{ header: written(known ?? header), of }]
    return [
      ...(people.whole === undefined ? [] : [{ header: people.whole, of }]),
      { header: written(people.first), of: (row) => firstWord(of(row)) },
      { header: written(people.last), of: (row) => otherWords(of(row)) }
    ]
  })
}
