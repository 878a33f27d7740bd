// test/playbook.test.ts: the playbook of a campaign: its draft, its personas and templates, redrafts, and rebuilds of the campaign.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Brief } from "#layers/Generator.ts"
import type { Persona, Playbook, Template } from "#schema/Playbook.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, awaitJob, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { dump } from "./support/dump.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import { gated, outage, recording, refusal } from "./support/faults.ts"
import { withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const playbookPath = (campaign: string, rest = "") => `/campaigns/${campaign}/playbook${rest}`

const getPlaybook = (caller: Caller, campaign: string): Effect.Effect<Playbook> =>
  expectBody(200, caller.get(playbookPath(campaign)))
const putTemplate = (caller: Caller, campaign: string, template: string, body: unknown): Effect.Effect<Template> =>
  expectBody(200, caller.put(playbookPath(campaign, `/templates/${template}`), body))
const putPersona = (caller: Caller, campaign: string, persona: string, body: unknown): Effect.Effect<Persona> =>
  expectBody(200, caller.put(playbookPath(campaign, `/personas/${persona}`), body))

const templateText = (subject: string) => ({ subject, body: `Hi {{ first_name | default: "there" }},\n\n${subject}?` })

const defined = <A>(value: A | undefined): A => value ?? assert.fail("It is not there")

const roleOf = ({ personas }: Playbook) => defined(personas.find(({ kind }) => kind === "role"))
const othersOf = ({ personas }: Playbook) => defined(personas.find(({ kind }) => kind === "everyone_else"))
const templateOf = ({ templates }: Persona, step: number) =>
  defined(templates.find((template) => template.step === step))
const personaOf = ({ personas }: Playbook, id: string) => defined(personas.find((persona) => persona.id === id))

/** A workspace with a campaign that is built, and its playbook. */
const builtWithPlaybook = Effect.gen(function* () {
  const { campaign, caller } = yield* Campaigns.callerWithCampaign()
  return { caller, campaign, playbook: yield* getPlaybook(caller, campaign) }
})

/** Selects other options, and waits for the build. */
const rebuild = Effect.fnUntraced(function* (caller: Caller, campaign: string) {
  yield* Campaigns.selectOption(caller, campaign, "social_proof", 1)
  const { job } = yield* Campaigns.selectOption(caller, campaign, "value_proposition", 1)
  assert.strictEqual((yield* awaitJob(caller, job.id)).status, "completed")
  return yield* getPlaybook(caller, campaign)
})

/** Removes the playbook, as in a campaign that an earlier version built. */
const removePlaybook = Effect.fnUntraced(function* (campaign: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly brief: string }>`SELECT brief FROM campaigns WHERE id = ${campaign}`
  const { playbook: _, ...brief } = JSON.parse(row?.brief ?? "{}")
  yield* sql`UPDATE campaigns SET brief = ${JSON.stringify(brief)}, playbook = NULL WHERE id = ${campaign}`
  yield* sql`DELETE FROM playbooks WHERE campaign_id = ${campaign}`
})

