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
import { asPlainCodec, parseJson } from "#src/http/Body.ts"
import { errorReply, type Reply, toResponse } from "#src/http/Replies.ts"
import type { Guards, Incoming, Serve } from "#src/http/Guards.ts"
import type { JsonBody, RequestContext } from "#src/http/RequestContext.ts"
import { type RequestPart, requestError } from "#src/http/RequestErrors.ts"

/** An endpoint with its handler. */
export interface Endpoint {
  readonly definition: HttpApiEndpoint.Top
  /** Whether its requests and answers are plain JSON, and each answer is a status with a text. */
  readonly isPlain: boolean
  readonly serve: (incoming: Incoming, context: RequestContext) => Effect.Effect<Reply, never, Scope.Scope>
}

/** The middleware of endpoints with a key that is implemented here, in the order in which it wraps a handler. */
const keyMiddleware: ReadonlyArray<string> = [StrictBody, Authorization, RateLimit, Authentication, RequestErrors].map(
  ({ key }) => key
)

/** The middleware of endpoints without a key that is implemented here, in that order. */
const openMiddleware: ReadonlyArray<string> = [OpenBody, RequestErrors].map(({ key }) => key)

/**
 * The guard of an endpoint, and the other middleware that it declares. Throws at start-up if the middleware is declared
 * in another order.
 */
const middlewareOf = ({ identifier, middlewares }: HttpApiEndpoint.Top) => {
  const declared: ReadonlyArray<{ readonly key: string }> = Array.from(middlewares)
  const isOpen = declared.some(({ key }) => key === OpenBody.key)
  const expected = isOpen ? openMiddleware : keyMiddleware
  const isImplementedHere = ({ key }: { readonly key: string }) =>
    keyMiddleware.includes(key) || openMiddleware.includes(key)
  const implementedHere = declared.filter(isImplementedHere)
  const isInOrder =
    implementedHere.length === expected.length && implementedHere.every(({ key }, index) => key === expected[index])
  if (implementedHere.length > 0 && !isInOrder) {
    throw new Error(
      `The endpoint ${identifier} declares its middleware in an order that src/http/Endpoints.ts does not have`
    )
  }
  const guard = implementedHere.length === 0 ? "none" : isOpen ? "open" : "key"
  return { guard, otherMiddleware: declared.filter((middleware) => !isImplementedHere(middleware)) } as const
}

