// console/pages/list/LeadFilter.tsx: the filter and sort order of a list's leads.
import { useEffect, useState } from "preact/hooks"
import { Struct } from "effect"
import { useRequest } from "#console/Requests.ts"
import { ReviewStatus } from "#schema/ListLeads.ts"
import type { Filter } from "#console/LeadOrder.ts"
import type { LeadCounts, CountKind } from "#console/pages/list/LeadCounts.ts"
import { RadioGroup, SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { severities } from "#console/parts/Findings.tsx"
import { companyCheckLabel } from "#console/parts/Labels.ts"
import { formatNumber, reviewState } from "#console/parts/Format.ts"

const kindFilters = [
  ["all", "All"],
  ["completed", "Written"],
  ["failed", "Failed"],
  ["pending", "Not written yet"],
  ["skipped", "Left out"]
] as const satisfies ReadonlyArray<readonly [CountKind, string]>

const sortOptions = [
  ["position", "As in the file"],
  ["findings", "Worst findings first"],
  ["email", "Email address"]
] as const

/** Milliseconds after the last keystroke until the search starts. */
const searchDelay = 300

interface Props {
  readonly campaign: string | null
  readonly filter: Filter
  readonly counts: LeadCounts | undefined
  /** Receives a change, not a result, so that a delayed search does not undo choices made since it was typed. */
  readonly onChange: (change: (filter: Filter) => Filter) => void
}

const SearchField = ({ filter, onChange }: Pick<Props, "filter" | "onChange">) => {
  const [typed, setTyped] = useState(filter.q ?? "")
  // Selecting "All" clears the search.
  useEffect(() => {
    if (filter.q === undefined) setTyped("")
  }, [filter.q])
  useEffect(() => {
    const q = typed.trim()
    if (q === (filter.q ?? "")) return
    const search = (filter: Filter): Filter => (q === "" ? Struct.omit(filter, ["q"]) : { ...filter, q })
    const timer = setTimeout(() => onChange(search), searchDelay)
    return () => clearTimeout(timer)
  }, [typed])
  return <TextInput label="Search" type="search" value={typed} maxLength={200} onInput={setTyped} />
}

/** The persona filter; hidden if the campaign has only one. */
const PersonaFilter = ({ campaign, filter, onChange }: Props & { readonly campaign: string }) => {
  const request = useRequest((api) => api.playbook.getPlaybook({ params: { id: campaign } }), [campaign])
  const personas = request.state === "loaded" ? request.value.personas : []
  return personas.length < 2 ? null : (
    <SelectInput
      label="Persona"
      value={filter.persona_id ?? ""}
      options={[["", "Any"], ...personas.map(({ id, name }) => [id, name] as const)]}
      onChange={(id) =>
        onChange((filter) => (id === "" ? Struct.omit(filter, ["persona_id"]) : { ...filter, persona_id: id }))
      }
    />
  )
}

const FindingFilter = ({ filter, onChange }: Props) => (
  <SelectInput
    label="Worst finding"
    value={filter.severity ?? ""}
    options={[
      ["", "Any"],
      ["fail", severities.fail],
      ["warn", severities.warn],
      ["hint", severities.hint],
      ["none", "No finding"]
    ]}
    onChange={(severity) =>
      onChange((filter) => (severity === "" ? Struct.omit(filter, ["severity"]) : { ...filter, severity }))
    }
  />
)

/** Hidden if no lead's company may be one to leave out. */
const CompanyFilter = ({ counts, filter, onChange }: Props) =>
  (counts?.review.open_maybe ?? 0) === 0 && filter.maybe === undefined ? null : (
    <SelectInput
      label="Company"
      value={filter.maybe ?? ""}
      options={[
        ["", "Any"],
        ["true", companyCheckLabel]
      ]}
      onChange={(maybe) => onChange((filter) => (maybe === "" ? Struct.omit(filter, ["maybe"]) : { ...filter, maybe }))}
    />
  )

export const LeadFilter = (props: Props) => {
  const { campaign, counts, filter, onChange } = props
  // Closed by default on narrow windows.
  const [isOpen] = useState(() => matchMedia("(min-width: 40rem)").matches || Object.keys(filter).length > 0)
  // "All" means every lead, so it is selected only without filters, and selecting it clears them.
  const isAll = Object.keys(Struct.omit(filter, ["sort"])).length === 0
  const counted = (status: ReviewStatus) =>
    [status, `${reviewState[status][0]}${counts ? ` (${formatNumber(counts.review[status])})` : ""}`] as const
  return (
    <div class="lead-filter">
      <RadioGroup
        label="Show"
        value={filter.status ?? (isAll ? "all" : undefined)}
        options={kindFilters
          .filter(([kind]) => kind !== "skipped" || (counts?.kinds.skipped ?? 0) > 0)
          .map(([kind, name]) => [kind, counts ? `${name} ${formatNumber(counts.kinds[kind])}` : name] as const)}
        onChange={(status) =>
          onChange((filter) => (status === "all" ? Struct.pick(filter, ["sort"]) : { ...filter, status }))
        }
      />
      <details open={isOpen}>
        <summary>Search and filters</summary>
        <div class="lead-filter-fields">
          <SearchField filter={filter} onChange={onChange} />
          <SelectInput
            label="Review"
            value={filter.review ?? ""}
            options={[["", "Any"], ...ReviewStatus.literals.map(counted)]}
            onChange={(review) =>
              onChange((filter) => (review === "" ? Struct.omit(filter, ["review"]) : { ...filter, review }))
            }
          />
          <FindingFilter {...props} />
          <CompanyFilter {...props} />
          {campaign !== null && <PersonaFilter {...props} campaign={campaign} />}
          <SelectInput
            label="Order"
            value={filter.sort ?? "position"}
            options={sortOptions}
            onChange={(sort) =>
              onChange((filter) => (sort === "position" ? Struct.omit(filter, ["sort"]) : { ...filter, sort }))
            }
          />
        </div>
      </details>
    </div>
  )
}
