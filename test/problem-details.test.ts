// test/problem-details.test.ts: errors in the form of RFC 9457 for callers that prefer it, and in the contract's envelope for all others.
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { newCaller } from "./support/callers.ts"
import { type Endpoint, authenticatedEndpoints, pathOf, unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"
import * as Stores from "./support/store.ts"

const options = { excludeTestServices: true }
const problem = "application/problem+json"

interface RequestOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a request, with this Accept header if any. */
const request = Effect.fnUntraced(function* (
  origin: string,
  path: string,
  { headers = {}, ...init }: RequestOptions,
  accept?: string
) {
  const { fetch } = yield* Server.Server
  const response = yield* Effect.promise(() =>
    fetch(new Request(`${origin}${path}`, { ...init, headers: { ...headers, ...(accept && { accept }) } }))
  )
  const text = yield* Effect.promise(() => response.text())
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    vary: response.headers.get("vary"),
    id: response.headers.get("x-request-id"),
    text,
    body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>
  }
})

const titles: Readonly<Record<string, string>> = {
  BAD_REQUEST: "Bad request",
  UNAUTHORIZED: "Unauthorized",
  INSUFFICIENT_CREDITS: "Insufficient credits",
  FORBIDDEN: "Forbidden",
  NOT_FOUND: "Not found",
  NOT_READY: "Not ready",
  CONFLICT: "Conflict",
  UNPROCESSABLE: "Unprocessable",
  RATE_LIMITED: "Rate limited",
  INTERNAL_ERROR: "Internal error"
}

/** Asserts the error of a request in both forms. Returns the problem's extension members, which are those of `detail`. */
const expectBothForms = Effect.fnUntraced(function* (
  status: number,
  code: string,
  origin: string,
  path: string,
  options: RequestOptions = {}
) {
  const envelope = yield* request(origin, path, options)
  const description = `${options.method ?? "GET"} ${path} → ${envelope.status} ${envelope.text}`
  assert.deepStrictEqual(
    [envelope.status, envelope.type, envelope.body["error"]],
    [status, "application/json", code],
    description
  )
  const { detail, error, message, request_id, ...rest } = envelope.body
  assert.deepStrictEqual(rest, {}, description)
  assert.strictEqual(request_id, envelope.id, description)
  // The envelope's members are in the contract's order.
  assert.strictEqual(
    envelope.text,
    JSON.stringify({ error, message, request_id, ...(detail !== undefined && { detail }) })
  )

  const problemResponse = yield* request(origin, path, options, problem)
  assert.deepStrictEqual([problemResponse.status, problemResponse.type], [status, problem], description)
  assert.deepStrictEqual([envelope.vary, problemResponse.vary], ["Accept", "Accept"], description)
  const {
    instance,
    request_id: problemRequestId,
    title,
    type,
    detail: text,
    error: problemError,
    status: problemStatus,
    ...extensions
  } = problemResponse.body
  assert.deepStrictEqual([problemError, problemStatus, title], [code, status, titles[code]], description)
  assert.deepStrictEqual([instance, problemRequestId], [problemResponse.id, problemResponse.id], description)
  // The message of a rate limit names the remaining seconds, which differ between the two requests.
  if (status !== 429) assert.strictEqual(text, message, description)
  assert.deepStrictEqual(extensions, (detail ?? {}) as object, description)

  const [document = "", pointer = ""] = String(type).split("#")
  const reference = yield* request(origin, document, {})
  const schema = pointer.split("/").reduce<any>((node, key) => (key === "" ? node : node?.[key]), reference.body)
  assert.deepStrictEqual(schema?.properties.error.enum, [code], `${String(type)} leads to the schema of the error`)
  return extensions
})

