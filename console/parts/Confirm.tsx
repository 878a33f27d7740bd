// console/parts/Confirm.tsx: asks once more before something is done that cannot be undone.
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"

interface Props {
  /** The button that asks. */
  readonly label: string
  /** What it is about, for screen readers, where several buttons have the same label. */
  readonly about?: string
  /** The title of the dialog; by default the label. */
  readonly title?: string
  /** The button that does it. */
  readonly verb: string
  readonly question: string
  readonly busy: string
  readonly doing: ActionState
}

interface DialogProps extends Props {
  readonly onClose: () => void
  /** What has to be read before the question is answered. */
  readonly children?: ComponentChildren
}

/** The question alone, for a menu. */
export const ConfirmDialog = ({
  busy,
  children,
  doing,
  label,
  onClose,
  question,
  title = label,
  verb
}: DialogProps) => {
  const cancel = useRef<HTMLButtonElement>(null)
  // Enter must not do what was not read.
  useEffect(() => cancel.current?.focus(), [])
  return (
    <Dialog title={title} {...(children !== undefined && { class: "broad" })} onClose={onClose}>
      {children}
      <p>{question}</p>
      {doing.problem && <ProblemNotice problem={doing.problem} />}
      <div class="actions">
        <ActionButton kind="danger" doing={doing} busy={busy} onClick={doing.start}>
          {verb}
        </ActionButton>
        <button type="button" class="button" ref={cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

export const Confirm = (props: Props) => (
  <DialogButton label={props.label} about={props.about}>
    {(close) => <ConfirmDialog {...props} onClose={close} />}
  </DialogButton>
)
