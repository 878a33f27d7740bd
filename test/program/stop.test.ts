// test/program/stop.test.ts: a real server that is asked to stop while all kinds of work are in progress.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { DatabaseSync } from "node:sqlite"
import * as Database from "#layers/Database.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { Readiness } from "#layers/operations/Readiness.ts"
import { onboardedWorkspace, ledgerOf, assertConsistent } from "#test/support/program-workspace.ts"
import { rawServer } from "#test/support/model.ts"
import { runSql, openIdleConnection, dataDirectory, serve, type Server } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

/** Sends the signal, and returns the exit code and the signal that ended the process. */
const sendSignal = (server: Server, signal: NodeJS.Signals) =>
  Effect.suspend(() => {
    const exit = once(server.child, "exit")
    server.child.kill(signal)
    return Effect.promise(() => exit)
  }).pipe(Effect.timeoutOrElse({ duration: "60 seconds", orElse: () => Effect.die("The server does not stop") }))

/** Log lines of a level other than INFO. */
const problemLines = (server: Server) =>
  server
    .log()
    .split("\n")
    .filter((line) => line !== "" && !/"level":"INFO"/.test(line))

const options = { email_count: 2, email_signature: "Piotr" }
const makeLeads = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `lead${i}@company${i}.example` }))

