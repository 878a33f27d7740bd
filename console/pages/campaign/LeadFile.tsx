// console/pages/campaign/LeadFile.tsx: reads a lead file that was dropped, chosen or pasted, in the browser, and assigns
// its columns to fields. Nothing is sent before the person starts.
import { useId, useRef, useState } from "preact/hooks"
import { Effect, Result } from "effect"
import { type Chosen, type LeadFile, read } from "#schema/LeadFile.ts"
import { leadFields, maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import type { Field } from "#schema/leadfile/Columns.ts"
import { useTextDraft } from "#console/Draft.ts"
import { noteUnsaved, useUnsaved } from "#console/Leaving.ts"
import { Form, Select, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Said } from "#console/parts/Notices.tsx"
import { count, number } from "#console/parts/Words.ts"
import { onSignOut } from "#console/Session.tsx"

const names: Readonly<Record<Field, string>> = {
  email: "Email address",
  name: "Name",
  title: "Job title",
  company: "Company",
  linkedin_url: "LinkedIn profile",
  company_website: "Website"
}

interface Source {
  readonly name: string
  readonly content: Uint8Array | string
}

export interface Brought {
  readonly source: Source
  readonly chosen: Chosen
  readonly file?: LeadFile
  /** Why it is no list of leads. */
  readonly problem?: string
  readonly headers: ReadonlyArray<string>
}

/** Leads of the last file that was read in this tab, to try emails with. */
let lastLeads: LeadFile["leads"] = []

/** The files that are not written to yet, by campaign: too large for the browser's storage, so they last as long as the page. */
const files = new Map<string, Brought>()

onSignOut(() => {
  lastLeads = []
  files.clear()
})

/** The lead file of a campaign, which is unsaved work until it is written to. */
export const useLeadFile = (campaign: string) => {
  const [brought, setBrought] = useState(files.get(campaign))
  const form = `leads ${campaign}`
  useUnsaved(form, brought === undefined ? 0 : 1)
  return {
    brought,
    bring: (next: Brought | undefined) => {
      if (next === undefined) files.delete(campaign)
      else files.set(campaign, next)
      noteUnsaved(form, next === undefined ? 0 : 1)
      setBrought(next)
    }
  }
}
export const leadsOfLastFile = () => lastLeads

/** Reads it, with the columns that the person has chosen. */
const bring = (source: Source, chosen: Chosen = {}): Brought => {
  const outcome = Effect.runSync(Effect.result(read(source.content, chosen)))
  if (Result.isSuccess(outcome)) lastLeads = outcome.success.leads.slice(0, 50)
  return Result.isSuccess(outcome)
    ? { source, chosen, file: outcome.success, headers: outcome.success.headers }
    : { source, chosen, problem: outcome.failure.message, headers: outcome.failure.headers ?? [] }
}

const Bring = ({ onBring }: { readonly onBring: (source: Source) => void }) => {
  const id = useId()
  const [over, setOver] = useState(false)
  const pasted = useTextDraft("leads.pasted", "")
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file !== undefined) onBring({ name: file.name, content: new Uint8Array(await file.arrayBuffer()) })
  }
  return (
    <>
      <div
        class={`drop${over ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void take(event.dataTransfer?.files[0])
        }}
      >
        <label for={id}>
          <span class="strong">Drop a CSV file here, or choose one</span>
          <span class="quiet">Any column names, in any order; up to 50,000 leads.</span>
        </label>
        <input
          id={id}
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </div>
      <details class="more">
        <summary>Paste rows instead</summary>
        <Form
          onSubmit={() => {
            onBring({ name: "Pasted leads", content: pasted.value })
            pasted.drop()
          }}
        >
          <Text
            label="Rows, with their headers in the first"
            hint="As they are copied from a spreadsheet, or as CSV."
            placeholder={"Email, Name, Company\nsam@harbour.example, Sam Ortiz, Harbour Foods"}
            rows={6}
            value={pasted.value}
            onInput={(text) => pasted.set(() => text)}
          />
          <Act doing={{ busy: false }} busy="" disabled={pasted.value.trim() === ""}>
            Read the rows
          </Act>
        </Form>
      </details>
    </>
  )
}

const Columns = ({
  brought,
  onChange
}: {
  readonly brought: Brought
  readonly onChange: (brought: Brought) => void
}) => {
  const { chosen, file, headers, source } = brought
  // Several columns that make up a name are one choice.
  const valueOf = (field: Field) => (chosen[field] ?? file?.columns[field] ?? []).join("\u0000")
  const choose = (field: Field, value: string) =>
    onChange(bring(source, { ...chosen, [field]: value === "" ? [] : value.split("\u0000") }))
  return (
    <fieldset class="group">
      <legend>Which column is what</legend>
      <div class="columns">
        {leadFields.map((field) => {
          const value = valueOf(field)
          const several = value.includes("\u0000") ? [[value, value.split("\u0000").join(" + ")] as const] : []
          return (
            <Select
              key={field}
              label={names[field]}
              value={value}
              options={[["", "No column"], ...several, ...headers.map((header) => [header, header] as const)]}
              onChange={(value) => choose(field, value)}
            />
          )
        })}
      </div>
    </fieldset>
  )
}

const CustomFields = ({ file: { custom, shortened, unused } }: { readonly file: LeadFile }) =>
  custom.length + unused.length === 0 ? null : (
    <details>
      <summary>
        Custom fields: {count(custom.length, "column")}
        {unused.length > 0 && `, ${number(unused.length)} not used`}
      </summary>
      <ul class="plain-list">
        {custom.map(({ header, key }) => (
          <li key={key}>
            {header}: <code>custom.{key}</code>
          </li>
        ))}
        {shortened.map(({ header, rows }) => (
          <li key={`cut ${header}`}>
            {header} is cut to {number(maxCustomField)} characters in {count(rows, "row")}.
          </li>
        ))}
        {unused.length > 0 && (
          <li>
            Not used: {unused.join(", ")}. A column is a custom field when any cell below its header has text, for up to{" "}
            {number(maxCustomFields)} columns.
          </li>
        )}
      </ul>
    </details>
  )

const LeftOut = ({ file: { left_out } }: { readonly file: LeadFile }) =>
  left_out.length === 0 ? null : (
    <details>
      <summary>{count(left_out.length, "row")} left out, and why</summary>
      <ul class="plain-list">
        {left_out.slice(0, 100).map(({ email, line, reason }) => (
          <li key={line}>
            Line {number(line)}
            {email && ` (${email})`}: {reason}
          </li>
        ))}
        {left_out.length > 100 && <li>and {number(left_out.length - 100)} more</li>}
      </ul>
    </details>
  )

const First = ({ file: { leads } }: { readonly file: LeadFile }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="The first leads">
    <table>
      <thead>
        <tr>
          {leadFields.map((field) => (
            <th key={field} scope="col">
              {names[field]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {leads.slice(0, 3).map((lead) => (
          <tr key={lead.email}>
            {leadFields.map((field) => (
              <td key={field}>{lead[field] ?? <span class="quiet">none</span>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface Props {
  readonly brought: Brought | undefined
  readonly onChange: (brought: Brought | undefined) => void
}

export const Leads = ({ brought, onChange }: Props) => {
  if (brought === undefined) return <Bring onBring={(source) => onChange(bring(source))} />
  const { file, headers, problem, source } = brought
  const said = problem ?? `${count(file?.leads.length ?? 0, "lead")} in ${source.name}`
  return (
    <>
      <Said>{said}</Said>
      <div class="brought">
        <p>
          <span class="strong">{source.name}</span>{" "}
          <span class="quiet">{file && count(file.leads.length, "lead")}</span>
        </p>
        <button type="button" class="button" onClick={() => onChange(undefined)}>
          Choose a different file
        </button>
      </div>
      {problem !== undefined && (
        <div class="trouble">
          <p class="trouble-title">We couldn’t read any leads</p>
          <p>{problem}</p>
        </div>
      )}
      {headers.length > 0 && <Columns brought={brought} onChange={onChange} />}
      {file && file.leads.length > 0 && <First file={file} />}
      {file && <CustomFields file={file} />}
      {file && <LeftOut file={file} />}
      {file?.encoding === "windows-1252" && (
        <p class="note">Read as windows-1252. If accents look wrong, save the file as UTF-8.</p>
      )}
    </>
  )
}
