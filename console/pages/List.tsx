// console/pages/List.tsx: one list: its progress, its leads and its actions.
import type { List as ListData } from "#schema/Lists.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { isActive, useListProgress } from "#console/ListProgress.ts"
import { Export } from "#console/pages/list/Export.tsx"
import { Leads } from "#console/pages/list/Leads.tsx"
import { OmittedRows } from "#console/pages/list/OmittedRows.tsx"
import { Progress } from "#console/pages/list/Progress.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { DialogButton } from "#console/parts/Dialog.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StatusText, StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { Page } from "#console/parts/Page.tsx"
import { RenameDialog } from "#console/parts/RenameDialog.tsx"
import { resumesByItself, CampaignWriter } from "#console/parts/Writer.tsx"
import { formatCount, withFinalPeriod, formatMoment, formatNumber, listState } from "#console/parts/Format.ts"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { OnLimitedPlan, useIsUnlimited } from "#console/UnlimitedPlan.tsx"

const ResumeList = ({ reload, id }: { readonly id: string; readonly reload: () => void }) => {
  const { callApi } = useSession()
  const reason = useRequest(
    (api) => api.lists.listLeads({ params: { id }, query: { limit: 1, offset: 0, status: "pending" } }),
    [id]
  )
  const workspace = useRequest((api) => api.workspace.getWorkspace(), [id])
  const writer = workspace.state === "loaded" ? workspace.value.writer : undefined
  const resume = useAction(async () => {
    await callApi((api) => api.lists.reprocessList({ params: { id } }))
    reload()
  })
  const pauseReason = reason.state === "loaded" ? reason.value.data[0]?.error : undefined
  return (
    <div class="note">
      <p>
        {withFinalPeriod(`This list is paused${pauseReason ? `: ${pauseReason}` : ""}`)}{" "}
        {pauseReason && writer?.kind === "model" && writer.answered === false ? `${resumesByItself} ` : ""}
        What is written is kept<OnLimitedPlan>, and nothing is charged twice</OnLimitedPlan>.
      </p>
      <div class="actions">
        <RequireScope scope="lists:write">
          <ActionButton kind="primary" action={resume} busyLabel="Starting…" onClick={resume.start}>
            Resume now
          </ActionButton>
        </RequireScope>
      </div>
      {resume.problem && <ProblemNotice problem={resume.problem} />}
    </div>
  )
}

const ListMenu = ({ reload, list }: { readonly list: ListData; readonly reload: () => void }) => {
  const { callApi } = useSession()
  const isUnlimited = useIsUnlimited()
  const { id } = list
  const remove = useAction(async () => {
    await callApi((api) => api.lists.deleteList({ params: { id } }))
    navigate("lists")
  })
  const rename = {
    label: "Rename",
    dialog: (close: () => void) => (
      <RenameDialog
        label="Name of the list"
        name={listTitle(list)}
        path="custom_name"
        save={async (custom_name) => {
          await callApi((api) => api.lists.renameList({ params: { id }, payload: { custom_name } }))
          reload()
        }}
        onClose={close}
      />
    )
  }
  const deletion = {
    label: "Delete the list",
    isDanger: true,
    dialog: (close: () => void) => (
      <ConfirmDialog
        label="Delete the list"
        confirmLabel="Delete"
        question={`Delete this list with its leads and emails? It cannot be undone${isUnlimited ? "" : ", and no credits are given back"}.`}
        busyLabel="Deleting…"
        action={remove}
        onClose={close}
      />
    )
  }
  return <Menu label="More actions" items={isActive(list) ? [rename] : [rename, deletion]} />
}

const listTitle = ({ custom_name }: ListData) => custom_name ?? "Without a name"

const listSummary = (list: ListData) => {
  const { emails_created = 0, leads_count = 0, leads_skipped = 0 } = list
  const left = leads_skipped > 0 ? `, ${formatNumber(leads_skipped)} left out` : ""
  switch (list.processing_status) {
    case "completed":
      return `${formatCount(emails_created, "email")} to ${formatCount(leads_count - leads_skipped, "lead")}${left}, done ${formatMoment(list.completed_at ?? list.updated_at)}.`
    case "failed":
      return `No lead could be written to; nothing was charged. It ended ${formatMoment(list.failed_at ?? list.updated_at)}.`
    default:
      return `Started ${formatMoment(list.created_at)}.`
  }
}

interface ExportButtonProps {
  readonly label: string
  readonly list: ListData
  readonly reload: () => void
}

const ExportButton = ({ label, list, reload }: ExportButtonProps) => (
  <DialogButton label={label}>
    {(close) => (
      <Export
        list={list}
        onClose={() => {
          close()
          reload()
        }}
      />
    )}
  </DialogButton>
)

const priceFormat = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 4 })

/** The tokens that the model used for the list, and their cost if the operator has set prices. */
const usageText = ({ usage }: ListData) => {
  if (usage === undefined) return null
  const tokens = `${formatNumber(usage.input_tokens)} tokens read and ${formatNumber(usage.output_tokens)} written by the model`
  return (
    <span class="quiet"> {usage.cost === null ? tokens : `${tokens}, cost ${priceFormat.format(usage.cost)}`}.</span>
  )
}

const ChangedSinceExport = ({ list, reload }: { readonly list: ListData; readonly reload: () => void }) => {
  const { changed_since_export = 0, exported_at } = list
  if (changed_since_export === 0 || exported_at === undefined) return null
  return (
    <div class="note">
      <p>
        <span class="strong">{formatCount(changed_since_export, "email")} changed since the last export</span> on{" "}
        {formatMoment(exported_at)}. The exported file has the earlier text of those that are in it.
      </p>
      <div class="actions">
        <ExportButton label="Export again" list={list} reload={reload} />
      </div>
    </div>
  )
}

export const List = ({ id }: { readonly id: string }) => {
  const request = useListProgress(id)
  if (request.state !== "loaded") {
    return (
      <Page title="List" within={["Lists", routeTo("lists")]}>
        <WhenLoaded request={request} waiting="Looking for the list…">
          {() => null}
        </WhenLoaded>
      </Page>
    )
  }
  const { reload, value: list } = request
  const state = listState[list.processing_status]
  return (
    <Page
      key="loaded"
      title={listTitle(list)}
      within={["Lists", routeTo("lists")]}
      lead={
        <>
          <StateNotice state={state} /> {listSummary(list)}
          {usageText(list)}
        </>
      }
      actions={
        <>
          {list.processing_status === "completed" && <ExportButton label="Export" list={list} reload={reload} />}
          {list.campaign_id !== null && (
            <a class="button" href={routeTo("campaigns", list.campaign_id)}>
              Campaign
            </a>
          )}
          <RequireScope scope="lists:write">
            <ListMenu list={list} reload={reload} />
          </RequireScope>
        </>
      }
    >
      <StatusText>{state[0]}</StatusText>
      {isActive(list) && list.progress && <Progress counts={list.progress} />}
      {isActive(list) && list.campaign_id !== null && <CampaignWriter campaign={list.campaign_id} />}
      {list.processing_status === "pending" && <ResumeList id={id} reload={reload} />}
      <ChangedSinceExport list={list} reload={reload} />
      <Leads list={list} />
      <OmittedRows list={id} />
    </Page>
  )
}
