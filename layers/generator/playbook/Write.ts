// layers/generator/playbook/Write.ts: writes a lead's sequence from the templates of a playbook.
import { Result } from "effect"
import type { Book, BookPersona, BookTemplate } from "#layers/generator/playbook/Book.ts"
import { render } from "#layers/generator/playbook/Template.ts"
import { type Sender, type Variables, variablesOf } from "#layers/generator/playbook/Variables.ts"
import type { Department, Seniority } from "#layers/generator/routing/Departments.ts"
import { hash } from "#layers/text/Hash.ts"
import type { Lead } from "#schema/Lead.ts"

/** Chooses the persona for a job title. */
export type RouteTitle = (
  title: string | null | undefined,
  personas: ReadonlyArray<BookPersona>
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
}

export interface PlaybookSequence {
  readonly persona_id: string
  readonly emails: ReadonlyArray<PlaybookEmail>
}

export interface WriteFailure {
  readonly message: string
}

/** The step of the closing email. */
const closing = 4

/**
 * The template steps of a sequence: 1 to n-1 and then the closing one; a single email is step 1. A step that the persona
 * lacks is replaced by an unused one; the order of the steps is kept.
 */
const stepsFor = (available: ReadonlySet<number>, count: number): ReadonlyArray<number> => {
  const wanted = count === 1 ? [1] : [...Array.from({ length: count - 1 }, (_, at) => at + 1), closing]
  const used = wanted.filter((step) => available.has(step))
  const spare = [...available].filter((step) => !used.includes(step)).toSorted((one, other) => one - other)
  return [...used, ...spare].slice(0, count).toSorted((one, other) => one - other)
}

const variantOf = (templates: ReadonlyArray<BookTemplate>, step: number, seed: string): BookTemplate | undefined => {
  const variants = templates
    .filter((template) => template.step === step)
    .toSorted((one, other) => one.variant - other.variant)
  return variants[hash(`${seed} variant ${step}`) % variants.length]
}

const emailOf = (
  template: BookTemplate,
  step: number,
  variables: Variables
): Result.Result<PlaybookEmail, WriteFailure> =>
  render(template, variables).pipe(
    Result.map(({ body, subject }) => ({ step, template_id: template.id, variant: template.variant, subject, body })),
    Result.mapError(({ field, message }) => ({
      message: `Template step ${template.step}, variant ${template.variant}, ${field}: ${message}`
    }))
  )

/** The emails of one lead. The same seed always gives the same variants. */
export const writeFromPlaybook = (input: {
  readonly book: Book
  readonly lead: Lead
  readonly sender: Sender
  readonly email_count: number
  /** Identifies the lead. */
  readonly seed: string
  readonly route: RouteTitle
}): Result.Result<PlaybookSequence, WriteFailure> => {
  const { persona_id } = input.route(input.lead.title, input.book.personas)
  const persona = input.book.personas.find(({ id }) => id === persona_id)
  if (persona === undefined) return Result.fail({ message: "The playbook has no persona for this lead." })
  const steps = stepsFor(new Set(persona.templates.map(({ step }) => step)), input.email_count)
  if (steps.length === 0) return Result.fail({ message: `The persona "${persona.name}" has no templates.` })
  const variables = variablesOf(input.lead, input.sender)
  const emails: Array<PlaybookEmail> = []
  for (const [at, step] of steps.entries()) {
    const template = variantOf(persona.templates, step, input.seed)
    if (template === undefined) continue
    const email = emailOf(template, at + 1, variables)
    if (Result.isFailure(email)) return Result.fail(email.failure)
    emails.push(email.success)
  }
  return Result.succeed({ persona_id, emails })
}
