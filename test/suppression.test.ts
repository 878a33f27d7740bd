// test/suppression.test.ts: the suppression list, and the leads that batches skip.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Lists } from "#layers/Lists.ts"
import { startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import correctSites from "#layers/database/migrations/0039_suppressed_sites.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { callerFor, newCaller, type Caller, onboardedCaller } from "./support/callers.ts"
import { buildingCampaign, proposedCampaign, callerWithCampaign } from "./support/campaigns.ts"
import { unknownId, options } from "./support/endpoints.ts"
import { gated, recording } from "./support/faults.ts"
import { generateBatch, waitUntilSettled, generateOne } from "./support/generation-requests.ts"
import { balanceOf, exportLeads } from "./support/lists.ts"
import { withServer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const suppress = (caller: Caller, ...values: ReadonlyArray<string>) =>
  expectBody(200, caller.post("/suppressions", { entries: values.map((value) => ({ value })) }))

const leadsOfList = (caller: Caller, list: string, query = "") =>
  Effect.map(expectBody(200, caller.get(`/lists/${list}/leads${query}`)), ({ data }) => data as ReadonlyArray<any>)

const entriesOf = (caller: Caller, query = "") =>
  Effect.map(expectBody(200, caller.get(`/suppressions${query}`)), ({ data }) => data as ReadonlyArray<any>)

describe("the suppression list", () => {
  it.live("accepts addresses and domains, counts new entries, and stores the reason", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const entries = [
        { value: " Kim@Osei.example ", reason: "Unsubscribed" },
        { value: "hollowell.example" },
        { value: "@North.example", reason: null },
        { value: "kim@osei.example", reason: "Twice" }
      ]
      assert.deepStrictEqual(yield* expectBody(200, caller.post("/suppressions", { entries })), {
        added: 3,
        already: 1
      })
      assert.deepStrictEqual(yield* suppress(caller, "KIM@osei.example", "new.example"), { added: 1, already: 1 })
      const storedEntries = yield* entriesOf(caller)
      assert.sameDeepMembers(
        storedEntries.map(({ kind, reason, value }) => [kind, value, reason]),
        [
          ["address", "kim@osei.example", "Unsubscribed"],
          ["domain", "hollowell.example", null],
          ["domain", "north.example", null],
          ["domain", "new.example", null]
        ]
      )
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("stores the domain of a web server's name, and a migration corrects older entries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* newCaller()
      assert.deepStrictEqual(yield* suppress(caller, "www.Osei.example", "osei.example"), { added: 1, already: 1 })
      yield* suppress(caller, "www.com", "north.example")
      const stored = Effect.map(entriesOf(caller), (entries) => entries.map(({ value }) => value).toSorted())
      assert.deepStrictEqual(yield* stored, ["north.example", "osei.example", "www.com"])
      yield* sql`UPDATE suppressions SET value = 'www.osei.example' WHERE value = 'osei.example'`
      yield* suppress(caller, "osei.example", "kim@osei.example")
      yield* sql`UPDATE suppressions SET value = 'www.north.example' WHERE value = 'north.example'`
      yield* correctSites
      const corrected = ["kim@osei.example", "north.example", "osei.example", "www.com"]
      assert.deepStrictEqual(yield* stored, corrected)
      yield* correctSites
      assert.deepStrictEqual(yield* stored, corrected)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("accepts company names, and ignores case, accents and legal form", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const companies = (...names: ReadonlyArray<string>) =>
        caller.post("/suppressions", { entries: names.map((value) => ({ value, kind: "company" })) })
      assert.deepStrictEqual(
        yield* expectBody(200, companies("Öl Handel GmbH & Co. KG", "The Öl-Handel", "osei.example")),
        {
          added: 2,
          already: 1
        }
      )
      const stored = yield* entriesOf(caller, "?kind=company")
      assert.deepStrictEqual(stored.map(({ kind, value }) => [kind, value]).toSorted(), [
        ["company", "ol handel"],
        ["company", "osei"]
      ])
      const { issues } = yield* expectError(400, "BAD_REQUEST", companies("Hollowell", "?"))
      assert.deepStrictEqual(
        issues.map(({ path }: { readonly path: string }) => path),
        ["entries.1.value"]
      )
      yield* expectError(400, "BAD_REQUEST", caller.post("/suppressions", { entries: [{ value: "Hollowell Foods" }] }))
      const leads = [
        { email: "ann@mail.example", company: "Ol Handel AG" },
        { email: "bo@mail.example", company: "Öl Handel Nord" },
        { email: "cy@osei.example", company: null },
        { email: "di@mail.example", company: "OSEI Ltd." }
      ]
      const { list_id, notices, skipped } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      assert.strictEqual(skipped.suppressed, 2)
      // "Öl Handel Nord" may be another company, so it is written to, with a notice.
      assert.match(notices.join(" "), /^1 lead is written to although the company may be/)
      yield* waitUntilSettled(caller, list_id)
      const storedLeads = yield* leadsOfList(caller, list_id)
      assert.deepStrictEqual(
        storedLeads.map(({ skipped }) => skipped?.reason ?? null),
        ["ol handel is on the suppression list.", null, null, "osei is on the suppression list."]
      )
      yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead: leads[0], options }))
      // An entry also applies to leads that were written to before.
      yield* expectBody(200, companies("Öl Handel Nord"))
      assert.match((yield* leadsOfList(caller, list_id))[1].suppressed, /^ol handel nord is on/)
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`/lists/${list_id}/export/count?suppressed=exclude`)), {
        leads: 1,
        suppressed: 1
      })
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("suppresses a company's national and regional branches, but not other names that begin alike", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const entries = ["Hollowell Foods", "Delta", "Apex", "Osei Germany"].map((value) => ({ value, kind: "company" }))
      yield* expectBody(200, caller.post("/suppressions", { entries }))
      const companies = {
        "Hollowell Foods Deutschland GmbH": true,
        "Hollowell Foods, Inc. North America": true,
        "The Hollowell Foods (UK) Ltd": true,
        "Hollowell Foods Boston": false,
        "Delta Dental": false,
        "Delta USA": false,
        Apexion: false,
        // The entry names one branch.
        Osei: false,
        "Osei Germany AG": true
      }
      const leads = Object.keys(companies).map((company, i) => ({ email: `lead${i}@mail.example`, company }))
      const { list_id, notices } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      yield* waitUntilSettled(caller, list_id)
      const storedLeads = yield* leadsOfList(caller, list_id)
      assert.deepStrictEqual(
        Object.fromEntries(storedLeads.map(({ company, skipped }) => [company, skipped !== null])),
        companies
      )
      assert.match(notices.join(" "), /^3 leads are written to although the company may be/)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("can be searched, filtered and paged, newest first", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const value of ["a@one.example", "two.example", "c_d@three.example"]) yield* suppress(caller, value)
      yield* expectBody(
        200,
        caller.post("/suppressions", { entries: [{ value: "x.example", reason: "Asked at the Fair, 100%" }] })
      )
      const valuesOf = (query: string) =>
        Effect.map(entriesOf(caller, query), (entries) => entries.map(({ value }) => value))
      assert.deepStrictEqual(yield* valuesOf(""), ["x.example", "c_d@three.example", "two.example", "a@one.example"])
      assert.deepStrictEqual(yield* valuesOf("?kind=address"), ["c_d@three.example", "a@one.example"])
      assert.deepStrictEqual(yield* valuesOf("?q=ONE"), ["a@one.example"])
      assert.deepStrictEqual(yield* valuesOf("?q=fair"), ["x.example"])
      // Wildcards of LIKE are matched literally.
      assert.deepStrictEqual(yield* valuesOf("?q=_"), ["c_d@three.example"])
      assert.deepStrictEqual(yield* valuesOf("?q=%25"), ["x.example"])
      assert.deepStrictEqual(yield* valuesOf("?q=%5C"), [])
      assert.deepStrictEqual(yield* valuesOf("?limit=2&offset=1"), ["c_d@three.example", "two.example"])
      const page = yield* expectBody(200, caller.get("/suppressions?limit=1&kind=address"))
      assert.deepInclude(page, { has_more: true, total: 2, limit: 1, offset: 0 })
      yield* expectError(400, "BAD_REQUEST", caller.get("/suppressions?kind=person"))
    }).pipe(withServer())
  )

  it.live("rejects values that are neither an address nor a domain, and names each", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const invalidValues = [
        "",
        "osei",
        "https://osei.example",
        "two words.example",
        "a@b@c.example",
        "@",
        "10.0.0.1",
        "kim@osei"
      ]
      const entries = ["good.example", ...invalidValues].map((value) => ({ value }))
      const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post("/suppressions", { entries }))
      assert.deepStrictEqual(
        issues.map(({ path }: { readonly path: string }) => path),
        invalidValues.map((_, index) => `entries.${index + 1}.value`)
      )
      yield* expectError(400, "BAD_REQUEST", caller.post("/suppressions", { entries: [] }))
      yield* expectError(400, "BAD_REQUEST", caller.post("/suppressions", {}))
      assert.deepStrictEqual(yield* entriesOf(caller), [])
    }).pipe(withServer())
  )

  it.live("accepts at most 10,000 entries in one request", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const entries = Array.from({ length: 10_000 }, (_, i) => ({
        value: `lead${i}@company.example`,
        reason: "Import"
      }))
      assert.deepStrictEqual(yield* expectBody(200, caller.post("/suppressions", { entries })), {
        added: 10_000,
        already: 0
      })
      assert.deepStrictEqual(yield* expectBody(200, caller.post("/suppressions", { entries })), {
        added: 0,
        already: 10_000
      })
      yield* expectError(
        400,
        "BAD_REQUEST",
        caller.post("/suppressions", { entries: [...entries, { value: "one.example" }] })
      )
      assert.strictEqual((yield* expectBody(200, caller.get("/suppressions?limit=1"))).total, 10_000)
      const other = yield* newCaller()
      const completed: Array<string> = []
      const recordCompletion = (name: string) => Effect.sync(() => completed.push(name))
      const download = yield* Effect.forkChild(
        Effect.tap(caller.get("/suppressions/export"), recordCompletion("export"))
      )
      yield* Effect.yieldNow
      yield* Effect.tap(other.get("/credits"), recordCompletion("other"))
      const { text } = yield* Fiber.join(download)
      assert.deepStrictEqual(completed, ["other", "export"])
      assert.lengthOf(text.split("\r\n"), 10_002)
    }).pipe(withServer())
  )

  it.live("is exported as CSV with formulas escaped", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* expectBody(
        200,
        caller.post("/suppressions", { entries: [{ value: "-ann@osei.example", reason: '=1+1, "so"' }] })
      )
      yield* suppress(caller, "hollowell.example")
      const { headers, status, text } = yield* caller.get("/suppressions/export")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      assert.strictEqual(headers.get("content-disposition"), 'attachment; filename="suppressions.csv"')
      const [header, firstRow = "", secondRow = ""] = text.split("\r\n")
      assert.strictEqual(header, "value,kind,reason,created_at")
      assert.match(firstRow, /^'-ann@osei\.example,address,"'=1\+1, ""so""",\d{4}-/)
      assert.match(secondRow, /^hollowell\.example,domain,,\d{4}-/)
    }).pipe(withServer())
  )

  it.live("belongs to one workspace, and an entry can be removed once", () =>
    Effect.gen(function* () {
      const [acme, other] = [yield* newCaller(), yield* newCaller()]
      yield* suppress(acme, "osei.example")
      assert.deepStrictEqual(yield* entriesOf(other), [])
      assert.notInclude((yield* other.get("/suppressions/export")).text, "osei")
      const [{ id }] = yield* entriesOf(acme)
      for (const caller of [other, acme])
        yield* expectError(404, "NOT_FOUND", caller.delete(`/suppressions/${unknownId}`))
      yield* expectError(404, "NOT_FOUND", other.delete(`/suppressions/${id}`))
      assert.deepStrictEqual(yield* expectBody(200, acme.delete(`/suppressions/${id}`)), { id, deleted: true })
      yield* expectError(404, "NOT_FOUND", acme.delete(`/suppressions/${id}`))
      assert.deepStrictEqual(yield* suppress(acme, "osei.example"), { added: 1, already: 0 })
    }).pipe(withServer())
  )

  it.live("names the lists whose exported files have an address, if the key may read lists", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const createList = Effect.fnUntraced(function* (
        creator: Caller,
        ofCampaign: string,
        list_name: string,
        email: string
      ) {
        const leads = [{ email }, { email: "gone@osei.example" }, { email: "ann@north.example" }]
        const batch = yield* expectBody(
          202,
          generateBatch(creator, ofCampaign, { leads, options: { ...options, list_name } })
        )
        yield* waitUntilSettled(creator, batch.list_id)
        return batch.list_id as string
      })
      yield* suppress(caller, "gone@osei.example")
      const exportedList = yield* createList(caller, campaign, "Traders", "Kim@Osei.example")
      yield* createList(caller, campaign, "Not exported", "kim@osei.example")
      const linkedList = yield* createList(caller, campaign, "By link", "kim@osei.example")
      const other = yield* callerWithCampaign()
      const theirList = yield* createList(other.caller, other.campaign, "Theirs", "kim@osei.example")
      yield* expectBody(200, other.caller.get(`/lists/${theirList}/export`))
      yield* expectBody(200, caller.get(`/lists/${linkedList}/export/count`))
      // A HEAD request returns no file.
      for (const query of ["", "?format=json", "?review=approved"]) {
        assert.strictEqual((yield* caller.send("HEAD", `/lists/${exportedList}/export${query}`)).status, 200)
      }
      yield* Effect.exit((yield* Lists).exportByLink(exportedList))
      assert.deepStrictEqual(yield* suppress(caller, "kim@osei.example"), { added: 1, already: 0 })

      // An export with a key that may only read counts too.
      const reader = yield* callerFor(caller.workspace, ["lists:read"])
      yield* expectBody(200, reader.get(`/lists/${exportedList}/export?format=json`))
      const suppressAgain = () => suppress(caller, "kim@osei.example", "KIM@osei.example")
      const { exported_lists } = yield* until(suppressAgain(), (answer) => answer.exported_lists !== undefined)
      const [{ exported_at }] = exported_lists
      assert.match(exported_at, /^\d{4}-\d\d-\d\dT/)
      assert.deepStrictEqual(exported_lists, [{ id: exportedList, name: "Traders", exported_at }])

      yield* Stream.runDrain((yield* (yield* Lists).exportByLink(linkedList)).content)
      const afterLinkExport = yield* until(suppressAgain(), (answer) => answer.exported_lists.length > 1)
      assert.deepStrictEqual(
        afterLinkExport.exported_lists.map(({ name }: { readonly name: string }) => name),
        ["By link", "Traders"]
      )
      // This address was skipped in all lists, so no export contains it.
      assert.notProperty(yield* suppress(caller, "gone@osei.example"), "exported_lists")

      const entries = [{ value: "kim@osei.example" }]
      const send = (sender: Caller) =>
        sender.send("POST", "/suppressions", {
          body: JSON.stringify({ entries }),
          headers: { "content-type": "application/json", "idempotency-key": "lists" }
        })
      const writer = yield* callerFor(caller.workspace, ["workspace:write"])
      assert.deepStrictEqual(yield* expectBody(200, send(writer)), { added: 0, already: 1 })
      assert.lengthOf((yield* expectBody(200, send(caller))).exported_lists, 2)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("answers a retry with the same Idempotency-Key with the first response", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const send = (value: string) =>
        caller.send("POST", "/suppressions", {
          body: JSON.stringify({ entries: [{ value }] }),
          headers: { "content-type": "application/json", "idempotency-key": "one" }
        })
      assert.deepStrictEqual(yield* expectBody(200, send("osei.example")), { added: 1, already: 0 })
      const replayed = yield* send("osei.example")
      assert.deepStrictEqual(
        [replayed.body, replayed.headers.get("idempotent-replayed")],
        [{ added: 1, already: 0 }, "true"]
      )
      yield* expectError(409, "CONFLICT", send("other.example"))
    }).pipe(withServer())
  )
})

const people = [
  { email: "Kim@Osei.example", name: "Kim" },
  { email: "ann@mail.hollowell.example", name: "Ann" },
  { email: "bo@north.example", name: "Bo" }
]

describe("a batch", () => {
  it.live("skips suppressed leads: they are free, have a reason, do not count as failed and are not exported", () => {
    const sequence = recording(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      yield* expectBody(
        200,
        caller.post("/suppressions", { entries: [{ value: "kim@osei.example", reason: "Unsubscribed" }] })
      )
      yield* suppress(caller, "hollowell.example")
      const batch = yield* expectBody(202, generateBatch(caller, campaign, { leads: people, options }))
      assert.deepStrictEqual(batch.skipped, { suppressed: 2, duplicate: 0, client: 0 })
      assert.strictEqual(batch.leads_count, 3)
      assert.match(batch.message, /1 of 3 leads/)
      const list = yield* waitUntilSettled(caller, batch.list_id)
      assert.deepInclude(list, { processing_status: "completed", leads_count: 3, leads_skipped: 2, emails_created: 2 })
      const [kim, ann, bo] = yield* leadsOfList(caller, batch.list_id)
      assert.deepInclude(kim, { status: "skipped", emails: [], email: "Kim@Osei.example" })
      assert.deepStrictEqual(kim.skipped, { reason: "kim@osei.example is on the suppression list (Unsubscribed)." })
      assert.deepStrictEqual(ann.skipped, { reason: "hollowell.example is on the suppression list." })
      assert.deepInclude(bo, { status: "completed", skipped: null, suppressed: null, error: null })
      yield* suppress(caller, "bo@north.example")
      const [, , boLater] = yield* leadsOfList(caller, batch.list_id)
      assert.deepInclude(boLater, { status: "completed", suppressed: "bo@north.example is on the suppression list." })
      const singleLead = yield* expectBody(200, caller.get(`/lists/${batch.list_id}/leads/${boLater.id}`))
      assert.strictEqual(singleLead.suppressed, boLater.suppressed)
      assert.lengthOf(yield* leadsOfList(caller, batch.list_id, "?status=failed"), 0)
      assert.lengthOf(yield* leadsOfList(caller, batch.list_id, "?status=skipped"), 2)
      assert.deepStrictEqual(
        sequence.calls.map(([{ lead }]) => lead.email),
        ["bo@north.example"]
      )
      assert.deepStrictEqual(
        (yield* exportLeads(caller, batch.list_id)).map(({ email }: { readonly email: string }) => email),
        ["bo@north.example"]
      )
      assert.strictEqual(yield* balanceOf(caller), 4999)
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }))
  })

  it.live("skips an address with a tag if the address without it is suppressed, but not the other way round", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      yield* suppress(caller, "kim@osei.example", "bo+news@north.example")
      const leads = ["Kim+fair@osei.example", "kim.k@osei.example", "bo@north.example", "+kim@osei.example"]
      const batch = yield* expectBody(
        202,
        generateBatch(caller, campaign, { leads: leads.map((email) => ({ email })), options })
      )
      assert.deepStrictEqual(batch.skipped, { suppressed: 1, duplicate: 0, client: 0 })
      yield* waitUntilSettled(caller, batch.list_id)
      const [tagged] = yield* leadsOfList(caller, batch.list_id)
      assert.deepStrictEqual(tagged.skipped, { reason: "kim@osei.example is on the suppression list." })
    }).pipe(withServer())
  )

  it.live("is rejected if no lead remains, and stores nothing", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      yield* suppress(caller, "osei.example", "hollowell.example", "north.example")
      const batchRequest = generateBatch(caller, campaign, { leads: people, options })
      const { issues } = yield* expectError(400, "BAD_REQUEST", batchRequest)
      assert.strictEqual(issues[0].path, "leads")
      assert.match(issues[0].message, /3 are on the suppression list/)
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/lists"))).lists, [])
      assert.strictEqual(yield* balanceOf(caller), 5000)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("returns no skip counts if nothing can be skipped, and writes to equal leads separately", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const equalLeads = [people[2], people[2]]
      const { skipped, ...batch } = yield* expectBody(
        202,
        generateBatch(caller, campaign, { leads: equalLeads, options })
      )
      assert.isUndefined(skipped)
      const list = yield* waitUntilSettled(caller, batch.list_id)
      assert.deepInclude(list, { leads_count: 2, emails_created: 4 })
      assert.notProperty(list, "leads_skipped")
      // Another workspace's list has no effect here.
      yield* suppress(yield* newCaller(), "north.example")
      yield* expectBody(202, generateBatch(caller, campaign, { leads: equalLeads, options }))
    }).pipe(withServer())
  )

  it.live("requires credits only for the leads that are not skipped", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign({ plan: "free" })
      const leads = Array.from({ length: 60 }, (_, i) => ({ email: `lead${i}@${i < 10 ? "osei" : "north"}.example` }))
      yield* expectError(402, "INSUFFICIENT_CREDITS", generateBatch(caller, campaign, { leads, options }))
      yield* suppress(caller, "osei.example")
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      assert.deepInclude(yield* waitUntilSettled(caller, list_id), {
        processing_status: "completed",
        leads_skipped: 10
      })
      assert.strictEqual(yield* balanceOf(caller), 0)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("skips repeated addresses, known companies and people written to before, if requested", () =>
    Effect.gen(function* () {
      const details = { company_name: "Kestrel Pumps", competitors: "Coldharbour Ltd" }
      const { campaign, caller } = yield* callerWithCampaign({ details })
      const firstBatch = yield* expectBody(202, generateBatch(caller, campaign, { leads: [people[2]], options }))
      yield* waitUntilSettled(caller, firstBatch.list_id)
      const leads = [
        { email: "di@south.example" },
        { email: "DI@south.example" },
        { email: "cy@coldharbour.example", company: "Coldharbour Ltd" },
        { email: "BO@north.example" }
      ]
      const skipOptions = { ...options, skip_duplicates: true, skip_clients: true, skip_written: "campaign" }
      const batch = yield* expectBody(202, generateBatch(caller, campaign, { leads, options: skipOptions }))
      assert.deepStrictEqual(batch.skipped, { suppressed: 0, duplicate: 1, client: 1, written: 1 })
      const list = yield* waitUntilSettled(caller, batch.list_id)
      assert.deepInclude(list, { processing_status: "completed", leads_count: 4, leads_skipped: 3, emails_created: 2 })
      const [di, diAgain, cy, bo] = yield* leadsOfList(caller, batch.list_id)
      assert.isNull(di.skipped)
      assert.strictEqual(diAgain.skipped.reason, "Lead 1 of this batch has the same address.")
      assert.match(cy.skipped.reason, /Coldharbour/)
      const name = (yield* expectBody(200, caller.get(`/lists/${firstBatch.list_id}`))).custom_name
      assert.strictEqual(bo.skipped.reason, `The list “${name}” of this campaign has this address.`)
      assert.strictEqual(yield* balanceOf(caller), 4998)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("includes known companies and people written to before by their address, and never suppressed ones", () =>
    Effect.gen(function* () {
      const details = { company_name: "Kestrel Pumps", competitors: "Coldharbour Ltd, Millbrook Ltd" }
      const { campaign, caller } = yield* callerWithCampaign({ details })
      yield* waitUntilSettled(
        caller,
        (yield* expectBody(202, generateBatch(caller, campaign, { leads: [people[2]], options }))).list_id
      )
      yield* suppress(caller, "osei.example")
      const leads = [
        { email: "CY@coldharbour.example", company: "Coldharbour Ltd" },
        { email: "mo@millbrook.example", company: "Millbrook Ltd" },
        { email: "bo@north.example" },
        { email: "kim@osei.example" }
      ]
      const skipOptions = { ...options, skip_clients: true, skip_written: "campaign" }
      const include_addresses = ["cy@coldharbour.example", "BO@north.example", "kim@osei.example"]
      const batch = yield* expectBody(
        202,
        generateBatch(caller, campaign, { leads, options: { ...skipOptions, include_addresses } })
      )
      assert.deepStrictEqual(batch.skipped, { suppressed: 1, duplicate: 0, client: 1, written: 0 })
      yield* waitUntilSettled(caller, batch.list_id)
      const storedLeads = yield* leadsOfList(caller, batch.list_id)
      assert.deepStrictEqual(
        storedLeads.map(({ status }) => status),
        ["completed", "skipped", "completed", "skipped"]
      )
      const tooManyAddresses = Array.from({ length: 1001 }, (_, i) => `lead${i}@north.example`)
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        generateBatch(caller, campaign, { leads, options: { ...skipOptions, include_addresses: tooManyAddresses } })
      )
      assert.strictEqual(issues[0].path, "options.include_addresses")
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live(
    "is searched for an address: its leads say why they are suppressed, and all entries that apply are named",
    () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        const other = yield* newCaller()
        const leads = [{ ...people[2], email: "lee+fair@sub.okafor.example" }]
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
        yield* waitUntilSettled(caller, list_id)
        const search = (who: Caller) => expectBody(200, who.get("/leads?email=Lee%2BFair@sub.okafor.example"))
        const before = yield* search(caller)
        assert.deepStrictEqual([before.total, before.data[0].suppressed, before.suppressions], [1, null, []])
        const entries = [
          { value: "lee@sub.okafor.example", reason: "Opt-out in fair.csv" },
          { value: "okafor.example" },
          { value: "other.example" }
        ]
        yield* expectBody(200, caller.post("/suppressions", { entries }))
        const { data, suppressions } = yield* search(caller)
        assert.include(data[0].suppressed, "lee@sub.okafor.example is on the suppression list (Opt-out in fair.csv)")
        assert.sameDeepMembers(
          suppressions,
          (yield* entriesOf(caller)).filter(({ value }) => value !== "other.example")
        )
        assert.deepStrictEqual((yield* search(other)).suppressions, [])
        // The entries need the scope that reads the suppression list.
        const reader = yield* callerFor(caller.workspace, ["lists:read"])
        const found = yield* search(reader)
        assert.notProperty(found, "suppressions")
        assert.strictEqual(found.data[0].suppressed, data[0].suppressed)
        yield* assertConsistent
      }).pipe(withServer())
  )

  it.live("keeps the omitted rows of a lead file, and returns them in pages and as a file", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const other = yield* newCaller()
      const rows = [
        { line: 3, name: "Kim Osei", reason: "no email address" },
        { line: 7, email: "=pat@acme", reason: '"=pat@acme" is not a valid email address' },
        { email: "Lee@okafor.example", reason: "left out by hand", by_hand: true }
      ]
      const send = (omitted_rows: unknown) =>
        generateBatch(caller, campaign, {
          leads: [people[2]],
          options: { ...options, list_name: "Fair", omitted_rows }
        })
      const { leads_count, list_id } = yield* expectBody(202, send(rows))
      assert.strictEqual(leads_count, 1)
      yield* waitUntilSettled(caller, list_id)
      const path = `/lists/${list_id}/omitted-rows`
      const otherBatch = yield* expectBody(202, send([{ line: 1, reason: "not of this list" }]))
      yield* waitUntilSettled(caller, otherBatch.list_id)
      const { data, ...position } = yield* expectBody(200, caller.get(path))
      yield* expectBody(200, caller.send("DELETE", `/lists/${otherBatch.list_id}`))
      assert.deepStrictEqual(data, [
        { line: 3, email: null, name: "Kim Osei", reason: "no email address", by_hand: false },
        { line: 7, email: "=pat@acme", name: null, reason: '"=pat@acme" is not a valid email address', by_hand: false },
        { line: null, email: "Lee@okafor.example", name: null, reason: "left out by hand", by_hand: true }
      ])
      assert.deepStrictEqual(position, { has_more: false, total: 3, limit: 50, offset: 0 })
      assert.deepStrictEqual((yield* expectBody(200, caller.get(`${path}?limit=1&offset=2`))).data, [data[2]])
      // Found by address, in any list of the workspace.
      const search = (who: Caller) => expectBody(200, who.get("/leads?email=lee@OKAFOR.example"))
      const { created_at } = yield* expectBody(200, caller.get(`/lists/${list_id}`))
      const known = { data: [], has_more: false, total: 0, limit: 50, offset: 0 }
      const omitted_rows = [{ list_id, list_name: "Fair", created_at, ...data[2] }]
      assert.deepStrictEqual(yield* search(caller), { ...known, omitted_rows, suppressions: [] })
      assert.deepStrictEqual(yield* search(other), { ...known, omitted_rows: [], suppressions: [] })
      const file = yield* caller.get(`${path}/export`)
      assert.match(file.headers.get("content-disposition") ?? "", /filename="rows-not-in-Fair.csv"/)
      assert.deepStrictEqual(file.text.split("\r\n"), [
        "line,email,name,reason,by_hand",
        "3,,Kim Osei,no email address,false",
        '7,\'=pat@acme,,"""=pat@acme"" is not a valid email address",false',
        ",Lee@okafor.example,,left out by hand,true",
        ""
      ])
      yield* expectError(404, "NOT_FOUND", other.get(path))
      yield* expectError(404, "NOT_FOUND", other.get(`${path}/export`))
      // More than are read at once.
      const manyRows = Array.from({ length: 401 }, (_, index) => ({ line: index + 1, reason: "no email address" }))
      const secondBatch = yield* expectBody(202, send(manyRows))
      yield* waitUntilSettled(caller, secondBatch.list_id)
      const { text } = yield* caller.get(`/lists/${secondBatch.list_id}/omitted-rows/export`)
      assert.deepStrictEqual(
        text.split("\r\n").slice(1, -1),
        manyRows.map(({ line }) => `${line},,,no email address,false`)
      )
      yield* expectBody(200, caller.send("DELETE", `/lists/${secondBatch.list_id}`))
      const { issues } = yield* expectError(400, "BAD_REQUEST", send([{ line: 0, reason: " " }]))
      assert.deepStrictEqual(
        issues.map(({ path }: { readonly path: string }) => path),
        ["options.omitted_rows.0.line", "options.omitted_rows.0.reason"]
      )
      // Omitted rows are deleted with their list.
      yield* expectBody(200, caller.send("DELETE", `/lists/${list_id}`))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT * FROM omitted_rows`, [])
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("looks for earlier emails in this campaign or in the whole workspace, and in no other", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const otherCampaign = yield* proposedCampaign(caller)
      const sql = yield* SqlClient.SqlClient
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [people[2]], options }))
      yield* waitUntilSettled(caller, list_id)
      yield* sql`UPDATE lists SET campaign_id = ${otherCampaign} WHERE id = ${list_id}`
      const batchSkippingWritten = (skip_written: string) =>
        generateBatch(caller, campaign, { leads: people, options: { ...options, skip_written } })
      assert.strictEqual((yield* expectBody(202, batchSkippingWritten("campaign"))).skipped.written, 0)
      assert.strictEqual(
        (yield* expectError(400, "BAD_REQUEST", batchSkippingWritten("workspace"))).issues[0].path,
        "leads"
      )
      assert.strictEqual(
        (yield* expectError(400, "BAD_REQUEST", batchSkippingWritten("galaxy"))).issues[0].path,
        "options.skip_written"
      )
      const otherWorkspace = yield* callerWithCampaign()
      const theirRequest = { leads: people, options: { ...options, skip_written: "workspace" } }
      assert.strictEqual(
        (yield* expectBody(202, generateBatch(otherWorkspace.caller, otherWorkspace.campaign, theirRequest))).skipped
          .written,
        0
      )
    }).pipe(withServer())
  )

  it.live("skips a lead that is suppressed while the list waits", () => {
    const sequence = recording(fakeWriter.sequence)
    const emailInstructions = gated(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { campaign } = yield* buildingCampaign(caller)
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: people, options }))
      yield* suppress(caller, "kim@osei.example")
      yield* emailInstructions.open
      const list = yield* waitUntilSettled(caller, list_id)
      assert.deepInclude(list, { processing_status: "completed", leads_count: 3, leads_skipped: 1, emails_created: 4 })
      const [kim] = yield* leadsOfList(caller, list_id)
      assert.deepInclude(kim, { status: "skipped", emails: [] })
      assert.notInclude(
        sequence.calls.map(([{ lead }]) => lead.email),
        "Kim@Osei.example"
      )
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence, emailInstructions } }))
  })
})

describe("generate", () => {
  it.live("rejects a suppressed lead, creates no list and charges nothing", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      yield* suppress(caller, "hollowell.example")
      yield* expectError(422, "UNPROCESSABLE", generateOne(caller, campaign, { lead: people[1], options }))
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/lists"))).lists, [])
      assert.strictEqual(yield* balanceOf(caller), 5000)
      // A domain does not match one that only ends with the same letters.
      yield* expectBody(200, generateOne(caller, campaign, { lead: { email: "bo@nothollowell.example" }, options }))
      const [{ id }] = yield* entriesOf(caller)
      yield* expectBody(200, caller.delete(`/suppressions/${id}`))
      yield* expectBody(200, generateOne(caller, campaign, { lead: people[1], options }))
      assert.strictEqual(yield* balanceOf(caller), 4998)
      yield* assertConsistent
    }).pipe(withServer())
  )
})

describe("the review of a suppressed lead", () => {
  it.live("is never an approval, alone or with others, and the reviews are counted with and without such leads", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: people, options }))
      yield* waitUntilSettled(caller, list_id)
      const [kim, ann, bo] = yield* leadsOfList(caller, list_id)
      const review = (lead: { readonly id: string }, status: string) =>
        caller.put(`/lists/${list_id}/leads/${lead.id}/review`, { status })
      const counts = Effect.map(expectBody(200, caller.get(`/lists/${list_id}/review`)), ({ counts }) => counts)
      yield* expectBody(200, review(bo, "approved"))
      yield* expectBody(
        200,
        caller.post("/suppressions", { entries: [{ value: "kim@osei.example", reason: "Unsubscribed" }] })
      )
      yield* suppress(caller, "north.example")

      const refusal = yield* review(kim, "approved")
      assert.strictEqual(refusal.status, 422)
      assert.match(
        refusal.body.message,
        /^kim@osei\.example is on the suppression list \(Unsubscribed\)\..*cannot be approved/
      )
      const approval = { status: "approved" }
      const dryRun = yield* expectBody(200, caller.post(`/lists/${list_id}/review`, { ...approval, dry_run: true }))
      assert.deepInclude(dryRun, { changed: 1, suppressed: 1, failing: 0 })
      assert.deepInclude(yield* counts, {
        open: 2,
        approved: 1,
        rejected: 0,
        open_suppressed: 1,
        approved_suppressed: 1
      })
      assert.deepInclude(
        yield* expectBody(200, caller.post(`/lists/${list_id}/review`, { ...approval, lead_ids: [kim.id] })),
        {
          changed: 0,
          suppressed: 1
        }
      )
      assert.deepInclude(yield* expectBody(200, caller.post(`/lists/${list_id}/review`, approval)), {
        changed: 1,
        suppressed: 1
      })
      assert.deepStrictEqual(yield* counts, {
        open: 1,
        approved: 2,
        rejected: 0,
        open_failing: 0,
        open_suppressed: 1,
        open_maybe: 0,
        approved_suppressed: 1,
        approved_unopened: 1
      })
      yield* expectBody(200, caller.get(`/lists/${list_id}/leads/${ann.id}`))
      assert.deepInclude(yield* counts, { approved_unopened: 0 })
      // Rejecting it is no approval.
      assert.strictEqual((yield* expectBody(200, review(kim, "rejected"))).review.status, "rejected")
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is not counted as open in the totals of lists, unless older lists have open leads", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const other = yield* callerWithCampaign()
      const sql = yield* SqlClient.SqlClient
      const createList = Effect.fnUntraced(function* (creator: Caller, ofCampaign: string) {
        const leads = people.map((lead) => ({ ...lead, company: "Osei Cocoa" }))
        const { list_id } = yield* expectBody(202, generateBatch(creator, ofCampaign, { leads, options }))
        yield* waitUntilSettled(creator, list_id)
        return list_id as string
      })
      const firstList = yield* createList(caller, campaign)
      yield* createList(caller, campaign)
      yield* createList(other.caller, other.campaign)
      const totals = (query = "") =>
        Effect.map(expectBody(200, caller.get(`/lists?totals=true${query}`)), ({ totals }) => [
          totals.leads_open,
          totals.leads_suppressed
        ])
      assert.deepStrictEqual(yield* totals(), [6, 0])
      yield* suppress(other.caller, "osei.example")
      assert.deepStrictEqual(yield* totals(), [6, 0])
      yield* suppress(caller, "kim@osei.example", "hollowell.example")
      assert.deepStrictEqual(yield* totals(), [2, 4])
      assert.deepStrictEqual(yield* totals("&status=completed&source=batch"), [2, 4])
      assert.deepStrictEqual(yield* totals("&source=api_single"), [0, 0])
      const [kim, , bo] = yield* leadsOfList(caller, firstList)
      yield* expectBody(200, caller.put(`/lists/${firstList}/leads/${kim.id}/review`, { status: "rejected" }))
      yield* expectBody(200, caller.put(`/lists/${firstList}/leads/${bo.id}/review`, { status: "approved" }))
      assert.deepStrictEqual(yield* totals(), [1, 3])
      yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "Osei Cocoa", kind: "company" }] }))
      assert.deepStrictEqual(yield* totals(), [0, 4])
      yield* sql`UPDATE lists SET leads_done = 4999 WHERE id = ${firstList}`
      assert.deepStrictEqual(yield* totals(), [5000, undefined])
      yield* sql`UPDATE lists SET leads_done = 3 WHERE id = ${firstList}`
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("marks leads whose company may be suppressed, and approves them by no rule", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const leads = [
        { email: "kim@mail.example", company: "Osei Cocoa Trading" },
        { email: "bo@mail.example", company: "North" },
        { email: "cy@mail.example", company: "Osei Cocoa Port" },
        { email: "di@mail.example", company: null }
      ]
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      yield* waitUntilSettled(caller, list_id)
      const localPartsOf = (query: string) =>
        Effect.map(leadsOfList(caller, list_id, query), (storedLeads) =>
          storedLeads.map(({ email }) => email.split("@")[0])
        )
      assert.deepStrictEqual(yield* localPartsOf("?maybe=true"), [])
      const path = `/lists/${list_id}/review`
      // An entry that is added after the emails were written counts too.
      yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "Osei Cocoa", kind: "company" }] }))
      assert.deepStrictEqual(yield* localPartsOf("?maybe=true"), ["kim", "cy"])
      const [kim, bo, cy] = yield* leadsOfList(caller, list_id)
      assert.deepStrictEqual(
        [kim.maybe, bo.maybe, kim.suppressed],
        ["Osei Cocoa Trading may be osei cocoa, which is on the suppression list.", null, null]
      )
      assert.strictEqual((yield* expectBody(200, caller.get(`/lists/${list_id}/leads/${kim.id}`))).maybe, kim.maybe)
      assert.deepInclude((yield* expectBody(200, caller.get(path))).counts, { open: 4, open_maybe: 2 })

      const approval = { status: "approved", where: { severity: "warn" } }
      assert.deepInclude(yield* expectBody(200, caller.post(path, approval)), { changed: 2, maybe: 2, suppressed: 0 })
      const filterApproval = { status: "approved", dry_run: true, where: { filter: { maybe: "true" } } }
      assert.deepInclude(yield* expectBody(200, caller.post(path, filterApproval)), { changed: 2, maybe: 0 })
      const singleApproval = { status: "approved", lead_ids: [kim.id] }
      assert.deepInclude(yield* expectBody(200, caller.post(path, singleApproval)), { changed: 1, maybe: 0 })
      assert.deepInclude((yield* expectBody(200, caller.get(path))).counts, { open: 1, open_maybe: 1, approved: 3 })

      // A lead that is itself suppressed does not count as a possible match.
      yield* suppress(caller, "cy@mail.example")
      assert.deepInclude((yield* leadsOfList(caller, list_id))[2], { id: cy.id, maybe: null })
      assert.deepInclude((yield* expectBody(200, caller.get(path))).counts, { open_maybe: 0, open_suppressed: 1 })
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("compares each company once, and says which ones it may compare no more", () =>
    Effect.gen(function* () {
      const { workspace, ...caller } = yield* newCaller()
      const entries = ["Farrow Kitchens", "Farrow Kitchen Halls", "Leeds Ovens"].map((value) => ({
        value,
        kind: "company"
      }))
      yield* expectBody(200, caller.post("/suppressions", { entries }))
      const suppressions = yield* Suppressions
      const search = startSpellingSearch(3)
      const reasonsFor = (...companies: ReadonlyArray<string>) =>
        suppressions.findPossibleReasons(
          workspace,
          companies.map((company) => ({ email: "", company })),
          search
        )
      const studio = "Farrow Kitchen Studio may be farrow kitchens, which is on the suppression list."
      const notCompared = (company: string) =>
        `${company} was not looked for on the suppression list in other spellings: too many names begin alike.`
      assert.deepStrictEqual(yield* reasonsFor("Farrow Kitchen Studio", "Farrow Kitchen Studio"), [studio, studio])
      assert.deepStrictEqual(yield* reasonsFor("Leeds Oven", "Farrow Kitchen Studio", "York Ovens", "Farrow Kitchen"), [
        "Leeds Oven may be leeds ovens, which is on the suppression list.",
        studio,
        undefined,
        notCompared("Farrow Kitchen")
      ])
      assert.strictEqual(search.comparisonsLeft, 0)
      assert.deepStrictEqual(yield* reasonsFor("Farrow Kitchen Studios", "Farrow Kitchen Halls Two"), [
        notCompared("Farrow Kitchen Studios"),
        "Farrow Kitchen Halls Two may be farrow kitchen halls, which is on the suppression list."
      ])
    }).pipe(withServer())
  )

  it.live("marks leads whose company is spelled like one on the list", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const other = yield* newCaller()
      const entries = (...names: ReadonlyArray<string>) => ({
        entries: names.map((value) => ({ value, kind: "company" }))
      })
      yield* expectBody(
        200,
        caller.post("/suppressions", entries("Farrow Kitchens", "Lindqvist Outdoors", "Leeds Kitchens"))
      )
      yield* expectBody(200, other.post("/suppressions", entries("Hollowell Foods")))
      const companies = ["Farrow Kitchen Studio", "Lindquist Outdoors", "York Kitchens", "Holowell Foods", "Farrow"]
      const leads = companies.map((company, i) => ({ email: `lead${i}@mail.example`, company }))
      const { list_id, notices, skipped } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      assert.strictEqual(skipped.suppressed, 0)
      assert.match(notices.join(" "), /^2 leads are written to although the company may be/)
      yield* waitUntilSettled(caller, list_id)
      const storedLeads = yield* leadsOfList(caller, list_id)
      assert.deepStrictEqual(
        storedLeads.map(({ maybe }) => maybe),
        [
          "Farrow Kitchen Studio may be farrow kitchens, which is on the suppression list.",
          "Lindquist Outdoors may be lindqvist outdoors, which is on the suppression list.",
          null,
          null,
          null
        ]
      )
    }).pipe(withServer())
  )

  it.live("marks leads whose company may be a competitor in the campaign's profile", () =>
    Effect.gen(function* () {
      const details = { company_name: "Kestrel Pumps", competitors: "Coldharbour Ltd, Lindqvist Outdoor AB" }
      const { campaign, caller } = yield* callerWithCampaign({ details })
      const leads = [
        { email: "kim@mail.example", company: "Coldharbour Labs" },
        { email: "bo@mail.example" },
        { email: "ida@mail.example", company: "Lindqvist Outdor AB" }
      ]
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads, options }))
      yield* waitUntilSettled(caller, list_id)
      const storedLeads = yield* leadsOfList(caller, list_id, "?maybe=true")
      assert.deepStrictEqual(
        storedLeads.map(({ maybe }) => maybe),
        [
          "Coldharbour Labs may be Coldharbour Ltd, one of the competitors in your company profile.",
          "Lindqvist Outdor AB may be Lindqvist Outdoor AB, one of the competitors in your company profile."
        ]
      )
      yield* assertConsistent
    }).pipe(withServer())
  )
})
