// test/program/mcp-http.test.ts: the tools for agents at /mcp, as the client of the official SDK meets them over HTTP.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { Duration, Effect, Layer } from "effect"
import { type Mail, Mailer } from "#layers/Mailer.ts"
import { connectAgent } from "../support/agents.ts"
import { expectBody } from "../support/answers.ts"
import { newCaller, callerFor, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { dump } from "../support/dump.ts"
import { createFullWorkspace, partlyFailingWriter } from "../support/full-workspace.ts"
import { waitForList, startBatch } from "../support/lists.ts"
import { Server, withServer, assertConsistent, withWorkers } from "../support/server.ts"
import * as SocketServer from "../support/socket.ts"
import { until } from "../support/until.ts"
import { xlsx } from "../support/workbooks.ts"

const { Socket } = SocketServer

const timeout = 120_000

/** A workspace with a list of one lead that was written to. */
const reviewed = Effect.gen(function* () {
  const caller = yield* onboardedCaller()
  const campaign_id = yield* builtCampaign(caller)
  const lead = { email: "ann@south.example", name: "Ann", company: "South" }
  const list_id = yield* startBatch(caller, campaign_id, [lead], { email_count: 2 })
  yield* waitForList(caller, list_id)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))).data
  return { caller, campaign_id, list_id, lead_id: String(id) }
})

const bearer = ({ key }: { readonly key: string }) => ({ authorization: `Bearer ${key}` })

