// console/parts/LinkRows.tsx: lists of links to campaigns and lists.
import type { ComponentChildren } from "preact"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { FoundLead } from "#schema/ListLeads.ts"
import type { ListEntry } from "#schema/Lists.ts"
import type { ListCounts } from "#console/ListProgress.ts"
import { StateNotice } from "#console/parts/Notices.tsx"
import {
  formatCount,
  formatDay,
  formatLastExport,
  formatMoment,
  formatNumber,
  campaignState,
  type LabelledState,
  listState,
  reviewState
} from "#console/parts/Format.ts"
import { suppressionListLabel, toPageWording } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"

interface RowProps {
  readonly href: string
  readonly name: string
  readonly about?: string | undefined
  /** A sentence below the row. */
  readonly note?: string | undefined
  readonly time?: string
  readonly children: ComponentChildren
}

const LinkRow = ({ about, children, href, name, note, time }: RowProps) => (
  <li class="row">
    <a href={href}>{name}</a>
    <span class="row-end">
      {about !== undefined && about !== "" && <span>{about}</span>}
      {time !== undefined && <span class="quiet">{time}</span>}
      {children}
    </span>
    {note !== undefined && <p class="quiet">{note}</p>}
  </li>
)

/** A draft campaign links to its next open step. */
export const CampaignRows = ({ campaigns }: { readonly campaigns: ReadonlyArray<CampaignEntry> }) => (
  <ul class="rows">
    {campaigns.map(({ audience, created_at, id, lists_count = 0, name, overall }) => (
      <LinkRow
        key={id}
        href={overall === "draft" ? routeTo("campaigns", id, "build") : routeTo("campaigns", id)}
        name={name}
        about={[audience, lists_count === 0 ? undefined : formatCount(lists_count, "list")]
          .filter((part) => part !== undefined)
          .join(", ")}
        time={formatDay(created_at)}
      >
        <StateNotice state={campaignState[overall]} />
      </LinkRow>
    ))}
  </ul>
)

const countsIn = ({ emails, leads, waiting, written }: ListCounts) => {
  if (waiting > 0) return `${formatNumber(written)} of ${formatCount(leads, "lead")} written`
  return leads === 0 ? "" : `${formatCount(leads, "lead")}, ${formatCount(emails, "email")}`
}

interface ListRowsProps {
  readonly lists: ReadonlyArray<ListEntry>
  readonly counts: ReadonlyMap<string, ListCounts>
}

export const ListRows = ({ counts, lists }: ListRowsProps) => (
  <ul class="rows">
    {lists.map(({ created_at, custom_name, id, processing_status }) => {
      const found = counts.get(id)
      return (
        <LinkRow
          key={id}
          href={routeTo("lists", id)}
          name={custom_name ?? "Without a name"}
          about={found && countsIn(found)}
          time={formatMoment(created_at)}
        >
          <StateNotice state={listState[processing_status]} />
        </LinkRow>
      )
    })}
  </ul>
)

const unwrittenState = {
  pending: ["Not written yet", "calm"],
  failed: ["Failed", "bad"],
  skipped: ["Left out", "calm"]
} as const satisfies Record<Exclude<FoundLead["status"], "completed">, LabelledState>

const foundState = ({ review, status, suppressed }: FoundLead): LabelledState => {
  if (suppressed !== null) return [suppressionListLabel, "bad"]
  return status === "completed" ? reviewState[review] : unwrittenState[status]
}

/** Leads of several lists; each links to its page, with its review if it has emails, unless it is suppressed. */
export const FoundLeadRows = ({ leads }: { readonly leads: ReadonlyArray<FoundLead> }) => (
  <ul class="rows">
    {leads.map((lead) => (
      <LinkRow
        key={lead.lead_id}
        href={routeTo("lists", lead.list_id, lead.position)}
        name={`${lead.name ?? lead.email}: ${lead.list_name ?? "list without a name"}`}
        about={[lead.company, lead.status === "completed" ? (formatLastExport(lead) ?? "In no file") : undefined]
          .filter((part) => part)
          .join(" · ")}
        note={lead.suppressed === null ? undefined : toPageWording(lead.suppressed)}
      >
        <StateNotice state={foundState(lead)} />
      </LinkRow>
    ))}
  </ul>
)
