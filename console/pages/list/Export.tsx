// console/pages/list/Export.tsx: the dialog that downloads the emails of a list as a file.
import { useState } from "preact/hooks"
import { Effect, Option, Schema } from "effect"
import { type ExportCount, type ExportPreset, exportPresets, type List } from "#schema/Lists.ts"
import type { Client } from "#console/Api.ts"
import { saveResponse } from "#console/Download.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { type Exported, NextSteps, presetNames, sendDayText } from "#console/pages/list/NextSteps.tsx"
import { useStartReview } from "#console/pages/list/StartReview.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, RadioGroup, SelectInput, Checkbox } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { type Session, useSession } from "#console/Session.tsx"

const presetOptions: ReadonlyArray<readonly [ExportPreset | "", string]> = [
  ["", "Any tool (standard columns)"],
  ...exportPresets.map((preset) => [preset, presetNames[preset]] as const)
]

/** The sending tool of the last export. Stored in this browser and kept after signing out: it reveals nothing about the workspace. */
const storageKey = "overture.sending-tool"
const lastPreset = (): ExportPreset | "" =>
  Option.getOrElse(
    Schema.decodeUnknownOption(Schema.Literals(exportPresets))(localStorage.getItem(storageKey)),
    () => ""
  )

const rememberPreset = (preset: ExportPreset | undefined) => {
  if (preset === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, preset)
}

interface ExportQuery {
  readonly format: "csv" | "json"
  readonly review?: "approved"
  readonly suppressed: "exclude"
  readonly exported?: "new"
  readonly preset?: ExportPreset
  readonly columns?: "all"
}

/** `Fair.csv` as `Fair-new-2026-11-28-1405.csv`, so that a file of new leads is not taken for the one before. */
const newFileName = (name: string) => {
  const at = new Date()
  const digits = (n: number) => String(n).padStart(2, "0")
  const day = [at.getFullYear(), digits(at.getMonth() + 1), digits(at.getDate())].join("-")
  return name.replace(/(?=\.[^.]*$)/, `-new-${day}-${digits(at.getHours())}${digits(at.getMinutes())}`)
}

const download = ({ callApi }: Session, list: string, query: ExportQuery, otherwise: string) =>
  callApi((api) =>
    saveResponse(
      api.lists.exportList({ params: { id: list }, query, responseMode: "response-only" }),
      `${otherwise}.${query.format}`,
      query.exported === "new" ? newFileName : undefined
    )
  )

type Scope = "all" | "approved"

const countLeads = (api: Client, list: string, filter: Pick<ExportQuery, "exported">) => {
  const count = (query: Pick<ExportQuery, "review">) =>
    api.lists.countExport({ params: { id: list }, query: { ...query, ...filter, suppressed: "exclude" } })
  return Effect.all({ all: count({}), approved: count({ review: "approved" }) })
}

/** The number of leads that each kind of export includes and leaves out; of the new leads only if the list was exported before. */
const listTotals =
  ({ exported_at, id }: List) =>
  (api: Client) =>
    Effect.all({
      written: countLeads(api, id, {}),
      fresh: exported_at === undefined ? Effect.undefined : countLeads(api, id, { exported: "new" }),
      review: Effect.map(api.review.getLastBulkReview({ params: { id } }), ({ counts }) => counts)
    })
type ListTotals = Effect.Success<ReturnType<ReturnType<typeof listTotals>>>

const numberOf = ({ leads, suppressed }: ExportCount) => leads + suppressed

const exportedOf = (
  { leads_count = 0, leads_skipped = 0 }: List,
  { fresh, written: counts }: ListTotals,
  scope: Scope,
  onlyNew: boolean
) => {
  const written = numberOf(counts.all)
  const chosen = (onlyNew && fresh ? fresh : counts)[scope]
  return {
    leads: chosen.leads,
    suppressed: chosen.suppressed,
    unapproved: written - numberOf(counts[scope]),
    exportedBefore: numberOf(counts[scope]) - numberOf(chosen),
    skipped: leads_skipped,
    unwritten: Math.max(0, leads_count - written - leads_skipped)
  }
}

