// src/workers/Preview.ts: writes the synthetic leads of a preview.
import { Cause, Effect, Result } from "effect"
import { failureOf, GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { failureMessage, failureReason, type JobHandler } from "#layers/queue/JobHandler.ts"
import { combineMarks } from "#layers/lists/LeadColumns.ts"
import { type AttemptedPreview, toPreviewLead } from "#layers/previews/PreviewResult.ts"
import { Previews } from "#layers/Previews.ts"
import type { Failure } from "#schema/Errors.ts"
import { previewLeads } from "#schema/Preview.ts"
import { appendSignature, makeLeadBrief } from "#layers/generation/WritingSettings.ts"

/** Not transient, because the caller does not wait for retries. */
const previewFailed = (message: string, failure: Failure = failureOf({})) =>
  new GenerationFailed({ message, transient: false, failure })

const interrupted = "The server stopped while the preview was written"

/** Logs a defect with its stack, but only the reason of a failure, because its findings quote the email. */
const logFailure = (cause: Cause.Cause<GenerationFailed>) =>
  Cause.hasDies(cause)
    ? Effect.logWarning("A preview failed", cause)
    : Effect.logWarning("A preview failed", { reason: failureMessage(cause) })

const attemptPreview = <A>(writing: Effect.Effect<A, GenerationFailed>) =>
  Effect.catchCauseIf(
    writing,
    (cause) => !Cause.hasInterrupts(cause),
    (cause) => Effect.andThen(logFailure(cause), previewFailed(failureMessage(cause), failureReason(cause)))
  )

export const preview: Effect.Effect<JobHandler, never, Generator | Previews> = Effect.gen(function* () {
  const generator = yield* Generator
  const previews = yield* Previews
  // A preview that was running when the server ended has no waiting caller.
  yield* previews.countCrashes

  return {
    type: "campaign.preview",
    awaited: true,
    interruptionError: interrupted,
    run: Effect.fn("preview.run")(function* (claim) {
      // The caller was disconnected by the crash, and must not be charged for a preview it did not get.
      if (claim.crashes > 0) return yield* previewFailed(interrupted)
      const openedPreview = yield* previews.loadWork(claim)
      const { campaign, columns, preview_id, writing } = openedPreview
      const leads = yield* attemptPreview(generator.syntheticLeads(campaign, previewLeads, preview_id))
      const attempts = yield* Effect.forEach(
        leads,
        (lead, index) =>
          generator
            .sequence(
              makeLeadBrief(openedPreview, {
                lead: toPreviewLead(columns, lead),
                facts: [],
                seed: `${preview_id}:${index}`
              })
            )
            .pipe(
              attemptPreview,
              Effect.map((judgedEmails) => ({
                sequence: appendSignature(judgedEmails, writing.signature),
                marks: combineMarks(judgedEmails)
              })),
              Effect.result,
              Effect.map((outcome): AttemptedPreview => ({ lead, outcome }))
            ),
        { concurrency: "unbounded" }
      )
      if (!attempts.some(({ outcome }) => Result.isSuccess(outcome))) {
        const [first] = attempts.flatMap(({ outcome }) => (Result.isFailure(outcome) ? [outcome.failure] : []))
        const reason = first === undefined ? "there are none" : first.message
        return yield* previewFailed(`Nothing could be written to any of the leads: ${reason}`, failureOf(first ?? {}))
      }
      yield* previews.complete(claim, openedPreview, attempts)
    }),
    failed: (claim, message, failure) => previews.fail(claim, message, failure)
  } satisfies JobHandler
})
