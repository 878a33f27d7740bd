// src/http/handlers/Upload.ts: reads one file of a multipart body, within its size limit.
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"
import { BadRequest } from "#schema/Errors.ts"

export interface ExpectedFile {
  /** Size limit of the file, in bytes. */
  readonly maxBytes: number
  /** Names of the text parts that may accompany the file. */
  readonly fields?: ReadonlyArray<string>
  /** What is uploaded, for error messages. */
  readonly description: string
}

export interface ReceivedFile {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
  readonly fields: Readonly<Record<string, string | undefined>>
}

const tooLarge = (maxBytes: number) =>
  BadRequest.at(
    "file",
    `is too large; at most ${maxBytes / 1024 / 1024} MB (${maxBytes.toLocaleString("en")} bytes) are taken`
  )

const toBadRequest = (error: Multipart.MultipartError, { description, maxBytes }: ExpectedFile) => {
  const { _tag } = error.reason
  if (_tag === "FileTooLarge" || _tag === "BodyTooLarge") return tooLarge(maxBytes)
  if (_tag === "FieldTooLarge" || _tag === "TooManyParts") {
    return new BadRequest({ message: `The body holds more than ${description}; send one part named file` })
  }
  return new BadRequest({ message: "The body is not well-formed multipart/form-data" })
}

/** Bytes that are copied before other fibers run. */
const bytesPerStep = 1024 * 1024

/** The bytes of all chunks in an array of their own. */
const concatChunks = Effect.fnUntraced(function* (chunks: ReadonlyArray<Uint8Array>) {
  const content = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  let nextYield = bytesPerStep
  for (const chunk of chunks) {
    content.set(chunk, end)
    end += chunk.length
    if (end < nextYield) continue
    nextYield = end + bytesPerStep
    yield* Effect.yieldNow
  }
  return content
})

/**
 * The file in the part `file`, and its accompanying text parts. Reports problems only after reading the whole body,
 * because clients that are still sending may not read a response.
 */
export const receiveFile = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  expected: ExpectedFile
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
          if (size > expected.maxBytes) refusal ??= tooLarge(expected.maxBytes)
          else chunks.push(chunk)
        })
      )
    }),
    Effect.catchTag("MultipartError", (error) => toBadRequest(error, expected))
  )
  if (refusal !== undefined) return yield* refusal
  if (file === undefined) return yield* BadRequest.at("file", "is required")
  return { name: file.name, content: yield* concatChunks(file.chunks), fields } satisfies ReceivedFile
})
