// test/lists.test.ts: the fields and allowed operations of lists in each state: renaming, deleting, resuming and listing leads.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "#layers/database/migrations.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { ModelCalls, ModelCallSubject } from "#layers/model/ModelCalls.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, callerFor, newCaller, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { gated, outage, refusal } from "./support/faults.ts"
import { judgedEmail } from "./support/judged-email.ts"
import { waitForList, startBatch, makeLeads } from "./support/lists.ts"
import { layer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const startList = Effect.fnUntraced(function* (caller: Caller, count: number) {
  return yield* startBatch(caller, yield* builtCampaign(caller), makeLeads(count))
})

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const unknownListId = "01a1fcbe-9137-734b-82f6-ecf9f8199f4b"

describe("lists", () => {
  it.live("can be renamed only by their own workspace", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const other = yield* onboardedCaller()
      const list = yield* startList(caller, 1)
      yield* waitForList(caller, list)
      const renamed = yield* expectBody(200, caller.patch(`/lists/${list}`, { custom_name: "  Spring leads " }))
      assert.hasAllKeys(renamed, [
        "id",
        "campaign_id",
        "custom_name",
        "processing_status",
        "created_at",
        "completed_at"
      ])
      assert.strictEqual(renamed.custom_name, "Spring leads")
      for (const custom_name of ["", "  ", "x".repeat(201), null, 5]) {
        yield* expectError(400, "BAD_REQUEST", caller.patch(`/lists/${list}`, { custom_name }))
      }
      for (const id of [list, unknownListId]) {
        yield* expectError(404, "NOT_FOUND", other.patch(`/lists/${id}`, { custom_name: "Mine" }))
        yield* expectError(404, "NOT_FOUND", other.delete(`/lists/${id}`))
        yield* expectError(404, "NOT_FOUND", other.post(`/lists/${id}`))
      }
      assert.strictEqual((yield* expectBody(200, caller.get(`/lists/${list}`))).custom_name, "Spring leads")
    }).pipe(Effect.provide(layer()))
  )

  it.live("show the fields and allow the operations of their state", () => {
    const slow = gated(fakeWriter.sequence)
    // The address of a lead decides how writing for it ends.
    const writersByEmail: { readonly [fate: string]: typeof fakeWriter.sequence } = {
      "refused@company.example": () => Effect.fail(refusal),
      "down@company.example": () => Effect.fail(outage),
      "slow@company.example": slow
    }
    const sequence: typeof fakeWriter.sequence = (brief) =>
      (writersByEmail[brief.lead.email] ?? fakeWriter.sequence)(brief)
    const commonFields = ["id", "campaign_id", "custom_name", "processing_status", "created_at"]
    const activeStatuses = ["processing", "in_progress"]
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const createdLists: Array<any> = []
      for (const [processing_status, names, extraFields] of [
        ["processing", ["slow"], ["progress"]],
        ["in_progress", ["good", "slow"], ["progress"]],
        ["pending", ["good", "down"], ["progress"]],
        ["completed", ["good", "refused"], ["completed_at", "leads_count", "emails_created", "processed_file_path"]],
        ["failed", ["refused"], ["failed_at"]]
      ] as const) {
        const leads = names.map((fate) => ({ email: `${fate}@company.example` }))
        const options = { email_count: 3, email_signature: "Ann" }
        const { list_id } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
        )
        const list = yield* until(
          expectBody(200, caller.get(`/lists/${list_id}`)),
          (list) => list.processing_status === processing_status
        )
        assert.hasAllKeys(list, [...commonFields, "updated_at", ...extraFields])
        assert.deepInclude(list, { id: list_id, campaign_id: campaign, custom_name: `API Batch (${leads.length})` })
        for (const field of ["created_at", "updated_at", "completed_at", "failed_at"]) {
          if (field in list) assert.match(list[field], iso)
        }
        if (processing_status === "completed") assert.deepInclude(list, { leads_count: 2, emails_created: 3 })
        if ("progress" in list) {
          const leads_done = names.filter((fate) => fate === "good").length
          assert.deepStrictEqual(list.progress, { leads_total: names.length, leads_done, leads_failed: 0 })
        }
        createdLists.unshift(list)
        // Two lists with the same timestamp would have no defined order.
        yield* Effect.sleep(2)
      }

      const page = yield* expectBody(200, caller.get("/lists"))
      assert.deepStrictEqual([page.has_more, page.total], [false, 5])
      assert.deepStrictEqual(
        page.lists,
        createdLists.map(({ campaign_id, completed_at = null, created_at, custom_name, id, processing_status }) => ({
          id,
          campaign_id,
          custom_name,
          processing_status,
          created_at,
          completed_at
        }))
      )
      for (const { id, processing_status } of createdLists) {
        const filtered = yield* expectBody(200, caller.get(`/lists?status=${processing_status}&limit=1`))
        assert.deepStrictEqual([filtered.lists[0].id, filtered.total, filtered.has_more], [id, 1, false])
        const exported = caller.get(`/lists/${id}/export`)
        if (processing_status === "completed") yield* expectBody(200, exported)
        else assert.deepStrictEqual(yield* expectError(409, "NOT_READY", exported), { processing_status })
        if (processing_status !== "pending") yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${id}`))
        const deletion = caller.delete(`/lists/${id}`)
        if (!activeStatuses.includes(processing_status))
          assert.deepStrictEqual(yield* expectBody(200, deletion), { id, deleted: true })
        else assert.deepStrictEqual(yield* expectError(409, "CONFLICT", deletion), { processing_status })
      }
      yield* slow.open
      yield* until(expectBody(200, caller.get("/lists?status=completed")), ({ total }) => total === 2)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("of single leads are marked, and can be filtered out", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const options = { email_count: 1, email_signature: "Ann" }
      const lead = { email: "ann@company.example", name: "Ann" }
      yield* expectBody(200, caller.post(`/campaigns/${campaign}/generate`, { lead, options }))
      const leads = [lead]
      const { list_id } = yield* expectBody(
        202,
        caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
      )
      const sourcesOf = (query: string) =>
        Effect.map(expectBody(200, caller.get(`/lists?limit=1${query}`)), ({ has_more, lists, total }) => ({
          has_more,
          total,
          sources: lists.map(({ source }: { readonly source?: string }) => source)
        }))
      assert.deepStrictEqual(yield* sourcesOf(""), { has_more: true, total: 2, sources: [undefined] })
      assert.deepStrictEqual(yield* sourcesOf("&source=batch"), { has_more: false, total: 1, sources: [undefined] })
      assert.deepStrictEqual(yield* sourcesOf("&source=api_single"), {
        has_more: false,
        total: 1,
        sources: ["api_single"]
      })
      const single = (yield* expectBody(200, caller.get("/lists?source=api_single"))).lists[0]
      assert.strictEqual(single.custom_name, "Ann")
      assert.strictEqual((yield* expectBody(200, caller.get(`/lists/${single.id}`))).source, "api_single")
      assert.strictEqual(
        (yield* expectBody(200, caller.patch(`/lists/${single.id}`, { custom_name: "B" }))).source,
        "api_single"
      )
      assert.notProperty(yield* expectBody(200, caller.get(`/lists/${list_id}`)), "source")
      const { issues } = yield* expectError(400, "BAD_REQUEST", caller.get("/lists?source=file"))
      assert.strictEqual(issues[0].path, "source")
    }).pipe(Effect.provide(layer()))
  )

  it.live("show each lead with its emails, findings and sources, in every state", () => {
    const slow = gated(fakeWriter.sequence)
    const finding = {
      rule: "value.long",
      severity: "warn",
      place: "body",
      start: 6,
      end: 11,
      message: "Shorten it",
      suggestion: null
    } as const
    const source = { from: "profile", at: "case_studies", text: "Hello there" } as const
    const claim = { sentence: "Hello there.", start: 0, end: 12, supported: true, sources: [source] }
    const unsupported = { sentence: "Hello again.", start: 0, end: 12, supported: false, sources: [] }
    // The writer of this test uses no model.
    const noMark = { ai_generated: null, model: null, prompt_version: null }
    const sourceIds = { persona_id: unknownListId, template_id: "01a1fcbe-9137-734b-82f6-000000000001" }
    const writeTwoEmails: typeof fakeWriter.sequence = () =>
      Effect.succeed([
        judgedEmail({ subject: "one", body: "Hello there.", claims: [claim], ...sourceIds }),
        judgedEmail({ subject: "two", body: "Hello again.", findings: [finding], claims: [unsupported], ...sourceIds })
      ])
    const writersByEmail: { readonly [fate: string]: typeof fakeWriter.sequence } = {
      "refused@company.example": () => Effect.fail(refusal),
      "slow@company.example": slow
    }
    const sequence: typeof fakeWriter.sequence = (brief) => (writersByEmail[brief.lead.email] ?? writeTwoEmails)(brief)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const custom_fields = { hall: 3, met: true, constructor: "North", gap: null }
      const leads = [
        { email: "good@company.example", name: "Ida", title: "Captain", company: "North", custom_fields },
        { email: "refused@company.example", custom_fields: {} },
        { email: "slow@company.example", linkedin_url: "https://linkedin.example/in/slow" }
      ]
      const options = { email_count: 2, email_signature: "Ann\\nNorth" }
      const { list_id } = yield* expectBody(
        202,
        caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
      )
      const path = `/lists/${list_id}/leads`
      const { data, has_more, total } = yield* until(expectBody(200, caller.get(path)), ({ data }) =>
        data.slice(0, 2).every((lead: any) => lead.status !== "pending")
      )
      assert.deepStrictEqual([has_more, total], [false, 3])
      const [completedLead, failedLead, pendingLead] = data
      const emptyFields = {
        name: null,
        title: null,
        company: null,
        linkedin_url: null,
        company_website: null,
        custom_fields: null,
        review: { status: "open", note: null, at: null },
        edited: false,
        ...noMark
      }
      const { id, ...rest } = completedLead
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(rest, {
        ...emptyFields,
        position: 1,
        email: "good@company.example",
        name: "Ida",
        title: "Captain",
        company: "North",
        custom_fields,
        status: "completed",
        persona_id: sourceIds.persona_id,
        skipped: null,
        suppressed: null,
        maybe: null,
        error: null,
        score: null,
        emails: [
          {
            step: 1,
            version: 1,
            subject: "one",
            body: "Hello there.\n\nAnn\nNorth",
            score: null,
            findings: [],
            grounds: [{ sentence: "Hello there.", sources: [{ from: "profile", at: "case_studies" }] }],
            template_id: sourceIds.template_id,
            playbook_version: 1,
            ...noMark
          },
          {
            step: 2,
            version: 1,
            subject: "two",
            body: "Hello again.\n\nAnn\nNorth",
            score: null,
            findings: [{ ...finding, offset: 6 }],
            grounds: [],
            template_id: sourceIds.template_id,
            playbook_version: 1,
            ...noMark
          }
        ],
        research: []
      })
      assert.deepInclude(failedLead, {
        ...emptyFields,
        position: 2,
        status: "failed",
        score: null,
        persona_id: null,
        skipped: null
      })
      assert.deepStrictEqual([failedLead.error, failedLead.emails], ["The model refused", []])
      assert.deepInclude(pendingLead, { position: 3, status: "pending", score: null, error: null })
      assert.deepStrictEqual(pendingLead.emails, [])

      for (const [status, expectedLead] of [
        ["completed", completedLead],
        ["failed", failedLead],
        ["pending", pendingLead]
      ]) {
        assert.deepStrictEqual(yield* expectBody(200, caller.get(`${path}?status=${status}`)), {
          data: [expectedLead],
          has_more: false,
          total: 1,
          limit: 50,
          offset: 0
        })
      }
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`${path}?limit=1&offset=1`)), {
        data: [failedLead],
        has_more: true,
        total: 3,
        limit: 1,
        offset: 1
      })
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`${path}?offset=9`)), {
        data: [],
        has_more: false,
        total: 3,
        limit: 50,
        offset: 9
      })
      yield* expectError(400, "BAD_REQUEST", caller.get(`${path}?status=done`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${unknownListId}/leads`))
      yield* expectError(404, "NOT_FOUND", (yield* onboardedCaller()).get(path))
      yield* slow.open
      yield* waitForList(caller, list_id)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("share the brief of their campaign, which is deleted with the last of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const lists: Array<string> = []
      for (let i = 0; i < 2; i++) {
        const list = yield* startBatch(caller, campaign, makeLeads(1))
        yield* waitForList(caller, list)
        lists.push(list)
      }
      const rows = sql`
        SELECT count(DISTINCT b.id) AS briefs, count(DISTINCT l.id) AS lists, count(l.brief) AS copies
        FROM briefs b LEFT JOIN lists l ON l.brief_id = b.id AND l.workspace_id = b.workspace_id
        WHERE b.workspace_id = ${caller.workspace}`
      assert.deepStrictEqual(yield* rows, [{ briefs: 1, lists: 2, copies: 0 }])
      yield* expectBody(200, caller.delete(`/lists/${lists[0]}`))
      assert.deepStrictEqual(yield* rows, [{ briefs: 1, lists: 1, copies: 0 }])
      yield* expectBody(200, caller.delete(`/lists/${lists[1]}`))
      assert.deepStrictEqual(yield* rows, [{ briefs: 0, lists: 0, copies: 0 }])
      yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(1)))
      assert.deepStrictEqual(yield* rows, [{ briefs: 1, lists: 1, copies: 0 }])
      yield* sql`DELETE FROM workspaces WHERE id = ${caller.workspace}`
      assert.deepStrictEqual(yield* rows, [{ briefs: 0, lists: 0, copies: 0 }])
    }).pipe(Effect.provide(layer()))
  )

  it.live("are shown with the usage stored by an earlier version", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const list = yield* startList(caller, 1)
      yield* waitForList(caller, list)
      for (let call = 0; call < 3; call++) {
        yield* sql`
          INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
            output_tokens, at)
          VALUES (${caller.workspace}, 'list', ${list}, 'p', '1', 'm', 9000000000000000000, 9000000000000000, 80, '2026-01-01')`
      }
      const before = yield* expectBody(200, caller.get("/lists"))
      for (const table of ["list_counts", "list_usage"]) yield* sql`DROP TABLE ${sql(table)}`
      yield* migrations["0044_list_sums"]
      assert.deepStrictEqual(yield* expectBody(200, caller.get("/lists")), before)
      const { usage } = yield* expectBody(200, caller.get(`/lists/${list}`))
      assert.deepInclude(usage, { calls: 3, input_tokens: 3e9, cached_tokens: 3e9, output_tokens: 240 })
    }).pipe(Effect.provide(layer()))
  )

  it.live("have the tokens of their model calls, and of no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      const [list, other] = [
        yield* startBatch(caller, campaign, makeLeads(2)),
        yield* startBatch(caller, campaign, makeLeads(1))
      ]
      for (const id of [list, other]) yield* waitForList(caller, id)
      const call = { prompt: "p", version: "1", model: "m", input_tokens: 1000, cached_tokens: 400, output_tokens: 80 }
      const record = (kind: string, subject: string, list?: string) =>
        Effect.provideService(
          Effect.flatMap(ModelCalls, (calls) => calls.record(call)),
          ModelCallSubject,
          {
            workspace: caller.workspace,
            kind,
            subject,
            list
          }
        )
      const usage = (id: string) => Effect.map(expectBody(200, caller.get(`/lists/${id}`)), (body) => body.usage)
      assert.isUndefined(yield* usage(list))
      yield* record("list", list, list)
      for (const { id } of (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data)
        yield* record("lead", id, list)
      yield* record("campaign", campaign)
      // Of a list that was deleted meanwhile.
      yield* record("list", unknownListId, unknownListId)
      const three = { calls: 3, input_tokens: 3000, cached_tokens: 1200, output_tokens: 240, cost: null }
      assert.deepStrictEqual(yield* usage(list), three)
      assert.isUndefined(yield* usage(other))
      yield* assertConsistent
      // What was used stays, although the calls are pruned.
      yield* sql`DELETE FROM model_calls`
      assert.deepStrictEqual(yield* usage(list), three)
    }).pipe(Effect.provide(ModelCalls.layer.pipe(Layer.provideMerge(layer()))))
  )

  it.live("are counted by campaign, status and source while they are created and deleted", () =>
    Effect.gen(function* () {
      const sequence: typeof fakeWriter.sequence = (brief) =>
        brief.lead.email === "refused@company.example" ? Effect.fail(refusal) : fakeWriter.sequence(brief)
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const [first, second] = [yield* builtCampaign(caller), yield* builtCampaign(caller)]
        const total = (query = "") => Effect.map(expectBody(200, caller.get(`/lists${query}`)), (body) => body.total)
        assert.strictEqual(yield* total(), 0)
        const lists: Array<string> = []
        for (const campaign of [first, first, second]) lists.push(yield* startBatch(caller, campaign, makeLeads(1)))
        for (const list of lists) yield* waitForList(caller, list)
        const failed = yield* startBatch(caller, first, [{ email: "refused@company.example" }])
        yield* waitForList(caller, failed, "failed")
        const [lead] = makeLeads(1)
        yield* expectBody(
          200,
          caller.post(`/campaigns/${first}/generate`, { lead, options: { email_count: 1, email_signature: "Ann" } })
        )
        const totals = Effect.all(
          [
            "",
            "?status=completed",
            "?status=failed",
            "?status=pending",
            "?source=batch",
            "?source=api_single",
            `?campaign_id=${first}`,
            `?campaign_id=${first}&status=completed`,
            `?campaign_id=${first}&status=completed&source=batch`,
            `?campaign_id=${second}&status=completed`,
            `?campaign_id=${unknownListId}`
          ].map(total)
        )
        assert.deepStrictEqual(yield* totals, [5, 4, 1, 0, 4, 1, 4, 3, 2, 1, 0])
        // An entry of GET /campaigns counts them too, without the one of a single lead, and names the segment.
        const { campaigns } = yield* expectBody(200, caller.get("/campaigns"))
        const entries = new Map<string, any>(campaigns.map((entry: { readonly id: string }) => [entry.id, entry]))
        assert.deepStrictEqual([entries.get(first).lists_count, entries.get(second).lists_count], [3, 1])
        const reader = yield* callerFor(caller.workspace, ["campaigns:read"])
        for (const entry of (yield* expectBody(200, reader.get("/campaigns"))).campaigns) {
          assert.notProperty(entry, "lists_count")
        }
        const { target_audience } = yield* expectBody(200, caller.get(`/campaigns/${first}/selections`))
        assert.strictEqual(entries.get(first).audience, target_audience.segment_name)
        assert.strictEqual((yield* expectBody(200, (yield* onboardedCaller()).get("/lists"))).total, 0)
        for (const list of [lists[0], failed]) yield* expectBody(200, caller.delete(`/lists/${list}`))
        assert.deepStrictEqual(yield* totals, [3, 3, 0, 0, 2, 1, 2, 2, 1, 1, 0])
        yield* assertConsistent
        // The lists of a deleted campaign stay.
        yield* expectBody(200, caller.delete(`/campaigns/${second}`))
        assert.deepStrictEqual(yield* totals, [3, 3, 0, 0, 2, 1, 2, 2, 1, 0, 0])
        yield* expectBody(200, caller.delete(`/lists/${lists[2]}`))
        assert.deepStrictEqual(yield* totals, [2, 2, 0, 0, 1, 1, 2, 2, 1, 0, 0])
        yield* assertConsistent
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("show the findings and sources stored by an earlier version", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const list = yield* startList(caller, 1)
      yield* waitForList(caller, list)
      const sql = yield* SqlClient.SqlClient
      const grounds = [{ sentence: "Hello there.", sources: [{ from: "profile", at: "case_studies" }] }]
      const oldFinding = { rule: "L1", severity: "warn", place: "body", message: "Say less" }
      const stored = [{ score: 88, findings: [{ ...oldFinding, offset: 6 }, oldFinding], sources: grounds }]
      const readLead = Effect.map(expectBody(200, caller.get(`/lists/${list}/leads`)), ({ data }) => data[0])
      yield* sql`
        UPDATE leads SET findings = ${JSON.stringify(stored)}, score = 88, persona_id = NULL WHERE list_id = ${list}`
      const { emails, persona_id, score, skipped } = yield* readLead
      assert.deepStrictEqual([score, persona_id, skipped], [88, null, null])
      assert.deepInclude(emails[0], { score: 88, grounds, template_id: null, playbook_version: null })
      const newFields = { end: null, suggestion: null }
      assert.deepStrictEqual(emails[0].findings, [
        { ...oldFinding, ...newFields, start: 6, offset: 6 },
        { ...oldFinding, ...newFields, start: null, offset: null }
      ])
      // The first versions stored no findings, or findings without sources.
      yield* sql`UPDATE leads SET findings = ${JSON.stringify([{ score: 88, findings: [] }])} WHERE list_id = ${list}`
      assert.deepStrictEqual((yield* readLead).emails[0].grounds, [])
      yield* sql`UPDATE leads SET findings = NULL, score = NULL WHERE list_id = ${list}`
      assert.deepInclude((yield* readLead).emails[0], { score: null, findings: [], grounds: [] })
    }).pipe(Effect.provide(layer()))
  )

  it.live("cannot be deleted while being written, and keep their credit history afterwards", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startList(caller, 3)
        const detail = yield* expectError(409, "CONFLICT", caller.delete(`/lists/${list}`))
        assert.include(["processing", "in_progress"], detail.processing_status)
        assert.notProperty(yield* expectBody(200, caller.get(`/lists/${list}`)), "processed_file_path")
        yield* Deferred.succeed(gate, undefined)
        yield* waitForList(caller, list)

        const before = yield* expectBody(200, caller.get("/credits"))
        assert.deepStrictEqual(yield* expectBody(200, caller.delete(`/lists/${list}`)), { id: list, deleted: true })
        yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${list}`))
        assert.deepStrictEqual(yield* expectBody(200, caller.get("/credits")), before)
        assert.strictEqual(before.usage.credits_used_this_period, 3)
        yield* assertConsistent
      }).pipe(
        Effect.provide(
          layer({ writer: { sequence: (brief) => Effect.andThen(Deferred.await(gate), fakeWriter.sequence(brief)) } })
        )
      )
    })
  )

  it.live("become pending when the writer is unavailable, and continue when resumed", () =>
    Effect.gen(function* () {
      const remainingCalls = yield* Ref.make(30)
      const sequence: typeof fakeWriter.sequence = (brief) =>
        Effect.gen(function* () {
          const remaining = yield* Ref.getAndUpdate(remainingCalls, (n) => n - 1)
          if (remaining <= 0) return yield* new GenerationFailed({ message: "The provider is down", transient: true })
          return yield* fakeWriter.sequence(brief)
        })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startList(caller, 100)
        yield* waitForList(caller, list, "pending")
        const pendingList = yield* expectBody(200, caller.get(`/lists/${list}`))
        assert.deepStrictEqual(pendingList.progress, { leads_total: 100, leads_done: 30, leads_failed: 0 })
        yield* assertConsistent

        yield* Ref.set(remainingCalls, 1000)
        const answer = yield* expectBody(202, caller.post(`/lists/${list}`))
        assert.deepInclude(answer, { list_id: list, status: "processing", batches_total: 4 })
        assert.isAtLeast(answer.pending_batches, 2)
        yield* waitForList(caller, list)
        assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period, 100)
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${list}`))
        yield* assertConsistent
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("find an address in all of them", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const stranger = yield* newCaller()
      const campaign = yield* builtCampaign(caller)
      const people = [{ email: "bo@south.example" }, { email: "Ida@north.example", name: "Ida", company: "North" }]
      const made: Array<string> = []
      for (const list_name of ["Spring", "Autumn"]) {
        const list = yield* startBatch(caller, campaign, people, { list_name })
        yield* waitForList(caller, list)
        made.push(list)
      }
      const find = (query: string, who = caller) => expectBody(200, who.get(`/leads?${query}`))
      const { data, ...page } = yield* find("email=ida@NORTH.example")
      const nothingElse = { omitted_rows: [], suppressions: [] }
      assert.deepStrictEqual(page, { has_more: false, total: 2, limit: 50, offset: 0, ...nothingElse })
      const [newest] = (yield* expectBody(200, caller.get(`/lists/${made[1]}/leads?offset=1`))).data
      assert.deepStrictEqual(data[0], {
        list_id: made[1],
        list_name: "Autumn",
        campaign_id: campaign,
        lead_id: newest.id,
        position: 2,
        email: "Ida@north.example",
        name: "Ida",
        company: "North",
        status: "completed",
        review: "open",
        suppressed: null
      })
      assert.strictEqual(data[1].list_name, "Spring")
      yield* expectBody(200, caller.put(`/lists/${made[1]}/leads/${newest.id}/review`, { status: "rejected" }))
      assert.strictEqual((yield* find("email=ida@north.example&offset=2")).total, 2)
      const second = yield* find("email=ida@north.example&limit=1")
      assert.deepStrictEqual([second.data[0].review, second.has_more, second.total], ["rejected", true, 2])
      assert.strictEqual((yield* find("email=da@north.example")).total, 0)
      assert.strictEqual((yield* find("email=ida@north.example", stranger)).total, 0)
      for (const query of ["", "email=ida", "email="])
        yield* expectError(400, "BAD_REQUEST", caller.get(`/leads?${query}`))
    }).pipe(Effect.provide(layer()))
  )

  it.live("can be resumed only with pending leads and an existing campaign", () =>
    Effect.gen(function* () {
      const sequence: typeof fakeWriter.sequence = (brief) =>
        brief.lead.email.startsWith("down")
          ? Effect.fail(new GenerationFailed({ message: "Down", transient: true }))
          : brief.lead.email.startsWith("bad")
            ? Effect.fail(new GenerationFailed({ message: "No", transient: false }))
            : Effect.never
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const createList = Effect.fnUntraced(function* (kind: string, status: string, count = 1) {
          const campaign = yield* builtCampaign(caller)
          const request = {
            leads: Array.from({ length: count }, () => ({ email: `${kind}@company.example` })),
            options: { email_count: 1, email_signature: "Ann" }
          }
          const { list_id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, request))
          yield* waitForList(caller, list_id, status)
          return { campaign, list: list_id as string }
        })
        const pendingList = yield* createList("down", "pending")
        const { message, ...answer } = yield* expectBody(202, caller.post(`/lists/${pendingList.list}`))
        assert.isString(message)
        assert.deepStrictEqual(answer, {
          list_id: pendingList.list,
          status: "processing",
          pending_batches: 1,
          batches_total: 1
        })
        // A batch is 25 leads.
        for (const [count, batches] of [
          [25, 1],
          [26, 2]
        ] as const) {
          const { list } = yield* createList("down", "pending", count)
          assert.strictEqual((yield* expectBody(202, caller.post(`/lists/${list}`))).batches_total, batches)
        }
        yield* waitForList(caller, pendingList.list, "pending")
        yield* expectBody(200, caller.delete(`/campaigns/${pendingList.campaign}`))
        assert.deepInclude(yield* expectBody(200, caller.get(`/lists/${pendingList.list}`)), {
          campaign_id: null,
          processing_status: "pending"
        })
        for (const { list } of [
          pendingList,
          yield* createList("bad", "failed"),
          yield* createList("slow", "processing")
        ]) {
          yield* expectError(422, "UNPROCESSABLE", caller.post(`/lists/${list}`))
        }
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("do not repeat failed or finished leads when resumed", () => {
    let isDown = true
    const writtenTo: Array<string> = []
    const sequence: typeof fakeWriter.sequence = (brief) =>
      Effect.suspend(() => {
        const leadNumber = Number(/\d+/.exec(brief.lead.email)?.[0])
        writtenTo.push(brief.lead.email)
        if (leadNumber === 0) return Effect.fail(refusal)
        return isDown && leadNumber >= 25 ? Effect.fail(outage) : fakeWriter.sequence(brief)
      })
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const list = yield* startList(caller, 60)
      yield* waitForList(caller, list, "pending")
      assert.deepStrictEqual((yield* expectBody(200, caller.get(`/lists/${list}`))).progress, {
        leads_total: 60,
        leads_done: 24,
        leads_failed: 1
      })
      writtenTo.length = 0
      isDown = false
      const { message, ...answer } = yield* expectBody(202, caller.post(`/lists/${list}`))
      assert.isNotEmpty(message)
      assert.deepStrictEqual(answer, { list_id: list, status: "processing", pending_batches: 2, batches_total: 3 })
      yield* waitForList(caller, list)
      assert.sameMembers(
        writtenTo,
        makeLeads(60)
          .slice(25)
          .map(({ email }) => email)
      )
      assert.lengthOf((yield* expectBody(200, caller.get(`/lists/${list}/export?format=json`))).leads, 59)
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period, 59)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("that are pending can be deleted", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const list = yield* startList(caller, 30)
      yield* waitForList(caller, list, "pending")
      yield* expectBody(200, caller.delete(`/lists/${list}`))
      assert.strictEqual((yield* expectBody(200, caller.get("/credits"))).balance, 5000)
      yield* assertConsistent
    }).pipe(
      Effect.provide(
        layer({
          writer: {
            sequence: () => Effect.fail(new GenerationFailed({ message: "The provider is down", transient: true }))
          }
        })
      )
    )
  )
})
