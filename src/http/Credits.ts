// src/http/Credits.ts: the credit account.
import { Effect } from "effect"
import { group } from "#src/http/Group.ts"
import { Credits } from "#layers/Credits.ts"
import { Api } from "#schema/Api.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"

export const CreditsHandlers = group(
  Api,
  "credits",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* Credits

    return handlers.handleAll({
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
)
