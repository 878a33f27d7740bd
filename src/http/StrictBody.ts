// src/http/StrictBody.ts: reads a JSON body once, within its limit, and lets through only what every store can hold.
import { ByteSize, Context, Effect, Layer, Semaphore } from "effect"
import { HttpIncomingMessage, type HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { BodyLimit, CurrentPrincipal, StrictBody, type WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { decode, keepText } from "#src/http/body/Text.ts"
import { begunOf } from "#src/http/direct/Begun.ts"

const MiB = 1024 * 1024

/** Bodies of one workspace that are in memory at once, in bytes: two of the largest batches. Others wait their turn. */
const roomBytes = 64 * MiB
/** Smaller bodies are read without waiting for memory. */
export const small = 64 * 1024

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, BadRequest | unhandled>

const refuse = (message: string) => Effect.fail(new BadRequest({ message }))

/** What a body is said to be, without the parameters of that. */
export const typeOf = (contentType: string | undefined) => contentType?.split(";", 1)[0]?.trim().toLowerCase()

export const StrictBodyLayer = Layer.sync(StrictBody, () => {
  const rooms = new Map<WorkspaceId, Semaphore.Semaphore>()

  /** Room for so many bytes among the bodies of the key's workspace. Who waits for it is not read from meanwhile. */
  const inRoom =
    (bytes: number) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) =>
      bytes <= small
        ? work
        : Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => {
            const room = rooms.get(workspace_id) ?? Semaphore.makeUnsafe(roomBytes / MiB)
            rooms.set(workspace_id, room)
            return room.withPermits(Math.min(Math.ceil(bytes / MiB), roomBytes / MiB))(work)
          })

  return StrictBody.of((httpEffect, { endpoint }) => {
    const limit = Context.get(endpoint.annotations, BodyLimit)
    const takesBody = endpoint.payload.size > 0
    const takesKey = endpoint.headers !== undefined

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (/%00/.test(request.url)) return refuse("The address holds a NUL character")
      // The body of an endpoint that declares none counts for its Idempotency-Key alone.
      if (!takesBody && (!takesKey || request.headers["idempotency-key"] === undefined)) return httpEffect
      const tooLarge = `The body is too large; at most ${limit / MiB} MiB are taken`
      // One that comes in pieces may become as large as any.
      const length = Number(request.headers["content-length"] ?? limit)
      if (length > limit) return refuse(tooLarge)
      if (!takesBody) {
        return inRoom(length)(
          request.arrayBuffer.pipe(
            Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
            Effect.matchEffect({ onFailure: (): Answer => refuse(tooLarge), onSuccess: (): Answer => httpEffect })
          )
        )
      }
      const type = typeOf(request.headers["content-type"])
      // A file is no text; its limits and its form are checked as it is read.
      if (endpoint.payload.has("multipart/form-data")) {
        return type === "multipart/form-data" && /;\s*boundary=/i.test(request.headers["content-type"] ?? "")
          ? inRoom(length)(httpEffect)
          : refuse("Send the document as multipart/form-data, in one part named file")
      }
      if (type !== "application/json") return refuse("Send the body as JSON, with Content-Type: application/json")

      const { bytes } = begunOf(request) ?? {}
      const read: Effect.Effect<ArrayBuffer | Uint8Array, HttpServerError.HttpServerError> =
        bytes === undefined ? request.arrayBuffer : Effect.succeed(bytes)
      return read.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
        Effect.matchEffect({
          onFailure: () => refuse(tooLarge),
          onSuccess: (bytes): Answer => {
            const text = decode(bytes)
            if (text === undefined) return refuse("The body is not valid UTF-8")
            return Effect.flatMap(keepText(request, text, limit), (refusal): Answer =>
              refusal === undefined ? httpEffect : refuse(refusal)
            )
          }
        }),
        inRoom(length)
      )
    })
  })
})
