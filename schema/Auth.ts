// schema/Auth.ts: scopes, principals, the annotations for access and limits, and the middleware of the endpoints.
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

/** The verified caller: its workspace, scopes and rate limit. */
export interface Principal {
  readonly id: string
  /** The session, if the request was authenticated by its cookie. */
  readonly session?: { readonly id: string; readonly expires_at: string }
  readonly workspace_id: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  readonly requests_per_minute: number
}

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "overture/schema/CurrentPrincipal"
) {}

/** Endpoint annotation: the scope a key must have. Without it, any valid key may call the endpoint. */
export const RequiredScope = Context.Reference<Scope | undefined>("overture/schema/RequiredScope", {
  defaultValue: () => undefined
})

/** Endpoint annotation: the size limit of the JSON body, in bytes. */
export const BodyLimit = Context.Reference<number>("overture/schema/BodyLimit", { defaultValue: () => 1024 * 1024 })

/**
 * Endpoint annotation: checks of a body across its fields. A schema runs such a check only after all fields are valid;
 * this rule also runs on an invalid body, so that all problems are reported at once.
 */
export const BodyRule = Context.Reference<(body: unknown) => ReadonlyArray<Issue>>("overture/schema/BodyRule", {
  defaultValue: () => () => []
})

/**
 * Endpoint annotation: an additional rate limit of this endpoint, in requests per minute and key, or per workspace for
 * endpoints that make keys: each new key would have the limit again.
 */
export const RateBucket = Context.Reference<
  { readonly name: string; readonly limit: number; readonly per: "key" | "workspace" } | undefined
>("overture/schema/RateBucket", { defaultValue: () => undefined })

/** Endpoint annotation: refuse requests while the rate limiter is unavailable, instead of letting them through. */
export const NeedsLimiter = Context.Reference<boolean>("overture/schema/NeedsLimiter", { defaultValue: () => false })

/**
 * Endpoint annotation: for programs only. Accepts a key but no session cookie, and refuses browser pages of origins
 * that the operator has not allowed.
 */
export const ForPrograms = Context.Reference<boolean>("overture/schema/ForPrograms", { defaultValue: () => false })

/**
 * Reads the key from `Authorization: Bearer` or `X-API-Key`; if both are sent they must be equal. One middleware
 * instead of two security schemes, because schemes are tried in turn and cannot be compared; `schema/OpenApi.ts`
 * declares the schemes.
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

/** Reads the body once, within the limits of the endpoint and the workspace, and refuses text that cannot be stored. */
export class StrictBody extends HttpApiMiddleware.Service<StrictBody, { requires: CurrentPrincipal }>()(
  "overture/schema/StrictBody",
  {
    error: BadRequest
  }
) {}

/** For endpoints without a key: reads the body within its limit and refuses browser pages of other origins. */
export class OpenBody extends HttpApiMiddleware.Service<OpenBody>()("overture/schema/OpenBody", {
  error: [BadRequest, Forbidden]
}) {}

/** Turns a request that cannot be decoded into BAD_REQUEST, and a malformed id in the path into NOT_FOUND. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()("overture/schema/RequestErrors", {
  error: [BadRequest, NotFound, InternalError]
}) {}
