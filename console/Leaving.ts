// console/Leaving.ts: asks before a page with unsaved changes is left.
import { useEffect } from "preact/hooks"

let question: string | undefined

/** Whether the page may be left: it has nothing unsaved, or the person agrees. */
export const mayLeave = () => question === undefined || confirm(question)

/** Asks this question when the page is left; undefined when nothing is unsaved. */
export const useQuestion = (asked: string | undefined) => {
  useEffect(() => {
    question = asked
    if (asked === undefined) return
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", unload)
    return () => {
      question = undefined
      removeEventListener("beforeunload", unload)
    }
  }, [asked])
}
