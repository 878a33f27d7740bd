// src/mcp/CheckedStdio.ts: standard input without the lines that are no message. The protocol's layer answers nothing after such a
// line, so each is answered with an error here.
import { Effect, Exit, Layer, Predicate, Stdio, Stream } from "effect"
import { BodyLimit } from "#schema/Auth.ts"
import { makeBodyScanner, parseJson } from "#src/http/Body.ts"
import { isMessage, isResponse, noMessage } from "#src/mcp/Message.ts"

const parseError = -32700
const invalidRequest = -32600

/** The error for a line, or undefined if it is a message or a batch of messages. The limits are those of /mcp. */
const errorOf = (line: string, limit: number) => {
  const invalid = (message: string, id: unknown = null) => ({ id, error: { code: invalidRequest, message } })
  if (Buffer.byteLength(line) > limit) return invalid(`The line is longer than ${limit} bytes`)
  const reason = makeBodyScanner(line, limit).scanTo(line.length)
  if (reason !== undefined) return invalid(reason.replace("The body", "The line"))
  const message = parseJson(line)
  if (Exit.isFailure(message)) return { id: null, error: { code: parseError, message: "The line is not valid JSON" } }
  const all: ReadonlyArray<unknown> = Array.isArray(message.value) ? message.value : [message.value]
  const wrong = all.find((each) => !isMessage(each) && !isResponse(each))
  if (wrong === undefined) return undefined
  const id = Predicate.hasProperty(wrong, "id") ? wrong.id : null
  return invalid(`The line is ${noMessage}`, typeof id === "string" || typeof id === "number" ? id : null)
}

export const CheckedStdio = Layer.effect(
  Stdio.Stdio,
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const limit = yield* BodyLimit
    const isTaken = (line: string) => {
      const error = line.trim() === "" ? undefined : errorOf(line, limit)
      if (error === undefined) return Effect.succeed(true)
      const answer = Stream.make(`${JSON.stringify({ jsonrpc: "2.0", ...error })}\n`)
      return Effect.as(Stream.run(answer, stdio.stdout()), false)
    }
    const stdin = stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filterEffect(isTaken),
      Stream.map((line) => `${line}\n`),
      Stream.encodeText
    )
    return { ...stdio, stdin }
  })
)
