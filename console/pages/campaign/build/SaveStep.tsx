// console/pages/campaign/build/SaveStep.tsx: the end of a step's form: its error message and buttons.
import type { ComponentChildren } from "preact"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { FormTrouble } from "#console/parts/Fields.tsx"

interface Props {
  readonly save: Pick<ActionState, "isBusy" | "problem">
  /** The address of the previous step. */
  readonly back: string
  /** Saves the step without a selection; undefined if one is required. */
  readonly skip?: ActionState | undefined
  /** The message that a selection is required. */
  readonly validationMessage: string | undefined
  /** The paths of fields that show their own error messages. */
  readonly fields: ReadonlyArray<string>
  readonly children: ComponentChildren
}

export const SaveStep = ({ back, children, fields, validationMessage, save, skip }: Props) => (
  <>
    {validationMessage && (
      <p class="issue" role="alert">
        {validationMessage}
      </p>
    )}
    <FormTrouble problem={save.problem ?? skip?.problem} fields={fields} />
    <div class="form-end actions">
      <a class="button" href={back}>
        Back
      </a>
      {skip && (
        <ActionButton action={{ isBusy: skip.isBusy || save.isBusy }} busyLabel="Skip this step" onClick={skip.start}>
          Skip this step
        </ActionButton>
      )}
      <ActionButton kind="primary" action={{ isBusy: save.isBusy || skip?.isBusy === true }} busyLabel="Saving…">
        {children}
      </ActionButton>
    </div>
  </>
)
