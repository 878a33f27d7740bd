// console/pages/campaign/emails/Lint.ts: findings about a template while it is edited.
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import type { Template } from "#schema/Playbook.ts"
import { wholeSpan } from "#console/pages/campaign/emails/Liquid.ts"
import { useSession } from "#console/Session.tsx"

/** The server takes a body without the space around it. */
const shifted = (finding: Finding, by: number): Finding => {
  const { end, place, start } = finding
  return place !== "body" || start === null || end === null ? finding : { ...finding, start: start + by, end: end + by }
}

interface Text {
  readonly subject: string
  readonly body: string
}

/** Milliseconds after the last letter until the checker is asked. */
const pause = 600

const none: ReadonlyArray<Finding> = []

/** A finding inside a variable is about the whole variable, which is shown as one chip. */
const widened = (findings: ReadonlyArray<Finding>, text: Text): ReadonlyArray<Finding> =>
  findings.map((finding) => {
    const { end, place, start } = finding
    if (place === "sequence" || start === null || end === null || finding.suggestion !== null) return finding
    return { ...finding, ...wholeSpan(text[place], start, end) }
  })

/** The findings of exactly this text; undefined while they are not known. */
export const useFindings = (
  campaign: string,
  template: Template,
  { body, subject }: Text
): ReadonlyArray<Finding> | undefined => {
  const { ask } = useSession()
  const [last, setLast] = useState<Text & { readonly findings: ReadonlyArray<Finding> }>()
  const isSaved = subject === template.subject && body === template.body
  useEffect(() => {
    if (isSaved || body.trim() === "") return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const payload = { subject, body: body.trim(), step: template.step, campaign_id: campaign, template: true }
      const left = body.length - body.trimStart().length
      ask((api) => api.lint.lint({ payload }), stop.signal).then(
        ({ findings }) => {
          const placed = findings.map((finding) => shifted(finding, left))
          setLast({ subject, body, findings: widened(placed, { subject, body }) })
        },
        // The server checks the template once more when it is saved, and then says what is wrong.
        () => setLast({ subject, body, findings: none })
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [subject, body, isSaved])
  const saved = useMemo(() => widened(template.findings, template), [template])
  if (isSaved) return saved
  return last?.subject === subject && last.body === body ? last.findings : undefined
}
