// layers/playbooks/TemplateFindings.ts: the checker's findings about the templates of a playbook.
import { Effect } from "effect"
import type { Campaign } from "#layers/Generator.ts"
import { checkEmails, type CheckInput, noEvidence } from "#layers/generator/checker/Check.ts"
import { claimSources } from "#layers/generator/checker/ClaimSources.ts"
import { checkTemplateText } from "#layers/generator/checker/SavedTemplates.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import type { PlaybookContent, StoredPersona, StoredTemplate } from "#layers/playbooks/Content.ts"
import { isSameMessage } from "#layers/playbooks/Redrafts.ts"
import type { Finding } from "#schema/Findings.ts"
import { runInOneTurn } from "#layers/lib/Turns.ts"
import type { Lead } from "#schema/Lead.ts"

const checkTemplate = (
  campaign: Campaign,
  never_say: ReadonlyArray<string>,
  { message }: StoredPersona,
  { body, step, subject }: StoredTemplate
): ReadonlyArray<Finding> =>
  checkTemplateText({ step, subject, body }, { ...noEvidence, campaign, message, never_say }).findings

/**
 * The playbook with findings for each template. Reuses those of a text whose message has not changed either, and answers
 * requests before each check.
 */
export const addFindings = Effect.fnUntraced(function* (
  content: PlaybookContent,
  campaign: Campaign,
  previous: PlaybookContent | undefined
) {
  const isSameCampaign =
    previous?.selections === content.selections &&
    JSON.stringify(previous.never_say) === JSON.stringify(content.never_say)
  const previousPersonas = new Map(isSameCampaign ? previous.personas.map((persona) => [persona.id, persona]) : [])
  const personas: Array<StoredPersona> = []
  for (const persona of content.personas) {
    const previousPersona = previousPersonas.get(persona.id)
    const isSame = previousPersona !== undefined && isSameMessage(previousPersona.message, persona.message)
    const checkedTemplates = new Map(isSame ? previousPersona.templates.map((template) => [template.id, template]) : [])
    const templates: Array<StoredTemplate> = []
    for (const template of persona.templates) {
      const checked = checkedTemplates.get(template.id)
      if (checked?.subject === template.subject && checked.body === template.body) {
        templates.push({ ...template, findings: checked.findings })
        continue
      }
      // The first check of a message needs a turn to read its sources, which are kept.
      yield* runInOneTurn(() => claimSources(campaign, persona.message))
      const findings = yield* runInOneTurn(() => checkTemplate(campaign, content.never_say, persona, template))
      templates.push({ ...template, findings })
    }
    personas.push({ ...persona, templates })
  }
  return { ...content, personas }
})

/** The checker's findings about each email of a lead. */
export const checkLeadEmails = (
  campaign: Campaign,
  { never_say, personas }: PlaybookSnapshot,
  lead: Lead,
  persona_id: string,
  emails: ReadonlyArray<CheckInput>
): ReadonlyArray<ReadonlyArray<Finding>> => {
  const message = personas.find(({ id }) => id === persona_id)?.message ?? null
  const evidence = { ...noEvidence, campaign, lead, message, never_say, email_count: emails.length }
  return checkEmails(emails, evidence).map(({ findings }) => findings)
}
