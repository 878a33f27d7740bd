// layers/generator/bymodel/AdaptedEmails.ts: writes to one lead: fills a persona's templates, or has the model adapt
// them.
import { Effect, Result } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Brief, Campaign, JudgedEmail, Rewrite } from "#layers/generator/Brief.ts"
import {
  type CitingEmail,
  failingFindings,
  describeFaults,
  reviewEmails,
  type ReviewedEmail,
  removeSentence
} from "#layers/generator/bymodel/Citations.ts"
import { hideContacts } from "#layers/generator/bymodel/HideContacts.ts"
import {
  askLines,
  hasOffer,
  forbiddenLines,
  senderLines,
  sourceLines,
  remarksBlock
} from "#layers/generator/bymodel/PromptLines.ts"
import { adaptedEmails, type Answer } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import {
  promptSources,
  leadSources,
  sourceLine,
  messageSources,
  type NumberedSource,
  remarkSource
} from "#layers/generator/bymodel/SourceList.ts"
import { cleanLine, cleanEmail } from "#layers/generator/bymodel/CleanText.ts"
import {
  type CitedClaim,
  findUnsupported,
  unverifiedFinding,
  verifiesLead
} from "#layers/generator/bymodel/Verification.ts"
import type { Evidence } from "#layers/generator/checker/Check.ts"
import type { PlaybookSnapshot, PersonaSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { fillSequence, senderVariables } from "#layers/generator/playbook/FillSequence.ts"
import { templateVariables } from "#layers/generator/playbook/TemplateVariables.ts"
import { type PlaybookEmail, writeFromPlaybook } from "#layers/generator/playbook/PlaybookSequence.ts"
import { routePersona } from "#layers/generator/routing/RoutePersona.ts"
import type { Judgement, PromptData, Model, PromptRequest } from "#layers/Model.ts"
import type { Finding } from "#schema/Findings.ts"

/** A lead, its persona, and the emails that the model adapts. */
interface AdaptationTask {
  readonly brief: Brief
  readonly playbook: PlaybookSnapshot
  readonly persona: PersonaSnapshot
  readonly baseEmails: ReadonlyArray<PlaybookEmail>
  readonly evidence: Evidence
}

const createFailure = (message: string, findings: ReadonlyArray<Finding>) =>
  new GenerationFailed({ message, transient: false, failure: { reason: "rules", findings } })

const missingEmailFinding = (message: string): Finding => ({
  rule: "template.value",
  severity: "fail",
  place: "body",
  start: null,
  end: null,
  message,
  suggestion: null
})

const buildTask = (brief: Brief): Result.Result<AdaptationTask, GenerationFailed> => {
  const { additional_details, campaign, email_count, facts, lead, seed } = brief
  const playbook = brief.playbook
  const result = writeFromPlaybook({
    playbook,
    lead,
    sender: senderVariables(campaign.profile),
    email_count,
    seed,
    route: routePersona
  })
  if (Result.isFailure(result)) {
    const { message } = result.failure
    return Result.fail(createFailure(message, [missingEmailFinding(message)]))
  }
  const { emails, persona_id } = result.success
  const persona = playbook.personas.find(({ id }) => id === persona_id)
  const rewrite = brief.rewrite
  // A person's text is what the writer starts from, and a text of the writer is replaced by one from the same template.
  const baseEmails = emails.flatMap((email) => {
    const current = rewrite?.current.find(({ step }) => step === email.step)
    if (typeof rewrite?.step === "number" && rewrite.step !== email.step) return []
    return [current?.edited === true ? { ...email, subject: current.subject, body: current.body } : email]
  })
  if (persona === undefined) return Result.fail(createFailure("The playbook has no persona for this lead", []))
  const choices = [campaign.value_proposition, campaign.social_proof, campaign.lead_magnet, campaign.risk_reversal]
  const remarks = [additional_details, ...choices.map((choice) => choice?.additional_details ?? null)]
  const evidence: Evidence = {
    campaign,
    lead,
    message: persona.message,
    never_say: playbook.never_say,
    remarks: remarks.filter((remark) => remark !== null).join("\n") || null,
    facts,
    signature: null,
    email_count
  }
  return Result.succeed({ brief, playbook, persona, baseEmails, evidence })
}

/** The part that all prompts of a persona share, so that it is cleaned once and cached by the provider. */
const sharedPromptCache = new WeakMap<PersonaSnapshot, { readonly campaign: Campaign; readonly shared: PromptData }>()

const sharedPrompt = (
  { brief: { campaign }, persona }: AdaptationTask,
  sources: ReadonlyArray<NumberedSource>
): PromptData => {
  const cached = sharedPromptCache.get(persona)
  if (cached?.campaign === campaign) return cached.shared
  const personaSources = messageSources(persona.message, promptSources(campaign))
  const shared = {
    sender: senderLines(campaign),
    sources: sourceLines(sources),
    kind_of_reader: [
      ...(persona.kind === "everyone_else"
        ? ["anybody: claim nothing about a role that the job title does not say"]
        : [`group: ${persona.name}`, `titles: ${persona.titles.join(", ")}`]),
      ...personaSources.map(sourceLine)
    ]
  }
  sharedPromptCache.set(persona, { campaign, shared })
  return shared
}

const renderEmail = ({ body, step, subject }: PlaybookEmail) => `--- Email ${step}\nSubject: ${subject}\n\n${body}`

const buildPrompt = (task: AdaptationTask) => {
  const { playbook, brief, persona, baseEmails } = task
  const { additional_details, approved_ctas, campaign, facts, lead } = brief
  const campaignSources = promptSources(campaign)
  const personaSources = messageSources(persona.message, campaignSources)
  const readerSources = leadSources(lead, facts, [...campaignSources, ...personaSources])
  const remark = remarkSource(additional_details)
  const shared = sharedPrompt(task, campaignSources)
  const { company, first_name, title } = templateVariables(lead, senderVariables(campaign.profile))
  const reader = [
    ...(first_name === undefined ? [] : [`first name: ${first_name}`]),
    title === undefined ? "job title: not known" : `job title: ${title}`,
    company === undefined ? "company: not known" : `company: ${company}`,
    ...readerSources.map(sourceLine)
  ]
  const count = baseEmails.length
  const emails = count === 1 ? "this email" : `these ${count} emails`
  const rewriteParts = rewriteInstructions(task)
  const promptRequest: PromptRequest<Answer> = {
    prompt: adaptedEmails,
    trusted: remarksBlock(
      [
        `Emails: ${count}${count === 1 ? "" : `. Email 1 opens and email ${count} closes`}.`,
        ...askLines(approved_ctas, hasOffer(campaign)),
        ...forbiddenLines(playbook.never_say),
        ...rewriteParts.lines
      ],
      [...campaignSources, ...remark]
    ),
    sharedData: shared,
    requestData: { reader, approved_emails: baseEmails.map(renderEmail), ...rewriteParts.own },
    request: `Adapt ${emails} to this reader.`
  }
  return { promptRequest, sources: [...campaignSources, ...personaSources, ...remark, ...readerSources] }
}

/** The instructions of a rewrite, and the texts that it must differ from. */
const rewriteInstructions = ({ brief, baseEmails }: AdaptationTask) => {
  const { email_count, rewrite } = brief
  if (rewrite === undefined) return { lines: [], own: {} }
  const rewrittenSteps = new Set(baseEmails.map(({ step }) => step))
  const text = (email: Rewrite["current"][number]) =>
    `--- Email ${email.step}\nSubject: ${email.subject}\n\n${email.body}`
  const otherEmails = rewrite.current.filter(({ step }) => !rewrittenSteps.has(step))
  const instruction = rewrite.instruction?.trim() ?? ""
  return {
    lines: [
      ...(rewrite.step === null ? [] : [`It is email ${rewrite.step} of ${email_count}. The others stay as they are.`]),
      ...(instruction === "" ? ["Write it differently from the current text."] : [`For this rewrite: ${instruction}`])
    ],
    own: {
      current_text: rewrite.current.filter(({ step }) => rewrittenSteps.has(step)).map(text),
      ...(otherEmails.length > 0 && { other_emails: otherEmails.map(text) })
    }
  }
}

/** The email as lists and exports show it. */
const judgeEmail = (
  { body, subject }: CitingEmail,
  { claims, findings }: ReviewedEmail,
  persona: PersonaSnapshot,
  template: PlaybookEmail | undefined
): JudgedEmail => ({
  subject,
  body,
  score: null,
  findings,
  claims,
  template_id: template?.template_id ?? null,
  persona_id: persona.id
})

const judgeEmails = (
  { persona, baseEmails }: AdaptationTask,
  emails: ReadonlyArray<CitingEmail>,
  reviews: ReadonlyArray<ReviewedEmail>
) =>
  emails.flatMap((email, index) => {
    const review = reviews[index]
    return review === undefined ? [] : [judgeEmail(email, review, persona, baseEmails[index])]
  })

/** Names the rules only, because findings quote the email and errors may be logged. */
const brokenRules = (findings: ReadonlyArray<Finding>) => [...new Set(findings.map(({ rule }) => rule))].join(", ")

const formatEmailCount = (count: number) => (count === 1 ? "1 email" : `${count} emails`)

/** Judges a model's emails, by rules and then by the verifier. */
const judgeAnswer = (model: Model, task: AdaptationTask, sources: ReadonlyArray<NumberedSource>) => {
  const { brief, evidence, baseEmails } = task
  const templateBodies = baseEmails.map(({ body }) => body)
  const { approved_ctas, rewrite } = brief
  // The links of the current text passed these checks, or a person wrote them.
  const currentTexts = (rewrite?.current ?? []).flatMap(({ body, subject }) => [subject, body])
  const userTexts = [
    ...baseEmails.map(({ subject }) => subject),
    ...approved_ctas,
    rewrite?.instruction ?? "",
    ...currentTexts
  ]
  const review = (emails: ReadonlyArray<CitingEmail>) =>
    reviewEmails(emails, sources, evidence, { emailTexts: templateBodies, otherTexts: userTexts })

  const verifyClaims = Effect.fnUntraced(function* (
    emails: ReadonlyArray<CitingEmail>,
    reviews: ReadonlyArray<ReviewedEmail>
  ) {
    const claims = reviews.flatMap(({ cited }, email) => cited.map((claim): CitedClaim => ({ ...claim, email })))
    const unsupported = yield* findUnsupported(model, claims)
    if (unsupported.length === 0) return acceptedJudgement(judgeEmails(task, emails, reviews))
    const correctedEmails = emails.map((email, index) => ({
      ...email,
      body: unsupported
        .filter((claim) => claim.email === index)
        .reduce((text, { sentence }) => removeSentence(text, sentence), email.body)
    }))
    const correctedReviews = review(correctedEmails)
    const hasUnsupported = unsupported.some(
      ({ email, sentence }) => correctedEmails[email]?.body.includes(sentence) === true
    )
    const isUsable = !hasUnsupported && failingFindings(correctedReviews).length === 0
    return {
      value: isUsable ? judgeEmails(task, correctedEmails, correctedReviews) : undefined,
      worth: -unsupported.length,
      passes: isUsable ? 1 : 2,
      faults: unsupported.map(
        ({ email, sentence, source }) =>
          `Email ${email + 1}: the source ${JSON.stringify(source)} does not support ${JSON.stringify(sentence)}. Say only what it says, or leave the sentence out.`
      ),
      error: "A claim in the model's emails is not supported by its source",
      findings: unsupported.map(({ email, sentence }) => claimFinding(emails[email]?.body ?? "", sentence))
    } satisfies Judgement<ReadonlyArray<JudgedEmail>>
  })

  return ({
    emails: answerEmails
  }: Answer):
    | Judgement<ReadonlyArray<JudgedEmail>>
    | Effect.Effect<Judgement<ReadonlyArray<JudgedEmail>>, GenerationFailed> => {
    const emails = answerEmails.map(({ body, facts, subject }, index) => ({
      step: baseEmails[index]?.step ?? index + 1,
      subject: cleanLine(cleanEmail(subject), 300),
      body: cleanEmail(body),
      facts
    }))
    if (emails.length !== baseEmails.length) {
      const error = `The model wrote ${formatEmailCount(emails.length)} where ${baseEmails.length} were asked for`
      const faults = [`Write ${formatEmailCount(baseEmails.length)}, not ${emails.length}.`]
      return { value: undefined, worth: 0, passes: 2, faults, error }
    }
    const reviews = review(emails)
    const failures = failingFindings(reviews)
    if (failures.length > 0) {
      return {
        value: undefined,
        worth: 0,
        passes: 2,
        faults: emails.flatMap((email, index) =>
          reviews.slice(index, index + 1).flatMap((reviewed) => describeFaults(`Email ${index + 1}`, email, reviewed))
        ),
        error: `The model's emails still fail the checks (${brokenRules(failures)})`,
        findings: failures
      }
    }
    if (!verifiesLead(model, brief.seed)) return acceptedJudgement(judgeEmails(task, emails, reviews))
    return verifyClaims(emails, reviews).pipe(
      Effect.catchTag("GenerationFailed", (error) => {
        // An unavailable verifier stops the list, as an unavailable writer does; an unusable verdict is noted on the email.
        if (error.transient) return Effect.fail(error)
        const markedReviews = reviews.map((reviewed) => ({
          ...reviewed,
          findings: [...reviewed.findings, unverifiedFinding]
        }))
        return Effect.succeed(acceptedJudgement(judgeEmails(task, emails, markedReviews)))
      })
    )
  }
}

const acceptedJudgement = (value: ReadonlyArray<JudgedEmail>): Judgement<ReadonlyArray<JudgedEmail>> => ({
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

export const writeSequence = (
  model: Model,
  brief: Brief
): Effect.Effect<ReadonlyArray<JudgedEmail>, GenerationFailed> =>
  Effect.suspend(() => {
    const fillsTemplates = brief.rewrite === undefined && brief.playbook.personalization === "template"
    if (fillsTemplates || brief.choose !== undefined) return fillSequence(brief)
    const task = buildTask(brief)
    if (Result.isFailure(task)) return Effect.fail(task.failure)
    const { promptRequest, sources } = buildPrompt(task.success)
    const maskedModel = hideContacts(model, brief.lead)
    const mark = { model: model.name, prompt_version: promptRequest.prompt.version }
    return Effect.map(maskedModel.write(promptRequest, judgeAnswer(maskedModel, task.success, sources)), (emails) =>
      emails.map((email) => ({ ...email, mark }))
    )
  })
