// console/parts/ConfirmDialog.tsx: confirmation dialogs for actions that cannot be undone.
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"

interface Props {
  /** The label of the button that opens the dialog. */
  readonly label: string
  /** Added to the label for screen readers, where several buttons have the same label. */
  readonly about?: string
  /** The title of the dialog; by default the label. */
  readonly title?: string
  /** The label of the button that confirms. */
  readonly confirmLabel: string
  readonly question: string
  readonly busyLabel: string
  readonly action: ActionState
}

interface DialogProps extends Props {
  readonly onClose: () => void
  /** Content to read before confirming. */
  readonly children?: ComponentChildren
}

/** The dialog without its button, for menus. */
export const ConfirmDialog = ({
  busyLabel,
  children,
  action,
  label,
  onClose,
  question,
  title = label,
  confirmLabel
}: DialogProps) => {
  const cancel = useRef<HTMLButtonElement>(null)
  // Cancel has the focus, so that Enter does not confirm an unread question.
  useLayoutEffect(() => cancel.current?.focus(), [])
  return (
    <Dialog title={title} {...(children !== undefined && { class: "broad" })} onClose={onClose}>
      {children}
      <p>{question}</p>
      {action.problem && <ProblemNotice problem={action.problem} />}
      <div class="actions">
        <ActionButton kind="danger" action={action} busyLabel={busyLabel} onClick={action.start}>
          {confirmLabel}
        </ActionButton>
        <button type="button" class="button" ref={cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

export const ConfirmButton = (props: Props) => (
  <DialogButton label={props.label} about={props.about}>
    {(close) => <ConfirmDialog {...props} onClose={close} />}
  </DialogButton>
)
