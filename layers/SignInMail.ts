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

/**
 * Protects the recipient and the mail server. There is no limit for all callers together, nor per client address, which
 * all callers behind a proxy share: strangers could use it up and so keep owners from their links.
 */
const mailsPerAddress = { limit: 3, window: Duration.minutes(15) }
/** Addresses that are looked up at once, because each takes memory. */
const maxLookups = 1000

/** The console page that asks before it uses the link, because mail programs fetch links to preview them. */
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
    /** Whether a mail server is set; false for an outbox folder. */
    readonly isAvailable: Effect.Effect<boolean>
    /**
     * Mails a link for each workspace of this owner, in the background: neither the answer nor its time reveals whether
     * the address is known. RATE_LIMITED if too many addresses are being looked up.
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

      let lookups = 0

      const send = Effect.fn("SignInMail.send")(function* (email: string) {
        const owned = yield* Effect.ensuring(
          workspaces.findByOwner(email),
          Effect.sync(() => lookups--)
        )
        // Only requests for an owner's address are counted, because each counter takes memory.
        if (Option.isNone(mailer) || owned.length === 0) return
        // In lower case, because mail servers ignore the case of an address.
        yield* limiter.consume({ key: `sign-in-mail:${email.toLowerCase()}`, ...mailsPerAddress })
        for (const { id, name, owner_email } of owned) {
          const { token } = yield* auth.createLink(yield* auth.signInKey(id, ownerKey))
          const message = signInMessage(name, signInAddress(yield* links.baseUrl, token))
          yield* mailer.value.send({ id: yield* random.uuidV7(), to: owner_email, ...message })
        }
      })

      return SignInMail.of({
        isAvailable: Effect.succeed(Option.isSome(mailer) && mailer.value.isOutbox !== true),
        request: Effect.fn("SignInMail.request")(function* (email) {
          if (lookups >= maxLookups) {
            return yield* new RateLimited({ message: "Too many people ask for links; try again in a minute" })
          }
          lookups++
          yield* Effect.forkDetach(
            send(email).pipe(
              // Its error contains the address, and is not logged.
              Effect.catchTag("RateLimiterError", ({ reason }) =>
                reason._tag === "RateLimitStoreError"
                  ? Effect.logWarning("A sign-in link was not mailed", { reason: "the rate limiter is unavailable" })
                  : Effect.void
              ),
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
