// console/parts/ActionButton.tsx: buttons that show the progress of their action.
import type { ComponentChildren } from "preact"
import type { ActionState } from "#console/Requests.ts"

interface ActProps {
  readonly doing: Pick<ActionState, "busy">
  /** The label while the action runs. */
  readonly busy: string
  readonly children: ComponentChildren
  readonly kind?: "primary" | "danger" | "plain"
  readonly onClick?: (event: MouseEvent) => void
  readonly disabled?: boolean
  /** The single key that does the same. */
  readonly shortcut?: string
}

/** A button that says what it does while it does it. Without `onClick` it submits its form. */
export const ActionButton = ({
  busy,
  children,
  disabled = false,
  doing,
  kind = "plain",
  onClick,
  shortcut
}: ActProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={`button ${kind}`}
    aria-disabled={doing.busy || disabled}
    aria-keyshortcuts={shortcut}
    onClick={(event) => {
      if (doing.busy || disabled) event.preventDefault()
      else onClick?.(event)
    }}
  >
    {doing.busy ? busy : children}
  </button>
)

/** The end of a form in a dialog: a button that submits it, and one that does not. */
export const ActionOrCancel = ({
  kind = "primary",
  onCancel,
  ...act
}: ActProps & { readonly onCancel: () => void }) => (
  <div class="actions">
    <ActionButton kind={kind} {...act} />
    <button type="button" class="button" onClick={onCancel}>
      Cancel
    </button>
  </div>
)
