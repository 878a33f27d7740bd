// layers/playbooks/Content.ts: the stored content of a playbook, and its views for the API and the writer.
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
  /** The text as last drafted, with its findings; null for a template that a person added. */
  readonly drafted: DraftedText | null
  /** A hash of the message and selections at the last edit; null for a template that was not edited. */
  readonly basis: string | null
  readonly findings: ReadonlyArray<Finding>
}

export interface StoredPersona extends PersonaOutline {
  readonly id: string
  /** Name, titles and message as last drafted; null for a persona that a person added. */
  readonly drafted: Pick<PersonaOutline, "name" | "titles" | "message"> | null
  readonly missing: DraftedPersona["missing"]
  /** Drafted templates that a person deleted; later drafts skip them. */
  readonly dropped: ReadonlyArray<TemplateSlot>
  readonly templates: ReadonlyArray<StoredTemplate>
}

export interface PlaybookContent {
  readonly never_say: ReadonlyArray<string>
  /** While it is null, `adapted` applies if a model is set, else `template`. */
  readonly personalization: Personalization | null
  /** The last persona is "Everyone else". */
  readonly personas: ReadonlyArray<StoredPersona>
  /** Titles of drafted personas that a person deleted. */
  readonly removed: ReadonlyArray<string>
  /** A hash of the selections that the playbook was drafted from. */
  readonly selections: string
}

export interface PlaybookRow {
  readonly campaign_id: string
  readonly version: number
  readonly status: PlaybookStatus
  readonly content: PlaybookContent
  readonly updated_at: string
}

const hashValue = (value: unknown) => hash(JSON.stringify(value)).toString(36)

const selectionItems = (choice: Choice | null) =>
  choice && [choice.items.map(({ description, name }) => [name, description]), choice.additional_details]

/** A hash of the selections that drafts are made from. Does not include the profile. */
export const hashSelections = ({ audience, lead_magnet, risk_reversal, social_proof, value_proposition }: Campaign) =>
  hashValue([
    audience.segment_name,
    audience.industry_vertical,
    audience.decision_makers,
    audience.additional_details,
    ...[social_proof, lead_magnet, risk_reversal, value_proposition].map(selectionItems)
  ])

/** A hash of the basis of an edited template, which is outdated when the hash changes. */
export const hashTemplateBasis = ({ selections }: Pick<PlaybookContent, "selections">, message: Message) =>
  hashValue([selections, messageParts.map((part) => message[part])])

export const slotKey = ({ step, variant }: TemplateSlot) => `${step}.${variant}`
export const personaOutline = ({ kind, message, name, titles }: PersonaOutline): PersonaOutline => ({
  name,
  kind,
  titles,
  message
})

/** Sorts personas, with "Everyone else" last. */
export const sortPersonas = (personas: ReadonlyArray<StoredPersona>): ReadonlyArray<StoredPersona> => [
  ...personas.filter(({ kind }) => kind === "role"),
  ...personas.filter(({ kind }) => kind === "everyone_else")
]

export const toTemplateView = (content: PlaybookContent, message: Message, template: StoredTemplate): Template => {
  const { basis, body, drafted, id, step, subject, variant } = template
  const edited = basis !== null
  // Findings about a draft apply until a person edits it.
  const findings = [...(edited ? [] : (drafted?.findings ?? [])), ...template.findings]
  return {
    id,
    step,
    variant,
    subject,
    body,
    edited,
    stale: edited && basis !== hashTemplateBasis(content, message),
    findings
  }
}

export const toPersonaView = (
  content: PlaybookContent,
  { id, kind, message, name, templates, titles }: StoredPersona
): Persona => ({
  id,
  name,
  kind,
  titles,
  message,
  templates: templates.map((template) => toTemplateView(content, message, template))
})

export const listMissingSentences = ({ personas }: PlaybookContent): Playbook["missing"] =>
  personas.flatMap(({ id, missing }) => missing.map(({ message, part }) => ({ persona_id: id, part, message })))

export const toPlaybookView = (
  { campaign_id, content, status, updated_at, version }: PlaybookRow,
  byModel: boolean
): Playbook => {
  const personas = content.personas.map((persona) => toPersonaView(content, persona))
  return {
    campaign_id,
    version,
    status,
    stale: personas.some(({ templates }) => templates.some(({ stale }) => stale)),
    missing: listMissingSentences(content),
    never_say: content.never_say,
    personalization: content.personalization ?? (byModel ? "adapted" : "template"),
    personas,
    updated_at
  }
}

/** The part of a playbook that writers read. Without a model `adapted` works like `template`, so it is the default. */
export const toPlaybookSnapshot = (content: PlaybookContent, version: number): PlaybookSnapshot => ({
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
