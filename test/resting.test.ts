// test/resting.test.ts: a list that is laid aside holds no credits, whatever befell its batches before.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { outage } from "./support/faults.ts"
import { body, built, layer, onboarded, sound, until, working } from "./support/server.ts"

const leads = Array.from({ length: 150 }, (_, i) => ({ email: `lead${i}@company.example` }))

it.live("gives back what a batch held that was cut short and is laid aside with the others", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { list_id, who } = yield* Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      return { who, campaign }
    }).pipe(
      working({}, 4),
      Effect.flatMap(({ campaign, who }) =>
        Effect.map(
          body(
            202,
            who.post(`/campaigns/${campaign}/generate-batch`, {
              leads,
              options: { email_count: 1, email_signature: "Ann" }
            })
          ),
          ({ list_id }) => ({ who, list_id: list_id as string })
        )
      )
    )
    // What a process leaves behind that ends in the middle of the last batch.
    const last = yield* sql<{ readonly id: string }>`
      SELECT id FROM leads WHERE list_id = ${list_id} AND position >= 125`
    yield* (yield* Credits).hold(
      who.workspace,
      last.map(({ id }) => id),
      1
    )
    yield* sound

    yield* until(body(200, who.get(`/lists/${list_id}`)), (list) => list.processing_status === "pending").pipe(
      working({ sequence: () => Effect.fail(outage) }, 4)
    )
    yield* sound
    assert.strictEqual((yield* body(200, who.get("/credits"))).balance, 5000)
    assert.strictEqual((yield* who.delete(`/lists/${list_id}`)).status, 200)
    yield* sound
  }).pipe(Effect.provide(layer({ working: false })))
)
