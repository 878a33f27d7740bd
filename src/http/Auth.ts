// src/http/Auth.ts: who is calling, and whether they may.
import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { Auth } from "#layers/Auth.ts"
import { Authentication, Authorization, CurrentPrincipal, RequiredScope } from "#schema/Auth.ts"
import { Forbidden, Unauthorized } from "#schema/Errors.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

/** An answer, or a refusal, or whatever the handler raises. */
type Answer<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E | unhandled>

const refused = new Unauthorized({ message: "Send a valid API key, as Authorization: Bearer or as X-API-Key" })

/** The key of a request: from either header, or from both if they agree. */
export const secretOf = (authorization: string | undefined, apiKey: string | undefined) => {
  if (authorization === undefined) return apiKey
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

export const AuthenticationLayer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* Auth

    return (httpEffect, { endpoint }) =>
      Effect.withFiber((fiber) => {
        const requestContext = fiber.getRef(RequestContext)
        if (requestContext !== undefined) requestContext.route = endpoint.path
        const { headers } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const secret = secretOf(headers["authorization"], headers["x-api-key"])
        if (secret === undefined || secret === "") return Effect.fail(refused)
        return Effect.flatMap(keys.find(secret), (key): Answer<Unauthorized> => {
          if (Option.isNone(key)) return Effect.fail(refused)
          if (requestContext !== undefined) {
            requestContext.key = key.value.id
            requestContext.workspace = key.value.workspace_id
          }
          return Effect.provideService(httpEffect, CurrentPrincipal, key.value)
        })
      })
  })
)

export const AuthorizationLayer = Layer.succeed(Authorization, (httpEffect, { endpoint }) => {
  const scope = Context.get(endpoint.annotations, RequiredScope)
  if (scope === undefined) return httpEffect
  return Effect.flatMap(CurrentPrincipal, (key): Answer<Forbidden> =>
    key.scopes.includes(scope)
      ? httpEffect
      : Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}` }))
  )
})