interface MiddlewareOptions {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}
type Middleware = (
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Scope.Scope>,
  options: MiddlewareOptions
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Scope.Scope>

type Schemas = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const isJson = (schema: Schema.Top) => {
  const { "~httpApiEncoding": encoding }: Record<string, unknown> = Schema.resolveAnnotations(schema) ?? {}
  return encoding === undefined && SchemaAST.isObjects(schema.ast)
}

/** Encodes a result by the first success schema that it matches. */
const encoderOf = (successes: Schemas) => {
  const encoders = [...successes].flatMap(([status, schemas]) =>
    schemas.map((schema) => ({ status, encode: Schema.encodeUnknownExit(asPlainCodec(schema)) }))
  )
  return (result: unknown): Effect.Effect<Reply> => {
    if (HttpServerResponse.isHttpServerResponse(result)) return Effect.succeed(result)
    let cause: Cause.Cause<unknown> = Cause.empty
    for (const { encode, status } of encoders) {
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
  const encoders = [...errors].flatMap(([status, schemas]) =>
    schemas.map((schema) => ({
      status,
      is: Schema.is(schema),
      encode: Schema.encodeUnknownEffect(asPlainCodec(schema))
    }))
  )
  return (error: unknown, context: RequestContext): Effect.Effect<Reply> => {
    const encoder = encoders.find(({ is }) => is(error))
    if (encoder === undefined) return Effect.die(error)
    return encoder.encode(error).pipe(
      Effect.provideService(RequestId, context.request_id),
      Effect.orDie,
      Effect.map((body) => errorReply(encoder.status, body, context))
    )
  }
}

type Decode = (input: unknown) => Exit.Exit<unknown, Schema.SchemaError>

class DecodingFailed extends Data.TaggedError("DecodingFailed")<{
  readonly part: RequestPart
  readonly error: Schema.SchemaError
}> {}

type Input = Record<string, unknown>
type Handler = (input: Input) => Effect.Effect<unknown, unknown, CurrentPrincipal | Scope.Scope>
type AnyHandler =
  | Handler
  | { readonly decode: (body: JsonBody) => Effect.Effect<unknown, Schema.SchemaError>; readonly handler: Handler }

const emptyBody: JsonBody = { text: "", longLists: [] }

/** Decodes the parts of a request into the input of its handler. */
const makeInputDecoder = (endpoint: HttpApiEndpoint.Top, annotations: Context.Context<never>, handler: AnyHandler) => {
  const decoderOf = (schema: Schema.Top | undefined, options?: SchemaAST.ParseOptions): Decode | undefined =>
    schema && Schema.decodeUnknownExit(asPlainCodec(schema), options)
  const querySchema = endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)
  const decodeQuery = decoderOf(querySchema)
  const decodeQueryForReport = decoderOf(querySchema, Context.getOrUndefined(annotations, HttpApi.QueryParseOptions))
  // Reporting every issue takes twice as long as the first, so a query is decoded again only if it is refused.
  const decodeQueryOnce: Decode | undefined =
    decodeQuery &&
    decodeQueryForReport &&
    ((input) => {
      const decoded = decodeQuery(input)
      return Exit.isFailure(decoded) ? decodeQueryForReport(input) : decoded
    })
  const parts = (
    [
      ["params", decoderOf(endpoint.params)],
      ["headers", decoderOf(endpoint.headers)],
      ["query", decodeQueryOnce]
    ] as const
  ).flatMap(([part, decode]) => (decode === undefined ? [] : [[part, decode] as const]))
  const schemas = endpoint.payload.get("application/json")?.schemas
  const decodePayload = decoderOf(schemas && Schema.Union(schemas))
  const formEncoding = endpoint.payload.get("multipart/form-data")?.encoding
  const decodeBody = typeof handler === "function" ? undefined : handler.decode

  return (incoming: Incoming, { json = emptyBody }: RequestContext): Effect.Effect<Input, DecodingFailed> => {
    const input: Input = { endpoint }
    for (const [part, decode] of parts) {
      const decoded = decode(incoming[part])
      if (Exit.isFailure(decoded)) return failDecoding(part, decoded)
      input[part] = decoded.value
    }
    if (formEncoding?._tag === "Multipart") {
      input["payload"] = Stream.provideContext(incoming.parts, Multipart.limitsServices(formEncoding.limits ?? {}))
    }
    if (decodePayload === undefined) return Effect.succeed(input)
    if (decodeBody !== undefined) {
      return Effect.mapBoth(decodeBody(json), {
        onFailure: (error) => new DecodingFailed({ part: "payload", error }),
        onSuccess: (decoded) => ({ ...input, payload: decoded })
      })
    }
    const parsed = json.text === "" ? Exit.succeed(undefined) : parseJson(json.text)
    const decoded = Exit.isFailure(parsed) ? parsed : decodePayload(parsed.value)
    if (Exit.isFailure(decoded)) return failDecoding("payload", decoded)
    input["payload"] = decoded.value
    return Effect.succeed(input)
  }
}

const failDecoding = (part: RequestPart, { cause }: Exit.Failure<unknown, Schema.SchemaError>) =>
  Effect.mapError(Effect.failCause(cause), (error) => new DecodingFailed({ part, error }))

/** Decodes a request, calls its handler and encodes the result. */
const serveHandler = (
  endpoint: HttpApiEndpoint.Top,
  annotations: Context.Context<never>,
  handler: AnyHandler,
  encode: (result: unknown) => Effect.Effect<Reply>
): Serve => {
  const decode = makeInputDecoder(endpoint, annotations, handler)
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

  const endpoints: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, successes }) => {
      const handler = byName[group.identifier]?.[endpoint.identifier]
      if (handler === undefined) throw new Error(`The endpoint ${endpoint.identifier} has no handler`)
      const { guard, otherMiddleware } = middlewareOf(endpoint)
      const serve = serveHandler(endpoint, mergedAnnotations, handler, encoderOf(successes))
      const guarded = guards[guard](endpoint)(serve)
      const wrapped = otherMiddleware.reduce(
        (serve, middleware) => wrapIn(middleware, { endpoint, group })(serve),
        guarded
      )
      const encodeError = errorEncoderOf(errors)
      const isPlain =
        otherMiddleware.length === 0 &&
        [...endpoint.payload.keys()].every((type) => type === "application/json") &&
        successes.size > 0 &&
        [...successes.values()].flat().every(isJson)
      endpoints.push({
        definition: endpoint,
        isPlain,
        serve: (incoming, context) => {
          context.route = endpoint.path
          return Effect.catch(wrapped(incoming, context), (error) => encodeError(error, context))
        }
      })
    }
  })
  return endpoints
})
