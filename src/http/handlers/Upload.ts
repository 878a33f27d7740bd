// src/http/handlers/Upload.ts: reads one file of a multipart body, within its size limit.
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"
import { BadRequest } from "#schema/Errors.ts"

export interface Expected {
  /** Size limit of the file, in bytes. */
  readonly largest: number
  /** Names of the text parts that may accompany the file. */
  readonly fields?: ReadonlyArray<string>
  /** What is uploaded, for error messages. */
  readonly what: string
}

export interface Received {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
  readonly fields: Readonly<Record<string, string | undefined>>
}

const tooLarge = (largest: number) =>
  BadRequest.at(
    "file",
    `is too large; at most ${largest / 1024 / 1024} MB (${largest.toLocaleString("en")} bytes) are taken`
  )

const broken = (error: Multipart.MultipartError, { largest, what }: Expected) => {
  const { _tag } = error.reason
  if (_tag === "FileTooLarge" || _tag === "BodyTooLarge") return tooLarge(largest)
  if (_tag === "FieldTooLarge" || _tag === "TooManyParts") {
    return new BadRequest({ message: `The body holds more than ${what}; send one part named file` })
  }
  return new BadRequest({ message: "The body is not well-formed multipart/form-data" })
}

/**
 * The file in the part `file`, and its accompanying text parts. Reports problems only after reading the whole body,
 * because clients that are still sending may not read a response.
 */
export const receive = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  expected: Expected
) {
  let refusal: BadRequest | undefined
  let file: { readonly name: string; readonly chunks: Array<Uint8Array> } | undefined
  const fields: Record<string, string | undefined> = {}
  yield* parts.pipe(
    Stream.runForEach((part) => {
      if (part._tag === "Field") {
        if (part.key === "file") refusal ??= BadRequest.at("file", "must be a file with a name")
        else if (expected.fields?.includes(part.key)) fields[part.key] = part.value
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
          if (size > expected.largest) refusal ??= tooLarge(expected.largest)
          else chunks.push(chunk)
        })
      )
    }),
    Effect.catchTag("MultipartError", (error) => broken(error, expected))
  )
  if (refusal !== undefined) return yield* refusal
  if (file === undefined) return yield* BadRequest.at("file", "is required")
  return { name: file.name, content: new Uint8Array(Buffer.concat(file.chunks)), fields } satisfies Received
})
