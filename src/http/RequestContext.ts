// src/http/RequestContext.ts: what is known of a request while it is answered.
import { Context, Effect } from "effect"
import type { SessionCookie } from "#src/http/Auth.ts"

/** The position of a long list at the top of a body in its text: what is between its brackets, and commas to cut it at. */
export interface Long {
  readonly start: number
  readonly cuts: ReadonlyArray<number>
  readonly end: number
}

/** A JSON text that passed the checks, and where its long lists are. */
export interface JsonBody {
  readonly text: string
  readonly long: ReadonlyArray<Long>
}

export interface RequestContext {
  readonly request_id: string
  readonly method: string
  /** The Accept header. */
  readonly accept: string | undefined
  route: string | undefined
  workspace: string | undefined
  key: string | undefined
  /** Headers for the answer, whatever the answer will be. */
  headers: Record<string, string> | undefined
  /** What is known of the caller's cookie, for endpoints of the session. */
  cookie: SessionCookie | undefined
  /** The body, once it was read and passed the checks. */
  json: JsonBody | undefined
  /** The body of an endpoint that declares none, if it was read. */
  bytes: Uint8Array | undefined
}

export const RequestContext = Context.Reference<RequestContext | undefined>("overture/src/http/RequestContext", {
  defaultValue: () => undefined
})

/** Labels the route of a request that no endpoint of the contract answers. */
export const setRouteLabel = (route: string) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.route = route
  })

/** Adds to the headers of the answer, also to those of an error. */
export const addResponseHeader = (headers: Record<string, string>) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.headers = { ...requestContext.headers, ...headers }
  })
