// src/workers/Webhooks.ts: delivers events to webhooks, and notifies the owner when a webhook is disabled.
import { Duration, Effect, Option } from "effect"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { add, mails } from "#layers/Metrics.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Web } from "#layers/Web.ts"
import { Deliveries, type DisabledWebhook, maxRetryDelay, retryDelays } from "#layers/webhooks/Deliveries.ts"
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
      const opened = yield* deliveries.open(claim)
      if (Option.isNone(opened)) return yield* queue.complete(claim, Effect.void)
      const delivery = opened.value
      if (!delivery.enabled) return yield* deliveries.failWithoutAttempt(claim, delivery, "The webhook is disabled")
      const headers = yield* deliveries.headers(delivery)
      // The answer is stored even during shutdown.
      yield* Effect.uninterruptibleMask((restore) =>
        restore(web.post(delivery.url, { body: delivery.payload, headers }, maxStoredResponse)).pipe(
          Effect.flatMap((answer) => deliveries.settle(claim, delivery, answer))
        )
      )
    }),
    failed: (claim) => deliveries.failWithJob(claim, "The server failed to send it; see its log")
  } satisfies JobHandler
})

const disabledMessage = ({ id, url, workspace }: DisabledWebhook) => {
  const host = withoutLinks(asOneLine(URL.parse(url)?.hostname ?? "", 100))
  return {
    subject: `Webhook disabled: ${host}`,
    text: [
      `The webhook to ${host} of the workspace "${withoutLinks(asOneLine(workspace, 100))}" is disabled, because every attempt of five days has failed.`,
      "",
      `Webhook: ${id}`,
      "",
      "Its deliveries show the answers of the receiver:",
      `  GET /api/v1/webhooks/${id}/deliveries?status=failed`,
      "Once the receiver works, enable the webhook:",
      `  PATCH /api/v1/webhooks/${id} with {"enabled": true}`,
      "Events that happen meanwhile are not sent later. Failed deliveries can be resent.",
      ""
    ].join("\n")
  }
}

export const disabledMail: Effect.Effect<JobHandler, never, Deliveries | Mailer | Queue> = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  const mailer = yield* Mailer
  const queue = yield* Queue

  return {
    type: "webhook.disabled",
    // About a day: an hour of doubling pauses, then hourly.
    retryPolicy: { attempts: 35, maxPause: Duration.hours(1) },
    maxCrashes: 30,
    run: Effect.fn("webhook.disabled")(function* (claim) {
      yield* queue.requireLease(claim)
      const webhook = Option.getOrUndefined(yield* deliveries.disabled(claim))
      if (webhook === undefined || webhook.owner_email === null) return yield* queue.complete(claim, Effect.void)
      // The job's id, so that a duplicate has the same Message-ID.
      const sendMail = mailer.send({ id: claim.id, to: webhook.owner_email, ...disabledMessage(webhook) }).pipe(
        Effect.tap(add(mails({ outcome: "sent" }), 1)),
        Effect.tapError(({ message, transient }) =>
          Effect.andThen(
            add(mails({ outcome: transient ? "put_off" : "refused" }), 1),
            Effect.logWarning("A mail was not taken", { reason: message })
          )
        )
      )
      yield* Effect.uninterruptible(Effect.andThen(sendMail, queue.complete(claim, Effect.void)))
    }),
    failed: (claim, message) =>
      Effect.logError("The mail about a disabled webhook is given up", { job: claim.id, reason: message })
  } satisfies JobHandler
})
