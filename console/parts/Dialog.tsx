// console/parts/Dialog.tsx: a question or a small form over the page, one at a time.
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"

interface Props {
  /** `broad` for texts that are compared. */
  readonly class?: "broad"
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Open while it is rendered. Escape closes it, and the focus returns to where it was. */
export const Dialog = ({ children, class: width, onClose, title }: Props) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      // The dialog is gone from the page by then, and the browser gives the focus back only to one that is closed.
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={width}
      aria-labelledby={id}
      // A browser may close it without asking first.
      onClose={onClose}
      onCancel={(event) => {
        // A file chooser within it that is cancelled says so in the same way.
        if (event.target === dialog.current) onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ButtonProps {
  readonly label: string
  /** What it is about, for screen readers, where several buttons have the same label. */
  readonly about?: string | undefined
  readonly kind?: "primary" | "plain"
  /** What is shown while it is open, usually a `Dialog`. */
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog. */
export const DialogButton = ({ about, children, kind = "plain", label }: ButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class={`button ${kind}`} onClick={() => setOpen(true)}>
        {label}
        {about !== undefined && <span class="unseen"> {about}</span>}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
