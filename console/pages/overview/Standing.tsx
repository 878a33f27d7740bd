// console/pages/overview/Standing.tsx: how many emails are written, how many leads wait, and what waits for a person.
import { Effect } from "effect"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry } from "#schema/Lists.ts"
import type { Client } from "#console/Api.ts"
import { type Counts, countLists } from "#console/Following.ts"
import { Section } from "#console/parts/Page.tsx"
import { count, number } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

/** How many lists the figures add up. */
const latest = 10

interface Standing {
  readonly campaigns: ReadonlyArray<CampaignEntry>
  readonly lists: ReadonlyArray<ListEntry>
  /** Lists in all; `lists` are the latest of them. */
  readonly total: number
  readonly counts: ReadonlyMap<string, Counts>
  /** Campaigns whose emails are not approved yet. */
  readonly unapproved: ReadonlyArray<CampaignEntry>
}

export const standingOf = Effect.fnUntraced(function* (api: Client) {
  const { campaigns } = yield* api.campaigns.listCampaigns({ query: { limit: 5, offset: 0 } })
  const { lists, total } = yield* api.lists.listLists({ query: { limit: latest, offset: 0, source: "batch" } })
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
  return { campaigns, lists, total, unapproved: statuses.flat(), counts: yield* countLists(api, lists) }
})

const sum = (counts: Standing["counts"], field: keyof Counts) =>
  [...counts.values()].reduce((total, count) => total + count[field], 0)

export const Figures = ({ campaigns, counts, lists, total, unapproved }: Standing) => {
  const paused = lists.filter(({ processing_status }) => processing_status === "pending").length
  const of = total > lists.length ? `in the latest ${number(lists.length)} lists` : `in ${count(total, "list")}`
  return (
    <dl class="figures panel">
      <div>
        <dt>Emails written</dt>
        <dd class="big">{number(sum(counts, "emails"))}</dd>
        <dd class="quiet">{of}</dd>
      </div>
      <div>
        <dt>Leads waiting</dt>
        <dd class="big">{number(sum(counts, "waiting"))}</dd>
        <dd class="quiet">{paused === 0 ? "no list is paused" : `${count(paused, "list")} paused`}</dd>
      </div>
      <div>
        <dt>Campaigns to approve</dt>
        <dd class="big">{number(unapproved.length)}</dd>
        <dd class="quiet">
          of {count(campaigns.filter(({ overall }) => overall === "ready").length, "ready campaign")}
        </dd>
      </div>
    </dl>
  )
}

/** What waits for a person, each as a link to where it is done. */
export const ToDo = ({ counts, lists, unapproved }: Standing) => {
  const paused = lists.filter(({ processing_status }) => processing_status === "pending")
  if (paused.length + unapproved.length === 0) return null
  return (
    <Section title="Waiting for you">
      <ul class="rows">
        {paused.map(({ custom_name, id }) => (
          <li key={id} class="row">
            <a href={to("lists", id)}>Resume {custom_name ?? "a list without a name"}</a>
            <span class="row-end quiet">{count(counts.get(id)?.waiting ?? 0, "lead")} left</span>
          </li>
        ))}
        {unapproved.map(({ id, name }) => (
          <li key={id} class="row">
            <a href={to("campaigns", id, "build", "emails")}>Review the emails of {name}</a>
            <span class="row-end quiet">Not approved yet</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
