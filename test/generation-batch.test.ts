// test/generation-batch.test.ts: generating emails for a batch of leads: the list, its cost, skipped leads, outages and builds.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import type { Brief } from "#layers/Generator.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, awaitJob, onboardedCaller } from "./support/callers.ts"
import {
  buildingCampaign,
  selectOption,
  assetOptions,
  proposedCampaign,
  callerWithCampaign,
  selectAudience
} from "./support/campaigns.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { failing, gated, outage, recording, refusal } from "./support/faults.ts"
import {
  generateBatch,
  failWhere,
  leadIndex,
  makeLeads,
  waitUntilSettled,
  generateOne
} from "./support/generation-requests.ts"
import { balanceOf, exportLeads, getList } from "./support/lists.ts"
import { dropTable, withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

describe("a batch", () => {
  it.live("is accepted immediately, written in the background, charged per lead, and listed", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id, message, sequence_id, ...answer } = yield* expectBody(
        202,
        generateBatch(acme, campaign, { leads: makeLeads(60), options })
      )
      assert.deepStrictEqual(answer, { status: "processing", leads_count: 60 })
      assert.isNotEmpty(message)
      assert.strictEqual(sequence_id, list_id)
      yield* sequence.started
      const { created_at, updated_at, ...list } = yield* getList(acme, list_id)
      assert.match(created_at, /^\d{4}-.*Z$/)
      assert.match(updated_at, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(list, {
        id: list_id,
        campaign_id: campaign,
        custom_name: "API Batch (60)",
        processing_status: "processing",
        progress: { leads_total: 60, leads_done: 0, leads_failed: 0 }
      })
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "processing"
      })
      yield* sequence.open
      const finished = yield* waitUntilSettled(acme, list_id)
      assert.deepInclude(finished, { processing_status: "completed", leads_count: 60, emails_created: 120 })
      assert.notProperty(finished, "progress")
      assert.notProperty(finished, "failed_at")
      assert.strictEqual(yield* balanceOf(acme), 4940)

      const { lists, ...page } = yield* expectBody(200, acme.get(`/lists?campaign_id=${campaign}&status=completed`))
      assert.deepStrictEqual(page, { has_more: false, total: 1 })
      assert.deepStrictEqual(lists, [
        {
          id: list_id,
          campaign_id: campaign,
          custom_name: "API Batch (60)",
          processing_status: "completed",
          created_at,
          completed_at: finished.completed_at
        }
      ])
      assert.deepStrictEqual((yield* expectBody(200, acme.get("/lists?status=failed"))).lists, [])
      assert.deepStrictEqual((yield* expectBody(200, acme.get(`/lists?campaign_id=${unknownId}`))).lists, [])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("is in progress after its first finished lead", () => {
    const otherLeads = gated(fakeWriter.sequence)
    const sequence = (brief: Brief) =>
      leadIndex(brief) < 2 ? failWhere((b) => (leadIndex(b) === 1 ? refusal : undefined))(brief) : otherLeads(brief)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(4), options }))
      const list = yield* until(
        getList(acme, list_id),
        ({ progress }) => progress?.leads_done + progress?.leads_failed === 2
      )
      assert.deepInclude(list, {
        processing_status: "in_progress",
        progress: { leads_total: 4, leads_done: 1, leads_failed: 1 }
      })
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export?format=json`)), {
        processing_status: "in_progress"
      })
      yield* otherLeads.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("keeps the order and the names of its leads, including duplicates", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const leads = [...makeLeads(30), ...makeLeads(3), { email: "zoe@north.example", name: "Zoë 張 😀" }]
      const { list_id } = yield* expectBody(
        202,
        generateBatch(acme, campaign, { leads, options: { ...options, list_name: "Fair 2026" } })
      )
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).custom_name, "Fair 2026")
      const exported: ReadonlyArray<{
        readonly email: string
        readonly name: string
        readonly sequence: ReadonlyArray<object>
      }> = yield* exportLeads(acme, list_id)
      assert.deepStrictEqual(
        exported.map(({ email, name }) => ({ email, name })),
        leads
      )
      assert.isTrue(exported.every(({ sequence }) => sequence.length === 2))
      assert.strictEqual(yield* balanceOf(acme), 5000 - leads.length)
      yield* assertConsistent
    }).pipe(withServer({ concurrency: 7 }))
  )

  it.live("with failed leads completes, and charges and exports only the others", () => {
    const sequence = failWhere((brief) => (leadIndex(brief) % 3 === 0 ? refusal : undefined))
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(40), options }))
      assert.deepInclude(yield* waitUntilSettled(acme, list_id), {
        processing_status: "completed",
        leads_count: 40,
        emails_created: 52
      })
      const exported: ReadonlyArray<{ readonly email: string }> = yield* exportLeads(acme, list_id)
      assert.deepStrictEqual(
        exported.map(({ email }) => email),
        makeLeads(40)
          .filter((_, i) => i % 3 !== 0)
          .map(({ email }) => email)
      )
      assert.strictEqual(yield* balanceOf(acme), 5000 - 26)
      const rows = (yield* acme.get(`/lists/${list_id}/export`)).text.split("\r\n")
      assert.lengthOf(rows, 26 + 2)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("whose leads all fail is failed, and costs nothing", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      const failed = yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(failed.processing_status, "failed")
      assert.match(failed.failed_at, /^\d{4}-.*Z$/)
      for (const field of ["completed_at", "leads_count", "emails_created", "progress"])
        assert.notProperty(failed, field)
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "failed"
      })
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: () => Effect.fail(refusal) } }))
  )

  describe("with leads at known companies", () => {
    const details = {
      company_name: "Kestrel Pumps",
      website_url: "https://kestrel-pumps.example",
      competitors: "Heatwise, Coldharbour Ltd",
      case_studies: ["Huta Wolbrom cut unplanned stops from 19 to 4 a year."]
    }
    const knownLeads = [
      { email: "ida@wolbrom.example", name: "Ida", company: "Huta Wolbrom" },
      { email: "bo@coldharbour.example", name: "Bo", company: "Coldharbour Ltd" },
      { email: "cy@kestrel-pumps.example", name: "Cy", company: "Kestrel" }
    ]
    const otherLeads = [
      { email: "di@north.example", name: "Di", company: "North Quarry" },
      { email: "ed@south.example", name: "Ed", company: "South Quarry" }
    ]
    const reasons = [/Huta Wolbrom.*client/, /Coldharbour.*competitors/, /kestrel-pumps\.example.*your own/]

    it.live("skips them with a reason, without charging or exporting them", () => {
      const sequence = recording(fakeWriter.sequence)
      return Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const leads = [...knownLeads, ...otherLeads]
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
        const list = yield* waitUntilSettled(caller, list_id)
        assert.deepInclude(list, { processing_status: "completed", leads_count: 5, emails_created: 4 })
        const { data } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
        for (const [index, reason] of reasons.entries()) {
          assert.match(data[index].skipped.reason, reason)
          assert.deepInclude(data[index], {
            status: "failed",
            error: `Left out: ${data[index].skipped.reason}`,
            emails: []
          })
        }
        for (const lead of data.slice(3)) assert.deepInclude(lead, { status: "completed", skipped: null, error: null })
        assert.sameMembers(
          sequence.calls.map(([{ lead }]) => lead.email),
          otherLeads.map(({ email }) => email)
        )
        assert.deepStrictEqual(
          (yield* exportLeads(caller, list_id)).map(({ email }: { readonly email: string }) => email),
          otherLeads.map(({ email }) => email)
        )
        assert.strictEqual(yield* balanceOf(caller), 4998)
        yield* assertConsistent
      }).pipe(withServer({ writer: { sequence } }))
    })

    it.live("writes to them if include_clients is true", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const request = { leads: knownLeads, options: { ...options, include_clients: true } }
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, request))
        assert.deepInclude(yield* waitUntilSettled(caller, list_id), { processing_status: "completed", leads_count: 3 })
        const { data } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
        for (const { skipped } of data) assert.isNull(skipped)
        assert.strictEqual(yield* balanceOf(caller), 4997)
        for (const include_clients of [false, null]) {
          const requestWithoutClients = { leads: knownLeads, options: { ...options, include_clients } }
          const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, requestWithoutClients))
          assert.strictEqual((yield* waitUntilSettled(caller, list_id)).processing_status, "failed")
        }
      }).pipe(withServer())
    )

    it.live("fails if all leads are skipped", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: knownLeads, options }))
        assert.strictEqual((yield* waitUntilSettled(caller, list_id)).processing_status, "failed")
        assert.strictEqual(yield* balanceOf(caller), 5000)
        yield* assertConsistent
      }).pipe(withServer())
    )

    it.live("refuses a single lead at a known company, without a charge", () => {
      const sequence = recording(fakeWriter.sequence)
      return Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        for (const [index, lead] of knownLeads.entries()) {
          const { message } = (yield* generateOne(caller, campaign, { lead, options })).body
          assert.match(message, reasons[index] ?? /no reason/)
          assert.include(message, "options.include_clients")
          yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead, options }))
        }
        assert.lengthOf(sequence.calls, 0)
        assert.strictEqual(yield* balanceOf(caller), 5000)
        const [lead] = knownLeads
        yield* expectBody(200, generateOne(caller, campaign, { lead, options: { ...options, include_clients: true } }))
        assert.strictEqual(yield* balanceOf(caller), 4999)
        yield* assertConsistent
      }).pipe(withServer({ writer: { sequence } }))
    })

    it.live("skips clients that only the campaign's selected proof names", () =>
      Effect.gen(function* () {
        const caller = yield* onboardedCaller({ details: { company_name: "Kestrel Pumps" } })
        const campaign = yield* proposedCampaign(caller)
        const [option] = yield* assetOptions(caller, campaign, "social_proof")
        const id = option?.id ?? ""
        const edited_descriptions = { [id]: "Huta Wolbrom cut unplanned stops from 19 to 4 a year." }
        yield* expectBody(
          200,
          caller.put(`/campaigns/${campaign}/assets/social_proof/selection`, {
            selected_ids: [id],
            edited_descriptions
          })
        )
        const { id: job } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`)
        )
        yield* awaitJob(caller, job)
        const { job: build } = yield* selectOption(caller, campaign, "value_proposition")
        yield* awaitJob(caller, build.id)
        yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead: knownLeads[0], options }))
        yield* expectBody(200, generateOne(caller, campaign, { lead: knownLeads[1], options }))
      }).pipe(withServer())
    )
  })

  it.live("becomes pending during an outage, and finished leads stay finished", () => {
    const sequence = failWhere((brief) => (leadIndex(brief) >= 10 ? outage : undefined))
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(40), options }))
      const pendingList = yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(pendingList.processing_status, "pending")
      assert.deepStrictEqual(pendingList.progress, { leads_total: 40, leads_done: 10, leads_failed: 0 })
      assert.strictEqual(yield* balanceOf(acme), 40)
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "pending"
      })
      // A pending list does not count as a concurrent list.
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence }, concurrency: 1 }))
  })

  it.live("that runs out of credits becomes pending, and written emails are kept", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "starter" })
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      const firstBatch = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(600), options }))
      const secondBatch = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(600), options }))
      yield* sequence.open
      const [firstList, secondList] = [
        yield* waitUntilSettled(acme, firstBatch.list_id),
        yield* waitUntilSettled(acme, secondBatch.list_id)
      ]
      assert.include([firstList.processing_status, secondList.processing_status], "pending")
      assert.strictEqual(yield* balanceOf(acme), 0)
      const completedLeads = yield* sql`SELECT count(*) AS n FROM leads WHERE status = 'completed'`
      assert.deepStrictEqual(completedLeads, [{ n: 1000 }])
      assert.strictEqual((yield* credits.ledger(acme.workspace)).filter(({ kind }) => kind === "capture").length, 1000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("accepted during a build starts when the build completes", () => {
    const emailInstructions = gated(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(acme)
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      assert.strictEqual((yield* getList(acme, list_id)).processing_status, "processing")
      yield* emailInstructions.open
      assert.deepInclude(yield* waitUntilSettled(acme, list_id), { processing_status: "completed", emails_created: 60 })
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("accepted during a build fails with it", () => {
    const emailInstructions = gated(failing(refusal, 1, fakeWriter.emailInstructions))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* buildingCampaign(acme)
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      yield* emailInstructions.open
      yield* awaitJob(acme, job)
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      // A later build does not change a failed list.
      yield* awaitJob(acme, (yield* selectOption(acme, campaign, "value_proposition")).job.id)
      assert.strictEqual((yield* getList(acme, list_id)).processing_status, "failed")
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  describe.each(["social_proof", "target audience", "value propositions"] as const)(
    "whose build is made outdated by a change of %s",
    (step) => {
      /** Changes the campaign during its build. */
      const change = Effect.fnUntraced(function* (acme: Caller, campaign: string) {
        if (step === "social_proof") yield* selectOption(acme, campaign, step, 1)
        if (step === "target audience") yield* awaitJob(acme, (yield* selectAudience(acme, campaign, 1)).id)
        if (step === "value propositions") {
          const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
          yield* awaitJob(acme, id)
        }
      })

      it.live("is pending until it is resumed, and uses the next build", () => {
        const firstBuild = gated(fakeWriter.emailInstructions)
        const secondBuild = gated(fakeWriter.emailInstructions)
        let builds = 0
        const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) => {
          builds++
          return builds === 1
            ? firstBuild(campaign)
            : builds === 2
              ? secondBuild(campaign)
              : fakeWriter.emailInstructions(campaign)
        }
        const sequence = recording(fakeWriter.sequence)
        return Effect.gen(function* () {
          const acme = yield* onboardedCaller({ plan: "starter" })
          const { campaign, job } = yield* buildingCampaign(acme)
          yield* firstBuild.started
          // The plan allows two concurrent lists. A single lead waits too, with its credit held.
          const lists = yield* Effect.forEach([3, 30], (count) =>
            Effect.map(
              expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(count), options })),
              ({ list_id }) => list_id
            )
          )
          const singleRequest = yield* Effect.forkChild(acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
          yield* until(balanceOf(acme), (balance) => balance === 999)
          yield* expectError(429, "WORKSPACE_LIMIT", generateBatch(acme, campaign, { leads: makeLeads(1), options }))

          yield* change(acme, campaign)
          for (const [index, total] of [3, 30].entries()) {
            const list = yield* getList(acme, lists[index])
            assert.strictEqual(list.processing_status, "pending")
            assert.deepStrictEqual(list.progress, { leads_total: total, leads_done: 0, leads_failed: 0 })
          }
          const answer = yield* Fiber.join(singleRequest)
          assert.deepStrictEqual([answer.status, answer.body.error], [500, "INTERNAL_ERROR"])
          assert.include(answer.body.message, "The campaign was changed")
          assert.strictEqual(yield* balanceOf(acme), 1000)
          yield* firstBuild.open
          yield* awaitJob(acme, job)
          yield* assertConsistent

          // The lists cannot be resumed before the campaign is built again, but they can be deleted.
          for (const id of lists) yield* expectError(422, "UNPROCESSABLE", acme.post(`/lists/${id}`))
          assert.strictEqual((yield* getList(acme, lists[0])).processing_status, "pending")
          yield* expectBody(200, acme.delete(`/lists/${lists[1]}`))
          assert.lengthOf(sequence.calls, 0)

          // A list that is resumed during the next build waits for it.
          const selection = yield* selectOption(acme, campaign, "value_proposition")
          yield* secondBuild.started
          yield* expectBody(202, acme.post(`/lists/${lists[0]}`))
          assert.strictEqual((yield* getList(acme, lists[0])).processing_status, "processing")
          yield* secondBuild.open
          yield* awaitJob(acme, selection.job.id)
          assert.strictEqual((yield* waitUntilSettled(acme, lists[0])).processing_status, "completed")
          assert.lengthOf(sequence.calls, 3)
          if (step === "social_proof") {
            for (const [brief] of sequence.calls) {
              assert.strictEqual(brief.campaign.social_proof?.items[0]?.name, "social_proof two")
            }
          }
          // A list that is resumed after the build starts immediately.
          const { lists: pendingLists } = yield* expectBody(200, acme.get("/lists?status=pending"))
          assert.lengthOf(pendingLists, 1)
          yield* expectBody(202, acme.post(`/lists/${pendingLists[0].id}`))
          assert.strictEqual((yield* waitUntilSettled(acme, pendingLists[0].id)).processing_status, "completed")
          assert.strictEqual(yield* balanceOf(acme), 996)
          yield* assertConsistent
        }).pipe(withServer({ writer: { emailInstructions, sequence } }))
      })
    }
  )

  it.live("accepted during a build that is restarted is written from the second build", () => {
    const firstBuild = gated(fakeWriter.emailInstructions)
    let builds = 0
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) =>
      builds++ === 0 ? firstBuild(campaign) : fakeWriter.emailInstructions(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* buildingCampaign(acme)
      yield* firstBuild.started
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(3), options }))
      const selection = yield* selectOption(acme, campaign, "value_proposition", 1)
      yield* awaitJob(acme, selection.job.id)
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      yield* firstBuild.open
      yield* awaitJob(acme, job)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("that was resumed during a new build fails if that build fails", () => {
    const firstBuild = gated(fakeWriter.emailInstructions)
    const secondBuild = gated(failing(refusal, 1, fakeWriter.emailInstructions))
    let builds = 0
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) =>
      builds++ === 0 ? firstBuild(campaign) : secondBuild(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(acme)
      yield* firstBuild.started
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(3), options }))
      yield* selectOption(acme, campaign, "social_proof", 1)
      yield* firstBuild.open
      yield* selectOption(acme, campaign, "value_proposition")
      yield* secondBuild.started
      yield* expectBody(202, acme.post(`/lists/${list_id}`))
      yield* secondBuild.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("is written from the campaign as accepted or built, not from a later change", () => {
    const sequence = gated(fakeWriter.sequence)
    const recordedSequence = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      yield* sequence.started
      yield* selectOption(acme, campaign, "social_proof", 1)
      yield* sequence.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      assert.deepStrictEqual(
        new Set(recordedSequence.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(withServer({ writer: { sequence: recordedSequence }, concurrency: 2 }))
  })

  it.live("is written although the campaign is changed before it starts", () => {
    const sequence = gated(fakeWriter.sequence)
    const recordedSequence = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      // Occupies all workers, so that the next batch waits.
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(100), options }))
      yield* until(
        Effect.sync(() => recordedSequence.calls.length),
        (calls) => calls === 16
      )
      const waitingBatch = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      const { campaign: otherCampaign, job } = yield* buildingCampaign(acme)
      const gatedBatch = yield* expectBody(202, generateBatch(acme, otherCampaign, { leads: makeLeads(1), options }))
      yield* awaitJob(acme, job)
      for (const changedCampaign of [campaign, otherCampaign])
        yield* selectOption(acme, changedCampaign, "social_proof", 1)
      yield* sequence.open
      for (const { list_id } of [waitingBatch, gatedBatch]) {
        assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      }
      assert.deepStrictEqual(
        new Set(recordedSequence.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(withServer({ writer: { sequence: recordedSequence } }))
  })

  it.live("does not exceed the concurrency limit", () => {
    let active = 0
    let maxActive = 0
    const sequence = (brief: Brief) =>
      Effect.gen(function* () {
        maxActive = Math.max(maxActive, ++active)
        yield* Effect.yieldNow
        yield* Effect.yieldNow
        active--
        return yield* fakeWriter.sequence(brief)
      })
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const lists = yield* Effect.forEach([60, 60], (count) =>
        expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(count), options }))
      )
      for (const { list_id } of lists) yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(maxActive, 5)
    }).pipe(withServer({ writer: { sequence }, concurrency: 5 }))
  })

  it.live.each([
    { leads: [], path: "leads" },
    { leads: undefined, path: "leads" },
    { leads: null, path: "leads" },
    { leads: {}, path: "leads" },
    { leads: Array.from({ length: 50_001 }, () => lead), path: "leads" },
    { leads: [lead, null], path: "leads.1" },
    { leads: [{ ...lead, company: "x".repeat(2001) }], path: "leads.0.company" },
    { leads: [{ name: "Ann" }], path: "leads.0.email" }
  ])("is refused with invalid leads: $path", ({ leads, path }) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { issues } = yield* expectError(400, "BAD_REQUEST", generateBatch(acme, unknownId, { leads, options }))
      assert.strictEqual(issues[0].path, path)
    }).pipe(withServer({ runsWorkers: false }))
  )

  it.live("is stored completely or not at all", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      yield* dropTable("jobs")
      yield* expectError(500, "INTERNAL_ERROR", generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      yield* expectError(500, "INTERNAL_ERROR", generateOne(acme, campaign, { lead, options }))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM lists UNION ALL SELECT id FROM leads`, [])
      assert.deepStrictEqual(yield* sql`SELECT owner FROM credit_holds`, [])
      assert.strictEqual(yield* balanceOf(acme), 5000)
    }).pipe(withServer())
  )

  it.live("may hold 50,000 leads", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "internal" })
      const leads = makeLeads(50_000)
      const { leads_count, list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads, options }))
      assert.strictEqual(leads_count, 50_000)
      const { progress } = yield* getList(acme, list_id)
      assert.strictEqual(progress.leads_total, 50_000)
    }).pipe(withServer({ writer: { sequence: () => Effect.never } }))
  )
})
