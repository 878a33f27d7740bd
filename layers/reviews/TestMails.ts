// layers/reviews/TestMails.ts: sends the emails of a lead to the workspace's owner as a test.
import { Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Mailer } from "#layers/Mailer.ts"
import { add, mails } from "#layers/Metrics.ts"
import type { LeadPath } from "#layers/reviews/LoadLead.ts"
import { Reviews } from "#layers/Reviews.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { MailUnavailable, NotReady, Unprocessable } from "#schema/Errors.ts"
import type { TestMailed } from "#schema/Review.ts"

const notReady = (message: string) => new NotReady({ message })

/** Sends one email of a lead or all of them. Never sends to the lead. */
export const makeTestMails = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const reviews = yield* Reviews
  const workspaces = yield* Workspaces
  // A server may run without a mailer.
  const mailer = Option.getOrUndefined(yield* Effect.serviceOption(Mailer))

  return Effect.fn("TestMails.send")(function* (workspace: WorkspaceId, path: LeadPath, step: number | null) {
    const { emails } = yield* reviews.findLead(workspace, path, false)
    if (mailer === undefined || mailer.isOutbox === true) {
      return yield* notReady("This server has no mail server, so no test mail can be sent. Set SMTP_URL and restart it")
    }
    const emailsToSend = step === null ? emails : emails.filter((email) => email.step === step)
    if (emailsToSend.length === 0) {
      return yield* new Unprocessable({
        message: step === null ? "This lead has no emails to send" : `This lead has no email ${step} to send`
      })
    }
    // Not the contact email: a key can set it, and could send any text to any address through the operator's server.
    const ownerEmail = yield* workspaces.owner(workspace)
    if (ownerEmail === null) {
      return yield* notReady(
        `This workspace has no owner, who gets the test mails. The operator sets one: overture workspace owner ${workspace} --email EMAIL`
      )
    }
    let sentCount = 0
    for (const { body, subject } of emailsToSend) {
      const mail = { id: yield* random.uuidV7(), to: ownerEmail, subject: `[Test] ${subject}`, text: `${body}\n` }
      yield* mailer.send(mail).pipe(
        Effect.tap(add(mails({ outcome: "sent" }), 1)),
        Effect.catchTag("MailFailed", ({ message, transient }) =>
          Effect.andThen(
            add(mails({ outcome: transient ? "put_off" : "refused" }), 1),
            Effect.fail(
              new MailUnavailable({
                message: `${message}. ${sentCount === 0 ? "Nothing was sent" : `${sentCount} of ${emailsToSend.length} emails were sent`}`
              })
            )
          )
        )
      )
      sentCount++
    }
    return { to: ownerEmail, sent: sentCount } satisfies TestMailed
  })
})
