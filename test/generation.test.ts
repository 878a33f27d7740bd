// test/generation.test.ts: emails for one lead and for many: what is asked, what comes back, what it costs.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import type { Brief } from "#layers/Generator.ts"
import { body, refused, secretAddress } from "./support/answers.ts"
import { bare, type Caller, ended, json, onboarded } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { lead, nobody, options } from "./support/endpoints.ts"
import { failing, gated, outage, recording, refusal } from "./support/faults.ts"
import { balanceOf, exported, listOf } from "./support/lists.ts"
import { drop, served, sound } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fake } from "./support/writer.ts"

const single = (who: Caller, campaign: string, sent: object) => who.post(`/campaigns/${campaign}/generate`, sent)
const batch = (who: Caller, campaign: string, sent: object) => who.post(`/campaigns/${campaign}/generate-batch`, sent)

const active = ["processing", "in_progress"]

/** The list once nothing more happens to it by itself. */
const settled = (who: Caller, id: string) =>
  until(listOf(who, id), ({ processing_status }) => !active.includes(processing_status))

const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@north.example`, name: `Lead ${i}` }))

/** Writes to everyone but those for whom `how` has an error. */
const choosy = (how: (brief: Brief) => typeof outage | undefined) => (brief: Brief) => {
  const error = how(brief)
  return error === undefined ? fake.sequence(brief) : Effect.fail(error)
}

const indexOf = ({ lead }: Brief) => Number(/\d+/.exec(lead.email)?.[0])

/** A ready campaign of a new workspace. */
const ready = Effect.fnUntraced(function* (plan: "free" | "starter" | "growth" | "internal" | "none" = "growth") {
  const acme = yield* onboarded({ plan })
  return { acme, campaign: yield* Campaigns.built(acme) }
})

describe("one lead", () => {
  it.live("is answered with its sequence, charged, and kept in a list of its own", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const { lead_id, list_id, sequence, sequence_id, ...answer } = yield* body(
        200,
        single(acme, campaign, { lead, options: { email_count: 3, email_signature: "Bo Ek\\nNorth\\n+1 555" } })
      )
      assert.deepStrictEqual(answer, { credits_remaining: 4999 })
      assert.isNotEmpty(lead_id)
      assert.strictEqual(sequence_id, list_id)
      assert.deepStrictEqual(
        sequence,
        [1, 2, 3].map((step) => ({
          step,
          subject: `subject ${step}`,
          body: `Hello Ann, this is email ${step}.\n\nBo Ek\nNorth\n+1 555`
        }))
      )
      const { completed_at, created_at, updated_at, ...kept } = yield* listOf(acme, list_id)
      for (const at of [completed_at, created_at, updated_at]) assert.match(at, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(kept, {
        id: list_id,
        campaign_id: campaign,
        custom_name: "Ann",
        processing_status: "completed",
        leads_count: 1,
        emails_created: 3,
        processed_file_path: `lists/${list_id}.csv`
      })
      assert.deepStrictEqual(yield* exported(acme, list_id), [
        { email: lead.email, name: "Ann", company: "North", title: null, sequence }
      ])
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* sound
    }).pipe(served())
  )

  it.live("is written from what its campaign was built with last", () => {
    const sequence = recording(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const other = yield* Campaigns.built(acme)
      const proof = Effect.fnUntraced(function* (of: string) {
        yield* body(200, single(acme, of, { lead, options }))
        return sequence.calls.at(-1)?.[0].campaign.social_proof?.items[0]?.name
      })
      const before = yield* proof(campaign)
      assert.strictEqual(yield* proof(campaign), before)
      yield* Campaigns.choose(acme, campaign, "social_proof", 1)
      const { id } = yield* body(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* ended(acme, id)
      const { job } = yield* Campaigns.choose(acme, campaign, "value_proposition")
      yield* ended(acme, job.id)
      assert.notStrictEqual(yield* proof(campaign), before)
      assert.strictEqual(yield* proof(other), before)
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("lends its list a name unless there is one", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const nameOf = Effect.fnUntraced(function* (lead: object, given: object) {
        const { list_id } = yield* body(200, single(acme, campaign, { lead, options: { ...options, ...given } }))
        return (yield* listOf(acme, list_id)).custom_name
      })
      assert.strictEqual(yield* nameOf(lead, { list_name: "Fair", sequence_name: "Old" }), "Fair")
      assert.strictEqual(yield* nameOf(lead, { sequence_name: "Old" }), "Old")
      assert.strictEqual(yield* nameOf(lead, { list_name: null, sequence_name: "Old" }), "Old")
      for (const some of [lead, { email: lead.email, company: "North" }, { email: lead.email, name: null }]) {
        const name = yield* nameOf(some, {})
        assert.isTrue(Object.values(some).includes(name), name)
      }
    }).pipe(served())
  )

  it.live("lends its list a name of 1 to 200 characters, whatever it is called itself", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const email = lead.email
      for (const [some, expected] of [
        [{ email, name: " Ann Lee ", company: "North" }, "Ann Lee"],
        [{ email, name: "", company: "North" }, "North"],
        [{ email, name: " ", company: "\t" }, email],
        [{ email, name: "😀".repeat(300) }, "😀".repeat(200)]
      ] as const) {
        const { list_id } = yield* body(200, single(acme, campaign, { lead: some, options }))
        assert.strictEqual((yield* listOf(acme, list_id)).custom_name, expected)
      }
      for (const field of ["list_name", "sequence_name"]) {
        for (const name of ["", " ", "x".repeat(201)]) {
          const given = { ...options, [field]: name }
          const { issues } = yield* refused(400, "BAD_REQUEST", single(acme, campaign, { lead, options: given }))
          assert.strictEqual(issues[0].path, `options.${field}`)
          yield* refused(400, "BAD_REQUEST", batch(acme, campaign, { leads: [lead], options: given }))
        }
        const given = { ...options, [field]: ` ${"x".repeat(200)} ` }
        const { list_id } = yield* body(200, single(acme, campaign, { lead, options: given }))
        assert.strictEqual((yield* listOf(acme, list_id)).custom_name, "x".repeat(200))
      }
    }).pipe(served())
  )

  it.live("asked for again under an Idempotency-Key, of whatever form, is written again and charged again", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const under = (path: string, sent: object) => {
        const { headers, ...init } = json(sent)
        const withKey = { ...headers, "idempotency-key": "a key" }
        return acme.send("POST", `/campaigns/${campaign}/${path}`, { ...init, headers: withKey })
      }
      const [first, again] = [
        yield* body(200, under("generate", { lead, options })),
        yield* body(200, under("generate", { lead, options }))
      ]
      assert.notStrictEqual(first.list_id, again.list_id)
      assert.strictEqual(again.credits_remaining, 4998)
      const batches = [
        yield* body(202, under("generate-batch", { leads: [lead], options })),
        yield* body(202, under("generate-batch", { leads: [lead], options }))
      ]
      for (const { list_id } of batches) yield* settled(acme, list_id)
      assert.strictEqual(yield* balanceOf(acme), 4996)
    }).pipe(served())
  )

  it.live("that cannot be written to is an error that says why, and costs nothing", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const answer = yield* single(acme, campaign, { lead: { email: secretAddress }, options })
      assert.deepStrictEqual([answer.status, answer.body.error], [500, "INTERNAL_ERROR"])
      assert.include(answer.body.message, refusal.message)
      assert.strictEqual(yield* balanceOf(acme), 5000)
      const { lists } = yield* body(200, acme.get("/lists"))
      const { failed_at, ...failed } = yield* listOf(acme, lists[0].id)
      assert.match(failed_at, /^\d{4}-.*Z$/)
      assert.strictEqual(failed.processing_status, "failed")
      assert.notProperty(failed, "completed_at")
      yield* sound
    }).pipe(served({ writer: { sequence: () => Effect.fail(refusal) } }))
  )

  it.live("met by an outage is kept, not charged, and the caller is told", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      yield* refused(500, "INTERNAL_ERROR", single(acme, campaign, { lead, options }))
      const { lists } = yield* body(200, acme.get("/lists"))
      assert.deepInclude(yield* listOf(acme, lists[0].id), {
        processing_status: "pending",
        progress: { leads_total: 1, leads_done: 0, leads_failed: 0 }
      })
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* sound
    }).pipe(served({ writer: { sequence: () => Effect.fail(outage) } }))
  )

  it.live("met by a bug gives nothing of it away", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const { status, text } = yield* single(acme, campaign, { lead, options })
      assert.strictEqual(status, 500)
      assert.notInclude(text, "secret detail")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* sound
    }).pipe(served({ writer: { sequence: () => Effect.die(new Error("secret detail")) } }))
  )

  it.live("waits for a build under way", () => {
    const emailInstructions = gated(fake.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign } = yield* Campaigns.building(acme)
      const asked = yield* Effect.forkChild(body(200, single(acme, campaign, { lead, options })))
      yield* until(body(200, acme.get("/lists")), ({ total }) => total === 1)
      // Its credit is held meanwhile.
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* emailInstructions.open
      assert.lengthOf((yield* Fiber.join(asked)).sequence, 2)
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("fails with the build it waits for", () => {
    const emailInstructions = gated(() => Effect.fail(refusal))
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign } = yield* Campaigns.building(acme)
      const asked = yield* Effect.forkChild(refused(500, "INTERNAL_ERROR", single(acme, campaign, { lead, options })))
      yield* until(body(200, acme.get("/lists")), ({ total }) => total === 1)
      yield* emailInstructions.open
      yield* Fiber.join(asked)
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("is written to at once however many were refused before", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const plan = (tier: "growth" | "none") =>
        Effect.flatMap(Credits, (credits) => credits.setPlan(acme.workspace, { tier }))
      yield* plan("none")
      // More than are ever in work at once.
      for (let i = 0; i < 40; i++) {
        yield* refused(402, "INSUFFICIENT_CREDITS", single(acme, campaign, { lead, options }))
      }
      yield* plan("growth")
      yield* body(200, single(acme, campaign, { lead, options }))
      yield* sound
    }).pipe(served())
  )

  it.live("goes on being written to when its caller hangs up", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const asked = yield* Effect.forkChild(single(acme, campaign, { lead, options }))
      yield* sequence.began
      yield* Fiber.interrupt(asked)
      yield* sequence.open
      const { lists } = yield* body(200, acme.get("/lists"))
      assert.deepInclude(yield* settled(acme, lists[0].id), { processing_status: "completed", emails_created: 2 })
      assert.strictEqual(yield* balanceOf(acme), 4999)
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("is one of five at once in a workspace", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const asked = yield* Effect.forkChild(
        Effect.forEach(leadsOf(5), (lead) => body(200, single(acme, campaign, { lead, options })), {
          concurrency: "unbounded"
        })
      )
      yield* until(body(200, acme.get("/lists?status=processing")), ({ total }) => total === 5)
      const sixth = yield* single(acme, campaign, { lead, options })
      assert.deepStrictEqual([sixth.status, sixth.body.error], [429, "RATE_LIMITED"])
      assert.match(sixth.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      // A refusal leaves nothing behind, a batch is no single, and another workspace has its own five.
      assert.strictEqual((yield* body(200, acme.get("/lists"))).total, 5)
      yield* body(202, batch(acme, campaign, { leads: [lead], options }))
      const other = yield* ready()
      const theirs = yield* Effect.forkChild(body(200, single(other.acme, other.campaign, { lead, options })))
      yield* until(body(200, other.acme.get("/lists")), ({ total }) => total === 1)
      yield* sequence.open
      assert.lengthOf(yield* Fiber.join(asked), 5)
      yield* Fiber.join(theirs)
      yield* body(200, single(acme, campaign, { lead, options }))
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })
})

describe("options", () => {
  const told = Effect.fnUntraced(function* (given: object) {
    const sequence = recording(fake.sequence)
    return yield* Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      yield* body(200, single(acme, campaign, { lead, options: { email_count: 1, email_signature: "Bo", ...given } }))
      const [[brief]] = sequence.calls as [[Brief]]
      return brief
    }).pipe(served({ writer: { sequence } }))
  })
  const ctas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

  it.live.each([
    { given: {}, details: null, approved: ctas },
    { given: { additional_details: "Warmly" }, details: "Warmly", approved: ctas },
    { given: { campaign_angle: "Old" }, details: "Old", approved: ctas },
    { given: { additional_details: "Warmly", campaign_angle: "Old" }, details: "Warmly", approved: ctas },
    { given: { additional_details: null, campaign_angle: "Old" }, details: "Old", approved: ctas },
    { given: { approved_ctas: "Question CTA" }, details: null, approved: ["Question CTA"] },
    { given: { approved_ctas: ["A", "B"] }, details: null, approved: ["A", "B"] },
    { given: { approved_ctas: [] }, details: null, approved: ctas },
    { given: { approved_ctas: null, campaign_angle: null }, details: null, approved: ctas }
  ])("reach the writer: $given", ({ approved, details, given }) =>
    Effect.gen(function* () {
      const brief = yield* told(given)
      assert.strictEqual(brief.additional_details, details)
      assert.deepStrictEqual(brief.approved_ctas, approved)
      assert.strictEqual(brief.email_count, 1)
      assert.strictEqual(brief.instructions, "# Write well")
      assert.deepInclude(brief.lead, { email: lead.email, name: "Ann", company: "North" })
      assert.strictEqual(brief.campaign.value_proposition?.items[0]?.name, "Save time")
    })
  )

  const wrong = [
    { given: { email_count: undefined }, path: "email_count" },
    { given: { email_count: null }, path: "email_count" },
    { given: { email_count: 0 }, path: "email_count" },
    { given: { email_count: 5 }, path: "email_count" },
    { given: { email_count: -1 }, path: "email_count" },
    { given: { email_count: 2.5 }, path: "email_count" },
    { given: { email_count: "2" }, path: "email_count" },
    { given: { email_count: true }, path: "email_count" },
    { given: { email_signature: undefined }, path: "email_signature" },
    { given: { email_signature: null, signature_id: null }, path: "email_signature" },
    { given: { email_signature: "" }, path: "email_signature" },
    { given: { email_signature: "x".repeat(5001) }, path: "email_signature" },
    { given: { signature_id: nobody }, path: "signature_id" },
    { given: { list_name: 5 }, path: "list_name" },
    { given: { list_name: "x".repeat(201) }, path: "list_name" },
    { given: { additional_details: "x".repeat(10_001) }, path: "additional_details" },
    { given: { campaign_angle: "x".repeat(10_001) }, path: "campaign_angle" },
    { given: { approved_ctas: Array.from({ length: 11 }, () => "A") }, path: "approved_ctas" },
    { given: { approved_ctas: [5] }, path: "approved_ctas.0" },
    { given: { enrichment_enabled: "yes" }, path: "enrichment_enabled" }
  ]
  it.live("that are wrong are refused by both endpoints", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      for (const { given, path } of wrong) {
        const options = { email_count: 1, email_signature: "Bo", ...given }
        const one = yield* refused(400, "BAD_REQUEST", single(acme, campaign, { lead, options }))
        const many = yield* refused(400, "BAD_REQUEST", batch(acme, campaign, { leads: [lead], options }))
        for (const { issues } of [one, many]) assert.strictEqual(issues[0].path, `options.${path}`)
      }
      for (const email_count of [1, 2, 3, 4]) {
        const options = { email_count, email_signature: "Bo" }
        assert.lengthOf((yield* body(200, single(acme, campaign, { lead, options }))).sequence, email_count)
      }
      assert.strictEqual((yield* body(200, acme.get("/lists"))).total, 4)
    }).pipe(served())
  )

  it.live("name a saved signature, which is used as it is", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const { id } = yield* body(201, acme.post("/signatures", { signature_text: "Bo Ek\nC:\\new" }))
      const written = yield* body(
        200,
        single(acme, campaign, { lead, options: { email_count: 1, signature_id: id, email_signature: null } })
      )
      assert.strictEqual(written.sequence[0].body, "Hello Ann, this is email 1.\n\nBo Ek\nC:\\new")
      for (const signature_id of [nobody, "nope", ""]) {
        const options = { email_count: 1, signature_id }
        yield* refused(404, "NOT_FOUND", single(acme, campaign, { lead, options }))
        yield* refused(404, "NOT_FOUND", batch(acme, campaign, { leads: [lead], options }))
      }
      yield* body(200, acme.delete(`/signatures/${id}`))
      yield* refused(404, "NOT_FOUND", single(acme, campaign, { lead, options: { email_count: 1, signature_id: id } }))
    }).pipe(served())
  )

  it.live("end the lines of a signature in one way, however they were typed", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const typed = "Bo Ek\r\nNorth\rLeeds\n+1 555"
      const { id } = yield* body(201, acme.post("/signatures", { signature_text: typed }))
      for (const given of [{ signature_id: id }, { email_signature: typed.replace("\n+", "\\n+") }]) {
        const { sequence } = yield* body(200, single(acme, campaign, { lead, options: { email_count: 1, ...given } }))
        assert.strictEqual(sequence[0].body, "Hello Ann, this is email 1.\n\nBo Ek\nNorth\nLeeds\n+1 555")
      }
    }).pipe(served())
  )

  it.live("ask for enrichment with a company, a profile or a site, each of which will do", () =>
    Effect.gen(function* () {
      const acme = yield* bare()
      const enriched = { ...options, enrichment_enabled: true }
      const email = lead.email
      for (const field of ["company", "linkedin_url", "company_website"]) {
        const some = { email, [field]: "North" }
        yield* refused(404, "NOT_FOUND", single(acme, nobody, { lead: some, options: enriched }))
        yield* refused(404, "NOT_FOUND", batch(acme, nobody, { leads: [some], options: enriched }))
        for (const blank of ["", " ", null]) {
          const none = { email, name: "Ann", title: "Buyer", [field]: blank }
          const one = yield* refused(400, "BAD_REQUEST", single(acme, nobody, { lead: none, options: enriched }))
          const many = yield* refused(
            400,
            "BAD_REQUEST",
            batch(acme, nobody, { leads: [some, none], options: enriched })
          )
          assert.deepStrictEqual([one.issues[0].path, many.issues[0].path], ["lead", "leads.1"])
        }
      }
    }).pipe(served({ working: false }))
  )

  it.live("ask for enrichment only with something to research", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const bare = { email: "ann@north.example", name: "Ann", company: null }
      const enriched = { ...options, enrichment_enabled: true }
      yield* refused(400, "BAD_REQUEST", single(acme, campaign, { lead: bare, options: enriched }))
      yield* refused(400, "BAD_REQUEST", batch(acme, campaign, { leads: [lead, bare], options: enriched }))
      yield* body(200, single(acme, campaign, { lead: bare, options: { ...options, enrichment_enabled: false } }))
      yield* body(200, single(acme, campaign, { lead: bare, options: { ...options, enrichment_enabled: null } }))
    }).pipe(served())
  )
})

describe("a batch", () => {
  it.live("is accepted at once, written in the background, charged by lead, and listed", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
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
      assert.deepStrictEqual((yield* body(200, acme.get(`/lists?campaign_id=${nobody}`))).lists, [])
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("is in progress from its first finished lead on", () => {
    const rest = gated(fake.sequence)
    const sequence = (brief: Brief) =>
      indexOf(brief) < 2 ? choosy((b) => (indexOf(b) === 1 ? refusal : undefined))(brief) : rest(brief)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
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
      const { acme, campaign } = yield* ready()
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
      yield* sound
    }).pipe(served({ concurrency: 7 }))
  )

  it.live("with leads that fail completes, and charges and exports the others", () => {
    const sequence = choosy((brief) => (indexOf(brief) % 3 === 0 ? refusal : undefined))
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
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
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("of leads that all fail has failed, and costs nothing", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
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
      yield* sound
    }).pipe(served({ writer: { sequence: () => Effect.fail(refusal) } }))
  )

  it.live("met by an outage rests, and what was finished stays finished", () => {
    const sequence = choosy((brief) => (indexOf(brief) >= 10 ? outage : undefined))
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
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
      yield* sound
    }).pipe(served({ writer: { sequence }, concurrency: 1 }))
  })

  it.live("that runs out of credits rests, and nothing written is lost", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready("starter")
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
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("accepted during a build starts by itself when the build is done", () => {
    const emailInstructions = gated(fake.emailInstructions)
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign } = yield* Campaigns.building(acme)
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      assert.strictEqual((yield* listOf(acme, list_id)).processing_status, "processing")
      yield* emailInstructions.open
      assert.deepInclude(yield* settled(acme, list_id), { processing_status: "completed", emails_created: 60 })
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("accepted during a build fails with it", () => {
    const emailInstructions = gated(failing(refusal, 1, fake.emailInstructions))
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign, job } = yield* Campaigns.building(acme)
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* emailInstructions.open
      yield* ended(acme, job)
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      // A later build is not its business any more.
      yield* ended(acme, (yield* Campaigns.choose(acme, campaign, "value_proposition")).job.id)
      assert.strictEqual((yield* listOf(acme, list_id)).processing_status, "failed")
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  describe.each(["social_proof", "target audience", "value propositions"] as const)(
    "whose build a change of %s overtakes",
    (step) => {
      /** Overtakes the build by another choice, and answers what lets the campaign be built again. */
      const change = Effect.fnUntraced(function* (acme: Caller, campaign: string) {
        if (step === "social_proof") yield* Campaigns.choose(acme, campaign, step, 1)
        if (step === "target audience") yield* ended(acme, (yield* Campaigns.target(acme, campaign, 1)).id)
        if (step === "value propositions") {
          const { id } = yield* body(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
          yield* ended(acme, id)
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
          const acme = yield* onboarded({ plan: "starter" })
          const { campaign, job } = yield* Campaigns.building(acme)
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
          yield* ended(acme, job)
          yield* sound

          // Nothing to be written from yet, and nothing that keeps it from being deleted.
          for (const id of lists) yield* refused(422, "UNPROCESSABLE", acme.post(`/lists/${id}`))
          assert.strictEqual((yield* listOf(acme, lists[0])).processing_status, "pending")
          yield* body(200, acme.delete(`/lists/${lists[1]}`))
          assert.lengthOf(sequence.calls, 0)

          // During the next build it goes on after it.
          const again = yield* Campaigns.choose(acme, campaign, "value_proposition")
          yield* second.began
          yield* body(202, acme.post(`/lists/${lists[0]}`))
          assert.strictEqual((yield* listOf(acme, lists[0])).processing_status, "processing")
          yield* second.open
          yield* ended(acme, again.job.id)
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
          yield* sound
        }).pipe(served({ writer: { emailInstructions, sequence } }))
      })
    }
  )

  it.live("accepted during a build that is begun anew is written from the second", () => {
    const first = gated(fake.emailInstructions)
    let builds = 0
    const emailInstructions: typeof fake.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : fake.emailInstructions(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign, job } = yield* Campaigns.building(acme)
      yield* first.began
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(3), options }))
      const second = yield* Campaigns.choose(acme, campaign, "value_proposition", 1)
      yield* ended(acme, second.job.id)
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "completed")
      yield* first.open
      yield* ended(acme, job)
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("that was overtaken and begun again fails with the build that fails then", () => {
    const first = gated(fake.emailInstructions)
    const second = gated(failing(refusal, 1, fake.emailInstructions))
    let builds = 0
    const emailInstructions: typeof fake.emailInstructions = (campaign) =>
      builds++ === 0 ? first(campaign) : second(campaign)
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const { campaign } = yield* Campaigns.building(acme)
      yield* first.began
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(3), options }))
      yield* Campaigns.choose(acme, campaign, "social_proof", 1)
      yield* first.open
      yield* Campaigns.choose(acme, campaign, "value_proposition")
      yield* second.began
      yield* body(202, acme.post(`/lists/${list_id}`))
      yield* second.open
      assert.strictEqual((yield* settled(acme, list_id)).processing_status, "failed")
      assert.strictEqual(yield* balanceOf(acme), 5000)
      yield* sound
    }).pipe(served({ writer: { emailInstructions } }))
  })

  it.live("is written from what the campaign was when it was accepted or built, not from a later change", () => {
    const sequence = gated(fake.sequence)
    const seen = recording(sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* sequence.began
      yield* Campaigns.choose(acme, campaign, "social_proof", 1)
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
      const { acme, campaign } = yield* ready()
      // As many batches as are in work at once, so that the next one waits.
      yield* body(202, batch(acme, campaign, { leads: leadsOf(100), options }))
      yield* until(
        Effect.sync(() => seen.calls.length),
        (calls) => calls === 16
      )
      const waiting = yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
      const { campaign: other, job } = yield* Campaigns.building(acme)
      const gated = yield* body(202, batch(acme, other, { leads: leadsOf(1), options }))
      yield* ended(acme, job)
      for (const changed of [campaign, other]) yield* Campaigns.choose(acme, changed, "social_proof", 1)
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
      const { acme, campaign } = yield* ready()
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
      const acme = yield* bare()
      const { issues } = yield* refused(400, "BAD_REQUEST", batch(acme, nobody, { leads, options }))
      assert.strictEqual(issues[0].path, path)
    }).pipe(served({ working: false }))
  )

  it.live("is stored whole, or is an error and not stored at all", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      yield* drop("jobs")
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
      const { acme, campaign } = yield* ready("internal")
      const leads = leadsOf(50_000)
      const { leads_count, list_id } = yield* body(202, batch(acme, campaign, { leads, options }))
      assert.strictEqual(leads_count, 50_000)
      const { progress } = yield* listOf(acme, list_id)
      assert.strictEqual(progress.leads_total, 50_000)
    }).pipe(served({ writer: { sequence: () => Effect.never } }))
  )
})

describe("before anything is written", () => {
  it.live("the campaign's value propositions are selected", () => {
    const valuePropositions = gated(fake.valuePropositions)
    return Effect.gen(function* () {
      const acme = yield* onboarded()
      const campaign = yield* Campaigns.create(acme)
      const incomplete = Effect.gen(function* () {
        yield* refused(400, "BAD_REQUEST", single(acme, campaign, { lead, options }))
        yield* refused(400, "BAD_REQUEST", batch(acme, campaign, { leads: [lead], options }))
      })
      yield* incomplete
      yield* Campaigns.target(acme, campaign)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* Campaigns.choose(acme, campaign, type)
      yield* incomplete
      const { id } = yield* body(202, acme.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* incomplete
      yield* valuePropositions.open
      yield* ended(acme, id)
      yield* incomplete
      yield* Campaigns.choose(acme, campaign, "value_proposition")
      yield* body(202, batch(acme, campaign, { leads: [lead], options }))
      assert.strictEqual((yield* body(200, acme.get("/lists"))).total, 1)
    }).pipe(served({ writer: { valuePropositions } }))
  })

  it.live("the credits are there", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      const short = (required: number, available: number) => ({
        required,
        available,
        payg_enabled: false,
        pct_of_cap: 0
      })
      assert.deepStrictEqual(
        yield* refused(402, "INSUFFICIENT_CREDITS", batch(acme, campaign, { leads: leadsOf(51), options })),
        short(51, 50)
      )
      assert.strictEqual((yield* body(200, acme.get("/lists"))).total, 0)
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(50), options }))
      yield* settled(acme, list_id)
      assert.deepStrictEqual(
        yield* refused(402, "INSUFFICIENT_CREDITS", single(acme, campaign, { lead, options })),
        short(1, 0)
      )
      assert.strictEqual((yield* body(200, acme.get("/lists"))).total, 1)
      yield* sound
    }).pipe(served())
  )

  it.live("twice the credits are there where leads are researched", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      const enriched = { ...options, enrichment_enabled: true }
      const leads = leadsOf(26).map((one) => ({ ...one, company: "North" }))
      const short = { payg_enabled: false, pct_of_cap: 0 }
      assert.deepStrictEqual(
        yield* refused(402, "INSUFFICIENT_CREDITS", batch(acme, campaign, { leads, options: enriched })),
        { required: 52, available: 50, ...short }
      )
      yield* (yield* Credits).charge(acme.workspace, "other", 49)
      assert.deepStrictEqual(
        yield* refused(402, "INSUFFICIENT_CREDITS", single(acme, campaign, { lead, options: enriched })),
        { required: 2, available: 1, ...short }
      )
      yield* body(200, single(acme, campaign, { lead, options }))
    }).pipe(served())
  )

  it.live("pay-as-you-go may fill the gap up to its cap", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      yield* (yield* Credits).setPlan(acme.workspace, { payg_eligible: true, payg_enabled: true, payg_cap_cents: 105 })
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(58), options }))
      yield* settled(acme, list_id)
      const { balance, payg } = yield* body(200, acme.get("/credits"))
      assert.strictEqual(balance, 0)
      assert.deepStrictEqual(payg, {
        eligible: true,
        enabled: true,
        cap_cents: 105,
        spent_cents: 80,
        credits_used: 8,
        pct_of_cap: 80 / 105
      })
      assert.deepStrictEqual(
        yield* refused(402, "INSUFFICIENT_CREDITS", batch(acme, campaign, { leads: leadsOf(3), options })),
        { required: 3, available: 0, payg_enabled: true, pct_of_cap: 80 / 105 }
      )
      yield* body(200, single(acme, campaign, { lead, options }))
      yield* body(200, single(acme, campaign, { lead, options }))
      yield* refused(402, "INSUFFICIENT_CREDITS", single(acme, campaign, { lead, options }))
      yield* sound
    }).pipe(served())
  )

  it.live("the plan has room for one more list, and that is asked before the credits are", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
      const answer = yield* batch(acme, campaign, { leads: leadsOf(100), options })
      assert.deepStrictEqual([answer.status, answer.body.error], [429, "WORKSPACE_LIMIT"])
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      // One lead while the caller waits is no list in work.
      const asked = yield* Effect.forkChild(body(200, single(acme, campaign, { lead, options })))
      yield* until(body(200, acme.get("/lists")), ({ total }) => total === 2)
      yield* sequence.open
      yield* settled(acme, list_id)
      yield* Fiber.join(asked)
      yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("there is room for as many as the plan allows, however many are asked for at once", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      const atOnce = { concurrency: "unbounded" } as const
      const singles = yield* Effect.forkChild(
        Effect.forEach(leadsOf(8), (lead) => single(acme, campaign, { lead, options }), atOnce)
      )
      yield* until(body(200, acme.get("/lists")), ({ total }) => total === 5)
      const batches = yield* Effect.forEach(
        leadsOf(6),
        (lead) => batch(acme, campaign, { leads: [lead], options }),
        atOnce
      )
      const codes = batches.map(({ body, status }) => [status, body.error ?? null])
      assert.deepStrictEqual(codes.toSorted(), [
        [202, null],
        ...Array.from({ length: 5 }, () => [429, "WORKSPACE_LIMIT"])
      ])
      yield* sequence.open
      const statuses = (yield* Fiber.join(singles)).map(({ status }) => status)
      assert.deepStrictEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 429, 429, 429])
      yield* sound
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("the campaign's state is asked before room and credits", () => {
    const sequence = gated(fake.sequence)
    return Effect.gen(function* () {
      const { acme, campaign } = yield* ready("free")
      yield* body(202, batch(acme, campaign, { leads: leadsOf(1), options }))
      const draft = yield* Campaigns.create(acme)
      yield* refused(400, "BAD_REQUEST", batch(acme, draft, { leads: leadsOf(100), options }))
      yield* refused(
        404,
        "NOT_FOUND",
        batch(acme, draft, { leads: [lead], options: { email_count: 1, signature_id: nobody } })
      )
    }).pipe(served({ writer: { sequence } }))
  })

  it.live("an unlimited plan is never asked for credits, and its use is recorded", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready("internal")
      const { list_id } = yield* body(202, batch(acme, campaign, { leads: leadsOf(30), options }))
      yield* settled(acme, list_id)
      const account = yield* body(200, acme.get("/credits"))
      assert.isTrue(account.is_unlimited)
      assert.deepInclude(account.usage, { credits_used_this_period: 30, total_credits_used_all_time: 30 })
      assert.isTrue((yield* body(200, acme.get("/credits/check?required=1000000"))).sufficient)
      yield* sound
    }).pipe(served())
  )

  it.live("a workspace without a subscription has nothing to spend", () =>
    Effect.gen(function* () {
      const { acme, campaign } = yield* ready()
      yield* (yield* Credits).setPlan(acme.workspace, { tier: "none" })
      yield* refused(404, "NOT_FOUND", acme.get("/credits"))
      yield* refused(402, "INSUFFICIENT_CREDITS", single(acme, campaign, { lead, options }))
    }).pipe(served())
  )
})
