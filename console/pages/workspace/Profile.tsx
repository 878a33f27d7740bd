// console/pages/workspace/Profile.tsx: the profile's fields in collapsible sections, saved together.
import { Schema } from "effect"
import { type Details, type DetailsPatch, listFields } from "#schema/Details.ts"
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { type ActionState, useAction } from "#console/Requests.ts"
import { useDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Icon } from "#console/parts/Icon.tsx"
import { fieldLabel, type ProfileField, profileLabels } from "#console/parts/Labels.ts"
import { formatCount, webAddress } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

interface FoldProps {
  readonly title: string
  /** Such as "3 of 6 filled". */
  readonly note: string
  readonly isComplete: boolean
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

/** A collapsible section. The browser's page search finds text in a closed one and opens it. */
const FoldableSection = ({ children, isComplete, isOpen, note, onToggle, title }: FoldProps) => (
  <details class="fold" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
    <summary>
      <Icon name="chevron" />
      <h3>{title}</h3>
      <span class={`fold-note${isComplete ? " complete" : ""}`}>
        {isComplete && <Icon name="check" />}
        {note}
      </span>
    </summary>
    <div class="fold-body">{children}</div>
  </details>
)

type ListField = (typeof listFields)[number]

interface FieldHelp {
  readonly hint?: string
  readonly rows?: number
}

const lineHint = "One on each line."
export const commaHint = "With commas between them."

/** Texts of one row that hold several entries. */
const commaFields: ReadonlyArray<ProfileField> = ["target_job_titles", "ideal_client_urls"]

const fieldHelp: Readonly<Partial<Record<ProfileField, FieldHelp>>> = {
  business_address: { hint: "The law of many countries wants it under every email." },
  business_description: { rows: 4 },
  core_products: { hint: "One on each line, with its price after a | if you like.", rows: 4 },
  problems_solved: { rows: 3 },
  client_transformation: { hint: "How clients fared before you came, and since.", rows: 3 },
  unique_differentiators: { rows: 3 },
  case_studies: { hint: `What you achieved for whom, with figures. ${lineHint}`, rows: 4 },
  credibility_markers: { hint: `Licences, years, numbers. ${lineHint}`, rows: 3 },
  guarantee: { hint: lineHint, rows: 2 },
  lead_magnets: { hint: `What you give away to begin with. ${lineHint}`, rows: 3 },
  ideal_client_description: { rows: 3 },
  target_job_titles: { hint: commaHint },
  ideal_client_urls: { hint: commaHint },
  pain_points: { hint: "What troubles your clients.", rows: 3 },
  solution_triggers: { hint: "What makes them look for help.", rows: 2 },
  competitors: { rows: 2 },
  competitor_frustrations: { rows: 2 },
  objections_and_responses: { rows: 3 },
  primary_goal: { rows: 2 },
  additional_info: { rows: 3 }
}

const fieldGroups: ReadonlyArray<readonly [title: string, fields: ReadonlyArray<ProfileField>]> = [
  ["Company", ["company_name", "website_url", "industry_vertical", "city_region", "business_address"]],
  ["Sender", ["contact_name", "contact_title", "contact_email", "contact_phone"]],
  [
    "Offer",
    ["business_description", "core_products", "problems_solved", "client_transformation", "unique_differentiators"]
  ],
  ["Proof", ["case_studies", "credibility_markers", "guarantee", "lead_magnets"]],
  [
    "Audience",
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
  ["Goal", ["primary_goal", "additional_info"]]
]

const isList = (field: ProfileField): field is ListField => listFields.some((each) => each === field)

/** Whether each line of a field is an entry of its own. */
export const isLineField = (field: ProfileField) => field === "core_products" || isList(field)

/** Whether a field is a text in which commas separate the entries. */
export const isCommaField = (field: ProfileField) => commaFields.includes(field)

/** A field as text to edit: lists have a line for each entry. */
export const fieldText = (details: Details, field: ProfileField) => {
  if (field === "core_products") {
    return (details.core_products ?? [])
      .map(({ pricing, product }) => (pricing === "" ? product : `${product} | ${pricing}`))
      .join("\n")
  }
  return isList(field) ? (details[field] ?? []).join("\n") : (details[field] ?? "")
}

const splitLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

export const fieldPatch = (field: ProfileField, text: string): DetailsPatch => {
  if (field === "core_products") {
    return {
      core_products: splitLines(text).map((line) => {
        const [product = "", pricing = ""] = line.split(/\s*\|\s*(.*)/s)
        return { product, pricing }
      })
    }
  }
  if (field === "website_url") return { website_url: webAddress(text) }
  if (isList(field)) return { [field]: splitLines(text) }
  // The field is edited in one row, which would join lines without a separator.
  if (isCommaField(field))
    return {
      [field]: splitLines(text)
        .map((line) => line.replace(/,$/, ""))
        .join(", ")
    }
  return { [field]: text.trim() }
}

/** Opens the section of a field, and moves the focus to the field. */
export const showField = (field: string) => {
  const label = [...document.querySelectorAll<HTMLLabelElement>(".profile label")].find(
    ({ textContent }) => textContent === fieldLabel(field)
  )
  const section = label?.closest("details")
  if (section) section.open = true
  label?.scrollIntoView({ block: "center" })
  label?.control?.focus({ preventScroll: true })
}

const isFilled = (details: Details, field: ProfileField) => fieldText(details, field).trim() !== ""

/** The number of fields that are filled in. */
export const countFilled = (details: Details) => {
  const fields = fieldGroups.flatMap(([, fields]) => fields)
  return { filled: fields.filter((field) => isFilled(details, field)).length, all: fields.length }
}

/** The texts of edited fields. */
const Typed = Schema.Record(Schema.String, Schema.String)
type Typed = typeof Typed.Type

/** The titles of the sections that contain some fields. */
const titlesOf = (fieldNames: ReadonlyArray<string>) =>
  fieldGroups.filter(([, fields]) => fields.some((field) => fieldNames.includes(field))).map(([title]) => title)

const changedFields = (details: Details, typed: Typed) =>
  fieldGroups
    .flatMap(([, fields]) => fields)
    .filter((field) => typed[field] !== undefined && typed[field] !== fieldText(details, field))

interface SaveProps {
  readonly save: ActionState
  readonly changed: number
  /** The message about the last save. */
  readonly saveMessage: string
  readonly onDiscard: () => void
}

const SaveBar = ({ changed, onDiscard, save, saveMessage }: SaveProps) => (
  <div class={`save${changed > 0 || saveMessage !== "" ? " due" : ""}`}>
    <ActionButton kind="primary" action={save} busyLabel="Saving…" disabled={changed === 0}>
      {changed === 0 ? "Nothing to save" : `Save ${formatCount(changed, "field")}`}
    </ActionButton>
    {changed > 0 && (
      <button type="button" class="link" onClick={onDiscard}>
        Discard changes
      </button>
    )}
    <p role="status">{save.isBusy ? <span class="unseen">Saving</span> : saveMessage}</p>
  </div>
)

interface Props {
  readonly details: Details
  readonly reload: () => void
}

export const Profile = ({ reload, details: loadedDetails }: Props) => {
  const { callApi } = useSession()
  // The saved profile, until it is loaded again: fields would show their earlier texts in between.
  const [savedProfile, setSavedProfile] = useState<{ readonly after: Details; readonly details: Details }>()
  const details = savedProfile?.after === loadedDetails ? savedProfile.details : loadedDetails
  const draft = useDraft("profile", Typed, {}, { changesOf: (typed) => changedFields(details, typed).length })
  const typed = draft.value
  const changed = changedFields(details, typed)
  const [saveMessage, setSaveMessage] = useState("")
  // Opens the sections with unsaved changes, and the first section of an empty profile.
  const [openSections, setOpenSections] = useState<ReadonlySet<string>>(
    () => new Set(countFilled(details).filled === 0 ? ["Company", ...titlesOf(changed)] : titlesOf(changed))
  )
  const save = useAction(async () => {
    setSaveMessage("")
    const payload = changed.reduce<DetailsPatch>(
      (all, field) => ({ ...all, ...fieldPatch(field, typed[field] ?? "") }),
      {}
    )
    const saved = await callApi((api) => api.workspace.updateDetails({ payload }))
    setSavedProfile({ after: loadedDetails, details: saved.details })
    draft.discard()
    const emptied = changed.filter((field) => (typed[field] ?? "").trim() === "").length
    const note = emptied === 0 ? "" : ` ${formatCount(emptied, "field")} now empty.`
    setSaveMessage(`${formatCount(changed.length, "field")} saved.${note}`)
    reload()
  })
  const refused = save.problem?.issues.map(({ path }) => path) ?? []
  useEffect(() => {
    if (refused.length > 0) setOpenSections((open) => new Set([...open, ...titlesOf(refused)]))
  }, [save.problem])
  return (
    <Form
      class="profile"
      onSubmit={() => {
        if (changed.length > 0) save.start()
      }}
    >
      {fieldGroups.map(([title, fields]) => (
        <FoldableSection
          key={title}
          title={title}
          note={`${fields.filter((field) => isFilled(details, field)).length} of ${fields.length} filled`}
          isComplete={fields.every((field) => isFilled(details, field))}
          isOpen={openSections.has(title)}
          onToggle={(isOpen) =>
            setOpenSections((open) => new Set(isOpen ? [...open, title] : [...open].filter((each) => each !== title)))
          }
        >
          <div class="fields">
            {fields.map((field) => (
              <TextInput
                key={field}
                label={profileLabels[field]}
                {...fieldHelp[field]}
                value={typed[field] ?? fieldText(details, field)}
                issue={issueAt(save.problem, field)}
                onInput={(text) => {
                  setSaveMessage("")
                  draft.set((typed) => ({ ...typed, [field]: text }))
                }}
              />
            ))}
          </div>
        </FoldableSection>
      ))}
      <FormTrouble problem={save.problem} fields={changed} />
      <SaveBar save={save} changed={changed.length} saveMessage={saveMessage} onDiscard={draft.discard} />
    </Form>
  )
}
