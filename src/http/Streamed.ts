// src/http/Streamed.ts: an answer that is sent while it is read.
import { Cause, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { RequestContext } from "#src/http/RequestContext.ts"

type Options = NonNullable<Parameters<typeof HttpServerResponse.stream>[1]>

/**
 * Sends the stream as the answer. Where it fails on the way, the connection breaks, since the status is sent already: the
 * log then says why, and which request it was. A client that hangs up is not logged.
 */
export const streamed = (content: Stream.Stream<Uint8Array>, options: Options) =>
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
