// src/workers/Mail.ts: mails the recipient that a list is finished.
import { Duration, Effect } from "effect"
import { documentPath } from "#layers/Documents.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Links } from "#layers/Links.ts"
import { Lists } from "#layers/Lists.ts"
import type { Outcome } from "#layers/lists/Store.ts"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { add, mails } from "#layers/Metrics.ts"

const linkLifetime = Duration.days(7)

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
        yield* links.located
        const outcome = yield* lists.outcome(claim.workspace_id, claim.subject)
        yield* queue.requireLease(claim)
        // Deleting a list deletes its mail job, so the list of a valid claim exists.
        const list = yield* Effect.orDie(Effect.fromOption(outcome))
        const message = completionMessage(list, yield* links.sign(documentPath(claim.subject), linkLifetime))
        // Uninterruptible during shutdown, because an interrupted mail would be sent twice.
        const sendMail = mailer.send({ id: claim.subject, to: list.recipient, ...message }).pipe(
          Effect.tap(add(mails({ outcome: "sent" }), 1)),
          Effect.tapError(({ message, transient }) =>
            Effect.andThen(
              add(mails({ outcome: transient ? "put_off" : "refused" }), 1),
              Effect.logWarning("A mail was not taken", { reason: message })
            )
          )
        )
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
