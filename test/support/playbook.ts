// test/support/playbook.ts: the playbook that a campaign gets without a model, as a writer receives it.
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import type { Campaign } from "#layers/Generator.ts"

/** The drafted playbook with readable ids. */
export const snapshotOf = (campaign: Campaign, changes: Partial<PlaybookSnapshot> = {}): PlaybookSnapshot => ({
  version: 1,
  never_say: [],
  personalization: "template",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, index) => ({
    id: `p${index}`,
    name,
    kind,
    titles,
    message,
    templates: templates.map(({ body, step, subject, variant }) => ({
      id: `p${index}-${step}-${variant}`,
      step,
      variant,
      subject,
      body
    }))
  })),
  ...changes
})
