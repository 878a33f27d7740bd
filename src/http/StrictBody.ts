// src/http/StrictBody.ts: reads a JSON body once, within its limit, and lets through only what every store can hold.
import { ByteSize, Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { BodyLimit, StrictBody } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { refusalOf } from "#src/http/BodyShape.ts"

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
            const refusal = refusalOf(text, limit)
            if (refusal !== undefined) return refuse(refusal)
            keepText(request, text)
            return httpEffect
          }
        })
      )
    })
  })
})
