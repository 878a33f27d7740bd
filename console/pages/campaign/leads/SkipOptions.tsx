// console/pages/campaign/leads/SkipOptions.tsx: options for leaving leads out of a list, and the counts of those left out.
import { useState } from "preact/hooks"
import { Option, Schema, Struct } from "effect"
import type { Lead } from "#schema/Lead.ts"
import type { SkipReasons } from "#console/pages/campaign/leads/AddressChecks.tsx"
import { useDraft } from "#console/Draft.ts"
import { RadioGroup, Checkbox } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { formatCount } from "#console/parts/Format.ts"

const SkipOptions = Schema.Struct({
  written: Schema.Literals(["none", "campaign", "workspace"]),
  clients: Schema.Boolean,
  duplicates: Schema.Boolean
})
export type SkipOptions = typeof SkipOptions.Type

// Leads that were written to before are left out by default, so that they do not get a second first email.
const defaultOptions: SkipOptions = { written: "workspace", clients: true, duplicates: true }

export const useSkipOptions = (campaign: string) => useDraft(`leave-out.${campaign}`, SkipOptions, defaultOptions)

/** The options as the API expects them. `include_clients` is required if clients are not left out: the server rejects them otherwise. */
export const toSkipApiOptions = ({ clients, duplicates, written }: SkipOptions) => ({
  ...(clients ? { skip_clients: true } : { include_clients: true }),
  ...(duplicates ? { skip_duplicates: true } : {}),
  ...(written === "none" ? {} : { skip_written: written })
})

interface Props {
  readonly value: SkipOptions
  readonly onChange: (value: SkipOptions) => void
  /** The number of leads that repeat an earlier address. */
  readonly repeated: number
  /** Leads at the sender's own company, clients and competitors. */
  readonly clients: number
  /** Leads that were written to before; undefined while they are looked up. */
  readonly written: WrittenBefore | undefined
}

/** How many leads of a file were written to before, by the newest list that has them. */
export interface WrittenBefore {
  readonly campaign: number
  /** Includes those of the campaign. */
  readonly workspace: number
  readonly lists: ReadonlyArray<{ readonly name: string; readonly isOfCampaign: boolean; readonly leads: number }>
}

/** Counts the leads that were written to before. */
export const countWritten = (leads: ReadonlyArray<Lead>, skipReasons: SkipReasons): WrittenBefore => {
  const lists = new Map<string, WrittenBefore["lists"][number]>()
  for (const { email } of leads) {
    const reasons = skipReasons.get(email.toLowerCase())
    const found = reasons?.written_campaign ?? reasons?.written_workspace
    if (found === undefined) continue
    const isOfCampaign = reasons?.written_campaign !== undefined
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
        <span class="strong">{formatCount(workspace, "lead was", "leads were")} written to before</span>, {campaign} of
        them in this campaign:
      </p>
      <ul class="plain-list">
        {lists.slice(0, maxListsShown).map(({ isOfCampaign, leads, name }) => (
          <li key={`${isOfCampaign} ${name}`}>
            {formatCount(leads, "lead")} in “{name}”{!isOfCampaign && ", another campaign"}
          </li>
        ))}
        {lists.length > maxListsShown && <li>and {formatCount(lists.length - maxListsShown, "more list")}</li>}
      </ul>
      <p>
        {isKept
          ? "They are written to again."
          : "They are left out unless you choose otherwise. If this list follows up on an earlier one, choose “Keep: write to them again”."}
      </p>
    </div>
  )

const withCount = (label: string, leads: number | undefined) => (leads === undefined ? label : `${label} (${leads})`)

export const SkipFields = ({ clients, onChange, repeated, value, written: writtenBefore }: Props) => (
  <div class="form">
    <div role="status">{writtenBefore && <WrittenNote {...writtenBefore} isKept={value.written === "none"} />}</div>
    <RadioGroup
      label="People already written to"
      value={value.written}
      options={[
        ["workspace", withCount("Leave out: written to in any campaign", writtenBefore?.workspace)],
        ["campaign", withCount("Leave out: only of this campaign", writtenBefore?.campaign)],
        ["none", withCount("Keep: write to them again", writtenBefore?.workspace)]
      ]}
      onChange={(written) => onChange({ ...value, written })}
    />
    <Checkbox
      label="Leave out clients and competitors"
      hint={`Leads at your own company, at clients named in your proof and at competitors named in your profile: ${clients === 0 ? "none in this file" : `${formatCount(clients, "lead")} of this file`}. A kind of company, such as “customs brokers”, matches none.`}
      checked={value.clients}
      onChange={(clients) => onChange({ ...value, clients })}
    />
    <Checkbox
      label="Leave out duplicates"
      hint={
        repeated === 0
          ? "Each address is written to once."
          : `${formatCount(repeated, "lead has", "leads have")} the address of a lead above it in the file.`
      }
      checked={value.duplicates}
      onChange={(duplicates) => onChange({ ...value, duplicates })}
    />
  </div>
)

/** The counts of leads left out by the server and by the page. */
const Skipped = Schema.Struct({
  suppressed: Schema.optionalKey(Schema.Int),
  duplicate: Schema.optionalKey(Schema.Int),
  client: Schema.optionalKey(Schema.Int),
  written: Schema.optionalKey(Schema.Int),
  hand: Schema.optionalKey(Schema.Int),
  column: Schema.optionalKey(Schema.Int),
  addresses: Schema.optionalKey(Schema.Int),
  unusable: Schema.optionalKey(Schema.Int)
})

const storageKeyOf = (list: string) => `overture.left-out.${list}`

/** Stores the counts of left-out rows for the list's page. */
export const noteSkipped = (list: string, skipped: typeof Skipped.Type) => {
  if (Object.values(skipped).every((n) => n === 0)) return
  sessionStorage.setItem(storageKeyOf(list), JSON.stringify(skipped))
}

export const skippedLabels = {
  suppressed: `on “${suppressionListLabel}”`,
  duplicate: "with the address of a lead above it in the file",
  client: "at your own company, clients or competitors",
  written: "already written to",
  hand: "by hand",
  column: "by a column of the file",
  addresses: "by the check of addresses",
  unusable: "without a usable address"
} as const satisfies Record<keyof typeof Skipped.Type, string>

/** Shown above a list that was started in this tab. */
export const SkippedNote = ({ list }: { readonly list: string }) => {
  const [skipped, setSkipped] = useState(() =>
    Option.getOrUndefined(
      Schema.decodeOption(Schema.fromJsonString(Skipped))(sessionStorage.getItem(storageKeyOf(list)) ?? "")
    )
  )
  if (skipped === undefined) return null
  const parts = Struct.keys(skippedLabels).flatMap((reason) => {
    const n = skipped[reason] ?? 0
    return n === 0 ? [] : [[n, skippedLabels[reason]] as const]
  })
  const all = parts.reduce((sum, [n]) => sum + n, 0)
  return (
    <div class="note left-out" role="status">
      <p>
        <span class="strong">{formatCount(all, "row")} of the file left out, at no cost:</span>{" "}
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
