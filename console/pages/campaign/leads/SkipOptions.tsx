// console/pages/campaign/leads/SkipOptions.tsx: which leads of a list are left out when it starts, and how many were.
import { useState } from "preact/hooks"
import { Option, Schema } from "effect"
import type { Lead } from "#schema/Lead.ts"
import type { SkipReasons } from "#console/pages/campaign/leads/AddressChecks.tsx"
import { useDraft } from "#console/Draft.ts"
import { RadioGroup, Checkbox } from "#console/parts/Fields.tsx"
import { doNotContact } from "#console/parts/Labels.ts"
import { countOf } from "#console/parts/Format.ts"

const SkipOptions = Schema.Struct({
  written: Schema.Literals(["none", "campaign", "workspace"]),
  clients: Schema.Boolean,
  duplicates: Schema.Boolean
})
export type SkipOptions = typeof SkipOptions.Type

// Someone who has a first email already should not get another first one: to write again is a choice.
const defaultOptions: SkipOptions = { written: "workspace", clients: true, duplicates: true }

export const useSkipOptions = (campaign: string) => useDraft(`leave-out.${campaign}`, SkipOptions, defaultOptions)

/** The options as the API expects them. Clients that are not left out must be included, or the server fails them. */
export const skipOptionsOf = ({ clients, duplicates, written }: SkipOptions) => ({
  ...(clients ? { skip_clients: true } : { include_clients: true }),
  ...(duplicates ? { skip_duplicates: true } : {}),
  ...(written === "none" ? {} : { skip_written: written })
})

interface Props {
  readonly value: SkipOptions
  readonly onChange: (value: SkipOptions) => void
  /** Leads whose address an earlier one has. */
  readonly repeated: number
  /** Leads at the sender's own company, clients and competitors. */
  readonly clients: number
  /** Leads that were written to before; undefined while they are looked up. */
  readonly written: WrittenBefore | undefined
}

/** How many leads of a file earlier lists have written to, by the newest list of each. */
export interface WrittenBefore {
  readonly campaign: number
  /** Those of the campaign included. */
  readonly workspace: number
  readonly lists: ReadonlyArray<{ readonly name: string; readonly isOfCampaign: boolean; readonly leads: number }>
}

/** Counts the leads that were written to before. */
export const countWritten = (leads: ReadonlyArray<Lead>, skipReasons: SkipReasons): WrittenBefore => {
  const lists = new Map<string, WrittenBefore["lists"][number]>()
  for (const { email } of leads) {
    const why = skipReasons.get(email.toLowerCase())
    const found = why?.written_campaign ?? why?.written_workspace
    if (found === undefined) continue
    const isOfCampaign = why?.written_campaign !== undefined
    const name = found.list ?? "Without a name"
    const key = `${isOfCampaign} ${name}`
    lists.set(key, { name, isOfCampaign, leads: (lists.get(key)?.leads ?? 0) + 1 })
  }
  const all = [...lists.values()].toSorted((a, b) => b.leads - a.leads)
  const sum = (lists: WrittenBefore["lists"]) => lists.reduce((total, { leads }) => total + leads, 0)
  return { campaign: sum(all.filter(({ isOfCampaign }) => isOfCampaign)), workspace: sum(all), lists: all }
}

const maxListsShown = 5

/** How many leads were written to before, and by which lists. */
const WrittenNote = ({ campaign, isKept, lists, workspace }: WrittenBefore & { readonly isKept: boolean }) =>
  workspace === 0 ? (
    <p class="quiet">No lead of this file was written to before.</p>
  ) : (
    <div class="note">
      <p>
        <span class="strong">{countOf(workspace, "lead was", "leads were")} written to before</span>, {campaign} of them
        in this campaign:
      </p>
      <ul class="plain-list">
        {lists.slice(0, maxListsShown).map(({ isOfCampaign, leads, name }) => (
          <li key={`${isOfCampaign} ${name}`}>
            {countOf(leads, "lead")} in “{name}”{!isOfCampaign && ", another campaign"}
          </li>
        ))}
        {lists.length > maxListsShown && <li>and {countOf(lists.length - maxListsShown, "more list")}</li>}
      </ul>
      <p>
        {isKept
          ? "They are written to again."
          : "They are left out unless you choose otherwise. If this list follows up on an earlier one, choose “Keep: write to them again”."}
      </p>
    </div>
  )

