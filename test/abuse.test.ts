// test/abuse.test.ts: what one caller sends must cost the others nothing: neither their turn nor the process's memory.
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

layer(Server.layer({ runsWorkers: false }), live)("a body in which very much is wrong", (it) => {
  const small = 100_000

  it.effect.each([
    ["PUT", `/campaigns/${unknownId}/assets/social_proof/selection`, `{"selected_ids":[${"1,".repeat(400_000)}1]}`],
    ["PUT", "/workspace/details", `{"guarantee":[${"1,".repeat(3000)}1]}`],
    [
      "PUT",
      `/campaigns/${unknownId}/assets/social_proof/selection`,
      JSON.stringify({
        selected_ids: [],
        edited_names: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, 1]))
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
  ] as const)("is refused in few words: %s %s", ([method, path, sent]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { body, status, text } = yield* caller.send(method, path, json(sent))
      assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
      assert.isBelow(text.length, small)
    })
  )

  it.effect("names every lead that cannot be written to, wherever it stands", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const wrong = [3, 250, 2999]
      const leads = Array.from({ length: 3000 }, (_, at) => (wrong.includes(at) ? { ...lead, email: "ida" } : lead))
      const sent = caller.post(`/campaigns/${unknownId}/generate-batch`, {
        leads,
        options: { ...options, email_count: 9 }
      })
      const { issues } = yield* expectError(400, "BAD_REQUEST", sent)
      assert.sameMembers(
        issues.map((issue: { readonly path: string }) => issue.path),
        [...wrong.map((at) => `leads.${at}.email`), "options.email_count"]
      )
    })
  )

  it.effect("with more values than any body needs is refused before it is parsed", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const sent of [
        `{"name":"A","x":[${"0,".repeat(4000)}0]}`,
        `{"name":"A","x":[${"[0,0,0],".repeat(100_000)}0]}`
      ]) {
        const { body, status } = yield* caller.send("POST", "/campaigns", json(sent))
        assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
        assert.match(body.message, /too many values/)
      }
    })
  )
})

layer(Server.layer(), live)("a search through long segments", (it) => {
  it.effect("gives others their turn meanwhile, and takes no more than 200 characters", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const other = yield* newCaller()
      const { id } = yield* expectBody(201, acme.post("/campaigns", { name: "Spring" }))
      const decision_makers = Array.from({ length: 100 }, () => "a".repeat(2000))
      for (let at = 0; at < 100; at++) {
        const target_audience = { segment_name: `Segment ${at}`, decision_makers }
        yield* expectBody(
          202,
          acme.post(`/campaigns/${id}/target-audience`, { is_custom_target_audience: true, target_audience })
        )
      }
      const ended: Array<string> = []
      const search = yield* Effect.forkChild(
        Effect.tap(acme.get(`/target-audiences?q=${"a".repeat(199)}b`), () => Effect.sync(() => ended.push("search")))
      )
      yield* Effect.yieldNow
      yield* Effect.tap(other.get("/credits"), () => Effect.sync(() => ended.push("other")))
      assert.deepStrictEqual((yield* Fiber.join(search)).body.data, [])
      assert.deepStrictEqual(ended, ["other", "search"])
      assert.strictEqual((yield* expectBody(200, acme.get("/target-audiences?q=segment%2099"))).total, 1)
      yield* expectError(400, "BAD_REQUEST", acme.get(`/target-audiences?q=${"a".repeat(201)}`))
    })
  )
})

const long = "A pump that stops costs a shift. ".repeat(150)

layer(
  Server.layer({
    writer: {
      segments: () =>
        Effect.succeed([
          {
            segment_name: long,
            industry_vertical: long,
            company_size: long,
            annual_revenue: long,
            geographic_location: long,
            decision_makers: Array.from({ length: 120 }, () => long),
            additional_details: long.repeat(5)
          }
        ]),
      options: () => Effect.succeed([{ name: long, description: long }])
    }
  }),
  live
)("what a writer makes of a long profile", (it) => {
  it.effect("is kept no longer than it may be, so that it can be read again", () =>
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

layer(Wire.layer, live)("large bodies that never end", (it) => {
  it.effect("leave their workspace two at once, small bodies all the while, and every other workspace its own", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const other = yield* newCaller()
      const { exchange, raw } = yield* Wire.Socket
      const path = `/campaigns/${unknownId}/generate-batch`
      const unended = exchange([
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
      const first = yield* Effect.forkChild(unended)
      yield* Effect.forkChild(unended)
      const waits = Effect.map(Effect.timeoutOption(send(acme.key, 100_000), "300 millis"), Option.isNone)
      yield* until(waits, (waited) => waited)
      assert.strictEqual((yield* send(acme.key, 1000)).status, 404)
      assert.strictEqual((yield* send(other.key, 100_000)).status, 404)
      const waiting = yield* Effect.forkChild(send(acme.key, 100_000))
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(waiting)).status, 404)
    })
  )
})

layer(Server.layer({ runsWorkers: false }), live)("lead files of one workspace, more than are read at once", (it) => {
  it.effect("leave the next turn to another workspace", () =>
    Effect.gen(function* () {
      const [acme, other] = [yield* newCaller(), yield* newCaller()]
      const long = `Email\n${Array.from({ length: 2000 }, (_, at) => `a${at}@north.example`).join("\n")}`
      const ended: Array<string> = []
      const send = Effect.fnUntraced(function* (caller: typeof acme, name: string, text: string) {
        const { body: form, headers } = new Response(upload("leads.csv", text).body)
        const content = yield* Effect.promise(() => new Response(form).arrayBuffer())
        // With its length a body of this size waits for no other.
        const sized = {
          "content-length": String(content.byteLength),
          "content-type": headers.get("content-type") ?? ""
        }
        yield* expectBody(200, caller.send("POST", "/lead-files", { body: content, headers: sized }))
        ended.push(name)
      })
      const many = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 9 }), () => send(acme, "acme", long), { concurrency: "unbounded" })
      )
      yield* until(
        Effect.sync(() => ended.length),
        (count) => count > 0
      )
      yield* send(other, "other", "Email\nann@north.example")
      assert.isBelow(ended.indexOf("other"), 6)
      yield* Fiber.join(many)
    })
  )
})

