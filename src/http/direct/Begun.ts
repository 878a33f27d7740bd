// src/http/direct/Begun.ts: what src/http/Direct.ts has done already of a request that then goes the library's way after all, so
// that nothing is done twice.
import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RateLimiter } from "effect/persistence"

export interface Begun {
  /** What counting it has come to, once it was counted. */
  used?: RateLimiter.ConsumeResult
  /** Its body, once that was read. */
  bytes?: Uint8Array
  /** What comes of its handler, once that was called. */
  outcome?: Effect.Effect<unknown, unknown>
}

const known = new WeakMap<object, Begun>()

/** For a request as it came in from Node. */
export const keep = (source: object, begun: Begun): void => void known.set(source, begun)

export const begunOf = ({ source }: Pick<HttpServerRequest.HttpServerRequest, "source">): Begun | undefined =>
  known.get(source)
