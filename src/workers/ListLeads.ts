// src/workers/ListLeads.ts: writes to the leads of a list, batch by batch; each lead is stored as soon as it is written.
import { Array as Arr, Effect, Option, Order, Ref, Schema, Semaphore } from "effect"
import { memoize } from "effect/Function"
import { Enrichment } from "#layers/Enrichment.ts"
import { findKnownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { type Campaign, Generator } from "#layers/Generator.ts"
import { appendSignature, leadBrief } from "#layers/generation/WritingSettings.ts"
import type { Claim, LeaseLost } from "#layers/Queue.ts"
import type { PendingLead, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { type Batch, type BatchBrief, Batches, type StopReason } from "#layers/lists/Batches.ts"
import { accounted, Occasion } from "#layers/model/ModelCalls.ts"
import type { Lead } from "#schema/Lead.ts"
import { failureOf, GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { type JobHandler, maxCrashes } from "#layers/queue/JobHandler.ts"
import { traced } from "#layers/lib/Traced.ts"

/** Limits how many leads and batches are written at the same time. */
export interface WriterPool {
  /** A permit for each lead that may be written at the same time. */
  readonly writers: Semaphore.Semaphore
  /** Runs a batch beside others, or alone. */
  readonly share: <A, E, R>(alone: boolean, batch: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Room for `batches` batches and `leads` leads at the same time. */
export const makeWriterPool = Effect.fnUntraced(function* (batches: number, leads: number) {
  const writers = yield* Semaphore.make(leads)
  const batchPermits = yield* Semaphore.make(batches)
  const exclusive = yield* Semaphore.make(1)
  // Takes the permits one by one, because a request for all of them would starve behind requests for one.
  const takeAllPermits = Effect.forEach(Array.from({ length: batches }), () => batchPermits.takeScoped(1), {
    discard: true
  })
  return {
    writers,
    share: (alone, batch) =>
      alone
        ? exclusive.withPermit(Effect.scoped(Effect.andThen(takeAllPermits, batch)))
        : batchPermits.withPermit(batch)
  } satisfies WriterPool
})

/** The lead works at a client, a competitor or the sender's own company, and the caller did not ask for such leads. */
class LeadSkipped extends Schema.TaggedError<LeadSkipped>()("LeadSkipped", { reason: Schema.String }) {}

/** The texts of the chosen social proof. Memoized, because the names in them are cached by the array. */
const socialProofTexts = memoize((campaign: Campaign) =>
  (campaign.social_proof?.items ?? []).map(({ description }) => description)
)

/** Writes the emails to one lead of a list. */
const makeLeadWriter = Effect.gen(function* () {
  const enrichment = yield* Enrichment
  const generator = yield* Generator

  return Effect.fnUntraced(function* (
    claim: Claim,
    briefing: BatchBrief,
    to: Lead & { readonly id: string; readonly position: number }
  ) {
    const { campaign, playbook, writing } = briefing
    const known =
      writing.include_clients === false ? findKnownCompany(to, campaign.profile, socialProofTexts(campaign)) : null
    if (known !== null) return yield* new LeadSkipped({ reason: known.reason })
    const place = { workspace: claim.workspace_id, list: claim.subject }
    const { facts, lead } = writing.enriched ? yield* enrichment.enrich(place, to) : { facts: [], lead: to }
    const brief = leadBrief(briefing, { lead, facts, seed: `${claim.subject}:${to.position}` })
    const occasion = { workspace: claim.workspace_id, kind: "lead", subject: to.id }
    const judged = yield* Effect.provideService(generator.sequence(brief), Occasion, occasion)
    const written: WrittenEmails = {
      sequence: appendSignature(judged, writing.signature),
      judged,
      playbook_version: playbook.version,
      facts
    }
    return written
  })
})

/** The outcome of a batch: the external reason that stopped it, or that its only lead has completed the job. */
type BatchOutcome = Ref.Ref<{ readonly stopped?: StopReason; readonly ended?: true }>

export const listLeads = (
  type: "list.single" | "list.batch",
  { share, writers }: WriterPool
): Effect.Effect<JobHandler, never, Batches | Enrichment | Generator> =>
  Effect.gen(function* () {
    const batches = yield* Batches
    const writeEmails = yield* makeLeadWriter

    const writeAndStore = Effect.fnUntraced(function* (
      claim: Claim,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome,
      begun: Effect.Effect<void>,
      account: Effect.Effect<void>
    ) {
      const turn = Effect.flatMap(Ref.get(outcome), ({ stopped }) =>
        stopped === undefined
          ? Effect.andThen(begun, writeEmails(claim, batch, lead))
          : Effect.fail(new GenerationFailed({ ...stopped, transient: true }))
      )
      // The permit is released before the result is stored, so that a slow store does not block a writer.
      const result = yield* writers.withPermit(turn)
      if (batch.leads.length > 1) return yield* batches.keep(claim, lead, result, account)
      yield* batches.end(claim, lead, result, account)
      yield* Ref.set(outcome, { ended: true })
    })

    /**
     * Writes to the lead, or returns the external reason that leaves it pending and stops the batch. `begun` runs once
     * there is a permit to write.
     */
    const attemptLead = (
      claim: Claim,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome,
      begun: Effect.Effect<void> = Effect.void
    ): Effect.Effect<StopReason | void, LeaseLost> =>
      accounted((account) => writeAndStore(claim, batch, lead, outcome, begun, account)).pipe(
        Effect.catchTags({
          GenerationFailed: (error) =>
            error.transient
              ? Effect.succeed({ message: error.message, failure: failureOf(error) })
              : batches.fail(claim, lead, error.message, failureOf(error)),
          LeadSkipped: ({ reason }) => batches.skip(claim, lead, reason)
        })
      )

    /** Writes to a lead that is marked meanwhile; the mark remains if the process dies. */
    const attemptMarked = Effect.fnUntraced(function* (
      claim: Claim,
      batch: Batch,
      lead: PendingLead,
      outcome: BatchOutcome
    ) {
      if (lead.suspect >= maxCrashes) {
        yield* batches.fail(claim, lead, "Writing to this lead ended the process again and again", failureOf({}))
        return
      }
      const mark = batches.suspect(claim, lead, lead.suspect + 1)
      const cleared = batches.suspect(claim, lead, lead.suspect)
      const reason = yield* Effect.onInterrupt(attemptLead(claim, batch, lead, outcome, mark), () => cleared)
      if (reason !== undefined) yield* cleared
      return reason
    })

    return {
      type,
      findsPoison: true,
      awaited: type === "list.single",
      run: traced("leads.run")(function* (claim) {
        const opened = yield* batches.open(claim)
        // The gate is released when the build ends, so a campaign without a brief is one whose build failed.
        if (Option.isNone(opened)) {
          return yield* batches.failBatch(claim)
        }
        const batch = opened.value
        // After one crash, leads are marked while they are written. After two, leads are written one at a time, marked ones
        // last. A lead fails when it was marked in three crashes, of which it was alone in at least two: a host that keeps
        // crashing rarely hits the same lead that often.
        const alone = claim.crashes >= maxCrashes - 1
        const attemptOne = claim.crashes === 0 ? attemptLead : attemptMarked
        const outcome: BatchOutcome = yield* Ref.make({})
        const covered = yield* share(
          alone,
          Effect.gen(function* () {
            const covered = yield* batches.hold(claim, batch, batch.leads)
            yield* Effect.forEach(
              Arr.sortWith(covered, (lead) => lead.suspect, Order.Number),
              (lead) =>
                Effect.flatMap(attemptOne(claim, batch, lead, outcome), (stopped) =>
                  typeof stopped === "object" ? Ref.set(outcome, { stopped }) : Effect.void
                ),
              { concurrency: alone || covered.length === 1 ? 1 : "unbounded", discard: true }
            )
            return covered.length
          })
        )
        const { ended, stopped } = yield* Ref.get(outcome)
        if (ended) return
        const complete = covered === batch.leads.length && stopped === undefined
        yield* complete ? batches.finish(claim) : batches.park(claim, stopped ?? null)
      }),
      failed: (claim, message, failure) => batches.abandon(claim, message, failure)
    }
  })

/** Completes jobs of a type that earlier versions stored; a store may still hold some. */
export const legacyComparison: Effect.Effect<JobHandler, never, Batches> = Effect.gen(function* () {
  const batches = yield* Batches
  return {
    type: "list.variety",
    run: (claim) => batches.finish(claim),
    failed: (claim) => batches.settle(claim)
  }
})
