// src/http/RequestContext.ts: the state of a request while it is answered.
import { Context, Effect } from "effect"

/**
 * The position of a long list in the text of a body: where it starts and ends, and the commas at which it can be split.
 */
export interface LongList {
  readonly start: number
  readonly splitPositions: ReadonlyArray<number>
  readonly end: number
}

/** A JSON text that passed the checks, with its long lists. */
export interface JsonBody {
  readonly text: string
  readonly longLists: ReadonlyArray<LongList>
}

export interface SessionCookie {
  /** Whether the browser used https, which may end at a proxy. */
  readonly isSecure: boolean
  /** The value that the browser sent, if any. */
  readonly secret: string | undefined
}

export interface RequestContext {
  readonly request_id: string
  readonly method: string
  /** The Accept header. */
  readonly accept: string | undefined
  route: string | undefined
  workspace: string | undefined
  key: string | undefined
  /** Headers added to the answer, including errors. */
  headers: Record<string, string> | undefined
  /** The session cookie, for the endpoints that set it. */
  cookie: SessionCookie | undefined
  /** The body, after it was read and checked. */
  json: JsonBody | undefined
  /** The raw body of an endpoint that declares none, if it was read. */
  bytes: Uint8Array | undefined
}

export const RequestContext = Context.Reference<RequestContext | undefined>("overture/src/http/RequestContext", {
  defaultValue: () => undefined
})

/** Sets the route of a request that is not to an endpoint of the contract, for logs and metrics. */
export const setRouteLabel = (route: string) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.route = route
  })

/** Adds headers to the answer, including errors. */
export const addResponseHeader = (headers: Record<string, string>) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.headers = { ...requestContext.headers, ...headers }
  })
