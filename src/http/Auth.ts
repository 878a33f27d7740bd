// src/http/Auth.ts: who is calling, and whether the key has the scope that an endpoint asks for.
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Auth } from "#layers/Auth.ts"
import { type Principal, RequiredScope } from "#schema/Auth.ts"
import { Forbidden, Unauthorized } from "#schema/Errors.ts"

const refused = Effect.fail(
  new Unauthorized({ message: "Send a valid API key, as Authorization: Bearer or as X-API-Key" })
)

/** The key of a request: from either header, or from both if they agree. */
const secretOf = (authorization: string | undefined, apiKey: string | undefined) => {
  if (authorization === undefined) return apiKey
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

export const authentication = Effect.map(
  Auth,
  ({ find }) =>
    (headers: Readonly<Record<string, string | undefined>>): Effect.Effect<Principal, Unauthorized> => {
      const secret = secretOf(headers["authorization"], headers["x-api-key"])
      if (secret === undefined || secret === "") return refused
      return Effect.flatMap(find(secret), (found) => (Option.isNone(found) ? refused : Effect.succeed(found.value)))
    }
)

/** Whether a principal has the endpoint's scope, and the answer to one that has not. An endpoint without a scope takes any key. */
export const authorization = ({ annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, RequiredScope)
  return {
    isAuthorized: ({ scopes }: Principal) => scope === undefined || scopes.includes(scope),
    forbidden: Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}` }))
  }
}
