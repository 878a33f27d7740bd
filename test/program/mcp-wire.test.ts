// test/program/mcp-wire.test.ts: what an attacker, a broken client or a lost connection may try at /mcp.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import type { Client } from "#client/Client.ts"
import { StorageBackends } from "#layers/Files.ts"
import * as InDirectory from "#layers/files/DirectoryStorage.ts"
import { Links } from "#layers/Links.ts"
import { maxRowsWithoutFile } from "#layers/lists/Exports.ts"
import { make } from "#src/mcp/StreamableHttp.ts"
import { connectAgent, toolCallMessage, messageSender, ping } from "../support/agents.ts"
import { expectBody } from "../support/answers.ts"
import { newCaller, json, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { collector, spansOf, stringsOf } from "../support/collector.ts"
import { onboardedWorkspace } from "../support/program-workspace.ts"
import { balanceOf, exportLeads, waitForList, startBatch, makeLeads } from "../support/lists.ts"
import { serve, temporaryFolder } from "../support/process.ts"
import { Server, withServer, assertConsistent, withWorkers } from "../support/server.ts"
import * as SocketServer from "../support/socket.ts"
import { until } from "../support/until.ts"
import { fakeWriter } from "../support/writer.ts"

const { Socket } = SocketServer

const timeout = 120_000
const campaign = "01890000-0000-7000-8000-000000000000"
const MiB = 1024 * 1024

const now = "2026-07-28"

/** A call in the version that needs no handshake. */
const modern = (name: string) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": now,
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  const call = toolCallMessage(name)
  return {
    headers: { "mcp-protocol-version": now, "mcp-method": "tools/call", "mcp-name": name },
    payload: { ...call, params: { ...call.params, _meta } }
  }
}

/** Files in a folder, as the program has them. */
const filesInFolder = Layer.effect(
  StorageBackends,
  Effect.gen(function* () {
    const directory = yield* InDirectory.make(yield* temporaryFolder)
    return { defaultBackend: "directory" as const, directory }
  })
).pipe(Layer.provide(NodeServices.layer))

const socket = <A, E>(test: Effect.Effect<A, E, any>) =>
  test.pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer)) as Effect.Effect<A, E>

