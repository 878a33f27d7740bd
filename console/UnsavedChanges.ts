// console/UnsavedChanges.ts: counts unsaved changes, and asks before the page is left with any.
import { useEffect } from "preact/hooks"
import { formatCount } from "#console/parts/Format.ts"

/** Changes that are not saved, by the form that holds them. */
const changesByForm = new Map<string, number>()

const unsavedTotal = () => [...changesByForm.values()].reduce((sum, changes) => sum + changes, 0)

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sets the number of unsaved changes of a form, effective immediately. */
export const setUnsavedChanges = (form: string, changes: number) => {
  if (changes === 0) changesByForm.delete(form)
  else changesByForm.set(form, changes)
  // A page with a `beforeunload` listener is not kept in the back/forward cache, so the listener exists only while something is unsaved.
  if (unsavedTotal() === 0) removeEventListener("beforeunload", onUnload)
  else addEventListener("beforeunload", onUnload)
}

export const isUnsaved = () => unsavedTotal() > 0

/** Whether the page may be left: nothing is unsaved, or the user agrees. */
export const confirmLeave = () =>
  !isUnsaved() || confirm(`${formatCount(unsavedTotal(), "change")} not saved. Leave the page?`)

/** Counts the unsaved changes of a form for as long as it is on the page. */
export const useUnsaved = (form: string, changes: number) => {
  useEffect(() => {
    setUnsavedChanges(form, changes)
    return () => setUnsavedChanges(form, 0)
  }, [form, changes])
}
