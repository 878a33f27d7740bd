// test/http.test.ts: HTTP behaviour of all endpoints: authentication, scopes, order of checks, rate limits, pages and errors.
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Auth } from "#layers/Auth.ts"
import * as Secret from "#layers/auth/Secret.ts"
import { type Scope, scopes } from "#schema/Auth.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, callerFor, json, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import {
  endpoints,
  authenticatedEndpoints,
  lead,
  unknownId,
  options,
  sampleRequest,
  sampleBodies
} from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"
import * as Stores from "./support/store.ts"

const live = { excludeTestServices: true }

/** The scope of each endpoint according to the specification. */
const scopeOf: { readonly [endpoint: string]: Scope | undefined } = {
  "GET /campaigns": "campaigns:read",
  "POST /campaigns": "campaigns:write",
  "PATCH /campaigns/:id": "campaigns:write",
  "DELETE /campaigns/:id": "campaigns:write",
  "POST /campaigns/:id/branch": "campaigns:write",
  "GET /campaigns/:id/selections": "campaigns:read",
  "GET /campaigns/:id/documents": "campaigns:read",
  "GET /campaigns/:id/build-status": "campaigns:read",
  "GET /target-audiences": "campaigns:read",
  "POST /campaigns/:id/target-audience": "campaigns:write",
  "GET /campaigns/:id/assets/:type/options": "campaigns:read",
  "PUT /campaigns/:id/assets/:type/selection": "campaigns:write",
  "POST /campaigns/:id/assets/value_proposition/generate": "campaigns:write",
  "GET /campaigns/:id/previews": "campaigns:read",
  "GET /campaigns/:id/previews/:preview_id": "campaigns:read",
  "GET /campaigns/:id/playbook": "campaigns:read",
  "PATCH /campaigns/:id/playbook": "campaigns:write",
  "POST /campaigns/:id/playbook/personas": "campaigns:write",
  "PUT /campaigns/:id/playbook/personas/:persona_id": "campaigns:write",
  "DELETE /campaigns/:id/playbook/personas/:persona_id": "campaigns:write",
  "POST /campaigns/:id/playbook/templates": "campaigns:write",
  "PUT /campaigns/:id/playbook/templates/:template_id": "campaigns:write",
  "DELETE /campaigns/:id/playbook/templates/:template_id": "campaigns:write",
  "POST /campaigns/:id/playbook/templates/:template_id/reset": "campaigns:write",
  "POST /campaigns/:id/playbook/redraft": "campaigns:write",
  "POST /campaigns/:id/playbook/try": "campaigns:read",
  "GET /campaigns/:id/playbook/route": "campaigns:read",
  "POST /campaigns/:id/generate": "campaigns:write",
  "POST /campaigns/:id/generate-batch": "campaigns:write",
  "POST /campaigns/:id/preview": "campaigns:write",
  "POST /lint": "campaigns:read",
  "POST /lead-files": "lists:write",
  "GET /lists": "lists:read",
  "GET /lists/:id": "lists:read",
  "GET /lists/:id/events": "lists:read",
  "PATCH /lists/:id": "lists:write",
  "DELETE /lists/:id": "lists:write",
  "POST /lists/:id": "lists:write",
  "GET /lists/:id/export": "lists:read",
  "GET /lists/:id/export/count": "lists:read",
  "GET /lists/:id/leads": "lists:read",
  "GET /leads": "lists:read",
  "GET /lists/:id/omitted-rows": "lists:read",
  "GET /lists/:id/omitted-rows/export": "lists:read",
  "GET /lists/:id/leads/:lead_id": "lists:read",
  "PATCH /lists/:id/leads/:lead_id/emails/:step": "lists:write",
  "GET /lists/:id/leads/:lead_id/emails/:step/versions": "lists:read",
  "POST /lists/:id/leads/:lead_id/emails/:step/restore": "lists:write",
  "POST /lists/:id/leads/:lead_id/rewrite": "lists:write",
  "POST /lists/:id/leads/:lead_id/test-mail": "lists:write",
  "PUT /lists/:id/leads/:lead_id/review": "lists:write",
  "GET /lists/:id/review": "lists:read",
  "POST /lists/:id/review": "lists:write",
  "GET /jobs/:id": undefined,
  "GET /signatures": "signatures:read",
  "POST /signatures": "signatures:write",
  "PUT /signatures/:id": "signatures:write",
  "DELETE /signatures/:id": "signatures:write",
  "GET /suppressions": "workspace:read",
  "POST /suppressions": "workspace:write",
  "GET /suppressions/export": "workspace:read",
  "DELETE /suppressions/:id": "workspace:write",
  "GET /webhooks": "workspace:read",
  "POST /webhooks": "workspace:write",
  "GET /webhooks/event-types": "workspace:read",
  "GET /webhooks/:id": "workspace:read",
  "PATCH /webhooks/:id": "workspace:write",
  "DELETE /webhooks/:id": "workspace:write",
  "POST /webhooks/:id/rotate-secret": "workspace:write",
  "POST /webhooks/:id/test": "workspace:write",
  "GET /webhooks/:id/deliveries": "workspace:read",
  "POST /webhooks/:id/deliveries/:delivery_id/resend": "workspace:write",
  "GET /keys": "keys:write",
  "POST /keys": "keys:write",
  "DELETE /keys/:id": "keys:write",
  "POST /keys/:id/rotate": "keys:write",
  "POST /keys/:id/sign-in-link": "keys:write",
  "GET /session": undefined,
  "DELETE /session": undefined,
  "GET /workspace": "workspace:read",
  "PUT /workspace/details": "workspace:write",
  "GET /workspace/documents": "workspace:read",
  "GET /workspace/imports": "workspace:read",
  "GET /workspace/imports/:id": "workspace:read",
  "DELETE /workspace/imports/:id": "workspace:write",
  "POST /workspace/imports/document": "workspace:write",
  "POST /workspace/imports/url": "workspace:write",
  "POST /workspace/regenerate": "workspace:write",
  "GET /workspace/regenerate/:id": "workspace:read",
  "POST /agent/chat": "agent:write",
  "GET /conversations": "agent:read",
  "GET /conversations/:id/messages": "agent:read",
  "GET /credits": "credits:read",
  "GET /credits/check": "credits:read",
  "GET /credits/usage": "credits:read"
}

