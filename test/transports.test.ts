// test/transports.test.ts: plain requests are answered straight from the socket and all others through the router, alike.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, expectBody } from "./support/answers.ts"
import { newCaller, type Caller, onboardedCaller } from "./support/callers.ts"
import { assetOptions, proposedCampaign } from "./support/campaigns.ts"
import { type Endpoint, authenticatedEndpoints, unknownId, pathOf, queries, sampleBodies } from "./support/endpoints.ts"
import { withWorkers } from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

/** What two answers to the same request may differ in. */
const volatile = ["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "content-length"]

const told = ({ headers, status, text }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !volatile.includes(name)),
  // Links are signed for a time that begins when they are asked for, and secrets are random.
  body: text.replace(
    /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|expires=\d+&signature=[0-9a-f]+|whsec_[\w+/=]+|ov[kl]_\w+/g,
    "~"
  )
})

const remaining = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"))

layer(Wire.layer, live)("on a socket", (it) => {
  /** Sends it as most clients do, and in a form that only the library reads: with a body in chunks, were it an empty one. */
  const bothWays = Effect.fnUntraced(function* (caller: Caller, method: string, path: string, sent?: string) {
    const { raw } = yield* Wire.Socket
    const key = ["X-API-Key", caller.key] as const
    const typed = sent === undefined ? [] : [["Content-Type", "application/json"] as const]
    const length = sent === undefined ? [] : [["Content-Length", String(Buffer.byteLength(sent))] as const]
    const plain = yield* raw(method, path, [key, ...typed, ...length], sent === undefined ? [] : [sent])
    const chunks = sent === undefined || sent === "" ? Wire.chunked() : Wire.chunked(sent)
    const long = yield* raw(method, path, [key, ...typed, ["Transfer-Encoding", "chunked"]], chunks)
    return { plain, long }
  })

  const alike = Effect.fnUntraced(function* (caller: Caller, method: string, path: string, sent?: string) {
    const { long, plain } = yield* bothWays(caller, method, path, sent)
    assert.deepStrictEqual(told(plain), told(long), `${method} ${path}`)
    return plain
  })

  const answered = new Set<string>()

  it.effect.each([...authenticatedEndpoints])("$name is answered alike on both ways", (endpoint: Endpoint) =>
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
      const own = endpoint.path.startsWith("/signatures") ? signature : campaign
      const sent = endpoint.takesBody ? JSON.stringify(sampleBodies[endpoint.name]) : undefined
      const ids = endpoint.method === "DELETE" ? [unknownId] : [own, unknownId, "none"]
      for (const id of endpoint.path.includes(":id") ? ids : [unknownId]) {
        const path = `${pathOf(endpoint, id)}${queries[endpoint.name] ?? ""}`
        const { status } = yield* alike(caller, endpoint.method, path, sent)
        if (status < 300) answered.add(endpoint.name)
        yield* alike(
          caller,
          endpoint.method,
          `${path}${path.includes("?") ? "&" : "?"}limit=x&required=0&offset=-1`,
          sent
        )
      }
      if (sent === undefined) return
      const path = pathOf(endpoint, own)
      const more = (field: string) => sent.replace("{", `{"more":${field},`)
      const deep = "[".repeat(70) + "]".repeat(70)
      const odd = ["", "{", "[]", "null", "\ufeff{}", more('"\\u0000"'), more('"\\ud800"'), more(deep), more("1")]
      for (const one of odd) yield* alike(caller, endpoint.method, path, one)
    })
  )

  it.effect("most of them were", () => Effect.sync(() => assert.isAbove(answered.size, 15, [...answered].join(", "))))

  it.effect("a selection says with its status whether it started the build", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* withWorkers()(
        Effect.flatMap(onboardedCaller(), (caller) =>
          Effect.map(proposedCampaign(caller), (campaign) => ({ campaign, caller }))
        )
      )
      for (const type of ["social_proof", "value_proposition"]) {
        const [option] = yield* assetOptions(caller, campaign, type)
        const sent = JSON.stringify({ selected_ids: [option?.id] })
        const { body, status } = yield* alike(caller, "PUT", `/campaigns/${campaign}/assets/${type}/selection`, sent)
        const stored = { asset_type: type, items_stored: 1 }
        if (type === "social_proof") assert.deepStrictEqual([status, body], [200, stored])
        else {
          const job = { id: body.job.id, type: "campaign.build", status: "processing" }
          assert.deepStrictEqual([status, body], [202, { ...stored, job }])
        }
      }
    })
  )

  it.effect("a page is what was asked for", () =>
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
        yield* alike(caller, "GET", `/signatures${query}`)
      }
      const page = yield* alike(caller, "GET", "/signatures?limit=2&offset=1")
      assert.deepStrictEqual(
        page.body.data.map((row: { readonly signature_text: string }) => row.signature_text),
        ["Bo", "Ann"]
      )
      assert.deepStrictEqual([page.body.has_more, page.body.total], [false, 3])
    })
  )

  it.effect("a key that may not, or is none, is refused alike", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller({ scopes: ["lists:read"] })
      yield* alike(caller, "GET", "/lists")
      assert.strictEqual((yield* alike(caller, "GET", "/signatures")).status, 403)
      assert.strictEqual((yield* alike(caller, "POST", "/signatures", `{"signature_text":"Ann"}`)).status, 403)
      const other = yield* newCaller()
      yield* other.get("/lists")
      const both = { headers: { authorization: `Bearer ${caller.key}` } }
      assert.deepStrictEqual(
        [(yield* caller.send("GET", "/lists", both)).status, (yield* other.send("GET", "/lists", both)).status],
        [200, 401]
      )
      assert.strictEqual((yield* alike({ ...caller, key: `${caller.key}x` }, "GET", "/lists")).status, 401)
      assert.strictEqual(
        (yield* alike({ ...caller, key: `${caller.key}, ${caller.key}` }, "GET", "/lists")).status,
        401
      )
    })
  )

  /** Of a plan by which a second gives back what one request took: these requests are answered sooner. */
  const counted = Effect.gen(function* () {
    const caller = yield* newCaller({ plan: "free" })
    for (let i = 0; i < 10; i++) yield* caller.get("/lists")
    return { caller, left: remaining(yield* caller.get("/lists")) }
  })

  it.effect("each is counted once, whatever comes of it", () =>
    Effect.gen(function* () {
      const { left, caller } = yield* counted
      const sent: ReadonlyArray<readonly [status: number, answer: Effect.Effect<Answer>]> = [
        [200, caller.get("/signatures")],
        [404, caller.get(`/lists/${unknownId}`)],
        [400, caller.get("/signatures?limit=x")],
        [201, caller.post("/signatures", { signature_text: "Ann" })],
        [400, caller.post("/signatures", { signature_text: 1 })],
        [400, caller.post("/signatures", "{")],
        [404, caller.put(`/signatures/${unknownId}`, { signature_text: "Ann" })],
        [200, caller.get("/signatures")]
      ]
      for (const [at, [status, sending]] of sent.entries()) {
        const answer = yield* sending
        assert.deepStrictEqual([answer.status, remaining(answer)], [status, left - at - 1], answer.text)
      }
    })
  )

  it.effect("too many requests are refused with a Retry-After", () =>
    Effect.gen(function* () {
      const { left, caller } = yield* counted
      for (let i = left; i > 0; i--) assert.strictEqual(remaining(yield* caller.get("/lists")), i - 1)
      const { long, plain } = yield* bothWays(caller, "GET", "/lists")
      assert.deepStrictEqual([plain.status, long.status], [429, 429])
      assert.strictEqual(remaining(plain), 0)
    })
  )

  it.effect("a body that breaks off, or comes in pieces, is one request or none", () =>
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
