// schema/Auth.ts: what a key is and may do, and the middleware that every endpoint passes.
import { Context, Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  BadRequest,
  Forbidden,
  InternalError,
  type Issue,
  NotFound,
  RateLimited,
  Unauthorized
} from "#schema/Errors.ts"

export const WorkspaceId = Schema.String.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

export const scopes = [
  "campaigns:read",
  "campaigns:write",
  "lists:read",
  "lists:write",
  "signatures:read",
  "signatures:write",
  "workspace:read",
  "workspace:write",
  "agent:read",
  "agent:write",
  "credits:read",
  "keys:write"
] as const
export const Scope = Schema.Literals(scopes)
export type Scope = typeof Scope.Type

/** A key that has proved itself, by its secret or by a session: whose it is, what it may do, and how often it may ask. */
export interface Principal {
  readonly id: string
  /** The session that stands for the key, if the request came with its cookie. */
  readonly session?: { readonly id: string; readonly expires_at: string }
  readonly workspace_id: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  readonly requests_per_minute: number
}

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "overture/schema/CurrentPrincipal"
) {}

/** Endpoint annotation: the scope its key must carry. Left out, any valid key will do. */
export const RequiredScope = Context.Reference<Scope | undefined>("overture/schema/RequiredScope", {
  defaultValue: () => undefined
})

/** Endpoint annotation: the largest JSON body it takes, in bytes. */
export const BodyLimit = Context.Reference<number>("overture/schema/BodyLimit", { defaultValue: () => 1024 * 1024 })

/**
 * Endpoint annotation: what is wrong with a body beyond its single fields. A schema finds that only where every field
 * is right, and a caller is to learn everything at once.
 */
export const BodyRule = Context.Reference<(body: unknown) => ReadonlyArray<Issue>>("overture/schema/BodyRule", {
  defaultValue: () => () => []
})

/** Endpoint annotation: a tighter limit of its own, in requests a minute and key, beside the one over all endpoints. */
export const RateBucket = Context.Reference<{ readonly name: string; readonly limit: number } | undefined>(
  "overture/schema/RateBucket",
  { defaultValue: () => undefined }
)

/** Endpoint annotation: refused, not let through, while requests cannot be counted. */
export const NeedsLimiter = Context.Reference<boolean>("overture/schema/NeedsLimiter", { defaultValue: () => false })

/**
 * Endpoint annotation: for programs. It takes a key and never the cookie of a session, and refuses a page of an origin that the
 * operator did not name.
 */
export const ForPrograms = Context.Reference<boolean>("overture/schema/ForPrograms", { defaultValue: () => false })

/**
 * A key in `Authorization: Bearer` or in `X-API-Key`; where both are sent they must agree. One plain middleware and
 * not two security schemes, because schemes are tried in turn and could not compare; `schema/OpenApi.ts` declares them.
 */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "overture/schema/Authentication",
  { error: Unauthorized, requiredForClient: true }
) {}

export class RateLimit extends HttpApiMiddleware.Service<RateLimit, { requires: CurrentPrincipal }>()(
  "overture/schema/RateLimit",
  { error: RateLimited }
) {}

export class Authorization extends HttpApiMiddleware.Service<Authorization, { requires: CurrentPrincipal }>()(
  "overture/schema/Authorization",
  { error: Forbidden }
) {}

/** Reads the body once, within its limit and its workspace's room, and refuses what no store should hold. */
export class StrictBody extends HttpApiMiddleware.Service<StrictBody, { requires: CurrentPrincipal }>()(
  "overture/schema/StrictBody",
  {
    error: BadRequest
  }
) {}

/** Of an endpoint that asks for no key: reads the body within its limit, and refuses pages of other origins. */
export class OpenBody extends HttpApiMiddleware.Service<OpenBody>()("overture/schema/OpenBody", {
  error: [BadRequest, Forbidden]
}) {}

/** Turns a request that fails to decode into BAD_REQUEST, and an id that cannot be one into NOT_FOUND. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()("overture/schema/RequestErrors", {
  error: [BadRequest, NotFound, InternalError]
}) {}