it("the tests have a sample body for every endpoint that takes one", () => {
  assert.deepStrictEqual(
    endpoints.filter(
      (endpoint) => endpoint.takesBody && !endpoint.takesFile && sampleBodies[endpoint.name] === undefined
    ),
    []
  )
})

it("each endpoint requires the scope in the specification", () => {
  assert.isAbove(authenticatedEndpoints.length, 10)
  for (const { method, path, scope } of authenticatedEndpoints) {
    const endpoint = `${method} ${path === "/" ? path : path.replace(/\/$/, "")}`
    assert.property(scopeOf, endpoint)
    assert.strictEqual(scope, scopeOf[endpoint], endpoint)
  }
})

layer(Server.layer(), live)("health", (it) => {
  it.effect("needs no key, has no rate limit, and returns the version", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      for (const path of ["/health", "/health?x=1"]) {
        const { body, headers, status } = yield* send("GET", path)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(body), ["status", "version"])
        assert.strictEqual(body.status, "ok")
        assert.match(body.version, /^\d+\.\d+\.\d+/)
        assert.isNull(headers.get("x-ratelimit-limit"))
      }
      assert.strictEqual((yield* send("GET", "/health", { headers: { "x-api-key": "wrong" } })).status, 200)
    })
  )

  it.effect("has a case-sensitive path", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      yield* expectError(404, "NOT_FOUND", send("GET", "/HEALTH"))
    })
  )

  it.effect("accepts only GET", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        yield* expectError(404, "NOT_FOUND", send(method, "/health"))
      }
    })
  )
})

it.live("health returns 503 when the store does not respond", () =>
  Effect.gen(function* () {
    const request = Effect.flatMap(Server.Server, ({ send }) => send("GET", "/health"))
    const override = yield* Stores.unavailable
    const { body, status } = yield* Effect.provide(request, Server.layer({ override, runsWorkers: false }))
    assert.strictEqual(status, 503)
    assert.deepStrictEqual(Object.keys(body), ["status", "version"])
    assert.strictEqual(body.status, "unavailable")
  })
)

