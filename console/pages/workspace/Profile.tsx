// console/pages/workspace/Profile.tsx: the fields of the profile, by what they are about. What was changed is saved at once.
import { useState } from "preact/hooks"
import { type Details, type DetailsPatch, listFields, textFields } from "#schema/Details.ts"
import { useDoing } from "#console/Asking.ts"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Said } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { count } from "#console/parts/Words.ts"
import { useSession } from "#console/Session.tsx"

type TextField = (typeof textFields)[number]
type ListField = (typeof listFields)[number]
type Field = TextField | ListField | "core_products"

interface Entry {
  readonly label: string
  readonly hint?: string
  readonly rows?: number
}

const lines = "One on each line."

const about: Readonly<Record<Field, Entry>> = {
  company_name: { label: "Name of the company" },
  website_url: { label: "Website" },
  city_region: { label: "City and region" },
  industry_vertical: { label: "Industry" },
  business_address: { label: "Postal address", hint: "The law of many countries wants it under every email." },
  contact_name: { label: "Who writes" },
  contact_title: { label: "Job title" },
  contact_phone: { label: "Telephone" },
  contact_email: { label: "Email address" },
  business_description: { label: "What the business does", rows: 4 },
  core_products: { label: "What it sells", hint: "One on each line, with its price after a | if you like.", rows: 4 },
  problems_solved: { label: "What it solves", rows: 3 },
  client_transformation: { label: "Before and after", hint: "How clients fare before you came, and since.", rows: 3 },
  unique_differentiators: { label: "What it does otherwise than others", rows: 3 },
  case_studies: { label: "Case studies", hint: `What you achieved for whom, with figures. ${lines}`, rows: 4 },
  credibility_markers: { label: "Why it can be believed", hint: `Licences, years, numbers. ${lines}`, rows: 3 },
  guarantee: { label: "Guarantees", hint: lines, rows: 2 },
  lead_magnets: { label: "Lead magnets", hint: `What you give away to begin with. ${lines}`, rows: 3 },
  ideal_client_description: { label: "The best clients", rows: 3 },
  target_job_titles: { label: "Job titles to reach", hint: "With commas between them." },
  ideal_client_urls: { label: "Sites of clients you want more of" },
  pain_points: { label: "What troubles them", rows: 3 },
  solution_triggers: { label: "What makes them look for help", rows: 2 },
  competitors: { label: "Who else they consider", rows: 2 },
  competitor_frustrations: { label: "What disappoints them elsewhere", rows: 2 },
  objections_and_responses: { label: "What they object, and what you answer", rows: 3 },
  primary_goal: { label: "What the emails are to achieve", rows: 2 },
  additional_info: { label: "Anything else", rows: 3 }
}

const groups: ReadonlyArray<readonly [title: string, fields: ReadonlyArray<Field>]> = [
  ["The company", ["company_name", "website_url", "industry_vertical", "city_region", "business_address"]],
  ["Who writes", ["contact_name", "contact_title", "contact_email", "contact_phone"]],
  [
    "What it offers",
    ["business_description", "core_products", "problems_solved", "client_transformation", "unique_differentiators"]
  ],
  ["What proves it", ["case_studies", "credibility_markers", "guarantee", "lead_magnets"]],
  [
    "Whom it is for",
    [
      "ideal_client_description",
      "target_job_titles",
      "ideal_client_urls",
      "pain_points",
      "solution_triggers",
      "competitors",
      "competitor_frustrations",
      "objections_and_responses"
    ]
  ],
  ["What for", ["primary_goal", "additional_info"]]
]

const isList = (field: Field): field is ListField => listFields.some((each) => each === field)

/** A field as text to edit: lists have a line for each entry. */
const textOf = (details: Details, field: Field) => {
  if (field === "core_products") {
    return (details.core_products ?? [])
      .map(({ pricing, product }) => (pricing === "" ? product : `${product} | ${pricing}`))
      .join("\n")
  }
  return isList(field) ? (details[field] ?? []).join("\n") : (details[field] ?? "")
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

export const patchOf = (field: Field, text: string): DetailsPatch => {
  if (field === "core_products") {
    return {
      core_products: linesOf(text).map((line) => {
        const [product = "", pricing = ""] = line.split(/\s*\|\s*(.*)/s)
        return { product, pricing }
      })
    }
  }
  return { [field]: isList(field) ? linesOf(text) : text.trim() }
}

interface Props {
  readonly details: Details
  readonly again: () => void
}

export const Profile = ({ again, details }: Props) => {
  const { ask } = useSession()
  const [typed, setTyped] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const changed = groups
    .flatMap(([, fields]) => fields)
    .filter((field) => typed[field] !== undefined && typed[field] !== textOf(details, field))
  const save = useDoing(async () => {
    const payload = changed.reduce<DetailsPatch>(
      (all, field) => ({ ...all, ...patchOf(field, typed[field] ?? "") }),
      {}
    )
    await ask((api) => api.workspace.updateDetails({ payload }))
    again()
  })
  return (
    <Form
      class="profile"
      onSubmit={() => {
        if (changed.length > 0) save.start()
      }}
    >
      {groups.map(([title, fields]) => (
        <Section key={title} title={title}>
          <div class="fields">
            {fields.map((field) => {
              const { hint, label, rows } = about[field]
              return (
                <Text
                  key={field}
                  label={label}
                  {...(hint === undefined ? {} : { hint })}
                  {...(rows === undefined ? {} : { rows })}
                  value={typed[field] ?? textOf(details, field)}
                  issue={issueAt(save.problem, field)}
                  onInput={(text) => setTyped((typed) => ({ ...typed, [field]: text }))}
                />
              )
            })}
          </div>
        </Section>
      ))}
      <FormTrouble problem={save.problem} fields={changed} />
      <div class={`save${changed.length > 0 ? " due" : ""}`}>
        <Act kind="primary" doing={save} busy="Saving…" disabled={changed.length === 0}>
          {changed.length === 0 ? "Nothing to save" : `Save ${count(changed.length, "field")}`}
        </Act>
        {changed.length > 0 && (
          <button type="button" class="link" onClick={() => setTyped({})}>
            Leave them as they were
          </button>
        )}
      </div>
      <Said>{save.busy ? "Saving" : ""}</Said>
    </Form>
  )
}
