// src/http/handlers/Upload.ts: one file out of a multipart body, kept in memory only as far as it may be large.
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"
import { kindOf } from "#layers/research/read/Kinds.ts"
import type { Upload } from "#layers/Imports.ts"
import { BadRequest } from "#schema/Errors.ts"
import { largestDocument } from "#schema/Workspace.ts"

const tooLarge = BadRequest.at("file", "is too large; at most 10 MB (10,485,760 bytes) are taken")

const broken = (error: Multipart.MultipartError) => {
  const { _tag } = error.reason
  if (_tag === "FileTooLarge" || _tag === "BodyTooLarge") {
    return tooLarge
  }
  if (_tag === "FieldTooLarge" || _tag === "TooManyParts") {
    return new BadRequest({ message: "The body holds more than a document; send one part named file" })
  }
  return new BadRequest({ message: "The body is not well-formed multipart/form-data" })
}

/**
 * The document in the part named `file`, its kind decided by its name and its bytes. Problems are reported when all has been
 * read, within the limits of the body: who is still sending would not hear it.
 */
export const receive = Effect.fnUntraced(function* (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) {
  let refusal: BadRequest | undefined
  let file: { readonly name: string; readonly chunks: Array<Uint8Array> } | undefined
  yield* parts.pipe(
    Stream.runForEach((part) => {
      if (part._tag === "Field") {
        if (part.key === "file") refusal ??= BadRequest.at("file", "must be a file with a name")
        return Effect.void
      }
      const chunks: Array<Uint8Array> = []
      if (part.key !== "file" || file !== undefined)
        refusal ??= BadRequest.at("file", "send exactly one file, in the part of that name")
      else file = { name: part.name, chunks }
      let size = 0
      return Stream.runForEach(part.content, (chunk) =>
        Effect.sync(() => {
          size += chunk.length
          if (size > largestDocument) refusal ??= tooLarge
          else chunks.push(chunk)
        })
      )
    }),
    Effect.catchTag("MultipartError", (error) => broken(error))
  )
  if (refusal !== undefined) return yield* refusal
  if (file === undefined) return yield* BadRequest.at("file", "is required")
  const content = new Uint8Array(Buffer.concat(file.chunks))
  const kind = kindOf(file.name, content)
  if ("refusal" in kind) return yield* BadRequest.at("file", kind.refusal)
  return { kind: kind.kind, content } satisfies Upload
})
