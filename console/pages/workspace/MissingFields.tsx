// console/pages/workspace/MissingFields.tsx: asks for the fields that an import left empty or as they were, with candidate sentences
// from the text.
import { Fragment } from "preact"
import { useRef, useState } from "preact/hooks"
import { useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import {
  commaHint,
  isCommaField,
  isLineField,
  fieldPatch,
  fieldText,
  showField
} from "#console/pages/workspace/Profile.tsx"
import { AnotherCompany } from "#console/pages/workspace/AnotherCompany.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { fieldLabel, type ProfileField, profileLabels } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import type { Details } from "#schema/Details.ts"
import type { FieldConflict, MissingField } from "#schema/Imports.ts"

const isField = (field: string): field is ProfileField => Object.hasOwn(profileLabels, field)

interface AskProps {
  readonly field: ProfileField
  /** The saved text of the field; empty by default. */
  readonly saved?: string
  readonly candidates: ReadonlyArray<string>
  /** Candidates in another language; none by default. */
  readonly foreign?: ReadonlyArray<string>
  readonly onSaved: () => void
}

/**
 * The form of one field. A candidate replaces the text, or is added to a field that takes several. One in another language is only shown,
 * because the emails are in English.
 */
const MissingFieldForm = ({ candidates, field, foreign = [], onSaved, saved = "" }: AskProps) => {
  const { callApi } = useSession()
  const draft = useTextDraft(`import.${field}`, saved)
  const text = draft.value
  const setText = (text: string) => draft.set(() => text)
  const isAdded = (isLineField(field) || isCommaField(field)) && text.trim() !== ""
  const separator = isCommaField(field) ? ", " : "\n"
  const save = useAction(async () => {
    await callApi((api) => api.workspace.updateDetails({ payload: fieldPatch(field, text) }))
    draft.discard()
    onSaved()
  })
  return (
    <Form onSubmit={save.start}>
      <TextInput
        label={fieldLabel(field)}
        hint={isCommaField(field) ? commaHint : undefined}
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
                onClick={() => setText(isAdded ? `${text.trimEnd()}${separator}${sentence}` : sentence)}
              >
                {isAdded ? "Add this" : "Use this"}
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormTrouble problem={save.problem} fields={[field]} />
      <ActionButton action={save} busyLabel="Saving…" disabled={text.trim() === saved.trim()}>
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
      {answerable.map(({ candidates, field, foreign_candidates: foreign }) =>
        isField(field) ? (
          <MissingFieldForm
            key={field}
            field={field}
            candidates={candidates}
            {...(foreign !== undefined && { foreign })}
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

interface ConflictProps {
  readonly details: Details
  readonly conflicts: ReadonlyArray<FieldConflict>
  readonly onSaved: () => void
}

/** The fields for which an imported text states another value. A field leaves the list when its text is saved. */
export const ConflictingFields = ({ conflicts, details, onSaved }: ConflictProps) => {
  const [savedFields, setSavedFields] = useState<ReadonlyArray<string>>([])
  const heading = useRef<HTMLHeadingElement>(null)
  const last = savedFields.at(-1)
  // Fields that were emptied meanwhile have no value to replace.
  const shown = conflicts.filter(({ field }) => isField(field) && fieldText(details, field) !== "")
  if (shown.length === 0) return null
  return (
    <section class="import-result" aria-labelledby="conflicts">
      <h3 id="conflicts" ref={heading} tabIndex={-1}>
        The text says something else
      </h3>
      {last !== undefined && <p role="status">{fieldLabel(last)} is saved.</p>}
      <p class="quiet">These fields have a value, which stays unless you save another.</p>
      {shown.some(({ field }) => field === "company_name") && (
        <div class="note">
          <p>Is the text about another company than the profile? Then empty the profile first, and import it again.</p>
          <AnotherCompany details={details} reload={onSaved} />
        </div>
      )}
      {shown.map(({ candidates, field }) =>
        isField(field) && !savedFields.includes(field) ? (
          <MissingFieldForm
            key={field}
            field={field}
            saved={fieldText(details, field)}
            candidates={candidates}
            onSaved={() => {
              setSavedFields((all) => [...all, field])
              heading.current?.focus({ preventScroll: true })
              onSaved()
            }}
          />
        ) : null
      )}
    </section>
  )
}
