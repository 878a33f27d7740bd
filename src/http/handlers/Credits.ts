// src/http/handlers/Credits.ts: the credit account.
import { Effect } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Credits } from "#layers/Credits.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"

export const CreditsHandlers = Effect.gen(function* () {
  const credits = yield* Credits

  return handlersOf("credits", {
    getCredits: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* credits.account(workspace_id)
    }),
    checkCredits: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* credits.check(workspace_id, query.required)
    }),
    getCreditUsage: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* credits.usage(workspace_id)
    })
  })
})
