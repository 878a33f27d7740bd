// layers/playbooks/Edits.ts: what a person changes in a playbook, as functions from its content to the next.
import { Effect } from "effect"
import type { PersonaOutline } from "#layers/generator/playbook/Book.ts"
import {
  basisOf,
  type Content,
  ordered,
  outlineOf,
  type StoredPersona,
  type StoredTemplate,
  type Text
} from "#layers/playbooks/Content.ts"
import {
  redraftForbidden,
  changed,
  type Draft,
  isSameMessage,
  type Propose,
  redrafted,
  unsaved
} from "#layers/playbooks/Drafts.ts"
import { BadRequest, Conflict, NotFound } from "#schema/Errors.ts"
import {
  maxPersonas,
  maxVariants,
  type PersonaChange,
  type PersonaInput,
  type PlaybookChange,
  type TemplateInput
} from "#schema/Playbook.ts"

export const findPersona = ({ personas }: Content, id: string) => {
  const found = personas.find((persona) => persona.id === id)
  return found === undefined ? Effect.fail(NotFound.of("persona")) : Effect.succeed(found)
}

export const findTemplate = ({ personas }: Content, id: string) => {
  const [found] = personas.flatMap((persona) =>
    persona.templates.flatMap((template) => (template.id === id ? [{ persona, template }] : []))
  )
  return found === undefined ? Effect.fail(NotFound.of("template")) : Effect.succeed(found)
}

const replace = (content: Content, persona: StoredPersona): Content => ({
  ...content,
  personas: content.personas.map((one) => (one.id === persona.id ? persona : one))
})

const unique = (texts: ReadonlyArray<string>) => [...new Set(texts)]

export const update = (content: Content, { never_say, personalization }: PlaybookChange, draft: Draft): Content => {
  const next: Content = { ...content, personalization: personalization ?? content.personalization }
  return never_say == null ? next : redraftForbidden({ ...next, never_say: unique(never_say) }, draft)
}

/** Parts of the message that are not given are proposed. */
export const addPersona = Effect.fnUntraced(function* (
  content: Content,
  input: PersonaInput,
  propose: Propose,
  draft: Draft
) {
  if (content.personas.length >= maxPersonas) {
    return yield* new Conflict({ message: `A playbook has at most ${maxPersonas} personas; delete one first` })
  }
  const titles = unique(input.titles)
  const taken = new Set(content.personas.flatMap(({ message }) => message.problem ?? []))
  const message = changed(propose({ name: input.name, titles }, taken), input.message ?? {})
  const outline: PersonaOutline = { name: input.name, kind: "role", titles, message }
  const persona: StoredPersona = { ...outline, id: unsaved, drafted: null, missing: [], dropped: [], templates: [] }
  return {
    ...content,
    personas: ordered([...content.personas, redrafted(persona, draft({ ...outline, never_say: content.never_say }))])
  }
})

export const changePersona = Effect.fnUntraced(function* (
  content: Content,
  id: string,
  change: PersonaChange,
  draft: Draft
) {
  const persona = yield* findPersona(content, id)
  if (persona.kind === "everyone_else" && change.titles != null && change.titles.length > 0) {
    return yield* BadRequest.at("titles", "must be empty: this persona gets every lead that fits no other")
  }
  const next: StoredPersona = {
    ...persona,
    name: change.name ?? persona.name,
    titles: change.titles == null ? persona.titles : unique(change.titles),
    message: changed(persona.message, change.message ?? {})
  }
  const isRewritten = !isSameMessage(next.message, persona.message)
  return replace(
    content,
    isRewritten ? redrafted(next, draft({ ...outlineOf(next), never_say: content.never_say })) : next
  )
})

export const removePersona = Effect.fnUntraced(function* (content: Content, id: string) {
  const persona = yield* findPersona(content, id)
  if (persona.kind === "everyone_else") {
    return yield* new Conflict({
      message: `${persona.name} cannot be deleted: it gets every lead that fits no other persona`
    })
  }
  return {
    ...content,
    personas: content.personas.filter((one) => one.id !== id),
    removed: unique([...content.removed, ...(persona.drafted?.titles ?? [])])
  }
})

export const addTemplate = Effect.fnUntraced(function* (content: Content, input: TemplateInput) {
  const { body, persona_id, step, subject } = input
  const persona = yield* findPersona(content, persona_id)
  const taken = new Set(persona.templates.filter((one) => one.step === step).map(({ variant }) => variant))
  const variant = Array.from({ length: maxVariants }, (_, at) => at + 1).find((number) => !taken.has(number))
  if (variant === undefined) {
    return yield* new Conflict({ message: `A step has at most ${maxVariants} templates; delete one of them first` })
  }
  const basis = basisOf(content, persona.message)
  const template: StoredTemplate = { id: unsaved, step, variant, subject, body, drafted: null, basis, findings: [] }
  const at = persona.templates.findLastIndex((one) => one.step <= step && (one.step < step || one.variant < variant))
  return replace(content, { ...persona, templates: persona.templates.toSpliced(at + 1, 0, template) })
})

const withText = (persona: StoredPersona, id: string, text: Text, basis: string | null): StoredPersona => ({
  ...persona,
  templates: persona.templates.map((template) => (template.id === id ? { ...template, ...text, basis } : template))
})

export const changeTemplate = Effect.fnUntraced(function* (content: Content, id: string, { body, subject }: Text) {
  const { persona, template } = yield* findTemplate(content, id)
  // Text put back to the draft is no edit.
  const isDraft = template.drafted?.subject === subject && template.drafted.body === body
  const basis = isDraft ? null : basisOf(content, persona.message)
  return replace(content, withText(persona, id, { subject, body }, basis))
})

export const resetTemplate = Effect.fnUntraced(function* (content: Content, id: string) {
  const { persona, template } = yield* findTemplate(content, id)
  if (template.drafted === null) {
    return yield* new Conflict({ message: "This template was added by a person and has no draft; delete it instead" })
  }
  return replace(content, withText(persona, id, template.drafted, null))
})

export const removeTemplate = Effect.fnUntraced(function* (content: Content, id: string) {
  const { persona, template } = yield* findTemplate(content, id)
  const { drafted, step, variant } = template
  if (persona.templates.filter((one) => one.step === step).length === 1) {
    return yield* new Conflict({ message: `This is the only template of step ${step}; change it instead` })
  }
  return replace(content, {
    ...persona,
    templates: persona.templates.filter((one) => one.id !== id),
    dropped: drafted === null ? persona.dropped : [...persona.dropped, { step, variant }]
  })
})
