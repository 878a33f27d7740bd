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
  about: Omit<LintInput, "subject" | "body">,
  { body, subject }: LintedText,
  saved: LintedFindings
): ReadonlyArray<Finding> | undefined => {
  const { ask } = useSession()
  const [last, setLast] = useState<LintedFindings>()
  const isSaved = subject === saved.subject && body === saved.body
  useEffect(() => {
    if (isSaved || body.trim() === "") return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const left = body.length - body.trimStart().length
      ask((api) => api.lint.lint({ payload: { ...about, subject, body: body.trim() } }), stop.signal).then(
        ({ findings }) => setLast({ subject, body, findings: findings.map((finding) => shiftFinding(finding, left)) }),
        // The server checks the text once more when it is saved, and then says what is wrong.
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
