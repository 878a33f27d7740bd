// src/http/handlers/Lists.ts: lists, their leads, their exports as files, and how far they are as server-sent events.
import { Cause, Duration, Effect, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { memoize } from "effect/Function"
import { HttpServerResponse } from "effect/http"
import { type Export, Lists } from "#layers/Lists.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { type ExportPreset, type List, ListEvent } from "#schema/Lists.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { Generation } from "#layers/Generation.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { Prices } from "#layers/lists/Usage.ts"
import { ListProgress } from "#layers/lists/ListProgress.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { pageFieldsOf, positioned } from "#schema/Page.ts"

type StreamOptions = NonNullable<Parameters<typeof HttpServerResponse.stream>[1]>

/**
 * Sends the stream as the response. If it fails, the status is already sent, so the connection is closed and the
 * failure is logged with the request's id. A client that disconnects is not logged.
 */
const streamResponse = (content: Stream.Stream<Uint8Array>, options: StreamOptions) =>
  Effect.map(RequestContext, (requestContext) =>
    HttpServerResponse.stream(
      Stream.tapCause(content, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.logError(
              "An answer broke off",
              { request_id: requestContext?.request_id, route: requestContext?.route },
              cause
            )
      ),
      options
    )
  )

/** Headers to download the response as this file, without caching or rendering. */
export const downloadHeaders = (name: string) => ({
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "private, no-store"
})

/** A file name valid on every system; clients do not support all of RFC 6266. */
const fileName = (name: string, preset: ExportPreset | undefined) => {
  const safeName = name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, 80)
  return `${safeName || "list"}${preset === undefined ? "" : `-${preset}`}.csv`
}

const jsonResponse = ({ bytes, content }: Export) =>
  streamResponse(content, { contentType: "application/json", contentLength: bytes })

/** The file name ends with the name of the preset. */
export const csvResponse = ({ bytes, content, name }: Export, preset?: ExportPreset) =>
  streamResponse(content, {
    contentType: "text/csv; charset=utf-8",
    contentLength: bytes,
    headers: downloadHeaders(fileName(name, preset))
  })

const encoder = new TextEncoder()
const encode = Schema.encodeSync(ListEvent)

/** Tells clients when to reconnect, if a stream ends before its list is complete. */
const retryMessage = encoder.encode(
  Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))
)

/** A keep-alive, because proxies close idle connections. */
const keepAlive = encoder.encode(": nothing new\n\n")

const eventOf = (list: List): ListEvent => {
  const { processing_status, progress } = list
  return progress === undefined
    ? { id: processing_status, event: "end", data: list }
    : {
        id: `${processing_status}-${progress.leads_done}-${progress.leads_failed}${progress.leads_skipped === undefined ? "" : `-${progress.leads_skipped}`}`,
        event: "progress",
        data: { processing_status, progress }
      }
}

/** Encoded once for all subscribers of a list. */
const encodeEvent = memoize((list: List) =>
  encoder.encode(Sse.encoder.write({ _tag: "Event", ...encode(eventOf(list)) }))
)

const eventStreamResponse = (updates: Stream.Stream<List | undefined>) => {
  let hasEnded = false
  const messages = Stream.map(updates, (list) => {
    hasEnded = list !== undefined && list.progress === undefined
    return list === undefined ? keepAlive : encodeEvent(list)
  })
  const reconnect = Stream.suspend(() => (hasEnded ? Stream.empty : Stream.succeed(retryMessage)))
  return streamResponse(Stream.concat(messages, reconnect), {
    contentType: "text/event-stream",
    // Turns off buffering in nginx and similar proxies.
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}

export const ListsHandlers = Effect.gen(function* () {
  const generation = yield* Generation
  const lists = yield* Lists
  const suppressions = yield* Suppressions
  const prices = yield* Prices
  const watchers = yield* ListProgress

  return handlersOf("lists", {
    listLists: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.list(workspace_id, query, query)
      const totals = query.totals === undefined ? undefined : yield* lists.totals(workspace_id, query)
      return { lists: page.rows, ...pageFieldsOf(page, query), ...(totals && { totals }) }
    }),
    getList: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.findWithUsage(workspace_id, params.id, prices)
    }),
    followList: Effect.fnUntraced(function* ({ params }) {
      return yield* eventStreamResponse(yield* watchers.watch(yield* CurrentPrincipal, params.id))
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
      const { columns, exported: exportedFilter, preset, review, suppressed } = query
      if (format === "json" && preset !== undefined) {
        return yield* BadRequest.at("preset", "is for CSV, and not for format=json")
      }
      const options = { review, preset, columns, suppressed, exported: exportedFilter }
      const file = yield* lists.exportList(workspace_id, params.id, format, options)
      return yield* format === "json" ? jsonResponse(file) : csvResponse(file, preset)
    }),
    countExport: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* lists.countExport(workspace_id, params.id, query)
    }),
    listLeads: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.leads(workspace_id, params.id, query, query)
      return positioned(page, query)
    }),
    findLeads: Effect.fnUntraced(function* ({ query }) {
      const { scopes, workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.findLeads(workspace_id, query.email, query)
      const omitted_rows = yield* lists.findOmittedRows(workspace_id, query.email)
      const found = { ...positioned(page, query), omitted_rows }
      if (!scopes.includes("workspace:read")) return found
      return { ...found, suppressions: yield* suppressions.findEntries(workspace_id, query.email) }
    }),
    listOmittedRows: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* lists.omittedRows(workspace_id, params.id, query)
      return positioned(page, query)
    }),
    exportOmittedRows: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* csvResponse(yield* lists.exportOmittedRows(workspace_id, params.id))
    })
  })
})
