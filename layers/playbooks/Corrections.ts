// layers/playbooks/Corrections.ts: drafts for personas that a person corrected: by the writer in use, else at once without a model.
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona } from "#layers/generator/playbook/DraftPlaybook.ts"
import { sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { draftMessage } from "#layers/generator/playbook/PersonaMessage.ts"
import { departmentsOfTitles } from "#layers/generator/playbook/PersonaGroups.ts"
import type { Campaign } from "#layers/Generator.ts"
import { type PlaybookContent, campaignSelections } from "#layers/playbooks/Content.ts"
import { type PersonaDraft, isSameOutline, type ProposeDraft, rebuildPlaybook } from "#layers/playbooks/Redrafts.ts"

/** What the writer in use drafted for a corrected persona. */
export interface Redraft {
  readonly outline: PersonaOutline
  readonly draft: DraftedPersona
}

/** Drafts at once, so that a person who saves a message never waits for a model. */
export const maxConcurrentDrafts =
  (campaign: Campaign): PersonaDraft =>
  (outline) =>
    draftPersona(campaign, outline)

/** Proposes the message of a persona that a person adds. A problem that is not known to be theirs is left out. */
export const proposedFor =
  (campaign: Campaign): ProposeDraft =>
  ({ name, titles }, taken) => {
    const reading = { departments: departmentsOfTitles(titles), everyoneElse: false, name, titles }
    const { matched, message } = draftMessage(sellingPoints(campaign), reading, taken)
    return matched ? message : { ...message, problem: null }
  }

/** What a rebuild with these drafts would have to draft besides them. */
export const correctMessages = (
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

/** The redrafts that were made, and a draft made at once for what a person has corrected since. */
export const redraftPersonas =
  (campaign: Campaign, redrafts: ReadonlyArray<Redraft>): PersonaDraft =>
  (outline) =>
    redrafts.find((one) => isSameOutline(one.outline, outline))?.draft ?? draftPersona(campaign, outline)
