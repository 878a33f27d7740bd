// console/pages/campaign/emails/StepCard.tsx: the template variants of one step of a persona, one of them open.
import { maxVariants, type Persona, sequenceSteps, type Template } from "#schema/Playbook.ts"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { type PlaybookEditor, groupFields, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { TemplateCard } from "#console/pages/campaign/emails/TemplateCard.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmButton } from "#console/parts/ConfirmDialog.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { useSession } from "#console/Session.tsx"

export const stepName = (step: number) => (step === 4 ? "Closing email" : `Email ${step}`)

const emailCounts = [1, 2, 3, 4]
const countList = new Intl.ListFormat("en-GB", { type: "disjunction" })

/** Describes the sequences that include a step, by their number of emails. */
const stepUse = ({ templates }: Persona, step: number) => {
  const steps = new Set(templates.map((template) => template.step))
  const counts = emailCounts.filter((count) => sequenceSteps(steps, count).includes(step))
  return counts.length === emailCounts.length
    ? "In every sequence."
    : `Only in sequences of ${countList.format(counts.map(String))} emails.`
}

interface Props {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly persona: Persona
  readonly step: number
  /** The variant that is open. */
  readonly template: Template
  readonly onOpen: (id: string | undefined) => void
  readonly showLiquid: boolean
  readonly columns: ReadonlyArray<string>
  readonly onFocus: (step: number) => void
}

interface ActionsProps extends Pick<Props, "editor" | "campaign" | "persona"> {
  readonly template: Template
  readonly variants: ReadonlyArray<Template>
  readonly onOpen: (id: string | undefined) => void
}

/** What can be done with a template. Each action sends one change and loads the playbook that results. */
const useActions = ({ editor, campaign, onOpen, persona, template }: ActionsProps) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const params = { id: campaign, template_id: template.id }
  const update = (next: Template) => {
    editor.updatePlaybook((playbook) => ({
      ...playbook,
      personas: playbook.personas.map((each) =>
        each.id === persona.id
          ? {
              ...each,
              templates: [...each.templates.filter(({ id }) => id !== next.id), next].toSorted(
                (a, b) => a.variant - b.variant
              )
            }
          : each
      )
    }))
    editor.reload()
  }
  const add = useAction(async () => {
    const { body, step, subject } = template
    const payload = { persona_id: persona.id, step, subject, body }
    const headers = idempotencyHeaders([payload, persona.templates.length])
    const next = await callApi((api) => api.playbook.createTemplate({ params: { id: campaign }, headers, payload }))
    update(next)
    onOpen(next.id)
  })
  const keep = useAction(async () => {
    const payload = { subject: template.subject, body: template.body }
    update(await callApi((api) => api.playbook.updateTemplate({ params, payload })))
  })
  const reset = useAction(async () => {
    const next = await callApi((api) => api.playbook.resetTemplate({ params, headers: {} }))
    editor.discard(groupNames.template(template.id))
    update(next)
  })
  const remove = useAction(async () => {
    await callApi((api) => api.playbook.deleteTemplate({ params }))
    editor.discard(groupNames.template(template.id))
    onOpen(undefined)
    editor.reload()
  })
  return { add, keep, reset, remove }
}

const Actions = (props: ActionsProps) => {
  const { template, variants } = props
  const { add, keep, remove, reset } = useActions(props)
  const name = stepName(template.step).toLowerCase()
  const problem = add.problem ?? keep.problem
  return (
    <div class="actions small">
      {template.stale && (
        <ActionButton action={keep} busyLabel="Keeping…" onClick={keep.start}>
          Keep as it is<span class="unseen">: {name}</span>
        </ActionButton>
      )}
      {template.edited && (
        <ConfirmButton
          label="Reset"
          confirmLabel="Reset to the draft"
          question="Replace this template with its draft? Your edits are lost."
          busyLabel="Resetting…"
          action={reset}
        />
      )}
      {variants.length < maxVariants && (
        <ActionButton action={add} busyLabel="Adding…" onClick={add.start}>
          Add a variant<span class="unseen"> of {name}</span>
        </ActionButton>
      )}
      {variants.length > 1 && (
        <ConfirmButton
          label="Delete the variant"
          confirmLabel="Delete"
          question="Delete this variant? Leads get one of the others."
          busyLabel="Deleting…"
          action={remove}
        />
      )}
      {problem && <ProblemNotice problem={problem} />}
    </div>
  )
}

export const StepCard = ({
  editor,
  campaign,
  columns,
  onFocus,
  onOpen,
  persona,
  showLiquid,
  step,
  template
}: Props) => {
  const variants = persona.templates
    .filter((template) => template.step === step)
    .toSorted((a, b) => a.variant - b.variant)
  const name = stepName(step)
  return (
    <article class="step-card" aria-label={name}>
      <div class="step-head">
        <h3>{name}</h3>
        {variants.length > 1 && (
          <div class="variants" role="group" aria-label={`Variants of ${name.toLowerCase()}`}>
            {variants.map(({ id, variant }) => (
              <button key={id} type="button" aria-pressed={id === template.id} onClick={() => onOpen(id)}>
                <span class="unseen">Variant </span>
                {variant}
                {groupFields(editor, groupNames.template(id)).isDirty && <span class="unseen">, not saved</span>}
              </button>
            ))}
          </div>
        )}
      </div>
      <p class="quiet">{stepUse(persona, step)}</p>
      <TemplateCard
        key={template.id}
        editor={editor}
        campaign={campaign}
        columns={columns}
        name={variants.length > 1 ? `${name}, variant ${template.variant}` : name}
        showLiquid={showLiquid}
        template={template}
        onFocus={() => onFocus(step)}
      />
      <Actions
        key={`actions ${template.id}`}
        editor={editor}
        campaign={campaign}
        persona={persona}
        template={template}
        variants={variants}
        onOpen={onOpen}
      />
    </article>
  )
}
