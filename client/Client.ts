// client/Client.ts: the API as a caller with a key sees it: one typed method an endpoint.
import { Duration, Effect, Layer, type Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { Authentication } from "#schema/Auth.ts"

export type Client = HttpApiClient.ForApi<typeof Api>

/** A client of the server at `baseUrl`, such as `http://127.0.0.1:3000`. */
export const make = (options: {
  readonly baseUrl: string
  readonly key: Redacted.Redacted
  /** Maps the error of a response that does not match the contract; an invalid request fails the same way. */
  readonly transformResponse?: (
    decoded: Effect.Effect<unknown, unknown, unknown>
  ) => Effect.Effect<unknown, unknown, unknown>
}): Effect.Effect<Client> =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformResponse: options.transformResponse,
    transformClient: HttpClient.transformResponse((send) => patient(send, 5))
  }).pipe(
    Effect.provide(
      Layer.merge(
        FetchHttpClient.layer,
        HttpApiMiddleware.layerClient(Authentication, ({ next, request }) =>
          next(HttpClientRequest.bearerToken(request, options.key))
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

/** Often at first, for what is quick, and then once a second. */
const schedule = Schedule.min([Schedule.exponential("50 millis", 1.5), Schedule.spaced("1 second")])

/** The first answer that is `done`. */
export const poll = <A, E, R>(ask: Effect.Effect<A, E, R>, done: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.repeat(ask, { schedule, until: done })
