// console/pages/list/Leads.tsx: the leads of a list: the review queue, the filter and the table.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { Struct } from "effect"
import { ReviewStatus } from "#schema/ListLeads.ts"
import type { List } from "#schema/Lists.ts"
import type { BulkReviewed, LastBulkReview } from "#schema/Review.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import {
  type Filter,
  lastFilter,
  reloadOrder,
  leadAddress,
  type LeadOrder,
  nextOpenLead,
  cachedOrder,
  type Row,
  setLastFilter
} from "#console/LeadOrder.ts"
import { BulkReview, notApprovedText } from "#console/pages/list/BulkReview.tsx"
import { type LeadCounts, useLeadCounts, useListStage } from "#console/pages/list/Counts.ts"
import { LeadFilter } from "#console/pages/list/LeadFilter.tsx"
import { LeadTable } from "#console/pages/list/LeadTable.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { DialogButton } from "#console/parts/Dialog.tsx"
import { doNotContact } from "#console/parts/Labels.ts"
import { RequireScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { countOf, formatMoment, formatNumber, reviewState } from "#console/parts/Format.ts"
import { decideLead, undoOfferOn, dropUndoOffers, expireUndoOffer, undoLastDecision } from "#console/Decisions.ts"
import { LastDecision } from "#console/pages/lead/Decision.tsx"
import { ApproveListedAnyway } from "#console/pages/lead/ApproveAnyway.tsx"
import { useSession } from "#console/Session.tsx"

interface QueueProps {
  readonly list: string
  readonly filter: Filter
  readonly counts: LeadCounts
  readonly onApproved: (done: BulkReviewed) => void
  /** Shows the leads whose company may be one to leave out. */
  readonly onLook: () => void
}

const areLeftOut = (n: number) =>
  `${countOf(n, "approved lead")} on “${doNotContact}” ${n === 1 ? "is" : "are"} left out of exports.`

/** Notes on the counts of a review. */
const ReviewNotes = ({ onLook, review }: { readonly review: LeadCounts["review"]; readonly onLook: () => void }) => {
  const { approved_suppressed, approved_unopened, open, open_failing, open_maybe, open_suppressed } = review
  return (
    <>
      {open === open_suppressed && <span>No open leads left{open > 0 && " that can be approved"}.</span>}
      {open_failing > 0 && (
        <span class="failed">{countOf(open_failing, "open lead")} with a finding marked Must change.</span>
      )}
      {open_maybe > 0 && (
        <span class="failed">
          {countOf(open_maybe, "open lead")} may work at a client, a competitor or a company on “{doNotContact}”.{" "}
          <button type="button" class="link" onClick={onLook}>
            Look at {open_maybe === 1 ? "it" : "them"}
          </button>
        </span>
      )}
      {open_suppressed > 0 && (
        <span>
          {countOf(open_suppressed, "open lead")} on “{doNotContact}” cannot be approved.
        </span>
      )}
      {approved_suppressed > 0 && <span class="failed">{areLeftOut(approved_suppressed)}</span>}
      {approved_unopened > 0 && (
        <span>{countOf(approved_unopened, "lead was", "leads were")} approved with others and never opened.</span>
      )}
    </>
  )
}

/** The progress of the review, and the buttons to continue it. */
const ReviewQueue = ({ counts: { kinds, review }, filter, list, onApproved, onLook }: QueueProps) => {
  const session = useSession()
  const [isEmpty, setEmpty] = useState(false)
  const start = useAction(async () => {
    const narrowed = Struct.omit(filter, ["status", "review", "sort"])
    const order = reloadOrder(list, { ...narrowed, status: "completed", review: "open", sort: "findings" })
    const first = await nextOpenLead(session, order, -1)
    setEmpty(first === undefined)
    if (first !== undefined) location.hash = leadAddress(list, first.row.position, order.filter, first.index)
  })
  if (kinds.completed === 0) return null
  return (
    <div class="panel queue">
      <p>
        {ReviewStatus.literals.map((status) => (
          <span key={status} class="queue-count">
            {formatNumber(review[status])} <StateNotice state={reviewState[status]} />
          </span>
        ))}
        <ReviewNotes review={review} onLook={onLook} />
      </p>
      {review.open > review.open_suppressed && (
        <div class="actions">
          <ActionButton kind="primary" doing={start} busy="Opening…" onClick={start.start}>
            Review emails
          </ActionButton>
          <RequireScope scope="lists:write">
            <DialogButton label="Approve several">
              {(close) => <BulkReview list={list} filter={filter} onApproved={onApproved} onClose={close} />}
            </DialogButton>
          </RequireScope>
        </div>
      )}
      {isEmpty && <p class="quiet">No open lead matches the filter.</p>}
      {start.problem && <ProblemNotice problem={start.problem} />}
    </div>
  )
}

/** The leads that are picked in the table. Cleared when the filter changes. */
const usePicks = (order: LeadOrder) => {
  const [picked, setPicked] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>({
    of: order.key,
    ids: new Set()
  })
  const ids = picked.of === order.key ? picked.ids : new Set<string>()
  return {
    ids,
    set: (id: string, isPicked: boolean) => {
      const next = new Set(ids)
      if (isPicked) next.add(id)
      else next.delete(id)
      setPicked({ of: order.key, ids: next })
    },
    clear: () => setPicked({ of: order.key, ids: new Set() })
  }
}

interface PickedProps {
  readonly list: string
  readonly picks: ReturnType<typeof usePicks>
  readonly onApproved: (done: BulkReviewed) => void
}

/** Approves the leads that are picked. */
const PickedLeads = ({ list, onApproved, picks }: PickedProps) => {
  const { ask } = useSession()
  const approve = useAction(async () => {
    const where = { filter: { review: "open" as const } }
    const payload = { status: "approved" as const, lead_ids: [...picks.ids], where }
    onApproved(await ask((api) => api.review.reviewLeads({ params: { id: list }, headers: {}, payload })))
    picks.clear()
  })
  return (
    <div class="decided picked" role="status">
      {approve.problem && <ProblemNotice problem={approve.problem} />}
      <span>{countOf(picks.ids.size, "lead")} picked.</span>
      <ActionButton kind="primary" doing={approve} busy="Approving…" onClick={approve.start}>
        Approve {countOf(picks.ids.size, "picked lead")}
      </ActionButton>
      <button type="button" class="button" onClick={picks.clear}>
        Clear
      </button>
    </div>
  )
}

/** Decisions in the rows of the table, and undoing them. */
const useDecisions = (list: string, onChange: () => void) => {
  const session = useSession()
  const mayWrite = useHasScope("lists:write")
  const [wanted, setWanted] = useState<{ readonly row: Row; readonly status: ReviewStatus }>()
  /** The row whose emails must change, while it is asked whether they are approved all the same. */
  const [asking, setAsking] = useState<Row>()
  const deciding = useAction(async () => {
    if (wanted === undefined || !mayWrite) return
    await decideLead(session, list, wanted.row, { status: wanted.status, page: "list" })
    setAsking(undefined)
    onChange()
  })
  const undoing = useAction(async () => {
    await undoLastDecision(session, list)
    onChange()
  })
  useEffect(() => {
    if (wanted !== undefined) deciding.start()
  }, [wanted])
  return {
    problem: deciding.problem ?? undoing.problem,
    busy: deciding.busy,
    decide: (row: Row, status: ReviewStatus) => {
      const mustAsk = status === "approved" && mayWrite && row.suppressed === null && row.worst?.severity === "fail"
      if (mustAsk) setAsking(row)
      else setWanted({ row, status })
    },
    asking,
    answer: (isApproved: boolean) => {
      if (isApproved && asking !== undefined) setWanted({ row: asking, status: "approved" })
      else setAsking(undefined)
    },
    undo: undoing.start
  }
}

const decisionNouns: { readonly [S in ReviewStatus]: string } = {
  open: "reopening",
  approved: "approval",
  rejected: "rejection"
}

interface BulkProps {
  readonly list: string
  readonly last: NonNullable<LastBulkReview["last"]>
  /** The answer to it, if it was made on this page. */
  readonly made: BulkReviewed | undefined
  readonly onUndone: () => void
}

/** The last decision about many leads, with a button to undo it. Leads decided since then keep their decision. */
const LastBulk = ({ last: { at, leads, status }, list, made, onUndone }: BulkProps) => {
  const { ask } = useSession()
  const mayWrite = useHasScope("lists:write")
  const [reopened, setReopened] = useState<number>()
  const undoing = useAction(async () => {
    const payload = { status: "open" as const, where: { at } }
    const { changed } = await ask((api) => api.review.reviewLeads({ params: { id: list }, headers: {}, payload }))
    setReopened(changed)
    onUndone()
  })
  const decision = decisionNouns[status]
  const left = made === undefined ? "" : notApprovedText(made)
  return (
    <>
      <p class="decided" role="status">
        {reopened === undefined
          ? `${countOf(leads, "lead")} ${status}${made ? "" : `, ${formatMoment(at)}`}.${left === "" ? "" : ` Not included: ${left}.`}`
          : `${countOf(reopened, "lead")} open again.`}{" "}
        {reopened === undefined && mayWrite && (
          <button type="button" class="link" aria-disabled={undoing.busy} onClick={undoing.start}>
            Undo the {decision} of {countOf(leads, "lead")}
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
  const [made, setMade] = useState<BulkReviewed>()
  const known = request.state === "loaded" ? request.value.last : null
  const last =
    made === undefined
      ? known
      : made.changed === 0
        ? null
        : { status: "approved" as const, leads: made.changed, at: made.at }
  return { last: last?.status === "open" ? null : last, made, setMade }
}

/** Asks again for what an order holds, which may be old: it was there before, or more leads are written meanwhile. */
const useFreshOrder = (order: ReturnType<typeof cachedOrder>, stage: ReturnType<typeof useListStage>) => {
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

export const Leads = ({ list }: { readonly list: List }) => {
  const { id } = list
  const [filter, setFilter] = useState(() => lastFilter(id))
  useEffect(() => setLastFilter(id, filter), [id, filter])
  const order = useMemo(() => cachedOrder(id, filter), [id, filter])
  const stage = useListStage(list)
  const { counts, recount } = useLeadCounts(list, stage)
  const { last: bulk, made, setMade } = useLastBulk(id)
  const picks = usePicks(order)
  const mayWrite = useHasScope("lists:write")
  const deciding = useDecisions(id, recount)
  useFreshOrder(order, stage)
  useLayoutEffect(() => expireUndoOffer(id, "list"), [id])
  const last = undoOfferOn(id, "list")
  const refresh = () => {
    order.reload()
    recount()
  }
  const onApproved = (done: BulkReviewed) => {
    setMade(done)
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
          onLook={() => setFilter({ review: "open", maybe: "true" })}
        />
      )}
      {bulk && <LastBulk key={bulk.at} list={id} last={bulk} made={made} onUndone={refresh} />}
      <Section
        title="Leads"
        lead="Open one to read its emails. Findings are about the text alone: nothing checks whether a lead fits your audience."
      >
        <LeadFilter campaign={list.campaign_id} filter={filter} counts={counts} onChange={setFilter} />
        {deciding.asking && (
          <ApproveListedAnyway
            list={id}
            position={deciding.asking.position}
            name={deciding.asking.name ?? deciding.asking.email}
            doing={deciding}
            onApprove={() => deciding.answer(true)}
            onClose={() => deciding.answer(false)}
          />
        )}
        {deciding.problem && !deciding.asking && <ProblemNotice problem={deciding.problem} />}
        <LeadTable
          key={order.key}
          order={order}
          picks={mayWrite ? picks : undefined}
          onDecide={deciding.decide}
          onUndo={deciding.undo}
        />
        {picks.ids.size > 0 && <PickedLeads list={id} picks={picks} onApproved={onApproved} />}
        {last && picks.ids.size === 0 && (
          <p class="decided" role="status">
            <LastDecision last={last} onUndo={deciding.undo} />
          </p>
        )}
      </Section>
    </>
  )
}
