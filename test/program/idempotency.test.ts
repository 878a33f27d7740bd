// test/program/idempotency.test.ts: what a retry under the same Idempotency-Key gets.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { Idempotency } from "#layers/Idempotency.ts"
import { newCaller, type Caller, idempotentJson, onboardedCaller } from "../support/callers.ts"
import { builtCampaign, createCampaign, assetOptions, proposedCampaign, selectAudience } from "../support/campaigns.ts"
import { lead } from "../support/endpoints.ts"
import { dropTable, layer } from "../support/server.ts"
import { until } from "../support/until.ts"

const sendWithKey = (caller: Caller, key: string, method: string, path: string, body: unknown) =>
  caller.send(method, path, idempotentJson(key, body))

describe("Idempotency-Key", () => {
  it.live("answers a retry with the first answer, marked, and does nothing again", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const first = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const again = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([first.status, again.status], [201, 201])
      assert.strictEqual(again.text, first.text)
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.notStrictEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"))
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("refuses the key with another body, and takes it on another path or in another workspace", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const other = yield* onboardedCaller()
      yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const reused = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([reused.status, reused.body.error], [409, "CONFLICT"])

      const campaign = yield* createCampaign(caller)
      const { id, segment_name } = (yield* caller.get("/target-audiences")).body.data[0]
      const target_audience = { id, segment_name }
      const path = `/campaigns/${campaign}/target-audience`
      const linked = yield* sendWithKey(caller, "a", "POST", path, { target_audience })
      assert.strictEqual(linked.status, 202)
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", path, { target_audience })).text, linked.text)
      assert.strictEqual((yield* sendWithKey(other, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)
    }).pipe(Effect.provide(layer()))
  )

  const steps: ReadonlyArray<{
    readonly name: string
    readonly status: number
    readonly method?: string
    /** The request, without what tells two of its bodies apart. */
    readonly ask: (caller: Caller, campaign: string) => Effect.Effect<readonly [path: string, body: object]>
  }> = [
    { name: "a new campaign", status: 201, ask: () => Effect.succeed(["/campaigns", { name: "Spring" }]) },
    {
      name: "a target audience",
      status: 202,
      ask: (_, campaign) =>
        Effect.succeed([
          `/campaigns/${campaign}/target-audience`,
          { target_audience: { segment_name: "Ferries" }, is_custom_target_audience: true }
        ])
    },
    {
      name: "a selection",
      method: "PUT",
      status: 200,
      ask: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/assets/social_proof/selection`, { selected_ids: [] }])
    },
    {
      name: "a selection of value propositions",
      method: "PUT",
      status: 202,
      ask: (caller, campaign) =>
        Effect.map(assetOptions(caller, campaign, "value_proposition"), ([option]) => [
          `/campaigns/${campaign}/assets/value_proposition/selection`,
          { selected_ids: [option?.id] }
        ])
    },
    {
      name: "a branch",
      status: 201,
      ask: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/branch`, { name: "Autumn", branch_from_step: "lead-magnets" }])
    }
  ]
  it.live.each(steps)("holds for $name: one answer, one piece of work, no other body", ({ ask, method, status }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const [path, sent] = yield* ask(caller, yield* proposedCampaign(caller))
      const send = (key: string, more: object = {}) =>
        sendWithKey(caller, key, method ?? "POST", path, { ...sent, ...more })
      const first = yield* send("a")
      assert.strictEqual(first.status, status, first.text)
      const made = sql`SELECT (SELECT count(*) FROM campaigns) AS campaigns, (SELECT count(*) FROM jobs) AS jobs`
      const before = yield* made
      const again = yield* send("a")
      assert.deepStrictEqual([again.status, again.text], [status, first.text])
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      const { body, status: conflict } = yield* send("a", { nobody: "knows" })
      assert.deepStrictEqual([conflict, body.error], [409, "CONFLICT"])
      assert.deepStrictEqual(yield* made, before)
      const other = yield* send("b", { nobody: "knows" })
      assert.strictEqual(other.status, status)
      assert.isNull(other.headers.get("idempotent-replayed"))
    }).pipe(Effect.provide(layer()))
  )

  it.live("counts the body of a POST that declares none", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const path = `/campaigns/${yield* proposedCampaign(caller)}/assets/value_proposition/generate`
      const headers = { "idempotency-key": "a" }
      const first = yield* caller.send("POST", path, { headers })
      assert.strictEqual(first.status, 202, first.text)
      assert.strictEqual((yield* caller.send("POST", path, { headers })).text, first.text)
      for (const sent of ["{}", "\u0000", "x".repeat(70_000)]) {
        const other = yield* caller.send("POST", path, { headers, body: sent })
        assert.deepStrictEqual([other.status, other.body.error], [409, "CONFLICT"])
      }
      const large = yield* caller.send("POST", path, { headers, body: "x".repeat(1024 * 1024 + 1) })
      assert.deepStrictEqual([large.status, large.body.error], [400, "BAD_REQUEST"])
      const withBody = { headers: { "idempotency-key": "b" }, body: "{}" }
      const another = yield* caller.send("POST", path, withBody)
      assert.strictEqual((yield* caller.send("POST", path, withBody)).text, another.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("stands for the body as it was sent, to the letter", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const send = (text: string) => sendWithKey(caller, "a", "POST", "/campaigns", text)
      const first = yield* send('{"name":"Spring"}')
      for (const text of ['{"name": "Spring"}', '{"name":"Spring"}\n', '{"name":" Spring"}']) {
        const { body, status } = yield* send(text)
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"], text)
      }
      assert.strictEqual((yield* send('{"name":"Spring"}')).text, first.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("may be anything visible of 1 to 255 characters", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      for (const key of ["a", "x".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]) {
        const first = yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })
        assert.strictEqual(first.status, 201)
        assert.strictEqual((yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })).text, first.text)
      }
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("means nothing elsewhere: the same again is done again, and charged again", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const more = { options: { email_count: 1, email_signature: "Bo" } }
      for (const key of ["a", "a b", "", "x".repeat(300)]) {
        for (const [method, path, status, sent] of [
          ["POST", "/signatures", 201, { signature_text: "Ann" }],
          ["PATCH", `/campaigns/${campaign}`, 200, { name: "Autumn" }],
          ["POST", `/campaigns/${campaign}/generate`, 200, { lead, ...more }],
          ["POST", `/campaigns/${campaign}/generate-batch`, 202, { leads: [lead], ...more }]
        ] as const) {
          const answers = yield* Effect.forEach([1, 2], (x) => sendWithKey(caller, key, method, path, { ...sent, x }))
          for (const answer of answers) {
            assert.strictEqual(answer.status, status)
            assert.isNull(answer.headers.get("idempotent-replayed"))
          }
        }
      }
      assert.strictEqual((yield* caller.get("/signatures")).body.total, 8)
      yield* until(caller.get("/lists?status=completed"), ({ body }) => body.total === 16)
      assert.strictEqual((yield* caller.get("/credits")).body.usage.total_credits_used_all_time, 16)
    }).pipe(Effect.provide(layer()))
  )

  it.live("replays selections and the start of value propositions as they were", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      yield* selectAudience(caller, campaign)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
        const path = `/campaigns/${campaign}/assets/${type}/selection`
        const first = yield* sendWithKey(caller, "s", "PUT", path, { selected_ids: [] })
        assert.strictEqual(first.status, 200)
        assert.strictEqual((yield* sendWithKey(caller, "s", "PUT", path, { selected_ids: [] })).text, first.text)
      }
      const path = `/campaigns/${campaign}/assets/value_proposition/generate`
      const started = yield* sendWithKey(caller, "g", "POST", path, {})
      assert.strictEqual(started.status, 202)
      assert.strictEqual((yield* sendWithKey(caller, "g", "POST", path, {})).text, started.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("does the work once for twins that arrive together", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const ask = sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const concurrentAnswers = yield* Effect.all(
        Array.from({ length: 8 }, () => ask),
        { concurrency: "unbounded" }
      )
      const made = concurrentAnswers.filter(({ status }) => status === 201)
      assert.strictEqual(new Set(made.map(({ text }) => text)).size, 1)
      // The others came while it was being made.
      for (const { body, status } of concurrentAnswers.filter((concurrentAnswer) => !made.includes(concurrentAnswer))) {
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"])
      }
      assert.strictEqual((yield* ask).text, made[0]?.text)
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("in flight gets a Retry-After", () => {
    const inFlight = () => Effect.succeed("in flight" as const)
    const busy = { once: inFlight, prepared: inFlight, begin: () => Effect.never, end: () => Effect.void }
    return Effect.gen(function* () {
      const caller = yield* newCaller()
      const { body, headers, status } = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([status, body.error, headers.get("retry-after")], [409, "CONFLICT", "5"])
    }).pipe(Effect.provide(layer({ override: Context.make(Idempotency, busy), runsWorkers: false })))
  })

  it.live("is freed by a refusal and by a crash", () =>
    Effect.gen(function* () {
      const early = yield* newCaller()
      for (const name of ["Spring", "Autumn"]) {
        const { body, status } = yield* sendWithKey(early, "a", "POST", "/campaigns", { name })
        assert.deepStrictEqual([status, body.error], [409, "NOT_READY"])
      }

      const caller = yield* onboardedCaller()
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: " " })).status, 400)
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)

      yield* dropTable("campaigns")
      const broken = yield* sendWithKey(caller, "b", "POST", "/campaigns", { name: "Spring" })
      const again = yield* sendWithKey(caller, "b", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([broken.status, again.status], [500, 500])
    }).pipe(Effect.provide(layer()))
  )

  it.live.each([
    ["nothing", ""],
    ["a space", "a b"],
    ["256 characters", "x".repeat(256)]
  ] as const)("refuses %s for a key", ([, key]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const refused = yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([refused.status, refused.body.error], [400, "BAD_REQUEST"])
      assert.include(refused.body.message, "idempotency-key")
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )
})