describe("a playbook", () => {
  it.live("is drafted by the build, and is not ready before", () => {
    const draftPlaybook = gated(fakeWriter.playbook)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { campaign, job } = yield* Campaigns.buildingCampaign(caller)
      yield* draftPlaybook.started
      yield* expectError(409, "NOT_READY", caller.get(playbookPath(campaign)))
      yield* expectError(409, "NOT_READY", caller.post(playbookPath(campaign, "/try"), { lead }))
      assert.notProperty(yield* Campaigns.buildStatusOf(caller, campaign), "missing")
      yield* draftPlaybook.open
      yield* awaitJob(caller, job)
      const drafted = yield* getPlaybook(caller, campaign)
      assert.deepInclude(drafted, {
        campaign_id: campaign,
        version: 1,
        status: "draft",
        stale: false,
        never_say: [],
        personalization: "template"
      })
      assert.deepStrictEqual(
        drafted.personas.map(({ kind, name }) => [name, kind]),
        [
          ["Mines", "role"],
          ["Everyone else", "everyone_else"]
        ]
      )
      for (const { id, templates } of drafted.personas) {
        assert.deepStrictEqual(
          templates.map(({ edited, stale, step, variant }) => ({ edited, stale, step, variant })),
          [1, 2, 3, 4].map((step) => ({ edited: false, stale: false, step, variant: 1 }))
        )
        assert.deepInclude(drafted.missing, { persona_id: id, part: "proof", message: "Supply a result" })
      }
      assert.deepStrictEqual((yield* Campaigns.buildStatusOf(caller, campaign)).missing, drafted.missing)
      const ids = drafted.personas.flatMap(({ id, templates }) => [id, ...templates.map((template) => template.id)])
      assert.strictEqual(new Set(ids).size, 10)
      yield* assertConsistent
    }).pipe(withServer({ writer: { playbook: draftPlaybook } }))
  })

  it.live("can be changed, and each change increments its version", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      const patch = (body: unknown) => caller.patch(playbookPath(campaign), body)
      const approved = yield* expectBody(200, patch({ status: "approved", never_say: [" cheap ", "synergy", "cheap"] }))
      assert.deepInclude(approved, { version: 2, status: "approved", never_say: ["cheap", "synergy"] })
      const adapted = yield* expectBody(200, patch({ personalization: "adapted", never_say: null }))
      assert.deepInclude(adapted, { version: 3, status: "approved", personalization: "adapted" })
      assert.deepStrictEqual(adapted.never_say, ["cheap", "synergy"])
      assert.strictEqual((yield* expectBody(200, patch({ personalization: "adapted" }))).version, 3)
      assert.deepStrictEqual(yield* getPlaybook(caller, campaign), adapted)
      for (const body of [
        { never_say: ["x".repeat(201)] },
        { never_say: Array.from({ length: 101 }, (_, i) => `phrase ${i}`) },
        { never_say: [" "] },
        { never_say: "cheap" },
        { status: "done" },
        { personalization: "none" }
      ]) {
        const [field] = Object.keys(body)
        const { issues } = yield* expectError(400, "BAD_REQUEST", patch(body))
        assert.isTrue(issues[0].path.startsWith(field), JSON.stringify(issues))
      }
      assert.strictEqual((yield* expectBody(200, patch({ never_say: [] }))).version, 4)
    }).pipe(withServer())
  )

  it.live("redrafts templates that contain a new forbidden phrase, and keeps edited ones", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      const before = yield* getPlaybook(caller, campaign)
      const everyone = before.personas.at(-1)
      const templateOf = (playbook: typeof before, step: number) =>
        playbook.personas.at(-1)?.templates.find((template) => template.step === step)
      const closing = templateOf(before, 4)
      const second = templateOf(before, 2)
      if (everyone === undefined || closing === undefined || second === undefined) return assert.fail("no templates")
      const phrase = closing.body.split("\n\n")[1]?.split(" ").slice(0, 4).join(" ") ?? ""
      const edited = { subject: "Mine", body: `Hello,\n\n${phrase}, and this is my own.` }
      yield* expectBody(200, caller.put(playbookPath(campaign, `/templates/${second.id}`), edited))
      const after = yield* expectBody(200, caller.patch(playbookPath(campaign), { never_say: [phrase] }))
      assert.include(closing.body, phrase)
      assert.notInclude(templateOf(after, 4)?.body, phrase)
      assert.deepInclude(templateOf(after, 4), { id: closing.id, edited: false, variant: closing.variant })
      assert.deepInclude(templateOf(after, 2), { ...edited, edited: true })
      assert.include(JSON.stringify(templateOf(after, 2)), '"never_say"')
      assert.deepStrictEqual(after.personas.at(0)?.message, before.personas.at(0)?.message)
    }).pipe(withServer())
  )

  it.live("keeps its newest 200 versions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* builtWithPlaybook
      const versions = Effect.map(
        sql<{ readonly version: number }>`
          SELECT version FROM playbook_versions WHERE campaign_id = ${campaign} ORDER BY version`,
        (rows) => rows.map(({ version }) => version)
      )
      yield* expectBody(200, caller.patch(playbookPath(campaign), { status: "approved" }))
      assert.deepStrictEqual(yield* versions, [1, 2])
      yield* sql`UPDATE playbooks SET version = 201 WHERE campaign_id = ${campaign}`
      yield* expectBody(200, caller.patch(playbookPath(campaign), { status: "draft" }))
      assert.deepStrictEqual(yield* versions, [202])
    }).pipe(withServer())
  )

  it.live("belongs to its campaign, and is deleted with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* builtWithPlaybook
      const branch = { name: "Autumn", branch_from_step: "value-propositions" }
      const { id } = yield* expectBody(201, caller.post(`/campaigns/${campaign}/branch`, branch))
      yield* expectError(409, "NOT_READY", caller.get(playbookPath(id)))
      yield* expectBody(200, caller.delete(`/campaigns/${campaign}`))
      yield* expectError(404, "NOT_FOUND", caller.get(playbookPath(campaign)))
      assert.deepStrictEqual(yield* sql`SELECT campaign_id FROM playbooks`, [])
      assert.deepStrictEqual(yield* sql`SELECT campaign_id FROM playbook_versions`, [])
    }).pipe(withServer())
  )
})

