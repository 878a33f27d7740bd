// console/parts/Rows.tsx: campaigns and lists as rows that lead to them, wherever they are shown.
import type { ComponentChildren } from "preact"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry } from "#schema/Lists.ts"
import type { Counts } from "#console/Following.ts"
import { State } from "#console/parts/Notices.tsx"
import { count, day, moment, number, stateOfCampaign, stateOfList } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

interface RowProps {
  readonly href: string
  readonly name: string
  readonly about?: string | undefined
  readonly when: string
  readonly children: ComponentChildren
}

const Row = ({ about, children, href, name, when }: RowProps) => (
  <li class="row">
    <a href={href}>{name}</a>
    <span class="row-end">
      {about !== undefined && about !== "" && <span>{about}</span>}
      <span class="quiet">{when}</span>
      {children}
    </span>
  </li>
)

/** A campaign whose steps are not all chosen leads to the one that is next. */
export const CampaignRows = ({ campaigns }: { readonly campaigns: ReadonlyArray<CampaignEntry> }) => (
  <ul class="rows">
    {campaigns.map(({ created_at, id, name, overall }) => (
      <Row
        key={id}
        href={overall === "draft" ? to("campaigns", id, "build") : to("campaigns", id)}
        name={name}
        when={day(created_at)}
      >
        <State of={stateOfCampaign[overall]} />
      </Row>
    ))}
  </ul>
)

const countsIn = ({ emails, leads, waiting, written }: Counts) => {
  if (waiting > 0) return `${number(written)} of ${count(leads, "lead")} written`
  return leads === 0 ? "" : `${count(leads, "lead")}, ${count(emails, "email")}`
}

interface ListRowsProps {
  readonly lists: ReadonlyArray<ListEntry>
  readonly counts: ReadonlyMap<string, Counts>
}

export const ListRows = ({ counts, lists }: ListRowsProps) => (
  <ul class="rows">
    {lists.map(({ created_at, custom_name, id, processing_status }) => {
      const found = counts.get(id)
      return (
        <Row
          key={id}
          href={to("lists", id)}
          name={custom_name ?? "Without a name"}
          about={found && countsIn(found)}
          when={moment(created_at)}
        >
          <State of={stateOfList[processing_status]} />
        </Row>
      )
    })}
  </ul>
)