describe("an API key", () => {
  const keyCases: ReadonlyArray<{
    readonly name: string
    readonly headers: (valid: string, other: string, unknown: string) => Record<string, string>
    readonly status?: number
  }> = [
    { name: "none", headers: () => ({}) },
    { name: "an empty X-API-Key", headers: () => ({ "x-api-key": "" }) },
    { name: "an empty Authorization", headers: () => ({ authorization: "" }) },
    { name: "Bearer and nothing more", headers: () => ({ authorization: "Bearer " }) },
    { name: "another scheme", headers: (key) => ({ authorization: `Basic ${key}` }) },
    { name: "no scheme", headers: (key) => ({ authorization: key }) },
    { name: "two keys in one header", headers: (key, other) => ({ "x-api-key": `${key}, ${other}` }) },
    { name: "something else altogether", headers: () => ({ "x-api-key": "' OR 1=1 --" }) },
    { name: "a key cut short", headers: (key) => ({ "x-api-key": key.slice(0, -1) }) },
    { name: "a key with more after it", headers: (key) => ({ "x-api-key": `${key}0` }) },
    {
      name: "a wrong checksum",
      headers: (key) => ({ "x-api-key": key.slice(0, -1) + (key.endsWith("a") ? "b" : "a") })
    },
    {
      name: "a mistyped letter",
      headers: (key) => ({ "x-api-key": key.slice(0, 10) + (key[10] === "a" ? "b" : "a") + key.slice(11) })
    },
    { name: "a well-formed key that nobody was given", headers: (_, __, unknown) => ({ "x-api-key": unknown }) },
    {
      name: "two valid keys that disagree",
      headers: (key, other) => ({ authorization: `Bearer ${key}`, "x-api-key": other })
    },
    {
      name: "a valid bearer beside another X-API-Key",
      headers: (key) => ({ authorization: `Bearer ${key}`, "x-api-key": "x" })
    },
    {
      name: "a valid X-API-Key beside another bearer",
      headers: (key) => ({ authorization: "Bearer x", "x-api-key": key })
    },
    {
      name: "a valid X-API-Key beside another scheme",
      headers: (key) => ({ authorization: "Basic x", "x-api-key": key })
    },
    { name: "X-API-Key", headers: (key) => ({ "X-API-Key": key }), status: 200 },
    { name: "Authorization: Bearer", headers: (key) => ({ Authorization: `Bearer ${key}` }), status: 200 },
    { name: "a scheme in lower case", headers: (key) => ({ authorization: `bearer ${key}` }), status: 200 },
    {
      name: "both headers agreeing",
      headers: (key) => ({ authorization: `Bearer ${key}`, "x-api-key": key }),
      status: 200
    }
  ]

  layer(
    Server.layer(),
    live
  )((it) => {
    it.effect.each(keyCases)("$name", ({ headers, status = 401 }) =>
      Effect.gen(function* () {
        const { send } = yield* Server.Server
        const acme = yield* newCaller()
        const other = yield* callerFor(acme.workspace)
        const unknown = Redacted.value(yield* Secret.makeKey)
        const answer = yield* send("GET", "/signatures", { headers: headers(acme.key, other.key, unknown) })
        assert.strictEqual(answer.status, status)
        if (status === 200) return
        assert.strictEqual(answer.body.error, "UNAUTHORIZED")
        assert.isNull(answer.headers.get("x-ratelimit-limit"))
      })
    )

    it.effect("that is revoked, expired, rotated, unknown or missing gets the same error", () =>
      Effect.gen(function* () {
        const { send } = yield* Server.Server
        const keys = yield* Auth
        const { workspace } = yield* newCaller()
        const make = keys.create(workspace, { name: null, scopes, expiresIn: undefined })
        const expired = yield* keys.create(workspace, { name: null, scopes, expiresIn: Duration.zero })
        const revoked = yield* make
        yield* keys.revoke(revoked.id)
        const rotated = yield* make
        yield* keys.rotate(rotated.id, Duration.zero)
        const presentedKeys = [
          ...[expired, revoked, rotated].map((created) => Redacted.value(created.key)),
          "?",
          undefined
        ]
        const answers = yield* Effect.forEach(presentedKeys, (key) =>
          send("GET", "/signatures", key === undefined ? {} : { headers: { "x-api-key": key } })
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          presentedKeys.map(() => 401)
        )
        const texts = new Set(answers.map(({ body }) => JSON.stringify({ ...body, request_id: "" })))
        assert.strictEqual(texts.size, 1)
      })
    )

    it.effect.each(authenticatedEndpoints)("is required by $method $path", (endpoint) =>
      Effect.gen(function* () {
        const { send } = yield* Server.Server
        yield* expectError(401, "UNAUTHORIZED", send(...sampleRequest(endpoint)))
      })
    )

    it.effect.each(authenticatedEndpoints.filter(({ scope }) => scope !== undefined))(
      "needs $scope for $method $path",
      (endpoint) =>
        Effect.gen(function* () {
          const { workspace } = yield* newCaller()
          const callerWithoutScope = yield* callerFor(
            workspace,
            scopes.filter((scope) => scope !== endpoint.scope)
          )
          yield* expectError(403, "FORBIDDEN", callerWithoutScope.send(...sampleRequest(endpoint)))
          const callerWithOnlyScope = yield* callerFor(
            workspace,
            scopes.filter((scope) => scope === endpoint.scope)
          )
          const { status } = yield* callerWithOnlyScope.send(...sampleRequest(endpoint))
          assert.notInclude([400, 401, 403, 500], status)
        })
    )

    it.effect("of any scope, or none, may read a job", () =>
      Effect.gen(function* () {
        const { workspace } = yield* newCaller()
        const callerWithoutScopes = yield* callerFor(workspace, [])
        yield* expectError(404, "NOT_FOUND", callerWithoutScopes.get(`/jobs/${unknownId}`))
      })
    )
  })

  it.live("with a bad checksum is refused without the store", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const unknown = Redacted.value(yield* Secret.makeKey)
      yield* Server.dropTable("api_keys")
      const mistyped = unknown.slice(0, -1) + (unknown.endsWith("a") ? "b" : "a")
      yield* expectError(401, "UNAUTHORIZED", send("GET", "/signatures", { headers: { "x-api-key": mistyped } }))
      yield* expectError(500, "INTERNAL_ERROR", send("GET", "/signatures", { headers: { "x-api-key": unknown } }))
    }).pipe(Effect.provide(Server.layer()))
  )
})

