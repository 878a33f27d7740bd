// console/pages/campaign/emails/SaveGroup.tsx: the buttons that save or discard the changes of one group of fields.
import type { GroupFields } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { FormTrouble } from "#console/parts/Fields.tsx"

interface Props {
  readonly fields: GroupFields
  /** What the buttons save, for those who hear them. */
  readonly label: string
  /** Fields of the group and their labels, for showing the saved texts after a conflict. */
  readonly names: ReadonlyArray<readonly [field: string, label: string]>
  /** Paths of issues that are shown at their fields. */
  readonly paths: ReadonlyArray<string>
}

export const SaveGroup = ({ fields, names, paths, label }: Props) => {
  const { discard, isBusy, isChanged, isDirty, isSaved, issueOf, rebase, problem, save, savedAs, valueOf } = fields
  const isShown = problem?.code === "CONFLICT" || (problem !== undefined && issueOf(...paths) !== undefined)
  return (
    <>
      {isChanged && (
        <div class="note" role="alert">
          <p class="strong">The saved text has changed since you started to edit.</p>
          {names
            .filter(([field]) => savedAs(field) !== valueOf(field))
            .map(([field, label]) => (
              <details key={field}>
                <summary>Saved: {label.toLowerCase()}</summary>
                <p class="saved-text">{savedAs(field) === "" ? "Empty" : savedAs(field)}</p>
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
      {isDirty && !isChanged && (
        <div class="actions">
          <ActionButton kind="primary" doing={{ busy: isBusy }} busy="Saving…" onClick={save}>
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
