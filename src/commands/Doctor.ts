// src/commands/Doctor.ts: checks everything that Overture needs, without changing anything.
import { Cause, Effect } from "effect"
import { CliError, Command } from "effect/cli"
import { checkStore } from "#layers/operations/CheckStore.ts"
import { checkSmtp } from "#layers/Mailer.ts"
import type { Check } from "#layers/operations/Verify.ts"
import { asUserError, userError } from "#src/commands/Output.ts"
import { directory, print } from "#src/commands/Root.ts"
import { env } from "#src/DataDir.ts"
import { checkDisk, checkSettings } from "#src/doctor/CheckSettings.ts"
import { checkModel } from "#src/doctor/CheckModel.ts"
import { databaseUrl, smtp } from "#src/settings.ts"

/** Checks mail without sending any. */
const checkMail = Effect.fnUntraced(function* (directory: string) {
  const url = yield* smtp.value
  if (url === undefined) {
    const detail = `SMTP_URL is not set: mail is written to ${directory}/outbox.`
    return { name: "mail", ok: true, detail } satisfies Check
  }
  const problem = yield* checkSmtp(url)
  const detail = problem === null ? "The mail server answers." : `${problem}. Check SMTP_URL.`
  return { name: "mail", ok: problem === null, detail } satisfies Check
})

/** Turns an invalid setting or an unexpected error into a failed check. */
const finding = <A, E extends { readonly message: string }, R>(
  name: string,
  check: Effect.Effect<A, E, R>,
  found: (result: A) => ReadonlyArray<Check>
) =>
  asUserError(check).pipe(
    Effect.map(found),
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      const known = error instanceof CliError.UserError ? error.userMessage : undefined
      return Effect.succeed([{ name, ok: false, detail: known ?? "This cannot be checked: an unexpected error." }])
    })
  )

export const doctor = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const at = yield* directory
    const checks = yield* Effect.all(
      [
        finding("settings", checkSettings(at), (found) => [found]),
        finding("disk", checkDisk(at), (found) => [found]),
        finding(
          "store",
          Effect.flatMap(databaseUrl, (url) => checkStore(at, url)),
          (found) => found
        ),
        finding("mail", checkMail(at), (found) => [found]),
        finding("model", checkModel, (found) => [found])
      ],
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(yield* env(at)))
    const all = checks.flat()
    const broken = all.filter(({ ok }) => !ok)
    yield* print(
      { ok: broken.length === 0, checks: all },
      all.map(({ detail, name, ok }) => `${ok ? "ok     " : "FAILED "} ${name}: ${detail}`)
    )
    if (broken.length > 0) return yield* userError(`${broken.length} of ${all.length} checks failed`)
  }).pipe(asUserError)
)
