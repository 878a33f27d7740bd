// src/http/Plain.ts: the endpoints that take and give plain JSON, ready to be read and written without the library.
import { Context, Exit, Schema, SchemaAST } from "effect"
import { FindMyWay } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { Authentication, BodyLimit, NeedsLimiter, RateBucket, RequiredScope, type Scope } from "#schema/Auth.ts"
import { shapeOf } from "#src/http/BodyShape.ts"
import type { Handled, Handler } from "#src/http/Lean.ts"
import { decode } from "#src/http/StrictBody.ts"

export type Read = (input: unknown) => Exit.Exit<unknown, unknown>

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
  readonly status: number
  readonly body: Read
  /** Notes an answer, by how long it took. */
  note: ((millis: number) => void) | undefined
}

// No endpoint asks for a service to be read, or to be written where it succeeds.
type Plain = Schema.Codec<unknown, unknown>
const reading = (schema: Schema.Top | undefined): Read | undefined =>
  schema && Schema.decodeUnknownExit(schema as unknown as Plain)

type Answers = ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>

/** What an endpoint takes and gives, where both are JSON and nothing of it is out of the ordinary. */
const routeOf = (endpoint: HttpApiEndpoint.Top, successes: Answers, handler: Handler): Route | undefined => {
  const is = <A>(key: Context.Reference<A>) => Context.get(endpoint.annotations, key)
  const [[status, [success, ...others]] = [undefined, []], ...statuses] = successes
  const payloads = [...endpoint.payload].flatMap(([type, { schemas }]) => schemas.map((schema) => ({ type, schema })))
  const [payload, ...more] = payloads
  if (!endpoint.middlewares.has(Authentication) || is(NeedsLimiter) || is(RateBucket)) return undefined
  if (more.length > 0 || (payload !== undefined && payload.type !== "application/json")) return undefined
  if (status === undefined || success === undefined || others.length > 0 || statuses.length > 0) return undefined
  // Another form than JSON is said so.
  const said: Record<string, unknown> | undefined = Schema.resolveAnnotations(success)
  if (said?.["~httpApiEncoding"] !== undefined || !SchemaAST.isObjects(success.ast)) return undefined
  return {
    endpoint,
    handler,
    scope: is(RequiredScope),
    limit: is(BodyLimit),
    params: reading(endpoint.params),
    query: reading(endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)),
    headers: reading(endpoint.headers),
    payload: reading(payload?.schema),
    status,
    body: Schema.encodeUnknownExit(success as unknown as Plain),
    note: undefined
  }
}

/** All of them that `context` has a handler for, by method and path. */
export const routesOf = (context: Context.Context<never>, config: Partial<FindMyWay.RouterConfig>) => {
  const routes = FindMyWay.make<Route>(config)
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

/** The body of an answer; nothing where it is not what the contract says. */
export const textOf = ({ body }: Route, value: unknown): string | undefined => {
  const encoded = body(value)
  try {
    return Exit.isSuccess(encoded) ? JSON.stringify(encoded.value) : undefined
  } catch {
    return undefined
  }
}
