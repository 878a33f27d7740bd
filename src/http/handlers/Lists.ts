// src/http/handlers/Lists.ts: lists, and the emails in them as files.
import { Effect } from "effect"
import { Generation } from "#layers/Generation.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { Lists } from "#layers/Lists.ts"
import { Watchers } from "#layers/lists/Watchers.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positionOf } from "#schema/Page.ts"
import { events } from "#src/http/handlers/ListStreams.ts"
import { csv, json } from "#src/http/handlers/ListStreams.ts"

export const ListsHandlers = Effect.gen(function* () {
  const generation = yield* Generation
  const lists = yield* Lists
  const watchers = yield* Watchers

  return handlersOf("lists", {
    listLists: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.list(workspace_id, query, query)
      return { lists: page.rows, ...positionOf(page, query) }
    }),
    getList: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.find(workspace_id, params.id)
    }),
    followList: Effect.fnUntraced(function* ({ params }) {
      return yield* events(yield* watchers.watch(yield* CurrentPrincipal, params.id))
    }),
    renameList: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.rename(workspace_id, params.id, payload.custom_name)
    }),
    deleteList: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* lists.remove(workspace_id, params.id)
      return { id: params.id, deleted: true }
    }),
    reprocessList: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { pending, total } = yield* generation.reprocess(workspace_id, params.id)
      return {
        list_id: params.id,
        status: "processing",
        pending_batches: pending,
        batches_total: total,
        message: `${pending} of ${total} batches are resumed; follow GET /api/v1/lists/${params.id}`
      }
    }),
    exportList: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const format = query.format ?? "csv"
      const written = yield* lists.exported(workspace_id, params.id, format)
      return yield* format === "json" ? json(written) : csv(written)
    }),
    listLeads: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.leads(workspace_id, params.id, query, query)
      return { data: page.rows, ...positionOf(page, query) }
    })
  })
})
