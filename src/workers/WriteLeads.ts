// src/workers/WriteLeads.ts: writes the leads of a list in batches, and stores each lead as soon as it is written.
import { Array as Arr, Effect, Option, Order, Ref, Schema, Semaphore } from "effect"
import { memoize } from "effect/Function"
import { Enrichment } from "#layers/Enrichment.ts"
import { findKnownCompany } from "#layers/generator/companies/KnownCompanies.ts"
import { type Campaign, Generator } from "#layers/Generator.ts"
import { appendSignature, makeLeadBrief } from "#layers/generation/WritingSettings.ts"
import type { ClaimedJob, LeaseLost } from "#layers/Queue.ts"
import type { PendingLead, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { type Batch, type BatchBrief, Batches, type StopReason } from "#layers/lists/Batches.ts"
import { withHeldModelCalls, ModelCallSubject } from "#layers/model/ModelCalls.ts"
import type { Lead } from "#schema/Lead.ts"
import { failureOf, GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { type JobHandler, maxCrashes } from "#layers/queue/JobHandler.ts"
import { traced } from "#layers/lib/Traced.ts"

/** Limits how many leads and batches are written at the same time. */
export interface WriterPool {
  /** A permit for each lead being written. */
  readonly writers: Semaphore.Semaphore
  /** Runs a batch beside others or, with `isExclusive`, alone. */
  readonly runBatch: <A, E, R>(isExclusive: boolean, batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Allows `batches` batches and `leads` leads at the same time. */
export const makeWriterPool = Effect.fnUntraced(function* (batches: number, leads: number) {
  const writers = yield* Semaphore.make(leads)
  const batchPermits = yield* Semaphore.make(batches)
  const exclusive = yield* Semaphore.make(1)
  // One by one, because a request for all permits at once would starve behind requests for one.
  const takeAllPermits = Effect.forEach(Array.from({ length: batches }), () => batchPermits.takeScoped(1), {
    discard: true
  })
  return {
    writers,
    runBatch: (isExclusive, batch) =>
      isExclusive
        ? exclusive.withPermit(Effect.scoped(Effect.andThen(takeAllPermits, batch)))
        : batchPermits.withPermit(batch)
  } satisfies WriterPool
})

/** The lead is at a client, a competitor or the sender's own company, and such leads were not requested. */
class LeadSkipped extends Schema.TaggedError<LeadSkipped>()("LeadSkipped", { reason: Schema.String }) {}

/** The selected social proof. Memoized, because the names in it are cached by array identity. */
const socialProofTexts = memoize((campaign: Campaign) =>
  (campaign.social_proof?.items ?? []).map(({ description }) => description)
)

/** Writes the emails to one lead of a list. */
const makeLeadWriter = Effect.gen(function* () {
  const enrichment = yield* Enrichment
  const generator = yield* Generator

  return Effect.fnUntraced(function* (
    claim: ClaimedJob,
    batch: BatchBrief,
    pendingLead: Lead & { readonly id: string; readonly position: number }
  ) {
    const { campaign, playbook, writing } = batch
    const knownCompany =
      writing.include_clients === false
        ? findKnownCompany(pendingLead, campaign.profile, socialProofTexts(campaign))
        : null
    if (knownCompany !== null) return yield* new LeadSkipped({ reason: knownCompany.reason })
    const listKey = { workspace: claim.workspace_id, list: claim.subject }
    const { facts, lead } = writing.enriched
      ? yield* enrichment.enrich(listKey, pendingLead)
      : { facts: [], lead: pendingLead }
    const brief = makeLeadBrief(batch, { lead, facts, seed: `${claim.subject}:${pendingLead.position}` })
    const callSubject = { workspace: claim.workspace_id, kind: "lead", subject: pendingLead.id, list: claim.subject }
    const judgedEmails = yield* Effect.provideService(generator.sequence(brief), ModelCallSubject, callSubject)
    const written: WrittenEmails = {
      sequence: appendSignature(judgedEmails, writing.signature),
      judged: judgedEmails,
      playbook_version: playbook.version,
      facts
    }
    return written
  })
})

/** `stopped` is the external reason that stopped the batch; `ended` means that its only lead completed the job. */
type BatchOutcome = Ref.Ref<{ readonly stopped?: StopReason; readonly ended?: true }>

export const writeLeads = (
  type: "list.single" | "list.batch",
  { runBatch, writers }: WriterPool
): Effect.Effect<JobHandler, never, Batches | Enrichment | Generator> =>
  Effect.gen(function* () {
    const batches = yield* Batches
    const writeEmails = yield* makeLeadWriter

    const writeAndStore = Effect.fnUntraced(function* (
      claim: ClaimedJob,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome,
      onStart: Effect.Effect<void>,
      recordModelCalls: Effect.Effect<void>
    ) {
      const writeUnlessStopped = Effect.flatMap(Ref.get(outcome), ({ stopped }) =>
        stopped === undefined
          ? Effect.andThen(onStart, writeEmails(claim, batch, lead))
          : Effect.fail(new GenerationFailed({ ...stopped, transient: true }))
      )
      // Releases the permit before storing, so that a slow database does not block other leads.
      const result = yield* writers.withPermit(writeUnlessStopped)
      if (batch.leads.length > 1) return yield* batches.saveLead(claim, lead, result, recordModelCalls)
      yield* batches.saveLastLead(claim, lead, result, recordModelCalls)
      yield* Ref.set(outcome, { ended: true })
    })

    /**
     * Writes one lead. Returns the external reason that leaves the lead pending and stops the batch, if any. `onStart`
     * runs when a permit is available.
     */
    const attemptLead = (
      claim: ClaimedJob,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome,
      onStart: Effect.Effect<void> = Effect.void
    ): Effect.Effect<StopReason | void, LeaseLost> =>
      withHeldModelCalls((recordModelCalls) =>
        writeAndStore(claim, batch, lead, outcome, onStart, recordModelCalls)
      ).pipe(
        Effect.catchTags({
          GenerationFailed: (error) =>
            error.transient
              ? Effect.succeed({ message: error.message, failure: failureOf(error) })
              : batches.fail(claim, lead, error.message, failureOf(error)),
          LeadSkipped: ({ reason }) => batches.failExcluded(claim, lead, reason)
        })
      )

    /** Marks the lead while it is written; a crash leaves the mark. */
    const attemptMarked = Effect.fnUntraced(function* (
      claim: ClaimedJob,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome
    ) {
      if (lead.suspect >= maxCrashes) {
        yield* batches.fail(claim, lead, "Writing to this lead ended the process again and again", failureOf({}))
        return
      }
      const setMark = batches.setCrashCount(claim, lead, lead.suspect + 1)
      const clearMark = batches.setCrashCount(claim, lead, lead.suspect)
      const reason = yield* Effect.onInterrupt(attemptLead(claim, batch, lead, outcome, setMark), () => clearMark)
      if (reason !== undefined) yield* clearMark
      return reason
    })

    return {
      type,
      isolatesPoison: true,
      awaited: type === "list.single",
      run: traced("leads.run")(function* (claim) {
        const opened = yield* batches.loadBatch(claim)
        // The gate is released when the build ends, so a campaign without a brief has a failed build.
        if (Option.isNone(opened)) {
          return yield* batches.failBatch(claim)
        }
        const batch = opened.value
        // After one crash, leads are marked while they are written. After two, leads are written one at a time, marked
        // ones last. A lead fails after three marked crashes, in at least two of them alone: unrelated crashes rarely
        // hit the same lead so often.
        const isExclusive = claim.crashes >= maxCrashes - 1
        const attempt = claim.crashes === 0 ? attemptLead : attemptMarked
        const outcome: BatchOutcome = yield* Ref.make({})
        const heldCount = yield* runBatch(
          isExclusive,
          Effect.gen(function* () {
            const heldLeads = yield* batches.hold(claim, batch, batch.leads)
            yield* Effect.forEach(
              Arr.sortWith(heldLeads, (lead) => lead.suspect, Order.Number),
              (lead) =>
                Effect.flatMap(attempt(claim, batch, lead, outcome), (stopped) =>
                  typeof stopped === "object" ? Ref.set(outcome, { stopped }) : Effect.void
                ),
              { concurrency: isExclusive || heldLeads.length === 1 ? 1 : "unbounded", discard: true }
            )
            return heldLeads.length
          })
        )
        const { ended, stopped } = yield* Ref.get(outcome)
        if (ended) return
        const complete = heldCount === batch.leads.length && stopped === undefined
        yield* complete ? batches.completeBatch(claim) : batches.park(claim, stopped ?? null)
      }),
      failed: (claim, message, failure) => batches.failWithJob(claim, message, failure)
      // Optional properties that are misspelled would be ignored.
    } satisfies JobHandler
  })

/** Completes jobs of a type that only earlier versions created. */
export const legacyComparison: Effect.Effect<JobHandler, never, Batches> = Effect.gen(function* () {
  const batches = yield* Batches
  return {
    type: "list.variety",
    run: (claim) => batches.completeBatch(claim),
    failed: (claim) => batches.completeListIfDone(claim)
  }
})
