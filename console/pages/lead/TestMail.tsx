// console/pages/lead/TestMail.tsx: sends an email of a lead, or all of them, to the workspace's owner.
import { useState } from "preact/hooks"
import type { TestMailed } from "#schema/Review.ts"
import { useAction } from "#console/Requests.ts"
import { useSendsMail } from "#console/Mail.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { countOf } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly list: string
  readonly lead: string
  /** Which email; without it, all of them. */
  readonly step?: number
}

export const TestMail = ({ lead, list, step }: Props) => {
  const { ask } = useSession()
  const [result, setResult] = useState<TestMailed>()
  const send = useAction(async () => {
    setResult(undefined)
    const payload = step === undefined ? {} : { step }
    // Each press is another mail, so it has no Idempotency-Key: nothing repeats it.
    setResult(
      await ask((api) => api.review.sendTestMail({ params: { id: list, lead_id: lead }, headers: {}, payload }))
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
        aria-disabled={send.busy}
        onClick={send.start}
      >
        {send.busy ? "Sending…" : label}
      </button>
      <span class="quiet" role="status">
        {result && `${countOf(result.sent, "test mail")} sent to ${result.to}.`}
      </span>
      {send.problem && <ProblemNotice title="The test mail was not sent" problem={send.problem} />}
    </div>
  )
}
