// layers/playbooks/CampaignBrief.ts: the writer's input after a build, including the playbook.
import type { Campaign } from "#layers/Generator.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import { type Message, messageParts } from "#schema/Playbook.ts"

/** The JSON in `campaigns.brief`, `briefs.content` and `lists.brief`. */
export interface CampaignBrief {
  readonly campaign: Campaign
  readonly instructions: string
  /** Missing in briefs from before playbooks existed. */
  readonly playbook?: PlaybookSnapshot | undefined
}

/** An id that no stored row has, for a persona or one of its templates. */
const personaId = (persona: number, step = 0, variant = 0) =>
  `00000000-0000-8000-8000-${[persona, step, variant].map((number) => String(number).padStart(4, "0")).join("")}`

const draftSnapshot = (campaign: Campaign): PlaybookSnapshot => ({
  version: 0,
  never_say: [],
  personalization: "adapted",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, index) => ({
    id: personaId(index),
    name,
    kind,
    titles,
    message,
    templates: templates.map((template) => ({
      mark: null,
      ...template,
      id: personaId(index, template.step, template.variant)
    }))
  }))
})

/**
 * The playbook of a brief. A list from before playbooks existed gets a generated one of version 0, always the same,
 * whose ids are not stored.
 */
const toSnapshot = ({ campaign, playbook }: Pick<CampaignBrief, "campaign" | "playbook">): PlaybookSnapshot =>
  playbook ?? draftSnapshot(campaign)

export interface ReadyBrief extends CampaignBrief {
  readonly playbook: PlaybookSnapshot
}

/** Not validated, because only this program writes briefs. */
export const parseBrief = (text: string): ReadyBrief => {
  const brief: CampaignBrief = JSON.parse(text)
  return { ...brief, playbook: toSnapshot(brief) }
}

/** The messages of all personas, joined part by part. */
export const joinMessages = (playbook: PlaybookSnapshot): Message => {
  const joinPart = (key: (typeof messageParts)[number]) =>
    playbook.personas.flatMap(({ message }) => message[key] ?? []).join("\n\n") || null
  return {
    what_we_do: joinPart("what_we_do"),
    problem: joinPart("problem"),
    consequence: joinPart("consequence"),
    proof: joinPart("proof"),
    offer: joinPart("offer"),
    question: joinPart("question")
  }
}
