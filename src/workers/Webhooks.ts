// src/workers/Webhooks.ts: delivers events to webhooks.
import { Effect, Option } from "effect"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Web } from "#layers/Web.ts"
import { Deliveries, maxRetryDelay, retryDelays } from "#layers/webhooks/Deliveries.ts"
import { maxStoredResponse } from "#schema/Webhooks.ts"

/**
 * Delivers at least once: after a crash before the answer was stored, the message is sent again with the same
 * `webhook-id`.
 */
export const deliverWebhooks: Effect.Effect<JobHandler, never, Deliveries | Queue | Web> = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  const queue = yield* Queue
  const web = yield* Web

  return {
    type: "webhook.delivery",
    // For failures of this server only; a failure of the receiver postpones the job by the delivery schedule.
    retryPolicy: { attempts: retryDelays.length + 1, maxPause: maxRetryDelay },
    // A delivery does not crash the process, so it fails only after 30 crashes by other jobs.
    maxCrashes: 30,
    run: Effect.fn("webhook.delivery")(function* (claim) {
      const opened = yield* deliveries.loadDelivery(claim)
      if (Option.isNone(opened)) return yield* queue.complete(claim, Effect.void)
      const delivery = opened.value
      if (!delivery.enabled) return yield* deliveries.failWithoutAttempt(claim, delivery, "The webhook is disabled")
      const headers = yield* deliveries.signHeaders(delivery)
      // The answer is stored even during shutdown.
      yield* Effect.uninterruptibleMask((restore) =>
        restore(web.post(delivery.url, { body: delivery.body, headers }, maxStoredResponse)).pipe(
          Effect.flatMap((answer) => deliveries.saveAttempt(claim, delivery, answer))
        )
      )
    }),
    failed: (claim) => deliveries.failWithJob(claim, "The server failed to send it; see its log")
  } satisfies JobHandler
})
