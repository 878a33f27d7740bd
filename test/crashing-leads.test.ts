// test/crashing-leads.test.ts: leads and jobs that were in progress when the process crashed, repeatedly.
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

it.live("a lead that was in progress at three crashes fails, and the other leads are written", () =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const sequence: typeof fakeWriter.sequence = (brief) => {
      written.push(brief.lead.email)
      return fakeWriter.sequence(brief)
    }

    const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
    const list = yield* startBatch(caller, campaign, makeLeads(4))

    // The state after four crashes: the third lead was in progress at three of them, the first at two.
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

it.live("after a crash, only the leads in progress are marked as suspects", () =>
  Effect.gen(function* () {
    const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
    const list = yield* startBatch(caller, campaign, makeLeads(6))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE jobs SET crashes = 1 WHERE subject = ${list}`

    const inProgress: Array<string> = []
    const sequence: typeof fakeWriter.sequence = ({ lead }) =>
      Effect.suspend(() => {
        inProgress.push(lead.email)
        return Effect.never
      })
    const markedLeads = Effect.gen(function* () {
      yield* until(
        Effect.sync(() => inProgress.length),
        (leads) => leads === 2
      )
      return yield* sql`SELECT email FROM leads WHERE list_id = ${list} AND suspect = 1 ORDER BY position`
    }).pipe(withWorkers({ sequence }, 2))

    assert.deepStrictEqual(
      (yield* markedLeads).map(({ email }) => email),
      inProgress.toSorted()
    )
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)

it.live.each([
  { otherJobs: 1, crashes: 2, status: "completed" },
  { otherJobs: 0, crashes: 2, status: "failed" },
  { otherJobs: 1, crashes: 9, status: "failed" }
])("a job that was in progress with $otherJobs others, after $crashes earlier crashes, is $status", (step) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { workspace } = yield* newWorkspace()
    const queue = yield* Queue
    const request = { workspace: workspace.id, type: "test", subject: workspace.id }
    const ids = yield* queue.enqueue(Array.from({ length: 1 + step.otherJobs }, () => request))
    for (const [index, id] of ids.entries()) {
      yield* sql`
        UPDATE jobs SET status = 'processing', lease = ${`dead:${index}`}, lease_until = 1, attempts = 1,
          crashes = ${index === 0 ? step.crashes : 0}
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
    const finalStatus = yield* until(status, (current) => current === "completed" || current === "failed").pipe(
      Effect.provide(worker)
    )
    assert.strictEqual(finalStatus, step.status)
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)
