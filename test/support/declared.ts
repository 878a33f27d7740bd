// test/support/declared.ts: asserts that a response is one that the contract declares for its endpoint.
import { assert } from "@effect/vitest"
import { Exit, Predicate, Schema, SchemaIssue } from "effect"
import { Sse } from "effect/encoding"
import { HttpApi } from "effect/http-api"
import { Api } from "#schema/Api.ts"

interface Declaration {
  readonly name: string
  readonly method: string
  readonly path: RegExp
  readonly placeholders: number
  readonly answers: ReadonlyMap<number, ReadonlyArray<Schema.Top>>
}

/** The schema of a stream's events, or undefined if the body is not an event stream. */
export const eventSchemaOf = (schema: object) =>
  Predicate.hasProperty(schema, "events") && Schema.isSchema(schema.events) ? schema.events : undefined

const declarations: Array<Declaration> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, errors, successes }) =>
    void declarations.push({
      name: endpoint.identifier,
      method: endpoint.method,
      path: new RegExp(`^${endpoint.path.replace(/:[a-z_]+/g, "[^/]+")}/?$`),
      placeholders: endpoint.path.split(":").length,
      // `reflect` omits event streams from `successes`.
      answers: new Map([
        ...[...endpoint.success].filter(eventSchemaOf).map((one) => [200, [one]] as const),
        ...successes,
        ...errors
      ])
    })
})
// A literal path segment matches before a placeholder does.
declarations.sort((a, b) => a.placeholders - b.placeholders)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Parses server-sent events. */
export const eventsOf = (text: string): ReadonlyArray<Omit<Sse.Event, "_tag">> => {
  const events: Array<Omit<Sse.Event, "_tag">> = []
  const parser = Sse.makeParser((event) => {
    if (event._tag === "Event") events.push({ id: event.id, event: event.event, data: event.data })
  })
  assert.isUndefined(parser.feed(text))
  return events
}

/** How the body differs from the schema, unknown fields included; undefined if it matches. */
const mismatch = (schema: Schema.Top, body: unknown): string | undefined => {
  const event = eventSchemaOf(schema)
  if (event !== undefined) {
    return eventsOf(String(body))
      .map((one) => mismatch(event, one))
      .find((one) => one !== undefined)
  }
  const decode = Schema.decodeUnknownExit(schema as Schema.Codec<unknown>)
  const decoded = decode(body, { errors: "all", onExcessProperty: "error" })
  if (Exit.isSuccess(decoded)) return undefined
  return decoded.cause.reasons
    .flatMap((reason) => (reason._tag === "Fail" ? format(reason.error.issue).issues : []))
    .map(({ message, path = [] }) => `${path.map(String).join(".")}: ${message}`)
    .join("; ")
}

/** Asserts that a response is declared for its endpoint, or is 404 if no endpoint matches. */
export const assertDeclared = (method: string, path: string, status: number, body: unknown) => {
  // The router treats repeated slashes as one.
  const pathname = new URL(`http://test/api/v1${path}`).pathname.replace(/\/+/g, "/")
  // Downloads and the API reference are outside /api/v1 and declare nothing.
  if (!pathname.startsWith("/api/v1/")) return
  const declaredMethod = method === "HEAD" ? "GET" : method
  const declared = declarations.find((one) => one.method === declaredMethod && one.path.test(pathname))
  const description = `${declared?.name ?? "no endpoint"}: ${method} ${path} → ${status} ${JSON.stringify(body).slice(0, 500)}`
  if (declared === undefined) return assert.strictEqual(status, 404, description)
  const schemas = declared.answers.get(status)
  if (schemas === undefined) return assert.fail(`The status is not declared of ${description}`)
  if (method === "HEAD") return
  const mismatches = schemas.map((schema) => mismatch(schema, body))
  if (!mismatches.includes(undefined)) assert.fail(`Not as declared (${mismatches.join(" | ")}) of ${description}`)
}
