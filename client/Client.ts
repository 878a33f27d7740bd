// client/Client.ts: the API as a caller with a key sees it: one typed method an endpoint.
import { Duration, Effect, Layer, Predicate, type Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { Authentication } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"
import type { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { sessionHeader } from "#schema/Session.ts"

export type Client = HttpApiClient.ForApi<typeof Api>

/** How a request says whose it is: by a key, or by the cookie of a browser on the page of the server. */
type Credentials = { readonly key: Redacted.Redacted } | { readonly session: true }

/** A client of the server at `baseUrl`, such as `http://127.0.0.1:3000`. */
export const make = (
  options: Credentials & {
    readonly baseUrl: string
    /** Maps the error of a response that does not match the contract; an invalid request fails the same way. */
    readonly transformResponse?: (
      decoded: Effect.Effect<unknown, unknown, unknown>
    ) => Effect.Effect<unknown, unknown, unknown>
  }
): Effect.Effect<Client> =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformResponse: options.transformResponse,
    transformClient: HttpClient.transformResponse((send) => patient(send, 5))
  }).pipe(
    Effect.provide(
      Layer.merge(
        FetchHttpClient.layer,
        HttpApiMiddleware.layerClient(Authentication, ({ next, request }) =>
          next(
            "key" in options
              ? HttpClientRequest.bearerToken(request, options.key)
              : HttpClientRequest.setHeader(request, sessionHeader, "1")
          )
        )
      )
    )
  )

type Response = HttpClientResponse.HttpClientResponse

/** A request refused for coming too soon was not carried out, so it is sent again once the server says it may be. */
const patient = <E, R>(send: Effect.Effect<Response, E, R>, times: number): Effect.Effect<Response, E, R> =>
  Effect.flatMap(send, (response) => {
    const wait = Number(response.headers["retry-after"])
    const tooSoon = response.status === 429 && response.headers["x-ratelimit-remaining"] === "0"
    return tooSoon && wait > 0 && times > 0
      ? Effect.delay(patient(send, times - 1), Duration.seconds(wait))
      : Effect.succeed(response)
  })

/**
 * Sends a request that costs credits under an Idempotency-Key, by default a new one. If the connection breaks, the same request
 * is sent again under the same key, so that a request that was carried out is not carried out twice.
 */
export const repeatable = <A, E, R>(
  send: (headers: Required<IdempotencyHeaders>) => Effect.Effect<A, E, R>,
  key: string = crypto.randomUUID()
): Effect.Effect<A, E, R> => {
  const attempt = (resent: number): Effect.Effect<A, E, R> =>
    Effect.catch(send({ "idempotency-key": key }), (error) => {
      const isCut = HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError"
      // The first request is still in progress, or its server died with the key, which is then in use for half a minute.
      const isInUse = resent > 0 && error instanceof Conflict
      // Where nothing was sent, as to an address without a server, the first request is not sent again.
      const isBroken = resent > 0 ? isCut : isCut && wasOpen(error)
      return resent < waits.length && (isBroken || isInUse)
        ? Effect.delay(attempt(resent + 1), waits[resent] ?? "5 seconds")
        : Effect.fail(error)
    })
  return attempt(0)
}

const cuts = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]

/** Whether a connection that was open broke, so that the request may have been received. */
const wasOpen = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" && cuts.includes(error.code)
    ? true
    : ["cause", "reason"].some((key) => Predicate.hasProperty(error, key) && wasOpen(error[key]))

/** Pauses before a request is sent again. */
const waits = ["250 millis", "1 second", "2 seconds", ...Array.from({ length: 7 }, () => "5 seconds" as const)] as const

/** Often at first, for what is quick, and then once a second. */
const schedule = Schedule.min([Schedule.exponential("50 millis", 1.5), Schedule.spaced("1 second")])

/** The first answer that is `done`. */
export const poll = <A, E, R>(ask: Effect.Effect<A, E, R>, done: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.repeat(ask, { schedule, until: done })
