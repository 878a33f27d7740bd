// client/Client.ts: a typed client of the API: one method per endpoint.
import { Duration, Effect, Layer, Predicate, type Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { Authentication } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"
import type { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { sessionHeader } from "#schema/Session.ts"

export type Client = HttpApiClient.ForApi<typeof Api>

/** Authenticates by an API key, or by the session cookie of a browser on the server's page. */
type Credentials = { readonly key: Redacted.Redacted } | { readonly session: true }

/** A client of the server at `baseUrl`, for example `http://127.0.0.1:3000`. */
export const make = (
  options: Credentials & {
    readonly baseUrl: string
    /** Maps the errors of responses that do not match the contract, and of invalid requests. */
    readonly transformResponse?: (
      decoded: Effect.Effect<unknown, unknown, unknown>
    ) => Effect.Effect<unknown, unknown, unknown>
  }
): Effect.Effect<Client> =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformResponse: options.transformResponse,
    transformClient: HttpClient.transformResponse((send) => retryWhileBusy(send, 5))
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

/** Sends a rate-limited request again after `Retry-After`, because the server did not carry it out. */
const retryWhileBusy = <E, R>(send: Effect.Effect<Response, E, R>, times: number): Effect.Effect<Response, E, R> =>
  Effect.flatMap(send, (response) => {
    const wait = Number(response.headers["retry-after"])
    const tooSoon = response.status === 429 && response.headers["x-ratelimit-remaining"] === "0"
    return tooSoon && wait > 0 && times > 0
      ? Effect.delay(retryWhileBusy(send, times - 1), Duration.seconds(wait))
      : Effect.succeed(response)
  })

/**
 * Sends a request that costs credits under an Idempotency-Key, by default a new one. If the connection breaks, retries
 * under the same key, so that the server charges once.
 */
export const repeatable = <A, E, R>(
  send: (headers: Required<IdempotencyHeaders>) => Effect.Effect<A, E, R>,
  key: string = crypto.randomUUID()
): Effect.Effect<A, E, R> => {
  const attempt = (resent: number): Effect.Effect<A, E, R> =>
    Effect.catch(send({ "idempotency-key": key }), (error) => {
      const isCut = HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError"
      // The first request is still running, or its server crashed; its key is then in use for up to 30 seconds.
      const isInUse = resent > 0 && error instanceof Conflict
      // Without a connection nothing was sent, so the first request is not retried.
      const isBroken = resent > 0 ? isCut : isCut && wasOpen(error)
      return resent < waits.length && (isBroken || isInUse)
        ? Effect.delay(attempt(resent + 1), waits[resent] ?? "5 seconds")
        : Effect.fail(error)
    })
  return attempt(0)
}

const cuts = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]

/** Whether an open connection broke, so that the server may have received the request. */
const wasOpen = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" && cuts.includes(error.code)
    ? true
    : ["cause", "reason"].some((key) => Predicate.hasProperty(error, key) && wasOpen(error[key]))

/** Pauses before each retry. */
const waits = ["250 millis", "1 second", "2 seconds", ...Array.from({ length: 7 }, () => "5 seconds" as const)] as const

/** Backs off to one poll per second, so that short jobs are noticed at once. */
const schedule = Schedule.min([Schedule.exponential("50 millis", 1.5), Schedule.spaced("1 second")])

/** Polls until `done`, and returns that answer. */
export const poll = <A, E, R>(ask: Effect.Effect<A, E, R>, done: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.repeat(ask, { schedule, until: done })
