// test/generation-batch.test.ts: emails for many leads: how a list comes about, what it costs, and what keeps it from being written.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import type { Brief } from "#layers/Generator.ts"
import { body, refused } from "./support/answers.ts"
import { newCaller, type Caller, endedJob, onboardedCaller } from "./support/callers.ts"
import { building, choose, optionsOf, proposed, ready, target } from "./support/campaigns.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { failing, gated, outage, recording, refusal } from "./support/faults.ts"
import { batch, failWhere, indexOf, leadsOf, settled, single } from "./support/generating.ts"
import { balanceOf, exported, listOf } from "./support/lists.ts"
import { dropTable, served, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fake } from "./support/writer.ts"

describe("a batch", () => {
  it.live("is accepted at once, written in the background, charged by lead, and listed", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const { list_id, message, sequence_id, ...answer } = yield* body(
        202,
        batch(acme, campaign, { leads: leadsOf(60), options })
      )
      assert.deepStrictEqual(answer, { status: "processing", leads_count: 60 })
      assert.isNotEmpty(message)
      assert.strictEqual(sequence_id, list_id)
      yield* sequence.began
      const { created_at, updated_at, ...listed } = yield* listOf(acme, list_id)
      assert.match(created_at, /^\d{4}-.*Z$/)
      assert.match(updated_at, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(listed, {
        id: list_id,
        campaign_id: campaign,
        custom_name: "API Batch (60)",
        processing_status: "processing",
        progress: { leads_total: 60, leads_done: 0, leads_failed: 0 }
      })
      assert.deepStrictEqual(yield* refused(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "processing"
      })
      yield* sequence.open
      const done = yield* settled(acme, list_id)
      assert.deepInclude(done, { processing_status: "completed", leads_count: 60, emails_created: 120 })
      assert.notProperty(done, "progress")
      assert.notProperty(done, "failed_at")
      assert.strictEqual(yield* balanceOf(acme), 4940)

      const { lists, ...page } = yield* body(200, acme.get(`/lists?campaign_id=${campaign}&status=completed`))
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
      assert.deepStrictEqual((yield* body(200, acme.get("/lists?status=failed"))).lists, [])
      assert.deepStrictEqual((yield* body(200, acme.get(`/lists?campaign_id=${unknownId}`))).lists, [])
      yield* assertConsistent
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("is in progress from its first finished lead on", () => {
    const rest = gated(fake.sequence)
    const sequence = (brief: Brief) =>
      indexOf(brief) < 2 ? failWhere((b) => (indexOf(b) === 1 ? refusal : undefined))(brief) : rest(brief)
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(4), options }))
      const seen = yield* until(
        listOf(acme, list_id),
        ({ progress }) => progress?.leads_done + progress?.leads_failed === 2
      )
      assert.deepInclude(seen, {
        processing_status: "in_progress",
        progress: { leads_total: 4, leads_done: 1, leads_failed: 1 }
      })
      assert.deepStrictEqual(yield* refused(409, "NOT_READY", acme.get(`/lists/${list_id}/export?format=json`)), {
        processing_status: "in_progress"
      })
      yield* rest.open
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "completed")
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("keeps the order it was sent in, equal leads apart, and names as they are", () =>
    Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const leads = [...leadsOf(30), ...leadsOf(3), { email: "zoe@north.example", name: "Zoë 張 😀" }]
      const { list_id } = yield* body(
        202,
        batch(acme, campaign, { leads, options: { ...options, list_name: "Fair 2026" } })
      )
      assert.strictEqual((yield* settled(acme, list_id)).custom_name, "Fair 2026")
      const written: ReadonlyArray<{
        readonly email: string
        readonly name: string
        readonly sequence: ReadonlyArray<object>
      }> = yield* exported(acme, list_id)
      assert.deepStrictEqual(
        written.map(({ email, name }) => ({ email, name })),
        leads
      )
      assert.isTrue(written.every(({ sequence }) => sequence.length === 2))
      assert.strictEqual(yield* balanceOf(acme), 5000 - leads.length)
      yield* assertConsistent
    }).pipe(served({ concurrency: 7 }))
  )

  it.live("with leads that fail completes, and charges and exports the others", () => {
    const sequence = failWhere((brief) => (indexOf(brief) % 3 === 0 ? refusal : undefined))
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(40), options }))
      assert.deepInclude(yield* settled(acme, list_id), {
        processing_status: "completed",
        leads_count: 40,
        emails_created: 52
      })
      const written: ReadonlyArray<{ readonly email: string }> = yield* exported(acme, list_id)
      assert.deepStrictEqual(
        written.map(({ email }) => email),
        leadsOf(40)
          .filter((_, i) => i % 3 !== 0)
          .map(({ email }) => email)
      )
      assert.strictEqual(yield* balanceOf(acme), 5000 - 26)
      const rows = (yield* acme.get(`/lists/${list_id}/export`)).text.split("\r\n")
      assert.lengthOf(rows, 26 + 2)
      yield* assertConsistent
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("of leads that all fail has failed, and costs nothing", () =>
    Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      const failed = yield* settled(acme, list_id)
      assert.strictEqual(failed.processing_status, "failed")
      assert.match(failed.failed_at, /^\d{4}-.*Z$/)
      for (const field of ["completed_at", "leads_count", "emails_created", "progress"])
        assert.notProperty(failed, field)
      assert.deepStrictEqual(yield* refused(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "failed"
      })
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(served({ writer: { sequence: () => Effect.fail(refusal) } }))
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
      const sequence = recording(fake.sequence)
      return Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details })
        const leads = [...known, ...others]
        const { list_id } = yield* body(202, batch(who, campaign, { leads, options }))
        const list = yield* settled(who, list_id)
        assert.deepInclude(list, { processing_status: "completed", leads_count: 5, emails_created: 4 })
        const { data } = yield* body(200, who.get(`/lists/${list_id}/leads`))
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
          (yield* exported(who, list_id)).map(({ email }: { readonly email: string }) => email),
          others.map(({ email }) => email)
        )
        assert.strictEqual(yield* balanceOf(who), 4998)
        yield* assertConsistent
      }).pipe(served({ writer: { sequence } }))
    })

    it.live("writes to them where include_clients is true", () =>
      Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details })
        const sent = { leads: known, options: { ...options, include_clients: true } }
        const { list_id } = yield* body(202, batch(who, campaign, sent))
        assert.deepInclude(yield* settled(who, list_id), { processing_status: "completed", leads_count: 3 })
        const { data } = yield* body(200, who.get(`/lists/${list_id}/leads`))
        for (const { skipped } of data) assert.isNull(skipped)
        assert.strictEqual(yield* balanceOf(who), 4997)
        for (const include_clients of [false, null]) {
          const left = { leads: known, options: { ...options, include_clients } }
          const { list_id } = yield* body(202, batch(who, campaign, left))
          assert.strictEqual((yield* settled(who, list_id)).processing_status, "failed")
        }
      }).pipe(served())
    )

    it.live("has failed where all of them are left out", () =>
      Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details })
        const { list_id } = yield* body(202, batch(who, campaign, { leads: known, options }))
        assert.strictEqual((yield* settled(who, list_id)).processing_status, "failed")
        assert.strictEqual(yield* balanceOf(who), 5000)
        yield* assertConsistent
      }).pipe(served())
    )

    it.live("refuses to write to one of them alone, and charges nothing for it", () => {
      const sequence = recording(fake.sequence)
      return Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details })
        for (const [at, lead] of known.entries()) {
          const { message } = (yield* single(who, campaign, { lead, options })).body
          assert.match(message, reasons[at] ?? /no reason/)
          assert.include(message, "options.include_clients")
          yield* refused(422, "UNPROCESSABLE", single(who, campaign, { lead, options }))
        }
        assert.lengthOf(sequence.calls, 0)
        assert.strictEqual(yield* balanceOf(who), 5000)
        const [lead] = known
        yield* body(200, single(who, campaign, { lead, options: { ...options, include_clients: true } }))
        assert.strictEqual(yield* balanceOf(who), 4999)
        yield* assertConsistent
      }).pipe(served({ writer: { sequence } }))
    })

    it.live("leaves out clients of a proof that only the campaign's selection names", () =>
      Effect.gen(function* () {
        const who = yield* onboardedCaller({ details: { company_name: "Kestrel Pumps" } })
        const campaign = yield* proposed(who)
        const [option] = yield* optionsOf(who, campaign, "social_proof")
        const id = option?.id ?? ""
        const edited_descriptions = { [id]: "Huta Wolbrom cut unplanned stops from 19 to 4 a year." }
        yield* body(
          200,
          who.put(`/campaigns/${campaign}/assets/social_proof/selection`, { selected_ids: [id], edited_descriptions })
        )
        const { id: job } = yield* body(202, who.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
        yield* endedJob(who, job)
        const { job: build } = yield* choose(who, campaign, "value_proposition")
        yield* endedJob(who, build.id)
        yield* refused(422, "UNPROCESSABLE", single(who, campaign, { lead: known[0], options }))
        yield* body(200, single(who, campaign, { lead: known[1], options }))
      }).pipe(served())
    )
  })

  it.live("met by an outage rests, and what was finished stays finished", () => {
    const sequence = failWhere((brief) => (indexOf(brief) >= 10 ? outage : undefined))
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready({ plan: "free" })
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(40), options }))
      const resting = yield* settled(acme, list_id)
      assert.strictEqual(resting.processing_status, "pending")
      assert.deepStrictEqual(resting.progress, { leads_total: 40, leads_done: 10, leads_failed: 0 })
      assert.strictEqual(yield* balanceOf(acme), 40)
      assert.deepStrictEqual(yield* refused(409, "NOT_READY", acme.get(`/lists/${list_id}/export`)), {
        processing_status: "pending"
      })
      // A list that rests is no list in work.
      yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
      yield* assertConsistent
    }).pipe(served({ writer: { sequence }, concurrency: 1 }))
  })

  it.live("that runs out of credits rests, and nothing written is lost", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready({ plan: "starter" })
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      const first = yield* body(202, batch(acme, campaign, { leads: leadsOf(600), options }))
      const second = yield* body(202, batch(acme, campaign, { leads: leadsOf(600), options }))
      yield* sequence.open
      const [one, two] = [yield* settled(acme, first.list_id), yield* settled(acme, second.list_id)]
      assert.include([one.processing_status, two.processing_status], "pending")
      assert.strictEqual(yield* balanceOf(acme), 0)
      const written = yield* sql`SELECT count(*) AS n FROM leads WHERE status = 'completed'`
      assert.deepStrictEqual(written, [{ n: 1000 }])
      assert.strictEqual((yield* credits.ledger(acme.workspace)).filter(({ kind }) => kind === "capture").length, 1000)
      yield* assertConsistent
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("accepted during a build starts by itself when the build is done", () => {
    const emailInstructions = gated(fake.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* building(acme)
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      assert.strictEqual((yield* listOf(acme, list_id)).processing_status, "processing")
      yield* emailInstructions.open
      assert.deepInclude(yield* settled(acme, list_id), { processing_status: "completed", emails_created: 60 })
      yield* assertConsistent
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("accepted during a build fails with it", () => {
    const emailInstructions = gated(failing(refusal, 1, fake.emailInstructions))
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* building(acme)
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* emailInstructions.open
      yield* endedJob(acme, job)
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      // A later build is not its business any more.
      yield* endedJob(acme, (yield* choose(acme, campaign, "value_proposition")).job.id)
      assert.strictEqual((yield* listOf(acme, list_id)).processing_status, "failed")
      yield* assertConsistent
    }).pipe(served({ writer: { emailInstructions } }))
  })

  describe.each(["social_proof", "target audience", "value propositions"] as const)(
    "whose build a change of %s overtakes",
    (step) => {
      /** Overtakes the build by another choice, and answers what lets the campaign be built again. */
      const change = Effect.fnUntraced(function* (acme: Caller, campaign: string) {
        if (step === "social_proof") yield* choose(acme, campaign, step, 1)
        if (step === "target audience") yield* endedJob(acme, (yield* target(acme, campaign, 1)).id)
        if (step === "value propositions") {
          const { id } = yield* body(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
          yield* endedJob(acme, id)
        }
      })

      it.live("rests until it is asked to go on, and is written from the next", () => {
        const first = gated(fake.emailInstructions)
        const second = gated(fake.emailInstructions)
        let builds = 0
        const emailInstructions: typeof fake.emailInstructions = (campaign) => {
          builds++
          return builds === 1 ? first(campaign) : builds === 2 ? second(campaign) : fake.emailInstructions(campaign)
        }
        const sequence = recording(fake.sequence)
        return Effect.gen(function* () {
          const acme = yield* onboardedCaller({ plan: "starter" })
          const { campaign, job } = yield* building(acme)
          yield* first.began
          // The plan has two lists at once, and a lead waits whose credit is held.
          const lists = yield* Effect.forEach([3, 30], (count) =>
            Effect.map(body(202, batch(acme, campaign, { leads: leadsOf(count), options })), ({ list_id }) => list_id)
          )
          const single = yield* Effect.forkChild(acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
          yield* until(balanceOf(acme), (left) => left === 999)
          yield* refused(429, "WORKSPACE_LIMIT", batch(acme, campaign, { leads: leadsOf(1), options }))

          yield* change(acme, campaign)
          for (const [at, total] of [3, 30].entries()) {
            const waiting = yield* listOf(acme, lists[at])
            assert.strictEqual(waiting.processing_status, "pending")
            assert.deepStrictEqual(waiting.progress, { leads_total: total, leads_done: 0, leads_failed: 0 })
          }
          const told = yield* Fiber.join(single)
          assert.deepStrictEqual([told.status, told.body.error], [500, "INTERNAL_ERROR"])
          assert.include(told.body.message, "The campaign was changed")
          assert.strictEqual(yield* balanceOf(acme), 1000)
          yield* first.open
          yield* endedJob(acme, job)
          yield* assertConsistent

          // Nothing to be written from yet, and nothing that keeps it from being deleted.
          for (const id of lists) yield* refused(422, "UNPROCESSABLE", acme.post(`/lists/${id}`))
          assert.strictEqual((yield* listOf(acme, lists[0])).processing_status, "pending")
          yield* body(200, acme.delete(`/lists/${lists[1]}`))
          assert.lengthOf(sequence.calls, 0)

          // During the next build it waits and then continues.
          const again = yield* choose(acme, campaign, "value_proposition")
          yield* second.began
          yield* body(202, acme.post(`/lists/${lists[0]}`))
          assert.strictEqual((yield* listOf(acme, lists[0])).processing_status, "processing")
          yield* second.open
          yield* endedJob(acme, again.job.id)
          assert.strictEqual((yield* settled(acme, lists[0])).processing_status, "completed")
          assert.lengthOf(sequence.calls, 3)
          if (step === "social_proof") {
            for (const [brief] of sequence.calls) {
              assert.strictEqual(brief.campaign.social_proof?.items[0]?.name, "social_proof two")
            }
          }
          // After it, at once.
          const { lists: all } = yield* body(200, acme.get("/lists?status=pending"))
          assert.lengthOf(all, 1)
          yield* body(202, acme.post(`/lists/${all[0].id}`))
          assert.strictEqual((yield* settled(acme, all[0].id)).processing_status, "completed")
          assert.strictEqual(yield* balanceOf(acme), 996)
          yield* assertConsistent
        }).pipe(served({ writer: { emailInstructions, sequence } }))
      })
    }
  )

  it.live("accepted during a build that is restarted is written from the second build", () => {
    const first = gated(fake.emailInstructions)
    let builds = 0
    const emailInstructions: typeof fake.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : fake.emailInstructions(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign, job } = yield* building(acme)
      yield* first.began
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(3), options }))
      const second = yield* choose(acme, campaign, "value_proposition", 1)
      yield* endedJob(acme, second.job.id)
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "completed")
      yield* first.open
      yield* endedJob(acme, job)
      yield* assertConsistent
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("that was overtaken and begun again fails with the build that fails then", () => {
    const first = gated(fake.emailInstructions)
    const second = gated(failing(refusal, 1, fake.emailInstructions))
    let builds = 0
    const emailInstructions: typeof fake.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : second(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const { campaign } = yield* building(acme)
      yield* first.began
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(3), options }))
      yield* choose(acme, campaign, "social_proof", 1)
      yield* first.open
      yield* choose(acme, campaign, "value_proposition")
      yield* second.began
      yield* body(202, acme.post(`/lists/${list_id}`))
      yield* second.open
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* assertConsistent
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("is written from what the campaign was when it was accepted or built, not from a later change", () => {
    const sequence = gated(fake.sequence)
    const seen = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* sequence.began
      yield* choose(acme, campaign, "social_proof", 1)
      yield* sequence.open
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "completed")
      assert.deepStrictEqual(
        new Set(seen.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(served({ writer: { sequence: seen }, concurrency: 2 }))
  })

  it.live("is written although the campaign is changed before its turn has come", () => {
    const sequence = gated(fake.sequence)
    const seen = recording(sequence)
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      // As many batches as are in work at once, so that the next one waits.
      yield* body(202, batch(acme, campaign, { leads: leadsOf(100), options }))
      yield* until(
        Effect.sync(() => seen.calls.length),
        (calls) => calls === 16
      )
      const waiting = yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
      const { campaign: other, job } = yield* building(acme)
      const gated = yield* body(202, batch(acme, other, { leads: leadsOf(1), options }))
      yield* endedJob(acme, job)
      for (const changed of [campaign, other]) yield* choose(acme, changed, "social_proof", 1)
      yield* sequence.open
      for (const { list_id } of [waiting, gated]) {
        assert.strictEqual((yield* settled(acme, list_id)).processing_status, "completed")
      }
      assert.deepStrictEqual(
        new Set(seen.calls.map(([brief]) => brief.campaign.social_proof?.items[0]?.name)),
        new Set(["social_proof one"])
      )
    }).pipe(served({ writer: { sequence: seen } }))
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
        return yield* fake.sequence(brief)
      })
    return Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      const lists = yield* Effect.forEach([60, 60], (count) =>
        body(202, batch(acme, campaign, { leads: leadsOf(count), options }))
      )
      for (const { list_id } of lists) yield* settled(acme, list_id)
      assert.strictEqual(most, 5)
    }).pipe(served({ writer: { sequence }, concurrency: 5 }))
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
      const { issues } = yield* refused(400, "BAD_REQUEST", batch(acme, unknownId, { leads, options }))
      assert.strictEqual(issues[0].path, path)
    }).pipe(served({ working: false }))
  )

  it.live("is stored whole, or is an error and not stored at all", () =>
    Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready()
      yield* dropTable("jobs")
      yield* refused(500, "INTERNAL_ERROR", batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* refused(500, "INTERNAL_ERROR", single(acme, campaign, { lead, options }))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM lists UNION ALL SELECT id FROM leads`, [])
      assert.deepStrictEqual(yield* sql`SELECT owner FROM credit_holds`, [])
      assert.strictEqual(yield* balanceOf(acme), 5000)
    }).pipe(served())
  )

  it.live("may hold 50,000 leads", () =>
    Effect.gen(function* () {
      const { campaign, who: acme } = yield* ready({ plan: "internal" })
      const leads = leadsOf(50_000)
      const { leads_count, list_id } = yield* body(202, batch(acme, campaign, { leads, options }))
      assert.strictEqual(leads_count, 50_000)
      const { progress } = yield* listOf(acme, list_id)
      assert.strictEqual(progress.leads_total, 50_000)
    }).pipe(served({ writer: { sequence: () => Effect.never } }))
  )
})
