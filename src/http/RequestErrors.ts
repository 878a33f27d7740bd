// src/http/RequestErrors.ts: a request that does not decode, said in words that help whoever sent it.
import { Context, Effect, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { BodyRule, RequestErrors } from "#schema/Auth.ts"
import { BadRequest, type Issue, NotFound } from "#schema/Errors.ts"

/** What a value has to be, in the words of whoever writes JSON. */
const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array"
}

/** Where null is allowed it counts as absent, so nobody is told to send it. */
const oneOf = (expected: string) => {
  const words = expected
    .split(" | ")
    .filter((kind) => kind !== "null")
    .map((kind) => kinds[kind])
  return words.includes(undefined) ? undefined : words.join(" or ")
}

const worded = (expected: string) =>
  oneOf(expected) ??
  expected
    .replace(/^a value with a length of at most (\d+)$/, "at most $1 long")
    .replace(/^a value with a length of at least (\d+)$/, "at least $1 long")
    .replace(/^a string with (at most|at least) (\d+) code points$/, "$1 $2 characters long")

// Messages never show the value: it may be a lead's address, and answers are kept in logs.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "is required" : SchemaIssue.defaultLeafHook(issue))
})

interface Found {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

const toIssue = ({ message, path = [] }: Found): Issue => ({
  path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join("."),
  message: message.startsWith("Expected ") ? `must be ${worded(message.slice("Expected ".length))}` : message
})

/** What the endpoint's own rule says of the body. By now it was read within its limit, or refused. */
const broken = (endpoint: HttpApiEndpoint.Top) =>
  HttpServerRequest.HttpServerRequest.pipe(
    Effect.flatMap((request) => request.text),
    Effect.map((text) => Context.get(endpoint.annotations, BodyRule)(JSON.parse(text))),
    Effect.catchCause(() => Effect.succeed([]))
  )

export const RequestErrorsLayer = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  Effect.fnUntraced(function* (error, { endpoint }) {
    // An answer that does not encode is ours to mend, so it stays an error of the server.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.die(error)
    // What cannot be an id, or a type, names nothing.
    if (error.kind === "Params") return yield* new NotFound({ message: "No such resource in this workspace" })

    const found = format(error.cause.issue).issues.map(toIssue)
    if (found[0]?.message === "must be a valid JSON body") {
      return yield* new BadRequest({ message: "The body is not valid JSON" })
    }
    const more = error.kind === "Payload" ? yield* broken(endpoint) : []
    const issues = [...found, ...more.filter((issue) => !found.some(({ path }) => path === issue.path))]
    const [first] = issues
    if (first === undefined) return yield* new BadRequest({ message: "Malformed request" })
    return yield* new BadRequest({
      message: first.path === "" ? `The body ${first.message}` : `${first.path}: ${first.message}`,
      detail: { issues }
    })
  })
)
