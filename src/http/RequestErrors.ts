// src/http/RequestErrors.ts: a request that does not decode, said in words that help whoever sent it.
import { Effect, SchemaIssue } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { RequestErrors } from "#schema/Auth.ts"
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

export const RequestErrorsLayer = HttpApiMiddleware.layerSchemaErrorTransform(RequestErrors, (error) => {
  // An answer that does not encode is ours to mend, so it stays an error of the server.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
  // What cannot be an id, or a type, names nothing.
  if (error.kind === "Params") return Effect.fail(new NotFound({ message: "No such resource in this workspace" }))

  const issues = format(error.cause.issue).issues.map(toIssue)
  const [first] = issues
  if (first?.message === "must be a valid JSON body") {
    return Effect.fail(new BadRequest({ message: "The body is not valid JSON" }))
  }
  if (first === undefined) return Effect.fail(new BadRequest({ message: "Malformed request" }))
  return Effect.fail(
    new BadRequest({
      message: first.path === "" ? `The body ${first.message}` : `${first.path}: ${first.message}`,
      detail: { issues }
    })
  )
})
