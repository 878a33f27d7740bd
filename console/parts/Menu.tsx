// console/parts/Menu.tsx: a button that opens a menu of actions, each of which does something or opens a dialog.
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Icon } from "#console/parts/Icon.tsx"

export interface MenuItem {
  readonly label: string
  readonly isDanger?: boolean
  /** A dialog, shown until it calls `close`. */
  readonly dialog: (close: () => void) => ComponentChildren
}

interface Props {
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
}

interface ListProps extends Props {
  readonly id: string
  readonly onChoose: (item: MenuItem) => void
  readonly onClose: () => void
}

/** The minimum distance to the edge of the window, in pixels. */
const margin = 8

/** The open menu. Arrow keys move the focus; Escape, Tab or a click elsewhere closes the menu. */
const MenuItems = ({ id, items, label, onChoose, onClose }: ListProps) => {
  const list = useRef<HTMLUListElement>(null)
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])]
  useEffect(() => {
    buttons()[0]?.focus()
    // The menu is aligned with its button's right edge, so it may extend past the left edge of a narrow window.
    const over = margin - (list.current?.getBoundingClientRect().left ?? margin)
    if (over > 0 && list.current !== null) list.current.style.right = `${-over}px`
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && list.current?.parentElement?.contains(event.target) === false) onClose()
    }
    document.addEventListener("pointerdown", onPress)
    return () => document.removeEventListener("pointerdown", onPress)
  }, [])
  const onKey = (event: KeyboardEvent) => {
    const all = buttons()
    const index = all.findIndex((button) => button === document.activeElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) all.at(next % all.length)?.focus()
    else if (event.key === "Escape" || event.key === "Tab") onClose()
    else return
    // Tab keeps its default, so that the focus moves on from the menu's button.
    if (event.key !== "Tab") event.preventDefault()
  }
  return (
    <ul ref={list} id={id} class="menu-items" role="menu" aria-label={label} onKeyDown={onKey}>
      {items.map((item) => (
        <li key={item.label} role="none">
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={item.isDanger === true ? "danger" : undefined}
            onClick={() => onChoose(item)}
          >
            {item.label}
          </button>
        </li>
      ))}
    </ul>
  )
}

export const Menu = ({ items, label }: Props) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setOpenDialogLabel] = useState<string>()
  const close = () => {
    // A dialog restores the focus on closing, and the menu item no longer exists then.
    button.current?.focus()
    setOpen(false)
  }
  const item = items.find((item) => item.label === chosen)
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class="button icon-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
        <span class="unseen">{label}</span>
      </button>
      {isOpen && (
        <MenuItems
          id={id}
          items={items}
          label={label}
          onClose={close}
          onChoose={(item) => {
            close()
            setOpenDialogLabel(item.label)
          }}
        />
      )}
      {item?.dialog(() => setOpenDialogLabel(undefined))}
    </div>
  )
}
