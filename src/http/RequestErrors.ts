// src/http/RequestErrors.ts: errors of requests that do not decode, in words that help their sender.
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { BodyRule, RequestErrors } from "#schema/Auth.ts"
import { BadRequest, NotFound } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { everything, mostIssues, together } from "#src/http/body/Issues.ts"
import { parse } from "#src/http/body/Pieces.ts"
import { keptText } from "#src/http/body/Text.ts"

/**
 * All that the endpoint's schema and then its own rule find in a body. By now it was read within its limit, or refused;
 * and it was decoded up to its first problem, which refuses it at little cost however much is wrong with it.
 */
const problems = (endpoint: HttpApiEndpoint.Top) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { long, text } = yield* keptText(request)
    const body = yield* parse(text, long)
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