layer(Server.layer(), live)("a request's id", (it) => {
  it.effect("is generated by the server for each request", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const headers = { "x-request-id": "req_mine", "request-id": "req_mine" }
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? "/signatures" : "/nope")),
        (path) => acme.send("GET", path, { headers }),
        { concurrency: 10 }
      )
      const ids = new Set(answers.map((answer) => answer.headers.get("x-request-id")))
      assert.strictEqual(ids.size, 40)
      assert.isFalse(ids.has("req_mine"))
    })
  )
})

layer(Server.layer(), live)("paths that are not found", (it) => {
  it.effect.each([
    ["GET", "/nope"],
    ["GET", ""],
    ["GET", "/"],
    ["GET", "/campaigns/a/b/c/d"],
    ["PATCH", "/campaigns"],
    ["DELETE", "/campaigns"],
    ["POST", "/credits"],
    ["PUT", "/lists"],
    ["GET", `/campaigns/${unknownId}/generate`],
    ["POST", `/campaigns/${unknownId}/assets/social_proof/generate`],
    ["POST", `/campaigns/${unknownId}/build-status`],
    ["OPTIONS", "/campaigns"],
    ["GET", "/..%2f..%2fetc%2fpasswd"],
    ["GET", "/%zz"],
    ["GET", "/lists/%zz"],
    ["GET", "/lists/%00"]
  ] as const)("%s %s", ([method, path]) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { send } = yield* Server.Server
      for (const answer of [yield* send(method, path), yield* acme.send(method, path)]) {
        assert.include([400, 401, 404], answer.status)
        if (path !== "/lists/%00" && path !== "/lists/%zz") {
          assert.deepStrictEqual([answer.status, answer.body.error], [404, "NOT_FOUND"])
        }
      }
    })
  )

  it.effect("include everything outside /api/v1, and other versions", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const path of ["/../../credits", "/../credits", "/../v2/credits", "/../../v1/credits"]) {
        yield* expectError(404, "NOT_FOUND", acme.get(path))
      }
      yield* expectBody(200, acme.get("/../v1/credits"))
    })
  )

  it.effect("include no CORS headers for other origins", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const origin = { headers: { origin: "https://page.example", "access-control-request-method": "POST" } }
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = yield* acme.send(method, "/credits", origin)
        assert.deepStrictEqual(
          [...headers.keys()].filter((header) => header.startsWith("access-control")),
          []
        )
      }
    })
  )

  it.effect.each(authenticatedEndpoints.filter(({ path }) => path.includes(":type")))(
    "$method $path of an unknown type",
    (endpoint) =>
      Effect.gen(function* () {
        const acme = yield* onboardedCaller()
        const campaign = yield* Campaigns.createCampaign(acme)
        for (const type of [
          "nope",
          "target_audience",
          "SOCIAL_PROOF",
          "social-proof",
          "__proto__",
          "constructor",
          "%20"
        ]) {
          yield* expectError(404, "NOT_FOUND", acme.send(...sampleRequest(endpoint, campaign, type)))
        }
      })
  )
})

