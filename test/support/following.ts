// test/support/following.ts: a reader of server-sent events on a connection of its own, as a stranger's would be.
import { Effect } from "effect"
import { request } from "node:http"
import { eventsOf } from "./declared.ts"
import { until } from "./until.ts"

export interface Following {
  readonly status: number
  readonly headers: Headers
  /** All that came so far. */
  readonly text: () => string
  /** The events of that, their data read as JSON. */
  readonly events: () => ReadonlyArray<{ readonly id: string | undefined; readonly event: string; readonly data: any }>
  /** Waits until the server closes the stream; true if it did so properly. */
  readonly closed: Effect.Effect<boolean>
  readonly isOpen: () => boolean
  readonly hangUp: Effect.Effect<void>
}

/** Asks for the events of a list; answers once the headers are there, and hangs up when the scope closes. */
export const follow = (origin: string, key: string, list: string, headers: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.callback<Following>((resume) => {
      const sent = request(
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
              hangUp: Effect.sync(() => void sent.destroy())
            })
          )
        }
      )
      sent.on("error", (error) => resume(Effect.die(error)))
      sent.end()
    }),
    ({ hangUp }) => hangUp
  )

/** Waits for what came so far to be as hoped. */
export const waitForEvents = (following: Following, isExpected: (events: ReturnType<Following["events"]>) => boolean) =>
  until(Effect.sync(following.events), isExpected)
