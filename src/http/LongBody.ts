// src/http/LongBody.ts: reads the text of a body in pieces, so that a long one keeps nobody waiting: first over it, for what
// refuses it as a whole, and then each of its lists some entries at a time. What comes of it is what JSON.parse answers.
import { Effect, Predicate, Schema, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { type Long, pieceSize, shapeOf } from "#src/http/BodyShape.ts"

/** Characters that are read over before others have their turn: about a millisecond. */
const atOnce = 256 * 1024

/** Where the long lists are of a body that was looked at. */
const known = new WeakMap<HttpServerRequest.HttpServerRequest, ReadonlyArray<Long>>()

/** Reads over the text of a request within its limit; answers why it is refused before it is parsed, if it is. */
export const look = (
  request: HttpServerRequest.HttpServerRequest,
  text: string,
  limit: number
): Effect.Effect<string | undefined> => {
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

const invalid = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

const parsed = (text: string) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => invalid })

/** What a text says whose long lists are known. */
export const parse = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
  // The body without what its long lists hold is parsed first: in place of that, something that no body holds.
  const marks = long.map(() => randomUUID())
  let rest = ""
  let after = 0
  for (const [at, { end, start }] of long.entries()) {
    rest += `${text.slice(after, start)}"${marks[at]}"`
    after = end
  }
  const body = yield* parsed(rest + text.slice(after))
  const lists = typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []

  for (const [at, { cuts, end, start }] of long.entries()) {
    // A name that comes twice means the later list; the earlier is parsed all the same.
    const list: Array<unknown> = lists.find(([first]) => first === marks[at]) ?? []
    list.length = 0
    let from = start
    for (const to of [...cuts, end]) {
      const entries = yield* parsed(`[${text.slice(from, to)}]`)
      // Nothing stands between two commas, or between one and the end.
      if (!Array.isArray(entries) || entries.length === 0) return yield* invalid
      list.push(...entries)
      from = to + 1
      yield* Effect.yieldNow
    }
  }
  return body
})

/** What the body of a request says; nothing where there is none. */
export const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, Schema.SchemaError> =>
  Effect.flatMap(Effect.orDie(request.text), (text) => {
    const long = known.get(request)
    if (text === "") return Effect.undefined
    return long === undefined ? parsed(text) : parse(text, long)
  })

const within = (path: ReadonlyArray<PropertyKey>) => (error: Schema.SchemaError) =>
  new Schema.SchemaError(new SchemaIssue.Pointer(path, error.issue))

/**
 * Decodes a body that is about one long list, some entries at a time: each by `entry`, and then the body by `whole`, to
 * which any entry is as good as another. What is wrong first is what decoding all of it at once would find.
 */
export const decodeLong = <E, A>(field: string, entry: Schema.Codec<E, unknown>, whole: Schema.Codec<A, unknown>) => {
  const entryOf = Schema.decodeUnknownEffect(entry)
  const wholeOf = Schema.decodeUnknownEffect(whole)

  return Effect.fnUntraced(function* (body: unknown) {
    const entries: Array<E> = []
    if (!Predicate.hasProperty(body, field) || !Array.isArray(body[field])) {
      return { entries, rest: yield* wholeOf(body) }
    }
    for (const [at, one] of body[field].entries()) {
      if (at > 0 && at % pieceSize === 0) yield* Effect.yieldNow
      entries.push(yield* Effect.mapErrorEager(entryOf(one), within([field, at])))
    }
    return { entries, rest: yield* wholeOf({ ...body, [field]: entries }) }
  })
}