/** Why the file of approved leads would have none. */
const noneApprovedText = ({ review, written: { approved } }: ListTotals) =>
  approved.suppressed > 0
    ? `No lead would be in the file: ${formatCount(approved.suppressed, "approved lead is", "approved leads are")} on “${suppressionListLabel}”.`
    : `No lead would be in the file: none is approved${review.rejected === 0 ? "" : `, and ${formatCount(review.rejected, "lead is", "leads are")} rejected`}.`

interface NoneApprovedProps {
  readonly list: string
  readonly totals: ListTotals
  readonly scope: Scope
}

/** Why approved leads cannot be exported, and a way to the leads to review. */
const NoneApproved = ({ list, scope, totals }: NoneApprovedProps) => {
  const { isEmpty, start } = useStartReview(list, {})
  const { open, open_suppressed } = totals.review
  return (
    <p role="status">
      {scope === "approved" ? noneApprovedText(totals) : "No lead is approved, so “Approved only” has none."}{" "}
      {open > open_suppressed && !isEmpty && (
        <button type="button" class="link" aria-disabled={start.isBusy} onClick={start.start}>
          Review emails
        </button>
      )}
    </p>
  )
}

interface ScopeNoteProps {
  readonly totals: ListTotals
  /** The counts of the selected leads. */
  readonly counts: ListTotals["written"]
  readonly scope: Scope
}

/** What the file leaves out, before it is downloaded. */
const ScopeNote = ({ counts, scope, totals }: ScopeNoteProps) => {
  const { leads, suppressed } = counts[scope]
  if (totals.written[scope].leads === 0) return null
  if (leads === 0 && suppressed === 0 && counts === totals.fresh)
    return <p role="status">No lead would be in the file: all were exported before.</p>
  return suppressed === 0 ? null : (
    <p role="status">
      {formatCount(suppressed, "lead")} on “{suppressionListLabel}” {suppressed === 1 ? "is" : "are"} left out.
    </p>
  )
}

interface CsvProps {
  readonly preset: ExportPreset | ""
  readonly allColumns: boolean
  readonly onPreset: (preset: ExportPreset | "") => void
  readonly onAllColumns: (all: boolean) => void
}

const CsvOptions = ({ allColumns, onAllColumns, onPreset, preset }: CsvProps) => (
  <>
    <SelectInput label="Sending tool" value={preset} options={presetOptions} onChange={onPreset} />
    <Checkbox
      label="All columns"
      checked={allColumns}
      onChange={onAllColumns}
      hint="Adds send_day_n; findings_fail, findings_warn and findings_hint, which are the findings marked Must change, Check and Optional; persona_id, edited, review and review_note; and what marks text that a model wrote."
    />
  </>
)

interface Props {
  readonly list: List
  readonly onClose: () => void
}

/** Downloads the file with the dialog's settings, and describes its content until a setting changes. */
const useDownload = (
  list: List,
  which: Scope,
  query: Omit<ExportQuery, "review" | "suppressed">,
  onDownloaded: () => void
) => {
  const session = useSession()
  const about = JSON.stringify([which, query])
  const [lastExport, setLastExport] = useState<{ readonly about: string; readonly exported: Exported }>()
  const downloadAction = useAction(async () => {
    setLastExport(undefined)
    const review = which === "approved" ? { review: which } : {}
    const name = list.custom_name ?? list.id
    // Counted again, because leads may have been reviewed since the dialog opened, and before the file makes its leads exported ones.
    const totals = await session.callApi(listTotals(list))
    const file = await download(session, list.id, { ...query, ...review, suppressed: "exclude" }, name)
    if (query.format === "csv") rememberPreset(query.preset)
    const described = exportedOf(list, totals, which, query.exported !== undefined)
    setLastExport({ about, exported: { file, preset: query.preset, ...described } })
    onDownloaded()
  })
  return { downloadAction, exported: lastExport?.about === about ? lastExport.exported : undefined }
}

