// console/pages/lead/Decision.tsx: the bar that approves, rejects and reopens a lead, and undoes the last decision.
import { useEffect, useState } from "preact/hooks"
import type { Review, ReviewStatus } from "#schema/ListLeads.ts"
import type { ReviewedLead } from "#schema/Review.ts"
import { Problem } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { ApproveAnyway, mustChange } from "#console/pages/lead/ApproveAnyway.tsx"
import { isUnsaved } from "#console/UnsavedChanges.ts"
import { ActionButton, ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { reviewState } from "#console/parts/Format.ts"
import { decideLead, undoOfferOn, undoLastDecision } from "#console/Decisions.ts"
import { useSession } from "#console/Session.tsx"

/** The code of a decision that has to wait until an email is saved. */
const unsaved = "UNSAVED"

export interface DecisionActions {
  readonly busy: boolean
  readonly problem: Problem | undefined
  /** Asks first if the emails must change and are to be approved. */
  readonly to: (status: ReviewStatus, note?: string) => void
  readonly undo: () => void
  /** Whether it asks if emails that must change are approved. */
  readonly isAsking: boolean
  readonly answer: (isApproved: boolean) => void
}

/** Decides about one lead, one decision at a time. */
export const useDecision = (
  list: string,
  lead: ReviewedLead | undefined,
  onDecided: (lead: ReviewedLead) => Promise<void>,
  onUndone: (lead: ReviewedLead) => void
): DecisionActions => {
  const session = useSession()
  const [wanted, setWanted] = useState<Pick<Review, "status" | "note">>()
  const [asking, setAsking] = useState<string>()
  const deciding = useAction(async () => {
    if (lead === undefined || wanted === undefined) return
    if (isUnsaved()) throw new Problem(unsaved, "An email has changes that are not saved. Save or cancel them first.")
    const after = await decideLead(session, list, lead, { ...wanted, page: lead.position })
    setAsking(undefined)
    await onDecided(after)
  })
  const undoing = useAction(async () => {
    const undone = await undoLastDecision(session, list)
    if (undone !== undefined) onUndone(undone)
  })
  useEffect(() => {
    if (wanted !== undefined) deciding.start()
  }, [wanted])
  return {
    busy: deciding.busy || undoing.busy,
    // Once the emails are saved or cancelled, nothing keeps the decision any more.
    problem: (deciding.problem?.code === unsaved && !isUnsaved() ? undefined : deciding.problem) ?? undoing.problem,
    to: (status, note) => {
      if (status === "approved" && lead?.suppressed === null && !isUnsaved() && mustChange(lead.emails)) {
        setAsking(lead.id)
      } else setWanted({ status, note: note?.trim() || null })
    },
    undo: undoing.start,
    isAsking: asking !== undefined && asking === lead?.id,
    answer: (isApproved) => {
      if (isApproved) setWanted({ status: "approved", note: null })
      else setAsking(undefined)
    }
  }
}

interface NoteProps {
  readonly doing: DecisionActions
  readonly onClose: () => void
}

const RejectDialog = ({ doing, onClose }: NoteProps) => {
  const [note, setNote] = useState("")
  const reject = () => doing.to("rejected", note)
  return (
    <Dialog title="Reject with a note" onClose={onClose}>
      <Form onSubmit={reject}>
        <TextInput
          label="Note"
          hint="Shown with the lead, and exported with all columns."
          rows={3}
          value={note}
          maxLength={2000}
          onInput={setNote}
          onEnter={reject}
          issue={issueAt(doing.problem, "note")}
        />
        <FormTrouble problem={doing.problem} fields={["note"]} />
        <ActionOrCancel kind="danger" doing={doing} busy="Saving…" onCancel={onClose}>
          Reject
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

/** The second click of a double click is about another lead once the next one has opened. */
const onceOnly = ({ detail }: MouseEvent, act: () => void) => {
  if (detail < 2) act()
}

interface ButtonProps {
  readonly lead: ReviewedLead
  readonly doing: DecisionActions
  readonly onNote: () => void
}

const DecisionButtons = ({ doing, lead, onNote }: ButtonProps) => {
  const { status } = lead.review
  return (
    <div class="actions">
      {/* Both stay in their place, so that a double click on one does not hit the other. */}
      <ActionButton
        kind="primary"
        doing={doing}
        busy="Approve"
        shortcut="a"
        disabled={status === "approved" || lead.suppressed !== null}
        onClick={(event) => onceOnly(event, () => doing.to("approved"))}
      >
        Approve
      </ActionButton>
      <ActionButton
        kind="danger"
        doing={doing}
        busy="Reject"
        shortcut="x"
        disabled={status === "rejected"}
        onClick={(event) => onceOnly(event, () => doing.to("rejected"))}
      >
        Reject
      </ActionButton>
      {status !== "rejected" && (
        <button type="button" class="button" onClick={onNote}>
          Reject with a note
        </button>
      )}
      {status !== "open" && (
        <ActionButton doing={doing} busy="Reopen" onClick={() => doing.to("open")}>
          Reopen
        </ActionButton>
      )}
    </div>
  )
}

interface LastDecisionProps {
  readonly last: NonNullable<ReturnType<typeof undoOfferOn>>
  readonly onUndo: () => void
}

export const LastDecision = ({ last: { lead, status }, onUndo }: LastDecisionProps) => (
  <>
    <span>
      {lead.name ?? lead.email}: {reviewState[status][0].toLowerCase()}.
    </span>{" "}
    <button type="button" class="link" aria-keyshortcuts="u" onClick={onUndo}>
      Undo
    </button>
  </>
)

interface Props {
  readonly list: string
  readonly lead: ReviewedLead
  readonly doing: DecisionActions
}

export const DecisionBar = ({ doing, lead, list }: Props) => {
  const [isNoting, setNoting] = useState(false)
  const { status } = lead.review
  const last = undoOfferOn(list, lead.position)
  useEffect(() => setNoting(false), [status])
  return (
    <section class="decision" aria-label="Review">
      {doing.problem && !isNoting && !doing.isAsking && (
        <ProblemNotice problem={doing.problem} title="The review is unchanged" />
      )}
      <DecisionButtons lead={lead} doing={doing} onNote={() => setNoting(true)} />
      <p class="decided" role="status">
        {last && <LastDecision last={last} onUndo={doing.undo} />}
      </p>
      {doing.isAsking && (
        <ApproveAnyway
          name={lead.name ?? lead.email}
          emails={lead.emails}
          doing={doing}
          onApprove={() => doing.answer(true)}
          onClose={() => doing.answer(false)}
        />
      )}
      {isNoting && <RejectDialog doing={doing} onClose={() => setNoting(false)} />}
    </section>
  )
}
