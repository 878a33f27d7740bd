// console/pages/List.tsx: one list: how far it is, whom it writes to, and what may be done with it.
import { useEffect, useRef, useState } from "preact/hooks"
import type { LeadStatus, ListLead } from "#schema/ListLeads.ts"
import type { List as Resource } from "#schema/Lists.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { isActive, useList } from "#console/Following.ts"
import { download } from "#console/Download.ts"
import { LeadPage } from "#console/pages/Lead.tsx"
import { Confirm } from "#console/parts/Confirm.tsx"
import { Score } from "#console/parts/Emails.tsx"
import { OneOf } from "#console/parts/Fields.tsx"
import { Pages } from "#console/parts/Pages.tsx"
import { Act, Answered, Page, Said, Section, State, Trouble, Waiting } from "#console/parts/Parts.tsx"
import { Rename } from "#console/parts/Rename.tsx"
import { count, moment, number, stateOfList } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

type Counts = NonNullable<Resource["progress"]>

/** How long the rest will take at the pace since the page was opened. */
const useRemaining = ({ leads_done, leads_failed, leads_total }: Counts) => {
  const first = useRef<{ readonly at: number; readonly done: number } | undefined>(undefined)
  const done = leads_done + leads_failed
  first.current ??= { at: Date.now(), done }
  const gone = Date.now() - first.current.at
  const since = done - first.current.done
  if (since < 3 || gone < 3000) return undefined
  const seconds = ((leads_total - done) * gone) / since / 1000
  return seconds < 50 ? "less than a minute left" : `about ${count(Math.ceil(seconds / 60), "minute")} left`
}

const Progress = ({ counts }: { readonly counts: Counts }) => {
  const { leads_done, leads_failed, leads_total } = counts
  const done = leads_done + leads_failed
  const part = leads_total === 0 ? 0 : done / leads_total
  const remaining = useRemaining(counts)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (bar.current !== null) bar.current.style.width = `${part * 100}%`
  }, [part])
  const words = `${number(leads_done)} of ${count(leads_total, "lead")} written${
    leads_failed > 0 ? `, ${number(leads_failed)} failed` : ""
  }`
  // Every tenth is said aloud; each lead would be too many.
  const said = `${Math.floor(part * 10) * 10} percent written`
  return (
    <div class="panel progress">
      <p>
        {words}
        {remaining && <span class="quiet">, {remaining}</span>}
      </p>
      <div
        class="meter"
        role="progressbar"
        aria-label="Leads written"
        aria-valuemin={0}
        aria-valuemax={leads_total}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        <div class="meter-done" ref={bar} />
      </div>
      <p class="quiet">You may leave this page; the writing goes on, and a mail tells when it is done.</p>
      <Said>{said}</Said>
    </div>
  )
}

const Row = ({ lead, list }: { readonly lead: ListLead; readonly list: string }) => (
  <tr>
    <th scope="row">
      {lead.status === "completed" ? (
        <a href={to("lists", list, lead.position)}>{lead.name ?? lead.email}</a>
      ) : (
        (lead.name ?? lead.email)
      )}
      <span class="under">{[lead.title, lead.company].filter((part) => part !== null).join(", ") || lead.email}</span>
    </th>
    <td>
      {lead.status === "completed" ? (
        <span class="subject-cell">{lead.emails[0]?.subject}</span>
      ) : lead.status === "failed" ? (
        <span class="failed">Failed: {lead.error ?? "no reason is known"}</span>
      ) : (
        <span class="quiet">{lead.error ?? "Waits for its turn"}</span>
      )}
    </td>
    <td class="figure">
      <Score of={lead.score} />
    </td>
  </tr>
)

const limit = 50
type Kind = LeadStatus | "all"
const kinds = [
  ["all", "All"],
  ["completed", "Written"],
  ["failed", "Failed"],
  ["pending", "Waiting"]
] as const satisfies ReadonlyArray<readonly [Kind, string]>

