// test/postgres/cluster.test.ts: several processes on one PostgreSQL, killed one after the other.
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { writeFile } from "node:fs/promises"
import { modelAnswers, profile } from "#test/support/model-answers.ts"
import { ledgerOf, namedLeads, assertConsistent, workspaceIn } from "#test/support/program-workspace.ts"
import { Mock } from "#test/support/model.ts"
import { temporaryFolder, killProgram, serve, type Server } from "#test/support/process.ts"
import { emptyDatabase } from "#test/support/store.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

/** The model's time for one lead in milliseconds, so that the batch lasts about as long as the kills. */
const modelMillis = 1200
const count = 1000

layer(Mock.layer, { excludeTestServices: true })("two APIs and two workers on one PostgreSQL", (it) => {
  it.effect(
    "write to each lead once and charge it once, although one of them is killed every five seconds",
    () =>
      Effect.gen(function* () {
        const mock = yield* Mock
        const database = Redacted.value(yield* Effect.fromNullishOr(yield* emptyDatabase))
        const createDataDirectory = Effect.gen(function* () {
          const data = yield* temporaryFolder
          yield* Effect.promise(() => writeFile(`${data}/.env`, `DATABASE_URL=${database}\n`))
          return data
        })
        const env = {
          OPENAI_BASE_URL: mock.url,
          OVERTURE_GENERATOR: "openai",
          // The default for a local model is two concurrent requests.
          OVERTURE_CONCURRENCY: "16",
          OVERTURE_PUBLIC_URL: "http://127.0.0.1"
        }
        yield* mock.reply(modelAnswers)
        const dataDirectory = yield* createDataDirectory
        yield* Effect.promise(() => writeFile(`${dataDirectory}/profile.json`, JSON.stringify(profile)))
        const { key, workspace } = yield* workspaceIn(
          dataDirectory,
          "Hollowell",
          "--profile",
          `${dataDirectory}/profile.json`
        )

        const start = (role: string) =>
          Effect.flatMap(createDataDirectory, (data) => serve(data, { ...env, OVERTURE_ROLE: role }))
        const roles = ["api", "worker", "api", "worker"] as const
        const running: Array<Server | undefined> = []
        for (const role of roles) running.push(yield* start(role))
        const api = (index: 0 | 2) => apiClient(running[index]?.url ?? "", key)
        const campaign = yield* buildCampaign(api(0))

        let calls = 0
        yield* mock.reply(async (request, index) => {
          if (request.kind === "adapted_emails") calls++
          await new Promise((resolve) => setTimeout(resolve, modelMillis))
          return typeof modelAnswers === "function" ? modelAnswers(request, index) : modelAnswers
        })
        const options = { email_count: 1, email_signature: "Ann" }
        const batch = yield* api(2).send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(count),
          options
        })
        assert.strictEqual(batch.status, 202, JSON.stringify(batch.body))

        // Each process restarts while the next one is killed.
        for (let round = 0; round < 12; round++) {
          yield* Effect.sleep("5 seconds")
          const index = [1, 0, 3, 2][round % 4] ?? 0
          const victim = running[index]
          if (victim === undefined) continue
          yield* killProgram(victim)
          running[index] = undefined
          yield* Effect.forkChild(Effect.map(start(roles[index] ?? "api"), (server) => void (running[index] = server)))
        }
        // Generous timeouts for a busy machine.
        yield* until(Effect.succeed(running), (servers) => servers.every((server) => server !== undefined), "3 minutes")
        const list = yield* until(
          api(0).send("GET", `/lists/${batch.body.list_id}`),
          ({ body }) => "completed_at" in body,
          "5 minutes"
        )
        assert.deepInclude(list.body, { processing_status: "completed", leads_count: count, emails_created: count })
        const exported = yield* api(2).send("GET", `/lists/${batch.body.list_id}/export?format=json`)
        assert.deepStrictEqual(
          exported.body.leads.map((lead: { email: string }) => lead.email),
          namedLeads(count).map((lead) => lead.email)
        )
        const ledger = yield* ledgerOf(dataDirectory, workspace)
        const captures = ledger.entries.filter((entry) => entry.kind === "capture")
        assert.lengthOf(captures, count)
        assert.strictEqual(new Set(captures.map((entry) => entry.ref)).size, count)
        assert.strictEqual(ledger.balance, 5000 - count)
        // Leads of killed processes were requested again.
        assert.isAbove(calls, count)
        yield* assertConsistent(dataDirectory)
      }),
    720_000
  )
})
