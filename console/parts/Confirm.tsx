// console/parts/Confirm.tsx: asks once more before something is done that cannot be undone.
import { useEffect, useRef } from "preact/hooks"
import type { Doing } from "#console/Asking.ts"
import { Act } from "#console/parts/Act.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { Trouble } from "#console/parts/Notices.tsx"

interface Props {
  /** The button that asks. */
  readonly label: string
  /** The button that does it. */
  readonly verb: string
  readonly question: string
  readonly busy: string
  readonly doing: Doing
}

/** The question alone, for a menu. */
export const ConfirmDialog = ({
  busy,
  doing,
  label,
  onClose,
  question,
  verb
}: Props & { readonly onClose: () => void }) => {
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  return (
    <Dialog title={label} onClose={onClose}>
      <p>{question}</p>
      {doing.problem && <Trouble problem={doing.problem} />}
      <div class="actions">
        <Act kind="danger" doing={doing} busy={busy} onClick={doing.start}>
          {verb}
        </Act>
        <button type="button" class="button" ref={cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

export const Confirm = (props: Props) => (
  <DialogButton label={props.label}>{(close) => <ConfirmDialog {...props} onClose={close} />}</DialogButton>
)
