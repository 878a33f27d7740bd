// src/http/handlers/Lint.ts: runs the checker on a text.
import { Effect } from "effect"
import { Lint } from "#layers/Lint.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { handlersOf } from "#src/http/Handlers.ts"

export const LintHandlers = Effect.gen(function* () {
  const { lint } = yield* Lint

  return handlersOf("lint", {
    lint: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lint(workspace_id, payload)
    })
  })
})
