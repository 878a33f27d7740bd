// console/pages/campaign/build/SaveStep.tsx: the end of a step's form: what keeps it from being saved, and the button that saves it.
import type { ComponentChildren } from "preact"
import type { Doing } from "#console/Asking.ts"
import { Act } from "#console/parts/Act.tsx"
import { FormTrouble } from "#console/parts/Fields.tsx"

interface Props {
  readonly save: Pick<Doing, "busy" | "problem">
  /** What has to be chosen first. */
  readonly missing: string | undefined
  /** The paths of fields that say themselves what is wrong with them. */
  readonly fields: ReadonlyArray<string>
  readonly children: ComponentChildren
}

export const SaveStep = ({ children, fields, missing, save }: Props) => (
  <>
    {missing && (
      <p class="issue" role="alert">
        {missing}
      </p>
    )}
    <FormTrouble problem={save.problem} fields={fields} />
    <div class="form-end">
      <Act kind="primary" doing={save} busy="Saving…">
        {children}
      </Act>
    </div>
  </>
)
