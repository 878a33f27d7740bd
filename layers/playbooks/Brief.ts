// layers/playbooks/Brief.ts: what a build leaves for the writers, with a playbook in it.
import type { Campaign } from "#layers/Generator.ts"
import type { Book } from "#layers/generator/playbook/Book.ts"
import { draftPlaybook } from "#layers/generator/playbook/Draft.ts"

/** What `campaigns.brief` and `lists.brief` hold as JSON. */
export interface BuiltBrief {
  readonly campaign: Campaign
  readonly instructions: string
  /** Missing in what was built before there were playbooks. */
  readonly playbook?: Book | undefined
}

/** A UUID that no stored row has: of a persona, or of one of its templates. */
const idOf = (persona: number, step = 0, variant = 0) =>
  `00000000-0000-8000-8000-${[persona, step, variant].map((number) => String(number).padStart(4, "0")).join("")}`

const drafted = (campaign: Campaign): Book => ({
  version: 0,
  never_say: [],
  personalization: "adapted",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, at) => ({
    id: idOf(at),
    name,
    kind,
    titles,
    message,
    templates: templates.map((template) => ({ ...template, id: idOf(at, template.step, template.variant) }))
  }))
})

/**
 * The playbook of a brief. A list that was accepted before there were playbooks gets one of version 0: the same each time,
 * with ids that are nowhere stored.
 */
export const bookOf = ({ campaign, playbook }: Pick<BuiltBrief, "campaign" | "playbook">): Book =>
  playbook ?? drafted(campaign)

export interface ReadyBrief extends BuiltBrief {
  readonly playbook: Book
}

/** Briefs are written by this program alone, and so are read back as they were typed. */
export const parseBrief = (text: string): ReadyBrief => {
  const brief: BuiltBrief = JSON.parse(text)
  return { ...brief, playbook: bookOf(brief) }
}
