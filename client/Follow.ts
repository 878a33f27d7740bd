// client/Follow.ts: follows a list until it ends, by server-sent events, or by polling when the stream breaks off.
import { Effect, Schedule, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpClientError, HttpClientResponse } from "effect/http"
import { type List, ListEvent } from "#schema/Lists.ts"
import { type Client, poll } from "#client/Client.ts"

/** The status and progress of a list. */
type State = Pick<List, "processing_status" | "progress">

/** The server sends an event or a comment every 15 seconds; after a longer silence the connection is dead. */
const longestSilence = "45 seconds"

/** How long to wait for a server that is restarting. */
const patience = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(60)])

const decode = Schema.decodeUnknownEffect(ListEvent)

const parsed = (bytes: Stream.Stream<Uint8Array, HttpClientError.HttpClientError>) =>
  Stream.suspend(() => {
    const found: Array<Sse.Event> = []
    const parser = Sse.makeParser((event) => {
      // Ignores the server's retry time: this client polls after a lost stream.
      if (event._tag === "Event") found.push(event)
    })
    return bytes.pipe(
      Stream.timeout(longestSilence),
      Stream.decodeText,
      Stream.mapEffect((text) => {
        const error = parser.feed(text)
        return error === undefined ? Effect.succeed(found.splice(0)) : Effect.fail(error)
      }),
      Stream.flattenIterable
    )
  })

const events = (client: Client, id: string) =>
  client.lists.followList({ params: { id }, responseMode: "response-only" }).pipe(
    Effect.flatMap(HttpClientResponse.filterStatusOk),
    Effect.map(({ stream }) => parsed(stream)),
    Stream.unwrap,
    Stream.mapEffect(({ data, event, id }) => decode({ data, event, id })),
    Stream.map(({ data }): State => data)
  )

/** A list starts as `processing`, so a `pending` list has been parked. */
const isOver = ({ processing_status }: State) => ["completed", "failed", "pending"].includes(processing_status)

const isUnreachable = (error: unknown) =>
  HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError"

/** Returns the list once it is completed, failed or pending. Calls `onState` with each change. */
export const follow = Effect.fn("follow")(function* (
  client: Client,
  id: string,
  onState: (state: State) => Effect.Effect<void>
) {
  const ask = Effect.retry(client.lists.getList({ params: { id } }), { schedule: patience, while: isUnreachable })
  // Errors of the stream are ignored, because polling reports the same error with a clearer message.
  yield* events(client, id).pipe(Stream.tap(onState), Stream.takeUntil(isOver), Stream.runDrain, Effect.ignore)
  return yield* poll(Effect.tap(ask, onState), isOver)
})