describe("a message to /mcp", () => {
  it.live("is accepted only with a key in a header", () =>
    socket(
      Effect.gen(function* () {
        const { origin } = yield* Socket
        yield* (yield* Links).setListeningUrl(origin)
        const caller = yield* newCaller()
        const send = messageSender(origin, caller.key)
        assert.strictEqual((yield* send(ping)).status, 200)
        const without = { authorization: "" }
        for (const headers of [
          without,
          { authorization: "Bearer" },
          { authorization: `Basic ${caller.key}` },
          { authorization: `Bearer ${caller.key}x` },
          { ...without, "x-api-key": caller.key },
          { "x-api-key": `${caller.key}x` },
          { "mcp-session-id": caller.key, ...without }
        ]) {
          const answer = yield* send(ping, headers)
          assert.deepStrictEqual([answer.status, answer.body.error], [401, "UNAUTHORIZED"], JSON.stringify(headers))
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
          assert.hasAllKeys(answer.body, ["error", "message", "request_id"])
        }
        const inUrl = yield* Effect.promise(() =>
          fetch(`${origin}/mcp?key=${caller.key}&authorization=Bearer%20${caller.key}`, {
            method: "POST",
            ...json(ping)
          })
        )
        assert.strictEqual(inUrl.status, 401)

        // The cookie of a session counts on the page's own endpoints, and not here.
        const page = { origin, "x-overture-session": "1", "content-type": "application/json" }
        const signedIn = yield* (yield* Server).send("POST", "/session", {
          ...json({ key: caller.key }),
          headers: page
        })
        const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
        assert.strictEqual((yield* (yield* Server).send("GET", "/lists", { headers: { ...page, cookie } })).status, 200)
        const byCookie = yield* Effect.promise(() =>
          fetch(`${origin}/mcp`, { method: "POST", ...json(ping), headers: { ...page, cookie } })
        )
        assert.strictEqual(byCookie.status, 401)
        // A cookie beside a key changes nothing.
        assert.strictEqual((yield* send(ping, { cookie })).status, 200)
      })
    )
  )

  it.live("of a page is refused unless its origin is the server's own or named by the operator", () =>
    Effect.gen(function* () {
      const named = "https://page.example"
      const { fetch } = yield* Server
      const { key } = yield* newCaller()
      yield* (yield* Links).setListeningUrl("http://127.0.0.1:4100")
      const send = (method: string, headers: Record<string, string>) =>
        Effect.promise(() =>
          fetch(
            new Request("http://evil.example:4100/mcp", {
              method,
              headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
              ...(method === "POST" ? { body: JSON.stringify(ping) } : {})
            })
          )
        )
      for (const origin of [
        "http://evil.example:4100",
        "http://evil.example",
        "https://page.example.evil.example",
        "http://page.example",
        "http://127.0.0.1:4101",
        "https://127.0.0.1:4100",
        "http://localhost:4100",
        "null",
        "",
        `${named}, http://evil.example`
      ]) {
        // A page that gave its own name this server's address (DNS rebinding) sends that name as Host, too.
        for (const method of ["POST", "GET", "DELETE"]) {
          const answer = yield* send(method, { origin, host: "evil.example:4100", "sec-fetch-site": "same-origin" })
          assert.strictEqual(answer.status, 403, `${method} ${origin}`)
          assert.propertyVal(yield* Effect.promise(() => answer.json()), "error", "FORBIDDEN")
        }
      }
      for (const origin of [named, "http://127.0.0.1:4100"]) {
        assert.strictEqual((yield* send("POST", { origin })).status, 200, origin)
      }
      assert.strictEqual((yield* send("POST", { origin: named })).headers.get("access-control-allow-origin"), named)
    }).pipe(withServer({ origins: ["https://page.example"], runsWorkers: false }))
  )

  it.live("is a POST of one message: there is no stream to open and no session to end", () =>
    socket(
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { key } = yield* newCaller()
        for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
          const answer = yield* Effect.promise(() =>
            fetch(`${origin}/mcp`, { method, headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" } })
          )
          assert.deepStrictEqual([answer.status, answer.headers.get("allow")], [405, "POST"], method)
        }
        for (const path of ["/mcp/", "/MCP", "//mcp", "/mcp/x", "/mc%70", "/api/v1/mcp"]) {
          const answer = yield* Effect.promise(() => fetch(`${origin}${path}`, { method: "POST", ...json(ping) }))
          assert.strictEqual(answer.status, 404, path)
        }
        const send = messageSender(origin, key)
        for (const [sent, says] of [
          ["{", /not valid JSON/],
          ["", /JSON/],
          ["null", /not a message/],
          ["[]", /Batches/],
          [[ping, ping], /Batches/],
          [{}, /"jsonrpc"/],
          [{ ...ping, jsonrpc: "1.0" }, /"jsonrpc"/],
          [{ ...ping, id: null }, /"id"/],
          [{ ...ping, id: { a: 1 } }, /"id"/],
          [{ jsonrpc: "2.0", id: 1 }, /"method"/],
          [`{"jsonrpc":"2.0","id":1,"method":"ping","x":${"[".repeat(70)}${"]".repeat(70)}}`, /nested deeper/],
          [`{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\u0000"}`, /NUL/],
          [`{"jsonrpc":"2.0","id":1,"method":"ping","x":[${"0,".repeat(200_000)}0]}`, /too many values/],
          [JSON.stringify({ ...ping, x: "a".repeat(MiB) }), /at most 1 MiB/]
        ] as const) {
          const answer = yield* send(sent)
          assert.strictEqual(answer.body?.error, "BAD_REQUEST", answer.text.slice(0, 200))
          assert.match(answer.body.message, says)
        }
        const typed = yield* send(ping, { "content-type": "text/plain" })
        assert.match(typed.body.message, /Content-Type/)
        // Without a length the body is cut off where it is too long.
        const chunks = ["{", `"x":"${"a".repeat(2 * MiB)}"}`]
        const sent = chunks.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join("")
        const answer = yield* (yield* Socket).exchange([
          `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
            `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${sent}0\r\n\r\n`
        ])
        assert.match(answer, /^HTTP\/1\.1 400 /)
        assert.strictEqual((yield* send(ping)).status, 200)
      })
    )
  )

  it.live("is answered in JSON-RPC, by the version that it names and in each that the server has", () =>
    socket(
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const send = messageSender(origin, (yield* newCaller()).key)
        const clientInfo = { name: "agent", version: "1.0.0" }
        for (const protocolVersion of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
          const params = { protocolVersion, capabilities: {}, clientInfo }
          const hello = yield* send({ jsonrpc: "2.0", id: "a", method: "initialize", params })
          assert.deepInclude(hello.body, { jsonrpc: "2.0", id: "a" })
          assert.deepInclude(hello.body.result, { protocolVersion })
          assert.isNull(hello.headers.get("mcp-session-id"))
          const headers = { "mcp-protocol-version": protocolVersion, "mcp-session-id": "left-by-another-server" }
          const initialized = yield* send({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)
          assert.deepStrictEqual([initialized.status, initialized.text], [202, ""])
          const listed = yield* send(toolCallMessage("list_lists"), headers)
          assert.deepStrictEqual(JSON.parse(listed.body.result.content[0].text), {
            lists: [],
            has_more: false,
            total: 0
          })
        }
        // The version without a handshake says with each message what it is.
        const { headers, payload } = modern("list_lists")
        assert.strictEqual((yield* send(payload, headers)).body.result.structuredContent.total, 0)
        const misnamed = yield* send(payload, { ...headers, "mcp-name": "delete_list" })
        assert.deepStrictEqual([misnamed.status, misnamed.body.id], [400, 1])

        const unknown = yield* send(ping, { "mcp-protocol-version": "1999-01-01" })
        assert.deepStrictEqual([unknown.status, unknown.body.error.data.requested], [400, "1999-01-01"])
        assert.strictEqual((yield* send({ ...ping, method: "nope" })).body.error.code, -32601)
        assert.strictEqual((yield* send({ ...ping, method: "tools/call" })).body.error.code, -32602)
        // An injected header ends in the client's own library, and an encoded one is a wrong key.
        assert.strictEqual((yield* send(ping, { authorization: "Bearer a%0d%0aX-Api-Key:%20b" })).status, 401)
      })
    )
  )
})

describe("a call at /mcp", () => {
  it.live(
    "whose connection breaks is done once, and the server answers others",
    () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const released = yield* Deferred.make<void>()
        const sequence: (typeof fakeWriter)["sequence"] = (...asked) =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Deferred.await(released)),
            Effect.andThen(fakeWriter.sequence(...asked))
          )
        yield* Effect.gen(function* () {
          const { exchange, origin } = yield* Socket
          const caller = yield* onboardedCaller()
          const campaign_id = yield* builtCampaign(caller)
          const before = yield* balanceOf(caller)
          const lead = { email: "ann@south.example" }
          const sent = JSON.stringify(
            toolCallMessage("generate", { campaign_id, lead, email_count: 1, email_signature: "Ann" })
          )
          const lost = yield* Effect.forkChild(
            exchange([
              `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${caller.key}\r\nContent-Type: application/json\r\n` +
                `Content-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`
            ])
          )
          yield* Deferred.await(begun)
          // The socket is destroyed with the fiber.
          yield* Fiber.interrupt(lost)
          const send = messageSender(origin, caller.key)
          assert.strictEqual((yield* send(ping)).status, 200)
          yield* Deferred.succeed(released, undefined)
          const { lists } = yield* until(expectBody(200, caller.get("/lists")), ({ lists }) =>
            lists.some((list: { readonly processing_status: string }) => list.processing_status === "completed")
          )
          assert.lengthOf(lists, 1)
          assert.strictEqual(yield* balanceOf(caller), before - 1)
          yield* assertConsistent
        }).pipe(withWorkers({ sequence }), Effect.scoped, Effect.provide(SocketServer.layer))
      }),
    timeout
  )

  for (const version of ["2025-11-25", now]) {
    it.live(`of ${version} is interrupted with the request that it came in`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<void>()
        const hanging = Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
        const client = { campaigns: { listCampaigns: () => hanging } } as unknown as Client
        const { dispose, exchange } = make(client, Context.empty())
        const message =
          version === now ? modern("list_campaigns") : { headers: {}, payload: toolCallMessage("list_campaigns") }
        const asked = yield* Effect.forkChild(exchange(message, Context.empty()))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(asked)
        yield* Deferred.await(ended)
        yield* Effect.promise(dispose)
      })
    )
  }

  it.live(
    "with a large body waits for no other, however many come at once",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const { key } = yield* newCaller({ plan: "internal" })
        const send = messageSender(origin, key)
        const reason = "a".repeat(500)
        const entries = Array.from({ length: 130 }, (_, i) => ({ value: `host${i}.example`, reason }))
        const message = toolCallMessage("suppress", { entries })
        // Smaller bodies are read without waiting, and so many of these fill the memory of a workspace.
        assert.isAbove(JSON.stringify(message).length, 64 * 1024)
        const answers = yield* Effect.forEach(Array.from({ length: 250 }), () => send(message), {
          concurrency: "unbounded"
        })
        for (const { body, status } of answers) {
          assert.strictEqual(status, 200)
          assert.isFalse(body.result.isError, JSON.stringify(body.result.content))
        }
      }).pipe(Effect.scoped, Effect.provide(SocketServer.layer)),
    timeout
  )

  it.live("whose form is refused half read ends without ending the process", () =>
    socket(
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const send = messageSender(origin, (yield* newCaller()).key)
        // More than a part of the form may hold, and much more is still to come.
        const mapping = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`field${at}`, ["Email"]]))
        const text = `Email\n${"ann@north.example\n".repeat(30_000)}`
        const { body } = yield* send(toolCallMessage("read_lead_file", { text, mapping }))
        assert.match(body.result.content[0].text, /more than a file of leads/)
        assert.strictEqual((yield* send(ping)).status, 200)
      })
    )
  )

  it.live("leaves no session in the library", () =>
    Effect.gen(function* () {
      const methods: Array<string> = []
      const Real = globalThis.Request
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          globalThis.Request = class extends Real {
            constructor(...given: ConstructorParameters<typeof Real>) {
              super(...given)
              methods.push(this.method)
            }
          }
        }),
        () => Effect.sync(() => (globalThis.Request = Real))
      )
      const { dispose, exchange } = make({} as Client, Context.empty())
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } }
      const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params }
      assert.strictEqual((yield* exchange({ headers: {}, payload: hello }, Context.empty())).status, 200)
      assert.deepStrictEqual(methods.splice(0), ["POST", "DELETE"])
      // The header of the version without sessions does not keep the handshake of an earlier one from opening a session.
      const named = { "mcp-protocol-version": now }
      assert.strictEqual((yield* exchange({ headers: named, payload: hello }, Context.empty())).status, 200)
      assert.deepStrictEqual(methods.splice(0), ["POST", "DELETE"])
      assert.strictEqual((yield* exchange({ headers: {}, payload: ping }, Context.empty())).status, 200)
      assert.deepStrictEqual(methods.splice(0), ["POST", "POST", "DELETE"])
      yield* Effect.promise(dispose)
    }).pipe(Effect.scoped)
  )

  it.live(
    "exports a list from its file, of which each piece is read into the same memory",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const caller = yield* onboardedCaller({ plan: "internal" })
        const campaign_id = yield* builtCampaign(caller)
        const list_id = yield* startBatch(caller, campaign_id, makeLeads(maxRowsWithoutFile + 1))
        yield* waitForList(caller, list_id)
        const files = SqlClient.SqlClient.use((sql) => sql`SELECT format FROM list_files WHERE list_id = ${list_id}`)
        yield* until(files, ({ length }) => length === 2)
        const { callResult } = yield* connectAgent({ origin }, { "x-api-key": caller.key })
        const [last] = (yield* exportLeads(caller, list_id)).slice(-1)
        assert.deepStrictEqual(yield* callResult("export_emails", { list_id, offset: maxRowsWithoutFile }), {
          leads: [last],
          total: maxRowsWithoutFile + 1
        })
      }).pipe(
        withWorkers({
          sequence: (asked) =>
            Effect.map(fakeWriter.sequence(asked), (emails) =>
              emails.map((email) => ({ ...email, body: `${email.body} ${"a".repeat(10_000)}` }))
            )
        }),
        Effect.scoped,
        Effect.provide(Layer.provide(SocketServer.layer, filesInFolder))
      ),
    timeout
  )

  it.live(
    "is refused for a list that is too long to hold in memory, and says where to ask for it",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* Socket
        const caller = yield* onboardedCaller({ plan: "internal" })
        const campaign_id = yield* builtCampaign(caller)
        const list_id = yield* startBatch(caller, campaign_id, makeLeads(90))
        yield* waitForList(caller, list_id)
        const { callResult, callError } = yield* connectAgent({ origin }, { "x-api-key": caller.key })
        assert.match(yield* callError("export_emails", { list_id }), /larger than 8 MiB[^]*over HTTP/)
        assert.lengthOf((yield* callResult("list_leads", { list_id, limit: 2 })).data, 2)
      }).pipe(
        withWorkers({
          sequence: (asked) =>
            Effect.map(fakeWriter.sequence(asked), (emails) =>
              emails.map((email) => ({ ...email, body: `${email.body} ${"a".repeat(100_000)}` }))
            )
        }),
        Effect.scoped,
        Effect.provide(SocketServer.layer)
      ),
    timeout
  )

  it.live(
    "is in the log as the requests that it made, without what was said",
    () =>
      Effect.gen(function* () {
        const { data, key, key_id, workspace } = yield* onboardedWorkspace
        const server = yield* serve(data)
        const send = messageSender(server.url, key)
        const answer = yield* send(toolCallMessage("suppress", { entries: [{ value: "zebulon@quagmire.example" }] }))
        assert.deepStrictEqual(JSON.parse(answer.body.result.content[0].text), { added: 1, already: 0 })
        yield* send(
          toolCallMessage("lint", { subject: "Brachiating", body: "Vellichor {{", absquatulate: "callipygian" })
        )
        yield* send(toolCallMessage("show_campaign", { campaign_id: "widdershins" }))
        yield* send(toolCallMessage("nudiustertian"))
        yield* send(`{"jsonrpc":"2.0","id":1,"method":"fizgig","params":{"a":"borborygmus"}}`)
        yield* send(ping, { authorization: "Bearer ovk_oxpecker" })
        yield* Effect.promise(() => fetch(`${server.url}/mcp?key=${key}`, { method: "POST", ...json(ping) }))
        const id = answer.headers.get("x-request-id") ?? ""
        yield* until(
          Effect.sync(() => server.log()),
          (log) => log.split("\n").filter((line) => line.includes('"/mcp"')).length === 7
        )
        const lines = server
          .log()
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        const made = lines
          .filter(({ request_id }) => request_id === id)
          .map(({ method, route, status, workspace, key }) => [method, route, status, workspace, key])
        assert.sameDeepMembers(made, [
          ["POST", "/mcp", 200, workspace, key_id],
          ["POST", "/api/v1/suppressions", 200, workspace, key_id]
        ])
        for (const word of [
          key,
          "zebulon",
          "quagmire",
          "Brachiating",
          "Vellichor",
          "absquatulate",
          "callipygian",
          "widdershins",
          "nudiustertian",
          "fizgig",
          "borborygmus",
          "oxpecker"
        ]) {
          assert.notInclude(server.log(), word)
        }
      }).pipe(Effect.scoped),
    timeout
  )

  it.live(
    "is one trace with what it did, and says nothing of it",
    () =>
      Effect.gen(function* () {
        const { deliveries, url } = yield* collector()
        const { data, key } = yield* onboardedWorkspace
        const server = yield* serve(data, {
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
        })
        const send = messageSender(server.url, key)
        assert.strictEqual(
          (yield* send(toolCallMessage("list_leads", { list_id: campaign, q: "zebulon" }))).status,
          200
        )
        assert.strictEqual((yield* send(toolCallMessage("list_lists"))).status, 200)
        const gone = once(server.child, "exit")
        server.child.kill("SIGTERM")
        yield* Effect.promise(() => gone)
        const spans = spansOf(deliveries)
        const message = spans.filter(({ kind, name }) => kind === 2 && name === "POST /mcp")
        assert.lengthOf(message, 2)
        const listed = spans.filter(({ name }) => name === "Lists.leads")
        assert.deepStrictEqual(
          listed.map(({ traceId }) => traceId),
          [message[0]?.traceId]
        )
        for (const { body: sent } of deliveries) {
          const strings = stringsOf(JSON.parse(sent.toString()))
          for (const word of [key, "zebulon", "in-process"]) assert.notInclude(strings, word)
        }
      }).pipe(Effect.scoped),
    timeout
  )
})
