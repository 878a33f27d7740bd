// src/http/server/RouterTransport.ts: the contract's endpoints as routes of the library's router, which supports every
// kind of request, streaming, tracing and tests without a socket.
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import type { Endpoint } from "#src/http/Endpoints.ts"
import { toResponse } from "#src/http/FallbackResponses.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

const route = ({ declared, serve }: Endpoint) =>
  HttpRouter.route(
    declared.method,
    declared.path as HttpRouter.PathInput,
    Effect.gen(function* () {
      const context = yield* RequestContext
      const request = yield* HttpServerRequest.HttpServerRequest
      if (context === undefined) return yield* Effect.die(new Error("A request without its pipeline"))
      const incoming = {
        url: request.url,
        headers: request.headers,
        params: yield* HttpRouter.params,
        query: yield* HttpServerRequest.ParsedSearchParams,
        bytes: (limit: number) =>
          Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        parts: request.multipartStream
      }
      return toResponse(yield* serve(incoming, context))
    })
  )

export const routerTransport = (endpoints: ReadonlyArray<Endpoint>) =>
  HttpRouter.use((router) => router.addAll(endpoints.map(route)))
