// src/http/RequestErrors.ts: a request that does not decode, said in words that help whoever sent it.
import { Context, Effect, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { BodyRule, RequestErrors } from "#schema/Auth.ts"
import { BadRequest, type Issue, NotFound } from "#schema/Errors.ts"

// Messages never show the value: it may be a lead's address, and answers are kept in logs.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    return SchemaIssue.defaultLeafHook(issue)
      .replace(/^Expected /, "must be ")
      .replace(/, got .*$/s, "")
  }
})

const toIssue = ({
  message,
  path
}: {
  readonly message: string
  readonly path?: ReadonlyArray<unknown> | undefined
}): Issue => ({
  path: (path ?? [])
    .map((segment) =>
      String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment)
    )
    .join("."),
  message: message.replace(/^Expected /, "must be ").replace(/, got .*$/s, "")
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
