// test/abuse.test.ts: extreme requests of one caller must not delay other workspaces or exhaust memory.
import { assert, it, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, json, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { lead, unknownId, options, upload } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"
import { until } from "./support/until.ts"

const live = { excludeTestServices: true }

layer(Server.layer({ runsWorkers: false }), live)("a body with very many errors", (it) => {
  const maxResponseLength = 100_000

  it.effect.each([
    ["PUT", `/campaigns/${unknownId}/assets/social_proof/selection`, `{"selected_ids":[${"1,".repeat(400_000)}1]}`],
    ["PUT", "/workspace/details", `{"guarantee":[${"1,".repeat(3000)}1]}`],
    [
      "PUT",
      `/campaigns/${unknownId}/assets/social_proof/selection`,
      JSON.stringify({
        selected_ids: [],
        edited_names: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1]))
      })
    ],
    [
      "POST",
      `/campaigns/${unknownId}/preview`,
      JSON.stringify({ sample: { headers: ["Email"], rows: Array(1000).fill(Array(100).fill(1)) }, options })
    ],
    ["POST", `/campaigns/${unknownId}/generate-batch`, `{"leads":[${"1,".repeat(2_000_000)}1],"options":{}}`],
    ["POST", `/campaigns/${unknownId}/generate-batch`, `{"leads":[${"1,".repeat(60_000)}1],"options":{}}`],
    ["POST", `/campaigns/${unknownId}/generate-batch`, `{"leads":[],"options":{},"x":[${"[[]],".repeat(90_000)}[]]}`]
  ] as const)("is refused with a short answer: %s %s", ([method, path, requestBody]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { body, status, text } = yield* caller.send(method, path, json(requestBody))
      assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
      assert.isBelow(text.length, maxResponseLength)
    })
  )

  it.effect("is refused with the path of every invalid lead", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const invalidIndexes = [3, 250, 2999]
      const leads = Array.from({ length: 3000 }, (_, index) =>
        invalidIndexes.includes(index) ? { ...lead, email: "ida" } : lead
      )
      const request = caller.post(`/campaigns/${unknownId}/generate-batch`, {
        leads,
        options: { ...options, email_count: 9 }
      })
      const { issues } = yield* expectError(400, "BAD_REQUEST", request)
      assert.sameMembers(
        issues.map((issue: { readonly path: string }) => issue.path),
        [...invalidIndexes.map((index) => `leads.${index}.email`), "options.email_count"]
      )
    })
  )

  it.effect("with too many values is refused before it is parsed", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const requestBody of [
        `{"name":"A","x":[${"0,".repeat(4000)}0]}`,
        `{"name":"A","x":[${"[0,0,0],".repeat(100_000)}0]}`
      ]) {
        const { body, status } = yield* caller.send("POST", "/campaigns", json(requestBody))
        assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
        assert.match(body.message, /too many values/)
      }
    })
  )
})

layer(Server.layer(), live)("a search in long target audiences", (it) => {
  it.effect("does not block requests of other workspaces, and accepts at most 200 characters", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const other = yield* newCaller()
      const { id } = yield* expectBody(201, acme.post("/campaigns", { name: "Spring" }))
      const decision_makers = Array.from({ length: 100 }, () => "a".repeat(2000))
      for (let index = 0; index < 100; index++) {
        const target_audience = { segment_name: `Segment ${index}`, decision_makers }
        yield* expectBody(
          202,
          acme.post(`/campaigns/${id}/target-audience`, { is_custom_target_audience: true, target_audience })
        )
      }
      const finished: Array<string> = []
      const search = yield* Effect.forkChild(
        Effect.tap(acme.get(`/target-audiences?q=${"a".repeat(199)}b`), () =>
          Effect.sync(() => finished.push("search"))
        )
      )
      yield* Effect.yieldNow
      yield* Effect.tap(other.get("/credits"), () => Effect.sync(() => finished.push("other")))
      assert.deepStrictEqual((yield* Fiber.join(search)).body.data, [])
      assert.deepStrictEqual(finished, ["other", "search"])
      assert.strictEqual((yield* expectBody(200, acme.get("/target-audiences?q=segment%2099"))).total, 1)
      yield* expectError(400, "BAD_REQUEST", acme.get(`/target-audiences?q=${"a".repeat(201)}`))
    })
  )
})

