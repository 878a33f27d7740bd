// src/commands/Doctor.ts: checks everything that Overture needs, without changing anything.
import { Cause, Effect } from "effect"
import { CliError, Command } from "effect/cli"
import { checkStore } from "#layers/operations/CheckStore.ts"
import { checkSmtp } from "#layers/Mailer.ts"
import type { Check } from "#layers/operations/Verify.ts"
import { asUserError, userError } from "#src/commands/Output.ts"
import { directory, print } from "#src/commands/Root.ts"
import { dotEnvLayer } from "#src/DataDir.ts"
import { checkDisk, checkSettings } from "#src/doctor/CheckSettings.ts"
import { checkModel } from "#src/doctor/CheckModel.ts"
import { databaseUrl, smtpUrl } from "#src/settings.ts"

/** Checks mail without sending any. */
const checkMail = Effect.fnUntraced(function* (directory: string) {
  const url = yield* smtpUrl.value
  if (url === undefined) {
    const detail = `SMTP_URL is not set: mail is written to ${directory}/outbox.`
    return { name: "mail", ok: true, detail } satisfies Check
  }
  const problem = yield* checkSmtp(url)
  const detail = problem === null ? "The mail server answers." : `${problem}. Check SMTP_URL.`
  return { name: "mail", ok: problem === null, detail } satisfies Check
})

/** Turns an invalid setting or an unexpected error into a failed check. */
const runCheck = <A, E extends { readonly message: string }, R>(
  name: string,
  check: Effect.Effect<A, E, R>,
  toChecks: (result: A) => ReadonlyArray<Check>
) =>
  asUserError(check).pipe(
    Effect.map(toChecks),
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      const message = error instanceof CliError.UserError ? error.userMessage : undefined
      return Effect.succeed([{ name, ok: false, detail: message ?? "This cannot be checked: an unexpected error." }])
    })
  )

export const doctor = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const dataDirectory = yield* directory
    const checks = yield* Effect.all(
      [
        runCheck("settings", checkSettings(dataDirectory), (check) => [check]),
        runCheck("disk", checkDisk(dataDirectory), (check) => [check]),
        runCheck(
          "store",
          Effect.flatMap(databaseUrl, (url) => checkStore(dataDirectory, url)),
          (checks) => checks
        ),
        runCheck("mail", checkMail(dataDirectory), (check) => [check]),
        runCheck("model", checkModel, (check) => [check])
      ],
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(yield* dotEnvLayer(dataDirectory)))
    const allChecks = checks.flat()
    const failedChecks = allChecks.filter(({ ok }) => !ok)
    yield* print(
      { ok: failedChecks.length === 0, checks: allChecks },
      allChecks.map(({ detail, name, ok }) => `${ok ? "ok     " : "FAILED "} ${name}: ${detail}`)
    )
    if (failedChecks.length > 0) return yield* userError(`${failedChecks.length} of ${allChecks.length} checks failed`)
  }).pipe(asUserError)
)