layer(Server.layer({ origins: ["https://page.example"] }), live)("a page of a configured origin", (it) => {
  it.effect("may call the API and read the response headers", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { headers } = yield* acme.send("GET", "/credits", { headers: { origin: "https://page.example" } })
      assert.strictEqual(headers.get("access-control-allow-origin"), "https://page.example")
      assert.sameMembers(headers.get("access-control-expose-headers")?.split(",") ?? [], [
        "X-Request-Id",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "RateLimit-Policy",
        "RateLimit",
        "WWW-Authenticate",
        "Retry-After",
        "Idempotent-Replayed",
        "Content-Disposition"
      ])
    })
  )
})

layer(Server.layer(), live)("the order of checks is", (it) => {
  const invalidJson = json("{")

  it.effect("a route before a key, a key before anything else", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      yield* expectError(404, "NOT_FOUND", send("GET", "/nope"))
      yield* expectError(401, "UNAUTHORIZED", send("POST", "/signatures", invalidJson))
      yield* expectError(401, "UNAUTHORIZED", send("PUT", "/signatures/nope", invalidJson))
      yield* expectError(401, "UNAUTHORIZED", send("GET", "/lists?limit=x"))
    })
  )

  it.effect("a scope before the body, parameters and the resource", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newCaller()
      const callerWithoutScope = yield* callerFor(workspace, ["credits:read"])
      yield* expectError(403, "FORBIDDEN", callerWithoutScope.send("POST", "/signatures", invalidJson))
      yield* expectError(403, "FORBIDDEN", callerWithoutScope.send("PUT", "/signatures/nope", invalidJson))
      yield* expectError(403, "FORBIDDEN", callerWithoutScope.get("/lists?limit=x"))
      yield* expectError(403, "FORBIDDEN", callerWithoutScope.get(`/campaigns/${unknownId}/build-status`))
    })
  )

  it.effect.each([
    ["generate", { lead: { email: "x" }, options }],
    ["generate", { lead, options: { email_count: 1 } }],
    ["generate-batch", { leads: [], options }],
    ["target-audience", { target_audience: {} }],
    ["target-audience", { target_audience: { segment_name: "Mines" } }],
    ["assets/social_proof/selection", {}],
    ["assets/value_proposition/selection", { selected_ids: [] }]
  ] as const)("the body before the resource: %s %j", ([path, invalidBody]) =>
    Effect.gen(function* () {
      const [acme, other] = [yield* onboardedCaller(), yield* onboardedCaller()]
      const send = path.startsWith("assets") ? acme.put : acme.post
      yield* expectError(400, "BAD_REQUEST", send(`/campaigns/${unknownId}/${path}`, invalidBody))
      yield* expectError(
        400,
        "BAD_REQUEST",
        send(`/campaigns/${yield* Campaigns.createCampaign(other)}/${path}`, invalidBody)
      )
    })
  )
})