describe("a persona", () => {
  it.live("is added with templates, up to eight", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      const add = (body: unknown) => caller.post(playbookPath(campaign, "/personas"), body)
      const message = { problem: "Seals leak.", question: "How often do yours?" }
      const added: Persona = yield* expectBody(201, add({ name: "Fleet", titles: ["Captain", "Captain"], message }))
      assert.deepInclude(added, { name: "Fleet", kind: "role", titles: ["Captain"] })
      assert.deepInclude(added.message, message)
      assert.deepStrictEqual([...new Set(added.templates.map(({ step }) => step))], [1, 2, 3, 4])
      assert.isTrue(added.templates.every(({ edited }) => !edited))
      const { personas, version } = yield* getPlaybook(caller, campaign)
      assert.strictEqual(version, 2)
      assert.deepStrictEqual(
        personas.map(({ name }) => name),
        ["Mines", "Fleet", "Everyone else"]
      )
      assert.deepStrictEqual(personas[1], added)
      const responses = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, i) => `Group ${i}`),
        (name) => add({ name, titles: [] }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(responses.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 409, 409, 409])
      yield* expectError(409, "CONFLICT", add({ name: "One more", titles: [] }))
      assert.lengthOf((yield* getPlaybook(caller, campaign)).personas, 8)
      for (const body of [{ titles: [] }, { name: " ", titles: [] }, { name: "x" }, { name: "x", titles: [""] }]) {
        yield* expectError(400, "BAD_REQUEST", add(body))
      }
    }).pipe(withServer())
  )

  it.live("is renamed without a change to its templates", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const persona = roleOf(playbook)
      const renamed = yield* putPersona(caller, campaign, persona.id, { name: "Plant", titles: ["Plant Manager"] })
      assert.deepStrictEqual(renamed, { ...persona, name: "Plant", titles: ["Plant Manager"] })
      const { persona: name } = yield* expectBody(
        200,
        caller.get(playbookPath(campaign, "/route?title=Plant%20Manager"))
      )
      assert.strictEqual(name, "Plant")
      assert.strictEqual((yield* getPlaybook(caller, campaign)).version, 2)
      yield* putPersona(caller, campaign, persona.id, { name: "Plant" })
      assert.strictEqual((yield* getPlaybook(caller, campaign)).version, 2)
      yield* expectError(404, "NOT_FOUND", caller.put(playbookPath(campaign, `/personas/${unknownId}`), { name: "x" }))
    }).pipe(withServer())
  )

  it.live("whose message changes gets new templates, except edited ones", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id, message, templates } = roleOf(playbook)
      const [edited] = templates
      yield* putTemplate(caller, campaign, defined(edited).id, templateText("Mine"))
      const changed = yield* putPersona(caller, campaign, id, { message: { problem: "Seals leak.", question: null } })
      assert.deepStrictEqual(changed.message, { ...message, problem: "Seals leak.", question: null })
      const [first, ...others] = changed.templates
      assert.deepInclude(first, { id: defined(edited).id, ...templateText("Mine"), edited: true, stale: true })
      for (const other of others) {
        const before = templates.find((template) => template.id === other.id)
        assert.notStrictEqual(other.body, before?.body)
        assert.isFalse(other.edited)
      }
      assert.isTrue((yield* getPlaybook(caller, campaign)).stale)
      // A template that is saved again is based on the current message.
      assert.isFalse((yield* putTemplate(caller, campaign, defined(edited).id, templateText("Mine"))).stale)
      assert.isFalse((yield* getPlaybook(caller, campaign)).stale)
      // A reset restores the draft for the new message.
      const reset: Template = yield* expectBody(
        200,
        caller.post(playbookPath(campaign, `/templates/${defined(edited).id}/reset`))
      )
      assert.isFalse(reset.edited)
      assert.notStrictEqual(reset.body, defined(edited).body)
    }).pipe(withServer())
  )

  it.live("can be deleted, except the persona for everyone else", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id } = roleOf(playbook)
      const others = othersOf(playbook)
      yield* expectError(409, "CONFLICT", caller.delete(playbookPath(campaign, `/personas/${others.id}`)))
      yield* expectError(
        400,
        "BAD_REQUEST",
        caller.put(playbookPath(campaign, `/personas/${others.id}`), { titles: ["CEO"] })
      )
      assert.deepStrictEqual(yield* expectBody(200, caller.delete(playbookPath(campaign, `/personas/${id}`))), {
        id,
        deleted: true
      })
      yield* expectError(404, "NOT_FOUND", caller.delete(playbookPath(campaign, `/personas/${id}`)))
      assert.deepStrictEqual((yield* getPlaybook(caller, campaign)).personas, [others])
    }).pipe(withServer())
  )
})

