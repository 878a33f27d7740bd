// test/variety.test.ts: a list whose emails repeat each other: its worst offenders are written to once more, before it is done.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Builtin from "#layers/generator/Builtin.ts"
import { across } from "#layers/generator/rules/Across.ts"
import { view } from "#layers/generator/rules/View.ts"
import { type Brief, type Draft, Generator, type Judged } from "#layers/Generator.ts"
import type { Claim } from "#layers/Jobs.ts"
import { Windows } from "#layers/lists/Windows.ts"
import { noDetails } from "#schema/Details.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"
import profile from "#src/demo/profile.json" with { type: "json" }
import { body, refused } from "./support/answers.ts"
import { type Caller, onboarded } from "./support/callers.ts"
import { built } from "./support/campaigns.ts"
import { gated, outage, recording, refusal } from "./support/faults.ts"
import { becomes, begin, exported, leadsOf } from "./support/lists.ts"
import { layer, sound, working } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fake, gibberish } from "./support/writer.ts"

type Write = typeof fake.sequence

const email = (subject: string, body: string): Judged => ({ subject, body, score: 90, findings: [] })

const common = email("Your pumps", "Hello,\n\nWhat does every hour cost you when all of the pumps stand still?")
const unlike = (seed: string) => email(`Of ${gibberish(seed).slice(0, 12)}`, `Hello,\n\n${gibberish(seed)}.`)

const of = ({ email_count }: Brief, first: Judged) =>
  Effect.succeed([first, ...Array.from({ length: email_count - 1 }, (_, i) => email(`More ${i}`, "Are they mended?"))])

/** Writes the same to everybody until it hears what is taken. */
const alike: Write = (brief) => of(brief, brief.taken === undefined ? common : unlike(brief.lead.email))

/** Writes alike at first, and does as `then` when it is told what is taken. */
const again =
  (then: Write): Write =>
  (brief) =>
    brief.taken === undefined ? alike(brief) : then(brief)

const started = Effect.fnUntraced(function* (who: Caller, leads: ReadonlyArray<Lead>, campaign?: string) {
  const options = { email_count: 2, email_signature: "Ann\nAcme" }
  return yield* begin(who, campaign ?? (yield* built(who)), leads, options)
})

/** First emails in the list's order, as they are exported. */
const firsts = Effect.fnUntraced(function* (who: Caller, list: string) {
  return ((yield* exported(who, list)) as ReadonlyArray<{ readonly sequence: Sequence }>).map(
    ({ sequence: [first] }): Draft => first ?? { subject: "", body: "" }
  )
})

const judged = (emails: ReadonlyArray<Draft>) => across(emails.map((draft) => view(draft, "Ann\nAcme")))

const stored = (list: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly sequence: string }>`SELECT sequence FROM leads WHERE list_id = ${list} ORDER BY position`
  ).pipe(
    Effect.map((rows) => rows.map(({ sequence }) => (JSON.parse(sequence) as Sequence)[0]?.subject)),
    Effect.orDie
  )

const used = (who: Caller) =>
  Effect.map(body(200, who.get("/credits")), ({ usage }) => usage.credits_used_this_period as number)

const comparisons = (list: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly id: string; readonly status: string; readonly payload: string }>`
      SELECT id, status, payload FROM jobs WHERE type = 'list.variety' AND subject = ${list} ORDER BY id`
  ).pipe(Effect.orDie)

const mails = SqlClient.SqlClient.use((sql) => sql`SELECT id FROM jobs WHERE type = 'mail.completion'`).pipe(
  Effect.map((rows) => rows.length),
  Effect.orDie
)

const changed = (subjects: ReadonlyArray<string | undefined>) =>
  subjects.filter((subject) => subject !== common.subject)

