// layers/playbooks/CampaignBrief.ts: what a build leaves for the writers, with a playbook in it.
import type { Campaign } from "#layers/Generator.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import { type Message, messageParts } from "#schema/Playbook.ts"

/** What `campaigns.brief` and `lists.brief` hold as JSON. */
export interface CampaignBrief {
  readonly campaign: Campaign
  readonly instructions: string
  /** Missing in what was built before there were playbooks. */
  readonly playbook?: PlaybookSnapshot | undefined
}

/** A UUID that no stored row has: of a persona, or of one of its templates. */
const personaId = (persona: number, step = 0, variant = 0) =>
  `00000000-0000-8000-8000-${[persona, step, variant].map((number) => String(number).padStart(4, "0")).join("")}`

const isDraftedTemplate = (campaign: Campaign): PlaybookSnapshot => ({
  version: 0,
  never_say: [],
  personalization: "adapted",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, at) => ({
    id: personaId(at),
    name,
    kind,
    titles,
    message,
    templates: templates.map((template) => ({
      mark: null,
      ...template,
      id: personaId(at, template.step, template.variant)
    }))
  }))
})

/**
 * The playbook of a brief. A list that was accepted before there were playbooks gets one of version 0: the same each time,
 * with ids that are nowhere stored.
 */
const toSnapshot = ({ campaign, playbook }: Pick<CampaignBrief, "campaign" | "playbook">): PlaybookSnapshot =>
  playbook ?? isDraftedTemplate(campaign)

export interface ReadyBrief extends CampaignBrief {
  readonly playbook: PlaybookSnapshot
}

/** Briefs are written by this program alone, and so are read back as they were typed. */
export const parseBrief = (text: string): ReadyBrief => {
  const brief: CampaignBrief = JSON.parse(text)
  return { ...brief, playbook: toSnapshot(brief) }
}

/** What the messages of all personas say, part by part. */
export const personaMessage = (book: PlaybookSnapshot): Message => {
  const part = (key: (typeof messageParts)[number]) =>
    book.personas.flatMap(({ message }) => message[key] ?? []).join("\n\n") || null
  return {
    what_we_do: part("what_we_do"),
    problem: part("problem"),
    consequence: part("consequence"),
    proof: part("proof"),
    offer: part("offer"),
    question: part("question")
  }
}
