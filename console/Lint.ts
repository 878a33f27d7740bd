// console/Lint.ts: the findings of the checker about a text while it is edited.
import { useEffect, useState } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import type { LintInput } from "#schema/Lint.ts"
import { useSession } from "#console/Session.tsx"

/** The server receives the body without surrounding space, so its offsets are shifted. */
const shiftFinding = (finding: Finding, by: number): Finding => {
  const { end, place, start } = finding
  return place !== "body" || start === null || end === null ? finding : { ...finding, start: start + by, end: end + by }
}

interface LintedText {
  readonly subject: string
  readonly body: string
}

type LintedFindings = LintedText & { readonly findings: ReadonlyArray<Finding> }

/** Milliseconds after the last keystroke until the text is checked. */
const lintDelay = 600

const noFindings: ReadonlyArray<Finding> = []

/** The findings of exactly this text; undefined until the checker has answered. */
export const useLint = (
  context: Omit<LintInput, "subject" | "body">,
  { body, subject }: LintedText,
  saved: LintedFindings
): ReadonlyArray<Finding> | undefined => {
  const { callApi } = useSession()
  const [last, setLast] = useState<LintedFindings>()
  const isSaved = subject === saved.subject && body === saved.body
  useEffect(() => {
    if (isSaved || body.trim() === "") return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const left = body.length - body.trimStart().length
      callApi((api) => api.lint.lint({ payload: { ...context, subject, body: body.trim() } }), stop.signal).then(
        ({ findings }) => setLast({ subject, body, findings: findings.map((finding) => shiftFinding(finding, left)) }),
        // A failed check is ignored: the server checks the text again when it is saved, and reports errors then.
        () => setLast({ subject, body, findings: noFindings })
      )
    }, lintDelay)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [subject, body, isSaved])
  if (isSaved) return saved.findings
  return last?.subject === subject && last.body === body ? last.findings : undefined
}
