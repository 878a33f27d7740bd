// layers/generator/playbook/PlaybookSequence.ts: writes a lead's sequence from the templates of a playbook, of each step the variant that
// is nearest to the lead's title, company and columns.
import { Result } from "effect"
import { memoize } from "effect/Function"
import { stemmer } from "stemmer"
import type { ChooseTemplate } from "#layers/generator/Brief.ts"
import {
  countStemsIn,
  departmentWordCount,
  specificTitleWords
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import { rightPersonQuestion } from "#layers/generator/playbook/Frames.ts"
import type {
  PlaybookSnapshot,
  PersonaSnapshot,
  TemplateSnapshot,
  TextOrigin
} from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { render } from "#layers/generator/playbook/LiquidTemplate.ts"
import { type Sender, type Variables, templateVariables } from "#layers/generator/playbook/TemplateVariables.ts"
import type { Department, Seniority } from "#layers/generator/routing/Departments.ts"
import { hash } from "#layers/text/Hash.ts"
import { isStopWord, normalizeWord, wordTokens } from "#layers/text/Words.ts"
import type { Lead } from "#schema/Lead.ts"
import { sequenceSteps } from "#schema/Playbook.ts"

/** Chooses the persona for a job title. */
export type RouteTitle = (
  title: string | null | undefined,
  personas: ReadonlyArray<PersonaSnapshot>
) => {
  readonly persona_id: string
  readonly department: Department | null
  readonly seniority: Seniority | null
  readonly reasons: ReadonlyArray<string>
}

export interface PlaybookEmail {
  /** 1 to the number of emails. */
  readonly step: number
  readonly template_id: string
  readonly variant: number
  readonly subject: string
  readonly body: string
  /** The origin of the template's text. */
  readonly mark?: TextOrigin
}

export interface PlaybookSequence {
  readonly persona_id: string
  readonly emails: ReadonlyArray<PlaybookEmail>
  /** Nothing ties the reader's job to what is sold, so the first email asks for the right person. */
  readonly asks_for_right_person?: true
}

export interface WriteFailure {
  readonly message: string
}

/** A template and the text that no other variant of its step contains. */
interface Variant {
  readonly template: TemplateSnapshot
  readonly ownText: string
  readonly ownWords: ReadonlySet<string>
  /**
   * Whether the template states the persona's main problem. It is used for leads about whom nothing else is known.
   */
  readonly isMain: boolean
  readonly asksForRightPerson: boolean
}

/** "Caterer" and "catering" are one word. */
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    wordTokens(text)
      .flatMap((word) => normalizeWord(word).split("-"))
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => stemmer(word))
  )

/** Words that a column and an email may share by chance: "New depot", "first order", "Brandt Group". */
const chanceWords = stemsOf(
  "new first second next day week month year today time company business group team people staff work manager director head lead service services limited site website client customer"
)

