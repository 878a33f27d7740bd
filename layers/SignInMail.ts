// layers/SignInMail.ts: mails sign-in links to the owners of workspaces.
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { RateLimiter } from "effect/persistence"
import { Auth } from "#layers/Auth.ts"
import { ownerKey } from "#layers/FirstRun.ts"
import { Links } from "#layers/Links.ts"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { RateLimited } from "#schema/Errors.ts"

/** Mails to one address, and requests by anybody: an address must not be flooded, nor the mail server. */
const mailsPerAddress = { limit: 3, window: Duration.minutes(15) }
const mailsOverall = { limit: 60, window: Duration.minutes(1) }

/** The page of the console that uses a link up once the person says so: mail programs open links to preview them. */
export const signInAddress = (address: string, token: Redacted.Redacted) =>
  `${address}/#/sign-in/${Redacted.value(token)}`

export const firstRunAddress = (address: string, token: Redacted.Redacted) =>
  `${address}/#/first-run/${Redacted.value(token)}`

const signInMessage = (name: string, link: string) => ({
  subject: `Sign in to Overture: ${withoutLinks(asOneLine(name, 100))}`,
  text: [
    `Open this link to sign in to the workspace "${withoutLinks(asOneLine(name, 100))}". It works once, for 15 minutes:`,
    link,
    "",
    "If you did not ask for it, ignore this mail.",
    ""
  ].join("\n")
})

export class SignInMail extends Context.Service<
  SignInMail,
  {
    /** Whether mail leaves this machine. */
    readonly isAvailable: Effect.Effect<boolean>
    /**
     * Mails a link for each workspace of this owner, in the background, so that the answer and its time tell nothing of the
     * address. RATE_LIMITED if too many requests come, from any caller.
     */
    readonly request: (email: string) => Effect.Effect<void, RateLimited>
  }
>()("overture/layers/SignInMail") {
  static readonly layer = Layer.effect(
    SignInMail,
    Effect.gen(function* () {
      const auth = yield* Auth
      const links = yield* Links
      const limiter = yield* RateLimiter.RateLimiter
      const random = yield* SecureRandom.SecureRandom
      const workspaces = yield* Workspaces
      const mailer = yield* Effect.serviceOption(Mailer)

      const send = Effect.fn("SignInMail.send")(function* (email: string) {
        if (Option.isNone(mailer)) return
        // A case that differs is the same mailbox to every server that people use.
        yield* limiter.consume({ key: `sign-in-mail:${email.toLowerCase()}`, ...mailsPerAddress })
        for (const { id, name, owner_email } of yield* workspaces.ownedBy(email)) {
          const { token } = yield* auth.link(yield* auth.signInKey(id, ownerKey))
          const message = signInMessage(name, signInAddress(yield* links.address, token))
          yield* mailer.value.send({ id: yield* random.uuidV7(), to: owner_email, ...message })
        }
      })

      return SignInMail.of({
        isAvailable: Effect.succeed(Option.isSome(mailer) && mailer.value.isOutbox !== true),
        request: Effect.fn("SignInMail.request")(function* (email) {
          yield* Effect.catchTag(
            limiter.consume({ key: "sign-in-mail", ...mailsOverall }),
            "RateLimiterError",
            () => new RateLimited({ message: "Too many people ask for links; try again in a minute" })
          )
          yield* Effect.forkDetach(
            send(email).pipe(
              // The error of the limiter holds the address.
              Effect.catchTag("RateLimiterError", () => Effect.void),
              Effect.catchTag("MailFailed", ({ message }) =>
                Effect.logWarning("A sign-in link was not mailed", { reason: message })
              ),
              Effect.catchCause((cause) => Effect.logWarning("A sign-in link was not mailed", cause))
            )
          )
        })
      })
    })
  )
}
