// test/program/process.test.ts: the real program with a real socket and a database file: a whole run, kills, a graceful stop, and
// commands beside the server.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import {
  onboardedWorkspace,
  namedLeads,
  ledgerOf,
  options,
  assertConsistent,
  workspaceIn
} from "#test/support/program-workspace.ts"
import { rawServer } from "#test/support/model.ts"
import { dataDirectory, killProgram, overture, serve, type Server } from "#test/support/process.ts"
import { parseMail } from "#test/support/smtp.ts"
import * as Stores from "#test/support/store.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

describe("the program", () => {
  it.live("onboards, builds, writes to one lead and exports a batch", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const api = apiClient(server.url, key)
      const campaign = yield* buildCampaign(api)

      const leadAnswer = yield* api.send("POST", `/campaigns/${campaign}/generate`, { lead: namedLeads(1)[0], options })
      assert.strictEqual(leadAnswer.status, 200, JSON.stringify(leadAnswer.body))
      assert.lengthOf(leadAnswer.body.sequence, 2)
      assert.isTrue(leadAnswer.body.sequence[0].body.endsWith("\n\nPiotr\nKestrel Pumps"))

      const batch = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: namedLeads(60),
        options: { ...options, notification_email: "ann@sales.example" }
      })
      assert.strictEqual(batch.status, 202)
      const list = yield* until(api.send("GET", `/lists/${batch.body.list_id}`), ({ body }) => "completed_at" in body)
      assert.deepInclude(list.body, { processing_status: "completed", leads_count: 60, emails_created: 120 })

      const csv = yield* api.send("GET", `/lists/${batch.body.list_id}/export`)
      assert.isTrue(csv.body.startsWith("email,name,title,company,linkedin_url,company_website,step_1_subject,"))
      const json = yield* api.send("GET", `/lists/${batch.body.list_id}/export?format=json`)
      assert.deepStrictEqual(
        json.body.leads.map((lead: { email: string }) => lead.email),
        namedLeads(60).map((lead) => lead.email)
      )
      assert.strictEqual((yield* api.send("GET", "/credits")).body.balance, 5000 - 61)

      const mail = `${data}/outbox/${batch.body.list_id}.eml`
      yield* until(
        Effect.sync(() => existsSync(mail)),
        (isPresent) => isPresent
      )
      const { header, link = "" } = parseMail(yield* Effect.promise(() => readFile(mail, "utf8")))
      assert.deepStrictEqual(header("to"), ["ann@sales.example"])
      assert.isTrue(link.startsWith(`${server.url}/files/`), link)
      const download = yield* Effect.promise(() => fetch(link))
      assert.strictEqual(yield* Effect.promise(() => download.text()), csv.body)
      yield* assertConsistent(data)
    })
  )

  it.live("loses nothing and charges no lead twice when it is killed in the middle of a batch", () =>
    Effect.gen(function* () {
      const { data, key, workspace } = yield* onboardedWorkspace
      let server = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(server.url, key))
      const { body } = yield* apiClient(server.url, key).send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: namedLeads(400),
        options: { ...options, notification_email: "ann@sales.example" }
      })
      const fetchList = (url: string) => apiClient(url, key).send("GET", `/lists/${body.list_id}`)

      for (const killAt of [5, 60, 130]) {
        const listAnswer = yield* until(
          fetchList(server.url),
          ({ body }) => "completed_at" in body || body.progress.leads_done >= killAt
        )
        assert.isBelow(listAnswer.body.progress?.leads_done ?? 400, 400, "the kill came too late to test anything")
        yield* killProgram(server)
        yield* assertConsistent(data)
        server = yield* serve(data)
      }

      const list = yield* until(fetchList(server.url), ({ body }) => "completed_at" in body)
      assert.deepInclude(list.body, { processing_status: "completed", leads_count: 400, emails_created: 800 })
      const exportAnswer = yield* apiClient(server.url, key).send("GET", `/lists/${body.list_id}/export?format=json`)
      assert.deepStrictEqual(
        exportAnswer.body.leads.map((lead: { email: string }) => lead.email),
        namedLeads(400).map((lead) => lead.email)
      )

      const ledger = yield* ledgerOf(data, workspace)
      const captures = ledger.entries.filter((entry) => entry.kind === "capture")
      assert.strictEqual(new Set(captures.map((entry) => entry.ref)).size, 400)
      assert.strictEqual(
        captures.reduce((sum, entry) => sum + entry.amount, 0),
        -400
      )
      assert.strictEqual(ledger.balance, 5000 - 400)
      const outbox = Effect.promise(() => readdir(`${data}/outbox`).catch(() => []))
      assert.deepStrictEqual(yield* until(outbox, (files) => files.some((file) => /^[^.].*\.eml$/.test(file))), [
        `${body.list_id}.eml`
      ])
      yield* assertConsistent(data)
      assert.notInclude(server.log(), "Unhandled")
    })
  )

  it.live("does not charge for a preview that a kill interrupted", () =>
    Effect.gen(function* () {
      const { data, key, workspace } = yield* onboardedWorkspace
      const firstServer = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
      const keys = Array.from({ length: 40 }, (_, i) => `preview-${i}`)
      const requestPreview = ({ url }: { readonly url: string }, idempotency: string) =>
        apiClient(url, key, { "idempotency-key": idempotency }).send("POST", `/campaigns/${campaign}/preview`, {
          sample: { headers: ["Email"] },
          options: { email_count: 4, email_signature: "Piotr" }
        })
      // The credits that each preview finally costs, from the ledger.
      const readCosts = Effect.gen(function* () {
        const { balance, entries } = yield* ledgerOf(data, workspace)
        const costByRef = new Map<string | null, number>()
        for (const { amount, kind, ref } of entries) {
          if (kind !== "grant") costByRef.set(ref, (costByRef.get(ref) ?? 0) - amount)
        }
        const costs = [...costByRef.values()].toSorted()
        assert.strictEqual(balance, 5000 - costs.reduce((sum, cost) => sum + cost, 0))
        return costs
      })

      const previewIds = new Map<string, string>()
      /** Requests all previews at once, and kills the server as soon as `isFarEnough` holds. */
      const killDuringPreviews = Effect.fnUntraced(function* (
        server: Server,
        keys: ReadonlyArray<string>,
        isFarEnough: () => boolean
      ) {
        const requestOne = (key: string) =>
          Effect.map(Effect.exit(requestPreview(server, key)), (exit) => {
            if (Exit.isSuccess(exit) && exit.value.status === 200) previewIds.set(key, exit.value.body.preview_id)
          })
        const requestsFiber = yield* Effect.forkChild(Effect.forEach(keys, requestOne, { concurrency: "unbounded" }))
        yield* until(Effect.sync(isFarEnough), (isReached) => isReached)
        yield* killProgram(server)
        yield* Fiber.join(requestsFiber)
        yield* assertConsistent(data)
      })
      yield* killDuringPreviews(firstServer, keys.slice(0, 20), () => previewIds.size >= 3)
      const answeredBefore = previewIds.size
      // A model that never finishes its answer keeps the other previews in progress, however fast the machine is.
      const model = yield* rawServer(undefined)
      const serverWithModel = yield* serve(data, { OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: model.url })
      yield* killDuringPreviews(serverWithModel, keys.slice(20), () => model.seen.calls >= 3)
      assert.strictEqual(previewIds.size, answeredBefore)

      const secondServer = yield* serve(data)
      yield* assertConsistent(data)
      const retries = yield* Effect.forEach(keys, (previewKey) =>
        // The server refunds the interrupted previews one at a time after the restart.
        until(requestPreview(secondServer, previewKey), ({ status }) => status !== 409)
      )
      for (const [index, previewKey] of keys.entries()) {
        assert.strictEqual(retries[index]?.status, 200)
        if (previewIds.has(previewKey)) assert.strictEqual(retries[index]?.body.preview_id, previewIds.get(previewKey))
      }
      const finalCosts = yield* readCosts
      assert.include(finalCosts, 0, "no preview that was paid for was cut short")
      assert.deepStrictEqual(
        finalCosts.filter((cost) => cost !== 0),
        keys.map(() => 5)
      )
      yield* assertConsistent(data)
    })
  )

  it.live("stops gracefully, and resumes its work after the restart", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const firstServer = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
      const { body } = yield* apiClient(firstServer.url, key).send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: namedLeads(200),
        options
      })
      const exit = once(firstServer.child, "exit")
      firstServer.child.kill("SIGTERM")
      assert.deepStrictEqual(yield* Effect.promise(() => exit), [0, null])
      yield* assertConsistent(data)

      const secondServer = yield* serve(data)
      const list = yield* until(
        apiClient(secondServer.url, key).send("GET", `/lists/${body.list_id}`),
        ({ body }) => "completed_at" in body
      )
      assert.deepInclude(list.body, { leads_count: 200, emails_created: 400 })
    })
  )

  // On PostgreSQL any number of servers may work on a store.
  const onlyOnSqlite = Stores.onPostgres ? () => {} : it.live
  onlyOnSqlite("lets one server at a time work on a store, and commands run beside it", () =>
    Effect.gen(function* () {
      const { data, key, key_id, workspace } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const secondServer = yield* overture(data, "serve", "--port", "0")
      assert.strictEqual(secondServer.code, 1)
      assert.include(secondServer.stderr, "already works on this data directory")

      yield* workspaceIn(data, "Beside", "--profile", `${data}/profile.json`)

      const api = apiClient(server.url, key)
      assert.strictEqual((yield* api.send("GET", "/signatures")).status, 200)
      assert.strictEqual((yield* overture(data, "key", "revoke", key_id)).code, 0)
      yield* until(api.send("GET", "/signatures"), ({ status }) => status === 401)
      assert.strictEqual((yield* overture(data, "workspace", "show", workspace)).code, 0)
    })
  )

  it.live("deletes a workspace and its data after a confirmation", () =>
    Effect.gen(function* () {
      const { data, key, workspace } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const api = apiClient(server.url, key)
      const campaign = yield* buildCampaign(api)
      yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, { leads: namedLeads(200), options })
      const refusedDelete = yield* overture(data, "workspace", "delete", workspace)
      assert.strictEqual(refusedDelete.code, 1)
      assert.include(refusedDelete.stderr, "--yes")
      assert.strictEqual((yield* api.send("GET", "/campaigns")).status, 200)
      assert.strictEqual((yield* overture(data, "workspace", "delete", workspace, "--yes")).code, 0)
      yield* until(api.send("GET", "/campaigns"), ({ status }) => status === 401)
      assert.strictEqual((yield* overture(data, "workspace", "show", workspace)).code, 1)
      yield* assertConsistent(data)
    })
  )

  it.live("reports an error in one line", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      assert.strictEqual((yield* overture(data, "workspace", "create", "--name", "North")).code, 0)
      const unknownWorkspace = yield* overture(data, "key", "create", "--workspace", "no-such-id")
      assert.strictEqual(unknownWorkspace.code, 1)
      assert.strictEqual(unknownWorkspace.stderr, "No workspace has the id no-such-id\n")
      assert.strictEqual(unknownWorkspace.stdout, "")
      const missingFlag = yield* overture(data, "key", "create")
      assert.strictEqual(missingFlag.code, 1)
      assert.match(missingFlag.stderr, /^[^\n]+ see overture key create --help\n$/)
      assert.strictEqual(missingFlag.stdout, "")
    })
  )
})
