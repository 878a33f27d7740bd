// src/http/Guards.ts: checks a request before its handler runs: key, rate limit, scope, body.
import { Context, Effect, type Scope, type Stream } from "effect"
import type { Multipart } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Links } from "#layers/Links.ts"
import { CurrentPrincipal, ForPrograms } from "#schema/Auth.ts"
import { BadRequest, Forbidden } from "#schema/Errors.ts"
import { authentication, authorization, cookieOf, isSameOrigin } from "#src/http/Auth.ts"
import { type BodySource, makeBodyReader } from "#src/http/Body.ts"
import type { Reply } from "#src/http/Replies.ts"
import { type Rate, rateLimit } from "#src/http/RateLimit.ts"
import type { RequestContext } from "#src/http/RequestContext.ts"

/** A request as a transport gives it to an endpoint. */
export interface Incoming extends BodySource {
  readonly url: string
  readonly params: unknown
  readonly query: unknown
  readonly parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
}

export type Serve = (incoming: Incoming, context: RequestContext) => Effect.Effect<Reply, unknown, Scope.Scope>

const foreignOrigin = Effect.fail(new Forbidden({ message: "Sign in on the page of this server" }))

const nulInAddress = Effect.fail(new BadRequest({ message: "The address holds a NUL character" }))

export type Guards = Effect.Success<ReturnType<typeof make>>

/** The guards of all endpoints, with or without a key. They share rate-limit counts and the memory for bodies. */
export const make = Effect.fnUntraced(function* (rate: Rate | undefined, origins: ReadonlyArray<string>) {
  const { authenticate, authenticateProgram, refuseUnknownOrigin } = yield* authentication(origins)
  const { baseUrl: address } = yield* Links
  const rateLimitOf = yield* rateLimit(rate)
  const readerOf = makeBodyReader()

  /** Authenticates, counts the request, checks the scope, reads the body, and then serves the request. */
  const keyGuard = (endpoint: HttpApiEndpoint.Top) => {
    const { forbidden, isAuthorized } = authorization(endpoint)
    const identify = Context.get(endpoint.annotations, ForPrograms) ? authenticateProgram : authenticate
    const countRequest = rateLimitOf(endpoint)
    const readBody = readerOf(endpoint)
    return (serve: Serve): Serve =>
      (incoming, context) =>
        Effect.flatMap(identify(context.method, incoming.headers), (principal) => {
          context.key = principal.id
          context.workspace = principal.workspace_id
          if (principal.session !== undefined) context.cookie = cookieOf(incoming.headers, "")
          return Effect.flatMap(countRequest(principal, context), () => {
            if (!isAuthorized(principal)) return forbidden
            if (incoming.url.includes("%00")) return nulInAddress
            const handling = Effect.suspend(() => serve(incoming, context))
            return readBody(
              incoming,
              context,
              principal
            )(Effect.updateContext(handling, Context.add(CurrentPrincipal, principal)))
          })
        })
  }

  /** For endpoints without a key: refuses changes from pages of other origins, and reads the body. */
  const openGuard = (endpoint: HttpApiEndpoint.Top) => {
    const readBody = readerOf(endpoint)
    return (serve: Serve): Serve =>
      (incoming, context) =>
        Effect.flatMap(address, (serverAddress) => {
          context.cookie = cookieOf(incoming.headers, serverAddress)
          // Programs other than browsers send no origin, and have no cookie to set.
          if (endpoint.method !== "GET" && !isSameOrigin(incoming.headers, serverAddress, false)) return foreignOrigin
          return readBody(incoming, context, undefined)(Effect.suspend(() => serve(incoming, context)))
        })
  }

  return { key: keyGuard, open: openGuard, none: () => (serve: Serve) => serve, refuseUnknownOrigin }
})
