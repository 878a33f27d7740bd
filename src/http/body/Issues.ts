// src/http/body/Issues.ts: collects all issues of a body, within limits.
import { Effect, Option, Predicate, Schema } from "effect"
import type { Issue } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"

/** The contract's schemas need no services for decoding or encoding. */
export const asPlain = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown, unknown>

/** Values of a body that are checked for issues. */
const maxValues = 20_000
/** Issues that are reported; more do not help. */
export const maxIssues = 1000
/** No endpoint accepts an object with more fields. */
const maxFields = 1000

/** Truncates the lists of a body after `maxValues` values; none if an object has too many fields. */
const shorten = (body: unknown): Option.Option<unknown> => {
  let left = maxValues
  let odd = false
  const cut = (value: unknown): unknown => {
    left--
    if (Array.isArray(value)) {
      const kept: Array<unknown> = []
      for (const item of value) {
        if (left <= 0 && kept.length > 0) break
        kept.push(cut(item))
      }
      return kept
    }
    if (!Predicate.isObject(value)) return value
    const fields = Object.entries(value)
    odd ||= fields.length > maxFields
    return odd ? {} : Object.fromEntries(fields.map(([name, field]) => [name, cut(field)]))
  }
  const kept = cut(body)
  return odd ? Option.none() : Option.some(kept)
}

/** List entries checked before other requests run. */
const windowSize = 200

interface Window {
  readonly body: unknown
  /** The list that is checked in pieces, and the index of this piece's first entry. */
  readonly list?: string
  readonly first?: number
}

/** The body or, if it has one long list, the body with one piece of the list at a time. */
function* windowsOf(body: unknown): Iterable<Window> {
  const lists = Predicate.isObject(body) ? Object.entries(body) : []
  const long = lists.find(([, value]) => Array.isArray(value) && value.length > windowSize)
  if (long === undefined || lists.length > maxFields) return yield { body }
  const [list, entries] = long
  if (!Array.isArray(entries)) return
  for (let first = 0; first < entries.length; first += windowSize) {
    yield { body: { ...Object.fromEntries(lists), [list]: entries.slice(first, first + windowSize) }, list, first }
  }
}

/** Converts an index in the window to an index in the body. */
const shiftPath =
  ({ first = 0, list }: Window) =>
  (issue: Issue): Issue => {
    const [field, at, ...rest] = issue.path.split(".")
    return list === undefined || field !== list || at === undefined
      ? issue
      : { ...issue, path: [field, Number(at) + first, ...rest].join(".") }
  }

/** Merges issues in order, one per path. */
export const mergeIssues = (found: ReadonlyArray<ReadonlyArray<Issue>>) =>
  found.reduce((all, more) => {
    const paths = new Set(all.map(({ path }) => path))
    return [...all, ...more.filter(({ path }) => !paths.has(path))]
  }, [])

/** The issues of a body by its schema, at most `maxIssues`. */
export const findAllIssues = Effect.fnUntraced(function* (schema: Schema.Top, body: unknown) {
  const read = Schema.decodeUnknownEffect(asPlain(schema), { errors: "all" })
  let all: ReadonlyArray<Issue> = []
  for (const window of windowsOf(body)) {
    const some = shorten(window.body)
    if (Option.isNone(some) || all.length >= maxIssues) break
    const found = yield* Effect.match(read(some.value), {
      onSuccess: () => [],
      onFailure: ({ issue }) => issuesOf(issue)
    })
    all = all.length === 0 ? found.map(shiftPath(window)) : mergeIssues([all, found.map(shiftPath(window))])
    yield* Effect.yieldNow
  }
  return all
})