const withCount = (label: string, leads: number | undefined) => (leads === undefined ? label : `${label} (${leads})`)

export const SkipFields = ({ clients, onChange, repeated, value, written: before }: Props) => (
  <div class="form">
    <div role="status">{before && <WrittenNote {...before} isKept={value.written === "none"} />}</div>
    <RadioGroup
      label="People already written to"
      value={value.written}
      options={[
        ["workspace", withCount("Leave out: written to in any campaign", before?.workspace)],
        ["campaign", withCount("Leave out: only of this campaign", before?.campaign)],
        ["none", withCount("Keep: write to them again", before?.workspace)]
      ]}
      onChange={(written) => onChange({ ...value, written })}
    />
    <Checkbox
      label="Leave out clients and competitors"
      hint={`Leads at your own company, at clients named in your proof and at competitors named in your profile: ${clients === 0 ? "none in this file" : `${countOf(clients, "lead")} of this file`}. A kind of company, such as “customs brokers”, matches none.`}
      checked={value.clients}
      onChange={(clients) => onChange({ ...value, clients })}
    />
    <Checkbox
      label="Leave out duplicates"
      hint={
        repeated === 0
          ? "Each address is written to once."
          : `${countOf(repeated, "lead has", "leads have")} the address of an earlier lead.`
      }
      checked={value.duplicates}
      onChange={(duplicates) => onChange({ ...value, duplicates })}
    />
  </div>
)

/** What the server left out, and what the page did not send. */
const Skipped = Schema.Struct({
  suppressed: Schema.optionalKey(Schema.Int),
  duplicate: Schema.optionalKey(Schema.Int),
  client: Schema.optionalKey(Schema.Int),
  written: Schema.optionalKey(Schema.Int),
  hand: Schema.optionalKey(Schema.Int),
  addresses: Schema.optionalKey(Schema.Int),
  unusable: Schema.optionalKey(Schema.Int)
})

const storageKeyOf = (list: string) => `overture.left-out.${list}`

/** Remembers for the list's page how many rows of the file were left out. */
export const noteSkipped = (list: string, skipped: typeof Skipped.Type) => {
  if (Object.values(skipped).every((n) => n === 0)) return
  sessionStorage.setItem(storageKeyOf(list), JSON.stringify(skipped))
}

const reasons = [
  ["suppressed", `on “${doNotContact}”`],
  ["duplicate", "with the address of an earlier lead"],
  ["client", "at your own company, clients or competitors"],
  ["written", "already written to"],
  ["hand", "by hand"],
  ["addresses", "by your choice under Addresses"],
  ["unusable", "without a usable address"]
] as const

/** Over the page of a list that was started in this tab. */
export const SkippedNote = ({ list }: { readonly list: string }) => {
  const [skipped, setSkipped] = useState(() =>
    Option.getOrUndefined(
      Schema.decodeOption(Schema.fromJsonString(Skipped))(sessionStorage.getItem(storageKeyOf(list)) ?? "")
    )
  )
  if (skipped === undefined) return null
  const parts = reasons.flatMap(([reason, words]) => {
    const n = skipped[reason] ?? 0
    return n === 0 ? [] : [[n, words] as const]
  })
  const all = parts.reduce((sum, [n]) => sum + n, 0)
  return (
    <div class="note left-out" role="status">
      <p>
        <span class="strong">{countOf(all, "row")} of the file left out, at no cost:</span>{" "}
        {parts.map(([n, words]) => `${n} ${words}`).join(", ")}.
      </p>
      <button
        type="button"
        class="button"
        onClick={() => {
          sessionStorage.removeItem(storageKeyOf(list))
          setSkipped(undefined)
        }}
      >
        Dismiss
      </button>
    </div>
  )
}
