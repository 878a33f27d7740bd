// console/parts/Dialog.tsx: a question or a small form over the page, one at a time.
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"

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
  // A layout effect, so that a key that is pressed before the next paint does not reach the page behind it.
  useLayoutEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // The browser restores the focus when a dialog is closed, but not when it is removed. While it is there, nothing behind it can
    // have the focus.
    return () =>
      queueMicrotask(() => {
        if (opener instanceof HTMLElement) opener.focus()
      })
  }, [])
  return (
    <dialog
      ref={dialog}
      class={width}
      aria-labelledby={id}
      // A browser may close the dialog without a cancel event.
      onClose={onClose}
      onCancel={(event) => {
        // Cancelling a file chooser inside the dialog also sends a cancel event here.
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
  /** Added to the label for screen readers, where several buttons have the same label. */
  readonly about?: string | undefined
  readonly kind?: "primary" | "plain"
  /** Rendered while it is open, usually a `Dialog`. */
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
