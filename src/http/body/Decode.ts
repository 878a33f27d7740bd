// src/http/body/Decode.ts: parses and decodes a long JSON body in pieces, so that it does not block other requests. The
// result is that of JSON.parse, and undefined for an empty text.
import { Effect, Exit, Predicate, Schema, SchemaIssue } from "effect"
import { randomUUID } from "node:crypto"
import type { JsonBody, Long } from "#src/http/RequestContext.ts"

/** The error for a body that is not JSON. */
export const notJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

export const parsed = (text: string): Exit.Exit<unknown, Schema.SchemaError> => {
  try {
    return Exit.succeed(JSON.parse(text))
  } catch {
    return Exit.fail(notJson)
  }
}

/** Parses the list entries between two positions of a text. Fails if there are none. */
export const entriesOf = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parsed(`[${text.slice(from, to)}]`)
  // An empty piece between two commas, or between a comma and the end, is not valid JSON.
  if (!Array.isArray(entries) || entries.length === 0) return yield* notJson
  return entries as ReadonlyArray<unknown>
})

export const spansOf = ({ cuts, end, start }: Long) =>
  [...cuts, end].map((to, at, all) => ({ from: at === 0 ? start : (all[at - 1] ?? 0) + 1, to }))

/**
 * The document with its long lists emptied, and these lists; undefined for a list that a later field of the same name
 * replaces.
 */
const frameOf = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<Long>) {
  // Replaces each list by a UUID, which no body can contain by chance.
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

/** Parses a text with known long lists, in pieces. */
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

/** A body with one long list. */
interface ListBody<E, A> {
  /** The name of the list's field. */
  readonly list: string
  readonly entry: Schema.Codec<E, unknown>
  /**
   * The part of an entry that `whole` checks. Should be shared between equal entries, because all are kept in memory.
   */
  readonly digest: (entry: E) => unknown
  /** The schema of the body with digests as list entries. */
  readonly whole: Schema.Codec<A, unknown>
}

/**
 * Decodes a body in pieces, and reports the same first error as decoding it as a whole. Entries of a long list are
 * validated first and decoded again when they are read: keeping all of them would fill the memory, and collecting that
 * garbage would block other requests.
 */
export const decodeLong = <E, A>({ digest, entry, list, whole }: ListBody<E, A>) => {
  const decodeEntry = Schema.decodeUnknownEffect(entry)
  const decodeWhole = Schema.decodeUnknownEffect(whole)
  const decodeEntries = Schema.decodeUnknownSync(Schema.Array(entry))

  return Effect.fnUntraced(function* ({ long, text }: JsonBody) {
    const { body, lists } = yield* frameOf(text, long)
    const fields = Predicate.hasProperty(body, list) ? body : undefined
    const value = fields?.[list]
    const digests: Array<unknown> = []
    const check = Effect.fnUntraced(function* (entries: ReadonlyArray<unknown>) {
      for (const one of entries) {
        digests.push(digest(yield* Effect.mapErrorEager(decodeEntry(one), within([list, digests.length]))))
      }
    })

    // Parses the other lists too, because the body must be valid JSON before its values are validated.
    const spans = long.flatMap((one, at) =>
      spansOf(one).map((span) => ({ ...span, isOfList: lists[at] !== undefined && lists[at] === value }))
    )
    let firstError: Schema.SchemaError | undefined
    for (const span of spans) {
      const entries = yield* entriesOf(text, span.from, span.to)
      if (span.isOfList && firstError === undefined) {
        firstError = yield* Effect.match(check(entries), { onFailure: (error) => error, onSuccess: () => undefined })
      }
      yield* Effect.yieldNow
    }
    if (firstError !== undefined) return yield* firstError

    if (!Array.isArray(value)) {
      const none: Iterable<ReadonlyArray<E>> = []
      return { rest: yield* decodeWhole(body), entries: none, count: 0 }
    }
    const listSpans = spans.filter((span) => span.isOfList)
    const isShort = listSpans.length === 0
    if (isShort) yield* check(value)
    const rest = yield* decodeWhole({ ...fields, [list]: digests })
    const entries: Iterable<ReadonlyArray<E>> = isShort
      ? [decodeEntries(value)]
      : {
          *[Symbol.iterator]() {
            for (const { from, to } of listSpans) yield decodeEntries(JSON.parse(`[${text.slice(from, to)}]`))
          }
        }
    return { rest, entries, count: digests.length }
  })
}
