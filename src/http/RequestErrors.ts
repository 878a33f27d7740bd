// src/http/RequestErrors.ts: errors for requests that cannot be decoded.
import { Context, Effect, type Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyRule } from "#schema/Auth.ts"
import { BadRequest, NotFound } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { notJson, parse } from "#src/http/body/Decode.ts"
import { findAllIssues, maxIssues, mergeIssues } from "#src/http/body/Issues.ts"
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
