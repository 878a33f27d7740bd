// test/program/save-results.test.ts: finished leads that are saved in one transaction do not affect each other.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClaimedJob } from "#layers/Queue.ts"
import { Batches } from "#layers/lists/Batches.ts"
import type { PendingLead, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { expectBody } from "../support/answers.ts"
import { failWrite, stopFailing } from "../support/failing-writes.ts"
import { callerWithCampaign } from "../support/campaigns.ts"
import { judgedEmail } from "../support/judged-email.ts"
import { startBatch, makeLeads } from "../support/lists.ts"
import { layer, assertConsistent, withWorkers } from "../support/server.ts"
import { until } from "../support/until.ts"

const writtenEmails: WrittenEmails = {
  sequence: [{ step: 1, subject: "Pumps", body: "Would they help?" }],
  judged: [judgedEmail({ subject: "Pumps", body: "Would they help?" })],
  playbook_version: 1,
  facts: []
}

/** Creates a workspace with a list of 50 leads, and claims its two batches. */
const claimBatches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const batches = yield* Batches
  const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
  const list_id = yield* startBatch(caller, campaign, makeLeads(50))
  const rows = yield* sql`
    UPDATE jobs SET status = 'processing', lease = id WHERE subject = ${list_id}
    RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  const claims = yield* Schema.decodeUnknownEffect(Schema.Array(ClaimedJob))(rows)
  const claimedBatches = yield* Effect.forEach(
    claims.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    Effect.fnUntraced(function* (claim) {
      const batch = yield* Effect.flatMap(batches.loadBatch(claim), Effect.fromOption)
      return { claim, batch, leads: yield* batches.hold(claim, batch, batch.leads) }
    })
  )
  const saveLead = (claim: ClaimedJob, lead: PendingLead, emails = writtenEmails) =>
    Effect.exit(batches.saveLead(claim, lead, emails))
  const saveAll = Effect.forEach(
    claimedBatches.flatMap(({ claim, leads }) => leads.map((lead) => ({ claim, lead }))),
    ({ claim, lead }) => saveLead(claim, lead),
    { concurrency: "unbounded" }
  )
  const countSaved = Effect.gen(function* () {
    const { progress } = yield* expectBody(200, caller.get(`/lists/${list_id}`))
    const { usage } = yield* expectBody(200, caller.get("/credits"))
    assert.strictEqual(progress.leads_done, usage.credits_used_this_period)
    return progress.leads_done as number
  })
  return { saveAll, countSaved, claimedBatches, saveLead, list_id, caller }
})

const testClaims = (name: string, run: Effect.Effect<void, unknown, Effect.Services<typeof claimBatches>>) =>
  it.live(name, () => run.pipe(Effect.provide(layer({ runsWorkers: false }))))

testClaims(
  "finished leads are stored, charged and counted once, however often they are saved",
  Effect.gen(function* () {
    const { saveAll, countSaved } = yield* claimBatches
    const exits = yield* Effect.all([saveAll, saveAll], { concurrency: "unbounded" })
    assert.isTrue(exits.flat().every(Exit.isSuccess))
    assert.strictEqual(yield* countSaved, 50)
    yield* saveAll
    assert.strictEqual(yield* countSaved, 50)
    yield* assertConsistent
  })
)

testClaims(
  "finished leads are saved except for leads whose batch another worker has taken over",
  Effect.gen(function* () {
    const { saveAll, countSaved, claimedBatches } = yield* claimBatches
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE jobs SET lease = 'another' WHERE id = ${claimedBatches[1]?.claim.id}`
    const exits = yield* saveAll
    assert.isTrue(exits.slice(0, 25).every(Exit.isSuccess))
    assert.isTrue(exits.slice(25).every((exit) => Exit.findErrorOption(exit)._tag === "Some"))
    assert.strictEqual(yield* countSaved, 25)
    yield* assertConsistent
  })
)

testClaims(
  "finished leads are saved except for the lead that cannot be saved",
  Effect.gen(function* () {
    const { countSaved, claimedBatches, saveLead } = yield* claimBatches
    const [firstBatch] = claimedBatches
    if (firstBatch === undefined) return assert.fail("no batch")
    // A bigint cannot be written as JSON.
    const unserializable: WrittenEmails = {
      ...writtenEmails,
      judged: [{ ...writtenEmails.judged[0], score: 1n } as never]
    }
    const exits = yield* Effect.forEach(
      firstBatch.leads,
      (lead, index) => saveLead(firstBatch.claim, lead, index === 7 ? unserializable : writtenEmails),
      {
        concurrency: "unbounded"
      }
    )
    assert.deepStrictEqual(
      exits.flatMap((exit, index) => (Exit.isFailure(exit) ? [index] : [])),
      [7]
    )
    assert.strictEqual(yield* countSaved, 24)
    yield* assertConsistent
  })
)

testClaims(
  "finished leads are not charged again by a worker that had read them as pending",
  Effect.gen(function* () {
    const { saveAll, countSaved, claimedBatches } = yield* claimBatches
    const batches = yield* Batches
    yield* saveAll
    for (const { batch, claim } of claimedBatches) yield* batches.hold(claim, batch, batch.leads)
    assert.strictEqual(yield* countSaved, 50)
    yield* assertConsistent
  })
)

testClaims(
  "finished leads are all saved when any one of their writes fails once",
  Effect.gen(function* () {
    const { countSaved, claimedBatches, saveLead } = yield* claimBatches
    const leads = claimedBatches.flatMap(({ claim, leads }) => leads.map((lead) => ({ claim, lead })))
    let savedCount = 0
    for (let nth = 1; savedCount < 48; nth++) {
      yield* failWrite(nth)
      const exits = yield* Effect.forEach(
        leads.slice(savedCount, savedCount + 4),
        ({ claim, lead }) => saveLead(claim, lead),
        {
          concurrency: "unbounded"
        }
      )
      savedCount += 4
      const failedWrite = yield* stopFailing
      assert.isTrue(exits.every(Exit.isSuccess), failedWrite)
      assert.strictEqual(yield* countSaved, savedCount, failedWrite)
      yield* assertConsistent
    }
  })
)

it.live("a lead that finishes alone is saved without waiting for others", () =>
  Effect.gen(function* () {
    const { countSaved, claimedBatches, saveLead } = yield* claimBatches
    const [firstBatch] = claimedBatches
    const [lead] = firstBatch?.leads ?? []
    if (firstBatch === undefined || lead === undefined) return assert.fail("no batch")
    const exit = yield* saveLead(firstBatch.claim, lead)
    assert.isTrue(Exit.isSuccess(exit))
    assert.strictEqual(yield* until(countSaved, (count) => count === 1), 1)
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)
