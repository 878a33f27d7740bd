// test/support/declared.ts: the answers that the contract declares, held against those that the wire gives.
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

/** Of what events a body is a stream; nothing where it is none. */
export const eventIn = (schema: object) =>
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
      // What is reflected leaves streams out.
      answers: new Map([
        ...[...endpoint.success].filter(eventIn).map((one) => [200, [one]] as const),
        ...successes,
        ...errors
      ])
    })
})
// A word in a path stands for itself before it stands for an id.
declarations.sort((a, b) => a.placeholders - b.placeholders)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The server-sent events of a text. */
export const eventsOf = (text: string): ReadonlyArray<Omit<Sse.Event, "_tag">> => {
  const events: Array<Omit<Sse.Event, "_tag">> = []
  const parser = Sse.makeParser((event) => {
    if (event._tag === "Event") events.push({ id: event.id, event: event.event, data: event.data })
  })
  assert.isUndefined(parser.feed(text))
  return events
}

/** What keeps this from being what the schema describes, to the last field; nothing if it is just that. */
const mismatch = (schema: Schema.Top, body: unknown): string | undefined => {
  const event = eventIn(schema)
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

/** Asserts that an endpoint's answer is one of those it declares; beside the endpoints, everything is NOT_FOUND. */
export const inspectDeclared = (method: string, path: string, status: number, body: unknown) => {
  // The router takes two strokes for one.
  const pathname = new URL(`http://test/api/v1${path}`).pathname.replace(/\/+/g, "/")
  // Documents and the reference lie beside the API.
  if (!pathname.startsWith("/api/v1/")) return
  const asked = method === "HEAD" ? "GET" : method
  const declared = declarations.find((one) => one.method === asked && one.path.test(pathname))
  const about = `${declared?.name ?? "no endpoint"}: ${method} ${path} → ${status} ${JSON.stringify(body).slice(0, 500)}`
  if (declared === undefined) return assert.strictEqual(status, 404, about)
  const schemas = declared.answers.get(status)
  if (schemas === undefined) return assert.fail(`The status is not declared of ${about}`)
  if (method === "HEAD") return
  const mismatches = schemas.map((schema) => mismatch(schema, body))
  if (!mismatches.includes(undefined)) assert.fail(`Not as declared (${mismatches.join(" | ")}) of ${about}`)
}
