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

const written: WrittenEmails = {
  sequence: [{ step: 1, subject: "Pumps", body: "Would they help?" }],
  judged: [judgedEmail({ subject: "Pumps", body: "Would they help?" })],
  playbook_version: 1,
  facts: []
}

/** A workspace with a list of 50 leads, whose two batches a worker has claimed. */
const claimedBatches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const batches = yield* Batches
  const { campaign, caller } = yield* callerWithCampaign().pipe(withWorkers())
  const list_id = yield* startBatch(caller, campaign, makeLeads(50))
  const rows = yield* sql`
    UPDATE jobs SET status = 'processing', lease = id WHERE subject = ${list_id}
    RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  const claims = yield* Schema.decodeUnknownEffect(Schema.Array(ClaimedJob))(rows)
  const hands = yield* Effect.forEach(
    claims.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    Effect.fnUntraced(function* (claim) {
      const batch = yield* Effect.flatMap(batches.open(claim), Effect.fromOption)
      return { claim, batch, leads: yield* batches.hold(claim, batch, batch.leads) }
    })
  )
  const keep = (claim: ClaimedJob, lead: PendingLead, what = written) =>
    Effect.exit(batches.saveLead(claim, lead, what))
  const all = Effect.forEach(
    hands.flatMap(({ claim, leads }) => leads.map((lead) => ({ claim, lead }))),
    ({ claim, lead }) => keep(claim, lead),
    { concurrency: "unbounded" }
  )
  const counted = Effect.gen(function* () {
    const { progress } = yield* expectBody(200, caller.get(`/lists/${list_id}`))
    const { usage } = yield* expectBody(200, caller.get("/credits"))
    assert.strictEqual(progress.leads_done, usage.credits_used_this_period)
    return progress.leads_done as number
  })
  return { all, counted, hands, keep, list_id, caller }
})

const test = (name: string, property: Effect.Effect<void, unknown, Effect.Services<typeof claimedBatches>>) =>
  it.live(name, () => property.pipe(Effect.provide(layer({ runsWorkers: false }))))

test(
  "finished leads are stored, charged and counted once, however often they are saved",
  Effect.gen(function* () {
    const { all, counted } = yield* claimedBatches
    const kept = yield* Effect.all([all, all], { concurrency: "unbounded" })
    assert.isTrue(kept.flat().every(Exit.isSuccess))
    assert.strictEqual(yield* counted, 50)
    yield* all
    assert.strictEqual(yield* counted, 50)
    yield* assertConsistent
  })
)

test(
  "finished leads are saved except for leads whose batch another worker has taken over",
  Effect.gen(function* () {
    const { all, counted, hands } = yield* claimedBatches
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE jobs SET lease = 'another' WHERE id = ${hands[1]?.claim.id}`
    const kept = yield* all
    assert.isTrue(kept.slice(0, 25).every(Exit.isSuccess))
    assert.isTrue(kept.slice(25).every((exit) => Exit.findErrorOption(exit)._tag === "Some"))
    assert.strictEqual(yield* counted, 25)
    yield* assertConsistent
  })
)

test(
  "finished leads are saved except for the lead that cannot be saved",
  Effect.gen(function* () {
    const { counted, hands, keep } = yield* claimedBatches
    const [first] = hands
    if (first === undefined) return assert.fail("no batch")
    // No JSON says such a number.
    const odd: WrittenEmails = { ...written, judged: [{ ...written.judged[0], score: 1n } as never] }
    const kept = yield* Effect.forEach(first.leads, (lead, at) => keep(first.claim, lead, at === 7 ? odd : written), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(
      kept.flatMap((exit, at) => (Exit.isFailure(exit) ? [at] : [])),
      [7]
    )
    assert.strictEqual(yield* counted, 24)
    yield* assertConsistent
  })
)

test(
  "finished leads are not charged again by a worker that had read them as pending",
  Effect.gen(function* () {
    const { all, counted, hands } = yield* claimedBatches
    const batches = yield* Batches
    yield* all
    for (const { batch, claim } of hands) yield* batches.hold(claim, batch, batch.leads)
    assert.strictEqual(yield* counted, 50)
    yield* assertConsistent
  })
)

test(
  "finished leads are all saved when any one of their writes fails once",
  Effect.gen(function* () {
    const { counted, hands, keep } = yield* claimedBatches
    const leads = hands.flatMap(({ claim, leads }) => leads.map((lead) => ({ claim, lead })))
    let done = 0
    for (let nth = 1; done < 48; nth++) {
      yield* failWrite(nth)
      const kept = yield* Effect.forEach(leads.slice(done, done + 4), ({ claim, lead }) => keep(claim, lead), {
        concurrency: "unbounded"
      })
      done += 4
      const failed = yield* stopFailing
      assert.isTrue(kept.every(Exit.isSuccess), failed)
      assert.strictEqual(yield* counted, done, failed)
      yield* assertConsistent
    }
  })
)

it.live("a lead that finishes alone is saved without waiting for others", () =>
  Effect.gen(function* () {
    const { counted, hands, keep } = yield* claimedBatches
    const [first] = hands
    const [lead] = first?.leads ?? []
    if (first === undefined || lead === undefined) return assert.fail("no batch")
    const kept = yield* keep(first.claim, lead)
    assert.isTrue(Exit.isSuccess(kept))
    assert.strictEqual(yield* until(counted, (count) => count === 1), 1)
  }).pipe(Effect.provide(layer({ runsWorkers: false })))
)
