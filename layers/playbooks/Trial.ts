// layers/playbooks/Trial.ts: the persona of a title and the emails of a lead, worked out from a playbook without storing anything.
import { Result } from "effect"
import type { Book } from "#layers/generator/playbook/Book.ts"
import { writeFromPlaybook } from "#layers/generator/playbook/Write.ts"
import { knownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { route } from "#layers/generator/routing/Route.ts"
import type { BuiltBrief } from "#layers/playbooks/Brief.ts"
import { bookView, type Row } from "#layers/playbooks/Content.ts"
import { findingsOfEmails } from "#layers/playbooks/Findings.ts"
import type { Route, Tried, TriedText, TryInput } from "#schema/Playbook.ts"

/** What TryInput's `email_count` is when omitted. */
const usualCount = 3

export const routed = ({ content }: Row, title: string): Route => route(title, content.personas)

/** The book with texts in place of saved ones; a step with such a text has no other variant. */
const withTexts = (book: Book, texts: ReadonlyMap<string, TriedText>): Book => ({
  ...book,
  personas: book.personas.map((persona) => {
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

/** The emails of one lead, and why a batch would leave the lead out. The same address always gets the same variants. */
export const attempt = (
  { content, version }: Row,
  { campaign }: BuiltBrief,
  { email_count, lead, templates }: TryInput
): Tried => {
  const book = withTexts(
    bookView(content, version),
    new Map((templates ?? []).map((text) => [text.template_id, text] as const))
  )
  const { department, persona_id, reasons, seniority } = route(lead.title, book.personas)
  const { company_name, contact_name, contact_title } = campaign.profile
  const proofs = campaign.social_proof?.items.flatMap(({ description, name }) => [name, description]) ?? []
  const known = knownCompany(lead, campaign.profile, proofs)
  const written = writeFromPlaybook({
    book,
    lead,
    sender: { name: contact_name ?? "", title: contact_title ?? "", company: company_name ?? null },
    email_count: email_count ?? usualCount,
    seed: lead.email.toLowerCase(),
    route
  })
  const routing = { persona_id, department, seniority, reasons }
  return Result.match(written, {
    onFailure: ({ message }) => ({ ...routing, skipped: { reason: message }, sequence: [] }),
    onSuccess: ({ emails }) => {
      const findings = findingsOfEmails(campaign, book, lead, persona_id, emails)
      return {
        ...routing,
        skipped: known && { reason: known.reason },
        sequence: emails.map(({ body, step, subject, template_id }, at) => ({
          step,
          subject,
          body,
          template_id,
          findings: findings[at] ?? []
        }))
      }
    }
  })
}
