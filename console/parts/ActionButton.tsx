// console/parts/ActionButton.tsx: buttons that show the progress of their action.
import type { ComponentChildren } from "preact"
import type { ActionState } from "#console/Requests.ts"

interface ActProps {
  readonly action: Pick<ActionState, "isBusy">
  /** The label while the action runs. */
  readonly busyLabel: string
  readonly children: ComponentChildren
  readonly kind?: "primary" | "danger" | "plain"
  readonly onClick?: (event: MouseEvent) => void
  readonly disabled?: boolean
  /** The keyboard shortcut of the same action. */
  readonly shortcut?: string
}

/** A button that shows its busy label while its action runs. Without `onClick` it submits its form. */
export const ActionButton = ({
  busyLabel,
  children,
  disabled = false,
  action,
  kind = "plain",
  onClick,
  shortcut
}: ActProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={`button ${kind}`}
    aria-disabled={action.isBusy || disabled}
    aria-keyshortcuts={shortcut}
    onClick={(event) => {
      if (action.isBusy || disabled) event.preventDefault()
      else onClick?.(event)
    }}
  >
    {action.isBusy ? busyLabel : children}
  </button>
)

/** The submit and cancel buttons of a form in a dialog. */
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
