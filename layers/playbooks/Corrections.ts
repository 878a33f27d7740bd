// layers/playbooks/Corrections.ts: drafts for personas that a person has edited: by the current writer, or at once
// without a model.
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona } from "#layers/generator/playbook/DraftPlaybook.ts"
import { sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { draftMessage } from "#layers/generator/playbook/PersonaMessage.ts"
import { departmentsOfTitles } from "#layers/generator/playbook/PersonaGroups.ts"
import type { Campaign } from "#layers/Generator.ts"
import { type PlaybookContent, campaignSelections } from "#layers/playbooks/Content.ts"
import { type PersonaDraft, isSameOutline, type ProposeDraft, rebuildPlaybook } from "#layers/playbooks/Redrafts.ts"

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
export const proposedFor =
  (campaign: Campaign): ProposeDraft =>
  ({ name, titles }, taken) => {
    const reading = { departments: departmentsOfTitles(titles), everyoneElse: false, name, titles }
    const { matched, message } = draftMessage(sellingPoints(campaign), reading, taken)
    return matched ? message : { ...message, problem: null }
  }

/** The edited personas that a rebuild with these drafts has to draft as well. */
export const personasToRedraft = (
  content: PlaybookContent,
  campaign: Campaign,
  drafts: ReadonlyArray<DraftedPersona>
): ReadonlyArray<PersonaOutline> => {
  const outlines: Array<PersonaOutline> = []
  rebuildPlaybook(content, drafts, campaignSelections(campaign), (outline) => {
    outlines.push(outline)
    return { ...outline, missing: [], templates: [] }
  })
  return outlines
}

/** Uses these redrafts, and drafts without a model for personas edited since. */
export const draftFrom =
  (campaign: Campaign, redrafts: ReadonlyArray<Redraft>): PersonaDraft =>
  (outline) =>
    redrafts.find((one) => isSameOutline(one.outline, outline))?.draft ?? draftPersona(campaign, outline)
