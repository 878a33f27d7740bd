// console/parts/Fold.tsx: a section that folds, with a note about its content in its heading.
import type { ComponentChildren } from "preact"
import { Icon } from "#console/parts/Icon.tsx"

interface Props {
  readonly title: string
  /** How much of it is there, such as "3 of 6 filled". */
  readonly note: string
  readonly isComplete: boolean
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

/** A closed one is still found by the browser's search, which opens it. */
export const Fold = ({ children, isComplete, isOpen, note, onToggle, title }: Props) => (
  <details class="fold" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
    <summary>
      <Icon name="chevron" />
      <h3>{title}</h3>
      <span class={`fold-note${isComplete ? " complete" : ""}`}>
        {isComplete && <Icon name="check" />}
        {note}
      </span>
    </summary>
    <div class="fold-body">{children}</div>
  </details>
)
