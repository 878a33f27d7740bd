// console/pages/overview/WorkspaceStatus.tsx: how many emails are written, how many leads wait, and what waits for a person.
import { Effect } from "effect"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry, ListTotals } from "#schema/Lists.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { type ListCounts, countLists } from "#console/ListProgress.ts"
import { Section } from "#console/parts/Page.tsx"
import { countOf, formatNumber } from "#console/parts/Format.ts"
import { routeTo } from "#console/Route.ts"

/** How many lists are shown; the figures add up all. */
const maxListsShown = 10

export interface WorkspaceStatus {
  readonly campaigns: ReadonlyArray<CampaignEntry>
  readonly lists: ReadonlyArray<ListEntry>
  /** Lists in all; `lists` are the latest of them. */
  readonly total: number
  readonly totals: ListTotals | undefined
  /** The latest lists that are paused. */
  readonly paused: ReadonlyArray<ListEntry>
  readonly counts: ReadonlyMap<string, ListCounts>
  /** Campaigns whose emails are not approved yet. */
  readonly unapproved: ReadonlyArray<CampaignEntry>
}

export const loadWorkspaceStatus = Effect.fnUntraced(function* (api: Client) {
  const { campaigns } = yield* api.campaigns.listCampaigns({ query: { limit: 5, offset: 0 } })
  const { lists, total, totals } = yield* api.lists.listLists({
    query: { limit: maxListsShown, offset: 0, source: "batch", totals: "true" }
  })
  const waiting = yield* api.lists.listLists({
    query: { limit: maxListsShown, offset: 0, source: "batch", status: "pending" }
  })
  const isPaused = ({ processing_status }: ListEntry) => processing_status === "pending"
  const paused = [...new Map([...lists.filter(isPaused), ...waiting.lists].map((list) => [list.id, list])).values()]
  const statuses = yield* Effect.forEach(
    campaigns.filter(({ overall }) => overall === "ready"),
    (campaign) =>
      api.playbook.getPlaybook({ params: { id: campaign.id } }).pipe(
        Effect.map(({ status }) => (status === "draft" ? [campaign] : [])),
        // A campaign may be set back or deleted meanwhile.
        Effect.orElseSucceed(() => [])
      ),
    { concurrency: 5 }
  )
  const counts = yield* countLists(api, [...lists, ...paused])
  return { campaigns, lists, total, totals, paused, unapproved: statuses.flat(), counts }
})

export const StatusFigures = ({ campaigns, total, totals, unapproved }: WorkspaceStatus) => {
  const paused = totals?.lists_pending ?? 0
  return (
    <dl class="figures panel">
      <div>
        <dt>Emails written</dt>
        <dd class="big">{formatNumber(totals?.emails_created ?? 0)}</dd>
        <dd class="quiet">in {countOf(total, "list")}</dd>
      </div>
      <div>
        <dt>Leads waiting</dt>
        <dd class="big">{formatNumber(totals?.leads_waiting ?? 0)}</dd>
        <dd class="quiet">{paused === 0 ? "no list is paused" : `${countOf(paused, "list")} paused`}</dd>
      </div>
      <div>
        <dt>Leads to review</dt>
        <dd class="big">{formatNumber(totals?.leads_open ?? 0)}</dd>
        <dd class="quiet">written, not approved or rejected</dd>
      </div>
      <div>
        <dt>Campaigns with draft templates</dt>
        <dd class="big">{formatNumber(unapproved.length)}</dd>
        <dd class="quiet">
          of {countOf(campaigns.filter(({ overall }) => overall === "ready").length, "ready campaign")}; approving them
          is optional
        </dd>
      </div>
    </dl>
  )
}

/** How many lists with open leads are shown. */
const maxToReview = 3

/** The latest completed lists whose leads are not all reviewed, asked for once, since each takes a request. */
const useListsToReview = (lists: ReadonlyArray<ListEntry>) => {
  const done = lists.filter(({ processing_status }) => processing_status === "completed").slice(0, maxListsShown)
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        const open: Array<ListEntry & { readonly open: number }> = []
        for (const list of done) {
          const { counts } = yield* api.review.getLastBulkReview({ params: { id: list.id } })
          // Leads that must not be contacted have nothing to review.
          const count = counts.open - counts.open_suppressed
          if (count > 0) open.push({ ...list, open: count })
          if (open.length === maxToReview) break
        }
        return open
      }),
    done.map(({ id }) => id)
  )
  return request.state === "loaded" ? request.value : []
}

/** What waits for a person, each as a link to where it is done. */
export const OpenTasks = ({ counts, lists, paused }: WorkspaceStatus) => {
  const toReview = useListsToReview(lists)
  if (paused.length + toReview.length === 0) return null
  return (
    <Section title="Waiting for you">
      <ul class="rows">
        {paused.map(({ custom_name, id }) => (
          <li key={id} class="row">
            <a href={routeTo("lists", id)}>Resume {custom_name ?? "a list without a name"}</a>
            <span class="row-end quiet">{countOf(counts.get(id)?.waiting ?? 0, "lead")} left</span>
          </li>
        ))}
        {toReview.map(({ custom_name, id, open }) => (
          <li key={id} class="row">
            <a href={routeTo("lists", id)}>Review the emails of {custom_name ?? "a list without a name"}</a>
            <span class="row-end quiet">{countOf(open, "lead")} open</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
