// layers/generator/playbook/PlaybookSequence.ts: writes a lead's sequence from the templates of a playbook.
import { Result } from "effect"
import type { ChooseTemplate } from "#layers/generator/Brief.ts"
import type {
  PlaybookSnapshot,
  PersonaSnapshot,
  TemplateSnapshot,
  TextOrigin
} from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { render } from "#layers/generator/playbook/LiquidTemplate.ts"
import { type Sender, type Variables, templateVariables } from "#layers/generator/playbook/TemplateVariables.ts"
import type { Department, Seniority } from "#layers/generator/routing/Departments.ts"
import { asksForRightPerson, chooseVariant, variantsOfStep } from "#layers/generator/playbook/ChooseVariant.ts"
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
