// test/program/idempotency.test.ts: the answers to retries with the same Idempotency-Key.
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
  it.live("answers a retry with the first answer and Idempotent-Replayed, and does nothing again", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const firstAnswer = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const retryAnswer = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([firstAnswer.status, retryAnswer.status], [201, 201])
      assert.strictEqual(retryAnswer.text, firstAnswer.text)
      assert.isNull(firstAnswer.headers.get("idempotent-replayed"))
      assert.strictEqual(retryAnswer.headers.get("idempotent-replayed"), "true")
      assert.notStrictEqual(retryAnswer.headers.get("x-request-id"), firstAnswer.headers.get("x-request-id"))
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("refuses the key with another body, and accepts it on another path or in another workspace", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const otherCaller = yield* onboardedCaller()
      yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const conflict = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([conflict.status, conflict.body.error], [409, "CONFLICT"])

      const campaign = yield* createCampaign(caller)
      const { id, segment_name } = (yield* caller.get("/target-audiences")).body.data[0]
      const target_audience = { id, segment_name }
      const path = `/campaigns/${campaign}/target-audience`
      const audienceAnswer = yield* sendWithKey(caller, "a", "POST", path, { target_audience })
      assert.strictEqual(audienceAnswer.status, 202)
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", path, { target_audience })).text, audienceAnswer.text)
      assert.strictEqual((yield* sendWithKey(otherCaller, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)
    }).pipe(Effect.provide(layer()))
  )

  const steps: ReadonlyArray<{
    readonly name: string
    readonly status: number
    readonly method?: string
    /** Builds the request. */
    readonly buildRequest: (caller: Caller, campaign: string) => Effect.Effect<readonly [path: string, body: object]>
  }> = [
    { name: "a new campaign", status: 201, buildRequest: () => Effect.succeed(["/campaigns", { name: "Spring" }]) },
    {
      name: "a target audience",
      status: 202,
      buildRequest: (_, campaign) =>
        Effect.succeed([
          `/campaigns/${campaign}/target-audience`,
          { target_audience: { segment_name: "Ferries" }, is_custom_target_audience: true }
        ])
    },
    {
      name: "a selection",
      method: "PUT",
      status: 200,
      buildRequest: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/assets/social_proof/selection`, { selected_ids: [] }])
    },
    {
      name: "a selection of value propositions",
      method: "PUT",
      status: 202,
      buildRequest: (caller, campaign) =>
        Effect.map(assetOptions(caller, campaign, "value_proposition"), ([option]) => [
          `/campaigns/${campaign}/assets/value_proposition/selection`,
          { selected_ids: [option?.id] }
        ])
    },
    {
      name: "a branch",
      status: 201,
      buildRequest: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/branch`, { name: "Autumn", branch_from_step: "lead-magnets" }])
    }
  ]
  it.live.each(steps)(
    "works for $name: one answer, one change, and no other body",
    ({ buildRequest: ask, method, status }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const caller = yield* onboardedCaller()
        const [path, requestBody] = yield* ask(caller, yield* proposedCampaign(caller))
        const send = (key: string, extraFields: object = {}) =>
          sendWithKey(caller, key, method ?? "POST", path, { ...requestBody, ...extraFields })
        const firstAnswer = yield* send("a")
        assert.strictEqual(firstAnswer.status, status, firstAnswer.text)
        const countRows = sql`SELECT (SELECT count(*) FROM campaigns) AS campaigns, (SELECT count(*) FROM jobs) AS jobs`
        const rowsBefore = yield* countRows
        const retryAnswer = yield* send("a")
        assert.deepStrictEqual([retryAnswer.status, retryAnswer.text], [status, firstAnswer.text])
        assert.strictEqual(retryAnswer.headers.get("idempotent-replayed"), "true")
        const { body, status: conflict } = yield* send("a", { unknown_field: "x" })
        assert.deepStrictEqual([conflict, body.error], [409, "CONFLICT"])
        assert.deepStrictEqual(yield* countRows, rowsBefore)
        const otherAnswer = yield* send("b", { unknown_field: "x" })
        assert.strictEqual(otherAnswer.status, status)
        assert.isNull(otherAnswer.headers.get("idempotent-replayed"))
      }).pipe(Effect.provide(layer()))
  )

  it.live("compares the body of a POST that declares none", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const path = `/campaigns/${yield* proposedCampaign(caller)}/assets/value_proposition/generate`
      const headers = { "idempotency-key": "a" }
      const firstAnswer = yield* caller.send("POST", path, { headers })
      assert.strictEqual(firstAnswer.status, 202, firstAnswer.text)
      assert.strictEqual((yield* caller.send("POST", path, { headers })).text, firstAnswer.text)
      for (const otherBody of ["{}", "\u0000", "x".repeat(70_000)]) {
        const otherAnswer = yield* caller.send("POST", path, { headers, body: otherBody })
        assert.deepStrictEqual([otherAnswer.status, otherAnswer.body.error], [409, "CONFLICT"])
      }
      const large = yield* caller.send("POST", path, { headers, body: "x".repeat(1024 * 1024 + 1) })
      assert.deepStrictEqual([large.status, large.body.error], [400, "BAD_REQUEST"])
      const withBody = { headers: { "idempotency-key": "b" }, body: "{}" }
      const answerWithBody = yield* caller.send("POST", path, withBody)
      assert.strictEqual((yield* caller.send("POST", path, withBody)).text, answerWithBody.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is bound to the exact bytes of the body", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const send = (text: string) => sendWithKey(caller, "a", "POST", "/campaigns", text)
      const firstAnswer = yield* send('{"name":"Spring"}')
      for (const text of ['{"name": "Spring"}', '{"name":"Spring"}\n', '{"name":" Spring"}']) {
        const { body, status } = yield* send(text)
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"], text)
      }
      assert.strictEqual((yield* send('{"name":"Spring"}')).text, firstAnswer.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("may be any 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      for (const key of ["a", "x".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]) {
        const firstAnswer = yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })
        assert.strictEqual(firstAnswer.status, 201)
        assert.strictEqual(
          (yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })).text,
          firstAnswer.text
        )
      }
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is ignored by other endpoints: the same request runs and is charged again", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const batchOptions = { options: { email_count: 1, email_signature: "Bo" } }
      for (const key of ["a", "a b", "", "x".repeat(300)]) {
        for (const [method, path, status, requestBody] of [
          ["POST", "/signatures", 201, { signature_text: "Ann" }],
          ["PATCH", `/campaigns/${campaign}`, 200, { name: "Autumn" }],
          ["POST", `/campaigns/${campaign}/generate`, 200, { lead, ...batchOptions }],
          ["POST", `/campaigns/${campaign}/generate-batch`, 202, { leads: [lead], ...batchOptions }]
        ] as const) {
          const answers = yield* Effect.forEach([1, 2], (x) =>
            sendWithKey(caller, key, method, path, { ...requestBody, x })
          )
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

  it.live("replays selections and the start of value propositions", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      yield* selectAudience(caller, campaign)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
        const path = `/campaigns/${campaign}/assets/${type}/selection`
        const firstAnswer = yield* sendWithKey(caller, "s", "PUT", path, { selected_ids: [] })
        assert.strictEqual(firstAnswer.status, 200)
        assert.strictEqual((yield* sendWithKey(caller, "s", "PUT", path, { selected_ids: [] })).text, firstAnswer.text)
      }
      const path = `/campaigns/${campaign}/assets/value_proposition/generate`
      const generationAnswer = yield* sendWithKey(caller, "g", "POST", path, {})
      assert.strictEqual(generationAnswer.status, 202)
      assert.strictEqual((yield* sendWithKey(caller, "g", "POST", path, {})).text, generationAnswer.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("runs the request once when identical requests arrive together", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const sendCampaign = sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      const concurrentAnswers = yield* Effect.all(
        Array.from({ length: 8 }, () => sendCampaign),
        { concurrency: "unbounded" }
      )
      const createdAnswers = concurrentAnswers.filter(({ status }) => status === 201)
      assert.strictEqual(new Set(createdAnswers.map(({ text }) => text)).size, 1)
      // The other requests arrived while the first was in progress.
      for (const { body, status } of concurrentAnswers.filter(
        (concurrentAnswer) => !createdAnswers.includes(concurrentAnswer)
      )) {
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"])
      }
      assert.strictEqual((yield* sendCampaign).text, createdAnswers[0]?.text)
      assert.strictEqual((yield* caller.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("of a request in progress gets a Retry-After", () => {
    const inFlight = () => Effect.succeed("in flight" as const)
    const busyIdempotency = {
      once: inFlight,
      onceWithPreparation: inFlight,
      begin: () => Effect.never,
      end: () => Effect.void
    }
    return Effect.gen(function* () {
      const caller = yield* newCaller()
      const { body, headers, status } = yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([status, body.error, headers.get("retry-after")], [409, "CONFLICT", "5"])
    }).pipe(Effect.provide(layer({ override: Context.make(Idempotency, busyIdempotency), runsWorkers: false })))
  })

  it.live("can be used again after a refused request and after a crash", () =>
    Effect.gen(function* () {
      const callerWithoutProfile = yield* newCaller()
      for (const name of ["Spring", "Autumn"]) {
        const { body, status } = yield* sendWithKey(callerWithoutProfile, "a", "POST", "/campaigns", { name })
        assert.deepStrictEqual([status, body.error], [409, "NOT_READY"])
      }

      const caller = yield* onboardedCaller()
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: " " })).status, 400)
      assert.strictEqual((yield* sendWithKey(caller, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)

      yield* dropTable("campaigns")
      const failedAnswer = yield* sendWithKey(caller, "b", "POST", "/campaigns", { name: "Spring" })
      const secondAnswer = yield* sendWithKey(caller, "b", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([failedAnswer.status, secondAnswer.status], [500, 500])
    }).pipe(Effect.provide(layer()))
  )

  it.live.each([
    ["nothing", ""],
    ["a space", "a b"],
    ["256 characters", "x".repeat(256)]
  ] as const)("refuses %s as a key", ([, key]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const refusal = yield* sendWithKey(caller, key, "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([refusal.status, refusal.body.error], [400, "BAD_REQUEST"])
      assert.include(refusal.body.message, "idempotency-key")
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )
})

const options = { email_count: 1, email_signature: "Bo", idempotent: true }

const makeLeads = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `lead${i}@north.example` }))

/** Sends a batch with `idempotent: true`. */
const sendBatch = (caller: Caller, campaign: string, key: string, count: number, extraFields: object = {}) =>
  sendWithKey(caller, key, "POST", `/campaigns/${campaign}/generate-batch`, {
    leads: makeLeads(count),
    options,
    ...extraFields
  })

const countLists = (caller: Caller) => Effect.map(caller.get("/lists"), ({ body }) => body.total as number)

describe("a batch with `idempotent: true`", () => {
  it.live("creates one list and one charge, however often it is sent", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const first = yield* sendBatch(caller, campaign, "a", 3)
      assert.strictEqual(first.status, 202)
      assert.isNull(first.headers.get("idempotent-replayed"))
      const retryDuringWork = yield* sendBatch(caller, campaign, "a", 3)
      yield* until(caller.get("/lists?status=completed"), ({ body }) => body.total === 1)
      const retryAfterwards = yield* sendBatch(caller, campaign, "a", 3)
      for (const retryAnswer of [retryDuringWork, retryAfterwards]) {
        assert.deepStrictEqual([retryAnswer.status, retryAnswer.text], [202, first.text])
        assert.strictEqual(retryAnswer.headers.get("idempotent-replayed"), "true")
      }
      // The answer is the same after the list is deleted, because the request was carried out.
      assert.strictEqual((yield* caller.delete(`/lists/${first.body.list_id}`)).status, 200)
      assert.strictEqual((yield* sendBatch(caller, campaign, "a", 3)).text, first.text)
      assert.strictEqual(yield* countLists(caller), 0)
      assert.strictEqual((yield* caller.get("/credits")).body.usage.total_credits_used_all_time, 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("answers a retry with the skipped leads and the notices of the first answer", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const batchBody = { options: { ...options, skip_duplicates: true }, leads: [...makeLeads(2), ...makeLeads(1)] }
      const firstAnswer = yield* sendBatch(caller, campaign, "a", 0, batchBody)
      assert.deepInclude(firstAnswer.body.skipped, { duplicate: 1 })
      assert.strictEqual((yield* sendBatch(caller, campaign, "a", 0, batchBody)).text, firstAnswer.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is refused with another body, and creates another list with another key or campaign", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "scale" })
      const campaign = yield* builtCampaign(caller)
      const otherCampaign = yield* builtCampaign(caller)
      const { body } = yield* sendBatch(caller, campaign, "a", 2)
      for (const change of [{ leads: makeLeads(3) }, { options: { ...options, email_count: 2 } }, { unknown: true }]) {
        const conflict = yield* sendBatch(caller, campaign, "a", 2, change)
        assert.deepStrictEqual([conflict.status, conflict.body.error], [409, "CONFLICT"])
      }
      assert.strictEqual(yield* countLists(caller), 1)
      const ids = [
        body.list_id,
        (yield* sendBatch(caller, campaign, "b", 2)).body.list_id,
        (yield* sendBatch(caller, otherCampaign, "a", 2)).body.list_id
      ]
      assert.strictEqual(new Set(ids).size, 3)
      assert.strictEqual(yield* countLists(caller), 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("creates one list when identical requests arrive together", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const sendBatchAgain = sendBatch(caller, campaign, "a", 1500)
      const concurrentAnswers = yield* Effect.all(
        Array.from({ length: 6 }, () => sendBatchAgain),
        { concurrency: "unbounded" }
      )
      const acceptedAnswers = concurrentAnswers.filter(({ status }) => status === 202)
      assert.isNotEmpty(acceptedAnswers)
      for (const { body, headers, status } of concurrentAnswers.filter(
        (concurrentAnswer) => !acceptedAnswers.includes(concurrentAnswer)
      )) {
        assert.deepStrictEqual([status, body.error, headers.get("retry-after")], [409, "CONFLICT", "5"])
      }
      assert.strictEqual(new Set([...acceptedAnswers, yield* sendBatchAgain].map(({ text }) => text)).size, 1)
      assert.strictEqual(yield* countLists(caller), 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("needs a key of 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const answerWithoutKey = yield* caller.post(`/campaigns/${campaign}/generate-batch`, {
        leads: makeLeads(1),
        options
      })
      const answersWithInvalidKeys = yield* Effect.forEach(["", "a b", "x".repeat(256)], (key) =>
        sendBatch(caller, campaign, key, 1)
      )
      for (const { body, status } of [answerWithoutKey, ...answersWithInvalidKeys]) {
        assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
        assert.deepStrictEqual(body.detail.issues[0].path, "idempotency-key")
      }
      assert.strictEqual(yield* countLists(caller), 0)
      for (const idempotent of [false, null]) {
        const batchBody = { leads: makeLeads(1), options: { ...options, idempotent } }
        assert.isNull((yield* sendBatch(caller, campaign, "a", 1, batchBody)).headers.get("idempotent-replayed"))
      }
      assert.strictEqual(yield* countLists(caller), 2)
    }).pipe(Effect.provide(layer()))
  )

  it.live("can use its key again after it was refused", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* proposedCampaign(caller)
      assert.strictEqual((yield* sendBatch(caller, campaign, "a", 1)).status, 400)
      const builtCampaignId = yield* builtCampaign(caller)
      assert.strictEqual((yield* sendBatch(caller, builtCampaignId, "a", 50_000)).status, 402)
      assert.strictEqual((yield* sendBatch(caller, builtCampaignId, "a", 1)).status, 202)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is identified by the SHA-256 of its body, also when a character spans two hashed chunks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller({ plan: "scale" })
      const campaign = yield* builtCampaign(caller)
      for (const padding of ["", "x"]) {
        const requestBody = JSON.stringify({ note: padding + "😀".repeat(600_000), leads: makeLeads(1), options })
        const { status } = yield* sendWithKey(
          caller,
          `key${padding}`,
          "POST",
          `/campaigns/${campaign}/generate-batch`,
          requestBody
        )
        assert.strictEqual(status, 202)
        const [row] = yield* sql`SELECT fingerprint FROM idempotency_keys WHERE key = ${`key${padding}`}`
        assert.strictEqual(row?.["fingerprint"], createHash("sha256").update(requestBody).digest("hex"))
      }
    }).pipe(Effect.provide(layer()))
  )
})
