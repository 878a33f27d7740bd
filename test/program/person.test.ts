// test/program/person.test.ts: the data of one person is found by email address, and erased permanently.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import * as Person from "#layers/operations/Person.ts"
import { expectBody } from "#test/support/answers.ts"
import { awaitJob, onboardedCaller } from "#test/support/callers.ts"
import { callerWithCampaign } from "#test/support/campaigns.ts"
import { command, commandJson } from "#test/support/command.ts"
import { dump } from "#test/support/dump.ts"
import { options, upload } from "#test/support/endpoints.ts"
import { gated } from "#test/support/faults.ts"
import { onboardedWorkspace, assertConsistent as soundIn } from "#test/support/program-workspace.ts"
import { generateBatch, waitUntilSettled } from "#test/support/generation-requests.ts"
import { balanceOf, exportLeads } from "#test/support/lists.ts"
import { runSql, temporaryFolder, serve } from "#test/support/process.ts"
import { withServer, assertConsistent } from "#test/support/server.ts"
import { until } from "#test/support/until.ts"
import * as Stores from "#test/support/store.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { fakeWriter } from "#test/support/writer.ts"

const kim = { email: "Kim.Osei@osei.example", name: "Kim Osei", title: "Plant Director", company: "Osei Cocoa" }
const address = "kim.osei@osei.example"
/** Another person, whose address contains Kim's address. */
const ann = { email: "not-kim.osei@osei.example", name: "Ann Lee", title: "Plant Director", company: "North Quarry" }

/** The rows of every table as text, without suppressions and the content of files. */
const readAllTables = (data: string) =>
  Effect.gen(function* () {
    const listTables = Stores.onPostgres
      ? "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()"
      : "SELECT name FROM sqlite_schema WHERE type = 'table'"
    const tables = (yield* runSql(data, listTables)).filter(
      ({ name }) => !["suppressions", "file_pieces"].includes(String(name))
    )
    const rows = yield* Effect.forEach(tables, ({ name }) => runSql(data, `SELECT * FROM ${String(name)}`))
    return JSON.stringify(rows)
  })

