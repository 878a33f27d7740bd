// src/http/handlers/Preview.ts: previews of a campaign's emails to synthetic leads.
import { Effect } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Previews } from "#layers/Previews.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positioned } from "#schema/Page.ts"
import { addResponseHeader } from "#src/http/RequestContext.ts"
import { attemptOf, refuseConcurrent } from "#src/http/IdempotentHandler.ts"

export const PreviewHandlers = Effect.gen(function* () {
  const previews = yield* Previews

  return handlersOf("preview", {
    listPreviews: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* previews.list(workspace_id, params.id, query)
      return positioned(page, query)
    }),
    getPreview: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* previews.find(workspace_id, params.id, params.preview_id)
    }),
    previewCampaign: Effect.fnUntraced(
      function* (request) {
        const { workspace_id } = yield* CurrentPrincipal
        const attempt = yield* attemptOf(request)
        const { answer, replayed } = yield* previews.make(workspace_id, request.params.id, request.payload, attempt)
        if (replayed) yield* addResponseHeader({ "idempotent-replayed": "true" })
        return answer
      },
      Effect.catchTag("InFlight", () => refuseConcurrent)
    )
  })
})
