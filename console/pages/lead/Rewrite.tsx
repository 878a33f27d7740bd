// console/pages/lead/Rewrite.tsx: rewrites one or all emails of a lead, and shows the changes.
import { useState } from "preact/hooks"
import type { ReviewedEmail, ReviewedLead } from "#schema/Review.ts"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { ActionButton, ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { ProblemNotice, StatusText } from "#console/parts/Notices.tsx"
import { WordDiff } from "#console/parts/WordDiff.tsx"
import { useWriterKind } from "#console/parts/Writer.tsx"
import { OnLimitedPlan } from "#console/UnlimitedPlan.tsx"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly list: string
  readonly lead: ReviewedLead
  /** Which email; without it, all of them. */
  readonly step?: number
  readonly onRewritten: (lead: ReviewedLead) => void
  readonly onClose: () => void
}

interface OutcomeProps {
  readonly before: ReadonlyArray<ReviewedEmail>
  readonly after: ReadonlyArray<ReviewedEmail>
}

const changedEmails = ({ after, before }: OutcomeProps) =>
  before.flatMap((from) => {
    const to = after.find(({ step }) => step === from.step)
    return to === undefined || to.version === from.version ? [] : [{ from, to }]
  })

const RewriteResult = ({ after, before }: OutcomeProps) => {
  const changed = changedEmails({ after, before })
  const isOne = before.length === 1
  const kept = before.length - changed.length
  if (changed.length === 0) {
    return (
      <>
        <p>
          Nothing changed<OnLimitedPlan>, and nothing was charged</OnLimitedPlan>. The playbook has no other variant of{" "}
          {isOne ? "this email" : "these emails"}: add one to the campaign’s templates, or edit{" "}
          {isOne ? "the email" : "the emails"} here.
        </p>
        <StatusText>Nothing changed.</StatusText>
      </>
    )
  }
  return (
    <>
      <p class="quiet">
        <del>Before</del>, <ins>now</ins>. History has both versions.
        {kept > 0 && ` ${formatCount(kept, "email")} did not change.`}
      </p>
      {changed.map(({ from, to }) => (
        <section key={to.step}>
          {!isOne && <h3>Email {to.step}</h3>}
          <WordDiff from={from} to={to} show="both" />
        </section>
      ))}
      <StatusText>
        {isOne ? "The email was rewritten." : `${formatCount(changed.length, "email")} rewritten.`}
      </StatusText>
    </>
  )
}

interface KeepProps extends OutcomeProps, Pick<Props, "list" | "lead" | "onClose" | "onRewritten"> {}

/** The end of a rewrite: the new texts stay, or the ones before are restored. */
const KeepOrRestore = ({ after, before, lead, list, onClose, onRewritten }: KeepProps) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const [isRestored, setRestored] = useState(false)
  const changed = changedEmails({ after, before })
  const noun = changed.length === 1 ? "text" : "texts"
  const restore = useAction(async () => {
    for (const { from, to } of changed) {
      const params = { id: list, lead_id: lead.id, step: from.step }
      const payload = { version: from.version }
      const headers = idempotencyHeaders({ ...params, ...payload, from: to.version })
      await callApi((api) => api.review.restoreEmail({ params, headers, payload }))
    }
    onRewritten(await callApi((api) => api.review.getLead({ params: { id: list, lead_id: lead.id } })))
    setRestored(true)
  })
  if (isRestored || changed.length === 0) {
    return (
      <div class="actions">
        {isRestored && (
          <p role="status">
            The old {noun} {changed.length === 1 ? "is" : "are"} back. History has the new {noun}.
          </p>
        )}
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    )
  }
  return (
    <>
      {restore.problem && <ProblemNotice problem={restore.problem} />}
      <div class="actions">
        <button type="button" class="button primary" aria-disabled={restore.isBusy} onClick={onClose}>
          Keep the new {noun}
        </button>
        <ActionButton action={restore} busyLabel="Restoring…" onClick={restore.start}>
          Back to the old {noun}
        </ActionButton>
      </div>
    </>
  )
}

/** Warns that the rewrite replaces edited texts. */
const EditsNote = ({ emails }: { readonly emails: ReadonlyArray<ReviewedEmail> }) => {
  const edited = emails.filter((email) => email.edited)
  if (edited.length === 0) return null
  return (
    <p class="note">
      {emails.length === 1
        ? "This email was edited by a person. The rewrite replaces that text"
        : `Edited by a person: ${edited.map(({ step }) => `email ${step}`).join(", ")}. The rewrite replaces that text, too`}
      ; History keeps it.
    </p>
  )
}

export const Rewrite = ({ lead, list, onClose, onRewritten, step }: Props) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const writer = useWriterKind()
  // A copy of the texts, because `lead` has the new ones after the rewrite.
  const [before] = useState(() => lead.emails.filter((email) => step === undefined || email.step === step))
  const [after, setAfter] = useState<ReadonlyArray<ReviewedEmail>>()
  const [instruction, setInstruction] = useState("")
  const rewrite = useAction(async () => {
    const payload = {
      ...(step === undefined ? {} : { step }),
      ...(instruction.trim() === "" ? {} : { instruction })
    }
    const headers = idempotencyHeaders({ lead: lead.id, ...payload, from: before.map(({ version }) => version) })
    const changed = await callApi((api) =>
      api.review.rewriteLead({ params: { id: list, lead_id: lead.id }, headers, payload })
    )
    setAfter(changed.emails)
    onRewritten(changed)
  })
  const isAll = step === undefined
  const isDecided = lead.review.status !== "open"
  return (
    <Dialog class="broad" title={isAll ? "Rewrite all emails" : `Rewrite email ${step}`} onClose={onClose}>
      {after === undefined ? (
        <Form onSubmit={rewrite.start}>
          <p>
            {writer === "model"
              ? `The model writes ${isAll ? "all emails of this lead" : "this email"} again.`
              : `The next variant of ${isAll ? "each email's" : "this email's"} template is filled in.`}{" "}
            If {isAll ? "a" : "the"} text changes, the lead has to be reviewed again
            <OnLimitedPlan>, and it costs one credit{isAll && " for all of them"}</OnLimitedPlan>.
            {isDecided && ` It is ${lead.review.status} now.`}
          </p>
          <EditsNote emails={before} />
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
          <ActionOrCancel action={rewrite} busyLabel="Rewriting…" onCancel={onClose}>
            {before.some(({ edited }) => edited) ? "Replace edits" : "Rewrite"}
          </ActionOrCancel>
        </Form>
      ) : (
        <>
          <RewriteResult before={before} after={after} />
          <KeepOrRestore
            before={before}
            after={after}
            lead={lead}
            list={list}
            onClose={onClose}
            onRewritten={onRewritten}
          />
        </>
      )}
    </Dialog>
  )
}
