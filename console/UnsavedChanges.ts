// console/UnsavedChanges.ts: holds what is not saved, and asks before the page is left with any.
import { useEffect } from "preact/hooks"
import { formatCount } from "#console/parts/Format.ts"

/** What is not saved, by the form that holds it: a number of changes, or a sentence about work that is no change. */
const unsaved = new Map<string, number | string>()

const isCount = (held: number | string): held is number => typeof held === "number"

const unsavedText = () => {
  const held = [...unsaved.values()]
  const changes = held.filter(isCount).reduce((sum, changes) => sum + changes, 0)
  const sentences = held.filter((one) => !isCount(one))
  return [...(changes === 0 ? [] : [`${formatCount(changes, "change")} not saved.`]), ...sentences].join(" ")
}

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sets what a form has not saved, effective immediately; 0 for nothing. */
export const setUnsaved = (form: string, held: number | string) => {
  if (held === 0) unsaved.delete(form)
  else unsaved.set(form, held)
  // A page with a `beforeunload` listener is not kept in the back/forward cache, so the listener exists only while something is unsaved.
  if (unsaved.size === 0) removeEventListener("beforeunload", onUnload)
  else addEventListener("beforeunload", onUnload)
}

export const isUnsaved = () => unsaved.size > 0

/** Whether the page may be left: nothing is unsaved, or the user agrees. */
export const confirmLeave = () => !isUnsaved() || confirm(`${unsavedText()} Leave the page?`)

/** Holds what a form has not saved for as long as it is on the page. */
export const useUnsaved = (form: string, held: number | string) => {
  useEffect(() => {
    setUnsaved(form, held)
    return () => setUnsaved(form, 0)
  }, [form, held])
}