describe("overture person", () => {
  it.live("shows and erases a lead in lists, files, chats and mails, and nothing of other people", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const { send } = apiClient(server.url, key)
      const campaign = yield* buildCampaign(apiClient(server.url, key))
      const options = { email_count: 1, email_signature: "Piotr" }
      const otherLeads = Array.from({ length: 520 }, (_, i) => ({ email: `lead${i}@company.example`, name: "Bo Berg" }))
      const batchAnswer = yield* send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: [
          kim,
          ann,
          { email: "cy@south.example", name: "Cy", custom_fields: { referred_by: `Spoke to\n${kim.email}.` } },
          ...otherLeads
        ],
        options: {
          ...options,
          notification_email: address,
          omitted_rows: [
            { line: 9, email: kim.email, name: "Kim", reason: `repeats ${kim.email}`, by_hand: true },
            { line: 10, name: "Osei", reason: `"${kim.email}; x@y.example" is more than one address` }
          ]
        }
      })
      const list: string = batchAnswer.body.list_id
      yield* until(send("GET", `/lists/${list}`), (answer) => answer.body.processing_status === "completed")
      const singleAnswer = yield* send("POST", `/campaigns/${campaign}/generate`, { lead: kim, options: options })
      assert.strictEqual(singleAnswer.status, 200)
      const { body: leads } = yield* send("GET", `/lists/${list}/leads?limit=2`)
      const [leadPath, otherLeadPath] = leads.data.map(
        ({ id }: { readonly id: string }) => `/lists/${list}/leads/${id}`
      )
      yield* send("PATCH", `${leadPath}/emails/1`, { subject: "For Kim Osei alone", version: 1 })
      yield* send("PUT", `${leadPath}/review`, { status: "rejected", note: "Kim Osei has left" })
      yield* send("PATCH", `${otherLeadPath}/emails/1`, { subject: `Ask ${kim.email}`, version: 1 })
      const chat = yield* send("POST", "/agent/chat", {
        campaign_id: campaign,
        message: "What did we send to Kim Osei?"
      })
      assert.strictEqual(chat.status, 200)
      const readFiles = runSql(data, `SELECT file FROM list_files WHERE list_id = '${list}'`)
      // The edits deleted the files of the list, and an export creates new ones.
      const requestFiles = Effect.andThen(send("GET", `/lists/${list}/export?format=json`), readFiles)
      yield* until(requestFiles, (rows) => rows.length === 2)
      yield* until(
        Effect.sync(() => (existsSync(`${data}/outbox`) ? readdirSync(`${data}/outbox`) : [])),
        (names) => names.some((name) => name.endsWith(".eml"))
      )
      assert.include((yield* readAllTables(data)).toLowerCase(), address)

      const person = yield* commandJson(data, "person", "show", kim.email.toUpperCase())
      const [personData] = person.workspaces
      assert.lengthOf(person.workspaces, 1)
      assert.lengthOf(personData.leads, 2)
      assert.deepInclude(personData.leads[0], { list_id: list, position: 1, name: "Kim Osei", status: "completed" })
      assert.lengthOf(personData.leads[0].emails, 1)
      assert.strictEqual(personData.leads[0].versions[1].subject, "For Kim Osei alone")
      assert.deepStrictEqual(personData.notified_lists, [list])
      // The question names the person in its text, and the answer in its text and citations.
      const positions = personData.messages.map(({ position }: { readonly position: number }) => position)
      assert.deepStrictEqual(positions, [1, 2])
      assert.include(personData.messages[0].content, "Kim Osei")
      assert.include(personData.messages[1].citations, "Kim Osei")
      const lines = (yield* command(data, "person", "show", address)).stdout.split("\n")
      assert.lengthOf(
        lines.filter((line) => line.includes("  message ")),
        2
      )
      assert.isTrue(personData.texts.some(({ column }: { readonly column: string }) => column === "custom_fields"))
      assert.isTrue(
        personData.texts.some(
          ({ column, table }: { readonly column: string; readonly table: string }) =>
            table === "omitted_rows" && column === "name"
        )
      )
      assert.lengthOf(person.mails, 1)

      const { erased } = yield* commandJson(data, "person", "erase", address, "--suppress")
      assert.deepInclude(erased, { leads: 2, messages: 2, mails: 1 })
      const remainingText = (yield* readAllTables(data)).toLowerCase()
      assert.notMatch(remainingText, /(?<!not-)kim\.osei@osei/)
      assert.notInclude(remainingText, "kim osei")
      // A row with the address also loses a name of one word.
      assert.deepStrictEqual(yield* runSql(data, "SELECT name FROM omitted_rows"), [{ name: null }, { name: null }])
      assert.include(remainingText, ann.email)
      assert.deepStrictEqual(
        readdirSync(`${data}/outbox`).filter((name) => name.endsWith(".eml")),
        []
      )
      yield* soundIn(data)

      const fetchExport = (format: string) =>
        Effect.promise(async () => {
          const url = `${server.url}/api/v1/lists/${list}/export?format=${format}`
          return (await fetch(url, { headers: { "x-api-key": key } })).text()
        })
      // Later exports, from rows and from files, contain everyone except the person.
      for (const format of ["csv", "json"]) {
        const text = yield* fetchExport(format)
        assert.notInclude(text, "Kim")
        assert.include(text, ann.email)
        assert.include(text, "lead519@company.example")
      }
      yield* until(readFiles, (rows) => rows.length === 2)
      assert.notInclude(yield* fetchExport("csv"), "Kim")
      const { body: page } = yield* send("GET", `/lists/${list}/leads?limit=1`)
      assert.deepInclude(page.data[0], { email: "", name: null, status: "skipped", edited: false, emails: [] })
      const { body: listAnswer } = yield* send("GET", `/lists/${list}`)
      assert.deepInclude(listAnswer, { leads_count: 523, leads_skipped: 1, emails_created: 522 })

      // A second erasure changes nothing, and the person is not written to again.
      assert.deepStrictEqual((yield* commandJson(data, "person", "erase", address)).erased, {
        leads: 0,
        messages: 0,
        texts: 0,
        mails: 0
      })
      const secondRequest = yield* send("POST", `/campaigns/${campaign}/generate`, { lead: kim, options: options })
      assert.strictEqual(secondRequest.status, 422)
      const personAfterErasure = yield* command(data, "person", "show", address)
      assert.match(personAfterErasure.stdout, /on the suppression list/)
      yield* soundIn(data)
    })
  )

  it.live("refuses an invalid address, and reports when nothing is stored", () =>
    Effect.gen(function* () {
      const { data } = yield* onboardedWorkspace
      for (const verb of ["show", "erase"]) {
        const { code, stderr } = yield* command(data, "person", verb, "kim%")
        assert.deepStrictEqual([code, stderr], [1, '"kim%" is not an email address\n'])
      }
      assert.strictEqual((yield* command(data, "person", "show", address)).stdout, `Nothing is stored of ${address}\n`)
      assert.strictEqual((yield* command(data, "person", "erase", address)).code, 0)
    })
  )

  it.live("lists the profile and other texts of the workspace, and does not change them", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const { send } = apiClient(server.url, key)
      yield* send("PUT", "/workspace/details", { contact_email: address })
      yield* send("POST", "/signatures", { signature_text: `Kim\n${address}` })
      const { own_texts } = yield* commandJson(data, "person", "erase", address)
      assert.sameMembers(own_texts, ["workspaces.details", "signatures.signature_text"])
      assert.strictEqual((yield* send("GET", "/workspace")).body.details.contact_email, address)
    })
  )

  it.live("ends with an error that names a row which could not be changed", () =>
    Effect.gen(function* () {
      const { data, workspace } = yield* onboardedWorkspace
      const payload = JSON.stringify({ data: { lead: { email: address } } })
      yield* runSql(
        data,
        `INSERT INTO webhooks (id, workspace_id, url, events, enabled, include_content, secrets, failed_attempts, created_at, updated_at)
          VALUES ('w', '${workspace}', 'http://localhost', '[]', 1, 1, '[]', 0, 'x', 'x')`,
        `INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, type, payload, status, job, attempts, created_at, updated_at)
          VALUES ('d', '${workspace}', 'w', 'e', 'lead.written', '${payload}', 'delivered', 'j', 1, 'x', 'x')`
      )
      const { code, stderr, stdout } = yield* command(data, "person", "erase", address)
      assert.match(stdout, /^Erased 0 leads/)
      const row = "webhook_deliveries.payload of d"
      const message = `All else is erased, but these rows could not be changed: ${row}\n`
      assert.deepStrictEqual([code, stderr], [1, message])
    })
  )
})

