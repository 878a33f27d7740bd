// console/pages/list/Export.tsx: the dialog that downloads the emails of a list as a file.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { HttpClientResponse } from "effect/http"
import { type ExportPreset, exportPresets, type List, sendDays } from "#schema/Lists.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, RadioGroup, SelectInput, Checkbox } from "#console/parts/Fields.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { countOf, formatNumber } from "#console/parts/Format.ts"
import { type Session, useSession } from "#console/Session.tsx"

const presetNames: Readonly<Record<ExportPreset, string>> = {
  instantly: "Instantly",
  smartlead: "Smartlead",
  lemlist: "lemlist",
  mailshake: "Mailshake",
  hubspot: "HubSpot"
}
const presetOptions: ReadonlyArray<readonly [ExportPreset | "", string]> = [
  ["", "Any tool (standard columns)"],
  ...exportPresets.map((preset) => [preset, presetNames[preset]] as const)
]

interface ExportQuery {
  readonly format: "csv" | "json"
  readonly review?: "approved"
  readonly suppressed: "exclude"
  readonly preset?: ExportPreset
  readonly columns?: "all"
}

const download = async ({ ask }: Session, list: string, query: ExportQuery, otherwise: string) => {
  const { bytes, name } = await ask((api) =>
    api.lists.exportList({ params: { id: list }, query, responseMode: "response-only" }).pipe(
      Effect.flatMap(HttpClientResponse.filterStatusOk),
      Effect.flatMap((response) =>
        Effect.map(response.arrayBuffer, (bytes) => ({
          bytes,
          name: /filename="([^"]+)"/.exec(response.headers["content-disposition"] ?? "")?.[1]
        }))
      )
    )
  )
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement("a")
  link.href = url
  link.download = name ?? `${otherwise}.${query.format}`
  link.click()
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The days of a list's sequence, which no tool takes from a file. `written` are the leads that the emails are to. */
const SendDays = ({ list, written }: { readonly list: List; readonly written: number }) => {
  const { emails_created = 0 } = list
  const days = sendDays[written === 0 ? 0 : Math.round(emails_created / written)] ?? []
  return days.length < 2 ? null : (
    <p class="quiet">
      Send days: {days.map((day, i) => `email ${i + 1} on day ${day}`).join(", ")}. Set them in the sending tool.
    </p>
  )
}

/** How many leads each file has, and how many of them it leaves out. */
const useListTotals = (list: string) =>
  useRequest(
    (api) => {
      const params = { id: list }
      return Effect.all({
        all: api.lists.countExport({ params, query: { suppressed: "exclude" } }),
        approved: api.lists.countExport({ params, query: { suppressed: "exclude", review: "approved" } })
      })
    },
    [list]
  )

interface CsvProps {
  readonly preset: ExportPreset | ""
  readonly all: boolean
  readonly onPreset: (preset: ExportPreset | "") => void
  readonly onAll: (all: boolean) => void
}

const CsvOptions = ({ all, onAll, onPreset, preset }: CsvProps) => (
  <>
    <SelectInput label="Sending tool" value={preset} options={presetOptions} onChange={onPreset} />
    <Checkbox
      label="All columns"
      checked={all}
      onChange={onAll}
      hint="Adds the send days, the number of findings, the persona and the review."
    />
  </>
)

interface Props {
  readonly list: List
  readonly onClose: () => void
}

export const Export = ({ list, onClose }: Props) => {
  const session = useSession()
  const totals = useListTotals(list.id)
  const [chosen, setWhich] = useState<"all" | "approved">()
  const [format, setFormat] = useState<"csv" | "json">("csv")
  const [preset, setPreset] = useState<ExportPreset | "">("")
  const [all, setAll] = useState(false)
  // Where some leads are approved, those are the ones to send to.
  const which = chosen ?? (totals.state === "there" && totals.value.approved.leads > 0 ? "approved" : "all")
  const doing = useAction(() =>
    download(
      session,
      list.id,
      {
        format,
        suppressed: "exclude",
        ...(which === "approved" ? { review: "approved" } : {}),
        ...(format === "csv" && preset !== "" ? { preset } : {}),
        ...(format === "csv" && all ? { columns: "all" } : {})
      },
      list.custom_name ?? list.id
    )
  )
  const counted = (name: string, of: "all" | "approved") =>
    totals.state === "there" ? `${name} (${formatNumber(totals.value[of].leads)})` : name
  return (
    <Dialog title="Export" onClose={onClose}>
      <Form onSubmit={doing.start}>
        <RadioGroup
          label="Leads"
          value={which}
          options={[
            ["all", counted("All written leads", "all")],
            ["approved", counted("Approved only", "approved")]
          ]}
          onChange={setWhich}
        />
        <RadioGroup
          label="Format"
          value={format}
          options={[
            ["csv", "CSV"],
            ["json", "JSON"]
          ]}
          onChange={setFormat}
        />
        {format === "csv" && <CsvOptions preset={preset} all={all} onPreset={setPreset} onAll={setAll} />}
        {totals.state === "there" && (
          <>
            {totals.value[which].suppressed > 0 && (
              <p role="status">
                {countOf(totals.value[which].suppressed, "lead")} on your suppression list{" "}
                {totals.value[which].suppressed === 1 ? "is" : "are"} left out.
              </p>
            )}
            <SendDays list={list} written={totals.value.all.leads + totals.value.all.suppressed} />
          </>
        )}
        {doing.problem && <ProblemNotice problem={doing.problem} />}
        <div class="actions">
          <ActionButton kind="primary" doing={doing} busy="Fetching the file…" disabled={totals.state === "waiting"}>
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
