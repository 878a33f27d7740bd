// src/http/handlers/Suppressions.ts: the suppression list.
import { Effect } from "effect"
import { Suppressions } from "#layers/Suppressions.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positioned } from "#schema/Page.ts"
import { csvResponse } from "#src/http/handlers/Lists.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"

export const SuppressionsHandlers = Effect.gen(function* () {
  const suppressions = yield* Suppressions
  const runOnce = yield* idempotent

  return handlersOf("suppressions", {
    listSuppressions: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* suppressions.list(workspace_id, query, query)
      return positioned(page, query)
    }),
    addSuppressions: Effect.fnUntraced(function* (request) {
      const { scopes, workspace_id } = yield* CurrentPrincipal
      const { entries } = request.payload
      const { exported_lists, ...counts } = yield* runOnce(
        request,
        Effect.all({
          counts: suppressions.add(workspace_id, entries),
          exported_lists: suppressions.exportedLists(workspace_id, entries)
        }).pipe(Effect.map(({ counts, exported_lists }) => ({ ...counts, exported_lists })))
      )
      // A repeated key may get the answer to a request with other scopes. Answers stored by earlier versions have no lists.
      const showsLists = scopes.includes("lists:read") && exported_lists !== undefined && exported_lists.length > 0
      return showsLists ? { ...counts, exported_lists } : counts
    }),
    exportSuppressions: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* csvResponse({
        content: suppressions.exportEntries(workspace_id),
        bytes: undefined,
        name: "suppressions"
      })
    }),
    deleteSuppression: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* suppressions.remove(workspace_id, params.id)
      return { id: params.id, deleted: true }
    })
  })
})
