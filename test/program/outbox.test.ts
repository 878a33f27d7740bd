// test/program/outbox.test.ts: an event for a webhook is stored once, with the change that it reports, and sent at least once,
// whichever write fails and whenever the process is killed.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ServerResponse } from "node:http"
import { ClaimedJob } from "#layers/Queue.ts"
import { Webhook } from "standardwebhooks"
import { Batches } from "#layers/lists/Batches.ts"
import type { WrittenEmails } from "#layers/lists/LeadColumns.ts"
import { expectBody } from "../support/answers.ts"
import { failWrite, stopFailing } from "../support/failing-writes.ts"
import { callerWithCampaign } from "../support/campaigns.ts"
import { onboardedWorkspace, namedLeads, options, assertConsistent } from "../support/program-workspace.ts"
import { judgedEmail } from "../support/judged-email.ts"
import { startBatch, makeLeads } from "../support/lists.ts"
import { runSql, killProgram, serve } from "../support/process.ts"
import { type Delivery, webhookReceiver } from "../support/webhook-receiver.ts"
import * as Server from "../support/server.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

const writtenEmails: WrittenEmails = {
  sequence: [{ step: 1, subject: "Pumps", body: "Would they help?" }],
  judged: [judgedEmail({ subject: "Pumps", body: "Would they help?" })],
  playbook_version: 1,
  facts: []
}

/** Random numbers from 0 up to 1, the same in each run with a seed. */
const seededRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