const Leads = ({ list }: { readonly list: Resource }) => {
  const [kind, setKind] = useState<Kind>("all")
  const [offset, setOffset] = useState(0)
  const { id, processing_status, progress } = list
  const leads = useAsk(
    (api) =>
      api.lists.listLeads({ params: { id }, query: { limit, offset, ...(kind === "all" ? {} : { status: kind }) } }),
    [id, kind, offset]
  )
  const { again } = leads
  // What came of them is asked for anew when something did, but while there is always something not all the time.
  const active = isActive(list)
  const far = `${processing_status} ${progress?.leads_done} ${progress?.leads_failed}`
  const shown = useRef({ far, at: Date.now() })
  useEffect(() => {
    if (shown.current.far === far) return
    const wait = active ? shown.current.at + 5000 - Date.now() : 0
    const timer = setTimeout(() => {
      shown.current = { far, at: Date.now() }
      again()
    }, wait)
    return () => clearTimeout(timer)
  }, [far])
  return (
    <Section title="Leads" lead="Open one to read its emails. The score is that of the weakest of them, out of 100.">
      <div class="filter">
        <OneOf
          label="Show"
          value={kind}
          options={kinds}
          onChange={(kind) => {
            setOffset(0)
            setKind(kind)
          }}
        />
      </div>
      <Answered asked={leads} waiting="Looking for the leads…">
        {({ data, total }) =>
          total === 0 ? (
            <p class="quiet">No lead is like that.</p>
          ) : (
            <>
              <table class="leads">
                <thead>
                  <tr>
                    <th scope="col">Lead</th>
                    <th scope="col">First subject</th>
                    <th scope="col" class="figure">
                      Score
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((lead) => (
                    <Row key={lead.id} lead={lead} list={id} />
                  ))}
                </tbody>
              </table>
              <Pages of="leads" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </Answered>
    </Section>
  )
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
  const resume = useDoing(async () => {
    await ask((api) => api.lists.reprocessList({ params: { id } }))
    again()
  })
  const said = reason.state === "there" ? reason.value.data[0]?.error : undefined
  return (
    <div class="note">
      <p>This list is paused{said ? `: ${said}` : ""}. What is written is kept, and nothing is charged twice.</p>
      <div class="actions">
        <Act kind="primary" doing={resume} busy="Starting…" onClick={resume.start}>
          Go on writing
        </Act>
      </div>
      {resume.problem && <Trouble problem={resume.problem} />}
    </div>
  )
}

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

export const List = ({ at, id }: { readonly id: string; readonly at: string | undefined }) => {
  const { ask } = useSession()
  const asked = useList(id)
  const remove = useDoing(async () => {
    await ask((api) => api.lists.deleteList({ params: { id } }))
    go("lists")
  })
  if (at !== undefined) {
    return <LeadPage key={at} list={id} position={Number(at)} />
  }
  if (asked.state !== "there") {
    return (
      <Page title="List" within={["Lists", to("lists")]}>
        {asked.state === "waiting" ? (
          <Waiting>Looking for the list…</Waiting>
        ) : (
          <Trouble problem={asked.problem} again={asked.again} />
        )}
      </Page>
    )
  }
  const { again, value: list } = asked
  const title = list.custom_name ?? "Without a name"
  const state = stateOfList[list.processing_status]
  return (
    <Page
      key="there"
      title={title}
      within={["Lists", to("lists")]}
      lead={
        <>
          <State of={state} /> {summaryOf(list)}
        </>
      }
      actions={list.processing_status === "completed" && <Downloads list={list} />}
    >
      <Said>{state[0]}</Said>
      {isActive(list) && list.progress && <Progress counts={list.progress} />}
      {list.processing_status === "pending" && <Resume id={id} again={again} />}
      <Leads list={list} />
      <Section title="This list">
        <div class="actions">
          <Rename
            label="Name of the list"
            name={title}
            path="custom_name"
            save={async (custom_name) => {
              await ask((api) => api.lists.renameList({ params: { id }, payload: { custom_name } }))
              again()
            }}
          />
          {list.campaign_id !== null && (
            <a class="button" href={to("campaigns", list.campaign_id)}>
              Its campaign
            </a>
          )}
          {!isActive(list) && (
            <Confirm
              label="Delete the list"
              question="Delete this list with its leads and emails? It cannot be undone, and what it cost is not given back."
              busy="Deleting…"
              doing={remove}
            />
          )}
        </div>
      </Section>
    </Page>
  )
}
