// src/http/handlers/Jobs.ts: the status and result of background jobs.
import { Effect } from "effect"
import { Queue } from "#layers/Queue.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { handlersOf } from "#src/http/Handlers.ts"

export const JobsHandlers = Effect.gen(function* () {
  const queue = yield* Queue

  return handlersOf("jobs", {
    getJob: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* queue.find(workspace_id, params.id)
    })
  })
})
