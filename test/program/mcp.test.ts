// test/program/mcp.test.ts: the tools for agents, as a client meets them that speaks MCP on standard input and output.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { expectBody } from "../support/answers.ts"
import { type Caller, callerFor, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { temporaryFolder } from "../support/process.ts"
import { assertConsistent, withWorkers } from "../support/server.ts"
import * as SocketServer from "../support/socket.ts"
import { until } from "../support/until.ts"

const { Socket } = SocketServer

const main = new URL("../../src/main.ts", import.meta.url).pathname

/** An agent that started `overture mcp` with this key, and has shaken hands with it. */
const agent = Effect.fnUntraced(function* (caller: Caller, origin: string) {
  const data = yield* temporaryFolder
  writeFileSync(`${data}/.env`, `OVERTURE_URL=${origin}\nOVERTURE_API_KEY=${caller.key}\n`)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [main, "mcp", "--data-dir", data])),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const lines = () =>
    out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  let asked = 0
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const ask = Effect.fnUntraced(function* (method: string, params: object = {}) {
    const id = ++asked
    write({ id, method, params })
    const answer = yield* until(
      Effect.sync(() => lines().find((line) => line.id === id)),
      (line) => line !== undefined
    )
    return answer
  })
  const call = Effect.fnUntraced(function* (name: string, args: object = {}) {
    return (yield* ask("tools/call", { name, arguments: args })).result
  })

  const clientInfo = { name: "stranger", version: "1.0.0" }
  const { result } = yield* ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
  write({ method: "notifications/initialized" })
  return { child, ask, call, lines, welcome: result, log: () => log }
})

const signed = { email_count: 2, email_signature: "Ann" }

