// layers/generator/playbook/Fill.ts: the emails of one lead, filled in from the templates of the playbook.
import { Effect, Result } from "effect"
import { memoize } from "effect/Function"
import type { Brief, Campaign, Draft, Judged } from "#layers/generator/Brief.ts"
import { noEvidence } from "#layers/generator/checker/Check.ts"
import { checkFilled } from "#layers/generator/checker/Filled.ts"
import { checkTemplate } from "#layers/generator/checker/Templates.ts"
import type { Book, BookPersona } from "#layers/generator/playbook/Book.ts"
import type { Sender } from "#layers/generator/playbook/Variables.ts"
import { writeFromPlaybook } from "#layers/generator/playbook/Write.ts"
import { route } from "#layers/generator/routing/Route.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Details } from "#schema/Details.ts"
import type { Claim } from "#schema/Findings.ts"
import { ctaKind } from "#schema/Generation.ts"

interface Asks {
  /** Whether an email may offer the lead magnet. */
  readonly leadMagnet: boolean
  /** The caller's own question, which ends the first email. */
  readonly ownQuestion: string | null
}

/** Reads `approved_ctas` of a request, which its schema has checked. */
const asksOf = (ctas: ReadonlyArray<string>): Asks => ({
  leadMagnet: ctas.length === 0 || ctas.some((cta) => ctaKind(cta) === "lead magnet"),
  ownQuestion: ctas.find((cta) => ctaKind(cta) === "own question")?.trim() ?? null
})

export const senderOf = ({ company_name, contact_name, contact_title }: Details): Sender => ({
  name: contact_name,
  title: contact_title,
  company: company_name
})

/** The playbook without templates that offer the lead magnet, if emails may not offer it. */
const withoutMagnet = memoize((book: Book): Book => {
  const allowed = (persona: BookPersona): BookPersona => {
    const { offer } = persona.message
    if (offer === null) return persona
    const templates = persona.templates.filter(({ body }) => !body.includes(offer.replace(/\.$/, "")))
    return { ...persona, templates }
  }
  return { ...book, personas: book.personas.map(allowed) }
})

/** Replaces the question that a body ends with, or adds one. */
const endingWith = ({ body, subject }: Draft, question: string): Draft => {
  const paragraphs = body.split("\n\n")
  const last = paragraphs.at(-1) ?? ""
  const kept = last.trim().endsWith("?") ? paragraphs.slice(0, -1) : paragraphs
  return { subject, body: [...kept, question].join("\n\n") }
}

/** The sources of a playbook's sentences, looked up once and reused for each email. */
const claimsOf = memoize((campaign: Campaign) =>
  memoize((book: Book) => {
    const found = new Map<string, ReadonlyArray<Claim>>()
    for (const { message, templates } of book.personas) {
      for (const { body, id, step, subject } of templates) {
        const evidence = { ...noEvidence, campaign, message, never_say: book.never_say }
        found.set(id, checkTemplate({ subject, body, step }, evidence).claims)
      }
    }
    return found
  })
)

const claimsIn = (body: string, claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> =>
  claims.flatMap((claim) => {
    const start = body.indexOf(claim.sentence)
    return start === -1 ? [] : [{ ...claim, start, end: start + claim.sentence.length }]
  })

/** The emails from the templates; fails if there are fewer than requested. */
const filled = ({ approved_ctas, campaign, email_count, lead, playbook, seed }: Brief) => {
  const sender = senderOf(campaign.profile)
  const from = (book: Book) => writeFromPlaybook({ book, lead, sender, email_count, seed, route })
  const { leadMagnet } = asksOf(approved_ctas)
  const written = from(leadMagnet ? playbook : withoutMagnet(playbook))
  // If the persona offers little besides the lead magnet, its offer is kept, because an email would be missing without it.
  const isShort = !leadMagnet && (Result.isFailure(written) || written.success.emails.length < email_count)
  return Result.flatMap(isShort ? from(playbook) : written, (sequence) =>
    sequence.emails.length < email_count
      ? Result.fail({
          message: `The persona has templates for ${sequence.emails.length} of ${email_count} emails. Add templates, or ask for fewer emails.`
        })
      : Result.succeed(sequence)
  )
}

/** Fills the templates; fails if a value without a fallback is missing, or if an email may not be sent. */
export const fill = (brief: Brief): Effect.Effect<ReadonlyArray<Judged>, GenerationFailed> =>
  Effect.suspend(() => {
    const { approved_ctas, campaign, lead, playbook } = brief
    const written = filled(brief)
    if (Result.isFailure(written)) {
      const { message } = written.failure
      return Effect.fail(
        new GenerationFailed({ message, transient: false, failure: { reason: "rules", findings: [] } })
      )
    }
    const { emails, persona_id } = written.success
    const { ownQuestion } = asksOf(approved_ctas)
    const asked = emails.map((email, at) =>
      at === 0 && ownQuestion !== null ? { ...email, ...endingWith(email, ownQuestion) } : email
    )
    const checked = checkFilled(asked, { lead, never_say: playbook.never_say, signature: null })
    const claims = claimsOf(campaign)(playbook)
    return refusing(
      asked.map(({ body, subject, template_id }, at): Judged => {
        const own = claimsIn(body, claims.get(template_id) ?? [])
        return {
          subject,
          body,
          score: null,
          findings: checked[at]?.findings ?? [],
          claims: own,
          template_id,
          persona_id
        }
      })
    )
  })

/** Fails if an email has a failing finding, and names the rule without quoting the email. */
const refusing = (emails: ReadonlyArray<Judged>): Effect.Effect<ReadonlyArray<Judged>, GenerationFailed> => {
  const failing = emails.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "fail"))
  if (failing.length === 0) return Effect.succeed(emails)
  const rules = [...new Set(failing.map(({ rule }) => rule))].join(", ")
  return Effect.fail(
    new GenerationFailed({
      message: `The emails break a rule of the checker: ${rules}`,
      transient: false,
      failure: { reason: "rules", findings: failing }
    })
  )
}
