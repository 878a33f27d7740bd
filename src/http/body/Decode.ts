// src/http/body/Decode.ts: parses and decodes a long JSON body some entries of its list at a time, so that it does not block other
// requests. The result is that of JSON.parse, and undefined for an empty text.
import { Effect, Exit, Predicate, Schema, SchemaIssue } from "effect"
import { randomUUID } from "node:crypto"
import type { JsonBody, Long } from "#src/http/RequestContext.ts"

/** The one error of a text that is no JSON document. */
export const notJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

export const parsed = (text: string): Exit.Exit<unknown, Schema.SchemaError> => {
  try {
    return Exit.succeed(JSON.parse(text))
  } catch {
    return Exit.fail(notJson)
  }
}

/** The entries of a long list, some at a time; nothing where that is no list. */
export const entriesOf = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parsed(`[${text.slice(from, to)}]`)
  // An empty piece between two commas, or between a comma and the end.
  if (!Array.isArray(entries) || entries.length === 0) return yield* notJson
  return entries as ReadonlyArray<unknown>
})

export const spansOf = ({ cuts, end, start }: Long) =>
  [...cuts, end].map((to, at, all) => ({ from: at === 0 ? start : (all[at - 1] ?? 0) + 1, to }))

/** The document without what its long lists hold, and where each of them is in it, unless its name comes again later. */
export const frameOf = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
  // The entries of a list are replaced by a mark that no body contains.
  const marks = long.map(() => randomUUID())
  let rest = ""
  let after = 0
  for (const [at, { end, start }] of long.entries()) {
    rest += `${text.slice(after, start)}"${marks[at]}"`
    after = end
  }
  const body = text === "" ? undefined : yield* parsed(rest + text.slice(after))
  const lists: ReadonlyArray<Array<unknown>> =
    typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []
  const found = marks.map((mark) => lists.find(([first]) => first === mark))
  for (const list of found) if (list !== undefined) list.length = 0
  return { body, lists: found }
})

/** What a text says whose long lists are known. */
export const parse = Effect.fnUntraced(function* ({ long, text }: JsonBody) {
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
 * The entries of a long list are checked first and decoded again, some at a time, when they are taken: all of them at once
 * would fill the memory, and collecting that garbage would block other requests.
 */
export const decodeLong = <E, A>({ entry, glance, list, whole }: About<E, A>) => {
  const entryOf = Schema.decodeUnknownEffect(entry)
  const wholeOf = Schema.decodeUnknownEffect(whole)
  const again = Schema.decodeUnknownSync(Schema.Array(entry))

  return Effect.fnUntraced(function* ({ long, text }: JsonBody) {
    const { body, lists } = yield* frameOf(text, long)
    const about = Predicate.hasProperty(body, list) ? body : undefined
    const mine = about?.[list]
    const glances: Array<unknown> = []
    const see = Effect.fnUntraced(function* (entries: ReadonlyArray<unknown>) {
      for (const one of entries) {
        glances.push(glance(yield* Effect.mapErrorEager(entryOf(one), within([list, glances.length]))))
      }
    })

    // The body has to be a JSON document before its values are checked.
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
    const rest = yield* wholeOf({ ...about, [list]: glances })
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