const formatOptions = [
  ["csv", "CSV"],
  ["json", "JSON"]
] as const

interface LeadsToExportProps {
  readonly counts: ListTotals["written"] | undefined
  readonly noneApproved: boolean
  readonly scope: Scope
  readonly onScope: (scope: Scope) => void
  readonly onlyNew: boolean
  readonly onOnlyNew: (onlyNew: boolean) => void
  /** Whether a file of the list was exported before. */
  readonly wasExported: boolean
}

const LeadsToExport = ({
  counts,
  noneApproved,
  onOnlyNew,
  onScope,
  onlyNew,
  scope,
  wasExported
}: LeadsToExportProps) => {
  const counted = (name: string, scope: Scope) => (counts ? `${name} (${formatNumber(counts[scope].leads)})` : name)
  return (
    <>
      <RadioGroup
        label="Leads"
        value={scope}
        options={[
          ["all", counted("All written leads, rejected ones included", "all")],
          ["approved", counted("Approved only", "approved")]
        ]}
        disabled={noneApproved && scope === "all" ? "approved" : undefined}
        onChange={onScope}
      />
      {wasExported && (
        <Checkbox
          label="Only those not exported before"
          checked={onlyNew}
          onChange={onOnlyNew}
          hint="Leaves out the leads of every earlier file, also of a download that broke off."
        />
      )}
    </>
  )
}

export const Export = ({ list, onClose }: Props) => {
  const totals = useRequest(listTotals(list), [list.id])
  const [chosen, setSelectedScope] = useState<Scope>()
  const [onlyNew, setOnlyNew] = useState(false)
  const [format, setFormat] = useState<"csv" | "json">("csv")
  const [preset, setPreset] = useState<ExportPreset | "">(lastPreset)
  const [all, setAll] = useState(false)
  const counts = totals.state === "loaded" ? totals.value : undefined
  // Once a lead is decided about, rejected leads are exported only by choice, even if no approved lead is left.
  const isReviewed = counts !== undefined && counts.review.approved + counts.review.rejected > 0
  const scope = chosen ?? (isReviewed ? "approved" : "all")
  const query = {
    format,
    ...(onlyNew ? { exported: "new" as const } : {}),
    ...(format === "csv" && preset !== "" ? { preset } : {}),
    ...(format === "csv" && all ? { columns: "all" as const } : {})
  }
  const { downloadAction, exported } = useDownload(list, scope, query, totals.reload)
  const noneApproved = counts?.written.approved.leads === 0
  const selectedCounts = onlyNew ? counts?.fresh : counts?.written
  const days = counts && sendDayText(list, numberOf(counts.written.all))
  return (
    <Dialog title="Export" onClose={onClose}>
      <Form onSubmit={downloadAction.start}>
        <LeadsToExport
          counts={selectedCounts}
          noneApproved={noneApproved}
          scope={scope}
          onScope={setSelectedScope}
          onlyNew={onlyNew}
          onOnlyNew={setOnlyNew}
          wasExported={list.exported_at !== undefined}
        />
        <RadioGroup label="Format" value={format} options={formatOptions} onChange={setFormat} />
        {format === "csv" && <CsvOptions preset={preset} allColumns={all} onPreset={setPreset} onAllColumns={setAll} />}
        {exported && <NextSteps exported={exported} days={days} />}
        {!exported && counts && noneApproved && <NoneApproved list={list.id} totals={counts} scope={scope} />}
        {!exported && counts && selectedCounts && <ScopeNote totals={counts} counts={selectedCounts} scope={scope} />}
        {!exported && days !== undefined && <p class="quiet">Send days: {days}. Set them in the sending tool.</p>}
        {downloadAction.problem && <ProblemNotice problem={downloadAction.problem} />}
        <div class="actions">
          <ActionButton
            kind="primary"
            action={downloadAction}
            busyLabel="Fetching the file…"
            disabled={totals.state === "waiting" || selectedCounts?.[scope].leads === 0}
          >
            Download {format.toUpperCase()}
          </ActionButton>
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