describe("the rate limit", () => {
  const minute = { window: Duration.minutes(1) }

  it.live("counts down over all endpoints, then refuses and says until when", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const startedAt = Math.floor(Date.now() / 1000)
      const remaining: Array<string | null> = []
      const requests = [acme.get("/signatures"), acme.get(`/lists/${unknownId}`), acme.get("/lists?limit=x")]
      for (const request of requests) {
        const { headers } = yield* request
        remaining.push(headers.get("x-ratelimit-remaining"))
        assert.strictEqual(headers.get("x-ratelimit-limit"), "3")
        const reset = Number(headers.get("x-ratelimit-reset"))
        assert.isTrue(Number.isInteger(reset) && reset >= startedAt && reset <= startedAt + 70, `${reset}`)
      }
      assert.deepStrictEqual(remaining, ["2", "1", "0"])

      const { body, headers, status } = yield* acme.get("/credits")
      assert.deepStrictEqual([status, body.error], [429, "RATE_LIMITED"])
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "0")
      assert.isAtMost(Number(headers.get("retry-after")), 60)
    }).pipe(Effect.provide(Server.layer({ rate: { limit: 3, ...minute } })))
  )

  it.live("is each key's own, and is checked after the key and before scope and body", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const acme = yield* newCaller({ scopes: [] })
      yield* expectError(403, "FORBIDDEN", acme.get("/signatures"))
      yield* expectError(429, "RATE_LIMITED", acme.get("/signatures"))
      yield* expectError(429, "RATE_LIMITED", acme.send("POST", "/signatures", json("{")))
      yield* expectError(401, "UNAUTHORIZED", send("GET", "/signatures"))
      assert.strictEqual((yield* send("GET", "/health", { headers: { "x-api-key": acme.key } })).status, 200)
      const otherCaller = yield* callerFor(acme.workspace)
      yield* expectBody(200, otherCaller.get("/signatures"))
    }).pipe(Effect.provide(Server.layer({ rate: { limit: 1, ...minute } })))
  )

  it.live.each([
    ["free", 60],
    ["starter", 120],
    ["growth", 300],
    ["scale", 600],
    ["internal", 600],
    ["none", 60]
  ] as const)("is the plan's: %s, %d a minute", ([plan, limit]) =>
    Effect.gen(function* () {
      const acme = yield* newCaller({ plan })
      const { headers } = yield* acme.get("/signatures")
      assert.strictEqual(headers.get("x-ratelimit-limit"), String(limit))
      assert.strictEqual(headers.get("x-ratelimit-remaining"), String(limit - 1))
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})

layer(Server.layer(), live)("a page", (it) => {
  it.effect("has a bounded limit, returns its position, and can be followed to the end", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaignIds: Array<string> = []
      for (let i = 0; i < 3; i++) campaignIds.unshift(yield* Campaigns.createCampaign(acme, `Campaign ${i}`))
      const page = (query: string) => expectBody(200, acme.get(`/campaigns${query}`))
      const ids = (answer: { readonly campaigns: ReadonlyArray<{ readonly id: string }> }) =>
        answer.campaigns.map(({ id }) => id)

      const allCampaigns = yield* page("")
      assert.deepStrictEqual(ids(allCampaigns), campaignIds)
      assert.deepInclude(allCampaigns, { limit: 50, offset: 0, has_more: false, total: 3 })

      for (const [query, limit] of [
        ["0", 1],
        ["-7", 1],
        ["1", 1],
        ["100", 100],
        ["101", 100],
        ["1000", 100],
        ["99999999999999999999", 100]
      ] as const) {
        const answer = yield* page(`?limit=${query}`)
        assert.deepInclude(answer, { limit, offset: 0, has_more: limit < 3, total: 3 }, query)
        assert.deepStrictEqual(ids(answer), campaignIds.slice(0, limit))
      }
      for (const offset of [0, 1, 2, 3, 4, 1000, Number.MAX_SAFE_INTEGER]) {
        const answer = yield* page(`?limit=1&offset=${offset}&nobody=knows`)
        assert.deepStrictEqual(ids(answer), campaignIds.slice(offset, offset + 1))
        assert.deepInclude(answer, { limit: 1, offset, has_more: offset < 2, total: 3 })
      }
      assert.deepInclude(yield* page("?offset=99999999999999999999"), { campaigns: [], has_more: false, total: 3 })
      assert.deepInclude(yield* page("?limit=2&offset=1"), { limit: 2, offset: 1, has_more: false, total: 3 })
    })
  )

  const collections = ["/campaigns", "/lists", "/signatures", "/target-audiences", "/conversations"]
  const invalidLimits = [
    "limit=abc",
    "limit=5.5",
    "limit=",
    "limit=1e1",
    "limit=0x10",
    "limit=%205",
    "limit=NaN",
    "limit=null"
  ]
  const invalidOffsets = ["offset=-1", "offset=-99999999999999999999", "offset=abc", "offset=1.5", "offset="]

  const messagesPath = `/conversations/${unknownId}/messages`
  it.effect.each(
    [...collections, messagesPath].flatMap((path) =>
      [...invalidLimits, ...invalidOffsets].map((query) => `${path}?${query}`)
    )
  )("with an invalid limit or offset is refused: %s", (path) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const detail = yield* expectError(400, "BAD_REQUEST", acme.get(path))
      assert.strictEqual(detail.issues[0].path, path.includes("offset") ? "offset" : "limit")
    })
  )

  it.effect.each(collections)("of %s has the documented shape", (path) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { limit, offset, ...answer } = yield* expectBody(200, acme.get(`${path}?limit=7&offset=3`))
      const key = { "/campaigns": "campaigns", "/lists": "lists" }[path] ?? "data"
      assert.deepStrictEqual(answer, { [key]: [], has_more: false, total: 0 })
      if (path === "/campaigns") assert.deepStrictEqual([limit, offset], [7, 3])
    })
  )

  it.effect("of rows with equal timestamps has a stable order without duplicates", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller()
      for (let i = 0; i < 4; i++) {
        yield* Campaigns.createCampaign(acme)
        yield* expectBody(201, acme.post("/signatures", { signature_text: `Ann ${i}` }))
      }
      for (const [path, table, key] of [
        ["/campaigns", "campaigns", "campaigns"],
        ["/signatures", "signatures", "data"],
        ["/target-audiences", "target_audiences", "data"]
      ] as const) {
        yield* sql`UPDATE ${sql(table)} SET created_at = '2026-01-01T00:00:00.000Z'`
        const { [key]: rows, total } = yield* expectBody(200, acme.get(path))
        const ids = rows.map(({ id }: { readonly id: string }) => id)
        assert.deepStrictEqual(ids, ids.toSorted().toReversed())
        for (let offset = 0; offset < total; offset++) {
          const page = yield* expectBody(200, acme.get(`${path}?limit=1&offset=${offset}`))
          assert.deepStrictEqual([page[key][0].id, page[key].length], [ids[offset], 1])
        }
      }
    })
  )

  it.effect("is refused for a filter that can never match", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const query of ["status=done", "status=", "status=COMPLETED", "campaign_id=x", "campaign_id="]) {
        yield* expectError(400, "BAD_REQUEST", acme.get(`/lists?${query}`))
      }
      for (const status of ["pending", "processing", "in_progress", "completed", "failed"]) {
        yield* expectBody(200, acme.get(`/lists?status=${status}&campaign_id=${unknownId}`))
      }
    })
  )

  it.effect("with duplicate parameters is no server error", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const query of ["limit=1&limit=2", "limit[]=1", "offset=1&offset=2", "q=a&q=b", "q=%E0%A4", "q=%ED%A0%80"]) {
        assert.include([200, 400], (yield* acme.get(`/target-audiences?${query}`)).status, query)
      }
      yield* expectError(400, "BAD_REQUEST", acme.get("/target-audiences?q=%00"))
    })
  )
})

