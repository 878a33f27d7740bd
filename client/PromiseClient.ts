// client/PromiseClient.ts: the same client for programs without Effect: a method an endpoint, each a promise.
import { Effect, Predicate, Record as Rec, Redacted, Result, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "#schema/Api.ts"
import * as Client from "#client/Client.ts"

type Groups = typeof Api extends HttpApi.HttpApi<infer _, infer All> ? All : never

/** What need not be said may be left out. */
type Loose<Request, Part extends "headers" | "query"> = Request extends { readonly [P in Part]: infer Value }
  ? {} extends Value
    ? Omit<Request, Part> & { readonly [P in Part]?: Value }
    : Request
  : Request

type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Loose<
  Loose<
    Omit<
      Exclude<
        HttpApiEndpoint.ClientRequest<
          Endpoint["~Params"],
          Endpoint["~Query"],
          Endpoint["~Payload"],
          Endpoint["~Headers"],
          "decoded-only"
        >,
        void
      >,
      "responseMode" | "sseOptions"
    >,
    "headers"
  >,
  "query"
>

type AnswerOf<Success> = Success extends Stream.Stream<infer A, infer _E, infer _R> ? AsyncIterable<A> : Success

type Method<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? (
      ...request: {} extends RequestOf<Endpoint> ? [request?: RequestOf<Endpoint>] : [request: RequestOf<Endpoint>]
    ) => Promise<AnswerOf<HttpApiClient.SuccessType<Endpoint["~Success"]>>>
  : never

type Methods<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: Method<Group["endpoints"][Name]>
}

/** One method an endpoint, by the group it is in, but for `health`; a name is the `operationId` of the reference. */
export type PromiseClient = {
  readonly [Group in Exclude<Groups, { readonly topLevel: true }> as HttpApiGroup.Identifier<Group>]: Methods<Group>
} & Methods<Extract<Groups, { readonly topLevel: true }>>

/** Why a request came to nothing. */
export class OvertureError extends Error {
  override readonly name = "OvertureError"
  /**
   * As in the answer, such as `BAD_REQUEST`. `NO_ANSWER` where none came, and `NOT_THE_CONTRACT` where the request, which is
   * then not sent, or the answer is not of the form that this client knows.
   */
  readonly code: string
  /** To quote in a report; of an answer alone. */
  readonly request_id: string | undefined
  /** What the answer tells beyond its message. */
  readonly detail: unknown

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    const said = (field: string) => (Predicate.hasProperty(error, field) ? error[field] : undefined)
    const code = said("error")
    const request_id = said("request_id")
    this.code = typeof code === "string" ? code : Schema.isSchemaError(error) ? "NOT_THE_CONTRACT" : "NO_ANSWER"
    this.request_id = typeof request_id === "string" ? request_id : undefined
    this.detail = said("detail")
  }
}

const isEvents = (success: unknown): success is Stream.Stream<unknown, unknown> => Stream.isStream(success)

type Call = (request: object) => Effect.Effect<unknown, unknown>

async function* each<A>(stream: Stream.Stream<A, unknown>): AsyncGenerator<A, void> {
  try {
    yield* Stream.toAsyncIterable(stream)
  } catch (error) {
    // So a server says when to ask again.
    throw new OvertureError(Sse.Retry.is(error) ? new Error("The events ended early; ask for them again") : error)
  }
}

/**
 * A client of the server at `baseUrl`, such as `http://127.0.0.1:3000`, with an API key. A request that is refused for
 * coming too soon is sent again when the server says it may be. Everything else that goes wrong rejects with an
 * `OvertureError`.
 */
export const connect = ({ baseUrl, key }: { readonly baseUrl: string; readonly key: string }): PromiseClient => {
  const client = Effect.runSync(Client.make({ baseUrl, key: Redacted.make(key) }))
  const promised = (method: Call) => async (request?: object) => {
    const result = await Effect.runPromise(Effect.result(method({ headers: {}, query: {}, ...request })))
    if (Result.isFailure(result)) throw new OvertureError(result.failure)
    return isEvents(result.success) ? each(result.success) : result.success
  }
  // Which request and which answer belong to which method, no type of a loop over all of them can tell.
  const all = client as unknown as Readonly<Record<string, Call | Readonly<Record<string, Call>>>>
  return Rec.map(all, (one) =>
    typeof one === "function" ? promised(one) : Rec.map(one, promised)
  ) as unknown as PromiseClient
}
