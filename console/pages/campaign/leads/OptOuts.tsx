// console/pages/campaign/leads/OptOuts.tsx: offers to suppress the people of a lead file whose opt-out a column of the file records.
import { optOutEntries } from "#client/Suppressions.ts"
import type { ExportedList, SuppressionEntry } from "#schema/Suppressions.ts"
import type { SkipReasons } from "#console/pages/campaign/leads/AddressChecks.tsx"
import type { LoadedLeadFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { Checkbox } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { useHasScope } from "#console/parts/RequireScope.tsx"

/** The entries for people who opted out, without those that are suppressed already or are written to all the same. */
export const optOutsOf = ({ corrected, file, included = new Set(), source }: LoadedLeadFile, reasons: SkipReasons) => {
  const lines = (file?.left_out ?? []).map(({ email = "", ...line }) => ({ ...line, email: corrected[email] ?? email }))
  const isOffered = ({ email }: { readonly email: string }) =>
    !included.has(email.toLowerCase()) && reasons.get(email.toLowerCase())?.suppressed === undefined
  return optOutEntries(lines.filter(isOffered), source.name)
}

const maxListsNamed = 5

/** What is left to do in the sending tool after people who opted out were suppressed. */
export const exportedOptOuts = (lists: ReadonlyArray<ExportedList>): ReadonlyArray<string> => {
  if (lists.length === 0) return []
  const names = lists.slice(0, maxListsNamed).map(({ name }) => `“${name ?? "Without a name"}”`)
  const more = lists.length > maxListsNamed ? ` and ${formatNumber(lists.length - maxListsNamed)} more` : ""
  const have = lists.every(({ maybe }) => maybe) ? "may have" : "have"
  return [
    `Exported files of ${names.join(", ")}${more} ${have} people who opted out: remove them in your sending tool too.`
  ]
}

interface Props {
  readonly entries: ReadonlyArray<SuppressionEntry>
  readonly loadedFile: LoadedLeadFile
  readonly onChange: (loadedFile: LoadedLeadFile) => void
}

export const OptOutChoice = ({ entries, loadedFile, onChange }: Props) => {
  const maySuppress = useHasScope("workspace:write")
  if (entries.length === 0) return null
  const people = entries.length === 1 ? "this person" : `these ${formatNumber(entries.length)} people`
  if (!maySuppress) {
    return (
      <p class="note">
        {formatCount(entries.length, "person", "people")} of the file opted out. Your key may not change “
        {suppressionListLabel}”: a later file without this column writes to them.
      </p>
    )
  }
  return (
    <Checkbox
      label={`Add ${people} to “${suppressionListLabel}”`}
      hint="The file says that they opted out. They are added when you start, so that no later file writes to them."
      checked={loadedFile.addsOptOuts !== false}
      onChange={(addsOptOuts) => onChange({ ...loadedFile, addsOptOuts })}
    />
  )
}
