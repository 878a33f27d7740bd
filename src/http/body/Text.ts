// src/http/body/Text.ts: the text of a request's body, which is read over once, in pieces, for what refuses it as a whole and
// for where its long lists are.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type Long, shapeOf } from "#src/http/body/Shape.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** What bytes say; nothing where they are not valid UTF-8. */
export const decode = (bytes: ArrayBuffer | Uint8Array) => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Characters that are read over before others have their turn: about a millisecond. */
const atOnce = 256 * 1024

/** Where the long lists are of a body that was read over. */
const known = new WeakMap<HttpServerRequest.HttpServerRequest, ReadonlyArray<Long>>()

/** Leaves the text with its request. Answers why it is refused before it is parsed, if it is, by what a body may be of `limit` bytes. */
export const keepText = (
  request: HttpServerRequest.HttpServerRequest,
  text: string,
  limit: number
): Effect.Effect<string | undefined> => {
  // An object made after the request would be a class of its own to the engine.
  Object.defineProperty(request, "text", { value: Effect.succeed(text) })
  const { isRead, long, readTo } = shapeOf(text, limit)
  let until = atOnce
  const next: Effect.Effect<string | undefined> = Effect.suspend(() => {
    const refusal = readTo(until)
    if (refusal === undefined && !isRead()) {
      until += atOnce
      return Effect.andThen(Effect.yieldNow, next)
    }
    if (long.length > 0) known.set(request, long)
    return Effect.succeed(refusal)
  })
  return next
}

/** The text of a request, empty where it has no body, and its long lists. */
export const keptText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(Effect.orDie(request.text), (text) => ({ text, long: known.get(request) ?? [] }))
