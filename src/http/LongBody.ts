// src/http/LongBody.ts: reads the text of a body in pieces, so that a long one keeps nobody waiting: first over it, for what
// refuses it as a whole, and then each of its lists some entries at a time. What comes of it is what JSON.parse answers.
import { Effect, Predicate, Schema, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { type Long, shapeOf } from "#src/http/BodyShape.ts"

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

/** The entries of a long list, some at a time; nothing where that is no list. */
const entriesOf = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parsed(`[${text.slice(from, to)}]`)
  // Nothing stands between two commas, or between one and the end.
  if (!Array.isArray(entries) || entries.length === 0) return yield* invalid
  return entries as ReadonlyArray<unknown>
})

const spansOf = ({ cuts, end, start }: Long) =>
  [...cuts, end].map((to, at, all) => ({ from: at === 0 ? start : (all[at - 1] ?? 0) + 1, to }))

/** The document without what its long lists hold, and where each of them is in it, unless its name comes again later. */
const frameOf = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
  // In place of what a list holds stands something that no body holds.
  const marks = long.map(() => randomUUID())
  let rest = ""
  let after = 0
  for (const [at, { end, start }] of long.entries()) {
    rest += `${text.slice(after, start)}"${marks[at]}"`
    after = end
  }
  const body = yield* parsed(rest + text.slice(after))
  const lists = typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []
  const found = marks.map((mark) => lists.find(([first]): boolean => first === mark) as Array<unknown> | undefined)
  for (const list of found) if (list !== undefined) list.length = 0
  return { body, lists: found }
})

/** What a text says whose long lists are known. */
export const parse = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
  const { body, lists } = yield* frameOf(text, long)
  for (const [at, one] of long.entries()) {
    for (const { from, to } of spansOf(one)) {
      const entries = yield* entriesOf(text, from, to)
      lists[at]?.push(...entries)
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

/** How a body is decoded that is about one list. */
interface About<E, A> {
  readonly list: string
  readonly entry: Schema.Codec<E, unknown>
  /** What `whole` looks at in an entry. Entries alike share it, as it stays in memory for each. */
  readonly glance: (entry: E) => unknown
  /** The body, to which any entry is right. */
  readonly whole: Schema.Codec<A, unknown>
}

/**
 * Decodes a body some entries of its list at a time. What is wrong first is what decoding all of it at once would find.
 * A long list is looked through, and its entries are made again, some at a time, for whoever takes them: all of them at
 * once fill the memory, and to clear that up later would stop everybody.
 */
export const decodeLong = <E, A>({ entry, glance, list, whole }: About<E, A>) => {
  const entryOf = Schema.decodeUnknownEffect(entry)
  const wholeOf = Schema.decodeUnknownEffect(whole)
  const again = Schema.decodeUnknownSync(Schema.Array(entry))

  return Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
    const { body, lists } =
      long.length === 0
        ? { body: text === "" ? undefined : yield* parsed(text), lists: [] }
        : yield* frameOf(text, long)
    const mine = Predicate.hasProperty(body, list) ? body[list] : undefined
    const glances: Array<unknown> = []
    const see = Effect.fnUntraced(function* (entries: ReadonlyArray<unknown>) {
      for (const one of entries) {
        glances.push(glance(yield* Effect.mapErrorEager(entryOf(one), within([list, glances.length]))))
      }
    })

    // That all of it is a document at all comes before what stands in it.
    const spans = long.flatMap((one, at) =>
      spansOf(one).map((span) => ({ ...span, mine: lists[at] !== undefined && lists[at] === mine }))
    )
    let refused: Schema.SchemaError | undefined
    for (const span of spans) {
      const entries = yield* entriesOf(text, span.from, span.to)
      if (span.mine && refused === undefined) {
        refused = yield* Effect.match(see(entries), { onFailure: (error) => error, onSuccess: () => undefined })
      }
      yield* Effect.yieldNow
    }
    if (refused !== undefined) return yield* refused

    const own = spans.filter((span) => span.mine)
    if (!Array.isArray(mine)) {
      const none: Iterable<ReadonlyArray<E>> = []
      return { rest: yield* wholeOf(body), entries: none, count: 0 }
    }
    if (own.length === 0) yield* see(mine)
    const rest = yield* wholeOf({ ...(body as object), [list]: glances })
    const entries: Iterable<ReadonlyArray<E>> =
      own.length === 0
        ? [again(mine)]
        : {
            *[Symbol.iterator]() {
              for (const { from, to } of own) yield again(JSON.parse(`[${text.slice(from, to)}]`))
            }
          }
    return { rest, entries, count: glances.length }
  })
}

/** The same of the body of a request. */
export const decodeBody = <E, A>(about: About<E, A>) => {
  const decode = decodeLong(about)
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Effect.orDie(request.text), (text) => decode(text, known.get(request) ?? []))
}
