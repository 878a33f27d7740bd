// src/http/StrictBody.ts: reads a JSON body once, within its limit, and lets through only what every store can hold.
import { ByteSize, Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { BodyLimit, StrictBody } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"

const maxDepth = 64

/** How deep arrays and objects go, counted in the text: a parser would first have to build them. */
const isTooDeep = (json: string): boolean => {
  let depth = 0
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

const suspicious = /\\u0000|\\u[dD][89a-fA-F]/

/** Whether a string anywhere in the document holds NUL or an unpaired surrogate; keys count. */
const hasUnstorable = (json: string): boolean => {
  if (!suspicious.test(json)) return false
  let found = false
  const check = (text: string) => {
    if (text.includes("\u0000") || !text.isWellFormed()) found = true
  }
  try {
    JSON.parse(json, (key, value: unknown) => {
      check(key)
      if (typeof value === "string") check(value)
      return value
    })
  } catch {
    // What is no JSON is refused as such further in.
    return false
  }
  return found
}

const refuse = (message: string) => Effect.fail(new BadRequest({ message }))

const megabytes = (bytes: number) => `${bytes / (1024 * 1024)} MiB`

/** Leaves the text with the request. (An object made after the request would be a class of its own to the engine.) */
const keepText = (request: HttpServerRequest.HttpServerRequest, text: string) =>
  void Object.defineProperty(request, "text", { value: Effect.succeed(text) })

export const StrictBodyLayer = Layer.sync(StrictBody, () => {
  const decoder = new TextDecoder("utf-8", { fatal: true })

  const decode = (bytes: ArrayBuffer) => {
    try {
      return decoder.decode(bytes)
    } catch {
      return undefined
    }
  }

  return StrictBody.of((httpEffect, { endpoint }) => {
    const limit = Context.get(endpoint.annotations, BodyLimit)
    const takesBody = endpoint.payload.size > 0

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (/%00/.test(request.url)) return refuse("The address holds a NUL character")
      if (!takesBody) return httpEffect
      const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()
      const tooLarge = `The body is too large; at most ${megabytes(limit)} are taken`
      if (Number(request.headers["content-length"] ?? 0) > limit) return refuse(tooLarge)
      // A file is no text; its limits and its form are checked as it is read.
      if (endpoint.payload.has("multipart/form-data")) {
        return type === "multipart/form-data" && /;\s*boundary=/i.test(request.headers["content-type"] ?? "")
          ? httpEffect
          : refuse("Send the document as multipart/form-data, in one part named file")
      }
      if (type !== "application/json") return refuse("Send the body as JSON, with Content-Type: application/json")

      return request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        Effect.matchEffect({
          onFailure: () => refuse(tooLarge),
          onSuccess: (bytes): Effect.Effect<HttpServerResponse.HttpServerResponse, BadRequest | unhandled> => {
            const text = decode(bytes)
            if (text === undefined) return refuse("The body is not valid UTF-8")
            if (isTooDeep(text)) return refuse(`The body is nested deeper than ${maxDepth} levels`)
            if (hasUnstorable(text)) return refuse("A string of the body holds NUL or an unpaired surrogate")
            keepText(request, text)
            return httpEffect
          }
        })
      )
    })
  })
})
