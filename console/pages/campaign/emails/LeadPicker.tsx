// console/pages/campaign/emails/LeadPicker.tsx: selects the lead for the preview: from the last list or file, or typed.
import { Effect } from "effect"
import type { Lead } from "#schema/Lead.ts"
import type { ListLead } from "#schema/ListLeads.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { leadsOfLastLoadedFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { SelectInput, TextInput } from "#console/parts/Fields.tsx"

/** The typed fields of a lead; `custom` has a text for each column that the templates use. */
export interface TypedLead {
  readonly name: string
  readonly title: string
  readonly company: string
  readonly custom: Readonly<Record<string, string>>
}

export const typedLeadId = "typed"

const filled = (fields: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== null && text.trim() !== ""))

export const toLead = ({ company, custom, name, title }: TypedLead): Lead => ({
  email: "reader@company.example",
  ...filled({ name, title, company }),
  custom_fields: filled(custom)
})

const ofList = ({ company, company_website, custom_fields, email, linkedin_url, name, title }: ListLead): Lead => ({
  email,
  ...filled({ name, title, company, linkedin_url, company_website }),
  ...(custom_fields === null ? {} : { custom_fields })
})

/** The first leads of the last list; empty if there is none. */
const lastList = Effect.fnUntraced(function* (api: Client) {
  const { lists } = yield* api.lists.listLists({ query: { limit: 1, offset: 0 } })
  const [list] = lists
  if (list === undefined) return []
  const { data } = yield* api.lists.listLeads({ params: { id: list.id }, query: { limit: 25, offset: 0 } })
  return data.map(ofList)
})

export interface LeadPick {
  readonly id: string
  readonly text: string
  readonly lead: Lead
}

const leadPicks = (from: string, leads: ReadonlyArray<Lead>): ReadonlyArray<LeadPick> =>
  leads.map((lead, index) => ({
    id: `${from} ${index}`,
    text: [lead.name ?? lead.email, lead.title, lead.company].filter(Boolean).join(", "),
    lead
  }))

/** Leads to pick from; empty until the last list has loaded. */
export const useLeadPicks = () => {
  const request = useRequest(lastList, [])
  return [
    ...leadPicks("file", leadsOfLastLoadedFile().slice(0, 25)),
    ...leadPicks("list", request.state === "loaded" ? request.value : [])
  ]
}

interface Props {
  readonly options: ReadonlyArray<LeadPick>
  readonly selectedId: string
  readonly typedLead: TypedLead
  readonly columns: ReadonlyArray<string>
  readonly onSelect: (id: string) => void
  readonly onType: (lead: TypedLead) => void
}

export const TryLead = ({ columns, onSelect, onType, selectedId, options, typedLead }: Props) => (
  <>
    <SelectInput
      label="Lead"
      value={selectedId}
      options={[[typedLeadId, "Type one in"] as const, ...options.map(({ id, text }) => [id, text] as const)]}
      onChange={onSelect}
    />
    {selectedId === typedLeadId && (
      <div class="typed-lead">
        <TextInput label="Name" value={typedLead.name} onInput={(name) => onType({ ...typedLead, name })} />
        <TextInput label="Job title" value={typedLead.title} onInput={(title) => onType({ ...typedLead, title })} />
        <TextInput label="Company" value={typedLead.company} onInput={(company) => onType({ ...typedLead, company })} />
        {columns.map((key) => (
          <TextInput
            key={key}
            label={`Column: ${key.replaceAll("_", " ")}`}
            value={typedLead.custom[key] ?? ""}
            onInput={(text) => onType({ ...typedLead, custom: { ...typedLead.custom, [key]: text } })}
          />
        ))}
      </div>
    )}
  </>
)
