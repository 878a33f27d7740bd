// test/poison.test.ts: a lead that ends the process whenever it is written to, and those that are only beside it.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { body, built, layer, onboarded, sound, until, working } from "./support/server.ts"
import { fake } from "./support/writer.ts"

const leads = Array.from({ length: 4 }, (_, i) => ({ email: `lead${i}@company.example` }))

it.live("a lead that was alone in work at two ends of the process is given up, and the others are written", () =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const sequence: typeof fake.sequence = (brief) => {
      written.push(brief.lead.email)
      return fake.sequence(brief)
    }

    const { list_id, who } = yield* Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      return { who, campaign }
    }).pipe(
      working(),
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

    // What three ends of the process leave behind: twice the third lead was alone in work, once the first.
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE jobs SET crashes = 3 WHERE subject = ${list_id}`
    yield* sql`UPDATE leads SET suspect = 2 WHERE list_id = ${list_id} AND position = 2`
    yield* sql`UPDATE leads SET suspect = 1 WHERE list_id = ${list_id} AND position = 0`

    yield* until(body(200, who.get(`/lists/${list_id}`)), (list) => list.processing_status === "completed").pipe(
      working({ sequence })
    )
    assert.deepStrictEqual(written, ["lead1@company.example", "lead3@company.example", "lead0@company.example"])
    const exported = yield* body(200, who.get(`/lists/${list_id}/export?format=json`))
    assert.lengthOf(exported.leads, 3)
    assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 3)
    yield* sound
  }).pipe(Effect.provide(layer({ working: false })))
)
