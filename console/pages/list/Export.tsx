// console/pages/list/Export.tsx: the dialog that downloads the emails of a list as a file.
import { useState } from "preact/hooks"
import { Effect, Option, Schema } from "effect"
import { type ExportPreset, exportPresets, type List } from "#schema/Lists.ts"
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
  readonly preset?: ExportPreset
  readonly columns?: "all"
}

const download = ({ callApi }: Session, list: string, query: ExportQuery, otherwise: string) =>
  callApi((api) =>
    saveResponse(
      api.lists.exportList({ params: { id: list }, query, responseMode: "response-only" }),
      `${otherwise}.${query.format}`
    )
  )

/** The number of leads that each kind of export includes and leaves out. */
const listTotals = (list: string) => (api: Client) => {
  const params = { id: list }
  return Effect.all({
    all: api.lists.countExport({ params, query: { suppressed: "exclude" } }),
    approved: api.lists.countExport({ params, query: { suppressed: "exclude", review: "approved" } }),
    review: Effect.map(api.review.getLastBulkReview({ params }), ({ counts }) => counts)
  })
}
type ListTotals = Effect.Success<ReturnType<ReturnType<typeof listTotals>>>

const exportedOf = (
  { leads_count = 0, leads_skipped = 0 }: List,
  { all, approved }: ListTotals,
  scope: "all" | "approved"
) => {
  const written = all.leads + all.suppressed
  const chosen = scope === "all" ? all : approved
  return {
    leads: chosen.leads,
    suppressed: chosen.suppressed,
    unapproved: written - chosen.leads - chosen.suppressed,
    skipped: leads_skipped,
    unwritten: Math.max(0, leads_count - written - leads_skipped)
  }
}

/** Why the file of approved leads would have none. */
const noneApprovedText = ({ approved, review }: ListTotals) =>
  approved.suppressed > 0
    ? `No lead would be in the file: ${formatCount(approved.suppressed, "approved lead is", "approved leads are")} on “${suppressionListLabel}”.`
    : `No lead would be in the file: none is approved${review.rejected === 0 ? "" : `, and ${formatCount(review.rejected, "lead is", "leads are")} rejected`}.`

interface NoneApprovedProps {
  readonly list: string
  readonly totals: ListTotals
  readonly scope: "all" | "approved"
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

/** What the file leaves out, before it is downloaded. */
const ScopeNote = ({ scope, totals }: { readonly totals: ListTotals; readonly scope: "all" | "approved" }) => {
  const { leads, suppressed } = totals[scope]
  if (leads === 0) return null
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
const useDownload = (list: List, which: "all" | "approved", query: Omit<ExportQuery, "review" | "suppressed">) => {
  const session = useSession()
  const about = JSON.stringify([which, query])
  const [lastExport, setLastExport] = useState<{ readonly about: string; readonly exported: Exported }>()
  const downloadAction = useAction(async () => {
    setLastExport(undefined)
    const review = which === "approved" ? { review: which } : {}
    const name = list.custom_name ?? list.id
    const file = await download(session, list.id, { ...query, ...review, suppressed: "exclude" }, name)
    if (query.format === "csv") rememberPreset(query.preset)
    // Counted again, because leads may have been reviewed since the dialog opened.
    const totals = await session.callApi(listTotals(list.id))
    setLastExport({ about, exported: { file, preset: query.preset, ...exportedOf(list, totals, which) } })
  })
  return { downloadAction, exported: lastExport?.about === about ? lastExport.exported : undefined }
}

const formatOptions = [
  ["csv", "CSV"],
  ["json", "JSON"]
] as const

export const Export = ({ list, onClose }: Props) => {
  const totals = useRequest(listTotals(list.id), [list.id])
  const [chosen, setSelectedScope] = useState<"all" | "approved">()
  const [format, setFormat] = useState<"csv" | "json">("csv")
  const [preset, setPreset] = useState<ExportPreset | "">(lastPreset)
  const [all, setAll] = useState(false)
  const counts = totals.state === "loaded" ? totals.value : undefined
  // Once a lead is decided about, rejected leads are exported only by choice, even if no approved lead is left.
  const isReviewed = counts !== undefined && counts.review.approved + counts.review.rejected > 0
  const scope = chosen ?? (isReviewed ? "approved" : "all")
  const { downloadAction, exported } = useDownload(list, scope, {
    format,
    ...(format === "csv" && preset !== "" ? { preset } : {}),
    ...(format === "csv" && all ? { columns: "all" } : {})
  })
  const noneApproved = counts?.approved.leads === 0
  const counted = (name: string, scope: "all" | "approved") =>
    counts ? `${name} (${formatNumber(counts[scope].leads)})` : name
  const days = counts && sendDayText(list, counts.all.leads + counts.all.suppressed)
  return (
    <Dialog title="Export" onClose={onClose}>
      <Form onSubmit={downloadAction.start}>
        <RadioGroup
          label="Leads"
          value={scope}
          options={[
            ["all", counted("All written leads, rejected ones included", "all")],
            ["approved", counted("Approved only", "approved")]
          ]}
          disabled={noneApproved && scope === "all" ? "approved" : undefined}
          onChange={setSelectedScope}
        />
        <RadioGroup label="Format" value={format} options={formatOptions} onChange={setFormat} />
        {format === "csv" && <CsvOptions preset={preset} allColumns={all} onPreset={setPreset} onAllColumns={setAll} />}
        {exported && <NextSteps exported={exported} days={days} />}
        {!exported && counts && noneApproved && <NoneApproved list={list.id} totals={counts} scope={scope} />}
        {!exported && counts && <ScopeNote totals={counts} scope={scope} />}
        {!exported && days !== undefined && <p class="quiet">Send days: {days}. Set them in the sending tool.</p>}
        {downloadAction.problem && <ProblemNotice problem={downloadAction.problem} />}
        <div class="actions">
          <ActionButton
            kind="primary"
            action={downloadAction}
            busyLabel="Fetching the file…"
            disabled={totals.state === "waiting" || counts?.[scope].leads === 0}
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
