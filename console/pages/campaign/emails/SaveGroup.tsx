// console/pages/campaign/emails/SaveGroup.tsx: the buttons that save or discard the changes of one group of fields.
import type { GroupFields } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { FormTrouble } from "#console/parts/Fields.tsx"

interface Props {
  readonly fields: GroupFields
  /** What the buttons save, for screen readers. */
  readonly label: string
  /** Fields of the group and their labels, for showing the saved texts after a conflict. */
  readonly fieldLabels: ReadonlyArray<readonly [field: string, label: string]>
  /** Paths of issues that the fields themselves show. */
  readonly paths: ReadonlyArray<string>
}

export const SaveGroup = ({ fields, fieldLabels, paths, label }: Props) => {
  const { discard, isBusy, hasConflict, isDirty, isSaved, issueOf, rebase, problem, save, savedValueOf, valueOf } =
    fields
  const isShown = problem?.code === "CONFLICT" || (problem !== undefined && issueOf(...paths) !== undefined)
  return (
    <>
      {hasConflict && (
        <div class="note" role="alert">
          <p class="strong">The saved text has changed since you started to edit.</p>
          {fieldLabels
            .filter(([field]) => savedValueOf(field) !== valueOf(field))
            .map(([field, label]) => (
              <details key={field}>
                <summary>Saved: {label.toLowerCase()}</summary>
                <p class="saved-text">{savedValueOf(field) === "" ? "Empty" : savedValueOf(field)}</p>
              </details>
            ))}
          <div class="actions">
            <button type="button" class="button" onClick={rebase}>
              Keep my text
            </button>
            <button type="button" class="button" onClick={discard}>
              Use the saved text
            </button>
          </div>
        </div>
      )}
      {!isShown && <FormTrouble problem={problem} fields={[]} />}
      {isDirty && !hasConflict && (
        <div class="actions">
          <ActionButton kind="primary" action={{ isBusy: isBusy }} busyLabel="Saving…" onClick={save}>
            Save<span class="unseen"> {label}</span>
          </ActionButton>
          <button type="button" class="button" onClick={discard}>
            Discard<span class="unseen"> the changes of {label}</span>
          </button>
        </div>
      )}
      <span class="quiet" role="status">
        {isSaved && (
          <>
            Saved<span class="unseen">: {label}</span>
          </>
        )}
      </span>
    </>
  )
}
