// test/negotiation.test.ts: errors as RFC 9457 has them, for callers that prefer that form, and as the contract has them for all others.
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { newCaller } from "./support/callers.ts"
import { type Endpoint, authenticatedEndpoints, pathOf, unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"
import * as Stores from "./support/store.ts"

const live = { excludeTestServices: true }
const problem = "application/problem+json"

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The answer to a request in both forms: to a caller that names none, and to one that prefers problems. */
const ask = Effect.fnUntraced(function* (
  origin: string,
  path: string,
  { headers = {}, ...init }: Sent,
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

/** Asserts that the request is refused alike in both forms, and answers the members of the problem that are its own. */
const refusedInBoth = Effect.fnUntraced(function* (
  status: number,
  code: string,
  origin: string,
  path: string,
  sent: Sent = {}
) {
  const plain = yield* ask(origin, path, sent)
  const about = `${sent.method ?? "GET"} ${path} → ${plain.status} ${plain.text}`
  assert.deepStrictEqual([plain.status, plain.type, plain.body["error"]], [status, "application/json", code], about)
  const { detail, error, message, request_id, ...rest } = plain.body
  assert.deepStrictEqual(rest, {}, about)
  assert.strictEqual(request_id, plain.id, about)
  // Byte for byte the contract's, members in order.
  assert.strictEqual(
    plain.text,
    JSON.stringify({ error, message, request_id, ...(detail !== undefined && { detail }) })
  )

  const other = yield* ask(origin, path, sent, problem)
  assert.deepStrictEqual([other.status, other.type], [status, problem], about)
  assert.deepStrictEqual([plain.vary, other.vary], ["Accept", "Accept"], about)
  const { instance, request_id: other_id, title, type, detail: text, error: same, status: stated, ...own } = other.body
  assert.deepStrictEqual([same, stated, title], [code, status, titles[code]], about)
  assert.deepStrictEqual([instance, other_id], [other.id, other.id], about)
  // A limit of time counts down between the two.
  if (status !== 429) assert.strictEqual(text, message, about)
  assert.deepStrictEqual(own, (detail ?? {}) as object, about)

  const [document = "", pointer = ""] = String(type).split("#")
  const reference = yield* ask(origin, document, {})
  const schema = pointer.split("/").reduce<any>((found, key) => (key === "" ? found : found?.[key]), reference.body)
  assert.deepStrictEqual(schema?.properties.error.enum, [code], `${String(type)} leads to the schema of the error`)
  return own
})

const chosen: ReadonlyArray<readonly [accept: string, form: string]> = [
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

const addressOfSocket = Effect.gen(function* () {
  const { origin } = yield* Wire.Socket
  return origin
})

describe.each([
  ["the router", Server.layer({ runsWorkers: false }), Effect.succeed("http://test")],
  ["a socket", Wire.layer, addressOfSocket]
] as const)("errors by %s", (_, service, address) => {
  layer(
    service as Layer.Layer<Layer.Success<typeof Wire.layer>>,
    live
  )((it) => {
    const origin = address as Effect.Effect<string, never, Wire.Socket>

    it.effect.each(chosen)("to Accept: %s are %s", ([accept, form]) =>
      Effect.gen(function* () {
        const { status, type } = yield* ask(yield* origin, "/api/v1/lists", {}, accept)
        assert.deepStrictEqual([status, type], [401, form])
      })
    )

    it.effect("of every endpoint without a key have both forms", () =>
      Effect.gen(function* () {
        const at = yield* origin
        assert.isAbove(authenticatedEndpoints.length, 50)
        yield* Effect.forEach(authenticatedEndpoints, (endpoint: Endpoint) =>
          refusedInBoth(401, "UNAUTHORIZED", at, `/api/v1${pathOf(endpoint, unknownId)}`, { method: endpoint.method })
        )
      })
    )

    it.effect("of every kind have both forms, with all that the envelope's detail holds", () =>
      Effect.gen(function* () {
        const at = yield* origin
        const caller = yield* newCaller()
        const poor = yield* newCaller({ scopes: ["credits:read"] })
        const key = { "x-api-key": caller.key }
        const typed = { ...key, "content-type": "application/json" }
        const both = (status: number, code: string, path: string, sent: Sent = {}) =>
          refusedInBoth(status, code, at, path, { headers: key, ...sent })
        const post = (body: string, headers: Record<string, string> = typed) => ({ method: "POST", headers, body })

        yield* both(404, "NOT_FOUND", "/api/v1/nope")
        yield* both(404, "NOT_FOUND", "/elsewhere")
        yield* both(404, "NOT_FOUND", "/api/v1/lists/x")
        yield* both(404, "NOT_FOUND", "/api/v1/credits", { method: "DELETE" })
        yield* both(404, "NOT_FOUND", `/api/v1/lists/${unknownId}`)
        // Streams that do not begin.
        yield* both(404, "NOT_FOUND", `/api/v1/lists/${unknownId}/events`)
        yield* both(404, "NOT_FOUND", `/api/v1/lists/${unknownId}/export?format=json`)
        yield* both(403, "FORBIDDEN", "/api/v1/lists", { headers: { "x-api-key": poor.key } })
        yield* both(403, "FORBIDDEN", `/files/${unknownId}?expires=1&signature=x`)
        yield* both(400, "BAD_REQUEST", "/api/v1/signatures", post("{"))
        yield* both(400, "BAD_REQUEST", "/api/v1/signatures", post("x", key))
        yield* both(400, "BAD_REQUEST", "/api/v1/lists?limit=x")
        // Too large, by its declared length and by what arrives.
        yield* both(400, "BAD_REQUEST", "/api/v1/signatures", post(`"${"x".repeat(1024 * 1024)}"`))
        const { issues } = yield* both(400, "BAD_REQUEST", "/api/v1/signatures", post("{}"))
        assert.deepStrictEqual(
          (issues as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path),
          ["signature_text"]
        )
        const { missing } = yield* both(409, "NOT_READY", "/api/v1/campaigns", post('{"name":"Spring"}'))
        assert.includeMembers(missing as Array<string>, ["company_summary"])
      })
    )

    it.effect("alone depend on Accept: other answers are JSON without a Vary", () =>
      Effect.gen(function* () {
        const at = yield* origin
        const caller = yield* newCaller()
        for (const path of ["/api/v1/credits", "/api/v1/health"]) {
          const answer = yield* ask(at, path, { headers: { "x-api-key": caller.key } }, problem)
          assert.deepStrictEqual([answer.status, answer.type, answer.vary], [200, "application/json", null], path)
        }
      })
    )
  })
})

describe("a problem", () => {
  it.live("is what a key that asks too often gets, with its Retry-After", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const headers = { "x-api-key": caller.key }
      yield* caller.get("/credits")
      yield* refusedInBoth(429, "RATE_LIMITED", "http://test", "/api/v1/credits", { headers })
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false, rate: { limit: 1, window: Duration.minutes(1) } })))
  )

  it.live("is what a defect gets, and gives nothing away", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* Server.dropTable("signatures")
      const headers = { "x-api-key": caller.key }
      const own = yield* refusedInBoth(500, "INTERNAL_ERROR", "http://test", "/api/v1/signatures", { headers })
      assert.deepStrictEqual(own, {})
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )

  it.live("is not what a failed health check answers: that is no error of the contract", () =>
    Effect.gen(function* () {
      const override = yield* Stores.unavailable
      const health = yield* Effect.provide(
        ask("http://test", "/api/v1/health", {}, problem),
        Server.layer({ override, runsWorkers: false })
      )
      assert.deepStrictEqual([health.status, health.type, health.vary], [503, "application/json", null])
      assert.deepStrictEqual(Object.keys(health.body), ["status", "version"])
    })
  )

  it.live("varies by the origin too where pages of other origins may call", () =>
    Effect.gen(function* () {
      const headers = { origin: "https://page.example" }
      const refusal = yield* ask("http://test", "/api/v1/lists", { headers }, problem)
      assert.strictEqual(refusal.type, problem)
      assert.sameMembers((refusal.vary ?? "").split(/, */), ["Origin", "Accept"])
    }).pipe(
      Effect.provide(Server.layer({ runsWorkers: false, origins: ["https://page.example", "https://b.example"] }))
    )
  )
})
