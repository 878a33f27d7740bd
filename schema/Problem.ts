// schema/Problem.ts: errors as RFC 9457 problems, for callers that accept `application/problem+json`.
import { Predicate, Schema } from "effect"
import { requestIdExample } from "#schema/Errors.ts"

export const problemType = "application/problem+json"

/** An error in the contract's own form. */
interface Envelope {
  readonly error: string
  readonly message: string
  readonly request_id: string
  readonly detail?: unknown
}

/** Whether a body is an error; a failed health check has another form. */
export const isEnvelope = (body: unknown): body is Envelope =>
  ["error", "message", "request_id"].every(
    (field) => Predicate.hasProperty(body, field) && Predicate.isString(body[field])
  )

const words = (code: string) => code.toLowerCase().split("_")

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** The title of an error's schema in OpenAPI, for example NotReadyError for NOT_READY. */
const schemaName = (code: string) =>
  `${words(code)
    .map(capital)
    .join("")
    .replace(/Error$/, "")}Error`

export const Problem = Schema.Struct({
  type: Schema.String.annotate({
    description:
      "The kind of error: its schema in the OpenAPI document of this server, relative to the address of the request"
  }),
  title: Schema.String.annotate({ description: "The kind of error in words, the same for every error of the kind" }),
  status: Schema.Int.annotate({ description: "The HTTP status" }),
  detail: Schema.String.annotate({ description: "`message` of the other form: what went wrong and what to do" }),
  instance: Schema.String.annotate({ description: "The id of this request" }),
  error: Schema.String.annotate({ description: "What went wrong, for programs; the same code as in the other form" }),
  request_id: Schema.String.annotate({ description: "The id of this request, also in the header X-Request-Id" })
}).annotate({
  title: "Problem",
  description:
    "An error as RFC 9457 has it, for callers whose Accept header prefers `application/problem+json`. What `detail` of the other form holds, such as `issues` or `missing`, are further members",
  examples: [
    {
      type: "/openapi.json#/components/schemas/NotFoundError",
      title: "Not found",
      status: 404,
      detail: "No such list in this workspace",
      instance: requestIdExample,
      error: "NOT_FOUND",
      request_id: requestIdExample
    }
  ]
})

/** The error as a problem. The members of `detail` follow the standard members, which they do not replace. */
export const problemOf = (status: number, { detail, error, message, request_id }: Envelope) => {
  const standard: typeof Problem.Type = {
    type: `/openapi.json#/components/schemas/${schemaName(error)}`,
    title: capital(words(error).join(" ")),
    status,
    detail: message,
    instance: request_id,
    error,
    request_id
  }
  return { ...standard, ...(Predicate.isObject(detail) && detail), ...standard }
}
