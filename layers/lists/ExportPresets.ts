// layers/lists/ExportPresets.ts: the field names of sending tools. A column that a tool has no field for, for example
// an email, becomes a custom variable.
import type { ExportPreset } from "#schema/Lists.ts"

interface SendingTool {
  /** The tool's names for lead fields, where they differ from the API's. */
  readonly named: { readonly [field: string]: string }
  /** The headers of the whole, first and last name. Most tools have no field for the whole name. */
  readonly people: { readonly whole?: string; readonly first: string; readonly last: string }
  /** Converts a header to the tool's spelling. */
  readonly written: (name: string) => string
}

const unchanged = (name: string) => name
const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const inTitleCase = (name: string) =>
  name.replace(/(^|_)([a-z\d])/g, (_, gap: string, letter: string) => `${gap === "" ? "" : " "}${letter.toUpperCase()}`)

const nameHeaders = { first: "first_name", last: "last_name" }

/** From each tool's API reference; the tools' file imports were not tried. */
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
  // The merge fields are {{name}}, {{first}} and {{last}}.
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

/** The columns of the tool's file, made from the columns of the API's CSV. */
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
