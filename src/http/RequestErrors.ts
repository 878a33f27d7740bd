// src/http/RequestErrors.ts: a request that does not decode, said in words that help whoever sent it.
import { Context, Effect, Option, Predicate, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { BodyRule, RequestErrors } from "#schema/Auth.ts"
import { BadRequest, type Issue, NotFound } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { bodyOf } from "#src/http/LongBody.ts"

/** As many values of a body are looked through for everything that is wrong with it. */
const mostValues = 20_000
/** More is no help to whoever reads it. */
const mostIssues = 1000
/** No endpoint knows an object of more fields. */
const mostFields = 1000

/** Whether all of the body can be looked through: as nearly every body can. */
const isShort = (body: unknown): boolean => {
  let left = mostValues
  const fits = (value: unknown): boolean => {
    if (--left < 0) return false
    if (Array.isArray(value)) return value.every(fits)
    if (!Predicate.isObject(value)) return true
    const fields = Object.values(value)
    return fields.length <= mostFields && fields.every(fits)
  }
  return fits(body)
}

/** The body with its lists cut short once so many values were seen; nothing where an object is larger than any should be. */
const shortened = (body: unknown): Option.Option<unknown> => {
  let left = mostValues
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
    odd ||= fields.length > mostFields
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
  if (long === undefined || lists.length > mostFields) return yield { body }
  const [list, entries] = long
  if (!Array.isArray(entries)) return
  for (let first = 0; first < entries.length; first += windowSize) {
    yield { body: { ...Object.fromEntries(lists), [list]: entries.slice(first, first + windowSize) }, list, first }
  }
}

/** An issue of a window as one of the body. */
const moved =
  ({ first = 0, list }: Window) =>
  (issue: Issue): Issue => {
    const [field, at, ...rest] = issue.path.split(".")
    return list === undefined || field !== list || at === undefined
      ? issue
      : { ...issue, path: [field, Number(at) + first, ...rest].join(".") }
  }

/** What of each comes before the next: an issue is told once. */
const together = (found: ReadonlyArray<ReadonlyArray<Issue>>) =>
  found.reduce((all, more) => {
    const paths = new Set(all.map(({ path }) => path))
    return [...all, ...more.filter(({ path }) => !paths.has(path))]
  }, [])

/** All that is wrong with a body by its schema, up to as much as is told. */
const everything = Effect.fnUntraced(function* (schema: Schema.Top, body: unknown) {
  let all: ReadonlyArray<Issue> = []
  for (const window of windowsOf(body)) {
    const some = isShort(window.body) ? Option.some(window.body) : shortened(window.body)
    if (Option.isNone(some) || all.length >= mostIssues) break
    // No body needs a service to be read.
    const read = Schema.decodeUnknownEffect(schema, { errors: "all" })(some.value) as Effect.Effect<
      unknown,
      Schema.SchemaError
    >
    const found = yield* Effect.match(read, {
      onSuccess: () => [],
      onFailure: ({ issue }) => issuesOf(issue)
    })
    all = all.length === 0 ? found.map(moved(window)) : together([all, found.map(moved(window))])
    yield* Effect.yieldNow
  }
  return all
})

/**
 * All that the endpoint's schema and then its own rule find in a body. By now it was read within its limit, or refused;
 * and it was decoded up to its first problem, which refuses it at little cost however much is wrong with it.
 */
const problems = (endpoint: HttpApiEndpoint.Top) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* bodyOf(request)
    const schemas = endpoint.payload.get("application/json")?.schemas ?? []
    const found = yield* Effect.forEach(schemas, (schema) => everything(schema, body))
    return [found.flat(), Context.get(endpoint.annotations, BodyRule)(body)]
  }).pipe(Effect.catchCause(() => Effect.succeed([])))

export const RequestErrorsLayer = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  Effect.fnUntraced(function* (error, { endpoint }) {
    // An answer that does not encode is ours to mend, so it stays an error of the server.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.die(error)
    // What cannot be an id, or a type, names nothing.
    if (error.kind === "Params") return yield* new NotFound({ message: "No such resource in this workspace" })

    const found = issuesOf(error.cause.issue)
    if (found[0]?.message === "must be a valid JSON body") {
      return yield* new BadRequest({ message: "The body is not valid JSON" })
    }
    const [whole = [], ruled = []] = error.kind === "Payload" ? yield* problems(endpoint) : []
    const issues = together([whole, found, ruled]).slice(0, mostIssues)
    const [first] = issues
    if (first === undefined) return yield* new BadRequest({ message: "Malformed request" })
    return yield* new BadRequest({
      message: first.path === "" ? `The body ${first.message}` : `${first.path}: ${first.message}`,
      detail: { issues }
    })
  })
)
