// src/http/Lists.ts: lists, and the emails in them as files.
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { group } from "#src/http/Lean.ts"
import { Lists } from "#layers/Lists.ts"
import type { WrittenLead } from "#layers/lists/Emails.ts"
import { Api } from "#schema/Api.ts"
import { CurrentKey } from "#schema/Auth.ts"
import { positionOf } from "#schema/Page.ts"
import { csv } from "#src/http/ListFile.ts"

const asJson = ({ company, email, name, sequence, title }: WrittenLead) =>
  JSON.stringify({ email, name, company, title, sequence })

/** Pages of leads as one JSON document, written as they are read. */
const document = (pages: Stream.Stream<ReadonlyArray<WrittenLead>>) => {
  const body = pages.pipe(
    Stream.filter((leads) => leads.length > 0),
    Stream.zipWithIndex,
    Stream.map(([leads, i]) => (i === 0 ? "" : ",") + leads.map(asJson).join(","))
  )
  return Stream.make('{"leads":[').pipe(Stream.concat(body), Stream.concat(Stream.make("]}")), Stream.encodeText)
}

export const ListsHandlers = group(
  Api,
  "lists",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* Lists

    return handlers.handleAll({
      listLists: Effect.fnUntraced(function* ({ query }) {
        const { workspace_id } = yield* CurrentKey
        const page = yield* lists.list(workspace_id, query, query)
        return { lists: page.rows, ...positionOf(page, query) }
      }),
      getList: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return yield* lists.find(workspace_id, params.id)
      }),
      renameList: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentKey
        return yield* lists.rename(workspace_id, params.id, payload.custom_name)
      }),
      deleteList: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        yield* lists.remove(workspace_id, params.id)
        return { id: params.id, deleted: true }
      }),
      reprocessList: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        const { pending, total } = yield* lists.reprocess(workspace_id, params.id)
        return {
          list_id: params.id,
          status: "processing",
          pending_batches: pending,
          batches_total: total,
          message: `${pending} of ${total} batches go on; follow GET /api/v1/lists/${params.id}`
        }
      }),
      exportList: Effect.fnUntraced(function* ({ params, query }) {
        const { workspace_id } = yield* CurrentKey
        const written = yield* lists.written(workspace_id, params.id)
        return query.format === "json"
          ? HttpServerResponse.stream(document(written.pages), { contentType: "application/json" })
          : csv(written)
      })
    })
  })
)
