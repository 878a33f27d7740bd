// layers/playbooks/Corrections.ts: drafts for personas that a person corrected: by the writer in use, else at once without a model.
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/Book.ts"
import { draftPersona } from "#layers/generator/playbook/Draft.ts"
import { materialOf } from "#layers/generator/playbook/Material.ts"
import { messageFor } from "#layers/generator/playbook/Message.ts"
import { departmentsOf } from "#layers/generator/playbook/Personas.ts"
import type { Campaign } from "#layers/Generator.ts"
import { type Content, selectionsOf } from "#layers/playbooks/Content.ts"
import { type Draft, isSameOutline, type Propose, rebuilt } from "#layers/playbooks/Drafts.ts"

/** What the writer in use drafted for a corrected persona. */
export interface Redraft {
  readonly outline: PersonaOutline
  readonly draft: DraftedPersona
}

/** Drafts at once, so that a person who saves a message never waits for a model. */
export const draftedAtOnce =
  (campaign: Campaign): Draft =>
  (outline) =>
    draftPersona(campaign, outline)

/** Proposes the message of a persona that a person adds. A problem that is not known to be theirs is left out. */
export const proposedFor =
  (campaign: Campaign): Propose =>
  ({ name, titles }, taken) => {
    const reading = { departments: departmentsOf(titles), everyoneElse: false, name }
    const { message, missing } = messageFor(materialOf(campaign), reading, taken)
    const isGuess = missing.some(({ part }) => part === "problem")
    return isGuess ? { ...message, problem: null } : message
  }

/** What a rebuild with these drafts would have to draft besides them. */
export const corrected = (
  content: Content,
  campaign: Campaign,
  drafts: ReadonlyArray<DraftedPersona>
): ReadonlyArray<PersonaOutline> => {
  const outlines: Array<PersonaOutline> = []
  rebuilt(content, drafts, selectionsOf(campaign), (outline) => {
    outlines.push(outline)
    return { ...outline, missing: [], templates: [] }
  })
  return outlines
}

/** The redrafts that were made, and a draft made at once for what a person has corrected since. */
export const redraftedBy =
  (campaign: Campaign, redrafts: ReadonlyArray<Redraft>): Draft =>
  (outline) =>
    redrafts.find((one) => isSameOutline(one.outline, outline))?.draft ?? draftPersona(campaign, outline)
