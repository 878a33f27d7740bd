// console/pages/workspace/MissingFields.tsx: asks for the fields that an import left empty, with candidate sentences from the text.
import { Fragment } from "preact"
import { useRef, useState } from "preact/hooks"
import { useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { isLineField, fieldPatch, showField } from "#console/pages/workspace/Profile.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { fieldLabel, type ProfileField, profileLabels } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import type { MissingField } from "#schema/Imports.ts"

const isField = (field: string): field is ProfileField => Object.hasOwn(profileLabels, field)

interface AskProps {
  readonly field: ProfileField
  readonly candidates: ReadonlyArray<string>
  /** Candidates in another language. */
  readonly foreign: ReadonlyArray<string>
  readonly onSaved: () => void
}

/**
 * The form of one field. A candidate replaces the text, or is added as a line to a list. One in another language is only shown,
 * because the emails are in English.
 */
const MissingFieldForm = ({ candidates, field, foreign, onSaved }: AskProps) => {
  const { callApi } = useSession()
  const draft = useTextDraft(`import.${field}`, "")
  const text = draft.value
  const setText = (text: string) => draft.set(() => text)
  const isAdded = isLineField(field) && text.trim() !== ""
  const save = useAction(async () => {
    await callApi((api) => api.workspace.updateDetails({ payload: fieldPatch(field, text) }))
    draft.discard()
    onSaved()
  })
  return (
    <Form onSubmit={save.start}>
      <TextInput
        label={fieldLabel(field)}
        rows={2}
        value={text}
        onInput={setText}
        issue={issueAt(save.problem, field)}
      />
      <ul class="picks">
        {candidates.map((sentence) => (
          <li key={sentence}>
            <q>{sentence}</q>{" "}
            {foreign.includes(sentence) ? (
              <span class="quiet">Write above in English what this says.</span>
            ) : (
              <button
                type="button"
                class="link"
                onClick={() => setText(isAdded ? `${text.trimEnd()}\n${sentence}` : sentence)}
              >
                {isAdded ? "Add this" : "Use this"}
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormTrouble problem={save.problem} fields={[field]} />
      <ActionButton action={save} busyLabel="Saving…" disabled={text.trim() === ""}>
        Save {fieldLabel(field).toLowerCase()}
      </ActionButton>
    </Form>
  )
}

interface MissingProps {
  readonly fields: ReadonlyArray<MissingField>
  readonly onSaved: (field: string) => void
}

export const MissingFields = ({ fields, onSaved }: MissingProps) => {
  const answerable = fields.filter(({ candidates }) => candidates.length > 0)
  const unanswered = fields.filter(({ candidates }) => candidates.length === 0)
  const [savedLabel, setSavedLabel] = useState("")
  const heading = useRef<HTMLHeadingElement>(null)
  if (fields.length === 0 && savedLabel === "") return null
  return (
    <section class="import-result" aria-labelledby="missing">
      <h3 id="missing" ref={heading} tabIndex={-1}>
        Still empty
      </h3>
      {savedLabel !== "" && <p role="status">{savedLabel} is saved.</p>}
      <p class="quiet" hidden={answerable.length === 0}>
        The text does not state these clearly. Pick what answers a field, edit it, and save it.
      </p>
      {answerable.map(({ candidates, field, foreign_candidates: foreign = [] }) =>
        isField(field) ? (
          <MissingFieldForm
            key={field}
            field={field}
            candidates={candidates}
            foreign={foreign}
            onSaved={() => {
              setSavedLabel(fieldLabel(field))
              // The form that had the focus is removed.
              heading.current?.focus({ preventScroll: true })
              onSaved(field)
            }}
          />
        ) : null
      )}
      {unanswered.length > 0 && (
        <p class="unanswered">
          <span class="quiet">The text says nothing about these. Fill them in below:</span>{" "}
          {unanswered.map(({ field }, i) => (
            <Fragment key={field}>
              {i > 0 && ", "}
              <a
                href={routeTo("workspace", field)}
                onClick={(event) => {
                  // Moves the focus without navigating, because the field is on this page and navigating would discard typed text.
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  showField(field)
                }}
              >
                {fieldLabel(field)}
              </a>
            </Fragment>
          ))}
          .
        </p>
      )}
    </section>
  )
}
