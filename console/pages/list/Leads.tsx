// console/pages/list/Leads.tsx: the leads of a list: the review queue, the filter and the table.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { ReviewStatus } from "#schema/ListLeads.ts"
import type { List } from "#schema/Lists.ts"
import type { BulkReviewed, LastBulkReview } from "#schema/Review.ts"
import { Problem } from "#console/Api.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import {
  type Filter,
  lastFilter,
  type LeadOrder,
  getOrCreateOrder,
  type Row,
  setLastFilter,
  versionsOf
} from "#console/LeadOrder.ts"
import { BulkReview, bulkReviewLabel, notApprovedText } from "#console/pages/list/BulkReview.tsx"
import { type LeadCounts, useLeadCounts, useListStage } from "#console/pages/list/LeadCounts.ts"
import { LeadFilter } from "#console/pages/list/LeadFilter.tsx"
import { LeadTable } from "#console/pages/list/LeadTable.tsx"
import { useStartReview } from "#console/pages/list/StartReview.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { DialogButton } from "#console/parts/Dialog.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { RequireScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { formatCount, formatMoment, formatNumber, reviewState } from "#console/parts/Format.ts"
import { decideLead, undoneOn, dropUndoOffers, expireUndoOffer, undoLastDecision } from "#console/Decisions.ts"
import { LastDecision } from "#console/pages/lead/Decision.tsx"
import { ApproveListedAnyway } from "#console/pages/lead/ApproveAnyway.tsx"
import { useSession } from "#console/Session.tsx"

interface QueueProps {
  readonly list: string
  readonly filter: Filter
  readonly counts: LeadCounts
  readonly onApproved: (done: BulkReviewed) => void
  /** Filters the table to leads whose company may be one to leave out. */
  readonly onShowLeadsToCheck: () => void
}

const leftOutOfExportsText = (n: number) =>
  `${formatCount(n, "approved lead")} on “${suppressionListLabel}” ${n === 1 ? "is" : "are"} left out of exports.`

/** Notes on the counts of a review. */
const ReviewNotes = ({
  onShowLeadsToCheck,
  review
}: {
  readonly review: LeadCounts["review"]
  readonly onShowLeadsToCheck: () => void
}) => {
  const { approved_suppressed, approved_unopened, open, open_failing, open_maybe, open_suppressed } = review
  return (
    <>
      {open === open_suppressed && <span>No open leads left{open > 0 && " that can be approved"}.</span>}
      {open_failing > 0 && (
        <span class="failed">{formatCount(open_failing, "open lead")} with a finding marked Must change.</span>
      )}
      {open_maybe > 0 && (
        <span class="failed">
          {formatCount(open_maybe, "open lead")} may work at a client, a competitor or a company on “
          {suppressionListLabel}”.{" "}
          <button type="button" class="link" onClick={onShowLeadsToCheck}>
            Look at {open_maybe === 1 ? "it" : "them"}
          </button>
        </span>
      )}
      {open_suppressed > 0 && (
        <span>
          {formatCount(open_suppressed, "open lead")} on “{suppressionListLabel}” cannot be approved.
        </span>
      )}
      {approved_suppressed > 0 && <span class="failed">{leftOutOfExportsText(approved_suppressed)}</span>}
      {approved_unopened > 0 && (
        <span>{formatCount(approved_unopened, "lead was", "leads were")} approved with others and never opened.</span>
      )}
    </>
  )
}

/** The progress of the review, and the buttons to continue it. */
const ReviewQueue = ({ counts: { kinds, review }, filter, list, onApproved, onShowLeadsToCheck }: QueueProps) => {
  const { isEmpty, start } = useStartReview(list, filter)
  if (kinds.completed === 0) return null
  return (
    <div class="panel queue">
      <p>
        {ReviewStatus.literals.map((status) => (
          <span key={status} class="queue-count">
            {formatNumber(review[status])} <StateNotice state={reviewState[status]} />
          </span>
        ))}
        <ReviewNotes review={review} onShowLeadsToCheck={onShowLeadsToCheck} />
      </p>
      {review.open > review.open_suppressed && (
        <div class="actions">
          <ActionButton kind="primary" action={start} busyLabel="Opening…" onClick={start.start}>
            Review emails
          </ActionButton>
          <RequireScope scope="lists:write">
            <DialogButton label={bulkReviewLabel}>
              {(close) => (
                <BulkReview hasLeadsToCheck={review.open_maybe > 0} {...{ list, filter, onApproved }} onClose={close} />
              )}
            </DialogButton>
          </RequireScope>
        </div>
      )}
      {isEmpty && <p class="quiet">No open lead matches the filter.</p>}
      {start.problem && <ProblemNotice problem={start.problem} />}
    </div>
  )
}

