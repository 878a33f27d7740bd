// console/pages/lead/EditEmail.tsx: the editor of one email of a lead, with findings as you type.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect, Schema, Struct } from "effect"
import { leadFields } from "#schema/Lead.ts"
import { type ReviewedEmail, type ReviewedLead, VersionConflict } from "#schema/Review.ts"
import { useAction } from "#console/Requests.ts"
import type { Draft } from "#console/Draft.ts"
import { useLint } from "#console/Lint.ts"
import { EditConflict } from "#console/pages/lead/EditConflict.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Editor, type EditorHandle } from "#console/parts/Editor.tsx"
import { Form, FormTrouble, issueAt } from "#console/parts/Fields.tsx"
import { FindingList } from "#console/parts/Findings.tsx"
import { useSession } from "#console/Session.tsx"

/** The edited text, and the version that it is based on. */
export const EmailDraft = Schema.Struct({ subject: Schema.String, body: Schema.String, version: Schema.Int })
export type EmailDraft = typeof EmailDraft.Type

interface Props {
  readonly list: string
  readonly campaign: string | null
  readonly lead: ReviewedLead
  readonly email: ReviewedEmail
  readonly draft: Draft<EmailDraft>
  /** Whether to focus the editor: only when the user opens it, not when a draft is restored. */
  readonly takesFocus: boolean
  readonly onSaved: (email: ReviewedEmail) => void
  readonly onClose: () => void
}

/** Saves the text. If the email was changed meanwhile, returns that version as a conflict instead. */
const useSaving = ({ draft, email: { step }, lead, list, onClose, onSaved }: Props) => {
  const { callApi } = useSession()
  const [conflict, setConflict] = useState<ReviewedEmail>()
  const saved = (email: ReviewedEmail) => {
    draft.discard()
    setConflict(undefined)
    onSaved(email)
    onClose()
  }
  const save = async (version: number) => {
    const { body, subject } = draft.value
    const params = { id: list, lead_id: lead.id, step }
    const answer = await callApi((api) =>
      api.review.editEmail({ params, payload: { subject, body, version } }).pipe(
        Effect.map((email) => ({ email, isSaved: true })),
        Effect.catchIf(
          (error) => error instanceof VersionConflict,
          ({ detail: { email } }) =>
            Effect.succeed({ email, isSaved: email.subject === subject && email.body === body })
        )
      )
    )
    if (answer.isSaved) saved(answer.email)
    else setConflict(answer.email)
  }
  return {
    conflict,
    saved,
    saving: useAction(() => save(draft.value.version)),
    keepAction: useAction(() => save(conflict?.version ?? draft.value.version))
  }
}

const Texts = ({
  campaign,
  draft,
  email,
  issueOf,
  lead,
  takesFocus
}: Props & { readonly issueOf: (path: string) => string | undefined }) => {
  const { body, subject } = draft.value
  const handles = { subject: useRef<EditorHandle>(null), body: useRef<EditorHandle>(null) }
  useEffect(() => {
    if (takesFocus) handles.body.current?.focus()
  }, [])
  const lintContext = {
    step: email.step,
    email_count: lead.emails.length,
    campaign_id: campaign,
    lead: Struct.pick(lead, [...leadFields, "custom_fields"])
  }
  const findings = useLint(lintContext, { subject, body }, email)
  return (
    <>
      {(["subject", "body"] as const).map((field) => (
        <Editor
          key={field}
          label={field === "subject" ? "Subject" : "Body"}
          single={field === "subject"}
          isPlainText
          value={draft.value[field]}
          findings={(findings ?? []).filter(({ place }) => place === field)}
          issue={issueOf(field)}
          handle={handles[field]}
          onInput={(text) => draft.set((value) => ({ ...value, [field]: text }))}
        />
      ))}
      <div class="findings" aria-live="polite">
        <h3>Findings</h3>
        {findings === undefined ? (
          <p class="quiet">Checking…</p>
        ) : findings.length === 0 ? (
          <p class="quiet">None.</p>
        ) : (
          <FindingList
            findings={findings}
            textOf={(place) => (place === "sequence" ? "" : draft.value[place])}
            onUse={({ end, place, start, suggestion }) => {
              if (place === "sequence" || start === null || end === null) return
              draft.set((value) => ({
                ...value,
                [place]: value[place].slice(0, start) + (suggestion ?? "") + value[place].slice(end)
              }))
            }}
          />
        )}
      </div>
    </>
  )
}

export const EditEmail = (props: Props) => {
  const { draft, onClose } = props
  const { conflict, keepAction, saved, saving } = useSaving(props)
  const problem = saving.problem ?? keepAction.problem
  const cancel = () => {
    if (draft.isChanged && !confirm("Discard your changes to this email?")) return
    draft.discard()
    onClose()
  }
  return (
    <Form
      class="edit-email"
      onSubmit={saving.start}
      onKeyDown={(event) => {
        if (event.isComposing) return
        if (event.key === "Escape") cancel()
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && conflict === undefined) saving.start()
        else return
        event.preventDefault()
      }}
    >
      {conflict === undefined ? (
        <>
          <Texts {...props} issueOf={(path) => issueAt(problem, path)} />
          <FormTrouble problem={problem} fields={["subject", "body"]} />
          <ActionOrCancel action={saving} busyLabel="Saving…" onCancel={cancel}>
            Save
          </ActionOrCancel>
          <p class="quiet keys">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves, <kbd>Esc</kbd> cancels.
          </p>
        </>
      ) : (
        <>
          <EditConflict
            ownText={draft.value}
            savedEmail={conflict}
            keepAction={keepAction}
            onUseSaved={() => saved(conflict)}
          />
          <FormTrouble problem={keepAction.problem} fields={[]} />
        </>
      )}
    </Form>
  )
}
