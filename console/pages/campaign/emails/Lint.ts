// console/pages/campaign/emails/Lint.ts: findings about a template while it is edited.
import { useEffect, useState } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import type { Template } from "#schema/Playbook.ts"
import { useSession } from "#console/Session.tsx"

interface Text {
  readonly subject: string
  readonly body: string
}

/** Milliseconds after the last letter until the checker is asked. */
const pause = 600

const none: ReadonlyArray<Finding> = []

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
      const payload = { subject, body, step: template.step, campaign_id: campaign, template: true }
      ask((api) => api.lint.lint({ payload }), stop.signal).then(
        ({ findings }) => setLast({ subject, body, findings }),
        // The server checks the template once more when it is saved, and then says what is wrong.
        () => setLast({ subject, body, findings: none })
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [subject, body, isSaved])
  if (isSaved) return template.findings
  return last?.subject === subject && last.body === body ? last.findings : undefined
}
