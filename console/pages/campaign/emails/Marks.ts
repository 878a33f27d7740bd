// console/pages/campaign/emails/Marks.ts: marks the texts that findings are about, without changing what is edited.
import type { Finding } from "#schema/Findings.ts"
import { rangeOf } from "#console/pages/campaign/emails/EditorText.ts"

const registered = new Map<Finding["severity"], Highlight>()

/** Browsers without highlights show the findings below the text only. */
const highlightOf = (severity: Finding["severity"]) => {
  if (!("highlights" in CSS)) return undefined
  const known = registered.get(severity) ?? new Highlight()
  registered.set(severity, known)
  CSS.highlights.set(`finding-${severity}`, known)
  return known
}

/** Marks them in one element, and answers how to take the marks away. */
export const mark = (root: HTMLElement, findings: ReadonlyArray<Finding>) => {
  const marked = findings.flatMap(({ end, severity, start }) => {
    if (start === null || end === null) return []
    const highlight = highlightOf(severity)
    if (highlight === undefined) return []
    const range = rangeOf(root, { start, end })
    highlight.add(range)
    return [() => highlight.delete(range)]
  })
  return () => marked.forEach((remove) => remove())
}
