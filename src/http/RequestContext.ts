// src/http/RequestContext.ts: facts about a request that middleware and handlers record while it is answered.
import { Context, Effect } from "effect"

export interface RequestContext {
  readonly request_id: string
  readonly method: string
  route: string | undefined
  workspace: string | undefined
  key: string | undefined
  /** Headers for the answer, whatever the answer will be. */
  headers: Record<string, string> | undefined
}

export const RequestContext = Context.Reference<RequestContext | undefined>("overture/src/http/RequestContext", {
  defaultValue: () => undefined
})

/** Writes down what the request turns out to be for, where the contract's endpoints do not. */
export const setRouteLabel = (route: string) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.route = route
  })

/** Adds to the headers of the answer, an error's included. */
export const addResponseHeader = (headers: Record<string, string>) =>
  Effect.map(RequestContext, (requestContext) => {
    if (requestContext !== undefined) requestContext.headers = { ...requestContext.headers, ...headers }
  })