/** The selected leads; cleared when the filter changes. */
const usePicks = (order: LeadOrder) => {
  const [picked, setPicked] = useState<{ readonly orderKey: string; readonly ids: ReadonlySet<string> }>({
    orderKey: order.key,
    ids: new Set()
  })
  const ids = picked.orderKey === order.key ? picked.ids : new Set<string>()
  return {
    ids,
    set: (id: string, isPicked: boolean) => {
      const next = new Set(ids)
      if (isPicked) next.add(id)
      else next.delete(id)
      setPicked({ orderKey: order.key, ids: next })
    },
    clear: () => setPicked({ orderKey: order.key, ids: new Set() })
  }
}

interface PickedProps {
  readonly list: string
  readonly selection: ReturnType<typeof usePicks>
  readonly onApproved: (done: BulkReviewed) => void
}

/** Approves the selected leads. */
const SelectedLeadsBar = ({ list, onApproved, selection }: PickedProps) => {
  const { callApi } = useSession()
  const approve = useAction(async () => {
    const where = { filter: { review: "open" as const } }
    const payload = { status: "approved" as const, lead_ids: [...selection.ids], where }
    onApproved(await callApi((api) => api.review.reviewLeads({ params: { id: list }, headers: {}, payload })))
    selection.clear()
  })
  return (
    <div class="decided picked" role="status">
      {approve.problem && <ProblemNotice problem={approve.problem} />}
      <span>
        {undoneOn(list, "list")} {formatCount(selection.ids.size, "lead")} picked.
      </span>
      <ActionButton kind="primary" action={approve} busyLabel="Approving…" onClick={approve.start}>
        Approve {formatCount(selection.ids.size, "picked lead")}
      </ActionButton>
      <button type="button" class="button" onClick={selection.clear}>
        Clear
      </button>
    </div>
  )
}

interface DecisionEvents {
  readonly onChange: () => void
  /** Called if emails were changed after they were loaded. */
  readonly onConflict: () => void
}

interface PendingDecision {
  readonly row: Row
  readonly status: ReviewStatus
  /** The versions of the emails that were shown. */
  readonly versions: Row["versions"]
}

/** Review decisions in the table's rows, and undoing them. */
const useDecisions = (list: string, { onChange, onConflict }: DecisionEvents) => {
  const session = useSession()
  const mayWrite = useHasScope("lists:write")
  const [pendingDecision, setPendingDecision] = useState<PendingDecision>()
  /** The row whose approval is being confirmed, because its emails must change. */
  const [confirmingRow, setConfirmingRow] = useState<Row>()
  const deciding = useAction(async () => {
    if (pendingDecision === undefined || !mayWrite) return
    const { row, status, versions } = pendingDecision
    await decideLead(session, list, row, {
      status,
      page: "list",
      ...(status === "approved" ? { versions } : {})
    }).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== "CONFLICT") throw error
      setConfirmingRow(undefined)
      onConflict()
      throw new Problem(
        changedMeanwhile,
        `The emails to ${row.name ?? row.email} were changed meanwhile. Open the lead and read them before you approve.`
      )
    })
    setConfirmingRow(undefined)
    onChange()
  })
  const undoing = useAction(async () => {
    await undoLastDecision(session, list, "list")
    onChange()
  })
  useEffect(() => {
    if (pendingDecision !== undefined) deciding.start()
  }, [pendingDecision])
  return {
    problem: deciding.problem ?? undoing.problem,
    isBusy: deciding.isBusy,
    decide: (row: Row, status: ReviewStatus) => {
      const mustAsk = status === "approved" && mayWrite && row.suppressed === null && row.worst?.severity === "fail"
      if (mustAsk) setConfirmingRow(row)
      else setPendingDecision({ row, status, versions: row.versions })
    },
    confirmingRow,
    approveConfirmed: (versions: Row["versions"]) => {
      if (confirmingRow !== undefined) setPendingDecision({ row: confirmingRow, status: "approved", versions })
    },
    cancelConfirmation: () => setConfirmingRow(undefined),
    undo: undoing.start
  }
}

/** The problem code of an approval of emails that were changed after they were loaded. */
const changedMeanwhile = "CHANGED_MEANWHILE"

const decisionNouns: { readonly [S in ReviewStatus]: string } = {
  open: "reopening",
  approved: "approval",
  rejected: "rejection"
}

interface BulkProps {
  readonly list: string
  readonly last: NonNullable<LastBulkReview["last"]>
  /** The result of the review, if it was made on this page. */
  readonly ownResult: BulkReviewed | undefined
  readonly onUndone: () => void
}