describe("a template", () => {
  it.live("is edited, and reset to its draft", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const before = templateOf(roleOf(playbook), 2)
      const edited = yield* putTemplate(caller, campaign, before.id, { ...templateText("Seals"), subject: "  Seals " })
      const { findings } = edited
      assert.deepStrictEqual(edited, { ...before, ...templateText("Seals"), edited: true, findings })
      assert.deepStrictEqual(templateOf(roleOf(yield* getPlaybook(caller, campaign)), 2), edited)
      assert.deepStrictEqual(
        yield* expectBody(200, caller.post(playbookPath(campaign, `/templates/${before.id}/reset`))),
        before
      )
      yield* putTemplate(caller, campaign, before.id, templateText("Seals"))
      const { body: drafted, subject } = before
      assert.isFalse((yield* putTemplate(caller, campaign, before.id, { subject, body: drafted })).edited)
      yield* expectError(
        404,
        "NOT_FOUND",
        caller.put(playbookPath(campaign, `/templates/${unknownId}`), templateText("x"))
      )
      yield* expectError(404, "NOT_FOUND", caller.post(playbookPath(campaign, `/templates/${unknownId}/reset`)))
    }).pipe(withServer())
  )

  it.live("that cannot be rendered is rejected with the line and column", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id } = templateOf(roleOf(playbook), 1)
      const cases = [
        [{ body: "Hi,\n\n{{ nickname }}" }, "body", /line 3, column/],
        [{ body: "Hi {{ first_name }}" }, "body", /line 1, column/],
        [{ body: "{% if company %}Hi" }, "body", /line 1/],
        [{ subject: "For {{ title" }, "subject", /line 1/],
        [{ subject: "One\ntwo" }, "subject", /line/],
        [{ body: " " }, "body", /./],
        [{ subject: "x".repeat(301) }, "subject", /./]
      ] as const
      for (const [part, path, message] of cases) {
        for (const request of [
          caller.put(playbookPath(campaign, `/templates/${id}`), { ...templateText("x"), ...part }),
          caller.post(playbookPath(campaign, "/templates"), {
            persona_id: roleOf(playbook).id,
            step: 1,
            ...templateText("x"),
            ...part
          })
        ]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", request)
          assert.strictEqual(issues[0].path, path)
          assert.match(issues[0].message, message)
        }
      }
      assert.deepStrictEqual(yield* getPlaybook(caller, campaign), playbook)
    }).pipe(withServer())
  )

  it.live("is checked again when it or the forbidden phrases change", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id } = templateOf(roleOf(playbook), 2)
      const failing = ({ findings }: Template) =>
        findings.filter(({ rule }) => rule === "never_say").map(({ place, severity }) => [place, severity])
      assert.deepStrictEqual(failing(yield* putTemplate(caller, campaign, id, templateText("A bargain"))), [])
      yield* expectBody(200, caller.patch(playbookPath(campaign), { never_say: ["bargain"] }))
      const currentFailures = () =>
        Effect.map(getPlaybook(caller, campaign), (current) => failing(templateOf(roleOf(current), 2)))
      assert.deepStrictEqual(yield* currentFailures(), [
        ["subject", "fail"],
        ["body", "fail"]
      ])
      const { sequence } = yield* expectBody(
        200,
        caller.post(playbookPath(campaign, "/try"), { lead: { ...lead, title: "Plant Director" } })
      )
      assert.deepStrictEqual(failing(sequence[1]), [
        ["subject", "fail"],
        ["body", "fail"]
      ])
      yield* putTemplate(caller, campaign, id, templateText("A fair price"))
      assert.deepStrictEqual(yield* currentFailures(), [])
    }).pipe(withServer())
  )

  it.live("has up to three variants, and the last one cannot be deleted", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id: persona_id } = othersOf(playbook)
      const drafted = templateOf(othersOf(playbook), 3)
      const add = (subject: string, step = 3) =>
        caller.post(playbookPath(campaign, "/templates"), { persona_id, step, ...templateText(subject) })
      const second: Template = yield* expectBody(201, add("Two"))
      assert.deepInclude(second, { step: 3, variant: 2, edited: true, stale: false, ...templateText("Two") })
      const third: Template = yield* expectBody(201, add("Three"))
      yield* expectError(409, "CONFLICT", add("Four"))
      for (const step of [0, 5, 1.5]) yield* expectError(400, "BAD_REQUEST", add("x", step))
      yield* expectError(
        404,
        "NOT_FOUND",
        caller.post(playbookPath(campaign, "/templates"), { ...templateText("x"), persona_id: unknownId, step: 1 })
      )
      yield* expectError(409, "CONFLICT", caller.post(playbookPath(campaign, `/templates/${third.id}/reset`)))
      yield* expectBody(200, caller.delete(playbookPath(campaign, `/templates/${second.id}`)))
      // The number of the deleted variant is reused.
      assert.strictEqual((yield* expectBody(201, add("Two again"))).variant, 2)
      const { templates } = personaOf(yield* getPlaybook(caller, campaign), persona_id)
      assert.deepStrictEqual(
        templates.map(({ step, variant }) => `${step}.${variant}`),
        ["1.1", "2.1", "3.1", "3.2", "3.3", "4.1"]
      )
      const [, reAdded, last] = templates.filter(({ step }) => step === 3)
      for (const { id } of [drafted, defined(reAdded)])
        yield* expectBody(200, caller.delete(playbookPath(campaign, `/templates/${id}`)))
      yield* expectError(409, "CONFLICT", caller.delete(playbookPath(campaign, `/templates/${defined(last).id}`)))
    }).pipe(withServer())
  )

  it.live("keeps its edit while other templates are edited at the same time", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const all = playbook.personas.flatMap(({ templates }) => templates)
      const [first] = all
      yield* expectBody(200, caller.patch(playbookPath(campaign), { status: "approved" }))
      yield* Effect.forEach(all, ({ id }, i) => putTemplate(caller, campaign, id, templateText(`Edit ${i}`)), {
        concurrency: "unbounded"
      })
      const after = yield* getPlaybook(caller, campaign)
      assert.strictEqual(after.version, 2 + all.length)
      assert.strictEqual(after.status, "approved")
      const subjects = after.personas.flatMap(({ templates }) => templates.map(({ id, subject }) => [id, subject]))
      assert.deepStrictEqual(
        subjects,
        all.map(({ id }, i) => [id, `Edit ${i}`])
      )
      assert.isDefined(first)
      yield* assertConsistent
    }).pipe(withServer())
  )
})

