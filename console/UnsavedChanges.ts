// console/UnsavedChanges.ts: counts unsaved changes, and asks before the page is left with any.
import { useEffect } from "preact/hooks"
import { countOf } from "#console/parts/Format.ts"

/** Changes that are not saved, by the form that holds them. */
const unsaved = new Map<string, number>()

const unsavedTotal = () => [...unsaved.values()].reduce((sum, changes) => sum + changes, 0)

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sets the number of unsaved changes of a form, effective immediately. */
export const noteUnsaved = (form: string, changes: number) => {
  if (changes === 0) unsaved.delete(form)
  else unsaved.set(form, changes)
  // A page with this listener is not kept for "back", so it is there only while something is unsaved.
  if (unsavedTotal() === 0) removeEventListener("beforeunload", onUnload)
  else addEventListener("beforeunload", onUnload)
}

export const isUnsaved = () => unsavedTotal() > 0

/** Whether the page may be left: nothing is unsaved, or the user agrees. */
export const confirmLeave = () =>
  !isUnsaved() || confirm(`${countOf(unsavedTotal(), "change")} not saved. Leave the page?`)

/** Counts the unsaved changes of a form for as long as it is on the page. */
export const useUnsaved = (form: string, changes: number) => {
  useEffect(() => {
    noteUnsaved(form, changes)
    return () => noteUnsaved(form, 0)
  }, [form, changes])
}