describe("a defect", () => {
  it.live("returns a general error, with details only in the log", () =>
    Effect.gen(function* () {
      const { logs } = yield* Server.Server
      const acme = yield* newCaller()
      yield* Server.dropTable("signatures")
      for (const request of [acme.get("/signatures"), acme.post("/signatures", { signature_text: "Ann of Acme" })]) {
        const { body, headers, status, text } = yield* request
        assert.deepStrictEqual([status, body.error], [500, "INTERNAL_ERROR"])
        assert.notProperty(body, "detail")
        assert.notMatch(text, /sql|table|signatures|no such|layers|\.ts|stack|Ann/i)
        assert.isString(headers.get("x-ratelimit-limit"))
        const line = logs.find((line) => line.includes(body.request_id))
        assert.match(line ?? "", /no such table: signatures|relation "signatures" does not exist/)
        assert.notInclude(line ?? "", "Ann of Acme")
      }
      yield* expectBody(200, acme.get("/lists"))
    }).pipe(Effect.provide(Server.layer()))
  )
})

layer(Wire.layer, live)("on a socket", (it) => {
  const jsonType = ["Content-Type", "application/json"] as const
  const text = `{"signature_text":"Ann"}`
  const bodyOfSize = (size: number) => `{"signature_text":"Ann","x":"${"x".repeat(size - 31)}"}`
  const MiB = 1024 * 1024

  const client = Effect.gen(function* () {
    const { raw } = yield* Wire.Socket
    const acme = yield* newCaller()
    const key = ["X-API-Key", acme.key] as const
    return { acme, key, raw }
  })

  it.effect("a body with a too large Content-Length is refused before it is sent", () =>
    Effect.gen(function* () {
      const { key, raw } = yield* client
      const post = (length: number) => raw("POST", "/signatures", [key, jsonType, ["Content-Length", String(length)]])
      yield* expectError(400, "BAD_REQUEST", post(MiB + 1))
      yield* expectError(400, "BAD_REQUEST", post(2 ** 40))
    })
  )

  it.effect("a chunked body is limited while it arrives", () =>
    Effect.gen(function* () {
      const { acme, key, raw } = yield* client
      const post = (...parts: ReadonlyArray<string>) =>
        raw("POST", "/signatures", [key, jsonType, ["Transfer-Encoding", "chunked"]], Wire.chunked(...parts))
      const chunksOf = (text: string) => text.match(/.{1,65536}/gs) ?? []
      yield* expectBody(201, post(...chunksOf(bodyOfSize(MiB))))
      yield* expectError(400, "BAD_REQUEST", post(...chunksOf(bodyOfSize(MiB + 1))))
      yield* expectError(400, "BAD_REQUEST", post(...chunksOf(bodyOfSize(4 * MiB))))
      yield* expectBody(201, post(`{"signature_`, `text":"Zo`, `ë"}`))
      yield* expectError(400, "BAD_REQUEST", post())
      assert.strictEqual((yield* expectBody(200, acme.get("/signatures"))).total, 2)
    })
  )

  it.effect("a batch may have a larger body", () =>
    Effect.gen(function* () {
      const { key, raw } = yield* client
      const body = JSON.stringify({ leads: [lead], options, x: "x".repeat(2 * MiB) })
      const length = ["Content-Length", String(body.length)] as const
      const post = (path: string) => raw("POST", `/campaigns/${unknownId}/${path}`, [key, jsonType, length], [body])
      yield* expectError(404, "NOT_FOUND", post("generate-batch"))
      yield* expectError(400, "BAD_REQUEST", post("generate"))
    })
  )

  it.effect("a body shorter or longer than its Content-Length is refused", () =>
    Effect.gen(function* () {
      const { acme, key, raw } = yield* client
      const answer = yield* raw("POST", "/signatures", [key, jsonType, ["Content-Length", "10"]], [text])
      assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"])
      const { exchange } = yield* Wire.Socket
      yield* exchange(
        [`POST /api/v1/signatures HTTP/1.1\r\nHost: x\r\nX-API-Key: ${acme.key}\r\nContent-Type: application/json\r\n`],
        true
      )
      yield* exchange(
        [
          `POST /api/v1/signatures HTTP/1.1\r\nHost: x\r\nX-API-Key: ${acme.key}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n`,
          text
        ],
        true
      )
      assert.deepStrictEqual((yield* expectBody(200, acme.get("/signatures"))).data, [])
    })
  )

  it.effect("invalid UTF-8 and compressed bodies are refused", () =>
    Effect.gen(function* () {
      const { key, raw } = yield* client
      const body = Wire.bytes(`{"signature_text":"`, [0xe9], `"}`)
      const length = ["Content-Length", String(body.length)] as const
      yield* expectError(400, "BAD_REQUEST", raw("POST", "/signatures", [key, jsonType, length], [body]))
      const compressed = Wire.bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])
      yield* expectError(
        400,
        "BAD_REQUEST",
        raw("POST", "/signatures", [key, jsonType, ["Content-Encoding", "gzip"], ["Content-Length", "8"]], [compressed])
      )
    })
  )

  it.effect("both key headers must agree, and duplicates are refused", () =>
    Effect.gen(function* () {
      const { acme, key, raw } = yield* client
      const other = (yield* callerFor(acme.workspace)).key
      const bearerHeader = (secret: string) => ["Authorization", `Bearer ${secret}`] as const
      yield* expectBody(200, raw("GET", "/signatures", [key]))
      yield* expectBody(200, raw("GET", "/signatures", [bearerHeader(acme.key)]))
      yield* expectBody(200, raw("GET", "/signatures", [key, bearerHeader(acme.key)]))
      yield* expectError(401, "UNAUTHORIZED", raw("GET", "/signatures", [key, bearerHeader(other)]))
      yield* expectError(401, "UNAUTHORIZED", raw("GET", "/signatures", [key, ["X-API-Key", other]]))
    })
  )

  it.effect("HEAD responds like GET, without a body", () =>
    Effect.gen(function* () {
      const { key, raw } = yield* client
      for (const [path, headers] of [
        ["/health", []],
        ["/signatures", [key]],
        ["/signatures", []],
        ["/nope", [key]],
        ["/signatures?limit=x", [key]]
      ] as const) {
        const getAnswer = yield* raw("GET", path, headers)
        const headAnswer = yield* raw("HEAD", path, headers)
        assert.deepStrictEqual([headAnswer.status, headAnswer.text], [getAnswer.status, ""], path)
      }
    })
  )

  it.effect("an invalid HTTP request ends only its own connection", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const { acme } = yield* client
      for (const invalidBytes of [
        "GET\r\n\r\n",
        "\u0000".repeat(100),
        `GET / HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`
      ]) {
        const answer = yield* exchange([invalidBytes, "\r\n\r\n"])
        assert.match(answer, /^(HTTP\/1\.1 4\d\d |$)/)
      }
      yield* expectBody(200, acme.get("/signatures"))
    })
  )
})