describe("a redraft", () => {
  it.live("replaces unedited templates, one redraft at a time", () => {
    const templates = gated(recording(fakeWriter.templates))
    return Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id, templates: before } = roleOf(playbook)
      const [edited, other] = before
      yield* putTemplate(caller, campaign, defined(edited).id, templateText("Mine"))
      yield* expectBody(200, caller.patch(playbookPath(campaign), { status: "approved" }))
      const redraft = (body: unknown) => caller.post(playbookPath(campaign, "/redraft"), body)
      yield* expectError(404, "NOT_FOUND", redraft({ persona_id: unknownId }))
      yield* expectError(422, "UNPROCESSABLE", redraft({ instruction: "Be brief" }))
      const started = yield* expectBody(202, redraft({ persona_id: id }))
      assert.deepStrictEqual(started, { id: started.id, type: "campaign.playbook", status: "processing" })
      yield* templates.started
      assert.deepInclude(yield* expectBody(200, caller.get(`/jobs/${started.id}`)), {
        type: "campaign.playbook",
        status: "processing"
      })
      assert.strictEqual((yield* expectBody(202, redraft({}))).id, started.id)
      // An edit during the redraft is kept.
      yield* putTemplate(caller, campaign, defined(other).id, templateText("Mine too"))
      yield* templates.open
      assert.strictEqual((yield* awaitJob(caller, started.id)).status, "completed")
      const after = yield* getPlaybook(caller, campaign)
      assert.strictEqual(after.status, "draft")
      assert.deepStrictEqual(
        roleOf(after).templates.map(({ edited, id, subject }) => [id, edited, subject]),
        before.map(({ id, step }) =>
          step === 1 ? [id, true, "Mine"] : step === 2 ? [id, true, "Mine too"] : [id, false, `Step ${step}`]
        )
      )
      assert.notStrictEqual((yield* expectBody(202, redraft({}))).id, started.id)
      yield* assertConsistent
    }).pipe(withServer({ writer: { templates } }))
  })

  it.live("that fails leaves the playbook as it was", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const { id } = yield* expectBody(202, caller.post(playbookPath(campaign, "/redraft"), {}))
      const job = yield* awaitJob(caller, id)
      assert.deepInclude(job, { status: "failed", error: refusal.message })
      assert.deepStrictEqual(yield* getPlaybook(caller, campaign), playbook)
    }).pipe(withServer({ writer: { templates: () => Effect.fail(refusal) } }))
  )
})

