// console/pages/campaign/leads/LeadChoices.tsx: the leads of a file as a table, with a box in each row that leaves the lead out by hand.
import { useState } from "preact/hooks"
import { type Lead, leadFields } from "#schema/Lead.ts"
import { leadFieldLabels } from "#console/pages/campaign/LeadFile.tsx"
import type { LeftOutLead } from "#console/pages/campaign/leads/LeftOutLeads.tsx"
import type { LoadedLeadFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { formatNumber } from "#console/parts/Format.ts"
import { toPageWording } from "#console/parts/Labels.ts"
import { Pager } from "#console/parts/Pager.tsx"

interface Props {
  readonly loadedFile: LoadedLeadFile
  readonly onChange: (loadedFile: LoadedLeadFile) => void
  /** All leads of the file, with corrected addresses. */
  readonly leads: ReadonlyArray<Lead>
  /** The kinds of problem that leave leads out, by address. */
  readonly excludedAddresses: ReadonlyMap<string, string>
  readonly leftOut: ReadonlyArray<LeftOutLead>
  /** Whether the server still checks the addresses, so that `leftOut` is not complete. */
  readonly isChecking: boolean
}

interface Choice {
  readonly lead: Lead
  /** Why the lead is left out; undefined if it is written to. */
  readonly reason: string | undefined
  readonly mayWrite: boolean
}

const choicesOf = ({ excludedAddresses, leads, leftOut, loadedFile }: Omit<Props, "onChange">) => {
  const byRule = new Map(leftOut.filter(({ isIncluded }) => !isIncluded).map((one) => [one.lead, one]))
  return leads.map((lead): Choice => {
    const kind = excludedAddresses.get(lead.email)
    if (kind !== undefined) return { lead, reason: `A ${kind}.`, mayWrite: true }
    if (loadedFile.excluded?.has(lead.email.toLowerCase())) return { lead, reason: "By hand.", mayWrite: true }
    const rule = byRule.get(lead)
    return { lead, reason: rule?.reason, mayWrite: rule?.mayInclude ?? true }
  })
}

const withAddress = (addresses: ReadonlySet<string> | undefined, address: string, isIn: boolean) => {
  const next = new Set(addresses)
  if (isIn) next.add(address)
  else next.delete(address)
  return next
}

/** The file with a lead left out by hand, or written to whatever else would leave it out. */
const withChoice = (loadedFile: LoadedLeadFile, { email }: Lead, isWritten: boolean): LoadedLeadFile => {
  const address = email.toLowerCase()
  const excluded = withAddress(loadedFile.excluded, address, !isWritten)
  return isWritten
    ? {
        ...loadedFile,
        excluded,
        included: withAddress(loadedFile.included, address, true),
        keptAddresses: withAddress(loadedFile.keptAddresses, email, true)
      }
    : { ...loadedFile, excluded }
}

const views = ["all", "written", "left_out"] as const
type View = (typeof views)[number]

const isIn = (view: View, { reason }: Choice) => view === "all" || (view === "left_out") === (reason !== undefined)

const matches = ({ company, email, name }: Lead, text: string) =>
  [email, name ?? "", company ?? ""].some((cell) => cell.toLowerCase().includes(text))

const pageSize = 10

const ChoiceRow = ({
  choice: { lead, mayWrite, reason },
  isChecking,
  onChoose
}: {
  readonly choice: Choice
  readonly isChecking: boolean
  readonly onChoose: (isWritten: boolean) => void
}) => (
  <tr>
    <td>
      <input
        type="checkbox"
        aria-label={`Write to ${lead.email}`}
        checked={reason === undefined && !isChecking}
        disabled={!mayWrite || isChecking}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
    </td>
    {leadFields.map((field) => (
      <td key={field}>
        {lead[field] ?? <span class="quiet">none</span>}
        {field === "email" && reason !== undefined && <p class="quiet">Left out: {toPageWording(reason)}</p>}
      </td>
    ))}
  </tr>
)

interface TableProps {
  readonly choices: ReadonlyArray<Choice>
  readonly isChecking: boolean
  readonly onChoose: (choice: Choice, isWritten: boolean) => void
}

const ChoiceTable = ({ choices, isChecking, onChoose }: TableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Leads of the file">
    <table>
      <thead>
        <tr>
          <th scope="col">Write</th>
          {leadFields.map((field) => (
            <th key={field} scope="col">
              {leadFieldLabels[field]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {choices.map((choice, row) => (
          <ChoiceRow
            key={row}
            choice={choice}
            isChecking={isChecking}
            onChoose={(isWritten) => onChoose(choice, isWritten)}
          />
        ))}
      </tbody>
    </table>
  </div>
)

export const LeadChoices = ({ onChange, ...of }: Props) => {
  const { isChecking, leads, loadedFile } = of
  const [view, setView] = useState<View>("all")
  const [search, setSearch] = useState("")
  const [offset, setOffset] = useState(0)
  const [clicked, setClicked] = useState<ReadonlySet<string>>(new Set())
  const choices = choicesOf(of)
  const text = search.trim().toLowerCase()
  // A row stays where it is when its box is clicked.
  const shown = choices.filter(
    (choice) => (isIn(view, choice) || clicked.has(choice.lead.email)) && matches(choice.lead, text)
  )
  // Other columns may give fewer leads.
  const start = offset < shown.length ? offset : 0
  const counts = { all: leads.length, written: choices.filter(({ reason }) => reason === undefined).length }
  const show = (change: () => void) => {
    change()
    setOffset(0)
    setClicked(new Set())
  }
  return (
    <>
      <h3>Leads of the file</h3>
      <p class="quiet">{isChecking ? "Looking for leads to leave out…" : "Clear a box to leave that lead out."}</p>
      <div class="filter beside">
        <TextInput
          label="Search these leads"
          type="search"
          placeholder="Name, address or company"
          value={search}
          onInput={(value) => show(() => setSearch(value))}
        />
        <SelectInput
          label="Show leads"
          value={view}
          options={[
            ["all", `All (${formatNumber(counts.all)})`],
            ["written", `Written to (${formatNumber(counts.written)})`],
            ["left_out", `Left out (${formatNumber(counts.all - counts.written)})`]
          ]}
          onChange={(value) => show(() => setView(value))}
        />
      </div>
      {shown.length === 0 && <p class="quiet">No lead is like that.</p>}
      {shown.length > 0 && (
        <ChoiceTable
          choices={shown.slice(start, start + pageSize)}
          isChecking={isChecking}
          onChoose={({ lead }, isWritten) => {
            setClicked(withAddress(clicked, lead.email, true))
            onChange(withChoice(loadedFile, lead, isWritten))
          }}
        />
      )}
      <Pager label="leads of the file" offset={start} limit={pageSize} total={shown.length} onMove={setOffset} />
    </>
  )
}