/** The last decision about many leads, with a button to undo it. Leads decided since then keep their decision. */
const BulkReviewNotice = ({ last: { at, leads, status }, list, ownResult, onUndone }: BulkProps) => {
  const { callApi } = useSession()
  const mayWrite = useHasScope("lists:write")
  const [reopened, setReopened] = useState<number>()
  const undoing = useAction(async () => {
    const payload = { status: "open" as const, where: { at } }
    const { changed } = await callApi((api) => api.review.reviewLeads({ params: { id: list }, headers: {}, payload }))
    setReopened(changed)
    onUndone()
  })
  const decision = decisionNouns[status]
  const left = ownResult === undefined ? "" : notApprovedText(ownResult)
  return (
    <>
      <p class="decided" role="status">
        {reopened === undefined
          ? `${formatCount(leads, "lead")} ${status}${ownResult ? "" : `, ${formatMoment(at)}`}.${left === "" ? "" : ` ${left}`}`
          : `${formatCount(reopened, "lead")} open again.`}{" "}
        {reopened === undefined && mayWrite && (
          <button type="button" class="link" aria-disabled={undoing.isBusy} onClick={undoing.start}>
            Undo the {decision} of {formatCount(leads, "lead")}
          </button>
        )}
      </p>
      {undoing.problem && <ProblemNotice title={`The ${decision} is not undone`} problem={undoing.problem} />}
    </>
  )
}

/** The last decision about many leads: the one just made, or the server's last one within a day. */
const useLastBulk = (list: string) => {
  const request = useRequest((api) => api.review.getLastBulkReview({ params: { id: list } }), [list])
  const [ownResult, setOwnResult] = useState<BulkReviewed>()
  const known = request.state === "loaded" ? request.value.last : null
  const last =
    ownResult === undefined
      ? known
      : ownResult.changed === 0
        ? null
        : { status: "approved" as const, leads: ownResult.changed, at: ownResult.at }
  return { last: last?.status === "open" ? null : last, ownResult, setOwnResult }
}

/** Reloads an order that was cached before the page opened, and again when more leads are written. */
const useFreshOrder = (order: ReturnType<typeof getOrCreateOrder>, stage: ReturnType<typeof useListStage>) => {
  useEffect(() => {
    if (order.total() !== undefined) order.reload()
  }, [order])
  const first = useRef(stage)
  useEffect(() => {
    if (first.current === stage) return
    first.current = stage
    order.reload()
  }, [stage])
}

interface DecisionQuestionProps {
  readonly list: string
  readonly actions: ReturnType<typeof useDecisions>
}

/** Asks whether to approve a lead with failing findings, or says why a decision failed. */
const DecisionQuestion = ({ actions, list }: DecisionQuestionProps) => {
  const { confirmingRow, problem } = actions
  if (confirmingRow === undefined)
    return problem ? (
      <ProblemNotice
        problem={problem}
        {...(problem.code === changedMeanwhile && { title: "The lead was not approved" })}
      />
    ) : null
  return (
    <ApproveListedAnyway
      list={list}
      position={confirmingRow.position}
      name={confirmingRow.name ?? confirmingRow.email}
      action={actions}
      onApprove={(emails) => actions.approveConfirmed(versionsOf(emails))}
      onClose={actions.cancelConfirmation}
    />
  )
}

export const Leads = ({ list }: { readonly list: List }) => {
  const { id } = list
  const [filter, setFilter] = useState(() => lastFilter(id))
  useEffect(() => setLastFilter(id, filter), [id, filter])
  const order = useMemo(() => getOrCreateOrder(id, filter), [id, filter])
  const stage = useListStage(list)
  const { counts, recount } = useLeadCounts(list, stage)
  const { last: lastBulkReview, ownResult, setOwnResult } = useLastBulk(id)
  const selection = usePicks(order)
  const mayWrite = useHasScope("lists:write")
  const refresh = () => {
    order.reload()
    recount()
  }
  const decisionActions = useDecisions(id, { onChange: recount, onConflict: refresh })
  useFreshOrder(order, stage)
  useLayoutEffect(() => expireUndoOffer(id, "list"), [id])
  const onApproved = (done: BulkReviewed) => {
    setOwnResult(done)
    dropUndoOffers(id)
    refresh()
  }
  return (
    <>
      {counts && (
        <ReviewQueue
          list={id}
          filter={filter}
          counts={counts}
          onApproved={onApproved}
          onShowLeadsToCheck={() => setFilter({ review: "open", maybe: "true" })}
        />
      )}
      {lastBulkReview && (
        <BulkReviewNotice
          key={lastBulkReview.at}
          list={id}
          last={lastBulkReview}
          ownResult={ownResult}
          onUndone={refresh}
        />
      )}
      <Section
        title="Leads"
        lead="Open one to read its emails. Findings are about the text alone: nothing checks whether a lead fits your audience."
      >
        <LeadFilter campaign={list.campaign_id} filter={filter} counts={counts} onChange={setFilter} />
        <DecisionQuestion list={id} actions={decisionActions} />
        <LeadTable
          key={order.key}
          order={order}
          selection={mayWrite ? selection : undefined}
          onDecide={decisionActions.decide}
          onUndo={decisionActions.undo}
        />
        {selection.ids.size > 0 && <SelectedLeadsBar list={id} selection={selection} onApproved={onApproved} />}
        {selection.ids.size === 0 && (
          <p class="decided" role="status">
            <LastDecision list={id} page="list" onUndo={decisionActions.undo} />
          </p>
        )}
      </Section>
    </>
  )
}
