// test/poison.test.ts: a lead that ends the process whenever it is written to, and those that are only beside it.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Queue } from "#layers/Queue.ts"
import * as Worker from "#layers/queue/Worker.ts"
import { expectBody } from "./support/answers.ts"
import { callerWithCampaign } from "./support/campaigns.ts"
import { waitForList, startBatch, exportLeads, makeLeads } from "./support/lists.ts"
import { layer, assertConsistent, withWorkers } from "./support/server.ts"
import { until } from "./support/until.ts"
import { newWorkspace } from "./support/workspace.ts"
import { fakeWriter } from "./support/writer.ts"

it.live(
  "a lead that three ends of the process found in work, two of them alone, is given up, and the others are written",
  () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const sequence: typeof fakeWriter.sequence = (brief) => {
        written.push(brief.lead.email)
        return fakeWriter.sequence(brief)
      }

      const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(4))

      // What four ends of the process leave behind: three found the third lead in work, two the first.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET crashes = 4 WHERE subject = ${list}`
      yield* sql`UPDATE leads SET suspect = 3 WHERE list_id = ${list} AND position = 2`
      yield* sql`UPDATE leads SET suspect = 2 WHERE list_id = ${list} AND position = 0`

      yield* waitForList(caller, list).pipe(withWorkers({ sequence }))
      assert.deepStrictEqual(written, ["lead1@company.example", "lead3@company.example", "lead0@company.example"])
      assert.lengthOf(yield* exportLeads(caller, list), 3)
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period, 3)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
)

it.live(
  "after an end of the process only those in work are marked, so that the next one tells them from the rest",
  () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
      const list = yield* startBatch(caller, campaign, makeLeads(6))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET crashes = 1 WHERE subject = ${list}`

      const inWork: Array<string> = []
      const sequence: typeof fakeWriter.sequence = ({ lead }) =>
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
      }).pipe(withWorkers({ sequence }, 2))

      assert.deepStrictEqual(
        (yield* marked).map(({ email }) => email),
        inWork.toSorted()
      )
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
)

it.live.each([
  { beside: 1, crashes: 2, status: "completed" },
  { beside: 0, crashes: 2, status: "failed" },
  { beside: 1, crashes: 9, status: "failed" }
])("a job beside $beside others at the end of its process, after $crashes ends, is $status", (step) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { workspace } = yield* newWorkspace()
    const queue = yield* Queue
    const order = { workspace: workspace.id, type: "test", subject: workspace.id }
    const ids = yield* queue.enqueue(Array.from({ length: 1 + step.beside }, () => order))
    for (const [at, id] of ids.entries()) {
      yield* sql`
        UPDATE jobs SET status = 'processing', lease = ${`dead:${at}`}, lease_until = 1, attempts = 1,
          crashes = ${at === 0 ? step.crashes : 0}
        WHERE id = ${id}`
    }
    const worker = Worker.layer([
      {
        handlers: [{ type: "test", run: (claim) => queue.complete(claim, Effect.void), failed: () => Effect.void }],
        concurrency: 1
      }
    ])
    const status = Effect.map(
      sql<{ readonly status: string }>`SELECT status FROM jobs WHERE id = ${ids[0] ?? ""}`,
      ([row]) => row?.status
    )
    const found = yield* until(status, (now) => now === "completed" || now === "failed").pipe(Effect.provide(worker))
    assert.strictEqual(found, step.status)
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)
