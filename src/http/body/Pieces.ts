// src/http/body/Pieces.ts: parses a text in pieces, so that a long one does not block other requests: what is about its long lists, and
// then each of them some entries at a time. What comes of it is what JSON.parse answers, and nothing
// of no text.
import { Effect, Schema, SchemaIssue } from "effect"
import { randomUUID } from "node:crypto"
import type { Long } from "#src/http/body/Shape.ts"

const invalid = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

const parsed = (text: string) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => invalid })

/** The entries of a long list, some at a time; nothing where that is no list. */
export const entriesOf = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parsed(`[${text.slice(from, to)}]`)
  // An empty piece between two commas, or between a comma and the end.
  if (!Array.isArray(entries) || entries.length === 0) return yield* invalid
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
