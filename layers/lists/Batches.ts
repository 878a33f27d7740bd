// layers/lists/Batches.ts: the input of a batch for its worker, and the storage of its results.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { PendingLead, type WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { type ClaimedJob, type LeaseLost, Queue } from "#layers/Queue.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import * as Metrics from "#layers/Metrics.ts"
import { traced } from "#layers/lib/Traced.ts"
import { batchSize, handoffOf } from "#layers/Lists.ts"
import { ListWriting } from "#layers/lists/Store.ts"
import * as PausedLists from "#layers/lists/PausedLists.ts"
import * as ListEvents from "#layers/lists/ListEvents.ts"
import * as SaveResults from "#layers/lists/SaveResults.ts"
import { briefOfList, parseBrief, type ReadyBrief } from "#layers/playbooks/CampaignBrief.ts"
import { Events } from "#layers/webhooks/Events.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Failure } from "#schema/Errors.ts"

/** Leaves out the leads of a batch that were suppressed after their list was accepted. */
const makeSkipSuppressed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const queue = yield* Queue
  const suppressions = yield* Suppressions

  const skipLeads = Effect.fnUntraced(function* (
    claim: ClaimedJob,
    leads: ReadonlyArray<{ readonly id: string; readonly reason: string }>
  ) {
    const { subject, workspace_id } = claim
    yield* queue.requireLease(claim)
    let count = 0
    for (const { id, reason } of leads) {
      const skippedRows = yield* sql`
        UPDATE leads
        SET status = 'skipped', skipped = ${reason}, error = ${`Left out: ${reason}`}, failure = NULL, suspect = 0
        WHERE id = ${id} AND workspace_id = ${workspace_id} AND status = 'pending' RETURNING id`
      count += skippedRows.length
    }
    yield* credits.release(
      workspace_id,
      leads.map(({ id }) => id)
    )
    yield* sql`
      UPDATE lists SET leads_skipped = leads_skipped + ${count}, updated_at = ${yield* now}
      WHERE id = ${subject} AND workspace_id = ${workspace_id}`
  }, inTransaction(sql))

  /** Skips the suppressed leads and returns the others. */
  return Effect.fnUntraced(function* (claim: ClaimedJob, leads: ReadonlyArray<PendingLead>) {
    const reasons = yield* suppressions.findReasons(claim.workspace_id, leads)
    const suppressed = leads.flatMap(({ id }, index) => {
      const reason = reasons[index]
      return reason === undefined ? [] : [{ id, reason }]
    })
    if (suppressed.length === 0) return leads
    yield* skipLeads(claim, suppressed)
    return leads.filter((_, index) => reasons[index] === undefined)
  })
})

export interface BatchBrief extends ReadyBrief {
  readonly writing: ListWriting
}

/** Briefs in the cache. */
const maxCachedBriefs = 100

