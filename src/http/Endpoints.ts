// src/http/Endpoints.ts: answers requests to the contract's endpoints: authentication, limits, decoding, handler,
// encoding. All transports use it, so these checks exist only here and in Guards.ts.
import { Cause, Context, Data, Effect, Exit, Schema, SchemaAST, type Scope, Stream } from "effect"
import { HttpServerResponse, Multipart } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import {
  Authentication,
  Authorization,
  CurrentPrincipal,
  OpenBody,
  RateLimit,
  RequestErrors,
  StrictBody
} from "#schema/Auth.ts"
import { RequestId } from "#schema/Errors.ts"
import { asPlain, parsed } from "#src/http/Body.ts"
import { errorReply, type Reply, toResponse } from "#src/http/Replies.ts"
import type { Guards, Incoming, Serve } from "#src/http/Guards.ts"
import type { JsonBody, RequestContext } from "#src/http/RequestContext.ts"
import { type Part, requestError } from "#src/http/RequestErrors.ts"

/** An endpoint with its handler. */
export interface Endpoint {
  readonly declared: HttpApiEndpoint.Top
  /** Whether its requests and answers are plain JSON, and each answer is a status with a text. */
  readonly isPlain: boolean
  readonly serve: (incoming: Incoming, context: RequestContext) => Effect.Effect<Reply, never, Scope.Scope>
}

/** The contract's middleware that is implemented here, in the order in which it wraps a handler. */
const implemented: ReadonlyArray<string> = [StrictBody, Authorization, RateLimit, Authentication, RequestErrors].map(
  ({ key }) => key
)

/** The same for an endpoint without a key. */
const implementedOpen: ReadonlyArray<string> = [OpenBody, RequestErrors].map(({ key }) => key)

/**
 * The guard of an endpoint, and the other middleware that it declares. Throws at start-up if the middleware is declared
 * in another order.
 */
const middlewareOf = ({ identifier, middlewares }: HttpApiEndpoint.Top) => {
  const declared: ReadonlyArray<{ readonly key: string }> = Array.from(middlewares)
  const isOpen = declared.some(({ key }) => key === OpenBody.key)
  const done = isOpen ? implementedOpen : implemented
  const isOwn = ({ key }: { readonly key: string }) => implemented.includes(key) || implementedOpen.includes(key)
  const own = declared.filter(isOwn)
  const isInOrder = own.length === done.length && own.every(({ key }, index) => key === done[index])
  if (own.length > 0 && !isInOrder) {
    throw new Error(
      `The endpoint ${identifier} declares its middleware in an order that src/http/Endpoints.ts does not have`
    )
  }
  const guard = own.length === 0 ? "none" : isOpen ? "open" : "key"
  return { guard, others: declared.filter((one) => !isOwn(one)) } as const
}

interface MiddlewareOptions {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}
type Middleware = (
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Scope.Scope>,
  options: MiddlewareOptions
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Scope.Scope>

type Schemas = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const isJson = (schema: Schema.Top) => {
  const { "~httpApiEncoding": encoding }: Record<string, unknown> = Schema.resolveAnnotations(schema) ?? {}
  return encoding === undefined && SchemaAST.isObjects(schema.ast)
}

/** Encodes a result by the first success schema that it matches. */
const encoderOf = (successes: Schemas) => {
  const forms = [...successes].flatMap(([status, schemas]) =>
    schemas.map((schema) => ({ status, encode: Schema.encodeUnknownExit(asPlain(schema)) }))
  )
  return (result: unknown): Effect.Effect<Reply> => {
    if (HttpServerResponse.isHttpServerResponse(result)) return Effect.succeed(result)
    let cause: Cause.Cause<unknown> = Cause.empty
    for (const { encode, status } of forms) {
      const encoded = encode(result)
      if (Exit.isSuccess(encoded)) return Effect.succeed({ status, text: JSON.stringify(encoded.value) })
      cause = encoded.cause
    }
    // A result that does not match the contract is a bug of this server.
    return Effect.die(Cause.squash(cause))
  }
}

/** Encodes an error of the contract; any other error is a bug of this server. */
const errorEncoderOf = (errors: Schemas) => {
  const forms = [...errors].flatMap(([status, schemas]) =>
    schemas.map((schema) => ({ status, is: Schema.is(schema), encode: Schema.encodeUnknownEffect(asPlain(schema)) }))
  )
  return (error: unknown, context: RequestContext): Effect.Effect<Reply> => {
    const form = forms.find(({ is }) => is(error))
    if (form === undefined) return Effect.die(error)
    return form.encode(error).pipe(
      Effect.provideService(RequestId, context.request_id),
      Effect.orDie,
      Effect.map((body) => errorReply(form.status, body, context))
    )
  }
}

type Decode = (input: unknown) => Exit.Exit<unknown, Schema.SchemaError>

class NotDecoded extends Data.TaggedError("NotDecoded")<{ readonly part: Part; readonly error: Schema.SchemaError }> {}

type Input = Record<string, unknown>
type Handler = (input: Input) => Effect.Effect<unknown, unknown, CurrentPrincipal | Scope.Scope>
type AnyHandler =
  | Handler
  | { readonly decode: (body: JsonBody) => Effect.Effect<unknown, Schema.SchemaError>; readonly handler: Handler }

const empty: JsonBody = { text: "", long: [] }

/** Decodes the parts of a request into the input of its handler. */
const inputOf = (endpoint: HttpApiEndpoint.Top, annotations: Context.Context<never>, handler: AnyHandler) => {
  const decoding = (schema: Schema.Top | undefined, options?: SchemaAST.ParseOptions): Decode | undefined =>
    schema && Schema.decodeUnknownExit(asPlain(schema), options)
  const querySchema = endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)
  const decodeQuery = decoding(querySchema)
  const reportQuery = decoding(querySchema, Context.getOrUndefined(annotations, HttpApi.QueryParseOptions))
  // Reporting every issue takes twice as long as the first, so a query is decoded again only if it is refused.
  const query: Decode | undefined =
    decodeQuery &&
    reportQuery &&
    ((input) => {
      const decoded = decodeQuery(input)
      return Exit.isFailure(decoded) ? reportQuery(input) : decoded
    })
  const parts = (
    [
      ["params", decoding(endpoint.params)],
      ["headers", decoding(endpoint.headers)],
      ["query", query]
    ] as const
  ).flatMap(([part, decode]) => (decode === undefined ? [] : [[part, decode] as const]))
  const schemas = endpoint.payload.get("application/json")?.schemas
  const payload = decoding(schemas && Schema.Union(schemas))
  const form = endpoint.payload.get("multipart/form-data")?.encoding
  const own = typeof handler === "function" ? undefined : handler.decode

  return (incoming: Incoming, { json = empty }: RequestContext): Effect.Effect<Input, NotDecoded> => {
    const input: Input = { endpoint }
    for (const [part, decode] of parts) {
      const decoded = decode(incoming[part])
      if (Exit.isFailure(decoded)) return notDecoded(part, decoded)
      input[part] = decoded.value
    }
    if (form?._tag === "Multipart") {
      input["payload"] = Stream.provideContext(incoming.parts, Multipart.limitsServices(form.limits ?? {}))
    }
    if (payload === undefined) return Effect.succeed(input)
    if (own !== undefined) {
      return Effect.mapBoth(own(json), {
        onFailure: (error) => new NotDecoded({ part: "payload", error }),
        onSuccess: (decoded) => ({ ...input, payload: decoded })
      })
    }
    const text = json.text === "" ? Exit.succeed(undefined) : parsed(json.text)
    const decoded = Exit.isFailure(text) ? text : payload(text.value)
    if (Exit.isFailure(decoded)) return notDecoded("payload", decoded)
    input["payload"] = decoded.value
    return Effect.succeed(input)
  }
}

