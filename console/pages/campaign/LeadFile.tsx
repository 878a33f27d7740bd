// console/pages/campaign/LeadFile.tsx: picks a lead file, or accepts pasted rows, and maps its columns to fields.
import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import type { LeadFile } from "#schema/lead-files/Parser.ts"
import { maxCustomField, maxCustomFields } from "#schema/Lead.ts"
import { type Field, mappedFields } from "#schema/lead-files/Columns.ts"
import { useTextDraft } from "#console/Draft.ts"
import {
  leadsOf,
  type LoadedLeadFile,
  type LeadFileState,
  type LeadFileSource
} from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { Form, SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { StatusText, WaitingNotice } from "#console/parts/Notices.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"

export const leadFieldLabels: Readonly<Record<Field, string>> = {
  email: "Email address",
  name: "Name",
  title: "Job title",
  company: "Company",
  linkedin_url: "LinkedIn profile",
  company_website: "Website",
  exclude: "Leave out if marked"
}

const ChooseLeadFile = ({ onChoose }: { readonly onChoose: (source: LeadFileSource) => void }) => {
  const id = useId()
  const [isDraggedOver, setDraggedOver] = useState(false)
  const pasted = useTextDraft("leads.pasted", "")
  const input = useRef<HTMLInputElement>(null)
  const readFile = async (file: File | undefined) => {
    if (file !== undefined) onChoose({ name: file.name, content: new Uint8Array(await file.arrayBuffer()) })
  }
  return (
    <>
      <div
        class={`drop${isDraggedOver ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault()
          setDraggedOver(true)
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDraggedOver(false)
          void readFile(event.dataTransfer?.files[0])
        }}
      >
        <label for={id}>
          <span class="strong">Drop a CSV or Excel file here, or choose one</span>
          <span class="quiet">.csv, .tsv or .xlsx. Any column names, in any order; up to 50,000 rows.</span>
        </label>
        <input
          id={id}
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain,text/tab-separated-values"
          onChange={(event) => void readFile(event.currentTarget.files?.[0])}
        />
      </div>
      <details class="more">
        <summary>Paste rows instead</summary>
        <Form
          onSubmit={() => {
            onChoose({ name: "Pasted leads", content: pasted.value })
            pasted.discard()
          }}
        >
          <TextInput
            label="Rows, the first with the column names"
            hint="As they are copied from a spreadsheet, or as CSV."
            placeholder={"Email, Name, Company\nsam@harbour.example, Sam Ortiz, Harbour Foods"}
            rows={6}
            value={pasted.value}
            onInput={(text) => pasted.set(() => text)}
          />
          <ActionButton action={{ isBusy: false }} busyLabel="" disabled={pasted.value.trim() === ""}>
            Read the rows
          </ActionButton>
        </Form>
      </details>
    </>
  )
}

const ColumnMapping = ({
  loadedFile,
  read
}: {
  readonly loadedFile: LoadedLeadFile
  readonly read: LeadFileState["read"]
}) => {
  const { chosen, file, headers } = loadedFile
  // Columns that are combined into a name are one option.
  const valueOf = (field: Field) => (chosen[field] ?? file?.columns[field] ?? []).join("\u0000")
  const choose = (field: Field, value: string) =>
    read({ ...loadedFile, chosen: { ...chosen, [field]: value === "" ? [] : value.split("\u0000") } })
  return (
    <fieldset class="group">
      <legend>Which column is what</legend>
      <div class="columns">
        {mappedFields.map((field) => {
          const value = valueOf(field)
          const several = value.includes("\u0000") ? [[value, value.split("\u0000").join(" + ")] as const] : []
          return (
            <SelectInput
              key={field}
              label={leadFieldLabels[field]}
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
        Custom fields: {formatCount(custom.length, "column")}
        {unused.length > 0 && `, ${formatNumber(unused.length)} not used`}
      </summary>
      <ul class="plain-list">
        {custom.map(({ header, key }) => (
          <li key={key}>
            {header}: <code>custom.{key}</code>
          </li>
        ))}
        {shortened.map(({ header, rows }) => (
          <li key={`cut ${header}`}>
            {header} is cut to {formatNumber(maxCustomField)} characters in {formatCount(rows, "row")}.
          </li>
        ))}
        {unused.length > 0 && (
          <li>
            Not used: {unused.join(", ")}. A column is a custom field when any cell below its header has text, for up to{" "}
            {formatNumber(maxCustomFields)} columns.
          </li>
        )}
      </ul>
    </details>
  )

const LeftOut = ({ file }: { readonly file: LeadFile }) => {
  const left_out = file.left_out.filter(({ lead }) => lead === undefined)
  return left_out.length === 0 ? null : (
    <details>
      <summary>{formatCount(left_out.length, "row")} left out, and why</summary>
      <ul class="plain-list">
        {left_out.slice(0, 100).map(({ email, line, reason }) => (
          <li key={line}>
            Line {formatNumber(line)} of the file
            {email && ` (${email})`}: {reason}
          </li>
        ))}
        {left_out.length > 100 && <li>and {formatNumber(left_out.length - 100)} more</li>}
      </ul>
    </details>
  )
}

interface Props {
  /** Shown below the columns once the file is read. */
  readonly children: ComponentChildren
  readonly fileState: LeadFileState
  /** Called before another file is loaded or this one is removed. */
  readonly onNewFile: () => void
}

export const LeadFilePicker = ({ children, fileState: { loadedFile, setLoadedFile, read }, onNewFile }: Props) => {
  if (loadedFile === undefined) {
    const choose = (source: LeadFileSource) => {
      onNewFile()
      read({ source, chosen: {}, leave: {}, corrected: {} })
    }
    return <ChooseLeadFile onChoose={choose} />
  }
  const { busy = false, file, headers, problem, sheet, sheets, source } = loadedFile
  const leadCount = file === undefined ? 0 : leadsOf(file).length
  const message = busy ? "" : (problem ?? `${formatCount(leadCount, "lead")} in ${source.name}`)
  return (
    <>
      <StatusText>{message}</StatusText>
      <div class="brought">
        <p>
          <span class="strong">{source.name}</span> <span class="quiet">{file && formatCount(leadCount, "lead")}</span>
        </p>
        <button
          type="button"
          class="button"
          onClick={() => {
            onNewFile()
            setLoadedFile(undefined)
          }}
        >
          Choose a different file
        </button>
      </div>
      {sheets.length > 1 && (
        <SelectInput
          label="Sheet"
          value={sheet ?? ""}
          options={sheets.map((name) => [name, name] as const)}
          onChange={(sheet) => read({ ...loadedFile, sheet, chosen: {} })}
        />
      )}
      {busy && <WaitingNotice>Reading the workbook…</WaitingNotice>}
      {!busy && problem !== undefined && (
        <div class="trouble">
          <p class="trouble-title">We couldn’t read any leads</p>
          <p>{problem}</p>
        </div>
      )}
      {headers.length > 0 && <ColumnMapping loadedFile={loadedFile} read={read} />}
      {leadCount > 0 && children}
      {file && <CustomFields file={file} />}
      {file && <LeftOut file={file} />}
      {file?.encoding === "windows-1252" && (
        <p class="note">Read as windows-1252. If accents look wrong, save the file as UTF-8.</p>
      )}
    </>
  )
}
