// layers/lists/SaveResults.ts: stores finished leads exactly once: result, charge and counters in one transaction.
// Completes a list after its last job.
import { Array as Arr, Cause, Deferred, Effect, Exit, Queue as Buffer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import * as Metrics from "#layers/Metrics.ts"
import { type ClaimedJob, LeaseLost, Queue } from "#layers/Queue.ts"
import { now } from "#layers/lib/Time.ts"
import { trimContext } from "#layers/database/Transactions.ts"
import { listFileJob, maxRowsWithoutFile } from "#layers/lists/Exports.ts"
import { handOverEmails } from "#layers/Lists.ts"
import { type PendingLead, type WrittenEmails, writtenLeadColumns } from "#layers/lists/LeadColumns.ts"
import * as ListEvents from "#layers/lists/ListEvents.ts"
import { isOutage } from "#layers/queue/JobHandler.ts"
import { Events } from "#layers/webhooks/Events.ts"

/** Maximum results per transaction, so that other writers wait only a few milliseconds. */
const maxWritesPerTransaction = 50

/** Runs `store` for batches of results until the scope closes. Skips results whose lease was lost. */
const coalesceResults = Effect.fnUntraced(function* <Result extends { readonly claim: ClaimedJob }>(
  store: (pieces: ReadonlyArray<Result>) => Effect.Effect<void, SqlError.SqlError | LeaseLost>
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  interface QueuedResult {
    readonly result: Result
    readonly completion: Deferred.Deferred<void, LeaseLost>
  }
  const queuedResults = yield* Buffer.unbounded<QueuedResult>()

  const isLeaseLost = (claim: ClaimedJob) =>
    queue.requireLease(claim).pipe(
      Effect.as(false),
      Effect.catchTag("LeaseLost", () => Effect.succeed(true))
    )

  /** Stores the results whose lease is held, and returns the lost leases, whose work another worker repeats. */
  const storeLeased = Effect.fnUntraced(function* (results: ReadonlyArray<QueuedResult>) {
    const claims = new Map(results.map(({ result: { claim } }) => [claim.lease, claim]))
    const lostLeases = new Set<string>()
    for (const [lease, claim] of claims) if (yield* isLeaseLost(claim)) lostLeases.add(lease)
    const leased = results.flatMap(({ result: piece }) => (lostLeases.has(piece.claim.lease) ? [] : [piece]))
    if (leased.length > 0) yield* store(leased)
    return lostLeases
  }, sql.withTransaction)

  const completeAll = (results: ReadonlyArray<QueuedResult>, exit: Exit.Exit<ReadonlySet<string>, unknown>) =>
    Effect.forEach(
      results,
      ({ completion, result: { claim } }) =>
        Exit.isFailure(exit)
          ? Deferred.failCause(completion, Cause.die(Cause.squash(exit.cause)))
          : exit.value.has(claim.lease)
            ? Deferred.fail(completion, new LeaseLost({ id: claim.id }))
            : Deferred.succeed(completion, undefined),
      { discard: true }
    )

  const storeSeparately = (item: QueuedResult) =>
    Effect.flatMap(Effect.exit(storeLeased([item])), (exit) => completeAll([item], exit))

  /** Waits for the first result, then until a pass of the event loop adds no other, so that all of them share a commit. */
  const waitForBatch = Effect.gen(function* () {
    yield* Buffer.peek(queuedResults)
    for (let previousSize = 0; ;) {
      const size = yield* Buffer.size(queuedResults)
      if (size === previousSize || size >= maxWritesPerTransaction) return
      previousSize = size
      yield* Effect.yieldNow
    }
  })

  yield* waitForBatch.pipe(
    Effect.andThen(Buffer.takeBetween(queuedResults, 1, maxWritesPerTransaction)),
    Effect.flatMap((results) =>
      Effect.flatMap(Effect.exit(storeLeased(results)), (exit) =>
        // If one result is rejected, stores each alone; an unavailable database would reject all of them.
        Exit.isFailure(exit) && results.length > 1 && !isOutage(exit.cause)
          ? Effect.forEach(results, storeSeparately, { discard: true })
          : completeAll(results, exit)
      )
    ),
    Effect.forever,
    trimContext,
    Effect.forkScoped
  )

  return Effect.fnUntraced(function* (result: Result) {
    const completion = yield* Deferred.make<void, LeaseLost>()
    yield* Buffer.offer(queuedResults, { result, completion })
    yield* Deferred.await(completion)
  })
})

interface FinishedLead {
  readonly claim: ClaimedJob
  readonly lead: PendingLead
  readonly written: WrittenEmails
  readonly recordModelCalls?: Effect.Effect<void> | undefined
  /** Runs when the job ends. Set for the last lead of its job. */
  readonly end?: Effect.Effect<void>
}

/** Whether the lead is the only one of its list, which then completes with it. */
const completesList = ({ claim, end }: FinishedLead) => end !== undefined && claim.type === "list.single"

export const makeSaveLead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const events = yield* Events
  const queue = yield* Queue
  const recordList = yield* ListEvents.make

  const storeLead = Effect.fnUntraced(function* ({ claim, lead, written }: FinishedLead) {
    const columns = { status: "completed", suspect: 0, error: null, failure: null, written_at: yield* now }
    const storedRows = yield* sql`
      UPDATE leads SET ${sql.update({ ...columns, ...writtenLeadColumns(written) }, [])}
      WHERE id = ${lead.id} AND workspace_id = ${claim.workspace_id} AND status = 'pending' RETURNING id`
    return storedRows.length > 0
  })

  const updateCounts = Effect.fnUntraced(function* (storedLeads: Arr.NonEmptyReadonlyArray<FinishedLead>) {
    const { subject, workspace_id } = storedLeads[0].claim
    const emails = storedLeads.reduce((sum, { written }) => sum + written.sequence.length, 0)
    const timestamp = yield* now
    const state = completesList(storedLeads[0])
      ? sql`processing_status = 'completed', completed_at = ${timestamp}`
      : sql`processing_status = 'in_progress'`
    yield* sql`
      UPDATE lists SET leads_done = leads_done + ${storedLeads.length}, emails_created = emails_created + ${emails},
        ${state}, updated_at = ${timestamp}
      WHERE id = ${subject} AND workspace_id = ${workspace_id}`
  })

  const save = Effect.fnUntraced(function* (finished: ReadonlyArray<FinishedLead>) {
    const storedLeads: Array<FinishedLead> = []
    for (const item of finished) {
      // Requests are answered between two leads. A lead that is stored alone is not delayed: after a crash before the
      // commit, its model calls would be made again.
      if (item !== finished[0]) yield* Effect.yieldNow
      if (yield* storeLead(item)) storedLeads.push(item)
    }
    const completedLeads = new Set(storedLeads.filter(completesList))
    for (const workspaceLeads of groupBy(storedLeads, ({ claim }) => claim.workspace_id)) {
      const leadIds = workspaceLeads.map(({ lead }) => lead.id)
      yield* credits.capture(workspaceLeads[0].claim.workspace_id, leadIds)
      for (const listLeads of groupBy(workspaceLeads, ({ claim }) => claim.subject)) yield* updateCounts(listLeads)
      yield* events.recordAll(workspaceLeads[0].claim.workspace_id, "lead.written", () =>
        workspaceLeads.map(({ claim, lead, written }) => ListEvents.leadWrittenEvent(claim.subject, lead, written))
      )
    }
    for (const { claim } of completedLeads) yield* recordList(claim.workspace_id, "list.completed", claim.subject)
    for (const { recordModelCalls } of finished) if (recordModelCalls !== undefined) yield* recordModelCalls
    for (const item of finished) {
      if (item.end !== undefined) yield* queue.complete(item.claim, completedLeads.has(item) ? Effect.void : item.end)
    }
    yield* sql.afterCommit(
      Effect.andThen(
        Metrics.add(Metrics.leads({ outcome: "written" }), storedLeads.length),
        Effect.sync(() => storedLeads.forEach(({ claim, written }) => handOverEmails(claim, written)))
      )
    )
  })

  return yield* coalesceResults(save)
})

