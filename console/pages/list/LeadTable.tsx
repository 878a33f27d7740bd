// console/pages/list/LeadTable.tsx: the leads of a list as a virtualized table, with review buttons in each row.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { ReviewStatus } from "#schema/ListLeads.ts"
import { type Problem, toProblem } from "#console/Api.ts"
import { onReconnect } from "#console/Connection.ts"
import {
  lastOpenedLead,
  leadAddress,
  type LeadOrder,
  pageSize,
  type Row,
  useRenderOnOrderChange
} from "#console/LeadOrder.ts"
import { WorstFinding } from "#console/parts/Findings.tsx"
import { Shortcuts, type Shortcut } from "#console/parts/Shortcuts.tsx"
import { useHasScope } from "#console/parts/RequireScope.tsx"
import { StateNotice, ProblemNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { leadReviewState, suppressionListLabel, companyCheckLabel, toPageWording } from "#console/parts/Labels.ts"
import { useSession } from "#console/Session.tsx"
import { useVirtualRows } from "#console/VirtualRows.ts"

/** Whether a lead can be approved together with others. */
const isSelectable = ({ review, status, suppressed, worst }: Row) =>
  status === "completed" && review.status === "open" && suppressed === null && worst?.severity !== "fail"

export interface LeadSelection {
  readonly ids: ReadonlySet<string>
  readonly set: (id: string, isPicked: boolean) => void
}

const PickCell = ({ selection, row }: { readonly selection: LeadSelection; readonly row: Row }) => (
  <div role="cell" class="pick">
    {isSelectable(row) && (
      <input
        type="checkbox"
        aria-label={`Pick ${row.name ?? row.email}`}
        checked={selection.ids.has(row.id)}
        onChange={(event) => selection.set(row.id, event.currentTarget.checked)}
      />
    )}
  </div>
)

const LeadOutcome = ({ row: { error, skipped, status, subject } }: { readonly row: Row }) => {
  if (status === "completed") return <span class="subject-cell">{subject}</span>
  if (skipped) return <span class="quiet">Left out: {toPageWording(skipped.reason)}</span>
  if (status === "failed") return <span class="failed">Failed: {error ?? "no reason is known"}</span>
  return <span class="quiet">{error ?? "Not written yet"}</span>
}

interface DecideProps {
  readonly row: Row
  /** Whether keyboard shortcuts apply to this row. */
  readonly isCurrent: boolean
  readonly onDecide: (row: Row, status: ReviewStatus) => void
}

const DecisionButtons = ({ isCurrent, onDecide, row }: DecideProps) => {
  const { email, name, review, status, suppressed } = row
  const mayWrite = useHasScope("lists:write")
  if (status !== "completed") return null
  const button = (newStatus: ReviewStatus, verb: string, shortcut?: string) => (
    <button
      type="button"
      class="button"
      aria-label={`${verb} ${name ?? email}`}
      title={verb}
      aria-keyshortcuts={isCurrent ? shortcut : undefined}
      onClick={(event) => {
        // Ignores the second click of a double click, which may be meant for the previous button here.
        if (event.detail < 2) onDecide(row, newStatus)
      }}
    >
      {verb}
    </button>
  )
  return (
    <>
      <StateNotice state={leadReviewState(review.status, suppressed)} />
      {mayWrite && (
        <span class="row-buttons">
          {review.status === "open" ? (
            <>
              {suppressed === null && button("approved", "Approve", "a")}
              {button("rejected", "Reject", "x")}
            </>
          ) : (
            button("open", "Reopen")
          )}
        </span>
      )}
    </>
  )
}

interface RowProps extends DecideProps {
  readonly href: string
  /** Undefined if the key may not review leads. */
  readonly selection: LeadSelection | undefined
}

const LeadCells = ({ href, isCurrent, onDecide, selection, row }: RowProps) => (
  <>
    {selection && <PickCell selection={selection} row={row} />}
    <div role="rowheader" class="lead-cell">
      <a href={href}>{row.name ?? row.email}</a>
      <span class="under">{[row.title, row.company].filter((part) => part !== null).join(", ") || row.email}</span>
    </div>
    <div role="cell" class="outcome">
      <LeadOutcome row={row} />
    </div>
    <div role="cell" class="marks">
      {row.worst !== undefined && <WorstFinding finding={row.worst} none="No findings" />}
      {row.edited && <StateNotice state={["Edited", "calm"]} />}
      {/* The review of an approved lead says so itself. */}
      {row.status === "completed" && row.suppressed !== null && row.review.status !== "approved" && (
        <StateNotice state={[suppressionListLabel, "bad"]} />
      )}
      {row.status === "completed" && row.maybe !== null && <StateNotice state={[companyCheckLabel, "busy"]} />}
    </div>
    <div role="cell" class="decide">
      <DecisionButtons row={row} isCurrent={isCurrent} onDecide={onDecide} />
    </div>
  </>
)

/** Milliseconds without scrolling until the visible leads are loaded. */
const loadDelay = 60

/** Loads the pages of the visible rows. */
const useLoadShown = (order: LeadOrder, shown: ReadonlyArray<number>) => {
  const session = useSession()
  const [problem, setProblem] = useState<Problem>()
  const [attempt, setAttempt] = useState(0)
  const pages = [...new Set(shown.map((index) => Math.floor(index / pageSize)))]
  const generation = order.generation()
  useEffect(() => {
    let unsubscribe = () => {}
    const load = () => {
      setProblem(undefined)
      for (const page of pages.length === 0 ? [0] : pages) {
        order.load(session, page).catch((error: unknown) => {
          const problem = toProblem(error)
          if (problem.code === "UNREACHABLE") unsubscribe = onReconnect(() => setAttempt((attempt) => attempt + 1))
          else setProblem(problem)
        })
      }
    }
    const timer = setTimeout(load, order.total() === undefined ? 0 : loadDelay)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [order, pages.join(), attempt, generation])
  return { problem, reload: () => setAttempt((attempt) => attempt + 1) }
}

/** The row that keyboard shortcuts apply to, and a function that moves the focus to another row. */
const useCurrentRow = (body: { readonly current: HTMLElement | null }, count: number) => {
  const [current, setCurrent] = useState<number>()
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`)
    if (link == null) return
    wanted.current = undefined
    link.focus({ preventScroll: true })
  })
  return {
    current,
    setCurrent,
    moveTo: (index: number) => {
      const next = Math.min(Math.max(index, 0), count - 1)
      wanted.current = next
      setCurrent(next)
      return next
    }
  }
}

const tableShortcuts = (
  move: (by: number) => void,
  decide: (status: ReviewStatus) => void,
  undo: () => void
): ReadonlyArray<Shortcut> => [
  { key: "j", label: "Next lead", run: () => move(1) },
  { key: "k", label: "Previous lead", run: () => move(-1) },
  { key: "a", label: "Approve the lead with the focus", run: () => decide("approved") },
  { key: "x", label: "Reject the lead with the focus", run: () => decide("rejected") },
  { key: "u", label: "Undo the last decision", run: undo }
]

const TableHeader = ({ hasPicks }: { readonly hasPicks: boolean }) => (
  <div role="rowgroup" class="lead-heads">
    <div role="row" aria-rowindex={1} class="lead-row">
      {hasPicks && (
        <div role="columnheader" class="pick">
          <span class="unseen">Pick</span>
        </div>
      )}
      {["Lead", "First subject", "Findings", "Review"].map((title) => (
        <div key={title} role="columnheader">
          {title}
        </div>
      ))}
    </div>
  </div>
)

/** Scrolls to the lead that was opened last, once its row is loaded. */
const useReturnToLead = (order: LeadOrder, count: number, use: (index: number) => void) => {
  const isThere = count > 0
  useEffect(() => {
    const opened = order.indexOf(lastOpenedLead(order.list))
    if (opened === undefined || opened >= count) return
    // Delayed, because the page scrolls to its top when it opens.
    const timer = setTimeout(() => use(opened))
    return () => clearTimeout(timer)
  }, [isThere])
}

interface LeadRowProps extends Pick<Props, "onDecide" | "order" | "selection"> {
  readonly index: number
  readonly isCurrent: boolean
  /** Distance from the start of the table. */
  readonly top: number
  readonly measure: (row: HTMLElement | null) => void
  readonly onFocus: () => void
}

const LeadRow = ({ index, isCurrent, measure, onDecide, onFocus, order, selection, top }: LeadRowProps) => {
  const row = order.rows.get(index)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      ref={measure}
      class={isCurrent ? "lead-row current" : "lead-row"}
      style={{ transform: `translateY(${top}px)` }}
      onFocusCapture={onFocus}
    >
      {row === undefined ? (
        <div role="cell" class="quiet">
          Loading…
        </div>
      ) : (
        <LeadCells
          row={row}
          isCurrent={isCurrent}
          selection={selection}
          href={leadAddress(order.list, row.position, order.filter, index)}
          onDecide={onDecide}
        />
      )}
    </div>
  )
}

interface Props {
  readonly order: LeadOrder
  readonly selection: LeadSelection | undefined
  readonly onDecide: DecideProps["onDecide"]
  readonly onUndo: () => void
}

export const LeadTable = ({ onDecide, onUndo, order, selection }: Props) => {
  useRenderOnOrderChange(order)
  const body = useRef<HTMLDivElement>(null)
  const total = order.total()
  const count = total ?? 0
  const { current, moveTo, setCurrent } = useCurrentRow(body, count)
  const { margin, virtualizer } = useVirtualRows({ count, estimate: 60, body, pinned: current })
  const items = virtualizer.getVirtualItems()
  const { reload, problem } = useLoadShown(
    order,
    items.map(({ index }) => index)
  )
  useReturnToLead(order, count, (index) => {
    setCurrent(index)
    virtualizer.scrollToIndex(index, { align: "auto" })
  })
  const move = (by: number) => {
    const index = moveTo(current === undefined ? 0 : current + by)
    virtualizer.scrollToIndex(index, { align: "auto" })
  }
  const decideCurrent = (status: ReviewStatus) => {
    const row = current === undefined ? undefined : order.rows.get(current)
    if (row?.status === "completed" && row.review.status !== status) onDecide(row, status)
  }
  if (problem) return <ProblemNotice problem={problem} reload={reload} />
  if (total === undefined) return <WaitingNotice>Looking for the leads…</WaitingNotice>
  if (count === 0) return <p class="quiet">No lead is like that.</p>
  return (
    <>
      <Shortcuts shortcuts={tableShortcuts(move, decideCurrent, onUndo)} />
      <div
        class={selection ? "lead-table pickable" : "lead-table"}
        role="table"
        aria-label="Leads"
        aria-keyshortcuts="j k"
        aria-rowcount={count + 1}
      >
        <TableHeader hasPicks={selection !== undefined} />
        <div role="rowgroup" ref={body} class="lead-body" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          {items.map(({ index, start }) => (
            <LeadRow
              key={index}
              index={index}
              isCurrent={index === current}
              top={start - margin}
              measure={virtualizer.measureElement}
              onFocus={() => setCurrent(index)}
              {...{ onDecide, order, selection }}
            />
          ))}
        </div>
      </div>
    </>
  )
}