describe("a lead", () => {
  it.live("can be tried for free, without storing anything", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const before = yield* dump
      const attempt = (body: unknown) => caller.post(playbookPath(campaign, "/try"), body)
      const ida = { email: "ida@north.example", name: "Ida Moreau", title: "Plant Director", company: "North" }
      const tried = yield* expectBody(200, attempt({ lead: ida }))
      const role = roleOf(playbook)
      assert.deepInclude(tried, { persona_id: role.id, skipped: null, seniority: "director" })
      assert.isNotEmpty(tried.reasons)
      assert.deepStrictEqual(
        tried.sequence.map(({ step, subject, template_id }: Template & { readonly template_id: string }) => [
          step,
          subject,
          template_id
        ]),
        [1, 2, 4].map((step, i) => [i + 1, `Step ${step}`, templateOf(role, step).id])
      )
      assert.match(tried.sequence[0].body, /^Hi Ida,/)
      const unrouted = yield* expectBody(
        200,
        attempt({ lead: { email: "x@north.example", title: "Poet" }, email_count: 1 })
      )
      assert.strictEqual(unrouted.persona_id, othersOf(playbook).id)
      assert.lengthOf(unrouted.sequence, 1)
      assert.match(unrouted.sequence[0].body, /^Hi there,/)
      yield* expectError(400, "BAD_REQUEST", attempt({ lead: { email: "nowhere" } }))
      yield* expectError(400, "BAD_REQUEST", attempt({ lead: ida, email_count: 5 }))
      const routed = yield* expectBody(200, caller.get(playbookPath(campaign, "/route?title=Plant%20Director")))
      assert.deepInclude(routed, { persona_id: role.id, persona: role.name })
      yield* expectError(400, "BAD_REQUEST", caller.get(playbookPath(campaign, "/route")))
      assert.isTrue((yield* dump) === before)
    }).pipe(withServer())
  )

  it.live("is written from the playbook version of the time when its list was accepted", () => {
    const writtenLeads: Array<readonly [name: string | null | undefined, playbook: Brief["playbook"]]> = []
    const gatedSequence = gated((brief: Brief) => fakeWriter.sequence(brief))
    const sequence = (brief: Brief) => {
      writtenLeads.push([brief.lead.name, brief.playbook])
      return brief.lead.name === "Held" ? gatedSequence(brief) : fakeWriter.sequence(brief)
    }
    return Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const generateOne = (name: string) =>
        expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead: { ...lead, name }, options }))
      const generateBatch = (name: string) =>
        expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, {
            leads: [
              { ...lead, name },
              { ...lead, name: `${name} 2` }
            ],
            options
          })
        )
      yield* generateOne("Ann")
      const first = yield* generateBatch("Held")
      yield* gatedSequence.started
      yield* putTemplate(caller, campaign, templateOf(roleOf(playbook), 1).id, templateText("Edited"))
      yield* generateOne("Bob")
      const second = yield* generateBatch("Carl")
      yield* gatedSequence.open
      for (const { list_id } of [first, second]) {
        yield* until(caller.get(`/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
      }
      const versions = Object.fromEntries(writtenLeads.map(([name, book]) => [name, book?.version]))
      assert.deepStrictEqual(versions, { Ann: 1, Held: 1, "Held 2": 1, Bob: 2, Carl: 2, "Carl 2": 2 })
      const subjects = writtenLeads.map(([name, book]) => [name, book?.personas[0]?.templates[0]?.subject])
      assert.deepInclude(subjects, ["Held", "Step 1"])
      assert.deepInclude(subjects, ["Bob", "Edited"])
    }).pipe(withServer({ writer: { sequence } }))
  })
})

it.live("trying a lead at a competitor returns the reason why a batch would skip it", () =>
  Effect.gen(function* () {
    const details = { company_name: "Acme", competitors: "Weir Minerals" }
    const { campaign, caller } = yield* Campaigns.callerWithCampaign({ details })
    const attempt = (company: string) =>
      expectBody(200, caller.post(playbookPath(campaign, "/try"), { lead: { email: "ida@lead.example", company } }))
    assert.match((yield* attempt("Weir Minerals")).skipped.reason, /Weir Minerals/)
    assert.isNull((yield* attempt("North Quarry")).skipped)
  }).pipe(withServer())
)

describe("a rebuild", () => {
  it.live("keeps edits, and drafts the rest", () =>
    Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const role = roleOf(playbook)
      const others = othersOf(playbook)
      const keptTemplate = templateOf(role, 1)
      yield* putTemplate(caller, campaign, keptTemplate.id, templateText("Mine"))
      yield* putPersona(caller, campaign, others.id, { name: "The rest", message: { offer: "A free check" } })
      yield* expectBody(201, caller.post(playbookPath(campaign, "/personas"), { name: "Fleet", titles: ["Captain"] }))
      yield* expectBody(
        200,
        caller.patch(playbookPath(campaign), { status: "approved", never_say: ["cheap"], personalization: "adapted" })
      )
      const before = yield* getPlaybook(caller, campaign)
      const after = yield* rebuild(caller, campaign)

      assert.strictEqual(after.version, before.version + 1)
      assert.deepInclude(after, { status: "draft", stale: true, never_say: ["cheap"], personalization: "adapted" })
      const ids = ({ personas }: Playbook) => personas.map(({ id, name }) => [id, name])
      assert.deepStrictEqual(ids(after), ids(before))
      assert.deepStrictEqual(
        after.personas.map(({ name }) => name),
        ["Mines", "Fleet", "The rest"]
      )
      assert.deepInclude(templateOf(personaOf(after, role.id), 1), {
        id: keptTemplate.id,
        ...templateText("Mine"),
        edited: true,
        stale: true
      })
      assert.deepStrictEqual(
        personaOf(after, role.id).templates.map(({ id }) => id),
        role.templates.map(({ id }) => id)
      )
      assert.strictEqual(personaOf(after, others.id).message.offer, "A free check")
      assert.isTrue(personaOf(after, others.id).templates.every(({ stale }) => !stale))
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("does not restore a deleted persona, unless its titles changed", () => {
    const titles = ["Plant Director", "Mine Manager"]
    let extraTitles: ReadonlyArray<string> = []
    const playbook: typeof fakeWriter.playbook = (campaign) =>
      Effect.map(fakeWriter.playbook(campaign), ([role, ...others]) => [
        ...(role === undefined ? [] : [role, { ...role, name: "Directors", titles: [...titles, ...extraTitles] }]),
        ...others
      ])
    return Effect.gen(function* () {
      const { campaign, playbook, caller } = yield* builtWithPlaybook
      const directors = defined(playbook.personas.find(({ name }) => name === "Directors"))
      yield* expectBody(200, caller.delete(playbookPath(campaign, `/personas/${directors.id}`)))
      const names = ({ personas }: Playbook) => personas.map(({ name }) => name)
      assert.deepStrictEqual(names(yield* rebuild(caller, campaign)), ["Mines", "Everyone else"])
      extraTitles = ["Quarry Owner"]
      yield* Campaigns.selectOption(caller, campaign, "social_proof", 0)
      const { job } = yield* Campaigns.selectOption(caller, campaign, "value_proposition", 0)
      yield* awaitJob(caller, job.id)
      assert.deepStrictEqual(names(yield* getPlaybook(caller, campaign)), ["Mines", "Directors", "Everyone else"])
    }).pipe(withServer({ writer: { playbook } }))
  })

  it.live("drops a persona that is no longer drafted, unless it was edited", () => {
    let name = "Directors"
    const playbook: typeof fakeWriter.playbook = (campaign) =>
      Effect.map(fakeWriter.playbook(campaign), ([role, ...others]) => [
        ...(role === undefined ? [] : [{ ...role, name, titles: [name] }]),
        ...others
      ])
    return Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      name = "Owners"
      const second = yield* rebuild(caller, campaign)
      assert.deepStrictEqual(
        second.personas.map(({ name }) => name),
        ["Owners", "Everyone else"]
      )
      yield* putTemplate(caller, campaign, templateOf(roleOf(second), 4).id, templateText("Goodbye"))
      name = "Buyers"
      yield* Campaigns.selectOption(caller, campaign, "social_proof", 0)
      const { job } = yield* Campaigns.selectOption(caller, campaign, "value_proposition", 0)
      yield* awaitJob(caller, job.id)
      const third = yield* getPlaybook(caller, campaign)
      assert.deepStrictEqual(
        third.personas.map(({ name }) => name),
        ["Owners", "Buyers", "Everyone else"]
      )
      assert.deepInclude(templateOf(roleOf(third), 4), templateText("Goodbye"))
    }).pipe(withServer({ writer: { playbook } }))
  })
})

describe("a campaign that was built without a playbook", () => {
  it.live("gets one playbook at its first use", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      yield* removePlaybook(campaign)
      const playbooks = yield* Effect.forEach(Array.from({ length: 6 }), () => getPlaybook(caller, campaign), {
        concurrency: "unbounded"
      })
      const [first] = playbooks
      assert.strictEqual(first?.version, 1)
      for (const other of playbooks) assert.deepStrictEqual(other, first)
      assert.strictEqual(first?.personas.at(-1)?.kind, "everyone_else")
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("uses that playbook for leads and previews", () => {
    const sequence = recording(fakeWriter.sequence)
    const versions = () => sequence.calls.map(([{ playbook }]) => playbook?.version)
    return Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithPlaybook
      yield* removePlaybook(campaign)
      yield* expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))
      assert.deepStrictEqual(versions(), [1])
      yield* removePlaybook(campaign)
      const { list_id } = yield* expectBody(
        202,
        caller.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options })
      )
      yield* until(caller.get(`/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
      yield* removePlaybook(campaign)
      yield* expectBody(200, caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
      assert.deepStrictEqual(versions(), [1, 1, 1, 1, 1, 1, 1])
      assert.strictEqual((yield* getPlaybook(caller, campaign)).version, 1)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("completes a list that was accepted without a playbook", () => {
    const sequence = recording(fakeWriter.sequence)
    let isDown = true
    const writer = (brief: Brief) => (isDown ? Effect.fail(outage) : sequence(brief))
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* builtWithPlaybook
      const batch = { leads: [lead, { ...lead, email: "bo@south.example" }], options }
      const { list_id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, batch))
      const waitForStatus = (status: string) =>
        until(caller.get(`/lists/${list_id}`), ({ body }) => body.processing_status === status)
      yield* waitForStatus("pending")
      yield* removePlaybook(campaign)
      yield* sql`
        UPDATE lists SET brief = (SELECT brief FROM campaigns WHERE id = ${campaign}) WHERE id = ${list_id}`
      isDown = false
      yield* expectBody(202, caller.post(`/lists/${list_id}`))
      yield* waitForStatus("completed")
      const playbooks = sequence.calls.map(([{ playbook }]) => playbook)
      assert.lengthOf(playbooks, 2)
      assert.strictEqual(playbooks[0]?.version, 0)
      assert.strictEqual(playbooks[0]?.personas.at(-1)?.kind, "everyone_else")
      assert.deepStrictEqual(playbooks[0], playbooks[1])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence: writer } }))
  })
})