it.live("repeated requests for research run it once, for the latest request", () => {
  const released = Deferred.makeUnsafe<void>()
  let asked = 0
  const slow = () =>
    Effect.andThen(
      Effect.sync(() => void asked++),
      Effect.as(Deferred.await(released), "# Research")
    )
  return Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const { id } = yield* expectBody(201, acme.post("/campaigns", { name: "Spring" }))
    let job = ""
    for (let at = 0; at < 40; at++) {
      const target_audience = { segment_name: `Segment ${at}` }
      const sent = { is_custom_target_audience: true, target_audience }
      job = (yield* expectBody(202, acme.post(`/campaigns/${id}/target-audience`, sent))).id
    }
    // As many as workers take up at once have begun; of the others only the last is wanted still.
    yield* Deferred.succeed(released, undefined)
    yield* until(acme.get(`/jobs/${job}`), ({ body }) => body.status === "completed")
    assert.isAtMost(asked, 17)
    const { documents } = yield* expectBody(200, acme.get(`/campaigns/${id}/documents`))
    assert.strictEqual(documents[0].status, "ready")
  }).pipe(Effect.provide(Server.layer({ writer: { audienceResearch: slow } })))
})

layer(Server.layer(), live)("addresses that are notified of batches", (it) => {
  it.effect("are at most 200 a day in a workspace, whichever process took them, and none is kept by name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const acme = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* Campaigns.builtCampaign(acme)
      const tell = (notification_email: string, leads: ReadonlyArray<unknown> = [lead]) =>
        acme.post(`/campaigns/${campaign}/generate-batch`, { leads, options: { ...options, notification_email } })
      const known = sql<{ readonly digest: string }>`SELECT digest FROM recipients`
      yield* expectBody(202, tell("Ann@sales.example"))
      yield* expectBody(202, tell("ann@sales.example"))
      const [first, ...more] = yield* known
      assert.lengthOf(more, 0)
      assert.match(first?.digest ?? "", /^[0-9a-f]{64}$/)
      // As other processes would have.
      const at = yield* Clock.currentTimeMillis
      for (let i = 0; i < 198; i++) {
        yield* sql`
          INSERT INTO recipients (workspace_id, digest, named_at) VALUES (${acme.workspace}, ${`${i}`}, ${at - 80_000_000})`
      }
      yield* expectBody(202, tell("bo@sales.example"))
      yield* expectError(429, "WORKSPACE_LIMIT", tell("cy@sales.example"))
      assert.lengthOf(yield* known, 200, "a recipient without a mail is not counted")
      yield* expectBody(202, tell("bo@sales.example"))
      const other = yield* onboardedCaller()
      const theirs = yield* Campaigns.builtCampaign(other)
      const sent = { leads: [lead], options: { ...options, notification_email: "cy@sales.example" } }
      yield* expectBody(202, other.post(`/campaigns/${theirs}/generate-batch`, sent))
      yield* sql`UPDATE recipients SET named_at = ${at - 90_000_000} WHERE named_at < ${at}`
      yield* expectBody(202, tell("cy@sales.example"))
    })
  )
})

layer(Server.layer(), live)("a signed link", (it) => {
  it.effect("opens sixty times a minute, and another all the same", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { documents } = yield* expectBody(200, acme.get("/workspace"))
      const { send } = yield* Server.Server
      const [one = "", other = ""] = documents.map(({ download_url }: { readonly download_url: string }) => {
        const { pathname, search } = new URL(download_url, "http://test")
        return `/../..${pathname}${search}`
      })
      for (let at = 0; at < 60; at++) assert.strictEqual((yield* send("GET", one)).status, 200)
      const { body: said, headers, status } = yield* send("GET", one)
      assert.deepStrictEqual([status, said.error], [429, "RATE_LIMITED"])
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.strictEqual((yield* send("GET", other)).status, 200)
      // A forged signature is refused before the link's limit, and does not count against it.
      assert.strictEqual((yield* send("GET", one.replace("signature=", "signature=00"))).status, 403)
    })
  )
})
