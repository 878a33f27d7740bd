// src/http/body/Decode.ts: decodes a body that is about one list some entries of it at a time.
import { Effect, Predicate, Schema, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import { entriesOf, frameOf, spansOf } from "#src/http/body/Pieces.ts"
import type { Long } from "#src/http/body/Shape.ts"
import { keptText } from "#src/http/body/Text.ts"

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

/** The same of the body of a request. */
export const decodeBody = <E, A>(about: About<E, A>) => {
  const decode = decodeLong(about)
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(keptText(request), ({ long, text }) => decode(text, long))
}
