// test/generation-batch.test.ts: emails for many leads: how a list comes about, what it costs, and what keeps it from being written.
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
  it.live("is accepted at once, written in the background, charged by lead, and listed", () => {
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
      const { created_at, updated_at, ...listed } = yield* getList(acme, list_id)
      assert.match(created_at, /^\d{4}-.*Z$/)
      assert.match(updated_at, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(listed, {
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
      const done = yield* waitUntilSettled(acme, list_id)
      assert.deepInclude(done, { processing_status: "completed", leads_count: 60, emails_created: 120 })
      assert.notProperty(done, "progress")
      assert.notProperty(done, "failed_at")
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
          completed_at: done.completed_at
        }
      ])
      assert.deepStrictEqual((yield* expectBody(200, acme.get("/lists?status=failed"))).lists, [])
      assert.deepStrictEqual((yield* expectBody(200, acme.get(`/lists?campaign_id=${unknownId}`))).lists, [])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("is in progress from its first finished lead on", () => {
    const rest = gated(fakeWriter.sequence)
    const sequence = (brief: Brief) =>
      leadIndex(brief) < 2 ? failWhere((b) => (leadIndex(b) === 1 ? refusal : undefined))(brief) : rest(brief)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(4), options }))
      const seen = yield* until(
        getList(acme, list_id),
        ({ progress }) => progress?.leads_done + progress?.leads_failed === 2
      )
      assert.deepInclude(seen, {
        processing_status: "in_progress",
        progress: { leads_total: 4, leads_done: 1, leads_failed: 1 }
      })
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export?format=json`)), {
        processing_status: "in_progress"
      })
      yield* rest.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("keeps the order it was sent in, equal leads apart, and names as they are", () =>
    Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const leads = [...makeLeads(30), ...makeLeads(3), { email: "zoe@north.example", name: "Zoë 張 😀" }]
      const { list_id } = yield* expectBody(
        202,
        generateBatch(acme, campaign, { leads, options: { ...options, list_name: "Fair 2026" } })
      )
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).custom_name, "Fair 2026")
      const written: ReadonlyArray<{
        readonly email: string
        readonly name: string
        readonly sequence: ReadonlyArray<object>
      }> = yield* exportLeads(acme, list_id)
      assert.deepStrictEqual(
        written.map(({ email, name }) => ({ email, name })),
        leads
      )
      assert.isTrue(written.every(({ sequence }) => sequence.length === 2))
      assert.strictEqual(yield* balanceOf(acme), 5000 - leads.length)
      yield* assertConsistent
    }).pipe(withServer({ concurrency: 7 }))
  )

  it.live("with leads that fail completes, and charges and exports the others", () => {
    const sequence = failWhere((brief) => (leadIndex(brief) % 3 === 0 ? refusal : undefined))
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(40), options }))
      assert.deepInclude(yield* waitUntilSettled(acme, list_id), {
        processing_status: "completed",
        leads_count: 40,
        emails_created: 52
      })
      const written: ReadonlyArray<{ readonly email: string }> = yield* exportLeads(acme, list_id)
      assert.deepStrictEqual(
        written.map(({ email }) => email),
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

  it.live("of leads that all fail has failed, and costs nothing", () =>
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
    const known = [
      { email: "ida@wolbrom.example", name: "Ida", company: "Huta Wolbrom" },
      { email: "bo@coldharbour.example", name: "Bo", company: "Coldharbour Ltd" },
      { email: "cy@kestrel-pumps.example", name: "Cy", company: "Kestrel" }
    ]
    const others = [
      { email: "di@north.example", name: "Di", company: "North Quarry" },
      { email: "ed@south.example", name: "Ed", company: "South Quarry" }
    ]
    const reasons = [/Huta Wolbrom.*client/, /Coldharbour.*competitors/, /kestrel-pumps\.example.*your own/]

    it.live("leaves them out: they cost nothing, say why, and are not exported", () => {
      const sequence = recording(fakeWriter.sequence)
      return Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const leads = [...known, ...others]
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
        const list = yield* waitUntilSettled(caller, list_id)
        assert.deepInclude(list, { processing_status: "completed", leads_count: 5, emails_created: 4 })
        const { data } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
        for (const [at, reason] of reasons.entries()) {
          assert.match(data[at].skipped.reason, reason)
          assert.deepInclude(data[at], { status: "failed", error: `Left out: ${data[at].skipped.reason}`, emails: [] })
        }
        for (const lead of data.slice(3)) assert.deepInclude(lead, { status: "completed", skipped: null, error: null })
        assert.sameMembers(
          sequence.calls.map(([{ lead }]) => lead.email),
          others.map(({ email }) => email)
        )
        assert.deepStrictEqual(
          (yield* exportLeads(caller, list_id)).map(({ email }: { readonly email: string }) => email),
          others.map(({ email }) => email)
        )
        assert.strictEqual(yield* balanceOf(caller), 4998)
        yield* assertConsistent
      }).pipe(withServer({ writer: { sequence } }))
    })

    it.live("writes to them where include_clients is true", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const sent = { leads: known, options: { ...options, include_clients: true } }
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, sent))
        assert.deepInclude(yield* waitUntilSettled(caller, list_id), { processing_status: "completed", leads_count: 3 })
        const { data } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
        for (const { skipped } of data) assert.isNull(skipped)
        assert.strictEqual(yield* balanceOf(caller), 4997)
        for (const include_clients of [false, null]) {
          const left = { leads: known, options: { ...options, include_clients } }
          const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, left))
          assert.strictEqual((yield* waitUntilSettled(caller, list_id)).processing_status, "failed")
        }
      }).pipe(withServer())
    )

    it.live("has failed where all of them are left out", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: known, options }))
        assert.strictEqual((yield* waitUntilSettled(caller, list_id)).processing_status, "failed")
        assert.strictEqual(yield* balanceOf(caller), 5000)
        yield* assertConsistent
      }).pipe(withServer())
    )

    it.live("refuses to write to one of them alone, and charges nothing for it", () => {
      const sequence = recording(fakeWriter.sequence)
      return Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details })
        for (const [at, lead] of known.entries()) {
          const { message } = (yield* generateOne(caller, campaign, { lead, options })).body
          assert.match(message, reasons[at] ?? /no reason/)
          assert.include(message, "options.include_clients")
          yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead, options }))
        }
        assert.lengthOf(sequence.calls, 0)
        assert.strictEqual(yield* balanceOf(caller), 5000)
        const [lead] = known
        yield* expectBody(200, generateOne(caller, campaign, { lead, options: { ...options, include_clients: true } }))
        assert.strictEqual(yield* balanceOf(caller), 4999)
        yield* assertConsistent
      }).pipe(withServer({ writer: { sequence } }))
    })

    it.live("leaves out clients of a proof that only the campaign's selection names", () =>
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
        yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead: known[0], options }))
        yield* expectBody(200, generateOne(caller, campaign, { lead: known[1], options }))
      }).pipe(withServer())
    )
  })

  it.live("met by an outage rests, and what was finished stays finished", () => {
    const sequence = failWhere((brief) => (leadIndex(brief) >= 10 ? outage : undefined))
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "free" })
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(40), options }))
      const resting = yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(resting.processing_status, "pending")
      assert.deepStrictEqual(resting.progress, { leads_total: 40, leads_done: 10, leads_failed: 0 })
      assert.strictEqual(yield* balanceOf(acme), 40)
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "pending"
      })
      // A list that rests is no list in work.
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence }, concurrency: 1 }))
  })

  it.live("that runs out of credits rests, and nothing written is lost", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign({ plan: "starter" })
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      const first = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(600), options }))
      const second = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(600), options }))
      yield* sequence.open
      const [one, two] = [yield* waitUntilSettled(acme, first.list_id), yield* waitUntilSettled(acme, second.list_id)]
      assert.include([one.processing_status, two.processing_status], "pending")
      assert.strictEqual(yield* balanceOf(acme), 0)
      const written = yield* sql`SELECT count(*) AS n FROM leads WHERE status = 'completed'`
      assert.deepStrictEqual(written, [{ n: 1000 }])
      assert.strictEqual((yield* credits.ledger(acme.workspace)).filter(({ kind }) => kind === "capture").length, 1000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("accepted during a build starts by itself when the build is done", () => {
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
      // A later build is not its business any more.
      yield* awaitJob(acme, (yield* selectOption(acme, campaign, "value_proposition")).job.id)
      assert.strictEqual((yield* getList(acme, list_id)).processing_status, "failed")
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  describe.each(["social_proof", "target audience", "value propositions"] as const)(
    "whose build a change of %s overtakes",
    (step) => {
      /** Overtakes the build by another choice, and answers what lets the campaign be built again. */
      const change = Effect.fnUntraced(function* (acme: Caller, campaign: string) {
        if (step === "social_proof") yield* selectOption(acme, campaign, step, 1)
        if (step === "target audience") yield* awaitJob(acme, (yield* selectAudience(acme, campaign, 1)).id)
        if (step === "value propositions") {
          const { id } = yield* expectBody(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
          yield* awaitJob(acme, id)
        }
      })

      it.live("rests until it is asked to go on, and is written from the next", () => {
        const first = gated(fakeWriter.emailInstructions)
        const second = gated(fakeWriter.emailInstructions)
        let builds = 0
        const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) => {
          builds++
          return builds === 1
            ? first(campaign)
            : builds === 2
              ? second(campaign)
              : fakeWriter.emailInstructions(campaign)
        }
        const sequence = recording(fakeWriter.sequence)
        return Effect.gen(function* () {
          const acme = yield* onboardedCaller({ plan: "starter" })
          const { campaign, job } = yield* buildingCampaign(acme)
          yield* first.started
          // The plan has two lists at once, and a lead waits whose credit is held.
          const lists = yield* Effect.forEach([3, 30], (count) =>
            Effect.map(
              expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(count), options })),
              ({ list_id }) => list_id
            )
          )
          const single = yield* Effect.forkChild(acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
          yield* until(balanceOf(acme), (left) => left === 999)
          yield* expectError(429, "WORKSPACE_LIMIT", generateBatch(acme, campaign, { leads: makeLeads(1), options }))

          yield* change(acme, campaign)
          for (const [at, total] of [3, 30].entries()) {
            const waiting = yield* getList(acme, lists[at])
            assert.strictEqual(waiting.processing_status, "pending")
            assert.deepStrictEqual(waiting.progress, { leads_total: total, leads_done: 0, leads_failed: 0 })
          }
          const told = yield* Fiber.join(single)
          assert.deepStrictEqual([told.status, told.body.error], [500, "INTERNAL_ERROR"])
          assert.include(told.body.message, "The campaign was changed")
          assert.strictEqual(yield* balanceOf(acme), 1000)
          yield* first.open
          yield* awaitJob(acme, job)
          yield* assertConsistent

          // Nothing to be written from yet, and nothing that keeps it from being deleted.
          for (const id of lists) yield* expectError(422, "UNPROCESSABLE", acme.post(`/lists/${id}`))
          assert.strictEqual((yield* getList(acme, lists[0])).processing_status, "pending")
          yield* expectBody(200, acme.delete(`/lists/${lists[1]}`))
          assert.lengthOf(sequence.calls, 0)

          // During the next build it waits and then continues.
          const again = yield* selectOption(acme, campaign, "value_proposition")
          yield* second.started
          yield* expectBody(202, acme.post(`/lists/${lists[0]}`))
          assert.strictEqual((yield* getList(acme, lists[0])).processing_status, "processing")
          yield* second.open
          yield* awaitJob(acme, again.job.id)
          assert.strictEqual((yield* waitUntilSettled(acme, lists[0])).processing_status, "completed")
          assert.lengthOf(sequence.calls, 3)
          if (step === "social_proof") {
            for (const [brief] of sequence.calls) {
              assert.strictEqual(brief.campaign.social_proof?.items[0]?.name, "social_proof two")
            }
          }
          // After it, at once.
          const { lists: all } = yield* expectBody(200, acme.get("/lists?status=pending"))
          assert.lengthOf(all, 1)
          yield* expectBody(202, acme.post(`/lists/${all[0].id}`))
          assert.strictEqual((yield* waitUntilSettled(acme, all[0].id)).processing_status, "completed")
          assert.strictEqual(yield* balanceOf(acme), 996)
          yield* assertConsistent
        }).pipe(withServer({ writer: { emailInstructions, sequence } }))
      })
    }
  )

  it.live("accepted during a build that is restarted is written from the second build", () => {
    const first = gated(fakeWriter.emailInstructions)
    let builds = 0
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : fakeWriter.emailInstructions(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* buildingCampaign(acme)
      yield* first.started
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(3), options }))
      const second = yield* selectOption(acme, campaign, "value_proposition", 1)
      yield* awaitJob(acme, second.job.id)
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      yield* first.open
      yield* awaitJob(acme, job)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("that was overtaken and begun again fails with the build that fails then", () => {
    const first = gated(fakeWriter.emailInstructions)
    const second = gated(failing(refusal, 1, fakeWriter.emailInstructions))
    let builds = 0
    const emailInstructions: typeof fakeWriter.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : second(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(acme)
      yield* first.started
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(3), options }))
      yield* selectOption(acme, campaign, "social_proof", 1)
      yield* first.open
      yield* selectOption(acme, campaign, "value_proposition")
      yield* second.started
      yield* expectBody(202, acme.post(`/lists/${list_id}`))
      yield* second.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(withServer({ writer: { emailInstructions } }))
  })

  it.live("is written from what the campaign was when it was accepted or built, not from a later change", () => {
    const sequence = gated(fakeWriter.sequence)
    const seen = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(30), options }))
      yield* sequence.started
      yield* selectOption(acme, campaign, "social_proof", 1)
      yield* sequence.open
      assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      assert.deepStrictEqual(
        new Set(seen.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(withServer({ writer: { sequence: seen }, concurrency: 2 }))
  })

  it.live("is written although the campaign is changed before its turn has come", () => {
    const sequence = gated(fakeWriter.sequence)
    const seen = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      // As many batches as are in work at once, so that the next one waits.
      yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(100), options }))
      yield* until(
        Effect.sync(() => seen.calls.length),
        (calls) => calls === 16
      )
      const waiting = yield* expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(1), options }))
      const { campaign: other, job } = yield* buildingCampaign(acme)
      const gated = yield* expectBody(202, generateBatch(acme, other, { leads: makeLeads(1), options }))
      yield* awaitJob(acme, job)
      for (const changed of [campaign, other]) yield* selectOption(acme, changed, "social_proof", 1)
      yield* sequence.open
      for (const { list_id } of [waiting, gated]) {
        assert.strictEqual((yield* waitUntilSettled(acme, list_id)).processing_status, "completed")
      }
      assert.deepStrictEqual(
        new Set(seen.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(withServer({ writer: { sequence: seen } }))
  })

  it.live("never exceeds what may be written at once", () => {
    let now = 0
    let most = 0
    const sequence = (brief: Brief) =>
      Effect.gen(function* () {
        most = Math.max(most, ++now)
        yield* Effect.yieldNow
        yield* Effect.yieldNow
        now--
        return yield* fakeWriter.sequence(brief)
      })
    return Effect.gen(function* () {
      const { campaign, caller: acme } = yield* callerWithCampaign()
      const lists = yield* Effect.forEach([60, 60], (count) =>
        expectBody(202, generateBatch(acme, campaign, { leads: makeLeads(count), options }))
      )
      for (const { list_id } of lists) yield* waitUntilSettled(acme, list_id)
      assert.strictEqual(most, 5)
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
  ])("is refused with leads that are none: $path", ({ leads, path }) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { issues } = yield* expectError(400, "BAD_REQUEST", generateBatch(acme, unknownId, { leads, options }))
      assert.strictEqual(issues[0].path, path)
    }).pipe(withServer({ runsWorkers: false }))
  )

  it.live("is stored whole, or is an error and not stored at all", () =>
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
