// layers/generator/bymodel/PersonaEmails.ts: drafts a persona's message and templates with the model, and keeps what
// passes.
import { Effect, Option } from "effect"
import type { Campaign } from "#layers/generator/Brief.ts"
import { describeFaults, failingFindings, removeSentence, reviewEmails } from "#layers/generator/bymodel/Citations.ts"
import { forbiddenLines, remarksBlock, senderLines, sourceLines } from "#layers/generator/bymodel/PromptLines.ts"
import { type Answer, personaEmails } from "#layers/generator/bymodel/prompts/PersonaEmails.ts"
import { messageSources, type NumberedSource, promptSources, sourceLine } from "#layers/generator/bymodel/SourceList.ts"
import { cleanLine, cleanEmail } from "#layers/generator/bymodel/CleanText.ts"
import {
  type CitedClaim,
  findUnsupported,
  unverifiedFinding,
  verifiesTemplates
} from "#layers/generator/bymodel/Verification.ts"
import { type Evidence, noEvidence } from "#layers/generator/checker/Check.ts"
import { exampleReader } from "#layers/generator/checker/SavedTemplates.ts"
import type { DraftedPersona, DraftedTemplate } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { plainText, templateProblems } from "#layers/generator/playbook/LiquidTemplate.ts"
import type { Judgement, Model } from "#layers/Model.ts"
import { makeSourceFacts, type SourceFacts, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { type Message, type MessagePart, messageParts } from "#schema/Playbook.ts"

type ModelTemplate = Answer["templates"][number]

/** The emails that a draft must have; the second variant of step 1 is optional. */
const requiredSlots = [
  { step: 1, variant: 1 },
  { step: 2, variant: 1 },
  { step: 3, variant: 1 },
  { step: 4, variant: 1 }
]

const slotName = ({ step, variant }: Pick<ModelTemplate, "step" | "variant">) =>
  step === 1 ? `Step 1, variant ${variant}` : `Step ${step}`

/** The persona as the model sees it: its titles and its current message. */
const personaLines = (base: DraftedPersona, sources: ReadonlyArray<NumberedSource>): ReadonlyArray<string> => {
  const messageSourceByPart = new Map(messageSources(base.message, sources).map((source) => [source.at, source]))
  return [
    `name: ${cleanLine(base.name)}`,
    ...(base.titles.length === 0 ? [] : [`titles: ${base.titles.map((title) => cleanLine(title)).join(", ")}`]),
    ...messageParts.flatMap((part) => {
      const text = base.message[part]
      const source = messageSourceByPart.get(`message.${part}`)
      if (source !== undefined) return [sourceLine(source)]
      return text === null ? [] : [`message, ${part.replaceAll("_", " ")}: ${cleanLine(text, 1200)}`]
    })
  ]
}

/** The model's version of a part, or the current one if the model adds nothing. */
const mergeMessage = (base: Message, answer: Answer["message"], material: SourceFacts): Message => {
  const part = (name: MessagePart): string | null => {
    const text = cleanLine(answer[name], 2000)
    return text === "" || unsupportedClaims(text, material).length > 0 ? base[name] : text
  }
  return {
    what_we_do: part("what_we_do"),
    problem: part("problem"),
    consequence: part("consequence"),
    proof: part("proof"),
    offer: part("offer"),
    question: part("question")
  }
}

const plainSentence = (sentence: string): string => plainText({ subject: "-", body: sentence }).body

interface ReviewedTemplate {
  readonly template: ModelTemplate
  readonly faults: ReadonlyArray<string>
  readonly claims: ReadonlyArray<Omit<CitedClaim, "email">>
}

/** Whether a template can be saved, and its claims, checked with an example for each variable. */
const reviewTemplate = (
  template: ModelTemplate,
  sources: ReadonlyArray<NumberedSource>,
  evidence: Evidence,
  instruction: string | null
): ReviewedTemplate => {
  const problems = templateProblems(template)
  if (problems.length > 0) {
    const faults = problems.map(({ field, message }) => `${slotName(template)}, ${field}: ${message}`)
    return { template, faults, claims: [] }
  }
  const email = {
    step: template.step,
    ...plainText(template),
    facts: template.facts.map(({ sentence, source }) => ({
      sentence: plainSentence(cleanEmail(sentence)),
      source
    }))
  }
  const [checked] = reviewEmails([email], sources, evidence, { otherTexts: [instruction ?? ""] })
  if (checked === undefined) return { template, faults: ["It cannot be checked."], claims: [] }
  return {
    template,
    faults: failingFindings([checked]).length === 0 ? [] : describeFaults(slotName(template), email, checked),
    claims: checked.cited
  }
}

/** The Liquid source without the sentences whose rendered text matches. */
const removeSentences = (template: ModelTemplate, sentences: ReadonlyArray<string>): ModelTemplate => ({
  ...template,
  body: sentences.reduce((body, sentence) => {
    const source = template.facts.find((fact) => plainSentence(cleanEmail(fact.sentence)) === sentence)?.sentence
    return removeSentence(body, source === undefined ? sentence : cleanEmail(source))
  }, template.body)
})

const toDraftedTemplate = ({ body, step, subject, variant }: ModelTemplate): DraftedTemplate => ({
  step,
  variant,
  subject,
  body
})

interface AssembledDraft {
  readonly persona: DraftedPersona
  readonly isComplete: boolean
}

/** The templates that pass; the others are replaced by drafts made without a model. */
const assembleDraft = (
  base: DraftedPersona,
  message: Message,
  passingTemplates: ReadonlyArray<DraftedTemplate>
): AssembledDraft => {
  const hasStep = ({ step }: { readonly step: number }) => passingTemplates.some((template) => template.step === step)
  const fallbackTemplates = base.templates.filter((template) => !hasStep(template))
  return {
    persona: {
      ...base,
      message,
      missing: base.missing.filter(({ part }) => message[part] === null),
      templates: [...passingTemplates, ...fallbackTemplates].toSorted(
        (a, b) => a.step - b.step || a.variant - b.variant
      )
    },
    isComplete: requiredSlots.every(hasStep)
  }
}

interface PersonaTask {
  readonly campaign: Campaign
  readonly base: DraftedPersona
  readonly instruction: string | null
  /** Phrases that no email may contain. */
  readonly forbidden?: ReadonlyArray<string> | undefined
  /** Whether a person has edited or approved the message. */
  readonly keepsMessage: boolean
}

const judgeTemplates = (
  model: Model,
  { base, campaign, instruction, keepsMessage }: PersonaTask,
  sources: ReadonlyArray<NumberedSource>
) => {
  const material = makeSourceFacts({ campaign, message: base.message })

  return Effect.fnUntraced(function* (answer: Answer) {
    const message = keepsMessage ? base.message : mergeMessage(base.message, answer.message, material)
    const evidence: Evidence = { ...noEvidence, campaign, message, lead: exampleReader, email_count: 4 }
    const templates = answer.templates
      .filter(({ step, variant }) => step >= 1 && step <= 4 && variant >= 1 && variant <= 3)
      .map((template) => ({
        ...template,
        subject: cleanLine(cleanEmail(template.subject), 300),
        body: cleanEmail(template.body)
      }))
    const distinctTemplates = [...new Map(templates.map((template) => [slotName(template), template])).values()]
    const reviews = distinctTemplates.map((template) => reviewTemplate(template, sources, evidence, instruction))
    const passingReviews = reviews.filter(({ faults }) => faults.length === 0)

    const claims = passingReviews.flatMap(({ claims }, email) =>
      claims.map((claim): CitedClaim => ({ ...claim, email }))
    )
    // If the verifier is unavailable, the draft is kept with a note, because a person reviews it.
    const verification = verifiesTemplates(model)
      ? yield* Effect.option(findUnsupported(model, claims))
      : Option.some([])
    const unsupportedCitations = Option.getOrElse(verification, () => [])
    const correctedTemplates = passingReviews.flatMap(({ template }, index) => {
      const unsupported = unsupportedCitations.filter(({ email }) => email === index).map(({ sentence }) => sentence)
      if (unsupported.length === 0) return [template]
      const correctedTemplate = removeSentences(template, unsupported)
      const hasUnsupported = unsupported.some((sentence) => plainText(correctedTemplate).body.includes(sentence))
      return hasUnsupported || reviewTemplate(correctedTemplate, sources, evidence, instruction).faults.length > 0
        ? []
        : [correctedTemplate]
    })
    const findings = Option.isNone(verification) ? { findings: [unverifiedFinding] } : {}
    const mark = { model: model.name, prompt_version: personaEmails.version }
    const usableTemplates = correctedTemplates.map((template) => ({
      ...toDraftedTemplate(template),
      ...findings,
      mark
    }))
    const { isComplete, persona } = assembleDraft(base, message, usableTemplates)
    const faults = [
      ...reviews.flatMap((review) => review.faults),
      ...requiredSlots.flatMap((slot) =>
        distinctTemplates.some(({ step }) => step === slot.step) ? [] : [`${slotName(slot)} is missing.`]
      ),
      ...unsupportedCitations.map(
        ({ email, sentence, source }) =>
          `${passingReviews.slice(email, email + 1).map(({ template }) => slotName(template))}: the source ${JSON.stringify(source)} does not support ${JSON.stringify(sentence)}. Say only what it says, or leave the sentence out.`
      )
    ]
    return {
      value: usableTemplates.length === 0 ? undefined : persona,
      worth: usableTemplates.length - unsupportedCitations.length / 10,
      passes: faults.length === 0 ? 0 : isComplete && unsupportedCitations.length > 0 ? 1 : 2,
      faults,
      error: "The model's templates do not pass the checks"
    } satisfies Judgement<DraftedPersona>
  })
}

/** The persona with the model's emails; those that fail the checks stay as drafted without a model. */
export const draftWithModel = (model: Model, task: PersonaTask) => {
  const { base, campaign, forbidden = [], instruction, keepsMessage } = task
  const campaignSources = promptSources(campaign)
  const sources = [...campaignSources, ...messageSources(base.message, campaignSources)]
  const promptRequest = {
    prompt: personaEmails,
    sharedData: { sender: senderLines(campaign), sources: sourceLines(campaignSources) },
    requestData: { group_of_readers: personaLines(base, campaignSources) },
    // The part that differs between personas comes last, so that the shared part can be cached.
    trusted: remarksBlock(
      [
        ...(keepsMessage ? ["The message of this group is settled: return it as it is."] : []),
        ...(instruction === null || instruction.trim() === "" ? [] : [`For this draft: ${instruction.trim()}`]),
        ...forbiddenLines(forbidden)
      ],
      campaignSources
    ),
    request: `Write the message and the five emails for ${
      base.kind === "everyone_else" ? 'the group "Everyone else"' : "this group of readers"
    }.`
  }
  return model
    .write(promptRequest, judgeTemplates(model, task, sources))
    .pipe(Effect.catchTag("GenerationFailed", (error) => (error.transient ? Effect.fail(error) : Effect.succeed(base))))
}
