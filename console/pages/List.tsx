// console/pages/List.tsx: one list: how far it is, whom it writes to, and what may be done with it.
import type { List as Resource } from "#schema/Lists.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { isActive, useList } from "#console/Following.ts"
import { Leads } from "#console/pages/list/Leads.tsx"
import { Progress } from "#console/pages/list/Progress.tsx"
import { Act } from "#console/parts/Act.tsx"
import { ConfirmDialog } from "#console/parts/Confirm.tsx"
import { Answered, Said, State, Trouble } from "#console/parts/Notices.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { Page } from "#console/parts/Page.tsx"
import { RenameDialog } from "#console/parts/Rename.tsx"
import { resumesByItself, WriterOf } from "#console/parts/Writer.tsx"
import { count, ended, moment, stateOfList } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"
import { type Session, useSession } from "#console/Session.tsx"
import { Effect } from "effect"
import { HttpClientResponse } from "effect/http"

const download = async ({ ask }: Session, list: string, format: "csv" | "json", otherwise: string) => {
  const { bytes, name } = await ask((api) =>
    api.lists.exportList({ params: { id: list }, query: { format }, responseMode: "response-only" }).pipe(
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
  link.download = name ?? `${otherwise}.${format}`
  link.click()
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const Downloads = ({ list }: { readonly list: Resource }) => {
  const session = useSession()
  const name = list.custom_name ?? list.id
  const csv = useDoing(() => download(session, list.id, "csv", name))
  const json = useDoing(() => download(session, list.id, "json", name))
  const problem = csv.problem ?? json.problem
  return (
    <>
      <Act kind="primary" doing={csv} busy="Fetching the file…" onClick={csv.start}>
        Download CSV
      </Act>
      <Act doing={json} busy="Fetching the file…" onClick={json.start}>
        Download JSON
      </Act>
      {problem && <Trouble problem={problem} />}
    </>
  )
}

const Resume = ({ again, id }: { readonly id: string; readonly again: () => void }) => {
  const { ask } = useSession()
  const reason = useAsk(
    (api) => api.lists.listLeads({ params: { id }, query: { limit: 1, offset: 0, status: "pending" } }),
    [id]
  )
  const workspace = useAsk((api) => api.workspace.getWorkspace(), [id])
  const writer = workspace.state === "there" ? workspace.value.writer : undefined
  const resume = useDoing(async () => {
    await ask((api) => api.lists.reprocessList({ params: { id } }))
    again()
  })
  const said = reason.state === "there" ? reason.value.data[0]?.error : undefined
  return (
    <div class="note">
      <p>
        {ended(`This list is paused${said ? `: ${said}` : ""}`)}{" "}
        {said && writer?.kind === "model" && writer.answered === false ? `${resumesByItself} ` : ""}
        What is written is kept, and nothing is charged twice.
      </p>
      <div class="actions">
        <Act kind="primary" doing={resume} busy="Starting…" onClick={resume.start}>
          Resume now
        </Act>
      </div>
      {resume.problem && <Trouble problem={resume.problem} />}
    </div>
  )
}

const More = ({ again, list }: { readonly list: Resource; readonly again: () => void }) => {
  const { ask } = useSession()
  const { id } = list
  const remove = useDoing(async () => {
    await ask((api) => api.lists.deleteList({ params: { id } }))
    go("lists")
  })
  const rename = {
    label: "Rename",
    dialog: (close: () => void) => (
      <RenameDialog
        label="Name of the list"
        name={titleOf(list)}
        path="custom_name"
        save={async (custom_name) => {
          await ask((api) => api.lists.renameList({ params: { id }, payload: { custom_name } }))
          again()
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
        verb="Delete"
        question="Delete this list with its leads and emails? It cannot be undone, and no credits are given back."
        busy="Deleting…"
        doing={remove}
        onClose={close}
      />
    )
  }
  return <Menu label="More actions" items={isActive(list) ? [rename] : [rename, deletion]} />
}

const titleOf = ({ custom_name }: Resource) => custom_name ?? "Without a name"

const summaryOf = (list: Resource) => {
  switch (list.processing_status) {
    case "completed":
      return `${count(list.emails_created ?? 0, "email")} to ${count(list.leads_count ?? 0, "lead")}, done ${moment(list.completed_at ?? list.updated_at)}.`
    case "failed":
      return `No lead could be written to; nothing was charged. It ended ${moment(list.failed_at ?? list.updated_at)}.`
    default:
      return `Begun ${moment(list.created_at)}.`
  }
}

export const List = ({ id }: { readonly id: string }) => {
  const asked = useList(id)
  if (asked.state !== "there") {
    return (
      <Page title="List" within={["Lists", to("lists")]}>
        <Answered asked={asked} waiting="Looking for the list…">
          {() => null}
        </Answered>
      </Page>
    )
  }
  const { again, value: list } = asked
  const state = stateOfList[list.processing_status]
  return (
    <Page
      key="there"
      title={titleOf(list)}
      within={["Lists", to("lists")]}
      lead={
        <>
          <State of={state} /> {summaryOf(list)}
        </>
      }
      actions={
        <>
          {list.processing_status === "completed" && <Downloads list={list} />}
          {list.campaign_id !== null && (
            <a class="button" href={to("campaigns", list.campaign_id)}>
              Campaign
            </a>
          )}
          <More list={list} again={again} />
        </>
      }
    >
      <Said>{state[0]}</Said>
      {isActive(list) && list.progress && <Progress counts={list.progress} />}
      {isActive(list) && list.campaign_id !== null && <WriterOf campaign={list.campaign_id} />}
      {list.processing_status === "pending" && <Resume id={id} again={again} />}
      <Leads list={list} />
    </Page>
  )
}
