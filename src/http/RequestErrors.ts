// src/http/RequestErrors.ts: errors for requests that do not decode. They list up to `maxIssues` issues of the body.
import { Context, Effect, Option, Predicate, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyRule } from "#schema/Auth.ts"
import { BadRequest, type Issue, NotFound } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { asPlainCodec, invalidJson, parse } from "#src/http/Body.ts"
import type { JsonBody } from "#src/http/RequestContext.ts"

export type RequestPart = "params" | "headers" | "query" | "payload"

/** All issues of a body by the endpoint's schema and its `BodyRule`. The first decoding stopped at the first issue. */
const bodyIssues = (endpoint: HttpApiEndpoint.Top, json: JsonBody) =>
  Effect.gen(function* () {
    const body = yield* parse(json)
    const schemas = endpoint.payload.get("application/json")?.schemas ?? []
    const issuesBySchema = yield* Effect.forEach(schemas, (schema) => findAllIssues(schema, body))
    return [issuesBySchema.flat(), Context.get(endpoint.annotations, BodyRule)(body)]
  }).pipe(Effect.catchCause(() => Effect.succeed([])))

/** The error for a request with a part that cannot be decoded. */
export const requestError = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  part: RequestPart,
  error: Schema.SchemaError,
  json: JsonBody | undefined
) {
  // A malformed id or type in the path is reported as NOT_FOUND.
  if (part === "params") return yield* new NotFound({ message: "No such resource in this workspace" })

  if (error === invalidJson) return yield* new BadRequest({ message: "The body is not valid JSON" })
  const firstIssues = issuesOf(error.issue)
  const [schemaIssues = [], ruleIssues = []] =
    part === "payload" && json !== undefined ? yield* bodyIssues(endpoint, json) : []
  const issues = mergeIssues([schemaIssues, firstIssues, ruleIssues]).slice(0, maxIssues)
  const [firstIssue] = issues
  if (firstIssue === undefined) return yield* new BadRequest({ message: "Malformed request" })
  return yield* new BadRequest({
    message: firstIssue.path === "" ? `The body ${firstIssue.message}` : `${firstIssue.path}: ${firstIssue.message}`,
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
const truncateLists = (body: unknown): Option.Option<unknown> => {
  let remaining = maxValues
  let hasTooManyFields = false
  const truncate = (value: unknown): unknown => {
    remaining--
    if (Array.isArray(value)) {
      const kept: Array<unknown> = []
      for (const item of value) {
        if (remaining <= 0 && kept.length > 0) break
        kept.push(truncate(item))
      }
      return kept
    }
    if (!Predicate.isObject(value)) return value
    const fields = Object.entries(value)
    hasTooManyFields ||= fields.length > maxFields
    return hasTooManyFields ? {} : Object.fromEntries(fields.map(([name, field]) => [name, truncate(field)]))
  }
  const kept = truncate(body)
  return hasTooManyFields ? Option.none() : Option.some(kept)
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
  const longList = lists.find(([, value]) => Array.isArray(value) && value.length > windowSize)
  if (longList === undefined || lists.length > maxFields) return yield { body }
  const [list, entries] = longList
  if (!Array.isArray(entries)) return
  for (let first = 0; first < entries.length; first += windowSize) {
    yield { body: { ...Object.fromEntries(lists), [list]: entries.slice(first, first + windowSize) }, list, first }
  }
}

/** Converts an index in the window to an index in the body. */
const shiftPath =
  ({ first = 0, list }: Window) =>
  (issue: Issue): Issue => {
    const [field, index, ...rest] = issue.path.split(".")
    return list === undefined || field !== list || index === undefined
      ? issue
      : { ...issue, path: [field, Number(index) + first, ...rest].join(".") }
  }

/** Merges issues in order, one per path. */
const mergeIssues = (issueLists: ReadonlyArray<ReadonlyArray<Issue>>) =>
  issueLists.reduce((merged, others) => {
    const paths = new Set(merged.map(({ path }) => path))
    return [...merged, ...others.filter(({ path }) => !paths.has(path))]
  }, [])

/** The issues of a body by its schema, at most `maxIssues`. */
const findAllIssues = Effect.fnUntraced(function* (schema: Schema.Top, body: unknown) {
  const decode = Schema.decodeUnknownEffect(asPlainCodec(schema), { errors: "all" })
  let issues: ReadonlyArray<Issue> = []
  for (const window of windowsOf(body)) {
    const truncated = truncateLists(window.body)
    if (Option.isNone(truncated) || issues.length >= maxIssues) break
    const windowIssues = yield* Effect.match(decode(truncated.value), {
      onSuccess: () => [],
      onFailure: ({ issue }) => issuesOf(issue)
    })
    issues =
      issues.length === 0
        ? windowIssues.map(shiftPath(window))
        : mergeIssues([issues, windowIssues.map(shiftPath(window))])
    yield* Effect.yieldNow
  }
  return issues
})
