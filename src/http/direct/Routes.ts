// src/http/direct/Routes.ts: the endpoints that take and give plain JSON, ready to be read and written without the library.
import { Context, Exit, Schema, SchemaAST } from "effect"
import { FindMyWay } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import {
  Authentication,
  Authorization,
  BodyLimit,
  NeedsLimiter,
  RateBucket,
  RateLimit,
  RequestErrors,
  RequiredScope,
  type Scope,
  StrictBody
} from "#schema/Auth.ts"
import { asPlainCodec } from "#src/http/body/Alone.ts"
import { shapeOf } from "#src/http/body/Shape.ts"
import { decode } from "#src/http/body/Text.ts"
import type { Handled, Handler } from "#src/http/Group.ts"
import { routerConfig } from "#src/http/RouterConfig.ts"

export type Read = (input: unknown) => Exit.Exit<unknown, unknown>

/** What an endpoint may say where it succeeds. */
export interface Success {
  readonly status: number
  readonly body: Read
  /** Notes an answer, by how long it took. */
  note: ((millis: number) => void) | undefined
}

/** An endpoint of that kind. */
export interface Route {
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: Handler
  readonly scope: Scope | undefined
  readonly limit: number
  readonly params: Read | undefined
  readonly query: Read | undefined
  readonly headers: Read | undefined
  readonly payload: Read | undefined
  /** The first whose body fits is what is said. */
  readonly successes: ReadonlyArray<Success>
}

const reading = (schema: Schema.Top | undefined): Read | undefined =>
  schema && Schema.decodeUnknownExit(asPlainCodec(schema))

type Answers = ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>

/** One body for a status; another form than JSON is said so. */
const successOf = (status: number, [schema, ...others]: readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]) => {
  const said: Record<string, unknown> | undefined = Schema.resolveAnnotations(schema)
  if (others.length > 0 || said?.["~httpApiEncoding"] !== undefined || !SchemaAST.isObjects(schema.ast)) return []
  return [{ status, body: Schema.encodeUnknownExit(asPlainCodec(schema)), note: undefined } satisfies Success]
}

/** The middleware that src/http/Direct.ts does the work of, in the order in which it wraps a handler. */
const reimplemented: ReadonlyArray<string> = [StrictBody, Authorization, RateLimit, Authentication, RequestErrors].map(
  ({ key }) => key
)

/** Any other middleware, a missing one or another order must be obeyed, so such an endpoint takes the library's way. */
const isReimplemented = ({ middlewares }: HttpApiEndpoint.Top) =>
  middlewares.size === reimplemented.length && Array.from(middlewares).every(({ key }, at) => key === reimplemented[at])

/** What an endpoint takes and gives, where both are JSON and nothing of it is out of the ordinary. */
const routeOf = (endpoint: HttpApiEndpoint.Top, successes: Answers, handler: Handler): Route | undefined => {
  const is = <A>(key: Context.Reference<A>) => Context.get(endpoint.annotations, key)
  const plain = [...successes].flatMap(([status, schemas]) => successOf(status, schemas))
  const payloads = [...endpoint.payload].flatMap(([type, { schemas }]) => schemas.map((schema) => ({ type, schema })))
  const [payload, ...more] = payloads
  if (!isReimplemented(endpoint) || is(NeedsLimiter) || is(RateBucket)) return undefined
  if (more.length > 0 || (payload !== undefined && payload.type !== "application/json")) return undefined
  if (plain.length === 0 || plain.length < successes.size) return undefined
  return {
    endpoint,
    handler,
    scope: is(RequiredScope),
    limit: is(BodyLimit),
    params: reading(endpoint.params),
    query: reading(endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)),
    headers: reading(endpoint.headers),
    payload: reading(payload?.schema),
    successes: plain
  }
}

/** All of them that `context` has a handler for, by method and path. */
export const routesOf = (context: Context.Context<never>) => {
  const routes = FindMyWay.make<Route>(routerConfig)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      const { handlers } = context.mapUnsafe.get(group.key) as Handled
      const it = handlers.get(endpoint.identifier)
      const route = it === undefined || it.isRaw ? undefined : routeOf(endpoint, successes, it.handler)
      if (route !== undefined) routes.on(endpoint.method, endpoint.path as FindMyWay.PathInput, route)
    }
  })
  return routes
}

/** What a short body says, where it is all that it should be. */
export const payloadOf = ({ limit }: Route, read: Read, bytes: Uint8Array): Exit.Exit<unknown, unknown> => {
  const text = decode(bytes)
  if (text === undefined) return Exit.fail("no text")
  const { long, readTo } = shapeOf(text, limit)
  if (readTo(Infinity) !== undefined || long.length > 0) return Exit.fail("not plain")
  try {
    return read(JSON.parse(text))
  } catch {
    return Exit.fail("no JSON")
  }
}

/** What is said of a value, and as which success; nothing where it is not what the contract says. */
export const textOf = ({ successes }: Route, value: unknown): readonly [Success, text: string] | undefined => {
  for (const success of successes) {
    const encoded = success.body(value)
    if (Exit.isFailure(encoded)) continue
    try {
      return [success, JSON.stringify(encoded.value)]
    } catch {
      return undefined
    }
  }
  return undefined
}
