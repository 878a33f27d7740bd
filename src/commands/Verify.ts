// src/commands/Verify.ts: checks the invariants of the database.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { verifyStore } from "#layers/operations/Verify.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"

export const verify = Command.make("verify", {}, () =>
  withStore(
    Effect.fnUntraced(function* (directory) {
      const checks = yield* verifyStore(directory)
      const failedChecks = checks.filter((check) => !check.ok)
      yield* print(
        { ok: failedChecks.length === 0, checks },
        checks.map(({ detail, name, ok }) => (ok ? `ok      ${name}` : `BROKEN  ${name}: ${detail}`))
      )
      if (failedChecks.length > 0)
        return yield* userError(`${failedChecks.length} of ${checks.length} checks found something broken`)
    })
  )
)