describe("overture mcp", () => {
  it.live(
    "shakes hands, names its tools, and does with each what the API does",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const caller = yield* onboardedCaller()
        const campaign_id = yield* builtCampaign(caller)
        const { ask, call, child, log, welcome } = yield* agent(caller, origin)
        assert.strictEqual(welcome.serverInfo.name, "overture")
        assert.strictEqual(welcome.protocolVersion, "2025-06-18")

        const { tools } = (yield* ask("tools/list")).result
        const reads = (name: string) => tools.find((tool: any) => tool.name === name)?.annotations.readOnlyHint
        assert.deepStrictEqual(
          tools.map(({ name }: any) => [name, reads(name)]),
          [
            ["list_campaigns", true],
            ["show_campaign", true],
            ["list_signatures", true],
            ["chat", false],
            ["preview", false],
            ["generate", false],
            ["generate_batch", false],
            ["lint", true],
            ["list_suppressions", true],
            ["suppress", false],
            ["delete_suppression", false],
            ["export_suppressions", true],
            ["list_lists", true],
            ["list_status", true],
            ["rename_list", false],
            ["resume_list", false],
            ["delete_list", false],
            ["export_emails", true],
            ["read_lead_file", true],
            ["list_leads", true],
            ["find_leads", true],
            ["list_omitted_rows", true],
            ["show_lead", false],
            ["edit_email", false],
            ["list_email_versions", true],
            ["restore_email", false],
            ["rewrite_emails", false],
            ["send_test_mail", false],
            ["review_lead", false],
            ["review_leads", false],
            ["show_playbook", true],
            ["change_playbook", false],
            ["add_persona", false],
            ["edit_persona", false],
            ["remove_persona", false],
            ["add_template", false],
            ["edit_template", false],
            ["reset_template", false],
            ["remove_template", false],
            ["redraft_playbook", false],
            ["show_job", true],
            ["route_title", true],
            ["try_playbook", true]
          ]
        )
        for (const { annotations, description, inputSchema, outputSchema, title } of tools) {
          assert.isAbove(description.length, 20)
          assert.match(title, /^[A-Z][a-z ]+$/)
          assert.strictEqual(annotations.title, title)
          assert.isFalse(inputSchema.additionalProperties)
          assert.deepStrictEqual([inputSchema.type, outputSchema.type], ["object", "object"])
        }

        const get = (path: string) => expectBody(200, caller.get(path))
        const campaigns = (yield* call("list_campaigns")).structuredContent
        assert.deepStrictEqual(campaigns, yield* get("/campaigns?limit=20"))
        const shown = (yield* call("show_campaign", { campaign_id })).structuredContent
        assert.deepStrictEqual(shown.status, yield* get(`/campaigns/${campaign_id}/build-status`))
        assert.deepStrictEqual(shown.chosen, yield* get(`/campaigns/${campaign_id}/selections`))
        const asked = (yield* call("chat", { campaign_id, message: "What does it cost?" })).structuredContent
        const said = (yield* get(`/conversations/${asked.conversation_id}/messages`)).data
        assert.deepStrictEqual(said.at(-1).content, asked.message.content)

        const before = (yield* get("/credits")).balance
        const { result } = yield* ask("tools/call", { name: "preview", arguments: { campaign_id, ...signed } })
        assert.strictEqual(result.structuredContent.success_count, 5)
        const lead = { email: "ida@north.example", name: "Ida", company: "North" }
        const written = (yield* call("generate", { campaign_id, lead, ...signed })).structuredContent
        assert.lengthOf(written.sequence, 2)
        assert.strictEqual((yield* get("/credits")).balance, before - 6)
        const list_id = written.list_id
        assert.deepStrictEqual(
          (yield* call("list_status", { list_id })).structuredContent,
          yield* get(`/lists/${list_id}`)
        )
        assert.deepStrictEqual((yield* call("list_lists", { campaign_id })).structuredContent, yield* get("/lists"))
        const failed = (yield* call("list_lists", { status: "failed", limit: 1 })).structuredContent
        assert.deepStrictEqual(failed, { lists: [], has_more: false, total: 0 })
        yield* caller.post("/signatures", { signature_text: "Ann\nKestrel" })
        const signatures = (yield* call("list_signatures")).structuredContent
        assert.deepStrictEqual(signatures, yield* get("/signatures"))
        const { leads } = yield* get(`/lists/${list_id}/export?format=json`)
        assert.deepStrictEqual((yield* call("export_emails", { list_id })).structuredContent, { leads, total: 1 })
        const beyond = (yield* call("export_emails", { list_id, offset: 1 })).structuredContent
        assert.deepStrictEqual(beyond, { leads: [], total: 1 })

        // The review of the list.
        const { data } = (yield* call("list_leads", { list_id, review: "open" })).structuredContent
        const lead_id = data[0].id
        const path = `/lists/${list_id}/leads/${lead_id}`
        const edit = { list_id, lead_id, step: 1, subject: "Mine", version: 1 }
        assert.deepInclude((yield* call("edit_email", edit)).structuredContent, { version: 2, edited: true })
        assert.include((yield* call("edit_email", edit)).content[0].text, "its current version is 2")
        yield* call("rewrite_emails", { list_id, lead_id, step: 1 })
        assert.deepStrictEqual((yield* call("show_lead", { list_id, lead_id })).structuredContent, yield* get(path))
        const approved = (yield* call("review_lead", { list_id, lead_id, status: "approved" })).structuredContent
        assert.strictEqual(approved.review.status, "approved")
        const bulk = (yield* call("review_leads", { list_id, status: "open" })).structuredContent
        assert.deepInclude(bulk, { changed: 1 })
        const advice = yield* call("rewrite_emails", { list_id, lead_id, instruction: "Shorter" })
        assert.include(advice.content[0].text, "instruction needs a model")

        // The playbook, the checker and the suppressions.
        yield* call("change_playbook", { campaign_id, never_say: ["cheap"] })
        const playbook = (yield* call("show_playbook", { campaign_id })).structuredContent
        assert.deepStrictEqual(playbook, yield* get(`/campaigns/${campaign_id}/playbook`))
        const persona_id = playbook.personas[0].id
        const text = { subject: "Pumps", body: "How often do they stop?" }
        const added = (yield* call("add_template", { campaign_id, persona_id, step: 2, ...text })).structuredContent
        const edited = { campaign_id, template_id: added.id, ...text, subject: "Seals" }
        assert.strictEqual((yield* call("edit_template", edited)).structuredContent.subject, "Seals")
        const tried = (yield* call("try_playbook", { campaign_id, lead, email_count: 1 })).structuredContent
        assert.lengthOf(tried.sequence, 1)
        assert.isArray((yield* call("lint", text)).structuredContent.findings)
        const counted = (yield* call("suppress", { entries: [{ value: "osei.example" }] })).structuredContent
        assert.deepStrictEqual(counted, { added: 1, already: 0 })
        const suppressions = (yield* call("list_suppressions")).structuredContent
        assert.deepStrictEqual(suppressions, yield* get("/suppressions?limit=20"))
        const { csv } = (yield* call("export_suppressions")).structuredContent
        assert.match(csv, /^value,.*\r\nosei\.example,/)
        const [{ id: suppression_id }] = suppressions.data
        const deleted = (yield* call("delete_suppression", { suppression_id })).structuredContent
        assert.deepStrictEqual(deleted, { id: suppression_id, deleted: true })
        assert.deepStrictEqual((yield* get("/suppressions")).data, [])

        // A file of leads is read, and emails are exported for a sending tool.
        const read = (yield* call("read_lead_file", {
          text: "Mail\tName\nbo@south.example\tBo\nnowhere\tCy",
          format: "tsv"
        })).structuredContent
        assert.deepStrictEqual(read.rows, [{ email: "bo@south.example", name: "Bo" }])
        assert.strictEqual(read.problems[0].kind, "left_out")
        // Of very many problems, an agent gets the first of each kind and the numbers.
        const bad = "nowhere,\n".repeat(1000)
        const many = (yield* call("read_lead_file", { text: `Mail,Name\n${bad}info@south.example,` })).structuredContent
        assert.deepStrictEqual(many.problem_counts, { left_out: 1000, role: 1 })
        assert.strictEqual(many.problems.length, 101)
        assert.deepStrictEqual([many.problems[99].line, many.problems[100].kind], [101, "role"])
        yield* call("review_lead", { list_id, lead_id, status: "approved" })
        const handed = yield* call("export_emails", { list_id, preset: "lemlist", review: "approved", columns: "all" })
        const { leads: none, total } = handed.structuredContent
        assert.deepStrictEqual([none, total], [[], 1])
        assert.match(handed.structuredContent.csv, /^email,firstName,.*sendDay1,.*\r\nida@north\.example,Ida,/)
        const past = (yield* call("export_emails", { list_id, preset: "hubspot", offset: 1 })).structuredContent
        assert.match(past.csv, /^Email,[^\n]*\r\n$/)

        // A batch of these leads, made once whatever is repeated.
        yield* call("suppress", { entries: [{ value: "cy@south.example" }] })
        const batch = {
          campaign_id,
          leads: [...read.rows, { email: "cy@south.example" }],
          ...signed,
          list_name: "Fair",
          omitted_rows: [{ line: 3, email: "nowhere", reason: read.problems[0].message }],
          idempotency_key: "fair"
        }
        const accepted = (yield* call("generate_batch", batch)).structuredContent
        assert.deepInclude(accepted, { leads_count: 2, skipped: { suppressed: 1, duplicate: 0, client: 0 } })
        assert.deepStrictEqual((yield* call("generate_batch", batch)).structuredContent, accepted)
        const done = yield* until(
          call("list_status", { list_id: accepted.list_id }),
          ({ structuredContent }) => structuredContent.processing_status === "completed"
        )
        assert.deepInclude(done.structuredContent, { custom_name: "Fair", leads_skipped: 1, emails_created: 2 })
        const omitted = (yield* call("list_omitted_rows", { list_id: accepted.list_id })).structuredContent
        assert.deepStrictEqual(omitted, yield* get(`/lists/${accepted.list_id}/omitted-rows?limit=20`))
        assert.strictEqual(omitted.data[0].email, "nowhere")
        const cy = (yield* call("find_leads", { email: "cy@south.example" })).structuredContent
        assert.deepStrictEqual(cy, yield* get("/leads?email=cy@south.example&limit=20"))
        assert.deepStrictEqual([cy.total, cy.data[0].status], [1, "skipped"])
        assert.include((yield* call("generate_batch", { ...batch, leads: read.rows })).content[0].text, "another body")
        assert.strictEqual((yield* call("list_lists", { campaign_id, source: "batch" })).structuredContent.total, 1)

        // The server exits when its client closes the input.
        const gone = once(child, "exit")
        child.stdin.end()
        assert.deepStrictEqual(yield* Effect.promise(() => gone), [0, null])
        assert.strictEqual(log(), "")
        yield* assertConsistent
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    120_000
  )

  it.live(
    "says in words what could not be done, and never shows its key",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const caller = yield* onboardedCaller()
        const campaign_id = yield* builtCampaign(caller)
        const blind = yield* callerFor(caller.workspace, ["lists:read"])
        const { ask, call, log } = yield* agent(blind, origin)
        const refused = yield* call("list_campaigns")
        assert.isTrue(refused.isError)
        assert.include(refused.content[0].text, "campaigns:read")
        const unknown = yield* call("list_status", { list_id: "01890000-0000-7000-8000-000000000000" })
        assert.deepStrictEqual([unknown.isError, unknown.content[0].text], [true, "No such list in this workspace"])
        // What no tool could do is refused before the server hears of it.
        for (const wrong of [{ campaign_id: "x", ...signed }, { campaign_id, email_count: 9 }, {}]) {
          const answer = yield* ask("tools/call", {
            name: "generate",
            arguments: { lead: { email: "a@b.example" }, ...wrong }
          })
          assert.isTrue(answer.error !== undefined || answer.result.isError, JSON.stringify(answer))
        }
        // In the words of the tool's own arguments.
        const said = Effect.fnUntraced(function* (name: string, args: object) {
          const { error, result } = yield* ask("tools/call", { name, arguments: args })
          return String(error?.message ?? result.content[0].text)
        })
        const lead = { email: "a@b.example" }
        const riddle = /not an Overture|options\.|sample\./
        for (const [name, args, says] of [
          ["generate", { campaign_id, lead, email_count: 1 }, /^email_signature: is required unless signature_id/],
          ["generate", { campaign_id, lead, ...signed, tone: "dry" }, /excess property[^]*"tone"/],
          ["generate", { campaign_id, lead: { ...lead, phone: "1" }, ...signed }, /lead[^]*phone/],
          ["generate_batch", { campaign_id, leads: [lead], email_count: 1 }, /^email_signature: is required unless/],
          ["generate_batch", { campaign_id, leads: [], ...signed }, /at least one lead/],
          ["generate_batch", { campaign_id, leads: [lead], ...signed, idempotent: true }, /idempotent/],
          ["preview", { campaign_id, ...signed, headers: [] }, /^headers: /],
          ["list_campaigns", { status: "ready" }, /status/],
          ["rewrite_emails", { list_id: campaign_id, lead_id: campaign_id, tone: "dry" }, /tone/],
          ["review_leads", { list_id: campaign_id, status: "approved", were: {} }, /were/]
        ] as const) {
          const text = yield* said(name, args)
          assert.match(text, says)
          assert.notMatch(text, riddle)
        }
        assert.deepStrictEqual((yield* expectBody(200, caller.get("/lists"))).total, 0)
        assert.notInclude(log(), blind.key)
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    120_000
  )

  it.live(
    "answers a line that is no message with an error, and the messages after it",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const caller = yield* onboardedCaller()
        const { ask, child, lines, log } = yield* agent(caller, origin)
        const deep = "[".repeat(100_000) + "]".repeat(100_000)
        for (const [line, code, id] of [
          ["{", -32700, null],
          ["no JSON", -32700, null],
          ['{"jsonrpc":"2.0","id":1,"method":"ping"}}', -32700, null],
          ["1", -32600, null],
          ["null", -32600, null],
          ["{}", -32600, null],
          ['{"id":71,"method":"ping"}', -32600, 71],
          ['{"jsonrpc":"2.0","id":"a","method":5}', -32600, "a"],
          ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
          ['[{"jsonrpc":"2.0","id":72}]', -32600, 72],
          [`{"jsonrpc":"2.0","id":73,"method":"ping","params":${deep}}`, -32600, null],
          [`{"jsonrpc":"2.0","id":74,"method":"${"x".repeat(1024 * 1024)}"}`, -32600, null]
        ] as const) {
          const before = lines().length
          child.stdin.write(`${line}\n`)
          assert.deepStrictEqual((yield* ask("ping")).result, {})
          const { error, ...answer } = lines()[before]
          assert.deepStrictEqual([answer, error.code], [{ jsonrpc: "2.0", id }, code], line.slice(0, 80))
          assert.lengthOf(lines(), before + 2)
        }
        // Empty lines are ignored, and a message may arrive in parts.
        const before = lines().length
        child.stdin.write('\n\r\n{"jsonrpc":"2.0",')
        child.stdin.write('"id":"é')
        child.stdin.write('","method":"ping"}\r\n')
        yield* ask("ping")
        assert.deepStrictEqual(lines().slice(before, before + 1), [{ jsonrpc: "2.0", id: "é", result: {} }])
        assert.strictEqual(log(), "")
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    60_000
  )
})