/** The lines of a template that say something: no question, no greeting, and no "One line is plenty." */
const linesOf = ({ body }: TemplateSnapshot): ReadonlyArray<string> =>
  body.split(/\n+|(?<=[.?!]) /).filter((line) => !/\?|\{%|is plenty\.$/.test(line))

const describeVariants = (persona: PersonaSnapshot, step: number): ReadonlyArray<Variant> => {
  const templates = persona.templates
    .filter((template) => template.step === step)
    .toSorted((one, other) => one.variant - other.variant)
  const lines = templates.map((template) => new Set(linesOf(template)))
  const problem = persona.message.problem?.replace(/\.$/, "").toLowerCase() ?? ""
  const sharedStems = templates
    .map(({ body, subject }) => stemsOf(`${subject} ${body}`))
    .reduce<ReadonlySet<string> | undefined>((all, words) => all?.intersection(words) ?? words, undefined)
  return templates.map((template) => {
    const ownText = linesOf(template)
      .filter((line) => !lines.every((all) => all.has(line)))
      .join(" ")
    return {
      template,
      ownText,
      ownWords: stemsOf(`${template.subject} ${ownText}`)
        .difference(sharedStems ?? chanceWords)
        .difference(chanceWords),
      isMain: problem !== "" && template.body.toLowerCase().includes(problem),
      asksForRightPerson: asksForRightPerson(template)
    }
  })
}

/** Whether a template is for readers whose job has nothing to do with what is sold. */
const asksForRightPerson = ({ body }: TemplateSnapshot): boolean => body.includes(rightPersonQuestion)

/** Cached, because all leads of a list share a persona. */
const variantsByStep = memoize((persona: PersonaSnapshot) => {
  const steps = new Set(persona.templates.map(({ step }) => step))
  return new Map([...steps].map((step) => [step, describeVariants(persona, step)]))
})

const variantsOfStep = (persona: PersonaSnapshot, step: number): ReadonlyArray<TemplateSnapshot> =>
  (variantsByStep(persona).get(step) ?? []).map(({ template }) => template)

interface VariantReader {
  readonly lead: Lead
  readonly department: Department | null
  readonly seniority: Seniority | null
}

const columnsOf = ({ custom_fields }: Lead): string =>
  Object.values(custom_fields ?? {})
    .filter((value) => typeof value === "string")
    .join(" ")

/** Whether an email may be for a reader: its text has a word of the title or of the department, or the reader deals with anything. */
const isReaderOf = (text: string, { department, lead, seniority }: VariantReader): boolean =>
  // Owners, executives and buyers handle any purchase.
  seniority === "owner" ||
  seniority === "executive" ||
  department === "procurement" ||
  countStemsIn(specificTitleWords([lead.title ?? ""]), text) > 0 ||
  (department !== null && departmentWordCount(text, [department]) > 0)

/**
 * The variants suitable for a reader. The one that asks for the right person is used only if no other concerns the
 * reader.
 */
const variantsForReader = (variants: ReadonlyArray<Variant>, persona: PersonaSnapshot, reader: VariantReader) => {
  const others = variants.filter(({ asksForRightPerson }) => !asksForRightPerson)
  if (others.length === variants.length || others.length === 0) return variants
  const isRelevant = others.some(({ template }) => isReaderOf(linesOf(template).join(" "), reader))
  return persona.kind === "everyone_else" && !isRelevant
    ? variants.filter(({ asksForRightPerson }) => asksForRightPerson)
    : others
}

/**
 * The variant of a step with the highest score: the words that it shares with the lead's columns and company and, of first emails,
 * with the job, and whether it has the persona's own problem. The seed decides between equal ones.
 */
const chooseVariant = (
  persona: PersonaSnapshot,
  step: number,
  reader: VariantReader,
  seed: string
): TemplateSnapshot | undefined => {
  const variants = variantsByStep(persona).get(step) ?? []
  if (variants.length < 2) return variants[0]?.template
  const candidates = variantsForReader(variants, persona, reader)
  const columns = stemsOf(columnsOf(reader.lead))
  const company = stemsOf(reader.lead.company ?? "").difference(columns)
  const title = stemsOf(reader.lead.title ?? "")
  // A role's own problem is the nearest to its department already.
  const department = persona.kind === "everyone_else" ? reader.department : null
  const score = ({ isMain, ownText, ownWords }: Variant) =>
    3 * ownWords.intersection(columns).size +
    ownWords.intersection(company).size +
    (step === 1
      ? 3 * ownWords.intersection(title).size +
        2 * (department === null ? 0 : departmentWordCount(ownText, [department])) +
        (isMain ? 2 : 0)
      : 0)
  const scores = candidates.map(score)
  const highest = Math.max(...scores)
  const best = candidates.filter((_, index) => scores[index] === highest)
  return best[hash(seed) % best.length]?.template
}

const renderEmail = (
  template: TemplateSnapshot,
  step: number,
  variables: Variables
): Result.Result<PlaybookEmail, WriteFailure> =>
  render(template, variables).pipe(
    Result.map(({ body, subject }) => ({
      step,
      template_id: template.id,
      variant: template.variant,
      subject,
      body,
      ...(template.mark !== undefined && { mark: template.mark })
    })),
    Result.mapError(({ field, message }) => ({
      message: `Template step ${template.step}, variant ${template.variant}, ${field}: ${message}`
    }))
  )

/** The emails of one lead. The same lead and seed always give the same variants. */
export const writeFromPlaybook = (input: {
  readonly playbook: PlaybookSnapshot
  readonly lead: Lead
  readonly sender: Sender
  readonly email_count: number
  /** Identifies the lead. */
  readonly seed: string
  readonly route: RouteTitle
  readonly choose?: ChooseTemplate | undefined
  readonly only?: number | undefined
}): Result.Result<PlaybookSequence, WriteFailure> => {
  const { department, persona_id, seniority } = input.route(input.lead.title, input.playbook.personas)
  const persona = input.playbook.personas.find(({ id }) => id === persona_id)
  if (persona === undefined) return Result.fail({ message: "The playbook has no persona for this lead." })
  const steps = sequenceSteps(new Set(persona.templates.map(({ step }) => step)), input.email_count)
  if (steps.length === 0) return Result.fail({ message: `The persona "${persona.name}" has no templates.` })
  const variables = templateVariables(input.lead, input.sender)
  const emails: Array<PlaybookEmail> = []
  for (const [index, step] of steps.entries()) {
    if (input.only !== undefined && input.only !== index + 1) continue
    const template =
      input.choose?.(index + 1, variantsOfStep(persona, step)) ??
      chooseVariant(persona, step, { lead: input.lead, department, seniority }, `${input.seed} variant ${step}`)
    if (template === undefined) continue
    const email = renderEmail(template, index + 1, variables)
    if (Result.isFailure(email)) return Result.fail(email.failure)
    emails.push(email.success)
  }
  const [firstEmail] = emails
  const asks = persona.templates.some(
    (template) => template.id === firstEmail?.template_id && asksForRightPerson(template)
  )
  return Result.succeed({ persona_id, emails, ...(asks && { asks_for_right_person: true as const }) })
}