const makeBriefCache = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const findList = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: Schema.Struct({ options: Schema.fromJsonString(ListWriting), brief: Schema.NullOr(Schema.String) }),
    execute: ({ id, workspace }) =>
      sql`SELECT options, ${briefOfList(sql)} AS brief FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })

  const cache = (briefs: Map<string, ReadyBrief>, key: string, brief: ReadyBrief) => {
    if (briefs.size >= maxCachedBriefs) briefs.clear()
    briefs.set(key, brief)
    return brief
  }
  // Keyed by the text, so that lists of one campaign share the parsed brief.
  const briefsByText = new Map<string, ReadyBrief>()
  const parseCached = (text: string): ReadyBrief =>
    briefsByText.get(text) ?? cache(briefsByText, text, parseBrief(text))
  const briefsByHandoffKey = new Map<string, ReadyBrief>()

  /** The brief of a batch; none if the build that the list waited for failed. */
  return Effect.fnUntraced(function* (claim: ClaimedJob) {
    const handoff = handoffOf(claim)
    const cached = handoff && briefsByHandoffKey.get(handoff.brief)
    if (handoff !== undefined && cached !== undefined) {
      return Option.some<BatchBrief>({ writing: handoff.writing, ...cached })
    }
    const list = yield* findList({ workspace: claim.workspace_id, id: claim.subject })
    if (Option.isNone(list) || list.value.brief === null) return Option.none()
    const brief = parseCached(list.value.brief)
    if (handoff !== undefined) cache(briefsByHandoffKey, handoff.brief, brief)
    return Option.some<BatchBrief>({ writing: list.value.options, ...brief })
  }, Effect.orDie)
})

/** A batch with everything needed to write it. */
export interface Batch extends BatchBrief {
  readonly leads: ReadonlyArray<PendingLead>
}

/** An external reason to park a batch, for example an unavailable model. */
export interface StopReason {
  readonly message: string
  readonly failure: Failure
}

const encodeFailure = (failure: Failure | null) => (failure === null ? null : JSON.stringify(failure))

const BatchPayload = Schema.Struct({ batch: Schema.Int })

export class Batches extends Context.Service<
  Batches,
  {
    /**
     * The batch with its pending leads, except those suppressed meanwhile. None if the build that the list waited for
     * has failed.
     */
    readonly loadBatch: (claim: ClaimedJob) => Effect.Effect<Option.Option<Batch>, LeaseLost>
    /**
     * Holds the cost of as many leads as the account covers, and returns those leads. Leads stored before cost nothing.
     */
    readonly hold: (
      claim: ClaimedJob,
      batch: Batch,
      leads: ReadonlyArray<PendingLead>
    ) => Effect.Effect<ReadonlyArray<PendingLead>, LeaseLost>
    /** Marks the lead before it is written, so that a crash counts against it. Storing its result clears the mark. */
    readonly setCrashCount: (claim: ClaimedJob, lead: PendingLead, times: number) => Effect.Effect<void>
    /** Stores, charges and counts a result once. `recordModelCalls` runs in the same transaction. */
    readonly saveLead: (
      claim: ClaimedJob,
      lead: PendingLead,
      emails: WrittenEmails,
      recordModelCalls?: Effect.Effect<void>
    ) => Effect.Effect<void, LeaseLost>
    /** Stores the result of the batch's only lead and ends the batch in one transaction. */
    readonly saveLastLead: (
      claim: ClaimedJob,
      lead: PendingLead,
      emails: WrittenEmails,
      recordModelCalls?: Effect.Effect<void>
    ) => Effect.Effect<void, LeaseLost>
    readonly fail: (
      claim: ClaimedJob,
      lead: PendingLead,
      message: string,
      failure: Failure
    ) => Effect.Effect<void, LeaseLost>
    /** Fails a lead at a known company, with the reason. It costs nothing. */
    readonly failExcluded: (claim: ClaimedJob, lead: PendingLead, reason: string) => Effect.Effect<void, LeaseLost>
    /** Completes the job of the batch; the last batch completes the list. */
    readonly completeBatch: (claim: ClaimedJob) => Effect.Effect<void, LeaseLost>
    /** Completes the list if this was its last open job. Runs in the transaction that ends the job. */
    readonly completeListIfDone: (claim: ClaimedJob) => Effect.Effect<void>
    /**
     * Parks this batch and the waiting ones of its list, but not those that other workers are writing. All their leads
     * stay pending; those of this batch get the reason.
     */
    readonly park: (claim: ClaimedJob, reason: StopReason | null) => Effect.Effect<void, LeaseLost>
    /** Fails every pending lead of the batch and completes its job, because the campaign's build failed. */
    readonly failBatch: (claim: ClaimedJob) => Effect.Effect<void, LeaseLost>
    /** Like `failBatch`, in the transaction that fails the job. */
    readonly failWithJob: (claim: ClaimedJob, message: string, failure: Failure | null) => Effect.Effect<void>
  }
>()("overture/layers/lists/Batches") {
  static readonly layer = Layer.effect(
    Batches,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const credits = yield* Credits
      const events = yield* Events
      const queue = yield* Queue
      const skipSuppressed = yield* makeSkipSuppressed
      const findBrief = yield* makeBriefCache
      const saveLead = yield* SaveResults.makeSaveLead
      const pauseList = (workspace: WorkspaceId, list: string) =>
        Effect.provideService(PausedLists.pauseList(workspace, list), SqlClient.SqlClient, sql)
      const completeListIfDone = yield* SaveResults.makeCompleteList

      const findPending = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, batch: Schema.Int }),
        Result: PendingLead,
        execute: ({ batch, id, workspace }) => sql`
          SELECT id, position, suspect, email, name, title, company, linkedin_url, company_website, custom_fields,
            (SELECT count(*) FROM credit_holds h WHERE h.owner = leads.id AND h.workspace_id = leads.workspace_id) AS holds
          FROM leads
          WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'pending'
            AND position >= ${batch * batchSize} AND position < ${(batch + 1) * batchSize}
          ORDER BY position`
      })

      const loadPendingLeads = Effect.fnUntraced(function* (claim: ClaimedJob) {
        const { batch } = yield* Schema.decodeUnknownEffect(BatchPayload)(claim.payload)
        return yield* findPending({ workspace: claim.workspace_id, id: claim.subject, batch })
      })

      /** The leads that are still pending. A previous worker of the batch may have stored some since they were read. */
      const findUnsaved = Effect.fnUntraced(function* (claim: ClaimedJob, leads: ReadonlyArray<PendingLead>) {
        const positions = leads.map(({ position }) => position)
        const rows = yield* sql<{ readonly id: string }>`
          SELECT id FROM leads
          WHERE list_id = ${claim.subject} AND workspace_id = ${claim.workspace_id} AND status = 'pending'
            AND position >= ${Math.min(...positions)} AND position <= ${Math.max(...positions)}
          ORDER BY position`
        const ids = new Set(leads.map(({ id }) => id))
        return rows.flatMap(({ id }) => (ids.has(id) ? [id] : []))
      })

      const findRunningBatches = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ payload: Schema.fromJsonString(BatchPayload) }),
        execute: ({ id, workspace }) => sql`
          SELECT payload FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace} AND status = 'processing'`
      })

      /** The leads with held credits that no running batch is writing. */
      const findIdleHolds = Effect.fnUntraced(function* ({ subject, workspace_id }: ClaimedJob) {
        const runningJobs = yield* findRunningBatches({ id: subject, workspace: workspace_id })
        const runningBatches = new Set(runningJobs.map(({ payload }) => payload.batch))
        const holds = yield* sql<{ readonly owner: string; readonly position: number }>`
          SELECT h.owner, l.position FROM credit_holds h JOIN leads l ON l.id = h.owner
          WHERE h.workspace_id = ${workspace_id} AND l.workspace_id = ${workspace_id} AND l.list_id = ${subject}`
        return holds
          .filter(({ position }) => !runningBatches.has(Math.floor(position / batchSize)))
          .map(({ owner }) => owner)
      })

      const holdCredits = Effect.fnUntraced(function* (
        claim: ClaimedJob,
        leads: ReadonlyArray<PendingLead>,
        cost: number
      ) {
        yield* queue.requireLease(claim)
        const pendingIds = yield* findUnsaved(claim, leads)
        const coveredIds = yield* credits.hold(claim.workspace_id, pendingIds, cost)
        return { covered: new Set(coveredIds), pending: new Set(pendingIds) }
      }, inTransaction(sql))

      const failLead = Effect.fnUntraced(function* (
        claim: ClaimedJob,
        lead: PendingLead,
        message: string,
        failure: Failure | null,
        skipped: string | null = null
      ) {
        const failedRows = yield* sql`
          UPDATE leads
          SET status = 'failed', error = ${message}, failure = ${encodeFailure(failure)}, skipped = ${skipped}, suspect = 0
          WHERE id = ${lead.id} AND workspace_id = ${claim.workspace_id} AND status = 'pending' RETURNING id`
        if (failedRows.length === 0) return
        yield* sql.afterCommit(Metrics.add(Metrics.leads({ outcome: "failed" }), 1))
        yield* credits.release(claim.workspace_id, [lead.id])
        yield* sql`
          UPDATE lists SET leads_failed = leads_failed + 1, processing_status = 'in_progress', updated_at = ${yield* now}
          WHERE id = ${claim.subject} AND workspace_id = ${claim.workspace_id}`
        yield* events.recordAll(claim.workspace_id, "lead.failed", () => [
          ListEvents.leadFailedEvent(claim.subject, lead, { failure, message, skipped: skipped !== null })
        ])
      })

      /** The error of the campaign's build, or of the research before it. */
      const findBuildError = SqlSchema.findOneOption({
        Request: Schema.Struct({ subject: Schema.String, workspace_id: Schema.String }),
        Result: Schema.Struct({
          error: Schema.NullOr(Schema.String),
          failure: Schema.NullOr(Schema.fromJsonString(Failure))
        }),
        execute: ({ subject, workspace_id }) => sql`
          SELECT j.error, j.failure FROM lists l
          JOIN campaigns c ON c.id = l.campaign_id AND c.workspace_id = l.workspace_id
          JOIN jobs j ON j.id IN (c.build_job, c.research_job) AND j.workspace_id = l.workspace_id
          WHERE l.id = ${subject} AND l.workspace_id = ${workspace_id} AND j.status = 'failed'
          ORDER BY CASE WHEN j.failure IS NULL THEN 1 ELSE 0 END, j.id LIMIT 1`
      })

      const failWithJob = Effect.fn("Batches.failWithJob")(function* (
        claim: ClaimedJob,
        message: string,
        failure: Failure | null
      ) {
        for (const lead of yield* loadPendingLeads(claim)) yield* failLead(claim, lead, message, failure)
        yield* completeListIfDone(claim)
      }, inTransaction(sql))

      return Batches.of({
        loadBatch: traced("Batches.open")(function* (claim) {
          const brief = yield* findBrief(claim)
          if (Option.isNone(brief)) return Option.none()
          const lead = handoffOf(claim)?.lead
          if (lead !== undefined) return Option.some({ ...brief.value, leads: [lead] })
          return Option.some({
            ...brief.value,
            leads: yield* skipSuppressed(claim, yield* Effect.orDie(loadPendingLeads(claim)))
          })
        }),

        hold: traced("Batches.hold")(function* (claim, { writing }, leads) {
          if (leads.every(({ holds }) => holds > 0)) return leads
          const { covered, pending } = yield* holdCredits(claim, leads, writing.cost)
          return leads.filter(({ id }) => covered.has(id) || !pending.has(id))
        }),

        setCrashCount: (claim, lead, times) =>
          sql`
            UPDATE leads SET suspect = ${times}
            WHERE id = ${lead.id} AND workspace_id = ${claim.workspace_id}
              AND EXISTS (SELECT 1 FROM jobs
                WHERE id = ${claim.id} AND workspace_id = ${claim.workspace_id} AND lease = ${claim.lease})`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),

        saveLead: (claim, lead, emails, recordModelCalls) =>
          saveLead({ claim, lead, written: emails, recordModelCalls }),

        saveLastLead: (claim, lead, emails, recordModelCalls) =>
          saveLead({ claim, lead, written: emails, recordModelCalls, end: completeListIfDone(claim) }),

        fail: Effect.fn("Batches.fail")(function* (claim, lead, message, failure) {
          yield* queue.requireLease(claim)
          yield* failLead(claim, lead, message, failure)
        }, inTransaction(sql)),

        failExcluded: Effect.fn("Batches.failExcluded")(function* (claim, lead, reason) {
          yield* queue.requireLease(claim)
          yield* failLead(claim, lead, `Left out: ${reason}`, null, reason)
        }, inTransaction(sql)),

        completeBatch: (claim) => queue.complete(claim, completeListIfDone(claim)),

        completeListIfDone,

        park: (claim, reason) =>
          queue.park(
            claim,
            Effect.gen(function* () {
              const leads = (yield* loadPendingLeads(claim)).map((lead) => lead.id)
              yield* sql`
                UPDATE leads SET error = ${reason?.message ?? null}, failure = ${encodeFailure(reason?.failure ?? null)}
                WHERE ${sql.in("id", leads)} AND workspace_id = ${claim.workspace_id}`
              yield* sql`
                UPDATE jobs SET status = 'parked', updated_at = ${yield* now}
                WHERE subject = ${claim.subject} AND workspace_id = ${claim.workspace_id} AND status = 'pending'`
              if (reason?.failure.reason === "model_unreachable") yield* pauseList(claim.workspace_id, claim.subject)
              // Batches that were requeued half done also hold credits.
              yield* credits.release(claim.workspace_id, yield* findIdleHolds(claim))
              yield* completeListIfDone(claim)
            }).pipe(Effect.orDie)
          ),

        failBatch: Effect.fnUntraced(function* (claim) {
          const buildError = Option.getOrUndefined(yield* Effect.orDie(findBuildError(claim)))
          const error = buildError?.error ?? null
          const message = `The campaign's build failed${error === null ? "" : `: ${error}`}`
          yield* queue.complete(claim, failWithJob(claim, message, buildError?.failure ?? null))
        }),

        failWithJob
      })
    })
  )
}
