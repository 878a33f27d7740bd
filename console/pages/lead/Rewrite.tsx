// console/pages/lead/Rewrite.tsx: writes one email of a lead again, and shows what that changed.
import { useState } from "preact/hooks"
import type { ReviewedEmail, ReviewedLead } from "#schema/Review.ts"
import { useAction, useIdempotencyKey } from "#console/Requests.ts"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { StatusText } from "#console/parts/Notices.tsx"
import { WordDiff } from "#console/parts/WordDiff.tsx"
import { useWriterKind } from "#console/parts/Writer.tsx"
import { OnLimitedPlan } from "#console/UnlimitedPlan.tsx"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly list: string
  readonly lead: ReviewedLead
  readonly email: ReviewedEmail
  readonly onRewritten: (lead: ReviewedLead) => void
  readonly onClose: () => void
}

const Outcome = ({ after, before }: { readonly before: ReviewedEmail; readonly after: ReviewedEmail }) =>
  after.version === before.version ? (
    <>
      <p>
        Nothing changed<OnLimitedPlan>, and nothing was charged</OnLimitedPlan>. The playbook has no other variant of
        this email: add one to the campaign’s templates, or edit the email here.
      </p>
      <StatusText>Nothing changed.</StatusText>
    </>
  ) : (
    <>
      <p class="quiet">
        <del>Before</del>, <ins>now</ins>. History has both versions.
      </p>
      <WordDiff from={before} to={after} show="both" />
      <StatusText>The email was rewritten.</StatusText>
    </>
  )

export const Rewrite = ({ email, lead, list, onClose, onRewritten }: Props) => {
  const { ask } = useSession()
  const once = useIdempotencyKey()
  const writer = useWriterKind()
  // The text of before, since `email` is the new one afterwards.
  const [before] = useState(email)
  const [after, setAfter] = useState<ReviewedEmail>()
  const [instruction, setInstruction] = useState("")
  const rewrite = useAction(async () => {
    const payload = { step: email.step, ...(instruction.trim() === "" ? {} : { instruction }) }
    const headers = once({ lead: lead.id, ...payload, from: email.version })
    const changed = await ask((api) =>
      api.review.rewriteLead({ params: { id: list, lead_id: lead.id }, headers, payload })
    )
    setAfter(changed.emails.find(({ step }) => step === email.step))
    onRewritten(changed)
  })
  return (
    <Dialog class="broad" title={`Rewrite email ${email.step}`} onClose={onClose}>
      {after === undefined ? (
        <Form onSubmit={rewrite.start}>
          <p>
            {writer === "model"
              ? "The model writes this email again."
              : "The next variant of this email's template is filled in."}{" "}
            If the text changes, the lead is open again<OnLimitedPlan>, and it costs one credit</OnLimitedPlan>.
          </p>
          {writer === "model" && (
            <TextInput
              label="Instruction"
              hint="Optional. For example: shorter, and ask about their night shift."
              rows={3}
              value={instruction}
              maxLength={2000}
              onInput={setInstruction}
              issue={issueAt(rewrite.problem, "instruction")}
            />
          )}
          <FormTrouble problem={rewrite.problem} fields={["instruction"]} />
          <ActionOrCancel doing={rewrite} busy="Rewriting…" onCancel={onClose}>
            Rewrite
          </ActionOrCancel>
        </Form>
      ) : (
        <>
          <Outcome before={before} after={after} />
          <div class="actions">
            <button type="button" class="button" onClick={onClose}>
              Close
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