describe("the first emails of a list", () => {
  it.live("that are all alike are written anew for a fifth of its leads, who are told what is taken", () => {
    const sequence = recording(alike)
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* started(who, leadsOf(40))
      const { emails_created, leads_count } = yield* becomes(who, list)
      const retold = sequence.calls.filter(([{ taken }]) => taken !== undefined)
      assert.lengthOf(sequence.calls, 48)
      assert.strictEqual(new Set(retold.map(([{ lead }]) => lead.email)).size, 8)
      for (const [{ lead, seed, taken }] of retold) {
        assert.strictEqual(taken?.openings[0], "what does every hour cost you when all")
        assert.strictEqual(taken?.subjects[0], "your pumps")
        const before = sequence.calls.find(([first]) => first.taken === undefined && first.lead.email === lead.email)
        assert.notStrictEqual(seed, before?.[0].seed)
      }
      // Whoever is asked later hears of those that were written meanwhile.
      assert.isAbove(retold.at(-1)?.[0].taken?.openings.length ?? 0, 2)

      const written = yield* firsts(who, list)
      assert.lengthOf(changed(written.map(({ subject }) => subject)), 8)
      assert.isTrue(written.every((first) => first.body.endsWith("\n\nAnn\nAcme")))
      assert.deepStrictEqual([leads_count, emails_created, yield* used(who), yield* mails], [40, 80, 40, 1])
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("are written anew for no more leads than it takes", () => {
    // Three of forty begin alike, where two may.
    const sequence = recording<[Brief], ReadonlyArray<Judged>>((brief) =>
      of(
        brief,
        brief.taken === undefined && /lead[123]@/.test(brief.lead.email)
          ? { ...unlike(brief.lead.email), body: `${common.body} ${gibberish(brief.lead.email)}` }
          : unlike(brief.lead.email)
      )
    )
    return Effect.gen(function* () {
      const who = yield* onboarded()
      yield* becomes(who, yield* started(who, leadsOf(40)))
      assert.deepStrictEqual(
        sequence.calls.filter(([{ taken }]) => taken !== undefined).map(([{ lead }]) => lead.email),
        ["lead3@company.example"]
      )
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("are left once the list keeps the rules, though more were named", () => {
    const flock = Array.from({ length: 12 }, (_, at) => gibberish(`flock ${at}`)).join(" ")
    const first = (address: string, follows: boolean) => {
      const own = unlike(address)
      return follows && Number(/\d+/.exec(address)?.[0]) % 8 < 5
        ? { ...own, body: `${gibberish(address)} ${flock}.` }
        : own
    }
    const sequence = recording<[Brief], ReadonlyArray<Judged>>((brief) =>
      of(brief, first(brief.lead.email, brief.taken === undefined))
    )
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* started(who, leadsOf(200))
      yield* becomes(who, list)
      const asked = sequence.calls.length - 200
      assert.strictEqual(judged(yield* firsts(who, list)).breach, 0)
      const before = judged(leadsOf(200).map(({ email }) => first(email, true)))
      assert.isAtMost(asked, before.worst.length / 2)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("are written anew four at a time, and those of a long list a quarter of them at a time", () => {
    let [open, most] = [0, 0]
    const slowly: Write = (brief) =>
      Effect.sync(() => (most = Math.max(most, ++open))).pipe(
        Effect.andThen(Effect.sleep("20 millis")),
        Effect.andThen(alike(brief)),
        Effect.ensuring(Effect.sync(() => void open--))
      )
    return Effect.gen(function* () {
      const who = yield* onboarded()
      for (const [leads, together] of [
        [40, 4],
        [200, 10]
      ] as const) {
        most = 0
        yield* becomes(who, yield* started(who, leadsOf(leads)))
        assert.strictEqual(most, together)
      }
    }).pipe(Effect.provide(layer({ writer: { sequence: again(slowly) } })))
  })

  it.live("are told to nobody's writer with another's name in them", () => {
    const sequence = recording(
      again((brief) =>
        of(brief, email(`${brief.lead.company}'s idle`, `At (${brief.lead.company}-run) ${gibberish(brief.seed)}.`))
      )
    )
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const leads = leadsOf(40).map((lead, i) => ({ ...lead, company: i % 2 === 0 ? "Oakwood Mills" : "Quarrystone" }))
      yield* becomes(who, yield* started(who, leads))
      const told = (name: string) =>
        JSON.stringify(
          sequence.calls.flatMap(([{ lead, taken }]) => (lead.company === name ? [taken] : []))
        ).toLowerCase()
      assert.notInclude(told("Oakwood Mills"), "quarrystone")
      assert.notInclude(told("Quarrystone"), "oakwood")
      assert.include(told("Oakwood Mills") + told("Quarrystone"), "idle")
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("are compared in windows of one size, 250 leads at most", () =>
    Effect.gen(function* () {
      const who = yield* onboarded({ plan: "scale" })
      const list = yield* started(who, leadsOf(1010))
      yield* becomes(who, list)
      const spans = (yield* comparisons(list)).map(({ payload }) => JSON.parse(payload))
      assert.deepStrictEqual(
        spans,
        Array.from({ length: 5 }, (_, i) => ({ first: 202 * i, last: 202 * i + 201 }))
      )
      const subjects = yield* stored(list)
      assert.deepStrictEqual(
        spans.map(({ first, last }) => changed(subjects.slice(first, last + 1)).length),
        [40, 40, 40, 40, 40]
      )
      assert.deepStrictEqual([yield* used(who), yield* mails], [1010, 1])
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence: alike } })))
  )

  it.live("are not compared where fewer than 20 leads were written to, nor for a single lead", () => {
    const sequence = recording<[Brief], ReadonlyArray<Judged>>((brief) =>
      brief.lead.email.startsWith("lead2") ? Effect.fail(refusal) : alike(brief)
    )
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      // lead2 and lead20 to lead23 fail.
      const list = yield* started(who, leadsOf(24), campaign)
      yield* becomes(who, list)
      const lead = { email: "ann@company.example" }
      yield* body(
        200,
        who.post(`/campaigns/${campaign}/generate`, { lead, options: { email_count: 1, email_signature: "Ann" } })
      )
      assert.lengthOf(sequence.calls, 25)
      assert.lengthOf(yield* comparisons(list), 0)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })
})

describe("a list", () => {
  const worse: Judged = {
    ...unlike("x"),
    findings: [{ rule: "G1", severity: "fail", place: "body", offset: null, message: "" }]
  }
  const writers: Readonly<Record<string, Write>> = {
    "is down": () => Effect.fail(outage),
    refuses: () => Effect.fail(refusal),
    breaks: () => Effect.die(new Error("secret of the writer")),
    "writes what may not leave": (brief) => of(brief, worse),
    "writes another number of emails": (brief) => of({ ...brief, email_count: 3 }, unlike(brief.seed)),
    "repeats itself": (brief) => of(brief, { ...common, subject: common.subject.toUpperCase() })
  }
  for (const [name, write] of Object.entries(writers)) {
    it.live(`is completed as it is when its writer ${name} at the second time`, () => {
      const sequence = recording(again(write))
      return Effect.gen(function* () {
        const who = yield* onboarded()
        const list = yield* started(who, leadsOf(40))
        const { emails_created } = yield* becomes(who, list)
        assert.lengthOf(changed(yield* stored(list)), 0)
        assert.deepStrictEqual([emails_created, yield* used(who), yield* mails], [80, 40, 1])
        const asked = sequence.calls.length - 40
        // Those who are asked at the same time hear of an outage together; nobody is asked after them.
        if (name === "is down") assert.isAtMost(asked, 4)
        else assert.strictEqual(asked, 8)
        assert.deepStrictEqual(
          (yield* comparisons(list)).map(({ status }) => status),
          ["completed"]
        )
        yield* sound
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  }

  it.live("that rested is compared once it was resumed and is all written", () => {
    let down = true
    const sequence: Write = (brief) =>
      down && brief.lead.email === "lead30@company.example" ? Effect.fail(outage) : alike(brief)
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* started(who, leadsOf(40))
      yield* becomes(who, list, "pending")
      assert.lengthOf(yield* comparisons(list), 0)
      down = false
      yield* body(202, who.post(`/lists/${list}`))
      yield* becomes(who, list)
      assert.lengthOf(changed(yield* stored(list)), 8)
      assert.deepStrictEqual([yield* used(who), yield* mails], [40, 1])
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("is in work while it is compared, and only those change it who hold the work", () => {
    const rewrite = gated(alike)
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* onboarded()
      const list = yield* started(who, leadsOf(40))
      yield* rewrite.began
      const { processing_status, progress } = yield* body(200, who.get(`/lists/${list}`))
      assert.strictEqual(processing_status, "in_progress")
      assert.deepStrictEqual(progress, { leads_total: 40, leads_done: 40, leads_failed: 0 })
      const [job] = yield* comparisons(list)
      yield* refused(404, "NOT_FOUND", who.get(`/jobs/${job?.id}`))
      yield* refused(409, "NOT_READY", who.get(`/lists/${list}/export`))
      yield* refused(409, "CONFLICT", who.delete(`/lists/${list}`))
      assert.strictEqual(yield* mails, 0)
      yield* sound

      const windows = yield* Windows
      const [row] = yield* sql<Claim>`
        SELECT id, workspace_id, type, subject, attempts, crashes, lease FROM jobs WHERE id = ${job?.id}`
      assert.isDefined(row)
      if (row === undefined) return
      const stale: Claim = { ...row, payload: JSON.parse(job?.payload ?? ""), lease: "another" }
      const window = yield* Effect.flatMap(windows.open(stale), Effect.fromOption)
      const [lead] = window.leads
      assert.isDefined(lead)
      if (lead === undefined) return
      const sequence = [{ step: 1, subject: "Lost", body: "Lost" }]
      const written = { sequence, judged: [{ ...unlike("x"), sources: [] }], facts: [] }
      assert.strictEqual((yield* Effect.flip(windows.replace(stale, lead, written)))._tag, "LeaseLost")
      assert.strictEqual((yield* Effect.flip(windows.finish(stale)))._tag, "LeaseLost")
      assert.lengthOf(changed(yield* stored(list)), 0)

      yield* rewrite.open
      yield* becomes(who, list)
      assert.lengthOf(changed(yield* stored(list)), 8)
      yield* body(200, who.delete(`/lists/${list}`))
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence: again(rewrite) } })))
  })
})

describe("a process that ends while a list is compared", () => {
  /** Leaves the store as a process that died after two leads were written to once more. */
  const dying = Effect.fnUntraced(function* (crashes: number) {
    const stuck = gated(alike)
    let calls = 0
    const { list, who } = yield* Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* started(who, leadsOf(40))
      yield* stuck.began
      yield* until(stored(list), (subjects) => changed(subjects).length === 2)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET lease = 'a dead one', crashes = ${crashes} WHERE type = 'list.variety'`
      return { list, who }
    }).pipe(working({ sequence: again((brief) => (++calls > 2 ? stuck(brief) : alike(brief))) }))
    assert.lengthOf(changed(yield* stored(list)), 2)
    return { list, who }
  })

  it.live("leaves the work to the next one, and nothing is charged or counted twice", () =>
    Effect.gen(function* () {
      const { list, who } = yield* dying(0)
      yield* sound
      const { emails_created } = yield* becomes(who, list).pipe(working({ sequence: alike }))
      assert.lengthOf(changed(yield* stored(list)), 10)
      assert.deepStrictEqual([emails_created, yield* used(who), yield* mails], [80, 40, 1])
      yield* sound
    }).pipe(Effect.provide(layer({ working: false })))
  )

  it.live("and ends again and again, leaves the list as it is and completed", () =>
    Effect.gen(function* () {
      const { list, who } = yield* dying(2)
      yield* becomes(who, list).pipe(working({ sequence: () => Effect.die("nobody asks") }))
      assert.lengthOf(changed(yield* stored(list)), 2)
      assert.deepStrictEqual([yield* used(who), yield* mails], [40, 1])
      yield* sound
    }).pipe(Effect.provide(layer({ working: false })))
  )
})

it.live("the built-in writer repeats itself less to 60 leads of one company and role", () => {
  const written = Effect.fnUntraced(function* (told: boolean) {
    const writer = yield* Generator
    const campaign = {
      profile: { ...noDetails, ...profile },
      audience: {
        segment_name: "Importers",
        industry_vertical: "Food",
        company_size: "",
        annual_revenue: "",
        geographic_location: "",
        decision_makers: ["Operations Manager"],
        additional_details: null
      },
      social_proof: null,
      lead_magnet: null,
      risk_reversal: null,
      value_proposition: null
    }
    const sequence: Write = (brief) =>
      !told && brief.taken !== undefined
        ? Effect.fail(refusal)
        : writer.sequence({ ...brief, campaign, seed: brief.seed.slice(brief.seed.indexOf(":")) })
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* onboarded()
      const leads = leadsOf(60).map((lead, i) => ({
        ...lead,
        name: `Ann Lee ${i}`,
        title: "Operations Manager",
        company: "Harbour Foods Ltd"
      }))
      const list = yield* started(who, leads)
      yield* becomes(who, list)
      const [poorest] = yield* sql<{ readonly score: number }>`
        SELECT min(score) AS score FROM leads WHERE list_id = ${list}`
      assert.isAtLeast(poorest?.score ?? 0, 85)
      yield* sound
      return judged(yield* firsts(who, list))
    }).pipe(Effect.provide(layer({ writer: { sequence }, rate: { limit: 100_000, window: Duration.minutes(1) } })))
  })
  return Effect.gen(function* () {
    const before = yield* written(false)
    const after = yield* written(true)
    assert.isBelow(after.breach, 0.7 * before.breach)
    assert.isAtMost(after.opening, before.opening)
    assert.isAbove(after.subjects, before.subjects)
  }).pipe(Effect.provide(Builtin.layer))
})
