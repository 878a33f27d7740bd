// src/stages/Leads.ts: writes to the leads of a list, batch by batch, each lead kept as soon as it is done.
import { Effect, Option, Ref, type Semaphore } from "effect"
import { type Draft, Generator, type GenerationFailed } from "#layers/Generator.ts"
import type { Claim, LeaseLost } from "#layers/Jobs.ts"
import { maxCrashes, type Stage } from "#layers/jobs/Worker.ts"
import { type Batch, Batches, type PendingLead } from "#layers/lists/Batches.ts"
import type { Sequence } from "#schema/Lead.ts"

/** The emails as they are sent, each with the signature under it. */
export const signed = (drafts: ReadonlyArray<Draft>, signature: string): Sequence =>
  drafts.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))

/** `writers` bounds the leads written at once, over all lists. */
export const leads = (
  type: "list.single" | "list.batch",
  writers: Semaphore.Semaphore
): Effect.Effect<Stage, never, Batches | Generator> =>
  Effect.gen(function* () {
    const batches = yield* Batches
    const generator = yield* Generator

    const write = Effect.fnUntraced(function* (claim: Claim, batch: Batch, lead: PendingLead) {
      const judged = yield* generator.sequence({
        campaign: batch.campaign,
        instructions: batch.instructions,
        lead,
        email_count: batch.writing.email_count,
        additional_details: batch.writing.additional_details,
        approved_ctas: batch.writing.approved_ctas,
        seed: `${claim.subject}:${lead.position}`
      })
      yield* batches.keep(claim, lead, signed(judged, batch.writing.signature), judged)
    })

    /** Answers whether the lead was dealt with; an outside reason leaves it pending and stops the rest. */
    const attempt = (claim: Claim, batch: Batch, lead: PendingLead): Effect.Effect<boolean, LeaseLost> =>
      write(claim, batch, lead).pipe(
        writers.withPermit,
        Effect.as(true),
        Effect.catchTag("GenerationFailed", (error: GenerationFailed) =>
          error.transient ? Effect.succeed(false) : Effect.as(batches.fail(claim, lead, error.message), true)
        )
      )

    /** A batch that has ended its process twice goes on lead by lead, so that the third time tells which it is. */
    const alone = Effect.fnUntraced(function* (claim: Claim, batch: Batch, lead: PendingLead) {
      if (lead.suspect) {
        yield* batches.fail(claim, lead, "Writing to this lead ended the process again and again")
        return true
      }
      yield* batches.suspect(claim, lead, true)
      return yield* attempt(claim, batch, lead).pipe(Effect.onInterrupt(() => batches.suspect(claim, lead, false)))
    })

    return {
      type,
      findsPoison: true,
      run: Effect.fn("leads.run")(function* (claim) {
        const opened = yield* batches.open(claim)
        // The gate opens when the build has ended, so a campaign without a brief is one whose build failed.
        if (Option.isNone(opened)) {
          yield* batches.abandon(claim, "The campaign's build failed")
          return yield* batches.finish(claim)
        }
        const batch = opened.value
        const covered = yield* batches.hold(claim, batch, batch.leads)
        const goOn = yield* Ref.make(true)
        const single = claim.crashes >= maxCrashes - 1
        yield* Effect.forEach(
          covered,
          Effect.fnUntraced(function* (lead) {
            if (!(yield* Ref.get(goOn))) return
            const done = yield* single ? alone(claim, batch, lead) : attempt(claim, batch, lead)
            if (!done) yield* Ref.set(goOn, false)
          }),
          { concurrency: single ? 1 : "unbounded", discard: true }
        )
        const complete = covered.length === batch.leads.length && (yield* Ref.get(goOn))
        yield* complete ? batches.finish(claim) : batches.park(claim)
      }),
      failed: (claim, message) => batches.abandon(claim, message)
    }
  })
