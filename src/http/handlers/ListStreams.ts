// src/http/handlers/ListStreams.ts: a list as a stream: its emails as a file, and how far it is as server-sent events.
import { Cause, Duration, Effect, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { memoize } from "effect/Function"
import { HttpServerResponse } from "effect/http"
import type { Export } from "#layers/Lists.ts"
import { type ExportPreset, type List, ListEvent } from "#schema/Lists.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

type Options = NonNullable<Parameters<typeof HttpServerResponse.stream>[1]>

/**
 * Sends the stream as the answer. Where it fails on the way, the connection breaks, since the status is sent already: the
 * log then says why, and which request it was. A client that hangs up is not logged.
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

/** Downloaded under this name, never cached, never rendered. */
export const attached = (name: string) => ({
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "private, no-store"
})

/** A name that every system can store; RFC 6266 allows more than every client understands. */
const fileName = (name: string, preset: ExportPreset | undefined) => {
  const plain = name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, 80)
  return `${plain || "list"}${preset === undefined ? "" : `-${preset}`}.csv`
}

export const json = ({ bytes, content }: Export) =>
  streamed(content, { contentType: "application/json", contentLength: bytes })

/** The name of a file for a sending tool ends in the tool's. */
export const csv = ({ bytes, content, name }: Export, preset?: ExportPreset) =>
  streamed(content, {
    contentType: "text/csv; charset=utf-8",
    contentLength: bytes,
    headers: attached(fileName(name, preset))
  })

const encoder = new TextEncoder()
const encode = Schema.encodeSync(ListEvent)

/** The last word where the end is not that of the list: when to come back. */
const retry = encoder.encode(
  Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))
)

/** Proxies close a connection on which nothing is said for long. */
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

/** The same for all who follow a list. */
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
    // nginx and those like it would keep the events until they have many.
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}
