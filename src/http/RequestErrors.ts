// src/http/RequestErrors.ts: errors for requests that do not decode, which list what is wrong with a body, up to `maxIssues`
// issues.
import { Context, Effect, Option, Predicate, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyRule } from "#schema/Auth.ts"
import { BadRequest, type Issue, NotFound } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { asPlain, notJson, parse } from "#src/http/Body.ts"
import type { JsonBody } from "#src/http/RequestContext.ts"

export type Part = "params" | "headers" | "query" | "payload"

/** All issues of a body by the endpoint's schema and its `BodyRule`. The first decoding stopped at the first issue. */
const bodyIssues = (endpoint: HttpApiEndpoint.Top, json: JsonBody) =>
  Effect.gen(function* () {
    const body = yield* parse(json)
    const schemas = endpoint.payload.get("application/json")?.schemas ?? []
    const found = yield* Effect.forEach(schemas, (schema) => findAllIssues(schema, body))
    return [found.flat(), Context.get(endpoint.annotations, BodyRule)(body)]
  }).pipe(Effect.catchCause(() => Effect.succeed([])))

/** The error for a request with a part that cannot be decoded. */
export const requestError = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  part: Part,
  error: Schema.SchemaError,
  json: JsonBody | undefined
) {
  // A malformed id or type in the path is reported as NOT_FOUND.
  if (part === "params") return yield* new NotFound({ message: "No such resource in this workspace" })

  if (error === notJson) return yield* new BadRequest({ message: "The body is not valid JSON" })
  const found = issuesOf(error.issue)
  const [whole = [], ruled = []] = part === "payload" && json !== undefined ? yield* bodyIssues(endpoint, json) : []
  const issues = mergeIssues([whole, found, ruled]).slice(0, maxIssues)
  const [first] = issues
  if (first === undefined) return yield* new BadRequest({ message: "Malformed request" })
  return yield* new BadRequest({
    message: first.path === "" ? `The body ${first.message}` : `${first.path}: ${first.message}`,
    detail: { issues }
  })
})

/** Values of a body that are checked for issues. */
const maxValues = 20_000
/** Issues that are reported; more do not help. */
const maxIssues = 1000
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
const mergeIssues = (found: ReadonlyArray<ReadonlyArray<Issue>>) =>
  found.reduce((all, more) => {
    const paths = new Set(all.map(({ path }) => path))
    return [...all, ...more.filter(({ path }) => !paths.has(path))]
  }, [])

/** The issues of a body by its schema, at most `maxIssues`. */
const findAllIssues = Effect.fnUntraced(function* (schema: Schema.Top, body: unknown) {
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
