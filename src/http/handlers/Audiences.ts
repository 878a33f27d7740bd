// src/http/handlers/Audiences.ts: the target audiences of a workspace.
import { Effect } from "effect"
import { Audiences } from "#layers/Audiences.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { pageFieldsOf } from "#schema/Page.ts"
import { handlersOf } from "#src/http/Handlers.ts"

export const AudiencesHandlers = Effect.gen(function* () {
  const audiences = yield* Audiences

  return handlersOf("target_audiences", {
    listTargetAudiences: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* audiences.list(workspace_id, query, query.q)
      return { data: page.rows, ...pageFieldsOf(page, query) }
    })
  })
})
