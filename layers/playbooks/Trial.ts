// layers/playbooks/Trial.ts: the persona of a title and the emails of a lead, worked out from a playbook without storing anything.
import { Result } from "effect"
import { writeFromPlaybook } from "#layers/generator/playbook/Write.ts"
import { knownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { route } from "#layers/generator/routing/Route.ts"
import type { BuiltBrief } from "#layers/playbooks/Brief.ts"
import { bookView, type Row } from "#layers/playbooks/Content.ts"
import { findingsOfEmails } from "#layers/playbooks/Findings.ts"
import type { Route, Tried, TryInput } from "#schema/Playbook.ts"

/** What TryInput's `email_count` is when omitted. */
const usualCount = 3

export const routed = ({ content }: Row, title: string): Route => route(title, content.personas)

/** The emails of one lead, and why a batch would leave the lead out. The same address always gets the same variants. */
export const attempt = (
  { content, version }: Row,
  { campaign }: BuiltBrief,
  { email_count, lead }: TryInput
): Tried => {
  const book = bookView(content, version)
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
