// src/workers/Webhooks.ts: sends events to webhooks, and notifies the owner of one that was disabled.
import { Duration, Effect, Option } from "effect"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { add, mails } from "#layers/Metrics.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Web } from "#layers/Web.ts"
import { Deliveries, type DisabledWebhook, longestRetryDelay, retryDelays } from "#layers/webhooks/Deliveries.ts"
import { maxAnswer } from "#schema/Webhooks.ts"

/** Delivers at least once: a process that dies after the receiver has answered sends the same `webhook-id` again. */
export const deliverWebhooks: Effect.Effect<JobHandler, never, Deliveries | Queue | Web> = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  const queue = yield* Queue
  const web = yield* Web

  return {
    type: "webhook.delivery",
    // A receiver's failures are no failures of the job, which is postponed by the schedule. These are the server's own.
    retryPolicy: { attempts: retryDelays.length + 1, longestPause: longestRetryDelay },
    // A request of a few lines causes no crash, but may be running each time that another job does.
    mostCrashes: 30,
    run: Effect.fn("webhook.delivery")(function* (claim) {
      const opened = yield* deliveries.open(claim)
      if (Option.isNone(opened)) return yield* queue.complete(claim, Effect.void)
      const delivery = opened.value
      if (!delivery.enabled) return yield* deliveries.giveUp(claim, delivery, "The webhook is disabled")
      const headers = yield* deliveries.headers(delivery)
      // Once there is an answer it is stored, also by a process that stops.
      yield* Effect.uninterruptibleMask((restore) =>
        restore(web.post(delivery.url, { body: delivery.payload, headers }, maxAnswer)).pipe(
          Effect.flatMap((answer) => deliveries.settle(claim, delivery, answer))
        )
      )
    }),
    failed: (claim) => deliveries.abandon(claim, "The server failed to send it; see its log")
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
    // About a day: an hour of doubling pauses, then once an hour.
    retryPolicy: { attempts: 35, longestPause: Duration.hours(1) },
    mostCrashes: 30,
    run: Effect.fn("webhook.disabled")(function* (claim) {
      yield* queue.holding(claim)
      const webhook = Option.getOrUndefined(yield* deliveries.disabled(claim))
      if (webhook === undefined || webhook.owner_email === null) return yield* queue.complete(claim, Effect.void)
      // The job's id, so that a second copy of this mail has the same Message-ID.
      const sent = mailer.send({ id: claim.id, to: webhook.owner_email, ...disabledMessage(webhook) }).pipe(
        Effect.tap(add(mails({ outcome: "sent" }), 1)),
        Effect.tapError(({ message, transient }) =>
          Effect.andThen(
            add(mails({ outcome: transient ? "put_off" : "refused" }), 1),
            Effect.logWarning("A mail was not taken", { reason: message })
          )
        )
      )
      yield* Effect.uninterruptible(Effect.andThen(sent, queue.complete(claim, Effect.void)))
    }),
    failed: (claim, message) =>
      Effect.logError("The mail about a disabled webhook is given up", { job: claim.id, reason: message })
  } satisfies JobHandler
})
