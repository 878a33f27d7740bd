// src/http/Group.ts: the handlers of a group, made with their services in reach and called without, and not called again
// where src/http/Direct.ts has called them already.
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { begunOf } from "#src/http/direct/Begun.ts"

const endpoints = Object.values(Api.groups).flatMap((group): ReadonlyArray<HttpApiEndpoint.Top> =>
  Object.values(group.endpoints)
)
const keys = new Set(endpoints.flatMap(({ middlewares }) => Array.from(middlewares, ({ key }) => key)))

/** Keeps the middleware: the types count what a handler needs later as a need of its request, which is met elsewhere. */
const onlyMiddleware = <R>(services: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(services.mapUnsafe).filter(([key]) => keys.has(key))))

/** How the library keeps the handlers of a group. */
export interface Handled {
  readonly handlers: Map<
    string,
    { readonly endpoint: HttpApiEndpoint.Top; readonly handler: Handler; readonly isRaw: boolean }
  >
}
export type Handler = (input: {
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "source">
  readonly [part: string]: unknown
}) => Effect.Effect<unknown, unknown>

const goingOn = <A>(made: A): A => {
  // Its types keep to themselves what it holds.
  const { handlers } = made as unknown as Handled
  for (const [name, { handler, ...one }] of handlers) {
    handlers.set(name, { ...one, handler: (input) => begunOf(input.request)?.outcome ?? handler(input) })
  }
  return made
}

/** `HttpApiBuilder.group`: only while the handlers are made do they find their services in reach. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.contextWith((services: Context.Context<never>) => {
      const routes = HttpApiBuilder.group(api, identifier, (handlers) => {
        const made = build(handlers)
        // What it makes is still the same.
        return Effect.isEffect(made)
          ? (Effect.provideContext(Effect.map(made, goingOn), services) as typeof made)
          : goingOn(made)
      })
      return Effect.updateContext(Layer.buildWithMemoMap(routes, memoMap, scope), onlyMiddleware)
    })
  )
