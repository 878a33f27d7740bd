// test/support/event-stream.ts: reads the server-sent events of a list on a separate connection.
import { Effect } from "effect"
import { request } from "node:http"
import { eventsOf } from "./declared.ts"
import { until } from "./until.ts"

export interface EventStream {
  readonly status: number
  readonly headers: Headers
  /** The text received so far. */
  readonly text: () => string
  /** The events received so far, with their data parsed as JSON. */
  readonly events: () => ReadonlyArray<{ readonly id: string | undefined; readonly event: string; readonly data: any }>
  /** Waits until the server closes the stream; true if the response was complete. */
  readonly closed: Effect.Effect<boolean>
  readonly isOpen: () => boolean
  readonly hangUp: Effect.Effect<void>
}

/** Requests the events of a list and returns once the headers have arrived. Disconnects when the scope closes. */
export const openEventStream = (origin: string, key: string, list: string, headers: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.callback<EventStream>((resume) => {
      const clientRequest = request(
        `${origin}/api/v1/lists/${list}/events`,
        { agent: false, headers: { "x-api-key": key, ...headers } },
        (response) => {
          let text = ""
          let closed: boolean | undefined
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (text += chunk))
          response.on("error", () => {})
          response.on("close", () => (closed = response.complete))
          const events = () => eventsOf(text).map((event) => ({ ...event, data: JSON.parse(event.data) }))
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: new Headers(response.headersDistinct as Record<string, any>),
              text: () => text,
              events,
              closed: Effect.map(
                until(
                  Effect.sync(() => closed),
                  (closed) => closed !== undefined
                ),
                (closed) => closed === true
              ),
              isOpen: () => closed === undefined,
              hangUp: Effect.sync(() => void clientRequest.destroy())
            })
          )
        }
      )
      clientRequest.on("error", (error) => resume(Effect.die(error)))
      clientRequest.end()
    }),
    ({ hangUp }) => hangUp
  )

/** Waits until the events received so far pass the check. */
export const waitForEvents = (
  stream: EventStream,
  isExpected: (events: ReturnType<EventStream["events"]>) => boolean
) => until(Effect.sync(stream.events), isExpected)
