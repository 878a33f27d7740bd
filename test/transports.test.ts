// test/transports.test.ts: a plain request, which is answered straight from the socket, gets the same response as one that goes through the router.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, expectBody } from "./support/answers.ts"
import { newCaller, type Caller, onboardedCaller } from "./support/callers.ts"
import { assetOptions, proposedCampaign } from "./support/campaigns.ts"
import { type Endpoint, authenticatedEndpoints, unknownId, pathOf, queries, sampleBodies } from "./support/endpoints.ts"
import { withWorkers } from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

/** Headers in which two responses to the same request may differ. */
const volatileHeaders = [
  "date",
  "x-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "ratelimit",
  "content-length"
]

const comparable = ({ headers, status, text }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !volatileHeaders.includes(name)),
  // Ids, times, signed links and secrets differ between the responses.
  body: text.replace(
    /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|expires=\d+&signature=[0-9a-f]+|whsec_[\w+/=]+|ov[kl]_\w+/g,
    "~"
  )
})

const remaining = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"))

layer(Wire.layer, live)("on a socket", (it) => {
  /** Sends a request with a Content-Length, and again with a chunked body, which only the router reads. */
  const bothWays = Effect.fnUntraced(function* (caller: Caller, method: string, path: string, body?: string) {
    const { raw } = yield* Wire.Socket
    const key = ["X-API-Key", caller.key] as const
    const contentType = body === undefined ? [] : [["Content-Type", "application/json"] as const]
    const contentLength = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))] as const]
    const plain = yield* raw(method, path, [key, ...contentType, ...contentLength], body === undefined ? [] : [body])
    const chunks = body === undefined || body === "" ? Wire.chunked() : Wire.chunked(body)
    const chunked = yield* raw(method, path, [key, ...contentType, ["Transfer-Encoding", "chunked"]], chunks)
    return { plain, long: chunked }
  })

  const expectSameAnswer = Effect.fnUntraced(function* (caller: Caller, method: string, path: string, body?: string) {
    const { long, plain } = yield* bothWays(caller, method, path, body)
    assert.deepStrictEqual(comparable(plain), comparable(long), `${method} ${path}`)
    return plain
  })

  const succeeded = new Set<string>()

  it.effect.each([...authenticatedEndpoints])(
    "$name has the same answer from the socket and the router",
    (endpoint: Endpoint) =>
      Effect.gen(function* () {
        if (endpoint.takesFile) return
        const caller = yield* withWorkers()(onboardedCaller({ plan: "scale" }))
        const { id: campaign } = yield* expectBody(201, caller.post("/campaigns", { name: "Spring" }))
        const { id: signature } = yield* expectBody(
          201,
          caller.post("/signatures", { signature_text: "Ann\nSales — 50 €" })
        )
        // Added before, so that both answers count the same.
        yield* expectBody(200, caller.post("/suppressions", sampleBodies["addSuppressions"]))
        const existingId = endpoint.path.startsWith("/signatures") ? signature : campaign
        const body = endpoint.takesBody ? JSON.stringify(sampleBodies[endpoint.name]) : undefined
        const ids = endpoint.method === "DELETE" ? [unknownId] : [existingId, unknownId, "none"]
        for (const id of endpoint.path.includes(":id") ? ids : [unknownId]) {
          const path = `${pathOf(endpoint, id)}${queries[endpoint.name] ?? ""}`
          const { status } = yield* expectSameAnswer(caller, endpoint.method, path, body)
          if (status < 300) succeeded.add(endpoint.name)
          yield* expectSameAnswer(
            caller,
            endpoint.method,
            `${path}${path.includes("?") ? "&" : "?"}limit=x&required=0&offset=-1`,
            body
          )
        }
        if (body === undefined) return
        const path = pathOf(endpoint, existingId)
        const withMember = (field: string) => body.replace("{", `{"more":${field},`)
        const deep = "[".repeat(70) + "]".repeat(70)
        const invalidBodies = [
          "",
          "{",
          "[]",
          "null",
          "\ufeff{}",
          withMember('"\\u0000"'),
          withMember('"\\ud800"'),
          withMember(deep),
          withMember("1")
        ]
        for (const invalidBody of invalidBodies) yield* expectSameAnswer(caller, endpoint.method, path, invalidBody)
      })
  )

  it.effect("more than 15 endpoints succeeded in both", () =>
    Effect.sync(() => assert.isAbove(succeeded.size, 15, [...succeeded].join(", ")))
  )

  it.effect("the status of a selection is 202 if it started the build, else 200", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* withWorkers()(
        Effect.flatMap(onboardedCaller(), (caller) =>
          Effect.map(proposedCampaign(caller), (campaign) => ({ campaign, caller }))
        )
      )
      for (const type of ["social_proof", "value_proposition"]) {
        const [option] = yield* assetOptions(caller, campaign, type)
        const selection = JSON.stringify({ selected_ids: [option?.id] })
        const { body, status } = yield* expectSameAnswer(
          caller,
          "PUT",
          `/campaigns/${campaign}/assets/${type}/selection`,
          selection
        )
        const stored = { asset_type: type, items_stored: 1 }
        if (type === "social_proof") assert.deepStrictEqual([status, body], [200, stored])
        else {
          const job = { id: body.job.id, type: "campaign.build", status: "processing" }
          assert.deepStrictEqual([status, body], [202, { ...stored, job }])
        }
      }
    })
  )

  it.effect("limit and offset select the page", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const name of ["Ann", "Bo", "Cy"])
        yield* expectBody(201, caller.post("/signatures", { signature_text: name }))
      for (const query of [
        "",
        "?limit=2",
        "?limit=2&offset=1",
        "?limit=%32",
        "?limit=2&limit=3",
        "?offset=9",
        "?a=b;c",
        ";limit=1",
        "/"
      ]) {
        yield* expectSameAnswer(caller, "GET", `/signatures${query}`)
      }
      const page = yield* expectSameAnswer(caller, "GET", "/signatures?limit=2&offset=1")
      assert.deepStrictEqual(
        page.body.data.map((row: { readonly signature_text: string }) => row.signature_text),
        ["Bo", "Ann"]
      )
      assert.deepStrictEqual([page.body.has_more, page.body.total], [false, 3])
    })
  )

  it.effect("a key without the scope and an invalid key are rejected alike", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller({ scopes: ["lists:read"] })
      yield* expectSameAnswer(caller, "GET", "/lists")
      assert.strictEqual((yield* expectSameAnswer(caller, "GET", "/signatures")).status, 403)
      assert.strictEqual(
        (yield* expectSameAnswer(caller, "POST", "/signatures", `{"signature_text":"Ann"}`)).status,
        403
      )
      const other = yield* newCaller()
      yield* other.get("/lists")
      const bearer = { headers: { authorization: `Bearer ${caller.key}` } }
      assert.deepStrictEqual(
        [(yield* caller.send("GET", "/lists", bearer)).status, (yield* other.send("GET", "/lists", bearer)).status],
        [200, 401]
      )
      assert.strictEqual((yield* expectSameAnswer({ ...caller, key: `${caller.key}x` }, "GET", "/lists")).status, 401)
      assert.strictEqual(
        (yield* expectSameAnswer({ ...caller, key: `${caller.key}, ${caller.key}` }, "GET", "/lists")).status,
        401
      )
    })
  )

  /** A caller near its rate limit, whose plan restores one request a second; the tests take less time than that. */
  const rateLimitedCaller = Effect.gen(function* () {
    const caller = yield* newCaller({ plan: "free" })
    for (let i = 0; i < 10; i++) yield* caller.get("/lists")
    return { caller, remainingRequests: remaining(yield* caller.get("/lists")) }
  })

  it.effect("each request counts once for the rate limit, whatever its status", () =>
    Effect.gen(function* () {
      const { remainingRequests: left, caller } = yield* rateLimitedCaller
      const requests: ReadonlyArray<readonly [status: number, answer: Effect.Effect<Answer>]> = [
        [200, caller.get("/signatures")],
        [404, caller.get(`/lists/${unknownId}`)],
        [400, caller.get("/signatures?limit=x")],
        [201, caller.post("/signatures", { signature_text: "Ann" })],
        [400, caller.post("/signatures", { signature_text: 1 })],
        [400, caller.post("/signatures", "{")],
        [404, caller.put(`/signatures/${unknownId}`, { signature_text: "Ann" })],
        [200, caller.get("/signatures")]
      ]
      for (const [index, [status, request]] of requests.entries()) {
        const answer = yield* request
        assert.deepStrictEqual([answer.status, remaining(answer)], [status, left - index - 1], answer.text)
      }
    })
  )

  it.effect("requests over the rate limit are rejected", () =>
    Effect.gen(function* () {
      const { remainingRequests: left, caller } = yield* rateLimitedCaller
      for (let i = left; i > 0; i--) assert.strictEqual(remaining(yield* caller.get("/lists")), i - 1)
      const { long, plain } = yield* bothWays(caller, "GET", "/lists")
      assert.deepStrictEqual([plain.status, long.status], [429, 429])
      assert.strictEqual(remaining(plain), 0)
    })
  )

  it.effect("a truncated body creates nothing, and a body in many packets creates one signature", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const caller = yield* newCaller()
      yield* caller.get("/signatures")
      const text = JSON.stringify({ signature_text: "Ann" })
      const head = [
        "POST /api/v1/signatures HTTP/1.1",
        "Host: a",
        `X-API-Key: ${caller.key}`,
        "Content-Type: application/json",
        `Content-Length: ${text.length}`,
        "Connection: close",
        "",
        ""
      ].join("\r\n")
      yield* exchange([head, text.slice(0, 5)], true)
      assert.strictEqual((yield* expectBody(200, caller.get("/signatures"))).total, 0)
      assert.match(yield* exchange([head, ...text]), /^HTTP\/1\.1 201 /)
      assert.strictEqual((yield* expectBody(200, caller.get("/signatures"))).total, 1)
    })
  )
})
