// layers/generator/bymodel/AdaptedEmails.ts: writes to one lead: fills a persona's templates, or has the model adapt them.
import { Effect, Result } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Brief, Campaign, Judged } from "#layers/generator/Brief.ts"
import {
  type CitingEmail,
  failing,
  faultsOf,
  reviewed,
  type Reviewed,
  without
} from "#layers/generator/bymodel/Citations.ts"
import { hidingContacts } from "#layers/generator/bymodel/HideContacts.ts"
import {
  askLines,
  givesSomething,
  neverLine,
  senderLines,
  sourceLines,
  wishes
} from "#layers/generator/bymodel/Context.ts"
import { adaptedEmails, type Answer } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import {
  campaignSources,
  leadSources,
  lineOf,
  messageSources,
  type NumberedSource,
  remarkSource
} from "#layers/generator/bymodel/SourceList.ts"
import { line, typed } from "#layers/generator/bymodel/Typed.ts"
import { type CitedClaim, unsupported, unverified, verifiesLead } from "#layers/generator/bymodel/Verification.ts"
import type { Evidence } from "#layers/generator/checker/Check.ts"
import type { Book, BookPersona } from "#layers/generator/playbook/Book.ts"
import { fill, senderOf } from "#layers/generator/playbook/Fill.ts"
import { variablesOf } from "#layers/generator/playbook/Variables.ts"
import { type PlaybookEmail, writeFromPlaybook } from "#layers/generator/playbook/Write.ts"
import { route } from "#layers/generator/routing/Route.ts"
import type { Judgement, Material, Model, PromptRequest } from "#layers/Model.ts"
import type { Finding } from "#schema/Findings.ts"

/** A lead with the emails to start from. */
interface Task {
  readonly brief: Brief
  readonly book: Book
  readonly persona: BookPersona
  readonly rendered: ReadonlyArray<PlaybookEmail>
  readonly evidence: Evidence
}

const rulesFailed = (message: string, findings: ReadonlyArray<Finding>) =>
  new GenerationFailed({ message, transient: false, failure: { reason: "rules", findings } })

const noEmail = (message: string): Finding => ({
  rule: "template.value",
  severity: "fail",
  place: "body",
  start: null,
  end: null,
  message,
  suggestion: null
})

const taskOf = (brief: Brief): Result.Result<Task, GenerationFailed> => {
  const { additional_details, campaign, email_count, facts, lead, seed } = brief
  const book = brief.playbook
  const written = writeFromPlaybook({ book, lead, sender: senderOf(campaign.profile), email_count, seed, route })
  if (Result.isFailure(written)) {
    const { message } = written.failure
    return Result.fail(rulesFailed(message, [noEmail(message)]))
  }
  const { emails, persona_id } = written.success
  const persona = book.personas.find(({ id }) => id === persona_id)
  if (persona === undefined) return Result.fail(rulesFailed("The playbook has no persona for this lead", []))
  const chosen = [campaign.value_proposition, campaign.social_proof, campaign.lead_magnet, campaign.risk_reversal]
  const remarks = [additional_details, ...chosen.map((choice) => choice?.additional_details ?? null)]
  const evidence: Evidence = {
    campaign,
    lead,
    message: persona.message,
    never_say: book.never_say,
    remarks: remarks.filter((remark) => remark !== null).join("\n") || null,
    facts,
    signature: null,
    email_count
  }
  return Result.succeed({ brief, book, persona, rendered: emails, evidence })
}

/** The part that all prompts of a persona share, so that it is cleaned once and cached by the provider. */
const latest = new WeakMap<BookPersona, { readonly campaign: Campaign; readonly shared: Material }>()

const sharedOf = ({ brief: { campaign }, persona }: Task, sources: ReadonlyArray<NumberedSource>): Material => {
  const before = latest.get(persona)
  if (before?.campaign === campaign) return before.shared
  const own = messageSources(persona.message, campaignSources(campaign))
  const shared = {
    sender: senderLines(campaign),
    sources: sourceLines(sources),
    kind_of_reader: [
      ...(persona.kind === "everyone_else"
        ? ["anybody: claim nothing about a role that the job title does not say"]
        : [`group: ${persona.name}`, `titles: ${persona.titles.join(", ")}`]),
      ...own.map(lineOf)
    ]
  }
  latest.set(persona, { campaign, shared })
  return shared
}

const asText = ({ body, step, subject }: PlaybookEmail) => `--- Email ${step}\nSubject: ${subject}\n\n${body}`

const promptFor = (task: Task) => {
  const { book, brief, persona, rendered } = task
  const { additional_details, approved_ctas, campaign, facts, lead } = brief
  const ofCampaign = campaignSources(campaign)
  const ofMessage = messageSources(persona.message, ofCampaign)
  const ofLead = leadSources(lead, facts, [...ofCampaign, ...ofMessage])
  const remark = remarkSource(additional_details)
  const shared = sharedOf(task, ofCampaign)
  const { company, first_name, title } = variablesOf(lead, senderOf(campaign.profile))
  const reader = [
    ...(first_name === undefined ? [] : [`first name: ${first_name}`]),
    title === undefined ? "job title: not known" : `job title: ${title}`,
    company === undefined ? "company: not known" : `company: ${company}`,
    ...ofLead.map(lineOf)
  ]
  const count = rendered.length
  const emails = count === 1 ? "this email" : `these ${count} emails`
  const order: PromptRequest<Answer> = {
    prompt: adaptedEmails,
    trusted: wishes(
      [
        `Emails: ${count}${count === 1 ? "" : `. Email 1 opens and email ${count} closes`}.`,
        ...askLines(approved_ctas, givesSomething(campaign)),
        ...neverLine(book.never_say)
      ],
      [...ofCampaign, ...remark]
    ),
    shared,
    own: { reader, approved_emails: rendered.map(asText) },
    request: `Adapt ${emails} to this reader.`
  }
  return { order, sources: [...ofCampaign, ...ofMessage, ...remark, ...ofLead] }
}

