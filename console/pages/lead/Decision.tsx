// console/pages/lead/Decision.tsx: the bar that approves, rejects or reopens a lead, and undoes the last decision.
import { useEffect, useState } from "preact/hooks"
import type { Review, ReviewStatus } from "#schema/ListLeads.ts"
import type { ReviewedLead } from "#schema/Review.ts"
import { Problem } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { ApproveAnyway, hasFailingFindings } from "#console/pages/lead/ApproveAnyway.tsx"
import { isUnsavedOnPage } from "#console/UnsavedChanges.ts"
import { ActionButton, ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { versionsOf } from "#console/LeadOrder.ts"
import { reviewState } from "#console/parts/Format.ts"
import { decideLead, type DecisionPage, undoneOn, undoOfferOn, undoLastDecision } from "#console/Decisions.ts"
import { useSession } from "#console/Session.tsx"

/** The problem code of a decision made while an email has unsaved changes. */
const unsaved = "UNSAVED"

export interface DecisionActions {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  /** Records a decision. Approving emails that must change asks for confirmation first. */
  readonly decide: (status: ReviewStatus, note?: string) => void
  readonly undo: () => void
  /** Whether the confirmation dialog is open. */
  readonly isConfirming: boolean
  readonly answerConfirm: (isApproved: boolean) => void
}

interface DecisionContext {
  readonly list: string
  readonly lead: ReviewedLead | undefined
  readonly onReloaded: (lead: ReviewedLead) => void
}

/** Decides about one lead, one decision at a time. Shows the lead again if an email that is approved was changed meanwhile. */
export const useDecision = (
  { lead, list, onReloaded }: DecisionContext,
  onDecided: (lead: ReviewedLead) => Promise<void>,
  onUndone: (lead: ReviewedLead) => void
): DecisionActions => {
  const session = useSession()
  const [pendingDecision, setPendingDecision] = useState<Pick<Review, "status" | "note">>()
  const [confirmingLeadId, setConfirmingLeadId] = useState<string>()
  const deciding = useAction(async () => {
    if (lead === undefined || pendingDecision === undefined) return
    if (isUnsavedOnPage())
      throw new Problem(unsaved, "An email has changes that are not saved. Save or cancel them first.")
    const versions = versionsOf(lead.emails)
    const reviewedLead = await decideLead(session, list, lead, {
      ...pendingDecision,
      page: lead.position,
      ...(pendingDecision.status === "approved" ? { versions } : {})
    }).catch(async (error: unknown) => {
      if (error instanceof Problem && error.code === "CONFLICT") {
        const params = { id: list, lead_id: lead.id }
        onReloaded(await session.callApi((api) => api.review.getLead({ params })))
      }
      throw error
    })
    setConfirmingLeadId(undefined)
    await onDecided(reviewedLead)
  })
  const undoing = useAction(async () => {
    if (lead === undefined) return
    const undone = await undoLastDecision(session, list, lead.position)
    if (undone !== undefined) onUndone(undone)
  })
  useEffect(() => {
    if (pendingDecision !== undefined) deciding.start()
  }, [pendingDecision])
  return {
    isBusy: deciding.isBusy || undoing.isBusy,
    // Hides the problem once the emails are saved or cancelled.
    problem:
      (deciding.problem?.code === unsaved && !isUnsavedOnPage() ? undefined : deciding.problem) ?? undoing.problem,
    decide: (status, note) => {
      if (status === "approved" && lead?.suppressed === null && !isUnsavedOnPage() && hasFailingFindings(lead.emails)) {
        setConfirmingLeadId(lead.id)
      } else setPendingDecision({ status, note: note?.trim() || null })
    },
    undo: undoing.start,
    isConfirming: confirmingLeadId !== undefined && confirmingLeadId === lead?.id,
    answerConfirm: (isApproved) => {
      if (isApproved) setPendingDecision({ status: "approved", note: null })
      else setConfirmingLeadId(undefined)
    }
  }
}

interface NoteProps {
  readonly decisionActions: DecisionActions
  readonly onClose: () => void
}

const RejectDialog = ({ decisionActions, onClose }: NoteProps) => {
  const [note, setNote] = useState("")
  const reject = () => decisionActions.decide("rejected", note)
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
          issue={issueAt(decisionActions.problem, "note")}
        />
        <FormTrouble problem={decisionActions.problem} fields={["note"]} />
        <ActionOrCancel kind="danger" action={decisionActions} busyLabel="Saving…" onCancel={onClose}>
          Reject
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

/** Ignores the second click of a double click, which would decide the next lead. */
const onceOnly = ({ detail }: MouseEvent, act: () => void) => {
  if (detail < 2) act()
}

interface ButtonProps {
  readonly lead: ReviewedLead
  readonly decisionActions: DecisionActions
  readonly onRejectWithNote: () => void
}

const DecisionButtons = ({ decisionActions, lead, onRejectWithNote }: ButtonProps) => {
  const { status } = lead.review
  return (
    <div class="actions">
      {/* Both buttons keep their place, so that a double click does not hit the other one. */}
      <ActionButton
        kind="primary"
        action={decisionActions}
        busyLabel="Approve"
        shortcut="a"
        disabled={status === "approved" || lead.suppressed !== null}
        onClick={(event) => onceOnly(event, () => decisionActions.decide("approved"))}
      >
        Approve
      </ActionButton>
      <ActionButton
        kind="danger"
        action={decisionActions}
        busyLabel="Reject"
        shortcut="x"
        disabled={status === "rejected"}
        onClick={(event) => onceOnly(event, () => decisionActions.decide("rejected"))}
      >
        Reject
      </ActionButton>
      {status !== "rejected" && (
        <button type="button" class="button" onClick={onRejectWithNote}>
          Reject with a note
        </button>
      )}
      {status !== "open" && (
        <ActionButton action={decisionActions} busyLabel="Reopen" onClick={() => decisionActions.decide("open")}>
          Reopen
        </ActionButton>
      )}
    </div>
  )
}

interface LastDecisionProps {
  readonly list: string
  readonly page: DecisionPage
  readonly onUndo: () => void
}

/** What was undone on this page, and the last decision that the page offers to undo. */
export const LastDecision = ({ list, onUndo, page }: LastDecisionProps) => {
  const undone = undoneOn(list, page)
  const last = undoOfferOn(list, page)
  return (
    <>
      {undone !== undefined && <span>{undone} </span>}
      {last && (
        <>
          <span>
            {last.lead.name ?? last.lead.email}: {reviewState[last.status][0].toLowerCase()}.
          </span>{" "}
          <button type="button" class="link" aria-keyshortcuts="u" onClick={onUndo}>
            Undo
          </button>
        </>
      )}
    </>
  )
}

interface Props {
  readonly list: string
  readonly lead: ReviewedLead
  readonly decisionActions: DecisionActions
}

/** Of a lead without emails it only says what was undone, or why nothing was. */
export const DecisionBar = ({ decisionActions, lead, list }: Props) => {
  const [isNoting, setNoting] = useState(false)
  const { status } = lead.review
  useEffect(() => setNoting(false), [status])
  return (
    <section class="decision" aria-label="Review">
      {decisionActions.problem && !isNoting && !decisionActions.isConfirming && (
        <ProblemNotice problem={decisionActions.problem} title="The review is unchanged" />
      )}
      {lead.emails.length > 0 && (
        <DecisionButtons lead={lead} decisionActions={decisionActions} onRejectWithNote={() => setNoting(true)} />
      )}
      <p class="decided" role="status">
        <LastDecision list={list} page={lead.position} onUndo={decisionActions.undo} />
      </p>
      {decisionActions.isConfirming && (
        <ApproveAnyway
          name={lead.name ?? lead.email}
          emails={lead.emails}
          action={decisionActions}
          onApprove={() => decisionActions.answerConfirm(true)}
          onClose={() => decisionActions.answerConfirm(false)}
        />
      )}
      {isNoting && <RejectDialog decisionActions={decisionActions} onClose={() => setNoting(false)} />}
    </section>
  )
}
