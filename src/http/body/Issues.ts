// src/http/body/Issues.ts: everything that is wrong with a body at once, as far as it is worth while to look.
import { Effect, Option, Predicate, Schema } from "effect"
import type { Issue } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"

/** No schema of the contract asks for a service to be decoded, or to be encoded where the request succeeds. */
export const asPlain = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown, unknown>

/** As many values of a body are looked through for everything that is wrong with it. */
const maxValues = 20_000
/** More issues do not help the reader. */
export const maxIssues = 1000
/** No endpoint knows an object of more fields. */
const maxFields = 1000

/** The body with its lists cut short once so many values were seen; nothing where an object is larger than any should be. */
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

/** Entries of a long list that are looked at before others have their turn. */
const windowSize = 200

interface Window {
  readonly body: unknown
  /** The list that is looked at in pieces, and where this piece begins. */
  readonly list?: string
  readonly first?: number
}

/** The body, or where it is all about one long list, the body with one piece of that list after another. */
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

/** An issue of a window as one of the body. */
const shiftPath =
  ({ first = 0, list }: Window) =>
  (issue: Issue): Issue => {
    const [field, at, ...rest] = issue.path.split(".")
    return list === undefined || field !== list || at === undefined
      ? issue
      : { ...issue, path: [field, Number(at) + first, ...rest].join(".") }
  }

/** Issues in order, each reported once. */
export const mergeIssues = (found: ReadonlyArray<ReadonlyArray<Issue>>) =>
  found.reduce((all, more) => {
    const paths = new Set(all.map(({ path }) => path))
    return [...all, ...more.filter(({ path }) => !paths.has(path))]
  }, [])

/** The issues of a body by its schema, up to the reported maximum. */
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