const notDecoded = (part: Part, { cause }: Exit.Failure<unknown, Schema.SchemaError>) =>
  Effect.mapError(Effect.failCause(cause), (error) => new NotDecoded({ part, error }))

/** Decodes a request, calls its handler and encodes the result. */
const workOf = (
  endpoint: HttpApiEndpoint.Top,
  annotations: Context.Context<never>,
  handler: AnyHandler,
  encode: (result: unknown) => Effect.Effect<Reply>
): Serve => {
  const decode = inputOf(endpoint, annotations, handler)
  const call = typeof handler === "function" ? handler : handler.handler
  const work = (incoming: Incoming, context: RequestContext) =>
    Effect.flatMapEager(
      Effect.catchEager(decode(incoming, context), ({ error, part }) =>
        requestError(endpoint, part, error, context.json)
      ),
      (input) => Effect.flatMap(call(input), encode)
    )
  // The guard provides the principal; handlers of open endpoints do not need one.
  return work as Serve
}

/** All endpoints of the contract or another API. `handlers` are by group and endpoint name. */
export const makeEndpoints = Effect.fnUntraced(function* <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  handlers: { readonly [group: string]: { readonly [name: string]: unknown } },
  guards: Guards
) {
  const services = yield* Effect.context<never>()
  const byName: Record<string, Record<string, AnyHandler | undefined> | undefined> = handlers as never

  /** Wraps an endpoint in a middleware of the library. */
  const wrapIn =
    ({ key }: { readonly key: string }, options: MiddlewareOptions) =>
    (serve: Serve): Serve => {
      const middleware = services.mapUnsafe.get(key) as Middleware | undefined
      if (middleware === undefined) throw new Error(`The middleware ${key} has no layer`)
      return (incoming, context) => middleware(Effect.map(serve(incoming, context), toResponse), options)
    }

  const made: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, successes }) => {
      const handler = byName[group.identifier]?.[endpoint.identifier]
      if (handler === undefined) throw new Error(`The endpoint ${endpoint.identifier} has no handler`)
      const { guard, others } = middlewareOf(endpoint)
      const work = workOf(endpoint, mergedAnnotations, handler, encoderOf(successes))
      const guarded = guards[guard](endpoint)(work)
      const answered = others.reduce((serve, each) => wrapIn(each, { endpoint, group })(serve), guarded)
      const encodeError = errorEncoderOf(errors)
      const isPlain =
        others.length === 0 &&
        [...endpoint.payload.keys()].every((type) => type === "application/json") &&
        successes.size > 0 &&
        [...successes.values()].flat().every(isJson)
      made.push({
        declared: endpoint,
        isPlain,
        serve: (incoming, context) => {
          context.route = endpoint.path
          return Effect.catch(answered(incoming, context), (error) => encodeError(error, context))
        }
      })
    }
  })
  return made
})
