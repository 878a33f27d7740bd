// src/http/listener/Answer.ts: an answer on its way out of a socket.
import { Context, Duration, Predicate } from "effect"
import { type OutgoingHttpHeaders, ServerResponse } from "node:http"

/** How long a reader of events may take nothing, in milliseconds. */
export const MostStalled = Context.Reference("overture/src/http/MostStalled", {
  defaultValue: () => Duration.toMillis("1 minute")
})

/**
 * Sends an answer that is handed over whole in one piece with its headers. To check its length Node would send an empty
 * piece after it, at the price of another answer; and that length was counted from the same text.
 */
export const answering = (mostStalled: number) =>
  class Answer extends ServerResponse {
    override end(body?: unknown, ...rest: ReadonlyArray<unknown>): this {
      if (typeof body === "string") this.strictContentLength = false
      // Node tells by itself which of the two come.
      return super.end(body, ...(rest as [BufferEncoding, () => void]))
    }

    /** Events never end by themselves, so whoever takes none of them any more is dropped; comments are sent meanwhile. */
    override writeHead(status: number, ...rest: ReadonlyArray<unknown>): this {
      const headers = rest.at(-1)
      if (Predicate.hasProperty(headers, "content-type") && headers["content-type"] === "text/event-stream") {
        this.setTimeout(mostStalled)
      }
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders]))
    }
  }
