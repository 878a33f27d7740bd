// console/UnsavedChanges.ts: holds what is not saved, and asks before it is lost.
import { useLayoutEffect, useState } from "preact/hooks"
import { onSignOut } from "#console/Session.tsx"
import { formatCount } from "#console/parts/Format.ts"

/** A number of changes, or a sentence about work that is no change. */
type Held = number | string

interface Unsaved {
  readonly held: Held
  /** Whether the form shows it again when the user returns to its page. The tab keeps it until it is closed. */
  readonly isKept: boolean
  readonly isOnPage: boolean
  /** Whether the user left the page, or reloaded it, since it was typed. */
  readonly isFromBefore: boolean
}

/** Drafts of the tab's storage are named by their key. */
const draftPrefixes = ["overture.draft.", "overture.emails."]

const storedDrafts = () =>
  Object.keys(sessionStorage).filter((key) => draftPrefixes.some((prefix) => key.startsWith(prefix)))

/** What is not saved, by the form that holds it. */
const unsaved = new Map<string, Unsaved>(
  storedDrafts().map((form) => [form, { held: 1, isKept: true, isOnPage: false, isFromBefore: true }])
)

const listeners = new Set<() => void>()

const textOf = (forms: ReadonlyArray<Unsaved>) => {
  const all = forms.map(({ held }) => held)
  const changes = all.filter((held) => typeof held === "number").reduce((sum, changes) => sum + changes, 0)
  const sentences = all.filter((held) => typeof held === "string")
  return [...(changes === 0 ? [] : [`${formatCount(changes, "change")} not saved.`]), ...sentences].join(" ")
}

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

const update = (form: string, next: Unsaved | undefined) => {
  if (next === undefined) unsaved.delete(form)
  else unsaved.set(form, next)
  // A page with a `beforeunload` listener is not kept in the back/forward cache, so the listener exists only while something is unsaved.
  if (unsaved.size === 0) removeEventListener("beforeunload", onUnload)
  else addEventListener("beforeunload", onUnload)
  for (const listener of listeners) listener()
}

if (unsaved.size > 0) addEventListener("beforeunload", onUnload)

// Signing out clears the tab's storage, and what its modules hold.
onSignOut(() => {
  for (const [form, { isOnPage }] of unsaved) if (!isOnPage) update(form, undefined)
})

/** Sets what a form of the page has not saved, effective immediately; 0 for nothing. `isKept` if it is there again on return. */
export const setUnsaved = (form: string, held: Held, isKept = false) => {
  const before = unsaved.get(form)
  const isFromBefore = before !== undefined && (before.isFromBefore || !before.isOnPage)
  update(form, held === 0 ? undefined : { held, isKept, isOnPage: true, isFromBefore })
}

const leavePage = (form: string) => {
  const left = unsaved.get(form)
  if (left !== undefined) update(form, left.isKept ? { ...left, isOnPage: false } : undefined)
}

/** Whether the tab has anything unsaved, on this page or another. */
export const isUnsaved = () => unsaved.size > 0

/** Whether a form of this page has anything unsaved. */
export const isUnsavedOnPage = () => [...unsaved.values()].some(({ isOnPage }) => isOnPage)

/** Whether the page may be left: what would be lost is nothing, or the user agrees. */
export const confirmLeave = () => {
  const lost = [...unsaved.values()].filter(({ isKept }) => !isKept)
  return lost.length === 0 || confirm(`${textOf(lost)} Leave the page?`)
}

/** Whether the user may be signed out, which drops everything that is unsaved. */
export const confirmSignOut = () => !isUnsaved() || confirm(`${textOf([...unsaved.values()])} Sign out?`)

/** Holds what a form has not saved; unless it is kept, for as long as the form is on the page. */
export const useUnsaved = (form: string, held: Held, isKept = false) => {
  // Layout effects, because an effect runs only after the next paint, and the user may leave before it.
  useLayoutEffect(() => setUnsaved(form, held, isKept), [form, held, isKept])
  useLayoutEffect(() => () => leavePage(form), [form])
}

const isTypedBefore = () =>
  [...unsaved.values()].some(({ held, isFromBefore, isOnPage }) => isOnPage && isFromBefore && typeof held === "number")

/** Whether a form of the page shows changes from before it was left or reloaded. */
export const useIsTypedBefore = () => {
  const [isTyped, setTyped] = useState(isTypedBefore)
  useLayoutEffect(() => {
    const listener = () => setTyped(isTypedBefore())
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return isTyped
}
