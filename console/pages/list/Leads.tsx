// console/pages/list/Leads.tsx: the leads of a list, and what became of each.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { LeadStatus, ListLead } from "#schema/ListLeads.ts"
import type { List } from "#schema/Lists.ts"
import { useAsk } from "#console/Asking.ts"
import { isActive } from "#console/Following.ts"
import { OneOf } from "#console/parts/Fields.tsx"
import { severities } from "#console/parts/Findings.tsx"
import { Answered, State } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { number } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

const tones = { fail: "bad", warn: "busy", hint: "calm" } as const

/** The most serious kind of finding of a lead's emails, and how many there are of it. */
const Worst = ({ of: { emails } }: { readonly of: ListLead }) => {
  const found = emails.flatMap(({ findings }) => findings.map(({ severity }) => severity))
  const worst = (["fail", "warn", "hint"] as const).find((severity) => found.includes(severity))
  if (worst === undefined) return emails.length === 0 ? null : <State of={["None", "good"]} />
  return <State of={[`${severities[worst]}: ${found.filter((each) => each === worst).length}`, tones[worst]]} />
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
      ) : lead.skipped ? (
        <span class="quiet">Left out: {lead.skipped.reason}</span>
      ) : lead.status === "failed" ? (
        <span class="failed">Failed: {lead.error ?? "no reason is known"}</span>
      ) : (
        <span class="quiet">{lead.error ?? "Waits for its turn"}</span>
      )}
    </td>
    <td class="figure">
      <Worst of={lead} />
    </td>
  </tr>
)

const limit = 50
type Kind = LeadStatus | "all"
const kinds = [
  ["all", "All"],
  ["completed", "Written"],
  ["failed", "Failed"],
  ["pending", "Waiting"],
  ["skipped", "Left out"]
] as const satisfies ReadonlyArray<readonly [Kind, string]>

/** How many leads of a list there are of each kind: stated while it is written, and asked for once it is done. */
const useTotals = ({
  id,
  leads_count,
  processing_status,
  progress
}: List): Readonly<Record<Kind, number>> | undefined => {
  const totals = useAsk(
    (api) => {
      const totalOf = (status: LeadStatus) =>
        Effect.map(
          api.lists.listLeads({ params: { id }, query: { limit: 1, offset: 0, status } }),
          ({ total }) => total
        )
      return progress !== undefined
        ? Effect.succeed(undefined)
        : Effect.all({
            completed: totalOf("completed"),
            failed: totalOf("failed"),
            pending: totalOf("pending"),
            skipped: totalOf("skipped")
          })
    },
    [id, processing_status, leads_count]
  )
  if (progress !== undefined) {
    const { leads_done: completed, leads_failed: failed, leads_skipped: skipped = 0, leads_total: all } = progress
    return { all, completed, failed, pending: all - completed - failed - skipped, skipped }
  }
  if (totals.state !== "there" || totals.value === undefined) return undefined
  const { completed, failed, pending, skipped } = totals.value
  return { all: completed + failed + pending + skipped, ...totals.value }
}

export const Leads = ({ list }: { readonly list: List }) => {
  const [kind, setKind] = useState<Kind>("all")
  const [offset, setOffset] = useState(0)
  const totals = useTotals(list)
  const { id, processing_status, progress } = list
  const leads = useAsk(
    (api) =>
      api.lists.listLeads({ params: { id }, query: { limit, offset, ...(kind === "all" ? {} : { status: kind }) } }),
    [id, kind, offset]
  )
  const { again } = leads
  // Asked for again when the counts change, but at most every five seconds while they change all the time.
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
    <Section
      title="Leads"
      lead="Open one to read its emails. Findings are about the text alone: nothing checks whether a lead fits your audience."
    >
      <div class="filter">
        <OneOf
          label="Show"
          value={kind}
          options={kinds
            .filter(([kind]) => kind !== "skipped" || (totals?.skipped ?? 0) > 0)
            .map(([kind, name]) => [kind, totals ? `${name} ${number(totals[kind])}` : name] as const)}
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
                      Findings
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((lead) => (
                    <Row key={lead.id} lead={lead} list={id} />
                  ))}
                </tbody>
              </table>
              <Pager of="leads" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </Answered>
    </Section>
  )
}