/** Groups in a fixed order, so that two processes lock rows in the same order and cannot deadlock. */
const groupBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string) =>
  Object.entries(Arr.groupBy(items, key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group)

export const makeCompleteList = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const recordList = yield* ListEvents.make

  /** Completes the list after its last job. Runs in the transaction that ends the job. */
  return Effect.fnUntraced(function* (claim: ClaimedJob) {
    const { subject, workspace_id } = claim
    const timestamp = yield* now
    const listJobs = sql`SELECT id FROM jobs WHERE subject = ${subject} AND workspace_id = ${workspace_id}`
    // Checks by EXISTS, because counting all jobs after each one would be quadratic for a long list.
    const [jobs] = yield* sql<{ readonly state: "open" | "parked" | "ended"; readonly before: string | null }>`
      SELECT CASE
        WHEN EXISTS (${listJobs} AND status IN ('waiting', 'pending', 'processing')) THEN 'open'
        WHEN EXISTS (${listJobs} AND status = 'parked') THEN 'parked'
        ELSE 'ended' END AS state,
        (SELECT processing_status FROM lists WHERE id = ${subject} AND workspace_id = ${workspace_id}) AS before`
    if (jobs?.state === "open") return
    if (jobs?.state === "parked") {
      yield* sql`
        UPDATE lists SET processing_status = 'pending', updated_at = ${timestamp}
        WHERE id = ${subject} AND workspace_id = ${workspace_id}`
      if (jobs.before !== "pending") yield* recordList(workspace_id, "list.paused", subject)
      return
    }
    const [completedList] = yield* sql<{ readonly recipient: string | null; readonly leads_done: number }>`
      UPDATE lists SET
        processing_status = CASE WHEN leads_done > 0 THEN 'completed' ELSE 'failed' END,
        completed_at = CASE WHEN leads_done > 0 THEN ${timestamp} END,
        failed_at = CASE WHEN leads_done > 0 THEN NULL ELSE ${timestamp} END,
        updated_at = ${timestamp}
      WHERE id = ${subject} AND workspace_id = ${workspace_id} AND processing_status NOT IN ('completed', 'failed')
      RETURNING recipient, leads_done`
    if (completedList !== undefined) {
      if (completedList.leads_done > maxRowsWithoutFile) yield* queue.enqueue([listFileJob(workspace_id, subject)])
      yield* recordList(workspace_id, completedList.leads_done > 0 ? "list.completed" : "list.failed", subject)
    }
    if (typeof completedList?.recipient !== "string") return
    yield* queue.enqueue([{ workspace: workspace_id, type: "mail.completion", subject }])
  }, Effect.orDie)
})
