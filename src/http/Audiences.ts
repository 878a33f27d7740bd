// src/http/Audiences.ts: the segments that a workspace can speak to.
import { Effect } from "effect"
import { Audiences } from "#layers/Audiences.ts"
import { Api } from "#schema/Api.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positionOf } from "#schema/Page.ts"
import { group } from "#src/http/Group.ts"

export const AudiencesHandlers = group(
  Api,
  "target_audiences",
  Effect.fnUntraced(function* (handlers) {
    const audiences = yield* Audiences

    return handlers.handle(
      "listTargetAudiences",
      Effect.fnUntraced(function* ({ query }) {
        const { workspace_id } = yield* CurrentPrincipal
        const page = yield* audiences.list(workspace_id, query, query.q)
        return { data: page.rows, ...positionOf(page, query) }
      })
    )
  })
)