/** Creates a list of Kim and two others, and a stored answer to a rewrite of Kim's emails. */
const createRewrittenList = Effect.gen(function* () {
  const { data, key } = yield* onboardedWorkspace
  const { url } = yield* serve(data)
  const { send } = apiClient(url, key)
  const campaign = yield* buildCampaign(apiClient(url, key))
  const assistant = {
    email: "cy@south.example",
    name: "Cy Berg",
    title: `Assistant of ${kim.email}`,
    company: "South Quarry",
    linkedin_url: `https://south.example/?mail=${kim.email}`,
    custom_fields: {
      quoted: `'${kim.email}'`,
      bold: `**${kim.email}**`,
      cell: `|${kim.email}|`,
      other: `o'${kim.email}`
    }
  }
  const { list_id } = (yield* send("POST", `/campaigns/${campaign}/generate-batch`, {
    leads: [kim, ann, assistant],
    options: { email_count: 1, email_signature: "Piotr" }
  })).body
  yield* until(send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
  const { body: leads } = yield* send("GET", `/lists/${list_id}/leads`)
  const idempotentClient = apiClient(url, key, { "idempotency-key": "once" })
  const sendRewrite = idempotentClient.send("POST", `/lists/${list_id}/leads/${leads.data[0].id}/rewrite`, { step: 1 })
  const firstAnswer = yield* sendRewrite
  assert.deepStrictEqual([firstAnswer.status, (yield* sendRewrite).headers.get("idempotent-replayed")], [200, "true"])
  return { data, list: `/lists/${list_id}`, sendRewrite, send }
})

describe("an answer to a rewrite that was stored for its Idempotency-Key", () => {
  it.live("is erased with the person, and so is the address in texts of other leads and entries", () =>
    Effect.gen(function* () {
      const { data, sendRewrite, send } = yield* createRewrittenList
      yield* send("POST", "/suppressions", { entries: [{ value: "x.example", reason: `Asked by ${kim.email}` }] })
      yield* send("POST", "/keys", { name: `For ${kim.email}`, scopes: ["lists:read"] })
      const webhook = { url: "https://hooks.example/", events: ["list.completed"], description: `Of ${kim.email}` }
      assert.strictEqual((yield* send("POST", "/webhooks", webhook)).status, 201)
      assert.strictEqual((yield* send("POST", "/campaigns", { name: `To ${kim.email}` })).status, 201)
      const { own_texts } = yield* commandJson(data, "person", "erase", address)
      assert.sameMembers(own_texts, ["api_keys.name", "webhooks.description", "campaigns.name"])
      assert.strictEqual((yield* sendRewrite).status, 422)
      const remainingText = (yield* readAllTables(data)).toLowerCase()
      assert.notInclude(remainingText, "kim osei")
      const ownTexts = [`for ${address}`, `of ${address}`, `to ${address}`]
      const otherTexts = [ann.email, `o'${address}`]
      assert.notInclude(
        [...ownTexts, ...otherTexts].reduce((remaining, text) => remaining.replaceAll(text, ""), remainingText),
        address
      )
      for (const text of [...ownTexts, ...otherTexts]) assert.include(remainingText, text)
      const { body: entries } = yield* send("GET", "/suppressions")
      assert.strictEqual(entries.data[0].reason, "Asked by [erased]")
      yield* soundIn(data)
    })
  )

  it.live("is deleted with the list", () =>
    Effect.gen(function* () {
      const { data, list, sendRewrite, send } = yield* createRewrittenList
      assert.strictEqual((yield* send("DELETE", list)).status, 200)
      assert.strictEqual((yield* sendRewrite).status, 404)
      assert.notInclude(yield* readAllTables(data), kim.name)
    })
  )
})

describe("a delivery to a webhook", () => {
  it.live("loses the lead, its emails and the response of the receiver", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const ids = yield* Effect.forEach([true, false], (include_content) =>
        Effect.map(
          expectBody(
            201,
            caller.post("/webhooks", { url: "http://localhost", events: ["lead.written"], include_content })
          ),
          ({ id }): string => id
        )
      )
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [kim, ann], options }))
      yield* waitUntilSettled(caller, list_id)
      const sql = yield* SqlClient.SqlClient
      const readPendingDeliveries = sql`SELECT id FROM webhook_deliveries WHERE attempts = 0`
      yield* until(Effect.orDie(readPendingDeliveries), ({ length }) => length === 0)
      // This is the response of a receiver that repeats the payload.
      yield* sql`UPDATE webhook_deliveries SET response = payload WHERE webhook_id = ${ids[0]}`
      const directory = yield* temporaryFolder
      const { erase, find } = yield* Person.make(directory)
      const findingsBefore = yield* find(address)
      const tables = findingsBefore.found.flatMap(({ texts }) => texts.map(({ column, table }) => `${table}.${column}`))
      assert.includeMembers(tables, ["webhook_deliveries.payload", "webhook_deliveries.response"])
      yield* erase(address, false)
      const deliveries = yield* sql<{ readonly payload: string; readonly response: string | null }>`
        SELECT payload, response FROM webhook_deliveries`
      assert.lengthOf(deliveries, 4)
      const text = deliveries
        .map(({ payload, response }) => `${payload} ${response}`)
        .join()
        .toLowerCase()
      assert.notInclude(text.replaceAll(ann.email, ""), address)
      assert.notInclude(text, kim.name.toLowerCase())
      assert.include(text, ann.email)
      for (const { payload } of deliveries)
        assert.sameMembers(Object.keys(JSON.parse(payload)), ["type", "timestamp", "data"])
      const findingsAfter = yield* find(address)
      assert.isEmpty(findingsAfter.found.flatMap(({ texts }) => texts))
      yield* assertConsistent
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("a delivery about a lead whose list was deleted", () => {
  it.live("loses the lead and its emails too", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const webhook = { url: "http://localhost", events: ["lead.written"], include_content: true }
      yield* expectBody(201, caller.post("/webhooks", webhook))
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [kim, ann], options }))
      yield* waitUntilSettled(caller, list_id)
      const sql = yield* SqlClient.SqlClient
      const readPendingDeliveries = sql`SELECT id FROM webhook_deliveries WHERE attempts = 0`
      yield* until(Effect.orDie(readPendingDeliveries), ({ length }) => length === 0)
      yield* expectBody(200, caller.delete(`/lists/${list_id}`))
      const { erase } = yield* Person.make(yield* temporaryFolder)
      yield* erase(address, false)
      const deliveries = yield* sql<{ readonly payload: string }>`SELECT payload FROM webhook_deliveries`
      const payloads = deliveries.map(({ payload }) => payload)
      assert.lengthOf(payloads, 2)
      const [payloadOfAnn] = payloads.filter((payload) => payload.includes(ann.email))
      assert.include(payloadOfAnn, '"subject"')
      const [payloadOfKim] = payloads.filter((payload) => payload !== payloadOfAnn)
      assert.notMatch(payloadOfKim ?? "", /Kim|subject/)
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

const findIn = (found: ReadonlyArray<Person.FoundPerson>, part: "texts" | "kept") => [
  ...new Set(found.flatMap((person) => person[part].map(({ column, table }) => `${table}.${column}`)))
]

describe("an imported document", () => {
  it.live("is not quoted any more by a running server, and its name is erased", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const text = `The harbour audits of Rotterdam are handled by ${kim.email} since spring.`
      const { id } = yield* expectBody(
        202,
        caller.send("POST", "/workspace/imports/document", upload(`${kim.email}.txt`, text))
      )
      yield* awaitJob(caller, id)
      yield* expectBody(
        202,
        caller.send("POST", "/workspace/imports/document", upload(`cv-${kim.email}_2026.md`, "Another text."))
      )
      const message = "Who handles the harbour audits of Rotterdam?"
      const ask = Effect.map(
        expectBody(200, caller.post("/agent/chat", { campaign_id: campaign, message })),
        (answer) => JSON.stringify(answer).toLowerCase()
      )
      assert.include(yield* ask, address)
      const { erase, find } = yield* Person.make(yield* temporaryFolder)
      assert.includeMembers(findIn((yield* find(address)).found, "texts"), [
        "import_texts.content",
        "import_texts.name",
        "uploads.name"
      ])
      yield* erase(address, false)
      assert.notInclude((yield* dump).toLowerCase(), address)
      assert.include(yield* ask, "handled by [erased] since spring")
      assert.notInclude((yield* dump).toLowerCase(), address)
      const sql = yield* SqlClient.SqlClient
      const names = (yield* sql<{ readonly name: string }>`SELECT name FROM uploads`).map(({ name }) => name)
      assert.sameMembers(names, ["[erased].txt", "cv-[erased]_2026.md"])
      yield* assertConsistent
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("a template that was changed back", () => {
  it.live("leaves no copy in earlier versions and in lists, and its copies are kept while it has the address", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const playbook = yield* expectBody(200, caller.get(`/campaigns/${campaign}/playbook`))
      const [{ body, id, subject }] = playbook.personas[0].templates
      const path = `/campaigns/${campaign}/playbook/templates/${id}`
      yield* expectBody(200, caller.put(path, { subject, body: `${body}\n\nOr ask ${kim.email}.` }))
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [ann], options }))
      yield* waitUntilSettled(caller, list_id)
      const sql = yield* SqlClient.SqlClient
      const { erase, find } = yield* Person.make(yield* temporaryFolder)
      yield* erase(address, false)
      const copies = ["playbook_versions.content", "briefs.content"]
      const before = (yield* find(address)).found
      assert.sameMembers(findIn(before, "kept"), ["playbooks.content", "campaigns.brief", ...copies])
      assert.deepStrictEqual(findIn(before, "texts"), [])

      yield* expectBody(200, caller.put(path, { subject, body }))
      // A list from before briefs were shared has its own copy.
      yield* sql`UPDATE lists SET brief = (SELECT content FROM briefs), brief_id = NULL`
      yield* sql`UPDATE lists SET brief_id = (SELECT id FROM briefs)`
      const { found } = yield* find(address)
      assert.sameMembers(findIn(found, "texts"), [...copies, "lists.brief"])
      assert.deepStrictEqual(findIn(found, "kept"), [])
      yield* erase(address, false)
      assert.notInclude((yield* dump).replaceAll(ann.email, "").toLowerCase(), address)
      yield* assertConsistent
      const { data: leads } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
      yield* expectBody(200, caller.post(`/lists/${list_id}/leads/${leads[0].id}/rewrite`, { step: 1 }))
      yield* assertConsistent
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("the reason of a suppressed company", () => {
  it.live("is not repeated for leads of similar companies by a running server", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [ann], options }))
      yield* waitUntilSettled(caller, list_id)
      const entry = { value: "North", kind: "company", reason: `Asked by ${kim.email}` }
      yield* expectBody(200, caller.post("/suppressions", { entries: [entry] }))
      const readReason = Effect.map(
        expectBody(200, caller.get(`/lists/${list_id}/leads`)),
        ({ data: [lead] }): string => lead.maybe
      )
      assert.include(yield* readReason, kim.email)
      const { erase } = yield* Person.make(yield* temporaryFolder)
      yield* erase(address, false)
      assert.include(yield* readReason, "Asked by [erased]")
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("an Idempotency-Key", () => {
  it.live("that contains the address is stored as a digest, and still matches a repeated request", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const keys = [address, `batch_${kim.email}-2`, `k${address}`, "other"]
      const create = (key: string, name = key === "other" ? `To ${kim.email}` : "Spring") =>
        caller.send("POST", "/campaigns", {
          body: JSON.stringify({ name }),
          headers: { "content-type": "application/json", "idempotency-key": key }
        })
      const ids = yield* Effect.forEach(keys, (key) => Effect.map(expectBody(201, create(key)), ({ id }) => id))
      const { erase, find } = yield* Person.make(yield* temporaryFolder)
      assert.includeMembers(findIn((yield* find(address)).found, "texts"), ["idempotency_keys.key"])
      yield* erase(address, false)
      const sql = yield* SqlClient.SqlClient
      const readKeys = sql<{ readonly key: string }>`SELECT key FROM idempotency_keys ORDER BY key`
      const storedKeys = (yield* readKeys).map(({ key }) => key)
      assert.deepStrictEqual(storedKeys.slice(0, 2), [`k${address}`, "other"])
      assert.match(storedKeys.slice(2).join(" "), /^sha256:[0-9a-f]{64} sha256:[0-9a-f]{64}$/)
      assert.notInclude(findIn((yield* find(address)).found, "texts"), "idempotency_keys.key")

      const repeatedIds = yield* Effect.forEach(keys, (key) => Effect.map(expectBody(201, create(key)), ({ id }) => id))
      assert.deepStrictEqual(repeatedIds, ids)
      yield* expectBody(409, create(address, "Autumn"))
      assert.lengthOf(yield* readKeys, keys.length)
      yield* assertConsistent
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("a stored text", () => {
  it.live("that is deeply nested JSON is searched and erased like others", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const nested = (text: string) => `${"[".repeat(50_000)}"${text}"${"]".repeat(50_000)}`
      const sql = yield* SqlClient.SqlClient
      yield* expectBody(201, caller.post("/signatures", { signature_text: "Kim" }))
      yield* sql`UPDATE signatures SET signature_text = ${nested(address)}`
      yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: ann.email, reason: "Asked" }] }))
      yield* sql`UPDATE suppressions SET reason = ${nested(`Asked by\\n${address} \\u00e9`)}`
      const { erase, find } = yield* Person.make(yield* temporaryFolder)
      const { found } = yield* find(address)
      assert.deepStrictEqual(findIn(found, "kept"), ["signatures.signature_text"])
      assert.deepStrictEqual(findIn(found, "texts"), ["suppressions.reason"])
      const { failed } = yield* erase(address, false)
      assert.isEmpty(failed)
      const reasons = yield* sql`SELECT reason FROM suppressions`
      assert.deepStrictEqual(reasons, [{ reason: nested("Asked by\\n[erased] é") }])
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )

  it.live("that cannot be changed is named with its table and id, and all others are erased", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const webhook = { url: "http://localhost", events: ["lead.written"], include_content: true }
      yield* expectBody(201, caller.post("/webhooks", webhook))
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [kim], options }))
      yield* waitUntilSettled(caller, list_id)
      yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: ann.email, reason: address }] }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_deliveries SET payload = ${`{"about": "${address}"}`}`
      const keys = yield* sql<{ readonly id: string }>`SELECT id FROM webhook_deliveries`
      const { erase } = yield* Person.make(yield* temporaryFolder)
      const { failed } = yield* erase(address, false)
      assert.deepStrictEqual(
        failed,
        keys.map((key) => ({ table: "webhook_deliveries", column: "payload", key }))
      )
      assert.lengthOf(failed, 1)
      assert.deepStrictEqual(yield* sql`SELECT reason FROM suppressions`, [{ reason: "[erased]" }])
      assert.deepStrictEqual(yield* sql`SELECT email FROM leads`, [{ email: "" }])
    }).pipe(withServer(), Effect.provide(NodeServices.layer))
  )
})

describe("a batch in progress", () => {
  it.live("does not restore a lead that is erased while its emails are written", () => {
    const sequence = gated(fakeWriter.sequence)
    return Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: [kim, ann], options }))
      yield* sequence.started
      const directory = yield* temporaryFolder
      mkdirSync(`${directory}/outbox`)
      writeFileSync(`${directory}/outbox/other.eml`, `To: ${ann.email}\r\n\r\nx`)
      const { erase } = yield* Person.make(directory)
      yield* erase(address, false)
      yield* sequence.open
      const list = yield* waitUntilSettled(caller, list_id)
      assert.deepInclude(list, { processing_status: "completed", leads_count: 2, leads_skipped: 1, emails_created: 2 })
      assert.lengthOf(yield* exportLeads(caller, list_id), 1)
      assert.strictEqual(yield* balanceOf(caller), 4999)
      const sql = yield* SqlClient.SqlClient
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM leads`).toLowerCase(), `"${address}"`)
      assert.deepStrictEqual(readdirSync(`${directory}/outbox`), ["other.eml"])
      yield* assertConsistent
    }).pipe(withServer({ writer: { sequence } }), Effect.provide(NodeServices.layer))
  })
})
