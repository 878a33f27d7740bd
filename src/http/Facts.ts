// src/http/Facts.ts: what is learnt of a request while it is answered. Whoever learns it writes it down.
import { Context, Effect } from "effect"

export interface Facts {
  readonly request_id: string
  readonly method: string
  route: string | undefined
  workspace: string | undefined
  key: string | undefined
  /** Headers for the answer, whatever the answer will be. */
  headers: Record<string, string> | undefined
}

export const Facts = Context.Reference<Facts | undefined>("overture/src/http/Facts", { defaultValue: () => undefined })

/** Writes down what the request turns out to be for, where the contract's endpoints do not. */
export const routed = (route: string) =>
  Effect.map(Facts, (facts) => {
    if (facts !== undefined) facts.route = route
  })

/** Adds to the headers of the answer, an error's included. */
export const stamp = (headers: Record<string, string>) =>
  Effect.map(Facts, (facts) => {
    if (facts !== undefined) facts.headers = { ...facts.headers, ...headers }
  })
