// layers/lead-files/ReadLeadFile.ts: reads the leads of an uploaded or local file. Runs only in a worker thread.
import { Array as Arr, Effect, Result } from "effect"
import { checkLeadAddress } from "#layers/lead-files/AddressChecks.ts"
import { unusableKind, unusableNameKind } from "#layers/text/NamePatterns.ts"
import { readWorkbookSheet } from "#layers/lead-files/Workbook.ts"
import { Unreadable } from "#layers/lib/Unreadable.ts"
import * as LeadFile from "#schema/lead-files/Parser.ts"
import type { Lead } from "#schema/Lead.ts"
import type { LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"

export interface LeadFileQuestion {
  readonly kind: "lead-file"
  readonly format: "csv" | "xlsx"
  readonly content: Uint8Array
  /** The first sheet if undefined. */
  readonly sheet: string | undefined
  readonly chosen: LeadFile.ChosenColumns
  /** `json` for the API's answer in UTF-8, `file` for the CLI. */
  readonly answer: "json" | "file"
}

/** The API's answer, and what the main thread compares of its leads without parsing it. */
export interface LeadFileJson {
  /** `LeadFileRead` in UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>
  /** JSON lists of `email`, `company` and `company_website` of the leads in order, each short enough to parse at once. */
  readonly contacts: ReadonlyArray<string>
}

export type LeadFileReply =
  | LeadFileJson
  | { readonly file: LeadFile.LeadFile }
  /** `field` is the field of a lead whose chosen column is missing. */
  | { readonly unreadable: string; readonly field?: string | undefined }

interface SheetNames {
  readonly sheet: string | null
  readonly sheets: ReadonlyArray<string>
}

const noSheets: SheetNames = { sheet: null, sheets: [] }

const leftOutProblem = ({ email, isOptOut, lead, line, name, reason }: LeadFile.SkippedLine): LeadFileProblem => ({
  kind: lead === undefined ? "left_out" : "excluded",
  line,
  row: null,
  email: email ?? null,
  message: reason,
  suggestion: null,
  ...(name === undefined ? {} : { name }),
  ...(isOptOut === undefined ? {} : { opt_out: isOptOut }),
  ...(lead === undefined ? {} : { lead })
})

const columnProblem = (kind: "shortened" | "no_email_column", message: string): LeadFileProblem => ({
  kind,
  line: null,
  row: null,
  email: null,
  message,
  suggestion: null
})

/** Leads that the main thread compares before it yields to other requests. */
const contactsPerPiece = 200

const contactsOf = (leads: ReadonlyArray<Lead>) =>
  Arr.chunksOf(leads, contactsPerPiece).map((part) =>
    JSON.stringify(part.map(({ company, company_website, email }) => ({ email, company, company_website })))
  )

const noChecks = { role: 0, disposable: 0, consumer: 0, typo: 0 }

/** The warnings about the addresses: the number of leads for each kind, and each warning with its lead. */
const checkAddresses = (leads: ReadonlyArray<Lead>) => {
  const checks = { ...noChecks }
  const problems: Array<LeadFileProblem> = []
  for (const [index, { email }] of leads.entries()) {
    for (const check of checkLeadAddress(email)) {
      checks[check.kind]++
      problems.push({ ...check, line: null, row: index + 1, email })
    }
  }
  return { checks, problems }
}

/** The names of people and companies that are none, so that no email uses them. */
const unusableNames = (leads: ReadonlyArray<Lead>): ReadonlyArray<LeadFileProblem> =>
  leads.flatMap(({ company, email, name }, index) =>
    (
      [
        ["name", unusableNameKind(name ?? "")],
        ["company", unusableKind(company ?? "")]
      ] as const
    ).flatMap(([field, kind]): ReadonlyArray<LeadFileProblem> =>
      kind === undefined
        ? []
        : [
            {
              kind: "unusable",
              line: null,
              row: index + 1,
              email,
              message: `The ${field} is ${kind}, so no email uses it.`,
              suggestion: null,
              field
            }
          ]
    )
  )

const toLeadFileRead = (
  { columns, custom, headers, leads, left_out, shortened }: LeadFile.LeadFile,
  sheetNames: SheetNames
): LeadFileRead => {
  const { checks, problems } = checkAddresses(leads)
  return {
    ...sheetNames,
    columns: headers,
    mapping: { ...columns, custom_fields: Object.fromEntries(custom.map(({ header, key }) => [key, header])) },
    rows: leads,
    checks,
    // Last, because `layers/generation/KnownLeads.ts` appends to it.
    problems: [
      ...shortened.map(({ header, rows }) =>
        columnProblem("shortened", `"${header}" is cut to 2,000 characters in ${rows} ${rows === 1 ? "row" : "rows"}.`)
      ),
      ...left_out.map(leftOutProblem),
      ...problems,
      ...unusableNames(leads)
    ]
  }
}

/** Answers the headers of a file without a column of addresses, so that a person can choose the column. */
const withoutEmailColumn = (headers: ReadonlyArray<string>, message: string, sheetNames: SheetNames): LeadFileRead => ({
  ...sheetNames,
  columns: headers,
  mapping: {
    email: [],
    name: [],
    title: [],
    company: [],
    linkedin_url: [],
    company_website: [],
    exclude: [],
    custom_fields: {}
  },
  rows: [],
  checks: noChecks,
  problems: [columnProblem("no_email_column", message)]
})

const encoder = new TextEncoder()

const readLeadFile = async ({ chosen, content, format, sheet }: LeadFileQuestion) => {
  const run = (parse: Effect.Effect<LeadFile.LeadFile, LeadFile.LeadFileError>) =>
    Effect.runPromise(Effect.result(parse))
  if (format === "csv") return { sheetNames: noSheets, result: await run(LeadFile.parseLeadFile(content, chosen)) }
  const { name, names, rows } = await readWorkbookSheet(content, sheet)
  return { sheetNames: { sheet: name, sheets: names }, result: await run(LeadFile.parseLeadSheet(rows, chosen)) }
}

export const answerLeadFile = async (question: LeadFileQuestion): Promise<LeadFileReply> => {
  try {
    const { sheetNames, result } = await readLeadFile(question)
    const json = (answer: LeadFileRead): LeadFileJson => ({
      json: encoder.encode(JSON.stringify(answer)),
      contacts: contactsOf(answer.rows)
    })
    if (Result.isSuccess(result)) {
      return question.answer === "file" ? { file: result.success } : json(toLeadFileRead(result.success, sheetNames))
    }
    const { field, headers, message, problem } = result.failure
    // Another sheet may have the leads, so the answer includes the sheets' names.
    const canChoose = problem === "no email column" || (problem === "no rows" && sheetNames.sheets.length > 1)
    return canChoose && question.answer === "json"
      ? json(withoutEmailColumn(headers ?? [], message, sheetNames))
      : { unreadable: message, field }
  } catch (error) {
    return { unreadable: error instanceof Unreadable ? error.message : "The file is damaged and cannot be read" }
  }
}
