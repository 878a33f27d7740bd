// console/pages/overview/WorkspaceStatus.tsx: counts of emails and leads, and tasks that wait for the user.
import { Effect } from "effect"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry, ListTotals } from "#schema/Lists.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { type ListCounts, countLists } from "#console/ListProgress.ts"
import { Section } from "#console/parts/Page.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { toReviewRoute } from "#console/pages/Lists.tsx"
import { routeTo } from "#console/Route.ts"

/** The number of lists shown. The totals include all lists. */
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
        // The campaign may have been reset or deleted meanwhile.
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
        <dd class="quiet">in {formatCount(total, "list")}</dd>
      </div>
      <div>
        <dt>Leads not written yet</dt>
        <dd class="big">{formatNumber(totals?.leads_waiting ?? 0)}</dd>
        <dd class="quiet">{paused === 0 ? "no list is paused" : `${formatCount(paused, "list")} paused`}</dd>
      </div>
      <div>
        <dt>Leads to review</dt>
        <dd class="big">{formatNumber(totals?.leads_open ?? 0)}</dd>
        <dd class="quiet">
          written, not approved or rejected
          {totals !== undefined && totals.leads_suppressed === undefined && `, “${suppressionListLabel}” included`}
        </dd>
      </div>
      <div>
        <dt>Campaigns with draft templates</dt>
        <dd class="big">{formatNumber(unapproved.length)}</dd>
        <dd class="quiet">
          of {formatCount(campaigns.filter(({ overall }) => overall === "ready").length, "ready campaign")}; approving
          them is optional
        </dd>
      </div>
    </dl>
  )
}

/** How many lists with open leads are shown. */
const maxToReview = 3

/** The latest completed lists with open leads, and how many others have some. Loaded only once, because each list takes a request. */
const useListsToReview = (lists: ReadonlyArray<ListEntry>) => {
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        const page = yield* api.lists.listLists({
          query: { limit: maxListsShown, offset: 0, source: "batch", status: "completed", review: "open" }
        })
        const shown: Array<ListEntry & { readonly open: number }> = []
        let others = page.total
        for (const list of page.lists) {
          const { counts } = yield* api.review.getLastBulkReview({ params: { id: list.id } })
          // Leads that must not be contacted have nothing to review.
          const open = counts.open - counts.open_suppressed
          if (open > 0) shown.push({ ...list, open })
          others--
          if (shown.length === maxToReview) break
        }
        return { shown, others }
      }),
    lists.filter(({ processing_status }) => processing_status === "completed").map(({ id }) => id)
  )
  return request.state === "loaded" ? request.value : { shown: [], others: 0 }
}

/** Tasks that wait for the user, each with a link. */
export const OpenTasks = ({ counts, lists, paused }: WorkspaceStatus) => {
  const toReview = useListsToReview(lists)
  if (paused.length + toReview.shown.length + toReview.others === 0) return null
  return (
    <Section title="To do">
      <ul class="rows">
        {paused.map(({ custom_name, id }) => (
          <li key={id} class="row">
            <a href={routeTo("lists", id)}>Resume {custom_name ?? "a list without a name"}</a>
            <span class="row-end quiet">{formatCount(counts.get(id)?.waiting ?? 0, "lead")} left</span>
          </li>
        ))}
        {toReview.shown.map(({ custom_name, id, open }) => (
          <li key={id} class="row">
            <a href={routeTo("lists", id)}>Review the emails of {custom_name ?? "a list without a name"}</a>
            <span class="row-end quiet">{formatCount(open, "lead")} open</span>
          </li>
        ))}
        {toReview.others > 0 && (
          <li class="row">
            <a href={routeTo("lists", toReviewRoute)}>
              Review the emails of {formatCount(toReview.others, "more list", "more lists")}
            </a>
          </li>
        )}
      </ul>
    </Section>
  )
}
