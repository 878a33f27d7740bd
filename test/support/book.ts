// test/support/book.ts: the playbook that a campaign gets without a model, as a writer receives it.
import type { Book } from "#layers/generator/playbook/Book.ts"
import { draftPlaybook } from "#layers/generator/playbook/Draft.ts"
import type { Campaign } from "#layers/Generator.ts"

/** The drafted playbook with readable ids. */
export const bookOf = (campaign: Campaign, changes: Partial<Book> = {}): Book => ({
  version: 1,
  never_say: [],
  personalization: "template",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, at) => ({
    id: `p${at}`,
    name,
    kind,
    titles,
    message,
    templates: templates.map(({ body, step, subject, variant }) => ({
      id: `p${at}-${step}-${variant}`,
      step,
      variant,
      subject,
      body
    }))
  })),
  ...changes
})
