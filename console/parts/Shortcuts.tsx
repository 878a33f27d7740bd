// console/parts/Shortcuts.tsx: the keyboard shortcuts of a page: an overview of them, and a switch that turns them off.
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Checkbox } from "#console/parts/Fields.tsx"

export interface Shortcut {
  readonly key: string
  readonly label: string
  readonly run: () => void
}

/** Stored in this browser and kept after signing out: the setting reveals nothing about the workspace. */
const storageKey = "overture.shortcuts"
const shortcutsEnabled = () => localStorage.getItem(storageKey) !== "off"

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], dialog"
  ) !== null

/** The pressed key; undefined with a modifier key, or while a text field, a menu or a dialog has the focus. */
const keyName = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.repeat ||
  event.isComposing ||
  event.altKey ||
  event.ctrlKey ||
  event.metaKey ||
  isTyping(event.target) ||
  document.querySelector("dialog[open]") !== null
    ? undefined
    : event.key

interface OverlayProps {
  readonly shortcuts: ReadonlyArray<Shortcut>
  readonly isOn: boolean
  readonly onSwitch: (on: boolean) => void
  readonly onClose: () => void
}

const ShortcutOverlay = ({ isOn, onClose, onSwitch, shortcuts }: OverlayProps) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="shortcuts">
      {[...shortcuts, { key: "?", label: "Show this overview" }].map(({ key, label }) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
    <Checkbox
      label="Use single-key shortcuts"
      checked={isOn}
      onChange={onSwitch}
      hint="Switch them off if you use speech input, or if a key does something that you do not expect."
    />
    <div class="actions">
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
)

export const Shortcuts = ({ shortcuts }: { readonly shortcuts: ReadonlyArray<Shortcut> }) => {
  const [isOn, setOn] = useState(shortcutsEnabled)
  const [isOpen, setOpen] = useState(false)
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  // A layout effect, so that a key works as soon as the element that announces it is shown.
  useLayoutEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      const key = keyName(event)
      const shortcut = latest.current.find((shortcut) => shortcut.key === key)
      if (shortcut === undefined && key !== "?") return
      // Otherwise the letter is typed into the field that the shortcut opens.
      event.preventDefault()
      if (shortcut === undefined) setOpen(true)
      else shortcut.run()
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [isOn])
  return (
    <>
      <p class="keys">
        <button type="button" class="link" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
          Keyboard shortcuts
        </button>
      </p>
      {isOpen && (
        <ShortcutOverlay
          shortcuts={shortcuts}
          isOn={isOn}
          onSwitch={(on) => {
            if (on) localStorage.removeItem(storageKey)
            else localStorage.setItem(storageKey, "off")
            setOn(on)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
