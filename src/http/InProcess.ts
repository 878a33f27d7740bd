// src/http/InProcess.ts: a client that calls the API inside the server without a socket. Its requests pass
// authentication, limits and logging like all others.
import { Cause, Context, Effect, Layer, Schema, Semaphore, Stream } from "effect"
import {
  FindMyWay,
  Headers,
  HttpClient,
  HttpClientRequest,
  HttpClientResponse,
  HttpServerResponse,
  Multipart
} from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { Authentication } from "#schema/Auth.ts"
import { BadRequest, RequestId } from "#schema/Errors.ts"
import type { Endpoint } from "#src/http/Endpoints.ts"
import { errorResponse, replyToFailure, type Reply, toResponse } from "#src/http/Replies.ts"
import type { Incoming } from "#src/http/Guards.ts"
import { RequestContext } from "#src/http/RequestContext.ts"
import { requestLifecycle, routerConfig } from "#src/http/RequestPipeline.ts"

/** The caller whose credentials are used. */
export interface Caller {
  /** The caller's authentication headers. */
  readonly credentials: Readonly<Record<string, string>>
  /** The id of the outer request, for the log. */
  readonly request_id: string
}

export const Caller = Context.Reference<Caller | undefined>("overture/src/http/InProcess/Caller", {
  defaultValue: () => undefined
})

const MiB = 1024 * 1024
/** Size limit of a response, in bytes. */
const maxBytes = 8 * MiB
/** Streamed responses collected in memory at the same time. */
const maxHeldReplies = 4

const tooLarge = errorResponse(
  400,
  new BadRequest({
    message: `The answer is larger than ${maxBytes / MiB} MiB, which is too much for this server to hold; ask the API for it over HTTP`
  })
)

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()

/** The parts of a form and its headers, as they come over a socket. */
const formOf = ({ body, headers }: HttpClientRequest.HttpClientRequest): Pick<Incoming, "headers" | "parts"> => {
  if (body._tag !== "FormData") return { headers, parts: Stream.empty }
  const form = new Response(body.formData)
  const formHeaders = { "content-type": form.headers.get("content-type") ?? "" }
  // Read whole, because Node's stream of a form throws outside of every handler when its reader stops before the end.
  const bytes = Stream.fromEffect(Effect.promise(async () => new Uint8Array(await form.arrayBuffer())))
  return {
    headers: Headers.setAll(headers, formHeaders),
    parts: Stream.pipeThroughChannel(bytes, Multipart.makeChannel(formHeaders))
  }
}

/** Collects a streamed body; undefined if it is too large. */
const collectBody = (content: Stream.Stream<Uint8Array, unknown>) =>
  Effect.suspend(() => {
    let bytes = 0
    const chunks: Array<Uint8Array> = []
    return Stream.runForEachWhile(content, (chunk) => {
      bytes += chunk.length
      // A copy, because a file's reader fills the same buffer again.
      chunks.push(Uint8Array.from(chunk))
      return Effect.succeed(bytes <= maxBytes)
    }).pipe(Effect.map(() => (bytes > maxBytes ? undefined : Buffer.concat(chunks))))
  })

const json = Headers.fromRecordUnsafe({ "content-type": "application/json" })

/** Converts a streamed reply into one in memory. */
const withoutStream = (reply: Reply, permits: Semaphore.Semaphore) => {
  const response = toResponse(reply)
  const { body, headers, status } = response
  if (body._tag !== "Stream") return Effect.succeed(response)
  return Effect.flatMap(Effect.orDie(permits.withPermits(1)(collectBody(body.stream))), (bytes) =>
    bytes === undefined ? tooLarge : Effect.succeed(HttpServerResponse.uint8Array(bytes, { status, headers }))
  )
}

const makeHttp = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const { close, open } = yield* requestLifecycle
  const permits = yield* Semaphore.make(maxHeldReplies)
  const routes = FindMyWay.make<Endpoint>(routerConfig)
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.definition
    routes.on(method, path as FindMyWay.PathInput, endpoint)
  }

  return HttpClient.make((request, { pathname, search }) =>
    Effect.gen(function* () {
      const caller = yield* Caller
      const match = routes.find(request.method, pathname + search)
      if (caller === undefined || match === undefined) {
        return yield* Effect.die(new Error(`A request in this process without ${match ? "a caller" : "an endpoint"}`))
      }
      const startedRequest = open(request.method, undefined, caller.request_id)
      const { context } = startedRequest
      const bytes = bodyOf(request)
      const incoming: Incoming = {
        url: pathname + search,
        ...formOf(request),
        memoryIsReserved: true,
        params: match.params,
        query: match.searchParams,
        bytes: (limit) => (bytes.length > limit ? Effect.fail("too large") : Effect.succeed(bytes))
      }
      const reply = yield* match.handler.serve(incoming, context).pipe(
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterrupts(cause),
          (cause) => replyToFailure(context, cause)
        ),
        Effect.provideService(RequestContext, context),
        Effect.provideService(RequestId, context.request_id)
      )
      close(
        startedRequest,
        HttpServerResponse.isHttpServerResponse(reply) ? reply : { status: reply.status, headers: json }
      )
      const response = yield* Effect.provideService(withoutStream(reply, permits), RequestId, context.request_id)
      return HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(response))
    }).pipe(Effect.scoped)
  )
})

/** A response that does not match the contract is a bug of this server, not of the caller. */
const dieOnSchemaError = Effect.catchIf(Schema.isSchemaError, () =>
  Effect.die(new Error("An answer of the API does not match its contract"))
)

/** A client of these endpoints. Each request uses the credentials of the current `Caller`. */
export const make = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Endpoint>) {
  const http = yield* makeHttp(endpoints)
  const authentication = HttpApiMiddleware.layerClient(Authentication, ({ next, request }) =>
    Effect.flatMap(Caller, (caller) => next(HttpClientRequest.setHeaders(request, caller?.credentials ?? {})))
  )
  return yield* HttpApiClient.make(Api, { baseUrl: "http://in-process", transformResponse: dieOnSchemaError }).pipe(
    Effect.provide(Layer.merge(Layer.succeed(HttpClient.HttpClient, http), authentication))
  )
})
