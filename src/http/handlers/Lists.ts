// src/http/handlers/Lists.ts: lists, their leads and their exports.
import { Effect } from "effect"
import { Generation } from "#layers/Generation.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { Lists } from "#layers/Lists.ts"
import { Prices } from "#layers/lists/Usage.ts"
import { ListProgress } from "#layers/lists/ListProgress.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { positionOf } from "#schema/Page.ts"
import { events } from "#src/http/handlers/ListStreams.ts"
import { csv, json } from "#src/http/handlers/ListStreams.ts"

export const ListsHandlers = Effect.gen(function* () {
  const generation = yield* Generation
  const lists = yield* Lists
  const prices = yield* Prices
  const watchers = yield* ListProgress

  return handlersOf("lists", {
    listLists: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.list(workspace_id, query, query)
      const totals = query.totals === undefined ? undefined : yield* lists.totals(workspace_id, query)
      return { lists: page.rows, ...positionOf(page, query), ...(totals && { totals }) }
    }),
    getList: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.findWithUsage(workspace_id, params.id, prices)
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
      const { columns, preset, review, suppressed } = query
      if (format === "json" && preset !== undefined) {
        return yield* BadRequest.at("preset", "is for CSV, and not for format=json")
      }
      const written = yield* lists.exported(workspace_id, params.id, format, { review, preset, columns, suppressed })
      return yield* format === "json" ? json(written) : csv(written, preset)
    }),
    countExport: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.countExported(workspace_id, params.id, query)
    }),
    listLeads: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.leads(workspace_id, params.id, query, query)
      return { data: page.rows, ...positionOf(page, query) }
    })
  })
})