describe("the client of the official SDK at /mcp", () => {
  it.live(
    "shakes hands without a session, lists every tool, and reads what the API answers",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { campaign_id, lead_id, list_id, caller } = yield* reviewed
        const { client, callResult, callError, transport } = yield* connectAgent({ origin }, bearer(caller))
        assert.deepInclude(client.getServerVersion(), { name: "overture" })
        assert.include(client.getInstructions(), "cold-email")
        assert.isUndefined(transport.sessionId)
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.lengthOf(tools, 43)
        for (const { annotations, description, inputSchema } of tools) {
          assert.isFalse(inputSchema["additionalProperties"])
          assert.isAbove(description?.length ?? 0, 20)
          assert.isString(annotations?.title)
        }
        const page = readFileSync(new URL("../../docs/reference/agents.md", import.meta.url), "utf8")
        assert.sameDeepMembers(
          [...page.matchAll(/^\| `(\w+)` [^|]*\|[^|]*\| (yes)? /gm)].map(([, name, reads]) => [name, reads === "yes"]),
          tools.map(({ annotations, name }) => [name, annotations?.readOnlyHint])
        )

        const get = (path: string) => expectBody(200, caller.get(path))
        const list = `/lists/${list_id}`
        const lead = { list_id, lead_id }
        for (const [name, args, path] of [
          ["list_campaigns", {}, "/campaigns?limit=20"],
          ["list_lists", { source: "batch", totals: true }, "/lists?limit=20&source=batch&totals=true"],
          ["list_lists", { review: "open" }, "/lists?limit=20&review=open"],
          ["list_status", { list_id }, list],
          ["list_leads", { list_id, review: "open" }, `${list}/leads?limit=20&review=open`],
          ["show_lead", lead, `${list}/leads/${lead_id}`],
          ["list_email_versions", { ...lead, step: 1 }, `${list}/leads/${lead_id}/emails/1/versions?limit=20`],
          ["show_playbook", { campaign_id }, `/campaigns/${campaign_id}/playbook`],
          ["route_title", { campaign_id, title: "CEO" }, `/campaigns/${campaign_id}/playbook/route?title=CEO`],
          ["list_signatures", {}, "/signatures?limit=20"],
          ["list_suppressions", {}, "/suppressions?limit=20"]
        ] as const) {
          assert.deepStrictEqual(yield* callResult(name, args), yield* get(path), name)
        }
        const text = "Work mail;Name\nbo@south.example;Bo"
        const read = yield* callResult("read_lead_file", { text, mapping: { email: ["Work mail"] }, campaign_id })
        assert.deepStrictEqual(read.rows, [{ email: "bo@south.example", name: "Bo" }])
        assert.match(
          yield* callError("read_lead_file", { text, mapping: { email: ["Mail"] } }),
          /mapping\.email.*"Mail"/
        )
        const sheets = {
          Notes: [["Nothing", "here"]],
          Leads: [
            ["Email", "Name"],
            ["ida@east.example", "Ida"]
          ]
        }
        const content_base64 = Buffer.from(xlsx(sheets)).toString("base64")
        const workbook = yield* callResult("read_lead_file", { content_base64, sheet: "Leads" })
        assert.deepStrictEqual(workbook.rows, [{ email: "ida@east.example", name: "Ida" }])
        assert.deepStrictEqual(workbook.sheets, ["Notes", "Leads"])
        const csv_base64 = Buffer.from(text).toString("base64")
        const csv = yield* callResult("read_lead_file", { content_base64: csv_base64, format: "csv" })
        assert.strictEqual(csv.rows.length, 1)
        for (const args of [{}, { text, content_base64 }]) {
          assert.match(yield* callError("read_lead_file", args), /^content_base64: give either this or text/)
        }
        assert.match(yield* callError("read_lead_file", { content_base64, sheet: "Other" }), /no sheet "Other"/)
        assert.match(yield* callError("read_lead_file", { content_base64: "no base64!" }), /content_base64/)
        const { leads } = yield* get(`${list}/export?format=json`)
        assert.deepStrictEqual(yield* callResult("export_emails", { list_id }), { leads, total: 1 })

        // The key in the other header is as good.
        const other = yield* connectAgent({ origin }, { "x-api-key": caller.key })
        assert.strictEqual((yield* other.callResult("list_lists")).total, 1)
        yield* assertConsistent
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live(
    "reviews a list and changes a playbook, and what it changed is what the API answers",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { campaign_id, lead_id, list_id, caller } = yield* reviewed
        const { callResult, callError } = yield* connectAgent({ origin }, bearer(caller))
        const lead = { list_id, lead_id }
        const subject = Effect.map(
          expectBody(200, caller.get(`/lists/${list_id}/leads/${lead_id}`)),
          ({ emails }) => emails[0].subject as string
        )

        const first = yield* subject
        assert.deepInclude(yield* callResult("edit_email", { ...lead, step: 1, subject: "Mine", version: 1 }), {
          version: 2
        })
        assert.strictEqual(yield* subject, "Mine")
        yield* callResult("restore_email", { ...lead, step: 1, version: 1 })
        assert.strictEqual(yield* subject, first)
        assert.strictEqual(
          (yield* callResult("review_lead", { ...lead, status: "approved" })).review.status,
          "approved"
        )
        assert.strictEqual((yield* callResult("review_leads", { list_id, status: "open" })).changed, 1)
        assert.match(yield* callError("send_test_mail", { ...lead, step: 1 }), /SMTP/)
        assert.strictEqual((yield* callResult("rename_list", { list_id, custom_name: "Fair" })).custom_name, "Fair")
        assert.match(yield* callError("resume_list", { list_id }), /no pending/)

        const persona = yield* callResult("add_persona", { campaign_id, name: "Plant", titles: ["Plant Manager"] })
        const at = { campaign_id, persona_id: persona.id }
        assert.strictEqual((yield* callResult("edit_persona", { ...at, name: "Works" })).name, "Works")
        assert.strictEqual((yield* callResult("route_title", { campaign_id, title: "Plant Manager" })).persona, "Works")
        const { id: job_id } = yield* callResult("redraft_playbook", at)
        const job = yield* until(callResult("show_job", { job_id }), ({ status }) => status !== "processing")
        assert.strictEqual(job.status, "completed")
        assert.deepStrictEqual(yield* callResult("remove_persona", at), { id: persona.id, deleted: true })
        const text = { subject: "Pumps", body: "How often do they stop?" }
        const { personas } = yield* callResult("show_playbook", { campaign_id })
        const { id: template_id } = yield* callResult("add_template", {
          campaign_id,
          persona_id: personas.find(({ kind }: { readonly kind: string }) => kind === "everyone_else").id,
          step: 2,
          ...text
        })
        const tried = yield* callResult("try_playbook", {
          campaign_id,
          lead: { email: "a@b.example" },
          templates: [{ template_id, ...text, subject: "Seals" }]
        })
        assert.strictEqual(tried.sequence[1].subject, "Seals")
        assert.isArray((yield* callResult("lint", text)).findings)

        assert.deepStrictEqual(yield* callResult("delete_list", { list_id }), { id: list_id, deleted: true })
        assert.strictEqual((yield* caller.get(`/lists/${list_id}`)).status, 404)
        yield* assertConsistent
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live(
    "gets the name of each argument that is wrong or that the tool does not have",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { campaign_id, lead_id, list_id, caller } = yield* reviewed
        const { callError } = yield* connectAgent({ origin }, bearer(caller))
        const lead = { email: "a@b.example" }
        for (const [name, args, says] of [
          ["list_campaigns", { limit: 0 }, /limit/],
          ["list_campaigns", { status: "ready" }, /excess property[^]*"status"/],
          ["list_lists", { totals: "yes" }, /totals/],
          ["show_campaign", { campaign_id: ".." }, /campaign_id/],
          ["show_campaign", {}, /campaign_id/],
          ["generate", { campaign_id, lead, email_count: 1 }, /^email_signature: is required unless signature_id/],
          ["generate", { campaign_id, lead: { ...lead, phone: "1" }, email_count: 1 }, /\["lead"\]\["phone"\]/],
          ["edit_email", { list_id, lead_id, step: 9, version: 1, body: "x" }, /step/],
          ["send_test_mail", { list_id, lead_id, to: "x@y.example" }, /excess property[^]*"to"/],
          ["rename_list", { list_id, custom_name: "" }, /custom_name/],
          ["lint", { subject: 1, body: "x" }, /subject/],
          ["suppress", { entries: [{ value: "nowhere" }] }, /\["entries"\]\[0\]\["value"\]/],
          ["route_title", { campaign_id, title: "a".repeat(2001) }, /title/],
          ["launch", {}, /'launch' not found/]
        ] as const) {
          assert.match(yield* callError(name, args), says, name)
        }
        assert.strictEqual((yield* expectBody(200, caller.get("/lists"))).total, 1)
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live(
    "does what its key may, in its own workspace alone, also while others call",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { lead_id, list_id, caller } = yield* reviewed
        const stranger = yield* onboardedCaller()
        yield* expectBody(201, stranger.post("/signatures", { signature_text: "Stranger" }))
        yield* expectBody(201, caller.post("/signatures", { signature_text: "Ann" }))

        const reader = yield* connectAgent({ origin }, bearer(yield* callerFor(caller.workspace, ["lists:read"])))
        assert.strictEqual((yield* reader.callResult("list_lists")).total, 1)
        for (const [name, args, scope] of [
          ["rename_list", { list_id, custom_name: "X" }, "lists:write"],
          ["delete_list", { list_id }, "lists:write"],
          ["review_lead", { list_id, lead_id, status: "approved" }, "lists:write"],
          ["list_campaigns", {}, "campaigns:read"]
        ] as const) {
          assert.strictEqual(yield* reader.callError(name, args), `This key lacks the scope ${scope}`)
        }

        const agents = {
          Ann: yield* connectAgent({ origin }, bearer(caller)),
          Stranger: yield* connectAgent({ origin }, bearer(stranger))
        }
        for (const [name, args] of [
          ["list_status", { list_id }],
          ["show_lead", { list_id, lead_id }],
          ["rename_list", { list_id, custom_name: "X" }],
          ["delete_list", { list_id }]
        ] as const) {
          assert.strictEqual(yield* agents.Stranger.callError(name, args), "No such list in this workspace")
        }
        const both = Object.entries(agents).flatMap(([name, agent]) =>
          Array.from({ length: 20 }, () =>
            Effect.map(agent.callResult("list_signatures"), ({ signatures, data = signatures }) => {
              assert.deepStrictEqual(
                data.map((each: { readonly signature_text: string }) => each.signature_text),
                [name]
              )
            })
          )
        )
        yield* Effect.all(both, { concurrency: "unbounded" })
        assert.notStrictEqual((yield* expectBody(200, caller.get(`/lists/${list_id}`))).custom_name, "X")
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live(
    "refuses the ids of another workspace in each tool that takes one, and changes nothing",
    () =>
      Effect.gen(function* () {
        const { ids, marker } = yield* createFullWorkspace("hollowell")
        const { client, call } = yield* connectAgent(
          { origin: "http://test", ...(yield* Server) },
          bearer(yield* onboardedCaller())
        )
        const filled: Record<string, unknown> = {
          message: { what_we_do: "x", problem: "x", consequence: "x", proof: "x", offer: "x", question: "x?" },
          lead: { email: "ann@b.example" },
          leads: [{ email: "ann@b.example" }],
          email_count: 1,
          email_signature: "Ann",
          subject: "x",
          body: "x",
          step: 1,
          version: 1,
          name: "x",
          titles: ["x"],
          title: "x",
          custom_name: "x",
          text: "Email\nann@b.example"
        }
        const own: Record<string, Record<string, unknown>> = {
          chat: { message: "x" },
          review_lead: { status: "approved" },
          review_leads: { status: "approved" }
        }
        const { tools } = yield* Effect.promise(() => client.listTools())
        const taking = tools.filter(({ inputSchema, name }) =>
          Object.keys(inputSchema.properties ?? {}).some((field) => field.endsWith("_id") && name !== "list_lists")
        )
        assert.isAbove(taking.length, 30)
        const before = yield* dump
        for (const { inputSchema, name } of taking) {
          const args = Object.keys(inputSchema.properties ?? {}).flatMap((field) => {
            const id = field.endsWith("_id") ? ids[field.slice(0, -3) as keyof typeof ids] : undefined
            const value = id ?? own[name]?.[field] ?? filled[field]
            // A text excludes a saved signature.
            return value === undefined || field === "signature_id" ? [] : [[field, value] as const]
          })
          const { content, isError } = yield* call(name, Object.fromEntries(args))
          assert.isTrue(isError, name)
          assert.match(content[0].text, /No such |another workspace|of this workspace/, name)
          assert.notInclude(content[0].text, marker)
        }
        assert.isTrue((yield* dump) === before)
      }).pipe(
        Effect.scoped,
        withServer({ writer: partlyFailingWriter, rate: { limit: 1_000_000, window: Duration.minutes(1) } })
      ),
    timeout
  )

  it.live("sends a test mail to the workspace's own address, once for a call", () => {
    const mails: Array<Mail> = []
    const mailer = Layer.succeed(Mailer, {
      send: (mail) => Effect.sync(() => void (mail.subject.startsWith("[Test]") && mails.push(mail)))
    })
    return Effect.gen(function* () {
      const server = yield* Server
      const { lead_id, list_id, caller } = yield* reviewed
      const { callResult, callError } = yield* connectAgent({ origin: "http://test", ...server }, bearer(caller))
      const lead = { list_id, lead_id }
      assert.deepStrictEqual(yield* callResult("send_test_mail", lead), { to: "owner@acme.example", sent: 2 })
      assert.deepStrictEqual(yield* callResult("send_test_mail", { ...lead, step: 2 }), {
        to: "owner@acme.example",
        sent: 1
      })
      assert.deepStrictEqual(
        mails.map(({ to }) => to),
        ["owner@acme.example", "owner@acme.example", "owner@acme.example"]
      )
      assert.match(yield* callError("send_test_mail", { ...lead, step: 3 }), /email/)
    }).pipe(Effect.scoped, withServer({ mailer }))
  })

  it.live("is limited with its key: each message counts, and each request of a tool", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const caller = yield* newCaller()
      const { client, callResult, callError } = yield* connectAgent(
        { origin: "http://test", ...server },
        bearer(caller)
      )
      // The handshake took two requests of the seven, and a call takes two.
      yield* callResult("list_lists")
      yield* callResult("list_lists")
      assert.match(yield* callError("list_lists"), /^Too many requests; try again in \d+ s$/)
      const refused = yield* Effect.promise(() => client.ping().catch((error) => error))
      assert.strictEqual(refused.code, 429)
      assert.include(refused.message, "RATE_LIMITED")
    }).pipe(Effect.scoped, withServer({ rate: { limit: 7, window: Duration.hours(1) }, runsWorkers: false }))
  )
})