const options = { email_count: 1, email_signature: "Bo", idempotent: true }

const makeLeads = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `lead${i}@north.example` }))

/** Sends a batch that asks for its key to be honoured. */
const batch = (caller: Caller, campaign: string, key: string, count: number, more: object = {}) =>
  sendWithKey(caller, key, "POST", `/campaigns/${campaign}/generate-batch`, {
    leads: makeLeads(count),
    options,
    ...more
  })

const listsOf = (caller: Caller) => Effect.map(caller.get("/lists"), ({ body }) => body.total as number)

describe("a batch that asks for its Idempotency-Key to be honoured", () => {
  it.live("is one list and one charge, however often it is sent", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const first = yield* batch(caller, campaign, "a", 3)
      assert.strictEqual(first.status, 202)
      assert.isNull(first.headers.get("idempotent-replayed"))
      const early = yield* batch(caller, campaign, "a", 3)
      yield* until(caller.get("/lists?status=completed"), ({ body }) => body.total === 1)
      const late = yield* batch(caller, campaign, "a", 3)
      for (const again of [early, late]) {
        assert.deepStrictEqual([again.status, again.text], [202, first.text])
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      }
      // Also where the list is gone: the request was carried out.
      assert.strictEqual((yield* caller.delete(`/lists/${first.body.list_id}`)).status, 200)
      assert.strictEqual((yield* batch(caller, campaign, "a", 3)).text, first.text)
      assert.strictEqual(yield* listsOf(caller), 0)
      assert.strictEqual((yield* caller.get("/credits")).body.usage.total_credits_used_all_time, 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("answers a retry with the leads that were left out and the notices of the first answer", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const sent = { options: { ...options, skip_duplicates: true }, leads: [...makeLeads(2), ...makeLeads(1)] }
      const first = yield* batch(caller, campaign, "a", 0, sent)
      assert.deepInclude(first.body.skipped, { duplicate: 1 })
      assert.strictEqual((yield* batch(caller, campaign, "a", 0, sent)).text, first.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is refused with another body, and another list under another key or campaign", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "scale" })
      const campaign = yield* builtCampaign(caller)
      const other = yield* builtCampaign(caller)
      const { body } = yield* batch(caller, campaign, "a", 2)
      for (const more of [{ leads: makeLeads(3) }, { options: { ...options, email_count: 2 } }, { unknown: true }]) {
        const reused = yield* batch(caller, campaign, "a", 2, more)
        assert.deepStrictEqual([reused.status, reused.body.error], [409, "CONFLICT"])
      }
      assert.strictEqual(yield* listsOf(caller), 1)
      const ids = [
        body.list_id,
        (yield* batch(caller, campaign, "b", 2)).body.list_id,
        (yield* batch(caller, other, "a", 2)).body.list_id
      ]
      assert.strictEqual(new Set(ids).size, 3)
      assert.strictEqual(yield* listsOf(caller), 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is one list for twins that arrive together", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const ask = batch(caller, campaign, "a", 1500)
      const concurrentAnswers = yield* Effect.all(
        Array.from({ length: 6 }, () => ask),
        { concurrency: "unbounded" }
      )
      const accepted = concurrentAnswers.filter(({ status }) => status === 202)
      assert.isNotEmpty(accepted)
      for (const { body, headers, status } of concurrentAnswers.filter(
        (concurrentAnswer) => !accepted.includes(concurrentAnswer)
      )) {
        assert.deepStrictEqual([status, body.error, headers.get("retry-after")], [409, "CONFLICT", "5"])
      }
      assert.strictEqual(new Set([...accepted, yield* ask].map(({ text }) => text)).size, 1)
      assert.strictEqual(yield* listsOf(caller), 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("needs a key of 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const without = yield* caller.post(`/campaigns/${campaign}/generate-batch`, { leads: makeLeads(1), options })
      const wrong = yield* Effect.forEach(["", "a b", "x".repeat(256)], (key) => batch(caller, campaign, key, 1))
      for (const { body, status } of [without, ...wrong]) {
        assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
        assert.deepStrictEqual(body.detail.issues[0].path, "idempotency-key")
      }
      assert.strictEqual(yield* listsOf(caller), 0)
      for (const idempotent of [false, null]) {
        const asked = { leads: makeLeads(1), options: { ...options, idempotent } }
        assert.isNull((yield* batch(caller, campaign, "a", 1, asked)).headers.get("idempotent-replayed"))
      }
      assert.strictEqual(yield* listsOf(caller), 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("frees its key where it is refused or breaks", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* proposedCampaign(caller)
      assert.strictEqual((yield* batch(caller, campaign, "a", 1)).status, 400)
      const ready = yield* builtCampaign(caller)
      assert.strictEqual((yield* batch(caller, ready, "a", 50_000)).status, 402)
      assert.strictEqual((yield* batch(caller, ready, "a", 1)).status, 202)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is known by the SHA-256 of its body, also where a character spans two of the pieces that are hashed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller({ plan: "scale" })
      const campaign = yield* builtCampaign(caller)
      for (const pad of ["", "x"]) {
        const sent = JSON.stringify({ note: pad + "😀".repeat(600_000), leads: makeLeads(1), options })
        const { status } = yield* sendWithKey(
          caller,
          `key${pad}`,
          "POST",
          `/campaigns/${campaign}/generate-batch`,
          sent
        )
        assert.strictEqual(status, 202)
        const [row] = yield* sql`SELECT fingerprint FROM idempotency_keys WHERE key = ${`key${pad}`}`
        assert.strictEqual(row?.["fingerprint"], createHash("sha256").update(sent).digest("hex"))
      }
    }).pipe(Effect.provide(layer()))
  )
})
