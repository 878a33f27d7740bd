// console/pages/campaign/leads/LoadedLeadFile.ts: the lead file of a campaign. The browser parses text files, the server parses workbooks.
import { useRef, useState } from "preact/hooks"
import { Effect, Result, Struct } from "effect"
import { mappedFields } from "#schema/lead-files/Columns.ts"
import { type ChosenColumns, type LeadFile, parseLeadFile } from "#schema/lead-files/Parser.ts"
import type { AddressProblem, LeadFileRead } from "#schema/LeadFiles.ts"
import { toProblem } from "#console/Api.ts"
import { setUnsaved, useUnsaved } from "#console/UnsavedChanges.ts"
import { onSignOut, type Session, useSession } from "#console/Session.tsx"

export interface LeadFileSource {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer> | string
}

export interface LoadedLeadFile {
  readonly source: LeadFileSource
  readonly chosen: ChosenColumns
  /** The sheet of the workbook that was read. */
  readonly sheet?: string
  readonly sheets: ReadonlyArray<string>
  readonly file?: LeadFile
  /** Why the file cannot be read as leads. */
  readonly problem?: string
  readonly headers: ReadonlyArray<string>
  /** Whether the server is reading it. */
  readonly busy?: true
  /** The kinds of addresses that are left out. */
  readonly leave: { readonly [K in AddressProblem]?: boolean }
  /** Addresses that are written to although their kind is left out. */
  readonly keptAddresses?: ReadonlySet<string>
  /** Addresses that a suggestion replaces, each with the suggestion. */
  readonly corrected: Readonly<Record<string, string>>
  /** Addresses, in lower case, that the user included although the options leave them out. */
  readonly included?: ReadonlySet<string>
  /** Addresses, in lower case, that the user left out by hand. */
  readonly excluded?: ReadonlySet<string>
  /** Whether the people who opted out are suppressed on start; undefined for yes. */
  readonly addsOptOuts?: boolean
}

/** Leads of the last file that was read in this tab, to try emails with. */
let lastLoadedLeads: LeadFile["leads"] = []
export const leadsOfLastLoadedFile = () => lastLoadedLeads

/** Files not yet started, by campaign. They are too large for the browser's storage, so they last until the page is reloaded. */
const files = new Map<string, LoadedLeadFile>()

onSignOut(() => {
  lastLoadedLeads = []
  files.clear()
})

const isWorkbook = ({ name }: LeadFileSource) => /\.xlsx?$/i.test(name)

/** Converts the server's answer to the result of the browser's parser. */
const toFile = ({ columns, mapping: { custom_fields, ...fields }, problems, rows }: LeadFileRead): LeadFile => {
  const usedHeaders = new Set([...mappedFields.flatMap((field) => fields[field]), ...Object.values(custom_fields)])
  return {
    encoding: null,
    delimiter: null,
    columns: fields,
    custom: Object.entries(custom_fields).map(([key, header]) => ({ header, key })),
    unused: columns.filter((header) => !usedHeaders.has(header)),
    shortened: [],
    headers: columns,
    leads: rows,
    left_out: problems.flatMap(({ email, kind, lead, line, message, name, opt_out }) =>
      kind === "left_out" || kind === "excluded"
        ? [
            {
              line: line ?? 0,
              reason: message,
              ...(email === null ? {} : { email }),
              ...(name === undefined ? {} : { name }),
              ...(opt_out === undefined ? {} : { isOptOut: opt_out }),
              ...(lead === undefined ? {} : { lead })
            }
          ]
        : []
    )
  }
}

/** What stays when the same file is read with other columns. */
const keptFields = [
  "source",
  "chosen",
  "leave",
  "keptAddresses",
  "corrected",
  "included",
  "excluded",
  "addsOptOuts"
] as const

type LeadFileReading = Pick<LoadedLeadFile, (typeof keptFields)[number]> & {
  readonly sheet?: string | undefined
}

const readByServer = async ({ callApi }: Session, reading: LeadFileReading): Promise<LoadedLeadFile> => {
  const { chosen, sheet, source } = reading
  const payload = new FormData()
  payload.append("file", new Blob([source.content]), source.name)
  payload.append("mapping", JSON.stringify(chosen))
  if (sheet !== undefined) payload.append("sheet", sheet)
  const known = Struct.pick(reading, keptFields)
  try {
    const answer = await callApi((api) => api.lead_files.readLeadFile({ payload }))
    const missing = answer.problems.find(({ kind }) => kind === "no_email_column")
    return {
      ...known,
      sheets: answer.sheets,
      ...(answer.sheet === null ? {} : { sheet: answer.sheet }),
      headers: answer.columns,
      ...(missing === undefined ? { file: toFile(answer) } : { problem: missing.message })
    }
  } catch (error) {
    const { issues, message } = toProblem(error)
    const [issue] = issues
    return { ...known, sheets: [], headers: [], problem: issue === undefined ? message : `The file ${issue.message}` }
  }
}

/** Parses a text file with the selected columns. */
const readInBrowser = (reading: LeadFileReading): LoadedLeadFile => {
  const known = { ...Struct.pick(reading, keptFields), sheets: [] }
  const outcome = Effect.runSync(Effect.result(parseLeadFile(reading.source.content, reading.chosen)))
  return Result.isSuccess(outcome)
    ? { ...known, file: outcome.success, headers: outcome.success.headers }
    : { ...known, problem: outcome.failure.message, headers: outcome.failure.headers ?? [] }
}

const unwritten = (loadedFile: LoadedLeadFile | undefined) =>
  loadedFile === undefined ? 0 : `The leads of “${loadedFile.source.name}” are not written to yet.`

/** All leads of the file, those at the end that a column of it says to leave out. */
export const leadsOf = ({ leads, left_out }: LeadFile): LeadFile["leads"] => [
  ...leads,
  ...left_out.flatMap(({ lead }) => lead ?? [])
]

/** The lead file of a campaign. It counts as unsaved until its list is started. */
export const useLeadFile = (campaign: string) => {
  const session = useSession()
  const [loadedFile, showLoadedFile] = useState(files.get(campaign))
  const latest = useRef(0)
  const form = `leads ${campaign}`
  useUnsaved(form, unwritten(loadedFile), true)
  const setLoadedFile = (next: LoadedLeadFile | undefined) => {
    if (next === undefined) files.delete(campaign)
    else files.set(campaign, next)
    if (next?.file !== undefined) lastLoadedLeads = next.file.leads.slice(0, 50)
    setUnsaved(form, unwritten(next), true)
    showLoadedFile(next)
  }
  return {
    loadedFile,
    /** Replaces the file and its settings; undefined removes it. */
    setLoadedFile: (next: LoadedLeadFile | undefined) => {
      latest.current++
      setLoadedFile(next)
    },
    /** Parses a file, or the same file with other columns or another sheet. */
    read: (reading: LeadFileReading) => {
      const readNumber = ++latest.current
      if (!isWorkbook(reading.source)) return setLoadedFile(readInBrowser(reading))
      const { sheet, ...known } = reading
      setLoadedFile({
        headers: [],
        sheets: [],
        ...loadedFile,
        ...known,
        ...(sheet === undefined ? {} : { sheet }),
        busy: true
      })
      void readByServer(session, reading).then((next) => {
        // Ignores the result if another file or column was selected meanwhile.
        if (readNumber === latest.current) setLoadedFile(next)
      })
    }
  }
}
export type LeadFileState = ReturnType<typeof useLeadFile>
