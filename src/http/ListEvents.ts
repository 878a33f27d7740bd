// src/http/ListEvents.ts: how far a list is, as server-sent events.
import { Duration, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { memoize } from "effect/Function"
import { type List, ListEvent } from "#schema/Lists.ts"
import { streamed } from "#src/http/Streamed.ts"

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
        id: `${processing_status}-${progress.leads_done}-${progress.leads_failed}`,
        event: "progress",
        data: { processing_status, progress }
      }
}

/** The same for all who follow a list. */
const bytesOf = memoize((list: List) => encoder.encode(Sse.encoder.write({ _tag: "Event", ...encode(eventOf(list)) })))

export const events = (news: Stream.Stream<List | undefined>) => {
  let isOver = false
  const told = Stream.map(news, (list) => {
    isOver = list !== undefined && list.progress === undefined
    return list === undefined ? comment : bytesOf(list)
  })
  const cut = Stream.suspend(() => (isOver ? Stream.empty : Stream.succeed(retry)))
  return streamed(Stream.concat(told, cut), {
    contentType: "text/event-stream",
    // nginx and those like it would keep the events until they have many.
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}
