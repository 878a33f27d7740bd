// test/poison.test.ts: a lead that ends the process whenever it is written to, and those that are only beside it.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { body } from "./support/answers.ts"
import { ready } from "./support/campaigns.ts"
import { becomes, begin, exported, leadsOf } from "./support/lists.ts"
import { layer, sound, working } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fake } from "./support/writer.ts"

it.live(
  "a lead that three ends of the process found in work, two of them alone, is given up, and the others are written",
  () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const sequence: typeof fake.sequence = (brief) => {
        written.push(brief.lead.email)
        return fake.sequence(brief)
      }

      const { campaign, who } = yield* ready().pipe(working())
      const list = yield* begin(who, campaign, leadsOf(4))

      // What four ends of the process leave behind: three found the third lead in work, two the first.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET crashes = 4 WHERE subject = ${list}`
      yield* sql`UPDATE leads SET suspect = 3 WHERE list_id = ${list} AND position = 2`
      yield* sql`UPDATE leads SET suspect = 2 WHERE list_id = ${list} AND position = 0`

      yield* becomes(who, list).pipe(working({ sequence }))
      assert.deepStrictEqual(written, ["lead1@company.example", "lead3@company.example", "lead0@company.example"])
      assert.lengthOf(yield* exported(who, list), 3)
      assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 3)
      yield* sound
    }).pipe(Effect.provide(layer({ working: false })))
)

it.live(
  "after an end of the process only those in work are marked, so that the next one tells them from the rest",
  () =>
    Effect.gen(function* () {
      const { campaign, who } = yield* ready().pipe(working())
      const list = yield* begin(who, campaign, leadsOf(6))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET crashes = 1 WHERE subject = ${list}`

      const inWork: Array<string> = []
      const sequence: typeof fake.sequence = ({ lead }) =>
        Effect.suspend(() => {
          inWork.push(lead.email)
          return Effect.never
        })
      const marked = Effect.gen(function* () {
        yield* until(
          Effect.sync(() => inWork.length),
          (leads) => leads === 2
        )
        return yield* sql`SELECT email FROM leads WHERE list_id = ${list} AND suspect = 1 ORDER BY position`
      }).pipe(working({ sequence }, 2))

      assert.deepStrictEqual(
        (yield* marked).map(({ email }) => email),
        inWork.toSorted()
      )
    }).pipe(Effect.provide(layer({ working: false })))
)
