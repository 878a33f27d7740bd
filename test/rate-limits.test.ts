// test/rate-limits.test.ts: rate limit headers on every response, stricter limits of some endpoints, and a failing limiter.
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { type Answer, expectError } from "./support/answers.ts"
import { newCaller, type Caller, callerFor } from "./support/callers.ts"
import { type Endpoint, authenticatedEndpoints, sampleRequest, upload } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"

const live = { excludeTestServices: true }

const sendTo = (caller: Caller, endpoint: Endpoint) => caller.send(...sampleRequest(endpoint))

const headers = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]

layer(Server.layer({ runsWorkers: false }), live)("the rate limit", (it) => {
  it.effect.each(authenticatedEndpoints)("is in the headers of every response of $method $path", (endpoint) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const callerWithoutScopes = yield* callerFor(acme.workspace, [])
      for (const answer of [yield* sendTo(acme, endpoint), yield* sendTo(callerWithoutScopes, endpoint)]) {
        for (const header of headers) assert.match(answer.headers.get(header) ?? "", /^\d+$/, header)
        const [limit, remaining] = headers.map((header) => answer.headers.get(header))
        const policy = /^"([a-z-]+)";q=(\d+);w=60$/.exec(answer.headers.get("ratelimit-policy") ?? "") ?? assert.fail()
        assert.strictEqual(policy[2], limit)
        assert.match(answer.headers.get("ratelimit") ?? "", new RegExp(`^"${policy[1]}";r=${remaining};t=\\d+$`))
      }
    })
  )

  it.effect("in the headers of a refused request is the exceeded one", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const answers = yield* Effect.replicateEffect(acme.post("/agent/chat", {}), 31)
      const { headers, status } = answers[30] ?? assert.fail("no answer")
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("ratelimit-policy"), '"chat";q=30;w=60')
      assert.match(headers.get("ratelimit") ?? "", /^"chat";r=0;t=\d+$/)
    })
  )

  it.effect("of imports is shared by files and URLs", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const remainingOf = ({ headers }: Answer) => headers.get("x-ratelimit-remaining")
      assert.strictEqual(remainingOf(yield* acme.post("/workspace/imports/url", { url: "" })), "19")
      const file = yield* acme.send("POST", "/workspace/imports/document", upload("a.exe", "x"))
      assert.strictEqual(remainingOf(file), "18")
      const { headers } = yield* acme.get("/workspace")
      assert.strictEqual(headers.get("x-ratelimit-limit"), "300")
    })
  )
})

describe("of two limits", () => {
  it.live("the headers show the one with less remaining", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller({ plan: "free" })
      const chatHeaders = Effect.map(acme.post("/agent/chat", {}), ({ headers }) => headers)
      const first = yield* chatHeaders
      assert.strictEqual(first.get("x-ratelimit-limit"), "30")
      assert.strictEqual(first.get("ratelimit-policy"), '"chat";q=30;w=60')
      for (let i = 0; i < 40; i++) yield* acme.get("/signatures")
      const headers = yield* chatHeaders
      assert.strictEqual(headers.get("x-ratelimit-limit"), "60")
      assert.strictEqual(headers.get("ratelimit-policy"), '"key";q=60;w=60')
      assert.isBelow(Number(headers.get("x-ratelimit-remaining")), 20)
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})

describe("a limit for every key", () => {
  it.live("replaces the plan's limit and the stricter ones", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const endpoint of authenticatedEndpoints) {
        assert.strictEqual((yield* sendTo(acme, endpoint)).headers.get("x-ratelimit-limit"), "1000", endpoint.path)
      }
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false, rate: { limit: 1000, window: Duration.minutes(1) } })))
  )
})

const storeError = Effect.fail(
  new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: "The store is down" }) })
)

layer(
  Server.layer({
    runsWorkers: false,
    override: Context.make(RateLimiter.RateLimiterStore, {
      fixedWindow: () => storeError,
      tokenBucket: () => storeError,
      adaptiveConsume: () => storeError,
      adaptiveFeedback: () => storeError
    })
  }),
  live
)("a limiter that fails", (it) => {
  const strictEndpoints = [
    "POST /lists/:id",
    "POST /lists/:id/leads/:lead_id/test-mail",
    "POST /workspace/imports/document",
    "POST /workspace/imports/url",
    "POST /workspace/regenerate"
  ]
  const isStrict = ({ method, path }: Endpoint) => strictEndpoints.includes(`${method} ${path}`)

  it.effect.each(authenticatedEndpoints.filter(isStrict))("refuses $method $path", (endpoint) =>
    Effect.gen(function* () {
      yield* expectError(429, "RATE_LIMITED", sendTo(yield* newCaller(), endpoint))
    })
  )

  it.effect.each(authenticatedEndpoints.filter((endpoint) => !isStrict(endpoint)))(
    "lets $method $path through",
    (endpoint) =>
      Effect.gen(function* () {
        const { logs } = yield* Server.Server
        const before = logs.length
        const { status } = yield* sendTo(yield* newCaller(), endpoint)
        assert.notInclude([400, 401, 403, 429, 500], status)
        assert.match(logs.slice(before).join("\n"), /rate limiter is unavailable/)
      })
  )

  it.effect("refuses four endpoints and no more", () =>
    Effect.sync(() => assert.lengthOf(authenticatedEndpoints.filter(isStrict), strictEndpoints.length))
  )
})
