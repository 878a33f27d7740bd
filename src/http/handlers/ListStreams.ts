// src/http/handlers/ListStreams.ts: streams a list: its emails as a file, and its progress as server-sent events.
import { Cause, Duration, Effect, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { memoize } from "effect/Function"
import { HttpServerResponse } from "effect/http"
import type { Export } from "#layers/Lists.ts"
import { type ExportPreset, type List, ListEvent } from "#schema/Lists.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

type Options = NonNullable<Parameters<typeof HttpServerResponse.stream>[1]>

/**
 * Sends the stream as the response. If it fails, the status is already sent, so the connection is closed and the
 * failure is logged with the request's id. A client that disconnects is not logged.
 */
const streamed = (content: Stream.Stream<Uint8Array>, options: Options) =>
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
export const attached = (name: string) => ({
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "private, no-store"
})

/** A file name valid on every system; clients do not support all of RFC 6266. */
const fileName = (name: string, preset: ExportPreset | undefined) => {
  const plain = name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, 80)
  return `${plain || "list"}${preset === undefined ? "" : `-${preset}`}.csv`
}

export const json = ({ bytes, content }: Export) =>
  streamed(content, { contentType: "application/json", contentLength: bytes })

/** The file name ends with the name of the preset. */
export const csv = ({ bytes, content, name }: Export, preset?: ExportPreset) =>
  streamed(content, {
    contentType: "text/csv; charset=utf-8",
    contentLength: bytes,
    headers: attached(fileName(name, preset))
  })

const encoder = new TextEncoder()
const encode = Schema.encodeSync(ListEvent)

/** Sent at the end of a stream before the list has ended: when to reconnect. */
const retry = encoder.encode(
  Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))
)

/** A keep-alive, because proxies close idle connections. */
const comment = encoder.encode(": nothing new\n\n")

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
const bytesOf = memoize((list: List) => encoder.encode(Sse.encoder.write({ _tag: "Event", ...encode(eventOf(list)) })))

export const events = (news: Stream.Stream<List | undefined>) => {
  let isOver = false
  const sent = Stream.map(news, (list) => {
    isOver = list !== undefined && list.progress === undefined
    return list === undefined ? comment : bytesOf(list)
  })
  const cut = Stream.suspend(() => (isOver ? Stream.empty : Stream.succeed(retry)))
  return streamed(Stream.concat(sent, cut), {
    contentType: "text/event-stream",
    // Turns off buffering in nginx and similar proxies.
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}
