// test/model-resume.test.ts: lists that an outage of the model paused resume automatically, and are charged once.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Backoff, ModelHealth, backoffDelay } from "#layers/model/Health.ts"
import { expectBody } from "./support/answers.ts"
import { profile } from "./support/model-answers.ts"
import { onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { balanceOf, waitForList, startBatch, makeLeads } from "./support/lists.ts"
import * as Support from "./support/model.ts"
import { modelServer } from "./support/model-server.ts"
import * as Server from "./support/server.ts"
import { until } from "./support/until.ts"

const fastBackoffLayer = Layer.succeed(Backoff, { firstMillis: 5, longestMillis: 400 })

/** The service with a model at this address. */
const withModelAt = (url: string) =>
  Effect.provide(Server.layer({ model: Support.modelAt(url), concurrency: 4 }).pipe(Layer.provide(fastBackoffLayer)))

const options = { email_count: 1, email_signature: "Tom" }
const onboardedWithCampaign = Effect.gen(function* () {
  const caller = yield* onboardedCaller({ details: profile })
  return { caller, campaign: yield* Campaigns.builtCampaign(caller) }
})

describe("a list that the model's outage has paused", () => {
  const statusError = /^The model server answered \d+.*(OPENAI_BASE_URL|OPENAI_API_KEY)/
  const outages = [
    ["down", "was down", statusError],
    ["breaks off", "broke off its answers", /^The model server broke off its answer/],
    ["refuses the key", "refused the key", statusError],
    ["lacks the model", "did not have the model", statusError]
  ] as const
  for (const [mode, situation, error] of outages) {
    it.live(`completes automatically after the server ${situation}`, () =>
      Effect.gen(function* () {
        const { state, url } = yield* modelServer
        yield* Effect.gen(function* () {
          const { campaign, caller } = yield* onboardedWithCampaign
          const before = yield* balanceOf(caller)
          state.mode = mode
          const list = yield* startBatch(caller, campaign, makeLeads(30), options)
          yield* waitForList(caller, list, "pending")
          const { data } = yield* expectBody(200, caller.get(`/lists/${list}/leads?status=pending&limit=1`))
          assert.match(data[0].error, error)
          const health = Option.getOrUndefined(yield* (yield* ModelHealth).findLast)
          assert.deepInclude(health, { model: "tiny", answered: false })
          const { modelListRequests, failedRequests } = state
          yield* until(
            Effect.sync(() => state.modelListRequests),
            (count) => count >= modelListRequests + 3
          )
          assert.strictEqual(
            state.failedRequests,
            failedRequests,
            "leads are not tried while the server is known to be down"
          )

          state.mode = "well"
          const completedList = yield* waitForList(caller, list)
          assert.strictEqual(completedList.emails_created, 30)
          assert.strictEqual(yield* balanceOf(caller), before - 30)
          assert.deepInclude(Option.getOrUndefined(yield* (yield* ModelHealth).findLast), {
            answered: true,
            problem: null
          })
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`SELECT id FROM lists WHERE paused_by IS NOT NULL`, [])
          yield* Server.assertConsistent
        }).pipe(withModelAt(url))
      })
    )
  }

  it.live("is resumed after the server lists its models, or answers a prompt if it cannot list them", () =>
    Effect.gen(function* () {
      for (const listsModels of [true, false]) {
        const { state, url } = yield* modelServer
        state.listsModels = listsModels
        yield* Effect.gen(function* () {
          const { campaign, caller } = yield* onboardedWithCampaign
          state.mode = "down"
          const list = yield* startBatch(caller, campaign, makeLeads(3), options)
          yield* waitForList(caller, list, "pending")
          state.mode = "well"
          const before = state.probeRequests
          yield* waitForList(caller, list)
          assert.isAtLeast(state.modelListRequests, 1)
          assert.strictEqual(state.probeRequests > before, !listsModels)
        }).pipe(withModelAt(url))
      }
    })
  )

  it("waits between probes for pauses that grow up to five minutes", () => {
    const pauses = [0, 1, 2, 3, 20, 1000].map((n) => backoffDelay({ firstMillis: 1000, longestMillis: 300_000 }, n))
    assert.deepStrictEqual(pauses, [1000, 2000, 4000, 8000, 300_000, 300_000])
  })
})

const unreachable = new GenerationFailed({
  message: "The model server cannot be reached. Check that it runs, and that OPENAI_BASE_URL names it.",
  transient: true,
  failure: { reason: "model_unreachable" }
})
const unreachableWriter = { sequence: () => Effect.fail(unreachable) }
const withoutWorkers = Effect.provide(Server.layer({ runsWorkers: false }).pipe(Layer.provide(fastBackoffLayer)))
const withFastBackoff = Effect.provide(fastBackoffLayer)

describe("a list that waits for the model", () => {
  it.live("resumes after a restart with several workers, and is charged once", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign().pipe(Server.withWorkers())
      const before = yield* balanceOf(caller)
      const list = yield* startBatch(caller, campaign, makeLeads(60))
      yield* waitForList(caller, list, "pending").pipe(Server.withWorkers(unreachableWriter, 4))
      yield* waitForList(caller, list).pipe(Server.withWorkers({}, 4), Server.withWorkers({}, 4), withFastBackoff)
      assert.strictEqual(yield* balanceOf(caller), before - 60)
      yield* Server.assertConsistent
    }).pipe(withoutWorkers)
  )

  it.live("is resumed repeatedly while its leads keep failing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* Campaigns.callerWithCampaign().pipe(Server.withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(2))
      const resumes = Effect.map(
        sql<{ readonly resumes: number }>`SELECT resumes FROM lists WHERE id = ${list}`,
        ([list]) => list?.resumes ?? 0
      )
      yield* until(resumes, (resumes) => resumes >= 3).pipe(Server.withWorkers(unreachableWriter), withFastBackoff)
      yield* waitForList(caller, list).pipe(Server.withWorkers(), withFastBackoff)
    }).pipe(withoutWorkers)
  )

  it.live("is not resumed if it holds the single lead of a request that failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* Campaigns.callerWithCampaign().pipe(Server.withWorkers())
      const lead = { email: "ann@north.example" }
      const generate = caller.post(`/campaigns/${campaign}/generate`, { lead, options })
      const failed = yield* generate.pipe(Server.withWorkers(unreachableWriter))
      assert.strictEqual(failed.status, 500)
      assert.deepStrictEqual(failed.body.detail, { reason: "model_unreachable" })
      assert.match(failed.body.message, /OPENAI_BASE_URL/)
      assert.notMatch(failed.body.message, /request id/)
      const list = yield* startBatch(caller, campaign, makeLeads(2))
      yield* waitForList(caller, list).pipe(Server.withWorkers(), withFastBackoff)
      const rows = yield* sql`SELECT processing_status, paused_by FROM lists WHERE kind = 'single'`
      assert.deepStrictEqual(rows, [{ processing_status: "pending", paused_by: null }])
      yield* Server.assertConsistent
    }).pipe(withoutWorkers)
  )

  it.live("is resumed at once by POST /lists/:id", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign().pipe(Server.withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(2))
      yield* waitForList(caller, list, "pending").pipe(Server.withWorkers(unreachableWriter))
      yield* expectBody(202, caller.post(`/lists/${list}`))
      yield* waitForList(caller, list).pipe(Server.withWorkers())
      yield* Server.assertConsistent
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})
