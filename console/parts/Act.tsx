// console/parts/Act.tsx: a button for what takes its time.
import type { ComponentChildren } from "preact"
import type { Doing } from "#console/Asking.ts"

interface ActProps {
  readonly doing: Pick<Doing, "busy">
  /** What it says while it is under way. */
  readonly busy: string
  readonly children: ComponentChildren
  readonly kind?: "primary" | "danger" | "plain"
  readonly onClick?: () => void
  readonly disabled?: boolean
}

/** A button that says what it does while it does it. Without `onClick` it submits its form. */
export const Act = ({ busy, children, disabled = false, doing, kind = "plain", onClick }: ActProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={`button ${kind}`}
    aria-disabled={doing.busy || disabled}
    onClick={(event) => {
      if (doing.busy || disabled) event.preventDefault()
      else onClick?.()
    }}
  >
    {doing.busy ? busy : children}
  </button>
)