describe("an event of a lead", () => {
  it.live("is stored with the emails or not at all, whichever write fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const batches = yield* Batches
      const { campaign, caller } = yield* callerWithCampaign().pipe(Server.withWorkers())
      for (const include_content of [false, true]) {
        const events = ["lead.written", "lead.failed"]
        yield* expectBody(201, caller.post("/webhooks", { url: "https://a.example", events, include_content }))
      }
      const list = yield* startBatch(caller, campaign, makeLeads(50))
      const rows = yield* sql`
        UPDATE jobs SET status = 'processing', lease = id WHERE subject = ${list}
        RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
      const claims = yield* Schema.decodeUnknownEffect(Schema.Array(ClaimedJob))(rows)
      const leadsByClaim = yield* Effect.forEach(claims, (claim) =>
        Effect.gen(function* () {
          const batch = yield* Effect.flatMap(batches.loadBatch(claim), Effect.fromOption)
          const leads = yield* batches.hold(claim, batch, batch.leads)
          return leads.map((lead) => ({ claim, lead }))
        })
      )
      const claimedLeads = leadsByClaim.flat()
      let failedWrites = 0
      for (let savedCount = 0, nth = 1; savedCount < claimedLeads.length; nth++) {
        yield* failWrite(nth)
        const group = claimedLeads.slice(savedCount, savedCount + 5)
        yield* Effect.forEach(group, ({ claim, lead }) => Effect.exit(batches.saveLead(claim, lead, writtenEmails)), {
          concurrency: "unbounded"
        })
        if ((yield* stopFailing) !== undefined) failedWrites++
        // A lead whose write failed is saved by the next attempt, as when a worker retries.
        for (const { claim, lead } of group)
          assert.isTrue(Exit.isSuccess(yield* Effect.exit(batches.saveLead(claim, lead, writtenEmails))))
        savedCount += 5
        const eventRows = yield* sql`
          SELECT lead_id FROM webhook_deliveries WHERE type = 'lead.written' GROUP BY lead_id
          HAVING count(*) = 2 AND count(DISTINCT webhook_id) = 2 AND count(DISTINCT event_id) = 1`
        const completedLeads = yield* sql`SELECT id FROM leads WHERE status = 'completed'`
        assert.sameMembers(
          eventRows.map((row) => row["lead_id"]),
          completedLeads.map((row) => row["id"])
        )
        assert.strictEqual(completedLeads.length, savedCount)
        yield* Server.assertConsistent
      }
      assert.isAbove(failedWrites, 5)
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})

describe("a server that is killed", () => {
  it.live.each([1, 2, 3])("at random moments of seed %i loses no event, and stores none twice", (seed) =>
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const count = 300
      // No delivery is refused twice, because its third attempt would come minutes later.
      const refusedIds = new Set<string | undefined>()
      const refuseOnce = (response: ServerResponse, { headers }: Delivery) => {
        const id = headers["webhook-id"]
        response.writeHead(refusedIds.has(id) ? 200 : 503).end()
        refusedIds.add(id)
      }
      const receiver = yield* webhookReceiver(
        ...Array.from({ length: count }, () => (random() < 0.02 ? refuseOnce : 200))
      )
      const { data, key } = yield* onboardedWorkspace
      const settings = { OVERTURE_FETCH_ALLOW_PRIVATE: "true" }
      let server = yield* serve(data, settings)
      const api = () => apiClient(server.url, key)
      const campaign = yield* buildCampaign(api())
      const webhookAnswer = yield* api().send("POST", "/webhooks", {
        url: receiver.url,
        events: ["lead.written", "list.completed"]
      })
      assert.strictEqual(webhookAnswer.status, 201)
      const batchAnswer = yield* api().send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: namedLeads(count),
        options
      })
      const listId = batchAnswer.body.list_id as string
      const readProgress = Effect.suspend(() => api().send("GET", `/lists/${listId}`))

      for (const earliest of [0, 70, 140]) {
        const killAt = earliest + Math.floor(random() * 60)
        yield* until(readProgress, ({ body }) => "completed_at" in body || body.progress.leads_done >= killAt)
        yield* Effect.sleep(random() * 30)
        yield* killProgram(server)
        yield* assertConsistent(data)
        server = yield* serve(data, settings)
      }
      yield* until(readProgress, ({ body }) => "completed_at" in body)
      const deliveryRows = runSql(data, "SELECT event_id, type, lead_id, status, payload FROM webhook_deliveries")
      const deliveries = yield* until(deliveryRows, (rows) => rows.every(({ status }) => status === "delivered"))

      const leadIds = (yield* runSql(data, `SELECT id FROM leads WHERE list_id = '${listId}'`)).map((row) => row["id"])
      assert.lengthOf(leadIds, count)
      assert.sameMembers(
        deliveries.filter(({ type }) => type === "lead.written").map((row) => row["lead_id"]),
        leadIds
      )
      assert.lengthOf(
        deliveries.filter(({ type }) => type === "list.completed"),
        1
      )
      assert.strictEqual(deliveries.length, count + 1)
      // Each event arrived, some more than once, always with the same id and body.
      const payloads = new Map(deliveries.map((row) => [row["event_id"], row["payload"]]))
      assert.strictEqual(payloads.size, deliveries.length)
      const deliveredBodies = new Map(receiver.deliveries.map(({ body, headers }) => [headers["webhook-id"], body]))
      assert.sameMembers([...deliveredBodies.keys()], [...payloads.keys()])
      for (const { body, headers } of receiver.deliveries) assert.strictEqual(body, payloads.get(headers["webhook-id"]))
      yield* assertConsistent(data)
    })
  )

  it.live(
    "after it stored an event and before the receiver answered sends the event after the restart, with the same id",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        const settings = { OVERTURE_FETCH_ALLOW_PRIVATE: "true" }
        // The first request is never answered.
        const receiver = yield* webhookReceiver(() => {})
        // Without workers, the event is stored and not sent.
        let server = yield* serve(data, { ...settings, OVERTURE_ROLE: "api" })
        const api = () => apiClient(server.url, key)
        const { body: webhook } = yield* api().send("POST", "/webhooks", { url: receiver.url, events: ["*"] })
        assert.strictEqual((yield* api().send("POST", `/webhooks/${webhook.id}/test`)).status, 202)
        yield* killProgram(server)
        assert.lengthOf(receiver.deliveries, 0)

        server = yield* serve(data, settings)
        yield* until(
          Effect.sync(() => receiver.deliveries.length),
          (count) => count === 1
        )
        yield* killProgram(server)
        // The next delivery is more than a second later, so its timestamp differs.
        yield* Effect.sleep("1100 millis")
        server = yield* serve(data, settings)
        const readDeliveries = Effect.suspend(() => api().send("GET", `/webhooks/${webhook.id}/deliveries`))
        const { body } = yield* until(readDeliveries, ({ body }) => body.data[0].status === "delivered")
        assert.lengthOf(body.data, 1)
        assert.deepInclude(body.data[0], { attempts: 1, response_code: 200, type: "test" })

        yield* Effect.sleep("500 millis")
        assert.lengthOf(receiver.deliveries, 2)
        const [firstHeaders, secondHeaders] = receiver.deliveries.map(({ headers }) => headers)
        assert.strictEqual(firstHeaders?.["webhook-id"], body.data[0].event_id)
        assert.strictEqual(secondHeaders?.["webhook-id"], firstHeaders?.["webhook-id"])
        assert.isAbove(Number(secondHeaders?.["webhook-timestamp"]), Number(firstHeaders?.["webhook-timestamp"]))
        const verifier = new Webhook(webhook.secret)
        for (const { body, headers, json } of receiver.deliveries)
          assert.deepStrictEqual(verifier.verify(body, headers), json)
        yield* assertConsistent(data)
      })
  )
})
