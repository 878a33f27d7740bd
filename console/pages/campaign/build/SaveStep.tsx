// console/pages/campaign/build/SaveStep.tsx: the end of a step's form: what keeps it from being saved, and its buttons.
import type { ComponentChildren } from "preact"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { FormTrouble } from "#console/parts/Fields.tsx"

interface Props {
  readonly save: Pick<ActionState, "busy" | "problem">
  /** The address of the previous step. */
  readonly back: string
  /** Saves the step with nothing chosen; undefined where a choice is required. */
  readonly skip?: ActionState | undefined
  /** What has to be chosen first. */
  readonly missing: string | undefined
  /** The paths of fields that show their own errors. */
  readonly fields: ReadonlyArray<string>
  readonly children: ComponentChildren
}

export const SaveStep = ({ back, children, fields, missing, save, skip }: Props) => (
  <>
    {missing && (
      <p class="issue" role="alert">
        {missing}
      </p>
    )}
    <FormTrouble problem={save.problem ?? skip?.problem} fields={fields} />
    <div class="form-end actions">
      <a class="button" href={back}>
        Back
      </a>
      {skip && (
        <ActionButton doing={{ busy: skip.busy || save.busy }} busy="Skip this step" onClick={skip.start}>
          Skip this step
        </ActionButton>
      )}
      <ActionButton kind="primary" doing={{ busy: save.busy || skip?.busy === true }} busy="Saving…">
        {children}
      </ActionButton>
    </div>
  </>
)
