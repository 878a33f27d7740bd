// test/program/mcp-faults.test.ts: the client of the official SDK at /mcp of a server that is killed, starts again, or is slow.
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, request } from "node:http"
import { connectAgent } from "../support/agents.ts"
import { onboardedWorkspace, ledgerOf, options, assertConsistent } from "../support/program-workspace.ts"
import { freePort, listen } from "../support/listening.ts"
import { addressOf, killProgram, startProgram } from "../support/process.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** A server on a port that stays the same when it is started again. */
const serveAt = Effect.fnUntraced(function* (data: string, port: number) {
  const { child, stderr } = yield* startProgram(
    data,
    { OVERTURE_RATE_LIMIT: "1000000/1m" },
    "serve",
    "--port",
    `${port}`,
    "--data-dir",
    data
  )
  const url = yield* addressOf(child, stderr)
  return { child, url, log: stderr }
})

/** Passes requests on after a pause, or when the pause is over. */
const slowed = Effect.fnUntraced(function* (origin: string) {
  const state = { millis: 0, answered: 0 }
  const server = createServer((incoming, response) => {
    const { headers, method = "", url = "" } = incoming
    const { millis } = state
    const onward = request(`${origin}${url}`, { method, headers, agent: false }, (answer) => {
      state.answered++
      setTimeout(() => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }, millis)
    })
    onward.on("error", () => response.destroy())
    response.on("error", () => onward.destroy())
    incoming.pipe(onward)
  })
  const { port } = yield* listen(server)
  return { state, url: `http://127.0.0.1:${port}` }
})

const failureOf = (call: () => Promise<unknown>) =>
  Effect.promise(() =>
    call().then(
      () => assert.fail("The call did not fail"),
      (error: unknown) => error
    )
  )

const timeout = 180_000

describe("the client of the official SDK", () => {
  it.live(
    "learns at once that a server was killed, and calls on without a new handshake when it is back, paying once",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const port = yield* Effect.promise(freePort)
        let server = yield* serveAt(data, port)
        const api = () => apiClient(server.url, key)
        const campaign_id = yield* buildCampaign(api())
        const made = yield* api().send("POST", `/campaigns/${campaign_id}/generate`, {
          lead: { email: "ann@south.example", name: "Ann", company: "South" },
          options
        })
        const list_id: string = made.body.list_id
        const leads = Effect.suspend(() => api().send("GET", `/lists/${list_id}/leads`))
        const lead_id: string = (yield* leads).body.data[0].id
        const { call, client, callResult } = yield* connectAgent(
          { origin: server.url },
          { authorization: `Bearer ${key}` }
        )
        assert.strictEqual((yield* callResult("list_status", { list_id })).id, list_id)

        // Killed while it works: the answer is lost, and whether anything was done is unknown.
        const before = (yield* ledgerOf(data, workspace)).balance
        const at = { list_id, lead_id, step: 1, idempotency_key: "monday" }
        const lost = Effect.promise(() => client.callTool({ name: "rewrite_emails", arguments: at }).catch(String))
        yield* Effect.all([lost, Effect.delay(killProgram(server), "15 millis")], { concurrency: 2 })
        const began = Date.now()
        const refused = yield* failureOf(() => client.callTool({ name: "list_lists", arguments: {} }))
        assert.match(String(refused), /fetch failed/)
        assert.isBelow(Date.now() - began, 5000)

        server = yield* serveAt(data, port)
        assert.strictEqual((yield* callResult("list_status", { list_id })).id, list_id)
        // The same call under the same key: a killed request holds the key for at most half a minute.
        const rewritten = yield* until(call("rewrite_emails", at), ({ isError }) => isError !== true)
        assert.strictEqual(rewritten.structuredContent.emails[0].version, 2)
        const again = yield* callResult("rewrite_emails", at)
        assert.strictEqual(again.emails[0].version, 2)
        assert.strictEqual((yield* ledgerOf(data, workspace)).balance, before - 1)
        yield* killProgram(server)
        yield* assertConsistent(data)
      }),
    timeout
  )

  it.live(
    "gives up a slow call after the time that it allows, and the next call is answered",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        const server = yield* serveAt(data, 0)
        const { state, url } = yield* slowed(server.url)
        const { client, callResult } = yield* connectAgent({ origin: url }, { authorization: `Bearer ${key}` })
        state.millis = 3000
        const entries = [{ value: "north.example" }]
        const late: unknown = yield* failureOf(() =>
          client.callTool({ name: "suppress", arguments: { entries } }, undefined, { timeout: 500 })
        )
        assert.instanceOf(late, McpError)
        assert.strictEqual((late as McpError).code, ErrorCode.RequestTimeout)
        yield* until(
          Effect.sync(() => state.answered),
          (count) => count >= 3
        )
        // The call was carried out all the same, and a repeated one says so.
        state.millis = 0
        assert.deepStrictEqual(yield* callResult("suppress", { entries }), { added: 0, already: 1 })
        // A slow answer within the limit is as good as a quick one.
        state.millis = 1500
        assert.strictEqual((yield* callResult("list_suppressions")).total, 1)
      }),
    timeout
  )
})