/** The email as lists and exports show it. */
const judgedOf = (
  { body, subject }: CitingEmail,
  { claims, findings }: Reviewed,
  persona: BookPersona,
  template: PlaybookEmail | undefined
): Judged => ({
  subject,
  body,
  score: null,
  findings,
  claims,
  template_id: template?.template_id ?? null,
  persona_id: persona.id
})

const judgedAll = ({ persona, rendered }: Task, emails: ReadonlyArray<CitingEmail>, reviews: ReadonlyArray<Reviewed>) =>
  emails.flatMap((email, at) => {
    const review = reviews[at]
    return review === undefined ? [] : [judgedOf(email, review, persona, rendered[at])]
  })

/** Names the rules only, because findings quote the email and errors may be logged. */
const brokenRules = (findings: ReadonlyArray<Finding>) => [...new Set(findings.map(({ rule }) => rule))].join(", ")

const counted = (count: number) => (count === 1 ? "1 email" : `${count} emails`)

/** Judges a model's emails, by rules and then by the verifier. */
const judge = (model: Model, task: Task, sources: ReadonlyArray<NumberedSource>) => {
  const { brief, evidence, rendered } = task
  const given = rendered.map(({ body }) => body)
  const review = (emails: ReadonlyArray<CitingEmail>) => reviewed(emails, sources, evidence, given)

  const verified = Effect.fnUntraced(function* (emails: ReadonlyArray<CitingEmail>, reviews: ReadonlyArray<Reviewed>) {
    const claims = reviews.flatMap(({ cited }, email) => cited.map((claim): CitedClaim => ({ ...claim, email })))
    const found = yield* unsupported(model, claims)
    if (found.length === 0) return accepted(judgedAll(task, emails, reviews))
    const trimmed = emails.map((email, at) => ({
      ...email,
      body: found
        .filter((claim) => claim.email === at)
        .reduce((text, { sentence }) => without(text, sentence), email.body)
    }))
    const again = review(trimmed)
    const stays = found.some(({ email, sentence }) => trimmed[email]?.body.includes(sentence) === true)
    const usable = !stays && failing(again).length === 0
    return {
      value: usable ? judgedAll(task, trimmed, again) : undefined,
      worth: -found.length,
      passes: usable ? 1 : 2,
      faults: found.map(
        ({ email, sentence, source }) =>
          `Email ${email + 1}: the source ${JSON.stringify(source)} does not support ${JSON.stringify(sentence)}. Say only what it says, or leave the sentence out.`
      ),
      error: "A claim in the model's emails is not supported by its source",
      findings: found.map(({ email, sentence }) => claimFinding(emails[email]?.body ?? "", sentence))
    } satisfies Judgement<ReadonlyArray<Judged>>
  })

  return ({
    emails: answered
  }: Answer): Judgement<ReadonlyArray<Judged>> | Effect.Effect<Judgement<ReadonlyArray<Judged>>, GenerationFailed> => {
    const emails = answered.map(({ body, facts, subject }, at) => ({
      step: at + 1,
      subject: line(typed(subject), 300),
      body: typed(body),
      facts
    }))
    if (emails.length !== rendered.length) {
      const error = `The model wrote ${counted(emails.length)} where ${rendered.length} were asked for`
      const faults = [`Write ${counted(rendered.length)}, not ${emails.length}.`]
      return { value: undefined, worth: 0, passes: 2, faults, error }
    }
    const reviews = review(emails)
    const fails = failing(reviews)
    if (fails.length > 0) {
      return {
        value: undefined,
        worth: 0,
        passes: 2,
        faults: emails.flatMap((email, at) =>
          reviews.slice(at, at + 1).flatMap((one) => faultsOf(`Email ${at + 1}`, email, one))
        ),
        error: `The model's emails still fail the checks (${brokenRules(fails)})`,
        findings: fails
      }
    }
    if (!verifiesLead(model, brief.seed)) return accepted(judgedAll(task, emails, reviews))
    return verified(emails, reviews).pipe(
      Effect.catchTag("GenerationFailed", (error) => {
        // An unavailable verifier stops the list, as an unavailable writer does; an unusable verdict is noted on the email.
        if (error.transient) return Effect.fail(error)
        const marked = reviews.map((one) => ({ ...one, findings: [...one.findings, unverified] }))
        return Effect.succeed(accepted(judgedAll(task, emails, marked)))
      })
    )
  }
}

const accepted = (value: ReadonlyArray<Judged>): Judgement<ReadonlyArray<Judged>> => ({
  value,
  worth: 0,
  passes: 0,
  faults: [],
  error: ""
})

const claimFinding = (body: string, sentence: string): Finding => {
  const start = body.indexOf(sentence)
  return {
    rule: "claim.source",
    severity: "fail",
    place: "body",
    start: start < 0 ? null : start,
    end: start < 0 ? null : start + sentence.length,
    message: "The source that this sentence cites does not support it.",
    suggestion: null
  }
}

export const sequence = (model: Model, brief: Brief): Effect.Effect<ReadonlyArray<Judged>, GenerationFailed> =>
  Effect.suspend(() => {
    if (brief.playbook.personalization === "template") return fill(brief)
    const task = taskOf(brief)
    if (Result.isFailure(task)) return Effect.fail(task.failure)
    const { order, sources } = promptFor(task.success)
    const discreet = hidingContacts(model, brief.lead)
    return discreet.write(order, judge(discreet, task.success, sources))
  })