const longText = "A pump that stops costs a shift. ".repeat(150)

layer(
  Server.layer({
    writer: {
      segments: () =>
        Effect.succeed([
          {
            segment_name: longText,
            industry_vertical: longText,
            company_size: longText,
            annual_revenue: longText,
            geographic_location: longText,
            decision_makers: Array.from({ length: 120 }, () => longText),
            additional_details: longText.repeat(5)
          }
        ]),
      options: () => Effect.succeed([{ name: longText, description: longText }])
    }
  }),
  live
)("overlong output of the writer", (it) => {
  it.effect("is cut to the maximum lengths of the contract when it is stored", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const [segment] = (yield* expectBody(200, acme.get("/target-audiences"))).data
      assert.deepStrictEqual(
        [segment.segment_name.length, segment.decision_makers.length, segment.additional_details.length],
        [2000, 100, 10_000]
      )
      const { id } = yield* expectBody(201, acme.post("/campaigns", { name: "Spring" }))
      const { options } = yield* expectBody(200, acme.get(`/campaigns/${id}/assets/lead_magnet/options`))
      assert.deepStrictEqual([options[0].name.length, options[0].description.length], [2000, 2000])
      yield* expectBody(202, acme.post("/workspace/regenerate"))
      yield* until(acme.get("/workspace"), ({ body }) => body.documents[0].status === "ready")
    })
  )
})

layer(Wire.layer, live)("large request bodies that are never completed", (it) => {
  it.effect("occupy only the two large-body slots of their own workspace", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const other = yield* newCaller()
      const { exchange, raw } = yield* Wire.Socket
      const path = `/campaigns/${unknownId}/generate-batch`
      const sendUnfinishedBody = exchange([
        `POST /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${acme.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${32 * 1024 * 1024}\r\n\r\n{`
      ])
      const send = (key: string, bytes: number) => {
        const text = JSON.stringify({ leads: [lead], options, unknown: " ".repeat(bytes) })
        const headers = [
          ["X-API-Key", key],
          ["Content-Type", "application/json"],
          ["Content-Length", String(Buffer.byteLength(text))]
        ] as const
        return raw("POST", path, headers, [text])
      }
      const first = yield* Effect.forkChild(sendUnfinishedBody)
      yield* Effect.forkChild(sendUnfinishedBody)
      const isWaiting = Effect.map(Effect.timeoutOption(send(acme.key, 100_000), "300 millis"), Option.isNone)
      yield* until(isWaiting, (waited) => waited)
      assert.strictEqual((yield* send(acme.key, 1000)).status, 404)
      assert.strictEqual((yield* send(other.key, 100_000)).status, 404)
      const waitingUpload = yield* Effect.forkChild(send(acme.key, 100_000))
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(waitingUpload)).status, 404)
    })
  )
})

layer(Server.layer({ runsWorkers: false }), live)("more lead files of one workspace than are parsed at once", (it) => {
  it.effect("do not delay the file of another workspace", () =>
    Effect.gen(function* () {
      const [acme, other] = [yield* newCaller(), yield* newCaller()]
      const longFile = `Email\n${Array.from({ length: 2000 }, (_, index) => `a${index}@north.example`).join("\n")}`
      const finished: Array<string> = []
      const send = Effect.fnUntraced(function* (caller: typeof acme, name: string, text: string) {
        const { body: form, headers } = new Response(upload("leads.csv", text).body)
        const content = yield* Effect.promise(() => new Response(form).arrayBuffer())
        // A body of this size with a Content-Length does not wait for a large-body slot.
        const headersWithLength = {
          "content-length": String(content.byteLength),
          "content-type": headers.get("content-type") ?? ""
        }
        yield* expectBody(200, caller.send("POST", "/lead-files", { body: content, headers: headersWithLength }))
        finished.push(name)
      })
      const uploads = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 9 }), () => send(acme, "acme", longFile), { concurrency: "unbounded" })
      )
      yield* until(
        Effect.sync(() => finished.length),
        (count) => count > 0
      )
      yield* send(other, "other", "Email\nann@north.example")
      assert.isBelow(finished.indexOf("other"), 6)
      yield* Fiber.join(uploads)
    })
  )
})

