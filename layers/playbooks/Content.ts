// layers/playbooks/Content.ts: a playbook as its row holds it, and the views of it: the API's and the writers'.
import type {
  PlaybookSnapshot,
  TemplateSnapshot,
  DraftedPersona,
  PersonaOutline,
  TextOrigin
} from "#layers/generator/playbook/PlaybookSnapshot.ts"
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

export type TemplateText = Pick<Template, "subject" | "body">
export type TemplateSlot = Pick<Template, "step" | "variant">

export interface DraftedText extends TemplateText {
  readonly mark?: TextOrigin
  readonly findings?: ReadonlyArray<Finding>
}

export interface StoredTemplate extends TemplateSnapshot {
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
  readonly dropped: ReadonlyArray<TemplateSlot>
  readonly templates: ReadonlyArray<StoredTemplate>
}

export interface PlaybookContent {
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

export interface PlaybookRow {
  readonly campaign_id: string
  readonly version: number
  readonly status: PlaybookStatus
  readonly content: PlaybookContent
  readonly updated_at: string
}

const digest = (value: unknown) => hash(JSON.stringify(value)).toString(36)

const chosenItems = (choice: Choice | null) =>
  choice && [choice.items.map(({ description, name }) => [name, description]), choice.additional_details]

/** A digest of the choices that drafts are made from. The profile is no choice, and so not part of it. */
export const campaignSelections = ({
  audience,
  lead_magnet,
  risk_reversal,
  social_proof,
  value_proposition
}: Campaign) =>
  digest([
    audience.segment_name,
    audience.industry_vertical,
    audience.decision_makers,
    audience.additional_details,
    ...[social_proof, lead_magnet, risk_reversal, value_proposition].map(chosenItems)
  ])

/** What an edited template is based on: it is stale once this changes. */
export const templateBasis = ({ selections }: Pick<PlaybookContent, "selections">, message: Message) =>
  digest([selections, messageParts.map((part) => message[part])])

export const templateSlot = ({ step, variant }: TemplateSlot) => `${step}.${variant}`
export const personaOutline = ({ kind, message, name, titles }: PersonaOutline): PersonaOutline => ({
  name,
  kind,
  titles,
  message
})

/** Everyone else stays last. */
export const inTemplateOrder = (personas: ReadonlyArray<StoredPersona>): ReadonlyArray<StoredPersona> => [
  ...personas.filter(({ kind }) => kind === "role"),
  ...personas.filter(({ kind }) => kind === "everyone_else")
]

export const templateView = (content: PlaybookContent, message: Message, template: StoredTemplate): Template => {
  const { basis, body, drafted, id, step, subject, variant } = template
  const edited = basis !== null
  // What was said of a draft holds until a person changes it.
  const findings = [...(edited ? [] : (drafted?.findings ?? [])), ...template.findings]
  return {
    id,
    step,
    variant,
    subject,
    body,
    edited,
    stale: edited && basis !== templateBasis(content, message),
    findings
  }
}

export const personaView = (
  content: PlaybookContent,
  { id, kind, message, name, templates, titles }: StoredPersona
): Persona => ({
  id,
  name,
  kind,
  titles,
  message,
  templates: templates.map((template) => templateView(content, message, template))
})

export const missingSentencesOf = ({ personas }: PlaybookContent): Playbook["missing"] =>
  personas.flatMap(({ id, missing }) => missing.map(({ message, part }) => ({ persona_id: id, part, message })))

export const playbookView = (
  { campaign_id, content, status, updated_at, version }: PlaybookRow,
  byModel: boolean
): Playbook => {
  const personas = content.personas.map((persona) => personaView(content, persona))
  return {
    campaign_id,
    version,
    status,
    stale: personas.some(({ templates }) => templates.some(({ stale }) => stale)),
    missing: missingSentencesOf(content),
    never_say: content.never_say,
    personalization: content.personalization ?? (byModel ? "adapted" : "template"),
    personas,
    updated_at
  }
}

/** The part that the writers read. Without a model `adapted` is `template`, so it is the default here. */
export const playbookSnapshotView = (content: PlaybookContent, version: number): PlaybookSnapshot => ({
  version,
  never_say: content.never_say,
  personalization: content.personalization ?? "adapted",
  personas: content.personas.map(({ id, kind, message, name, templates, titles }) => ({
    id,
    name,
    kind,
    titles,
    message,
    templates: templates.map(({ body, id, mark, step, subject, variant }) => ({
      id,
      step,
      variant,
      subject,
      body,
      ...(mark !== undefined && { mark })
    }))
  }))
})
