// console/pages/build/SaveStep.tsx: the end of a step's form: what keeps it from being saved, and the button that saves it.
import type { ComponentChildren } from "preact"
import type { Doing } from "#console/Asking.ts"
import { Act, Trouble } from "#console/parts/Parts.tsx"

interface Props {
  readonly save: Pick<Doing<[]>, "busy" | "problem">
  /** What has to be chosen first. */
  readonly missing: string | undefined
  /** Whether the field that the problem is about says so itself. */
  readonly placed: boolean
  readonly children: ComponentChildren
}

export const SaveStep = ({ children, missing, placed, save }: Props) => (
  <>
    {missing && (
      <p class="issue" role="alert">
        {missing}
      </p>
    )}
    {save.problem && !placed && <Trouble problem={save.problem} />}
    <div class="form-end">
      <Act kind="primary" doing={save} busy="Saving…">
        {children}
      </Act>
    </div>
  </>
)