describe("a server that is asked to stop", () => {
  it.live(
    "stops in the middle of all kinds of work, and loses none of it",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const firstServer = yield* serve(data)
        const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
        const batch = { leads: makeLeads(30), options }
        const completedBatch = yield* apiClient(firstServer.url, key).send(
          "POST",
          `/campaigns/${campaign}/generate-batch`,
          batch
        )
        yield* until(
          apiClient(firstServer.url, key).send("GET", `/lists/${completedBatch.body.list_id}`),
          ({ body }) => "completed_at" in body
        )
        assert.deepStrictEqual(yield* sendSignal(firstServer, "SIGTERM"), [0, null])
        // A socket buffers less than this for a client that does not read.
        const longSequence = [
          { step: 1, subject: "S", body: "0".repeat(1_000_000) },
          { step: 2, subject: "S", body: "B" }
        ]
        yield* runSql(data, `UPDATE leads SET sequence = '${JSON.stringify(longSequence)}'`)

        const model = yield* rawServer(undefined)
        const secondServer = yield* serve(data, {
          OVERTURE_GENERATOR: "openai",
          OPENAI_BASE_URL: model.url,
          OVERTURE_LOG_FORMAT: "json"
        })
        const api = apiClient(secondServer.url, key)
        const openRequests = yield* Effect.forkChild(
          Effect.all(
            [
              api.send("POST", `/campaigns/${campaign}/generate`, { lead: { email: "one@lead.example" }, options }),
              api.send("POST", `/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }),
              api.send("POST", "/agent/chat", { message: "What do we sell?", campaign_id: campaign })
            ],
            { concurrency: "unbounded" }
          )
        )
        const secondBatch = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, batch)
        assert.strictEqual(secondBatch.status, 202)
        const requestHead = (line: string, moreHeaders = "") =>
          `${line} HTTP/1.1\r\nHost: overture\r\nAuthorization: Bearer ${key}\r\n${moreHeaders}\r\n`
        yield* openIdleConnection(secondServer, "")
        yield* openIdleConnection(secondServer, "GET /api/v1/health HTTP/1.1\r\nHost: over")
        yield* openIdleConnection(secondServer, requestHead("GET /api/v1/health"))
        yield* openIdleConnection(
          secondServer,
          requestHead(`GET /api/v1/lists/${completedBatch.body.list_id}/export?format=csv`)
        )
        yield* openIdleConnection(
          secondServer,
          requestHead(
            "POST /api/v1/workspace/imports/document",
            "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n"
          ) + '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nWe are'
        )
        yield* openIdleConnection(
          secondServer,
          requestHead("POST /api/v1/campaigns", "Content-Type: application/json\r\nContent-Length: 1000\r\n") +
            '{"name": '
        )
        // The calls are of the single lead, the preview, the chat and some leads of the batch.
        yield* until(
          Effect.sync(() => model.seen.calls),
          (calls) => calls >= 4
        )

        assert.deepStrictEqual(yield* sendSignal(secondServer, "SIGTERM"), [0, null])
        for (const { body, status } of yield* Fiber.join(openRequests)) {
          assert.strictEqual(status, 500, JSON.stringify(body))
          assert.strictEqual(body.error, "INTERNAL_ERROR")
          assert.match(body.message, /\bstopped\b/)
        }
        assert.deepStrictEqual(problemLines(secondServer), [])
        yield* assertConsistent(data)
        // The credits of a preview are refunded before the next start.
        assert.deepStrictEqual(yield* runSql(data, "SELECT status, credits_charged FROM previews"), [
          { status: "failed", credits_charged: 0 }
        ])
        assert.deepStrictEqual(
          yield* runSql(data, "SELECT DISTINCT status, run_at FROM jobs WHERE status NOT IN ('completed', 'failed')"),
          [{ status: "pending", run_at: 0 }]
        )

        const thirdServer = yield* serve(data)
        const thirdApi = apiClient(thirdServer.url, key)
        const lists = yield* until(thirdApi.send("GET", "/lists"), ({ body }) =>
          body.lists.every((list: object) => "completed_at" in list && list.completed_at !== null)
        )
        assert.strictEqual(lists.body.total, 3)
        const { balance, entries } = yield* ledgerOf(data, workspace)
        const captures = entries.filter(({ kind }) => kind === "capture")
        assert.lengthOf(captures, 30 + 30 + 1 + 1)
        assert.strictEqual(balance, 5000 - 61)
        yield* assertConsistent(data)
      }),
    180_000
  )

  it.live("reports that it is draining, and still answers requests for a moment", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const server = yield* serve(data, { OVERTURE_LOG_FORMAT: "json" })
      const probe = (method = "GET") => Effect.promise(() => fetch(`${server.url}/readyz`, { method }))
      const answerBefore = yield* probe()
      assert.strictEqual(answerBefore.status, 200)
      assert.strictEqual(answerBefore.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(yield* Effect.promise(() => answerBefore.json()), {
        status: "ready",
        checks: { store: "ok", disk: "ok", migrations: "ok" }
      })
      assert.strictEqual((yield* probe("HEAD")).status, 200)
      assert.strictEqual((yield* probe("POST")).status, 404)

      const stopFiber = yield* Effect.forkChild(sendSignal(server, "SIGTERM"))
      const drainingAnswer = yield* until(probe(), ({ status }) => status !== 200)
      assert.strictEqual(drainingAnswer.status, 503)
      assert.strictEqual(drainingAnswer.headers.get("connection"), "close")
      assert.strictEqual((yield* Effect.promise(() => drainingAnswer.json())).status, "draining")
      assert.strictEqual((yield* apiClient(server.url, key).send("GET", "/campaigns")).status, 200)
      assert.deepStrictEqual(yield* Fiber.join(stopFiber), [0, null])
      assert.deepStrictEqual(problemLines(server), [])
      assert.notInclude(server.log(), '"route":"/readyz"')
      const statusLines = server.log().match(/The server is \w+/g)
      assert.deepStrictEqual(statusLines, ["The server is ready", "The server is draining"])
    })
  )

  it.live("exits immediately on a second signal", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const firstServer = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
      assert.deepStrictEqual(yield* sendSignal(firstServer, "SIGINT"), [0, null])
      const model = yield* rawServer(undefined)
      const secondServer = yield* serve(data, { OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: model.url })
      const body = { lead: { email: "one@lead.example" }, options }
      yield* Effect.forkChild(
        Effect.exit(apiClient(secondServer.url, key).send("POST", `/campaigns/${campaign}/generate`, body))
      )
      yield* until(
        Effect.sync(() => model.seen.calls),
        (calls) => calls > 0
      )
      secondServer.child.kill("SIGTERM")
      yield* until(
        Effect.sync(() => secondServer.log()),
        (log) => log.includes("Stopping")
      )
      assert.deepStrictEqual(yield* sendSignal(secondServer, "SIGINT"), [130, null])
      yield* assertConsistent(data)
      const thirdServer = yield* serve(data)
      const lists = yield* until(
        apiClient(thirdServer.url, key).send("GET", "/lists"),
        ({ body }) => body.lists[0].completed_at !== null
      )
      assert.strictEqual(lists.body.total, 1)
      assert.strictEqual((yield* apiClient(thirdServer.url, key).send("GET", "/credits")).body.balance, 4999)
    })
  )
})

describe("readiness", () => {
  it.live("names the check that fails, and is ready again when the check passes", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      let freeBytes = 10 ** 12
      const layer = Readiness.layer(data).pipe(
        Layer.provideMerge(Database.layer(`${data}/overture.db`)),
        Layer.provide(NodeServices.layer),
        Layer.provide(Layer.succeed(FreeSpace, () => Effect.sync(() => freeBytes)))
      )
      yield* Effect.gen(function* () {
        const readiness = yield* Readiness
        const sql = yield* SqlClient.SqlClient
        const healthyChecks = { store: "ok", disk: "ok", migrations: "ok" } as const
        const waitForReadiness = (expected: object) =>
          until(readiness.check, (readinessState) => JSON.stringify(readinessState) === JSON.stringify(expected))
        yield* waitForReadiness({ status: "ready", checks: healthyChecks })

        freeBytes = 1_000_000
        yield* waitForReadiness({ status: "unavailable", checks: { ...healthyChecks, disk: "failed" } })
        freeBytes = 10 ** 12
        yield* waitForReadiness({ status: "ready", checks: healthyChecks })

        const otherConnection = new DatabaseSync(`${data}/overture.db`)
        otherConnection.exec("BEGIN IMMEDIATE")
        yield* waitForReadiness({ status: "unavailable", checks: { ...healthyChecks, store: "failed" } })
        otherConnection.exec("ROLLBACK")
        yield* waitForReadiness({ status: "ready", checks: healthyChecks })

        otherConnection.exec("INSERT INTO migrations (migration_id, name) VALUES (9000, 'future')")
        yield* waitForReadiness({ status: "unavailable", checks: { ...healthyChecks, migrations: "failed" } })
        otherConnection.close()
        yield* Effect.exit(sql`DELETE FROM migrations WHERE migration_id = 9000`)
        yield* waitForReadiness({ status: "ready", checks: healthyChecks })

        assert.isTrue(yield* readiness.drain)
        yield* waitForReadiness({ status: "draining", checks: healthyChecks })
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("does not wait for probes that never came", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const layer = Readiness.layer(data).pipe(
        Layer.provide(Database.layer(`${data}/overture.db`)),
        Layer.provide(NodeServices.layer)
      )
      yield* Effect.provide(
        Effect.gen(function* () {
          assert.isFalse(yield* (yield* Readiness).drain)
        }),
        layer
      )
    })
  )
})
