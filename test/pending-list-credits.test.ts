// test/pending-list-credits.test.ts: a pending list holds no credits, not even those of a batch whose process crashed.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { expectBody } from "./support/answers.ts"
import { callerWithCampaign } from "./support/campaigns.ts"
import { outage } from "./support/faults.ts"
import { waitForList, startBatch, makeLeads } from "./support/lists.ts"
import { layer, assertConsistent, withWorkers } from "./support/server.ts"

it.live("releases the credits that an interrupted batch held when the list becomes pending", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers({}, 4))
    const list = yield* startBatch(caller, campaign, makeLeads(150))

    // The state after a crash during the last batch: its leads hold credits.
    const lastLeads = yield* sql<{ readonly id: string }>`
      SELECT id FROM leads WHERE list_id = ${list} AND position >= 125`
    yield* (yield* Credits).hold(
      caller.workspace,
      lastLeads.map(({ id }) => id),
      1
    )
    yield* assertConsistent

    yield* waitForList(caller, list, "pending").pipe(withWorkers({ sequence: () => Effect.fail(outage) }, 4))
    yield* assertConsistent
    assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).balance, 5000)
    assert.strictEqual((yield* caller.delete(`/lists/${list}`)).status, 200)
    yield* assertConsistent
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)
