// src/http/Lint.ts: the checker over HTTP.
import { Effect } from "effect"
import { Lint } from "#layers/Lint.ts"
import { Api } from "#schema/Api.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { group } from "#src/http/Group.ts"

export const LintHandlers = group(
  Api,
  "lint",
  Effect.fnUntraced(function* (handlers) {
    const { lint } = yield* Lint

    return handlers.handle(
      "lint",
      Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* lint(workspace_id, payload)
      })
    )
  })
)
