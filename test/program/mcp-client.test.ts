// test/program/mcp-client.test.ts: the tools for agents, as the client of the official SDK meets them: it checks each answer against the tool's own schema.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { expectBody } from "../support/answers.ts"
import { type Caller, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { command } from "../support/command.ts"
import { listen } from "../support/listening.ts"
import { waitForList, startBatch } from "../support/lists.ts"
import { temporaryFolder } from "../support/process.ts"
import { assertConsistent, withWorkers } from "../support/server.ts"
import * as SocketServer from "../support/socket.ts"

const { Socket } = SocketServer

const main = new URL("../../src/main.ts", import.meta.url).pathname

/** Where the commands find this server and the caller's key. */
const settings = Effect.fnUntraced(function* (caller: Caller, origin: string) {
  const data = yield* temporaryFolder
  writeFileSync(`${data}/.env`, `OVERTURE_URL=${origin}\nOVERTURE_API_KEY=${caller.key}\n`)
  return data
})

/** An agent that has started `overture mcp`, until the scope closes. */
const agent = Effect.fnUntraced(function* (data: string) {
  const client = new Client({ name: "agent", version: "1.0.0" })
  yield* Effect.acquireRelease(
    Effect.promise(() =>
      client.connect(new StdioClientTransport({ command: process.execPath, args: [main, "mcp", "--data-dir", data] }))
    ),
    () => Effect.promise(() => client.close())
  )
  const call = (name: string, args: Record<string, unknown> = {}): Effect.Effect<any> =>
    Effect.promise(() => client.callTool({ name, arguments: args }))
  /** What is said of a call that cannot be made. */
  const refusal = (name: string, args: Record<string, unknown>) =>
    Effect.matchEffect(
      Effect.tryPromise(() => client.callTool({ name, arguments: args })),
      {
        onFailure: ({ cause }) => Effect.succeed(String(cause)),
        onSuccess: (result) =>
          Effect.sync(() => {
            const { content, isError } = CallToolResultSchema.parse(result)
            assert.isTrue(isError, "the call was not refused")
            return content.map((each) => (each.type === "text" ? each.text : "")).join("\n")
          })
      }
    )
  return { client, call, refusal }
})

/** Passes requests on to a server, and cuts off the answers to as many rewrites as are left. */
const cutting = Effect.fnUntraced(function* (origin: string) {
  const cuts = { left: 0, keys: [] as Array<string | undefined> }
  const server = createServer((incoming, response) => {
    const { headers, method = "", url = "" } = incoming
    const isRewrite = url.endsWith("/rewrite")
    if (isRewrite) cuts.keys.push(headers["idempotency-key"]?.toString())
    const onward = request(`${origin}${url}`, { method, headers, agent: false }, (answer) => {
      if (isRewrite && cuts.left > 0) {
        cuts.left--
        answer.resume().on("end", () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    incoming.pipe(onward)
  })
  const { port } = yield* listen(server)
  return { url: `http://127.0.0.1:${port}`, cuts }
})

/** A list of one lead that was written to, and its path. */
const reviewed = Effect.gen(function* () {
  const caller = yield* onboardedCaller()
  const campaign_id = yield* builtCampaign(caller)
  const list_id = yield* startBatch(caller, campaign_id, [
    { email: "ann@south.example", name: "Ann", company: "South" }
  ])
  yield* waitForList(caller, list_id)
  const [{ id: lead_id }] = (yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))).data
  return { caller, campaign_id, list_id: String(list_id), lead_id: String(lead_id) }
})

const used = (caller: Caller) =>
  Effect.map(expectBody(200, caller.get("/credits")), ({ usage }) => usage.credits_used_this_period as number)

const timeout = 180_000

describe("the client of the official SDK", () => {
  it.live(
    "lists the tools, reads and writes, and gets the name of a wrong argument",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { campaign_id, lead_id, list_id, caller } = yield* reviewed
        const { call, client, refusal } = yield* agent(yield* settings(caller, origin))
        assert.deepInclude(client.getServerVersion(), { name: "overture" })
        assert.include(client.getInstructions(), "cold-email")
        const { tools } = yield* Effect.promise(() => client.listTools())
        const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations
        assert.lengthOf(tools, 43)
        assert.deepInclude(hints("list_campaigns"), { readOnlyHint: true })
        assert.deepInclude(hints("suppress"), { readOnlyHint: false, destructiveHint: false })
        for (const name of [
          "delete_list",
          "delete_suppression",
          "redraft_playbook",
          "remove_persona",
          "remove_template",
          "reset_template"
        ]) {
          assert.deepInclude(hints(name), { readOnlyHint: false, destructiveHint: true })
        }

        const campaigns = yield* call("list_campaigns", { limit: 1 })
        assert.deepStrictEqual(campaigns.structuredContent, yield* expectBody(200, caller.get("/campaigns?limit=1")))
        assert.strictEqual(JSON.parse(campaigns.content[0].text).campaigns[0].id, campaign_id)
        assert.deepStrictEqual(
          (yield* call("show_lead", { list_id, lead_id })).structuredContent,
          yield* expectBody(200, caller.get(`/lists/${list_id}/leads/${lead_id}`))
        )

        // Only approved leads, and none who was suppressed since.
        const exported = Effect.map(
          call("export_emails", { list_id, review: "approved" }),
          ({ structuredContent }) => structuredContent.total
        )
        assert.strictEqual(yield* exported, 0)
        yield* call("review_lead", { list_id, lead_id, status: "approved" })
        assert.strictEqual(yield* exported, 1)
        assert.deepStrictEqual((yield* call("suppress", { entries: [{ value: "south.example" }] })).structuredContent, {
          added: 1,
          already: 0
        })
        assert.strictEqual(yield* exported, 0)
        assert.strictEqual((yield* call("export_emails", { list_id })).structuredContent.total, 1)

        // A template is edited, reset and removed.
        const { personas } = (yield* call("show_playbook", { campaign_id })).structuredContent
        const { id: persona_id, templates } = personas[0]
        const own = { persona_id, step: 2, subject: "Pumps", body: "How often do they stop?" }
        const { id: template_id } = (yield* call("add_template", { campaign_id, ...own })).structuredContent
        const first = templates[0]
        yield* call("edit_template", {
          campaign_id,
          template_id: first.id,
          subject: "Seals",
          body: "How old are they?"
        })
        const reset = (yield* call("reset_template", { campaign_id, template_id: first.id })).structuredContent
        assert.deepStrictEqual([reset.subject, reset.edited], [first.subject, false])
        const removed = (yield* call("remove_template", { campaign_id, template_id })).structuredContent
        assert.deepStrictEqual(removed, { id: template_id, deleted: true })
        const left = (yield* call("show_playbook", { campaign_id })).structuredContent.personas[0].templates
        assert.notInclude(
          left.map(({ id }: { readonly id: string }) => id),
          template_id
        )
        assert.match(yield* refusal("remove_template", { campaign_id, template_id }), /template/)

        for (const [name, args, says] of [
          ["list_campaigns", { limit: 0 }, /limit/],
          ["list_campaigns", { limit: 1, status: "ready" }, /status/],
          ["export_emails", { list_id, review: "rejected" }, /review/],
          ["edit_email", { list_id, lead_id, step: 9, version: 1, body: "x" }, /step/],
          ["rewrite_emails", { list_id, lead_id, idempotency_key: "two words" }, /idempotency_key/],
          ["suppress", { entries: [{ value: "nowhere" }] }, /\["entries"\]\[0\]\["value"\]/],
          ["remove_template", { campaign_id }, /template_id/]
        ] as const) {
          assert.match(yield* refusal(name, args), says)
        }
        yield* assertConsistent
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live(
    "pays once for a rewrite whose answer got lost on the way, and for one that it repeats under its own key",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { lead_id, list_id, caller } = yield* reviewed
        const { cuts, url } = yield* cutting(origin)
        const data = yield* settings(caller, url)
        const { call } = yield* agent(data)
        const start = yield* used(caller)
        const at = { list_id, lead_id, step: 1 }
        const version = Effect.map(
          expectBody(200, caller.get(`/lists/${list_id}/leads/${lead_id}`)),
          ({ emails }) => emails[0].version as number
        )

        cuts.left = 2
        const { structuredContent } = yield* call("rewrite_emails", at)
        assert.strictEqual(structuredContent.emails[0].version, 2)
        assert.lengthOf(cuts.keys, 3)
        assert.strictEqual(new Set(cuts.keys).size, 1)
        assert.match(cuts.keys[0] ?? "", /^[0-9a-f-]{36}$/)
        assert.deepStrictEqual([yield* version, (yield* used(caller)) - start], [2, 1])

        // The command does the same, and shows what a run with that key wrote.
        const path = `/lists/${list_id}/leads/${lead_id}/emails/1`
        yield* expectBody(200, caller.patch(path, { body: "Mine", version: 2 }))
        cuts.left = 1
        const rewrite = ["rewrite", list_id, lead_id, "--step", "1"]
        assert.deepStrictEqual((yield* command(data, ...rewrite, "--idempotency-key", "monday")).code, 0)
        assert.deepStrictEqual([yield* version, (yield* used(caller)) - start], [4, 2])
        yield* expectBody(200, caller.patch(path, { body: "Mine again", version: 4 }))
        const again = yield* command(data, ...rewrite, "--idempotency-key", "monday")
        assert.include(again.stdout, "version 4")
        assert.strictEqual((yield* used(caller)) - start, 2)
        yield* call("rewrite_emails", { ...at, idempotency_key: "tuesday" })
        yield* call("rewrite_emails", { ...at, idempotency_key: "tuesday" })
        assert.deepStrictEqual([yield* version, (yield* used(caller)) - start], [6, 3])
        yield* assertConsistent
      }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )
})
