// layers/playbooks/Edits.ts: a person's edits of a playbook, as functions from its content to the new content.
import { Effect } from "effect"
import type { Turns } from "#layers/lib/Turns.ts"
import type { PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import {
  hashTemplateBasis,
  type PlaybookContent,
  type DraftedText,
  sortPersonas,
  personaOutline,
  type StoredPersona,
  type StoredTemplate,
  type TemplateText
} from "#layers/playbooks/Content.ts"
import {
  redraftForbidden,
  mergeMessage,
  type PersonaDraft,
  isSameMessage,
  type ProposeDraft,
  redraftPersona,
  unsavedId
} from "#layers/playbooks/Redrafts.ts"
import { BadRequest, Conflict, NotFound } from "#schema/Errors.ts"
import {
  maxPersonas,
  maxVariants,
  type PersonaChange,
  type PersonaInput,
  type PlaybookChange,
  type TemplateInput
} from "#schema/Playbook.ts"

export const findPersona = ({ personas }: PlaybookContent, id: string) => {
  const persona = personas.find((persona) => persona.id === id)
  return persona === undefined ? Effect.fail(NotFound.of("persona")) : Effect.succeed(persona)
}

export const findTemplate = ({ personas }: PlaybookContent, id: string) => {
  const [match] = personas.flatMap((persona) =>
    persona.templates.flatMap((template) => (template.id === id ? [{ persona, template }] : []))
  )
  return match === undefined ? Effect.fail(NotFound.of("template")) : Effect.succeed(match)
}

const replacePersona = (content: PlaybookContent, persona: StoredPersona): PlaybookContent => ({
  ...content,
  personas: content.personas.map((one) => (one.id === persona.id ? persona : one))
})

const removeDuplicates = (texts: ReadonlyArray<string>) => [...new Set(texts)]

/** Changes the playbook as a whole. Pauses after each persona whose templates are drafted again. */
export const update = function* (
  content: PlaybookContent,
  { never_say, personalization }: PlaybookChange,
  draft: PersonaDraft
): Turns<PlaybookContent> {
  const changedContent: PlaybookContent = { ...content, personalization: personalization ?? content.personalization }
  return never_say == null
    ? changedContent
    : yield* redraftForbidden({ ...changedContent, never_say: removeDuplicates(never_say) }, draft)
}

/** Adds a persona. Proposes the parts of the message that `input` lacks. */
export const addPersona = Effect.fnUntraced(function* (
  content: PlaybookContent,
  input: PersonaInput,
  propose: ProposeDraft,
  draft: PersonaDraft
) {
  if (content.personas.length >= maxPersonas) {
    return yield* new Conflict({ message: `A playbook has at most ${maxPersonas} personas; delete one first` })
  }
  const titles = removeDuplicates(input.titles)
  const usedProblems = new Set(content.personas.flatMap(({ message }) => message.problem ?? []))
  const message = mergeMessage(propose({ name: input.name, titles }, usedProblems), input.message ?? {})
  const outline: PersonaOutline = { name: input.name, kind: "role", titles, message }
  const persona: StoredPersona = { ...outline, id: unsavedId, drafted: null, missing: [], dropped: [], templates: [] }
  return {
    ...content,
    personas: sortPersonas([
      ...content.personas,
      redraftPersona(persona, draft({ ...outline, never_say: content.never_say }))
    ])
  }
})

export const changePersona = Effect.fnUntraced(function* (
  content: PlaybookContent,
  id: string,
  change: PersonaChange,
  draft: PersonaDraft
) {
  const persona = yield* findPersona(content, id)
  if (persona.kind === "everyone_else" && change.titles != null && change.titles.length > 0) {
    return yield* BadRequest.at("titles", "must be empty: this persona gets every lead that fits no other")
  }
  const changedPersona: StoredPersona = {
    ...persona,
    name: change.name ?? persona.name,
    titles: change.titles == null ? persona.titles : removeDuplicates(change.titles),
    message: mergeMessage(persona.message, change.message ?? {})
  }
  const isRewritten = !isSameMessage(changedPersona.message, persona.message)
  return replacePersona(
    content,
    isRewritten
      ? redraftPersona(changedPersona, draft({ ...personaOutline(changedPersona), never_say: content.never_say }))
      : changedPersona
  )
})

export const removePersona = Effect.fnUntraced(function* (content: PlaybookContent, id: string) {
  const persona = yield* findPersona(content, id)
  if (persona.kind === "everyone_else") {
    return yield* new Conflict({
      message: `${persona.name} cannot be deleted: it gets every lead that fits no other persona`
    })
  }
  return {
    ...content,
    personas: content.personas.filter((one) => one.id !== id),
    removed: removeDuplicates([...content.removed, ...(persona.drafted?.titles ?? [])])
  }
})

export const addTemplate = Effect.fnUntraced(function* (content: PlaybookContent, input: TemplateInput) {
  const { body, persona_id, step, subject } = input
  const persona = yield* findPersona(content, persona_id)
  const usedVariants = new Set(persona.templates.filter((one) => one.step === step).map(({ variant }) => variant))
  const variant = Array.from({ length: maxVariants }, (_, index) => index + 1).find(
    (number) => !usedVariants.has(number)
  )
  if (variant === undefined) {
    return yield* new Conflict({ message: `A step has at most ${maxVariants} templates; delete one of them first` })
  }
  const basis = hashTemplateBasis(content, persona.message)
  const template: StoredTemplate = {
    id: unsavedId,
    step,
    variant,
    subject,
    body,
    mark: null,
    drafted: null,
    basis,
    findings: []
  }
  const index = persona.templates.findLastIndex((one) => one.step <= step && (one.step < step || one.variant < variant))
  return replacePersona(content, { ...persona, templates: persona.templates.toSpliced(index + 1, 0, template) })
})

const markField = (drafted: DraftedText | null) => (drafted?.mark === undefined ? {} : { mark: drafted.mark })

const replaceText = (persona: StoredPersona, id: string, text: DraftedText, basis: string | null): StoredPersona => ({
  ...persona,
  templates: persona.templates.map((template) => (template.id === id ? { ...template, ...text, basis } : template))
})

export const changeTemplate = Effect.fnUntraced(function* (
  content: PlaybookContent,
  id: string,
  { body, subject }: TemplateText
) {
  const { persona, template } = yield* findTemplate(content, id)
  // Text restored to the draft is not an edit.
  const isDraft = template.drafted?.subject === subject && template.drafted.body === body
  const basis = isDraft ? null : hashTemplateBasis(content, persona.message)
  return replacePersona(
    content,
    replaceText(persona, id, { subject, body, ...(isDraft && markField(template.drafted)) }, basis)
  )
})

export const resetTemplate = Effect.fnUntraced(function* (content: PlaybookContent, id: string) {
  const { persona, template } = yield* findTemplate(content, id)
  if (template.drafted === null) {
    return yield* new Conflict({ message: "This template was added by a person and has no draft; delete it instead" })
  }
  return replacePersona(content, replaceText(persona, id, template.drafted, null))
})

export const removeTemplate = Effect.fnUntraced(function* (content: PlaybookContent, id: string) {
  const { persona, template } = yield* findTemplate(content, id)
  const { drafted, step, variant } = template
  if (persona.templates.filter((one) => one.step === step).length === 1) {
    return yield* new Conflict({ message: `This is the only template of step ${step}; change it instead` })
  }
  return replacePersona(content, {
    ...persona,
    templates: persona.templates.filter((one) => one.id !== id),
    dropped: drafted === null ? persona.dropped : [...persona.dropped, { step, variant }]
  })
})
