// layers/generator/playbook/FillSequence.ts: the emails of one lead, filled in from the templates of the playbook.
import { Effect, Result } from "effect"
import { memoize } from "effect/Function"
import type { Brief, Campaign, Draft, JudgedEmail } from "#layers/generator/Brief.ts"
import { noEvidence } from "#layers/generator/checker/Check.ts"
import { checkFilledTemplate } from "#layers/generator/checker/LeadData.ts"
import { checkTemplateText } from "#layers/generator/checker/SavedTemplates.ts"
import type { PersonaSnapshot, PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import type { Sender } from "#layers/generator/playbook/TemplateVariables.ts"
import { competitorNames } from "#layers/generator/companies/KnownCompanies.ts"
import { writeFromPlaybook } from "#layers/generator/playbook/PlaybookSequence.ts"
import { routePersona } from "#layers/generator/routing/RoutePersona.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { splitSentences } from "#layers/text/Sentences.ts"
import type { Details } from "#schema/Details.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import { ctaKind } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"

interface ApprovedCtas {
  /** Whether an email may offer the lead magnet. */
  readonly leadMagnet: boolean
  /** The caller's own question, which ends the first email. */
  readonly ownQuestion: string | null
}

/** Reads `approved_ctas` of a request, which its schema has checked. */
const parseCtas = (ctas: ReadonlyArray<string>): ApprovedCtas => ({
  leadMagnet: ctas.length === 0 || ctas.some((cta) => ctaKind(cta) === "lead magnet"),
  ownQuestion: ctas.find((cta) => ctaKind(cta) === "own question")?.trim() ?? null
})

export const senderVariables = memoize((profile: Details): Sender => ({
  name: profile.contact_name,
  title: profile.contact_title,
  company: profile.company_name,
  competitors: competitorNames(profile)
}))

/** The playbook without templates that offer the lead magnet, if emails may not offer it. */
const removeLeadMagnet = memoize((playbook: PlaybookSnapshot): PlaybookSnapshot => {
  const removeOffer = (persona: PersonaSnapshot): PersonaSnapshot => {
    const { offer } = persona.message
    if (offer === null) return persona
    const templates = persona.templates.filter(({ body }) => !body.includes(offer.replace(/\.$/, "")))
    return { ...persona, templates }
  }
  return { ...playbook, personas: playbook.personas.map(removeOffer) }
})

/** Drops first emails whose question is not at the end, if the persona has others. */
const keepQuestionLast = memoize((playbook: PlaybookSnapshot): PlaybookSnapshot => {
  const endsInQuestion = ({ body, step }: PersonaSnapshot["templates"][number]) =>
    step !== 1 || /\?(?:\{% endif %\})*$/.test(body.trim())
  const personas = playbook.personas.map((persona) => {
    const templates = persona.templates.filter(endsInQuestion)
    return templates.some(({ step }) => step === 1) ? { ...persona, templates } : persona
  })
  return { ...playbook, personas }
})

/** Replaces the question that a body ends with, or adds one. The sentences before it, such as the problem, are kept. */
const replaceQuestion = ({ body, subject }: Draft, question: string): Draft => {
  const paragraphs = body.split("\n\n")
  const last = paragraphs.at(-1) ?? ""
  const statements = splitSentences(last).filter((sentence) => !sentence.endsWith("?"))
  const remaining = last.trim().endsWith("?")
    ? [...paragraphs.slice(0, -1), ...(statements.length > 0 ? [statements.join(" ")] : [])]
    : paragraphs
  return { subject, body: [...remaining, question].join("\n\n") }
}

interface TemplateOfPersona extends Pick<PersonaSnapshot, "message"> {
  readonly template: PersonaSnapshot["templates"][number]
}

/** The sources of a template's sentences, by its id; looked up when the first email is filled in from it. */
const templateClaims = memoize((campaign: Campaign) =>
  memoize(({ never_say, personas }: PlaybookSnapshot) => {
    const findClaims = memoize(({ message, template: { body, step, subject } }: TemplateOfPersona) => {
      const evidence = { ...noEvidence, campaign, message, never_say }
      return checkTemplateText({ subject, body, step }, evidence).claims
    })
    const templates = personas.flatMap(({ message, templates }) => templates.map((template) => ({ message, template })))
    const templatesById = new Map(templates.map((template) => [template.template.id, template]))
    return (id: string): ReadonlyArray<Claim> => {
      const template = templatesById.get(id)
      return template === undefined ? [] : findClaims(template)
    }
  })
)

const claimsInBody = (body: string, claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> =>
  claims.flatMap((claim) => {
    const start = body.indexOf(claim.sentence)
    return start === -1 ? [] : [{ ...claim, start, end: start + claim.sentence.length }]
  })

/** The emails from the templates; fails if there are fewer than requested. */
const renderEmails = ({ approved_ctas, campaign, choose, email_count, lead, only, playbook, seed }: Brief) => {
  const requestedCount = only === undefined ? email_count : 1
  const sender = senderVariables(campaign.profile)
  const render = (playbook: PlaybookSnapshot) =>
    writeFromPlaybook({ playbook, lead, sender, email_count, seed, route: routePersona, choose, only })
  const { leadMagnet, ownQuestion } = parseCtas(approved_ctas)
  const eligiblePlaybook = ownQuestion === null ? playbook : keepQuestionLast(playbook)
  const result = render(leadMagnet ? eligiblePlaybook : removeLeadMagnet(eligiblePlaybook))
  // If the persona offers little besides the lead magnet, its offer is kept, because an email would be missing without it.
  const isMissingEmails = !leadMagnet && (Result.isFailure(result) || result.success.emails.length < requestedCount)
  return Result.flatMap(isMissingEmails ? render(playbook) : result, (sequence) =>
    sequence.emails.length < requestedCount
      ? Result.fail({
          message:
            only === undefined
              ? `The persona has templates for ${sequence.emails.length} of ${email_count} emails. Add templates, or ask for fewer emails.`
              : `The persona has no template for email ${only}. Add one.`
        })
      : Result.succeed(sequence)
  )
}

/** A finding about a lead who can hardly buy; none where the title is unknown. */
export const unlikelyReaderFindings = ({ title }: Lead): ReadonlyArray<Finding> =>
  title == null || title.trim() === ""
    ? []
    : [
        {
          rule: "reader.unlikely",
          severity: "warn",
          place: "sequence",
          start: null,
          end: null,
          message:
            "Neither your campaign nor your profile names this job, so the email asks for the right person. Add a persona with this job title to the templates if it is the right person, for the next list; leave the lead out if they cannot pass the email on.",
          suggestion: null
        }
      ]

/** Fills the templates; fails if a value without a fallback is missing, or if an email may not be sent. */
export const fillSequence = (brief: Brief): Effect.Effect<ReadonlyArray<JudgedEmail>, GenerationFailed> =>
  Effect.suspend(() => {
    const { approved_ctas, campaign, lead, playbook } = brief
    const result = renderEmails(brief)
    if (Result.isFailure(result)) {
      const { message } = result.failure
      return Effect.fail(
        new GenerationFailed({ message, transient: false, failure: { reason: "rules", findings: [] } })
      )
    }
    const { asks_for_right_person, emails, persona_id } = result.success
    const readerFindings = asks_for_right_person === true ? unlikelyReaderFindings(lead) : []
    const { ownQuestion } = parseCtas(approved_ctas)
    const finalEmails = emails.map((email) =>
      email.step === 1 && ownQuestion !== null ? { ...email, ...replaceQuestion(email, ownQuestion) } : email
    )
    const checked = checkFilledTemplate(finalEmails, { lead, never_say: playbook.never_say, signature: null })
    const claimsOf = templateClaims(campaign)(playbook)
    return rejectFailing(
      finalEmails.map(({ body, mark, subject, template_id }, index): JudgedEmail => {
        const bodyClaims = claimsInBody(body, claimsOf(template_id))
        return {
          subject,
          body,
          score: null,
          findings: [...(index === 0 ? readerFindings : []), ...(checked[index]?.findings ?? [])],
          claims: bodyClaims,
          template_id,
          persona_id,
          ...(mark !== undefined && { mark })
        }
      })
    )
  })

/** Fails if an email has a failing finding, and names the rule without quoting the email. */
const rejectFailing = (
  emails: ReadonlyArray<JudgedEmail>
): Effect.Effect<ReadonlyArray<JudgedEmail>, GenerationFailed> => {
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
