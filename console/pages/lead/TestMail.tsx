// console/pages/lead/TestMail.tsx: sends an email of a lead, or all of them, to the workspace's owner.
import { useState } from "preact/hooks"
import type { TestMailed } from "#schema/Review.ts"
import { useAction } from "#console/Requests.ts"
import { useSendsMail } from "#console/MailStatus.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly list: string
  readonly leadId: string
  /** Which email; without it, all of them. */
  readonly step?: number
}

export const TestMail = ({ leadId, list, step }: Props) => {
  const { callApi } = useSession()
  const [result, setResult] = useState<TestMailed>()
  const send = useAction(async () => {
    setResult(undefined)
    const payload = step === undefined ? {} : { step }
    // No Idempotency-Key: each click sends another mail.
    setResult(
      await callApi((api) => api.review.sendTestMail({ params: { id: list, lead_id: leadId }, headers: {}, payload }))
    )
  })
  const sendsMail = useSendsMail()
  if (sendsMail === undefined || (sendsMail === false && step !== undefined)) return null
  if (sendsMail === false) {
    return (
      <p class="quiet">To send these emails to yourself as a test, ask the person who runs Overture to set up mail.</p>
    )
  }
  const label = step === undefined ? "Send all emails to myself" : "Send to myself"
  return (
    <div class="test-mail">
      <button
        type="button"
        class="link"
        aria-label={step === undefined ? label : `${label}: email ${step}`}
        aria-disabled={send.isBusy}
        onClick={send.start}
      >
        {send.isBusy ? "Sending…" : label}
      </button>
      <span class="quiet" role="status">
        {result && `${formatCount(result.sent, "test mail")} sent to ${result.to}.`}
      </span>
      {send.problem && <ProblemNotice title="The test mail was not sent" problem={send.problem} />}
    </div>
  )
}
