// src/http/Handlers.ts: the types of handlers, by group and endpoint name.
import type { Effect, Schema, Scope } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Api } from "#schema/Api.ts"
import type { CurrentPrincipal } from "#schema/Auth.ts"
import type { JsonBody } from "#src/http/RequestContext.ts"

type Groups = typeof Api.groups
type Endpoints<Id extends keyof Groups> = Groups[Id]["endpoints"]

/** The decoded parts of a request. Handlers do not get the request itself. */
type Input<E extends HttpApiEndpoint.Constraint> = Omit<HttpApiEndpoint.Request<E>, "request" | "group">

type Outcome<E extends HttpApiEndpoint.Constraint> = ReturnType<
  HttpApiEndpoint.Handler<E, HttpApiEndpoint.MiddlewareError<E>, CurrentPrincipal | Scope.Scope>
>

type Handler<E extends HttpApiEndpoint.Constraint> = (input: Input<E>) => Outcome<E>

/** A handler with its own decoder, because the endpoint's schema would decode the whole body at once. */
interface WithDecoder<E extends HttpApiEndpoint.Constraint, Payload> {
  readonly decode: (body: JsonBody) => Effect.Effect<Payload, Schema.SchemaError>
  readonly handler: (input: Omit<Input<E>, "payload"> & { readonly payload: Payload }) => Outcome<E>
}

/** The handlers of a group. */
export type Handlers<Id extends keyof Groups> = {
  // oxlint-disable-next-line typescript/no-explicit-any -- the payload is whatever the entry's own decoder makes
  readonly [Name in keyof Endpoints<Id>]: Endpoints<Id>[Name] extends HttpApiEndpoint.Constraint
    ? Handler<Endpoints<Id>[Name]> | WithDecoder<Endpoints<Id>[Name], any>
    : never
}

/** The handlers of the whole contract. */
export type AllHandlers = { readonly [Id in keyof Groups]: Handlers<Id> }

export const handlersOf = <Id extends keyof Groups>(_group: Id, handlers: Handlers<Id>): Handlers<Id> => handlers
