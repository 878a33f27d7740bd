// layers/playbooks/Findings.ts: what the checker reports about the templates of a playbook.
import type { Campaign } from "#layers/Generator.ts"
import type { Book } from "#layers/generator/playbook/Book.ts"
import type { Content, StoredPersona, StoredTemplate } from "#layers/playbooks/Content.ts"
import type { Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

const findingsOf = (
  _campaign: Campaign,
  _never_say: ReadonlyArray<string>,
  _persona: StoredPersona,
  _template: StoredTemplate
): ReadonlyArray<Finding> => []

/** The playbook with the findings of each template. Those of a text that has not changed are kept. */
export const judged = (content: Content, campaign: Campaign, before: Content | undefined): Content => {
  const isKnown =
    before?.selections === content.selections && JSON.stringify(before.never_say) === JSON.stringify(content.never_say)
  const known = new Map(
    isKnown ? before.personas.flatMap(({ templates }) => templates.map((template) => [template.id, template])) : []
  )
  const findings = (persona: StoredPersona, template: StoredTemplate) => {
    const last = known.get(template.id)
    return last?.subject === template.subject && last.body === template.body
      ? last.findings
      : findingsOf(campaign, content.never_say, persona, template)
  }
  return {
    ...content,
    personas: content.personas.map((persona) => ({
      ...persona,
      templates: persona.templates.map((template) => ({ ...template, findings: findings(persona, template) }))
    }))
  }
}

/** What the checker reports about an email that was rendered from a template. */
export const findingsOfEmail = (
  _campaign: Campaign,
  _book: Book,
  _lead: Lead,
  _email: { readonly subject: string; readonly body: string; readonly step: number }
): ReadonlyArray<Finding> => []
