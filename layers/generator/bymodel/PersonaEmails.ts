// layers/generator/bymodel/PersonaEmails.ts: drafts a persona's message and templates with the model, and keeps what
// passes.
import { Effect, Option } from "effect"
import type { Campaign } from "#layers/generator/Brief.ts"
import { failing, faultsOf, reviewed, without } from "#layers/generator/bymodel/Citations.ts"
import { neverLine, senderLines, sourceLines, wishes } from "#layers/generator/bymodel/Context.ts"
import { type Answer, personaEmails } from "#layers/generator/bymodel/prompts/PersonaEmails.ts"
import { campaignSources, lineOf, messageSources, type NumberedSource } from "#layers/generator/bymodel/SourceList.ts"
import { line, typed } from "#layers/generator/bymodel/Typed.ts"
import { type CitedClaim, unsupported, unverified, verifiesTemplates } from "#layers/generator/bymodel/Verification.ts"
import { type Evidence, noEvidence } from "#layers/generator/checker/Check.ts"
import { exampleReader } from "#layers/generator/checker/Templates.ts"
import type { DraftedPersona, DraftedTemplate } from "#layers/generator/playbook/Book.ts"
import { plainText, problemsOf } from "#layers/generator/playbook/Template.ts"
import type { Judgement, Model } from "#layers/Model.ts"
import { known, type SourceFacts, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { type Message, type MessagePart, messageParts } from "#schema/Playbook.ts"

type Written = Answer["templates"][number]

/** The emails that a draft must have; the second variant of step 1 is optional. */
const slots = [
  { step: 1, variant: 1 },
  { step: 2, variant: 1 },
  { step: 3, variant: 1 },
  { step: 4, variant: 1 }
]

const nameOf = ({ step, variant }: Pick<Written, "step" | "variant">) =>
  step === 1 ? `Step 1, variant ${variant}` : `Step ${step}`

/** The persona as the model sees it: its titles and its current message. */
const groupLines = (base: DraftedPersona, sources: ReadonlyArray<NumberedSource>): ReadonlyArray<string> => {
  const own = new Map(messageSources(base.message, sources).map((source) => [source.at, source]))
  return [
    `name: ${line(base.name)}`,
    ...(base.titles.length === 0 ? [] : [`titles: ${base.titles.map((title) => line(title)).join(", ")}`]),
    ...messageParts.flatMap((part) => {
      const text = base.message[part]
      const source = own.get(`message.${part}`)
      if (source !== undefined) return [lineOf(source)]
      return text === null ? [] : [`message, ${part.replaceAll("_", " ")}: ${line(text, 1200)}`]
    })
  ]
}

/** The model's version of a part, or the current one if the model adds nothing. */
const messageOf = (base: Message, answered: Answer["message"], material: SourceFacts): Message => {
  const part = (name: MessagePart): string | null => {
    const text = line(answered[name], 2000)
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

interface Reviewed {
  readonly template: Written
  readonly faults: ReadonlyArray<string>
  readonly claims: ReadonlyArray<Omit<CitedClaim, "email">>
}

/** Whether a template can be saved, and its claims, checked with an example for each variable. */
const review = (template: Written, sources: ReadonlyArray<NumberedSource>, evidence: Evidence): Reviewed => {
  const problems = problemsOf(template)
  if (problems.length > 0) {
    const faults = problems.map(({ field, message }) => `${nameOf(template)}, ${field}: ${message}`)
    return { template, faults, claims: [] }
  }
  const email = {
    step: template.step,
    ...plainText(template),
    facts: template.facts.map(({ sentence, source }) => ({ sentence: plainSentence(typed(sentence)), source }))
  }
  const [checked] = reviewed([email], sources, evidence)
  if (checked === undefined) return { template, faults: ["It cannot be checked."], claims: [] }
  return {
    template,
    faults: failing([checked]).length === 0 ? [] : faultsOf(nameOf(template), email, checked),
    claims: checked.cited
  }
}

/** The Liquid source without the sentences whose rendered text matches. */
const trimmed = (template: Written, sentences: ReadonlyArray<string>): Written => ({
  ...template,
  body: sentences.reduce((body, sentence) => {
    const source = template.facts.find((fact) => plainSentence(typed(fact.sentence)) === sentence)?.sentence
    return without(body, source === undefined ? sentence : typed(source))
  }, template.body)
})

const saved = ({ body, step, subject, variant }: Written): DraftedTemplate => ({ step, variant, subject, body })

interface Draft {
  readonly persona: DraftedPersona
  readonly complete: boolean
}

/** The templates that pass; the others are replaced by drafts made without a model. */
const assembled = (base: DraftedPersona, message: Message, good: ReadonlyArray<DraftedTemplate>): Draft => {
  const has = ({ step }: { readonly step: number }) => good.some((template) => template.step === step)
  const others = base.templates.filter((template) => !has(template))
  return {
    persona: {
      ...base,
      message,
      missing: base.missing.filter(({ part }) => message[part] === null),
      templates: [...good, ...others].toSorted((a, b) => a.step - b.step || a.variant - b.variant)
    },
    complete: slots.every(has)
  }
}

interface Task {
  readonly campaign: Campaign
  readonly base: DraftedPersona
  readonly instruction: string | null
  /** Phrases that no email may contain. */
  readonly forbidden?: ReadonlyArray<string> | undefined
  /** Whether a person has edited or approved the message. */
  readonly keepsMessage: boolean
}

const judge = (model: Model, { base, campaign, keepsMessage }: Task, sources: ReadonlyArray<NumberedSource>) => {
  const material = known({ campaign, message: base.message })

  return Effect.fnUntraced(function* (answer: Answer) {
    const message = keepsMessage ? base.message : messageOf(base.message, answer.message, material)
    const evidence: Evidence = { ...noEvidence, campaign, message, lead: exampleReader, email_count: 4 }
    const templates = answer.templates
      .filter(({ step, variant }) => step >= 1 && step <= 4 && variant >= 1 && variant <= 3)
      .map((one) => ({ ...one, subject: line(typed(one.subject), 300), body: typed(one.body) }))
    const distinct = [...new Map(templates.map((one) => [nameOf(one), one])).values()]
    const reviews = distinct.map((one) => review(one, sources, evidence))
    const passing = reviews.filter(({ faults }) => faults.length === 0)

    const claims = passing.flatMap(({ claims }, email) => claims.map((claim): CitedClaim => ({ ...claim, email })))
    // If the verifier is unavailable, the draft is kept with a note, because a person reviews it.
    const verified = verifiesTemplates(model) ? yield* Effect.option(unsupported(model, claims)) : Option.some([])
    const found = Option.getOrElse(verified, () => [])
    const mended = passing.flatMap(({ template }, at) => {
      const untrue = found.filter(({ email }) => email === at).map(({ sentence }) => sentence)
      if (untrue.length === 0) return [template]
      const without = trimmed(template, untrue)
      const stays = untrue.some((sentence) => plainText(without).body.includes(sentence))
      return stays || review(without, sources, evidence).faults.length > 0 ? [] : [without]
    })
    const findings = Option.isNone(verified) ? { findings: [unverified] } : {}
    const good = mended.map((template) => ({ ...saved(template), ...findings }))
    const { complete, persona } = assembled(base, message, good)
    const faults = [
      ...reviews.flatMap((one) => one.faults),
      ...slots.flatMap((slot) =>
        distinct.some(({ step }) => step === slot.step) ? [] : [`${nameOf(slot)} is missing.`]
      ),
      ...found.map(
        ({ email, sentence, source }) =>
          `${passing.slice(email, email + 1).map(({ template }) => nameOf(template))}: the source ${JSON.stringify(source)} does not support ${JSON.stringify(sentence)}. Say only what it says, or leave the sentence out.`
      )
    ]
    return {
      value: good.length === 0 ? undefined : persona,
      worth: good.length - found.length / 10,
      passes: faults.length === 0 ? 0 : complete && found.length > 0 ? 1 : 2,
      faults,
      error: "The model's templates do not pass the checks"
    } satisfies Judgement<DraftedPersona>
  })
}

/** The persona with the model's emails; those that fail the checks stay as drafted without a model. */
export const draftedBy = (model: Model, task: Task) => {
  const { base, campaign, forbidden = [], instruction, keepsMessage } = task
  const ofCampaign = campaignSources(campaign)
  const sources = [...ofCampaign, ...messageSources(base.message, ofCampaign)]
  const order = {
    prompt: personaEmails,
    shared: { sender: senderLines(campaign), sources: sourceLines(ofCampaign) },
    own: { group_of_readers: groupLines(base, ofCampaign) },
    // The part that differs between personas comes last, so that the shared part can be cached.
    trusted: wishes(
      [
        ...(keepsMessage ? ["The message of this group is settled: return it as it is."] : []),
        ...(instruction === null || instruction.trim() === "" ? [] : [`For this draft: ${instruction.trim()}`]),
        ...neverLine(forbidden)
      ],
      ofCampaign
    ),
    request: `Write the message and the five emails for ${
      base.kind === "everyone_else" ? 'the group "Everyone else"' : "this group of readers"
    }.`
  }
  return model
    .write(order, judge(model, task, sources))
    .pipe(Effect.catchTag("GenerationFailed", (error) => (error.transient ? Effect.fail(error) : Effect.succeed(base))))
}
