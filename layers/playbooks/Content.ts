// layers/playbooks/Content.ts: a playbook as its row holds it, and the views of it: the API's and the writers'.
import type { Book, BookTemplate, DraftedPersona, PersonaOutline } from "#layers/generator/playbook/Book.ts"
import type { Campaign, Choice } from "#layers/Generator.ts"
import { hash } from "#layers/text/Hash.ts"
import type { Finding } from "#schema/Findings.ts"
import {
  type Message,
  messageParts,
  type Persona,
  type Personalization,
  type Playbook,
  type PlaybookStatus,
  type Template
} from "#schema/Playbook.ts"

export type Text = Pick<Template, "subject" | "body">
export type Slot = Pick<Template, "step" | "variant">

export interface DraftedText extends Text {
  readonly findings?: ReadonlyArray<Finding>
}

export interface StoredTemplate extends BookTemplate {
  /** The text as it was last drafted, with what its writer said of it; null when a person added the template. */
  readonly drafted: DraftedText | null
  /** A digest of the message and selections at the time of the last edit; null for a template that was not edited. */
  readonly basis: string | null
  readonly findings: ReadonlyArray<Finding>
}

export interface StoredPersona extends PersonaOutline {
  readonly id: string
  /** Name, titles and message as they were last drafted; null when a person added the persona. */
  readonly drafted: Pick<PersonaOutline, "name" | "titles" | "message"> | null
  readonly missing: DraftedPersona["missing"]
  /** Drafted templates that a person deleted; a later draft does not bring them back. */
  readonly dropped: ReadonlyArray<Slot>
  readonly templates: ReadonlyArray<StoredTemplate>
}

export interface Content {
  readonly never_say: ReadonlyArray<string>
  /** Null until a person chooses one: `adapted` where a model is set, else `template`. */
  readonly personalization: Personalization | null
  /** The last one is "Everyone else". */
  readonly personas: ReadonlyArray<StoredPersona>
  /** Titles of drafted personas that a person deleted. */
  readonly removed: ReadonlyArray<string>
  /** A digest of the selections that the playbook was drafted from. */
  readonly selections: string
}

export interface Row {
  readonly campaign_id: string
  readonly version: number
  readonly status: PlaybookStatus
  readonly content: Content
  readonly updated_at: string
}

const digest = (value: unknown) => hash(JSON.stringify(value)).toString(36)

const chosen = (choice: Choice | null) =>
  choice && [choice.items.map(({ description, name }) => [name, description]), choice.additional_details]

/** A digest of the choices that drafts are made from. The profile is no choice, and so not part of it. */
export const selectionsOf = ({ audience, lead_magnet, risk_reversal, social_proof, value_proposition }: Campaign) =>
  digest([
    audience.segment_name,
    audience.industry_vertical,
    audience.decision_makers,
    audience.additional_details,
    ...[social_proof, lead_magnet, risk_reversal, value_proposition].map(chosen)
  ])

/** What an edited template is based on: it is stale once this changes. */
export const basisOf = ({ selections }: Pick<Content, "selections">, message: Message) =>
  digest([selections, messageParts.map((part) => message[part])])

export const slotOf = ({ step, variant }: Slot) => `${step}.${variant}`
export const outlineOf = ({ kind, message, name, titles }: PersonaOutline): PersonaOutline => ({
  name,
  kind,
  titles,
  message
})

/** Everyone else stays last. */
export const ordered = (personas: ReadonlyArray<StoredPersona>): ReadonlyArray<StoredPersona> => [
  ...personas.filter(({ kind }) => kind === "role"),
  ...personas.filter(({ kind }) => kind === "everyone_else")
]

export const templateView = (content: Content, message: Message, template: StoredTemplate): Template => {
  const { basis, body, drafted, id, step, subject, variant } = template
  const edited = basis !== null
  // What was said of a draft holds until a person changes it.
  const findings = [...(edited ? [] : (drafted?.findings ?? [])), ...template.findings]
  return { id, step, variant, subject, body, edited, stale: edited && basis !== basisOf(content, message), findings }
}

export const personaView = (
  content: Content,
  { id, kind, message, name, templates, titles }: StoredPersona
): Persona => ({
  id,
  name,
  kind,
  titles,
  message,
  templates: templates.map((template) => templateView(content, message, template))
})

export const missingOf = ({ personas }: Content): Playbook["missing"] =>
  personas.flatMap(({ id, missing }) => missing.map(({ message, part }) => ({ persona_id: id, part, message })))

export const playbookView = (
  { campaign_id, content, status, updated_at, version }: Row,
  byModel: boolean
): Playbook => {
  const personas = content.personas.map((persona) => personaView(content, persona))
  return {
    campaign_id,
    version,
    status,
    stale: personas.some(({ templates }) => templates.some(({ stale }) => stale)),
    missing: missingOf(content),
    never_say: content.never_say,
    personalization: content.personalization ?? (byModel ? "adapted" : "template"),
    personas,
    updated_at
  }
}

/** The part that the writers read. Without a model `adapted` is `template`, so it is the default here. */
export const bookView = (content: Content, version: number): Book => ({
  version,
  never_say: content.never_say,
  personalization: content.personalization ?? "adapted",
  personas: content.personas.map(({ id, kind, message, name, templates, titles }) => ({
    id,
    name,
    kind,
    titles,
    message,
    templates: templates.map(({ body, id, step, subject, variant }) => ({ id, step, variant, subject, body }))
  }))
})
