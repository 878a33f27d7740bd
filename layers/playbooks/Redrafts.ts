// layers/playbooks/Redrafts.ts: merges drafts into a playbook and keeps a person's edits.
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import type { Campaign } from "#layers/Generator.ts"
import { draftPersona } from "#layers/generator/playbook/DraftPlaybook.ts"
import { departmentsOfTitles } from "#layers/generator/playbook/PersonaGroups.ts"
import { draftMessage } from "#layers/generator/playbook/PersonaMessage.ts"
import type { DraftedPersona, DraftedTemplate, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
import {
  hashSelections,
  type PlaybookContent,
  type DraftedText,
  sortPersonas,
  personaOutline,
  slotKey,
  type StoredPersona,
  type StoredTemplate
} from "#layers/playbooks/Content.ts"
import { mapMessage, type Message, maxPersonas, messageParts } from "#schema/Playbook.ts"

/** The id of a new row until the store assigns one. */
export const unsavedId = ""

/** Drafts a persona's templates from its outline, which a person may have edited. */
export type PersonaDraft = (outline: PersonaOutline) => DraftedPersona

/** Proposes a message; `usedProblems` are the problems of the other personas. */
export type ProposeDraft = (
  persona: Pick<PersonaOutline, "name" | "titles">,
  usedProblems: ReadonlySet<string>
) => Message

const foldCase = (title: string) => title.trim().toLowerCase()
const isSameList = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((title, index) => title === other[index])
export const isSameMessage = (one: Message, other: Message) => messageParts.every((part) => one[part] === other[part])

export const isSameOutline = (one: PersonaOutline, other: PersonaOutline) =>
  one.kind === other.kind &&
  one.name === other.name &&
  isSameList(one.titles, other.titles) &&
  isSameMessage(one.message, other.message)

/** `message` with the given parts replaced; null clears a part. */
export const mergeMessage = (message: Message, change: Partial<Message>): Message =>
  mapMessage((part) => {
    const givenText = change[part]
    return givenText === undefined
      ? message[part]
      : givenText === null || givenText.trim() === ""
        ? null
        : givenText.trim()
  })

/** A draft without a mark was made without a model. */
const toDraftedText = ({ body, findings, mark = null, subject }: DraftedTemplate): DraftedText => ({
  subject,
  body,
  mark,
  ...(findings === undefined ? {} : { findings })
})

const toStoredTemplate = (draft: DraftedTemplate): StoredTemplate => ({
  id: unsavedId,
  step: draft.step,
  variant: draft.variant,
  subject: draft.subject,
  body: draft.body,
  mark: draft.mark ?? null,
  drafted: toDraftedText(draft),
  basis: null,
  findings: []
})

const sortTemplates = (templates: ReadonlyArray<StoredTemplate>) =>
  templates.toSorted((a, b) => a.step - b.step || a.variant - b.variant)

/**
 * The persona with newly drafted templates. An edited template keeps its text; the new draft is what a reset
 * restores. Drafts for deleted templates are skipped, unless their step would have no template.
 */
export const redraftPersona = (persona: StoredPersona, { missing, templates }: DraftedPersona): StoredPersona => {
  const draftBySlot = new Map(templates.map((template) => [slotKey(template), template]))
  const keptTemplates = persona.templates.flatMap((template) => {
    const draft = draftBySlot.get(slotKey(template))
    const text = draft && { subject: draft.subject, body: draft.body, mark: draft.mark ?? null }
    const newDraft = draft && toDraftedText(draft)
    if (template.basis === null) return newDraft === undefined ? [] : [{ ...template, ...text, drafted: newDraft }]
    return [{ ...template, drafted: template.drafted && (newDraft ?? template.drafted) }]
  })
  const usedSlots = new Set([...keptTemplates, ...persona.dropped].map(slotKey))
  const newTemplates = templates.filter((template) => !usedSlots.has(slotKey(template)))
  const steps = new Set([...keptTemplates, ...newTemplates].map(({ step }) => step))
  const restoredTemplates = templates.filter(
    ({ step }, index) => !steps.has(step) && templates.findIndex((template) => template.step === step) === index
  )
  return {
    ...persona,
    missing,
    templates: sortTemplates([...keptTemplates, ...[...newTemplates, ...restoredTemplates].map(toStoredTemplate)])
  }
}

/** A persona from its first draft. */
const fromDraft = (draft: DraftedPersona): StoredPersona => {
  const { kind, message, name, titles } = draft
  const persona = { id: unsavedId, name, kind, titles, message, drafted: { name, titles, message }, dropped: [] }
  return redraftPersona({ ...persona, missing: [], templates: [] }, draft)
}

export const makeFirstContent = (drafts: ReadonlyArray<DraftedPersona>, selections: string): PlaybookContent => ({
  never_say: [],
  personalization: null,
  personas: sortPersonas(drafts.map(fromDraft)),
  removed: [],
  selections
})

const isEditedPersona = (persona: StoredPersona) =>
  persona.drafted === null ||
  persona.dropped.length > 0 ||
  persona.templates.some(({ basis }) => basis !== null) ||
  !isSameOutline(persona, { ...persona.drafted, kind: persona.kind })

/** Matches each draft with a stored persona: by kind, then by drafted name, then by a shared title. */
const matchPersonas = (personas: ReadonlyArray<StoredPersona>, drafts: ReadonlyArray<DraftedPersona>) => {
  const matches = new Map<DraftedPersona, StoredPersona>()
  const unmatched = new Set(personas.filter(({ drafted, kind }) => drafted !== null || kind === "everyone_else"))
  const match = (fits: (draft: DraftedPersona, persona: StoredPersona) => boolean) => {
    for (const draft of drafts) {
      const persona = matches.has(draft)
        ? undefined
        : [...unmatched].find((one) => one.kind === draft.kind && fits(draft, one))
      if (persona === undefined) continue
      matches.set(draft, persona)
      unmatched.delete(persona)
    }
  }
  match(({ kind }) => kind === "everyone_else")
  match(({ name }, { drafted }) => drafted !== null && foldCase(drafted.name) === foldCase(name))
  match(({ titles }, { drafted }) => {
    const previousTitles = new Set(drafted?.titles.map(foldCase))
    return titles.some((title) => previousTitles.has(foldCase(title)))
  })
  return matches
}

/** A stored persona merged with its new draft; parts edited by a person are kept. */
const mergeDraft = (persona: StoredPersona, newDraft: DraftedPersona, draft: PersonaDraft): StoredPersona => {
  const { message, name, titles } = newDraft
  const lastDraft = persona.drafted ?? persona
  const outline: PersonaOutline = {
    kind: persona.kind,
    name: persona.name === lastDraft.name ? name : persona.name,
    titles: isSameList(persona.titles, lastDraft.titles) ? titles : persona.titles,
    message: mapMessage((part) =>
      persona.message[part] === lastDraft.message[part] ? message[part] : persona.message[part]
    )
  }
  const templates = isSameMessage(outline.message, message) ? newDraft : draft(outline)
  return redraftPersona({ ...persona, ...outline, drafted: { name, titles, message } }, templates)
}

/**
 * Redrafts the unedited templates that contain a forbidden phrase. Keeps edited templates, and the only template of a
 * step if no other can be drafted; the checker reports both. Pauses after each persona.
 */
export const redraftForbidden = function* (content: PlaybookContent, draft: PersonaDraft): Turns<PlaybookContent> {
  const { never_say } = content
  const containsForbiddenPhrase = ({ basis, body, subject }: StoredTemplate) =>
    basis === null && containsForbidden(`${subject}\n${body}`, never_say)
  const personas: Array<StoredPersona> = []
  for (const persona of content.personas) {
    if (!persona.templates.some(containsForbiddenPhrase)) {
      personas.push(persona)
      continue
    }
    const drafts = draft({ ...personaOutline(persona), never_say }).templates
    const templates = persona.templates.flatMap((template) => {
      if (!containsForbiddenPhrase(template)) return [template]
      const newDraft = drafts.find((one) => slotKey(one) === slotKey(template))
      if (newDraft !== undefined) return [{ ...template, ...toDraftedText(newDraft), drafted: toDraftedText(newDraft) }]
      const hasOther = persona.templates.some((one) => one.step === template.step && !containsForbiddenPhrase(one))
      return hasOther ? [] : [template]
    })
    personas.push({ ...persona, templates })
    yield
  }
  return { ...content, personas }
}

/**
 * The playbook after a build. Edits by a person are kept, everything else is drafted again. Removes drafted personas
 * that are no longer drafted, unless a person edited them. Skips a draft whose titles all belong to personas that a
 * person deleted or added.
 */
export const rebuildPlaybook = (
  content: PlaybookContent,
  drafts: ReadonlyArray<DraftedPersona>,
  selections: string,
  draft: PersonaDraft
): PlaybookContent => {
  const matches = matchPersonas(content.personas, drafts)
  const draftByPersona = new Map([...matches].map(([next, persona]) => [persona, next]))
  const personas = content.personas.flatMap((persona) => {
    const newDraft = draftByPersona.get(persona)
    if (newDraft !== undefined) return [mergeDraft(persona, newDraft, draft)]
    return isEditedPersona(persona) ? [redraftPersona(persona, draft(personaOutline(persona)))] : []
  })
  const addedTitles = content.personas.filter(({ drafted }) => drafted === null).flatMap(({ titles }) => titles)
  const usedNames = new Set([...content.removed, ...addedTitles].map(foldCase))
  const newDrafts = drafts.filter(
    (newDraft) =>
      !matches.has(newDraft) &&
      !(newDraft.titles.length > 0 && newDraft.titles.every((title) => usedNames.has(foldCase(title))))
  )
  const freeSlots = Math.max(0, maxPersonas - personas.length)
  const allPersonas = sortPersonas([...personas, ...newDrafts.slice(0, freeSlots).map(fromDraft)])
  return runAtOnce(redraftForbidden({ ...content, selections, personas: allPersonas }, draft))
}

/** The current writer's draft for an edited persona. */
export interface Redraft {
  readonly outline: PersonaOutline
  readonly draft: DraftedPersona
}

/** Drafts without a model, so that saving a message never waits for one. */
export const drafterFor =
  (campaign: Campaign): PersonaDraft =>
  (outline) =>
    draftPersona(campaign, outline)

/** Proposes the message of a new persona. Omits a problem that is not known to be the persona's. */
export const messageProposerFor =
  (campaign: Campaign): ProposeDraft =>
  ({ name, titles }, usedProblems) => {
    const personaGroup = { departments: departmentsOfTitles(titles), everyoneElse: false, name, titles }
    const { matched, message } = draftMessage(sellingPoints(campaign), personaGroup, usedProblems)
    return matched ? message : { ...message, problem: null }
  }

/** The edited personas that a rebuild with these drafts has to draft as well. */
export const personasToRedraft = (
  content: PlaybookContent,
  campaign: Campaign,
  drafts: ReadonlyArray<DraftedPersona>
): ReadonlyArray<PersonaOutline> => {
  const outlines: Array<PersonaOutline> = []
  rebuildPlaybook(content, drafts, hashSelections(campaign), (outline) => {
    outlines.push(outline)
    return { ...outline, missing: [], templates: [] }
  })
  return outlines
}

/** Uses these redrafts, and drafts without a model for personas edited since. */
export const makeRedrafter =
  (campaign: Campaign, redrafts: ReadonlyArray<Redraft>): PersonaDraft =>
  (outline) =>
    redrafts.find((one) => isSameOutline(one.outline, outline))?.draft ?? draftPersona(campaign, outline)
