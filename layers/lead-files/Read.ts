// layers/lead-files/Read.ts: reads the leads of an uploaded or local file. Runs in the reading thread alone.
import { Effect, Result } from "effect"
import { checkAddress } from "#layers/lead-files/AddressChecks.ts"
import { sheetOf } from "#layers/lead-files/Workbook.ts"
import { Unreadable } from "#layers/research/read/Unreadable.ts"
import * as LeadFile from "#schema/LeadFile.ts"
import type { Lead } from "#schema/Lead.ts"
import type { LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"

export interface LeadFileQuestion {
  readonly kind: "lead-file"
  readonly format: "csv" | "xlsx"
  readonly content: Uint8Array
  /** The first sheet if undefined. */
  readonly sheet: string | undefined
  readonly chosen: LeadFile.Chosen
  /** The answer as the API has it, in UTF-8, or the file as the command line uses it. */
  readonly answer: "json" | "file"
}

export type LeadFileReply =
  | { readonly json: Uint8Array<ArrayBuffer> }
  | { readonly file: LeadFile.LeadFile }
  | { readonly unreadable: string }

interface Sheets {
  readonly sheet: string | null
  readonly sheets: ReadonlyArray<string>
}

const noSheets: Sheets = { sheet: null, sheets: [] }

const leftOut = ({ email, line, reason }: LeadFile.LeftOut): LeadFileProblem => ({
  kind: "left_out",
  line,
  row: null,
  email: email ?? null,
  message: reason,
  suggestion: null
})

const aboutColumn = (kind: "shortened" | "no_email_column", message: string): LeadFileProblem => ({
  kind,
  line: null,
  row: null,
  email: null,
  message,
  suggestion: null
})

const noChecks = { role: 0, disposable: 0, consumer: 0, typo: 0 }

/** The checks that the addresses fail: how many leads for each, and each with its lead. */
const checked = (leads: ReadonlyArray<Lead>) => {
  const checks = { ...noChecks }
  const problems: Array<LeadFileProblem> = []
  for (const [at, { email }] of leads.entries()) {
    for (const check of checkAddress(email)) {
      checks[check.kind]++
      problems.push({ ...check, line: null, row: at + 1, email })
    }
  }
  return { checks, problems }
}

const readOf = (
  { columns, custom, headers, leads, left_out, shortened }: LeadFile.LeadFile,
  of: Sheets
): LeadFileRead => {
  const { checks, problems } = checked(leads)
  return {
    ...of,
    columns: headers,
    mapping: { ...columns, custom_fields: Object.fromEntries(custom.map(({ header, key }) => [key, header])) },
    rows: leads,
    checks,
    problems: [
      ...shortened.map(({ header, rows }) =>
        aboutColumn("shortened", `"${header}" is cut to 2,000 characters in ${rows} ${rows === 1 ? "row" : "rows"}.`)
      ),
      ...left_out.map(leftOut),
      ...problems
    ]
  }
}

/** A file without a column of addresses is answered with its headers, so that a person can choose one. */
const withoutEmails = (headers: ReadonlyArray<string>, message: string, of: Sheets): LeadFileRead => ({
  ...of,
  columns: headers,
  mapping: { email: [], name: [], title: [], company: [], linkedin_url: [], company_website: [], custom_fields: {} },
  rows: [],
  checks: noChecks,
  problems: [aboutColumn("no_email_column", message)]
})

const encoder = new TextEncoder()

const read = async ({ chosen, content, format, sheet }: LeadFileQuestion) => {
  const run = (reading: Effect.Effect<LeadFile.LeadFile, LeadFile.LeadFileError>) =>
    Effect.runPromise(Effect.result(reading))
  if (format === "csv") return { of: noSheets, result: await run(LeadFile.read(content, chosen)) }
  const { name, names, rows } = await sheetOf(content, sheet)
  return { of: { sheet: name, sheets: names }, result: await run(LeadFile.readSheet(rows, chosen)) }
}

export const answerLeadFile = async (question: LeadFileQuestion): Promise<LeadFileReply> => {
  try {
    const { of, result } = await read(question)
    const json = (answer: LeadFileRead) => ({ json: encoder.encode(JSON.stringify(answer)) })
    if (Result.isSuccess(result)) {
      return question.answer === "file" ? { file: result.success } : json(readOf(result.success, of))
    }
    const { headers, message, problem } = result.failure
    return problem === "no email column" && question.answer === "json"
      ? json(withoutEmails(headers ?? [], message, of))
      : { unreadable: message }
  } catch (error) {
    return { unreadable: error instanceof Unreadable ? error.message : "The file is damaged and cannot be read" }
  }
}
