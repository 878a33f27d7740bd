// src/http/Jobs.ts: what became of work that was asked for.
import { Effect } from "effect"
import { Queue } from "#layers/Queue.ts"
import { Api } from "#schema/Api.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { group } from "#src/http/Group.ts"

export const JobsHandlers = group(
  Api,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const queue = yield* Queue

    return handlers.handle(
      "getJob",
      Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* queue.find(workspace_id, params.id)
      })
    )
  })
)