it.live("repeated requests for research run it once, for the latest request", () => {
  const released = Deferred.makeUnsafe<void>()
  let researchRuns = 0
  const slowResearch = () =>
    Effect.andThen(
      Effect.sync(() => void researchRuns++),
      Effect.as(Deferred.await(released), "# Research")
    )
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const { id } = yield* expectBody(201, acme.post("/campaigns", { name: "Spring" }))
    let jobId = ""
    for (let index = 0; index < 40; index++) {
      const target_audience = { segment_name: `Segment ${index}` }
      const request = { is_custom_target_audience: true, target_audience }
      jobId = (yield* expectBody(202, acme.post(`/campaigns/${id}/target-audience`, request))).id
    }
    // The workers have started as many jobs as they run at once; of the others only the latest request still matters.
    yield* Deferred.succeed(released, undefined)
    yield* until(acme.get(`/jobs/${jobId}`), ({ body }) => body.status === "completed")
    assert.isAtMost(researchRuns, 17)
    const { documents } = yield* expectBody(200, acme.get(`/campaigns/${id}/documents`))
    assert.strictEqual(documents[0].status, "ready")
  }).pipe(Effect.provide(Server.layer({ writer: { audienceResearch: slowResearch } })))
})

layer(Server.layer(), live)("notification addresses", (it) => {
  it.effect("are limited to 200 a day per workspace, and stored only as hashes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* Campaigns.builtCampaign(acme)
      const generateNotifying = (notification_email: string, leads: ReadonlyArray<unknown> = [lead]) =>
        acme.post(`/campaigns/${campaign}/generate-batch`, { leads, options: { ...options, notification_email } })
      const recipients = sql<{ readonly digest: string }>`SELECT digest FROM recipients`
      yield* expectBody(202, generateNotifying("Ann@sales.example"))
      yield* expectBody(202, generateNotifying("ann@sales.example"))
      const [first, ...others] = yield* recipients
      assert.lengthOf(others, 0)
      assert.match(first?.digest ?? "", /^[0-9a-f]{64}$/)
      // Simulates recipients stored by other processes.
      const now = yield* Clock.currentTimeMillis
      for (let i = 0; i < 198; i++) {
        yield* sql`
          INSERT INTO recipients (workspace_id, digest, named_at) VALUES (${acme.workspace}, ${`${i}`}, ${now - 80_000_000})`
      }
      yield* expectBody(202, generateNotifying("bo@sales.example"))
      yield* expectError(429, "WORKSPACE_LIMIT", generateNotifying("cy@sales.example"))
      assert.lengthOf(yield* recipients, 200, "a recipient without a mail is not counted")
      yield* expectBody(202, generateNotifying("bo@sales.example"))
      const other = yield* onboardedCaller()
      const otherCampaign = yield* Campaigns.builtCampaign(other)
      const request = { leads: [lead], options: { ...options, notification_email: "cy@sales.example" } }
      yield* expectBody(202, other.post(`/campaigns/${otherCampaign}/generate-batch`, request))
      yield* sql`UPDATE recipients SET named_at = ${now - 90_000_000} WHERE named_at < ${now}`
      yield* expectBody(202, generateNotifying("cy@sales.example"))
    })
  )
})

layer(Server.layer(), live)("a signed download link", (it) => {
  it.effect("opens sixty times a minute, with a limit of its own for each link", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { documents } = yield* expectBody(200, acme.get("/workspace"))
      const { send } = yield* Server.Server
      const [link = "", otherLink = ""] = documents.map(({ download_url }: { readonly download_url: string }) => {
        const { pathname, search } = new URL(download_url, "http://test")
        return `/../..${pathname}${search}`
      })
      for (let index = 0; index < 60; index++) assert.strictEqual((yield* send("GET", link)).status, 200)
      const { body: errorBody, headers, status } = yield* send("GET", link)
      assert.deepStrictEqual([status, errorBody.error], [429, "RATE_LIMITED"])
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.strictEqual((yield* send("GET", otherLink)).status, 200)
      // A forged signature is refused before the link's limit, and does not count against it.
      assert.strictEqual((yield* send("GET", link.replace("signature=", "signature=00"))).status, 403)
    })
  )
})