const acceptHeaders: ReadonlyArray<readonly [accept: string, contentType: string]> = [
  [problem, problem],
  ["Application/Problem+JSON", problem],
  [`${problem}; charset=utf-8`, problem],
  [`${problem};q=0.1`, problem],
  [`application/json, ${problem}`, problem],
  [`application/json;q=0.9, ${problem}`, problem],
  [`${problem};q=0.5, application/json;q=0.5`, problem],
  [`text/html, ${problem};q=0.8, */*;q=0.1`, problem],
  [`application/*;q=0.4, ${problem};q=0.6`, problem],
  [`${problem};q=0.001`, problem],
  [`application/json, ${problem};q=0.9`, "application/json"],
  [`application/json;q=1.0, ${problem};q=0.999`, "application/json"],
  [`${problem};q=0`, "application/json"],
  [`${problem};q=0.000, */*`, "application/json"],
  [`${problem};q=0.5, */*`, "application/json"],
  [`${problem};q=0.5, application/*`, "application/json"],
  [`${problem};q=high`, "application/json"],
  [`${problem};q=1.5`, "application/json"],
  ["*/*", "application/json"],
  ["application/*", "application/json"],
  ["application/json", "application/json"],
  ["application/problem+xml", "application/json"],
  ["text/plain; note=application/problem+json", "application/json"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  [",;q=,,;", "application/json"]
]

const socketOrigin = Effect.gen(function* () {
  const { origin } = yield* Wire.Socket
  return origin
})

describe.each([
  ["the router", Server.layer({ runsWorkers: false }), Effect.succeed("http://test")],
  ["a socket", Wire.layer, socketOrigin]
] as const)("errors by %s", (_, serviceLayer, address) => {
  layer(
    serviceLayer as Layer.Layer<Layer.Success<typeof Wire.layer>>,
    options
  )((it) => {
    const origin = address as Effect.Effect<string, never, Wire.Socket>

    it.effect.each(acceptHeaders)("with Accept: %s have the content type %s", ([accept, contentType]) =>
      Effect.gen(function* () {
        const { status, type } = yield* request(yield* origin, "/api/v1/lists", {}, accept)
        assert.deepStrictEqual([status, type], [401, contentType])
      })
    )

    it.effect("of every endpoint without a key have both forms", () =>
      Effect.gen(function* () {
        const baseUrl = yield* origin
        assert.isAbove(authenticatedEndpoints.length, 50)
        yield* Effect.forEach(authenticatedEndpoints, (endpoint: Endpoint) =>
          expectBothForms(401, "UNAUTHORIZED", baseUrl, `/api/v1${pathOf(endpoint, unknownId)}`, {
            method: endpoint.method
          })
        )
      })
    )

    it.effect("of every kind have both forms, and the problem has the members of the envelope's detail", () =>
      Effect.gen(function* () {
        const baseUrl = yield* origin
        const caller = yield* newCaller()
        const creditsCaller = yield* newCaller({ scopes: ["credits:read"] })
        const key = { "x-api-key": caller.key }
        const jsonHeaders = { ...key, "content-type": "application/json" }
        const expectError = (status: number, code: string, path: string, options: RequestOptions = {}) =>
          expectBothForms(status, code, baseUrl, path, { headers: key, ...options })
        const post = (body: string, headers: Record<string, string> = jsonHeaders) => ({
          method: "POST",
          headers,
          body
        })

        yield* expectError(404, "NOT_FOUND", "/api/v1/nope")
        yield* expectError(404, "NOT_FOUND", "/elsewhere")
        yield* expectError(404, "NOT_FOUND", "/api/v1/lists/x")
        yield* expectError(404, "NOT_FOUND", "/api/v1/credits", { method: "DELETE" })
        yield* expectError(404, "NOT_FOUND", `/api/v1/lists/${unknownId}`)
        // Endpoints that stream.
        yield* expectError(404, "NOT_FOUND", `/api/v1/lists/${unknownId}/events`)
        yield* expectError(404, "NOT_FOUND", `/api/v1/lists/${unknownId}/export?format=json`)
        yield* expectError(403, "FORBIDDEN", "/api/v1/lists", { headers: { "x-api-key": creditsCaller.key } })
        yield* expectError(403, "FORBIDDEN", `/files/${unknownId}?expires=1&signature=x`)
        yield* expectError(400, "BAD_REQUEST", "/api/v1/signatures", post("{"))
        yield* expectError(400, "BAD_REQUEST", "/api/v1/signatures", post("x", key))
        yield* expectError(400, "BAD_REQUEST", "/api/v1/lists?limit=x")
        // A body over the size limit.
        yield* expectError(400, "BAD_REQUEST", "/api/v1/signatures", post(`"${"x".repeat(1024 * 1024)}"`))
        const { issues } = yield* expectError(400, "BAD_REQUEST", "/api/v1/signatures", post("{}"))
        assert.deepStrictEqual(
          (issues as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path),
          ["signature_text"]
        )
        const { missing } = yield* expectError(409, "NOT_READY", "/api/v1/campaigns", post('{"name":"Spring"}'))
        assert.includeMembers(missing as Array<string>, ["company_summary"])
      })
    )

    it.effect("only depend on Accept: successful responses are JSON without a Vary header", () =>
      Effect.gen(function* () {
        const baseUrl = yield* origin
        const caller = yield* newCaller()
        for (const path of ["/api/v1/credits", "/api/v1/health"]) {
          const response = yield* request(baseUrl, path, { headers: { "x-api-key": caller.key } }, problem)
          assert.deepStrictEqual([response.status, response.type, response.vary], [200, "application/json", null], path)
        }
      })
    )
  })
})

describe("a problem response", () => {
  it.live("is sent for a rate limit", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const headers = { "x-api-key": caller.key }
      yield* caller.get("/credits")
      yield* expectBothForms(429, "RATE_LIMITED", "http://test", "/api/v1/credits", { headers })
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false, rate: { limit: 1, window: Duration.minutes(1) } })))
  )

  it.live("is sent for an internal error, without extension members", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* Server.dropTable("signatures")
      const headers = { "x-api-key": caller.key }
      const extensions = yield* expectBothForms(500, "INTERNAL_ERROR", "http://test", "/api/v1/signatures", { headers })
      assert.deepStrictEqual(extensions, {})
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )

  it.live("is not sent for a failed health check", () =>
    Effect.gen(function* () {
      const override = yield* Stores.unavailable
      const health = yield* Effect.provide(
        request("http://test", "/api/v1/health", {}, problem),
        Server.layer({ override, runsWorkers: false })
      )
      assert.deepStrictEqual([health.status, health.type, health.vary], [503, "application/json", null])
      assert.deepStrictEqual(Object.keys(health.body), ["status", "version"])
    })
  )

  it.live("varies by Origin too if cross-origin requests are allowed", () =>
    Effect.gen(function* () {
      const headers = { origin: "https://page.example" }
      const response = yield* request("http://test", "/api/v1/lists", { headers }, problem)
      assert.strictEqual(response.type, problem)
      assert.sameMembers((response.vary ?? "").split(/, */), ["Origin", "Accept"])
    }).pipe(
      Effect.provide(Server.layer({ runsWorkers: false, origins: ["https://page.example", "https://b.example"] }))
    )
  )
})
