// src/workers/Mail.ts: mails the recipient that a list is finished, and the owner that a webhook is disabled.
import { Duration, Effect, Option } from "effect"
import { documentPath } from "#layers/Documents.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Links } from "#layers/Links.ts"
import { Lists } from "#layers/Lists.ts"
import type { Outcome } from "#layers/lists/Store.ts"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { add, mails } from "#layers/Metrics.ts"
import { Deliveries, type DisabledWebhook } from "#layers/webhooks/Deliveries.ts"

const linkLifetime = Duration.days(7)

/** Sends a mail, and counts and logs its outcome. */
const sendCounted = (mailer: Mailer["Service"], mail: Parameters<Mailer["Service"]["send"]>[0]) =>
  mailer.send(mail).pipe(
    Effect.tap(add(mails({ outcome: "sent" }), 1)),
    Effect.tapError(({ message, transient }) =>
      Effect.andThen(
        add(mails({ outcome: transient ? "put_off" : "refused" }), 1),
        Effect.logWarning("A mail was not taken", { reason: message })
      )
    )
  )

const completionMessage = ({ leads_count, leads_done, leads_failed, leads_skipped, name }: Outcome, link: string) => {
  const title = withoutLinks(asOneLine(name, 100))
  const list = `"${title}"`
  const leads = leads_count === 1 ? "1 lead" : `${leads_count} leads`
  if (leads_done === 0) {
    return {
      subject: `List failed: ${title}`,
      text: `The list ${list} is finished, but none of its ${leads} could be written to. Nothing was charged for it.\n`
    }
  }
  return {
    subject: `List ready: ${title}`,
    text: [
      `The list ${list} is finished.`,
      "",
      `Leads: ${leads_count}`,
      `Written to: ${leads_done}`,
      `Failed: ${leads_failed}`,
      ...(leads_skipped > 0 ? [`Left out: ${leads_skipped}`] : []),
      "",
      "All of its emails as a CSV file. Anyone with this link can download it for 7 days:",
      link,
      ""
    ].join("\n")
  }
}

/**
 * Sends each mail at least once: after a crash before the completion was stored, the mail is sent again with the same
 * Message-ID.
 */
export const completionMail: Effect.Effect<JobHandler, never, Queue | Links | Lists | Mailer> = Effect.gen(
  function* () {
    const queue = yield* Queue
    const links = yield* Links
    const lists = yield* Lists
    const mailer = yield* Mailer
    /** Lists whose mail was sent but whose completion could not be stored; only the latter is retried. */
    const sentLists = new Set<string>()

    return {
      type: "mail.completion",
      // About a day: an hour of doubling pauses, then hourly.
      retryPolicy: { attempts: 35, maxPause: Duration.hours(1) },
      // A mail does not crash the process, so it fails only after 30 crashes by other jobs.
      maxCrashes: 30,
      run: Effect.fn("mail.completion")(function* (claim) {
        yield* links.waitForBaseUrl
        const outcome = yield* lists.outcome(claim.workspace_id, claim.subject)
        yield* queue.requireLease(claim)
        // Deleting a list deletes its mail job, so the list of a valid claim exists.
        const list = yield* Effect.orDie(Effect.fromOption(outcome))
        const message = completionMessage(list, yield* links.sign(documentPath(claim.subject), linkLifetime))
        // Uninterruptible during shutdown, because an interrupted mail would be sent twice.
        const sendMail = sendCounted(mailer, { id: claim.subject, to: list.recipient, ...message })
        yield* Effect.gen(function* () {
          if (!sentLists.has(claim.subject)) yield* sendMail
          sentLists.add(claim.subject)
          yield* queue.complete(claim, Effect.void)
          sentLists.delete(claim.subject)
        }).pipe(Effect.uninterruptible)
      }),
      failed: (claim, message) =>
        Effect.logError("The mail of a finished list is given up", { list: claim.subject, reason: message })
    } satisfies JobHandler
  }
)

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
      const webhook = Option.getOrUndefined(yield* deliveries.findDisabledWebhook(claim))
      if (webhook === undefined || webhook.owner_email === null) return yield* queue.complete(claim, Effect.void)
      // The job's id, so that a duplicate has the same Message-ID.
      const sendMail = sendCounted(mailer, { id: claim.id, to: webhook.owner_email, ...disabledMessage(webhook) })
      yield* Effect.uninterruptible(Effect.andThen(sendMail, queue.complete(claim, Effect.void)))
    }),
    failed: (claim, message) =>
      Effect.logError("The mail about a disabled webhook is given up", { job: claim.id, reason: message })
  } satisfies JobHandler
})
