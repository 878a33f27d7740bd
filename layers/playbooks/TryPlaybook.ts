// layers/playbooks/TryPlaybook.ts: finds the persona of a title and renders the emails of a lead, without storing
// anything.
import { Result } from "effect"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { senderVariables, unlikelyReaderFindings } from "#layers/generator/playbook/FillSequence.ts"
import { writeFromPlaybook } from "#layers/generator/playbook/PlaybookSequence.ts"
import { findKnownCompany } from "#layers/generator/companies/KnownCompanies.ts"
import { claimSources } from "#layers/generator/checker/ClaimSources.ts"
import { routePersona } from "#layers/generator/routing/RoutePersona.ts"
import type { Turns } from "#layers/lib/Turns.ts"
import type { CampaignBrief } from "#layers/playbooks/CampaignBrief.ts"
import { toPlaybookSnapshot, type PlaybookRow } from "#layers/playbooks/Content.ts"
import { checkLeadEmails } from "#layers/playbooks/TemplateFindings.ts"
import type { Route, Tried, TriedText, TryInput } from "#schema/Playbook.ts"

/** The default of `email_count` in TryInput. */
const defaultEmailCount = 3

export const routeLead = ({ content }: PlaybookRow, title: string): Route => routePersona(title, content.personas)

/** The playbook with unsaved texts in place of the saved ones. A step with such a text has no other variant. */
const replaceTexts = (playbook: PlaybookSnapshot, texts: ReadonlyMap<string, TriedText>): PlaybookSnapshot => ({
  ...playbook,
  personas: playbook.personas.map((persona) => {
    const steps = new Set(persona.templates.filter(({ id }) => texts.has(id)).map(({ step }) => step))
    return {
      ...persona,
      templates: persona.templates.flatMap((template) => {
        const text = texts.get(template.id)
        if (text === undefined) return steps.has(template.step) ? [] : [template]
        return [{ ...template, subject: text.subject, body: text.body }]
      })
    }
  })
})

/**
 * The emails of one lead, and the reason why a batch would skip it. `suppressed` is the suppression reason. The same
 * address always gets the same variants. Pauses between its parts, because long texts and sources take long.
 */
export const tryPlaybookInTurns = function* (
  { content, version }: PlaybookRow,
  { campaign }: CampaignBrief,
  { email_count, lead, templates }: TryInput,
  suppressed?: string
): Turns<Tried> {
  const playbook = replaceTexts(
    toPlaybookSnapshot(content, version),
    new Map((templates ?? []).map((text) => [text.template_id, text] as const))
  )
  const { department, persona_id, reasons, seniority } = routePersona(lead.title, playbook.personas)
  const proofs = campaign.social_proof?.items.flatMap(({ description, name }) => [name, description]) ?? []
  const reason = suppressed ?? findKnownCompany(lead, campaign.profile, proofs)?.reason
  yield
  const message = playbook.personas.find(({ id }) => id === persona_id)?.message ?? null
  // The check finds the sources kept.
  claimSources(campaign, message)
  yield
  const writtenSequence = writeFromPlaybook({
    playbook,
    lead,
    sender: senderVariables(campaign.profile),
    email_count: email_count ?? defaultEmailCount,
    seed: lead.email.toLowerCase(),
    route: routePersona
  })
  const routing = { persona_id, department, seniority, reasons }
  return Result.match(writtenSequence, {
    onFailure: ({ message }) => ({ ...routing, skipped: { reason: message }, sequence: [] }),
    onSuccess: ({ asks_for_right_person, emails }) => {
      const readerFindings = asks_for_right_person === true ? unlikelyReaderFindings(lead) : []
      const findings = checkLeadEmails(campaign, playbook, lead, persona_id, emails)
      return {
        ...routing,
        skipped: reason === undefined ? null : { reason },
        sequence: emails.map(({ body, step, subject, template_id }, index) => ({
          step,
          subject,
          body,
          template_id,
          findings: [...(index === 0 ? readerFindings : []), ...(findings[index] ?? [])]
        }))
      }
    }
  })
}
