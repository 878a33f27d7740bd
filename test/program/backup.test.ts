// test/program/backup.test.ts: a store as one file, made while the server works, and put back.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { restore } from "#layers/operations/Backup.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { command, commandJson } from "#test/support/command.ts"
import { onboardedWorkspace, assertConsistent } from "#test/support/program-workspace.ts"
import { temporaryFolder, killProgram, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, fileForm, apiClient } from "#test/support/api-client.ts"

describe("a backup", () => {
  it.live(
    "made in the middle of a batch is complete, and the restored store resumes it",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const server = yield* serve(data)
        const api = apiClient(server.url, key)
        const campaign = yield* buildCampaign(api)
        const leads = Array.from({ length: 300 }, (_, i) => ({ email: `lead${i}@company${i}.example` }))
        const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads,
          options: { email_count: 1, email_signature: "Piotr" }
        })
        const imported = yield* api.send("POST", "/workspace/imports/document", fileForm("note.txt", "We mend pumps."))
        assert.strictEqual(imported.status, 202)
        const [document = ""] = readdirSync(`${data}/files`)
        assert.strictEqual(readFileSync(`${data}/files/${document}`, "utf8"), "We mend pumps.")
        yield* Effect.promise(() => mkdir(`${data}/outbox`))
        yield* Effect.promise(() => writeFile(`${data}/outbox/one.eml`, "Subject: done\r\n\r\nDone"))

        const file = `${yield* temporaryFolder}/store.backup`
        const made = yield* command(data, "backup", file)
        assert.strictEqual(made.code, 0, made.stderr)
        assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
        const again = yield* command(data, "backup", file)
        assert.strictEqual(again.code, 1)
        assert.include(again.stderr, "overwrites nothing")

        const other = `${yield* temporaryFolder}/data`
        const restored = yield* command(other, "restore", file)
        assert.strictEqual(restored.code, 0, restored.stderr)
        yield* assertConsistent(other)
        for (const name of ["secret", "outbox/one.eml", `files/${document}`]) {
          assert.deepStrictEqual(
            yield* Effect.promise(() => readFile(`${other}/${name}`)),
            yield* Effect.promise(() => readFile(`${data}/${name}`))
          )
        }
        assert.strictEqual((yield* command(other, "workspace", "delete", workspace, "--yes")).code, 0)
        assert.deepStrictEqual(readdirSync(`${other}/files`), [])
        yield* Effect.promise(() => rm(other, { recursive: true }))
        assert.strictEqual((yield* command(other, "restore", file)).code, 0)
        assert.deepStrictEqual(
          readdirSync(data).filter((name) => name.startsWith(".backup")),
          []
        )
        const second = yield* serve(other)
        const list = yield* until(
          apiClient(second.url, key).send("GET", `/lists/${body.list_id}`),
          ({ body }) => "completed_at" in body
        )
        assert.deepInclude(list.body, { leads_count: 300, emails_created: 300 })
      }),
    120_000
  )

  it.live("is not restored over an existing store, and a broken one creates no database", () =>
    Effect.gen(function* () {
      const { data } = yield* onboardedWorkspace
      const out = yield* temporaryFolder
      const file = `${out}/store.backup`
      yield* command(data, "backup", file)
      const onto = yield* command(data, "restore", file)
      assert.strictEqual(onto.code, 1)
      assert.include(onto.stderr, "holds a store already")

      // What a killed server leaves where only its database was moved away.
      const log = `${out}/logged/overture.db-wal`
      yield* Effect.promise(() => mkdir(`${out}/logged`))
      yield* Effect.promise(() => writeFile(log, "writes of another database"))
      const beside = yield* command(`${out}/logged`, "restore", file)
      assert.strictEqual(beside.code, 1)
      assert.include(beside.stderr, "overture.db-wal")
      assert.isFalse(existsSync(`${out}/logged/overture.db`))
      assert.strictEqual(yield* Effect.promise(() => readFile(log, "utf8")), "writes of another database")

      const bytes = yield* Effect.promise(() => readFile(file))
      yield* Effect.promise(() => writeFile(`${out}/cut`, bytes.subarray(0, bytes.length / 2)))
      yield* Effect.promise(() => writeFile(`${out}/other`, "no archive at all"))
      for (const bad of ["cut", "other", "absent"]) {
        const refused = yield* command(`${out}/data-${bad}`, "restore", `${out}/${bad}`)
        assert.strictEqual(refused.code, 1, bad)
        assert.include(refused.stderr, "The restore failed")
        assert.isFalse(existsSync(`${out}/data-${bad}/overture.db`), bad)
      }
    })
  )

  it.live("replaces a different secret or .env only with --replace-settings, and lists the restored settings", () =>
    Effect.gen(function* () {
      const { data } = yield* onboardedWorkspace
      const out = yield* temporaryFolder
      const file = `${out}/store.backup`
      const write = (name: string, text: string) => Effect.promise(() => writeFile(name, text))
      const read = (name: string) => Effect.promise(() => readFile(name, "utf8"))
      const settings = "# theirs\nOVERTURE_FETCH_ALLOW_PRIVATE=true\nOPENAI_API_KEY=sk-hidden\n"
      yield* write(`${data}/.env`, settings)
      assert.strictEqual((yield* command(data, "backup", file)).code, 0)

      const mine = `${out}/mine`
      yield* Effect.promise(() => mkdir(mine))
      yield* write(`${mine}/secret`, "mine".repeat(16))
      yield* write(`${mine}/.env`, "OVERTURE_ROLE=all\n")
      const refused = yield* command(mine, "restore", file)
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /different \.env and secret.*--replace-settings/)
      assert.deepStrictEqual(
        [yield* read(`${mine}/secret`), yield* read(`${mine}/.env`)],
        ["mine".repeat(16), "OVERTURE_ROLE=all\n"]
      )
      assert.deepStrictEqual(readdirSync(mine).toSorted(), [".env", "secret"])

      const taken = yield* command(mine, "restore", file, "--replace-settings")
      assert.strictEqual(taken.code, 0, taken.stderr)
      assert.include(taken.stderr, "OVERTURE_FETCH_ALLOW_PRIVATE, OPENAI_API_KEY")
      assert.notInclude(taken.stdout + taken.stderr, "sk-hidden")
      assert.strictEqual(yield* read(`${mine}/.env`), settings)
      assert.strictEqual(yield* read(`${mine}/secret`), yield* read(`${data}/secret`))

      // The same ones are no conflict: a store that is put back where it was.
      yield* Effect.promise(() => rm(`${mine}/overture.db`))
      yield* Effect.promise(() => rm(`${mine}/overture.db-wal`, { force: true }))
      assert.strictEqual((yield* command(mine, "restore", file)).code, 0)
    })
  )

  it.live(
    "made under load, several times, is each time a store that finishes what it was at",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const server = yield* serve(data)
        const api = apiClient(server.url, key)
        const campaign = yield* buildCampaign(api)
        const options = { email_count: 1, email_signature: "Piotr" }
        const leads = Array.from({ length: 250 }, (_, i) => ({ email: `lead${i}@company${i}.example` }))
        const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, { leads, options })
        const load = yield* Effect.forkChild(
          Effect.forever(
            Effect.all([
              api.send("POST", `/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }),
              Effect.promise(() => {
                const form = new FormData()
                form.append("file", new File(["We mend pumps. ".repeat(5000)], "note.txt"))
                const headers = { authorization: `Bearer ${key}` }
                return fetch(`${server.url}/api/v1/workspace/imports/document`, { method: "POST", headers, body: form })
              })
            ])
          )
        )
        const out = yield* temporaryFolder
        const files = ["one", "two"].map((name) => `${out}/${name}`)
        for (const file of files) {
          const { code, stderr } = yield* command(data, "backup", file)
          assert.strictEqual(code, 0, stderr)
        }
        yield* Fiber.interrupt(load)
        assert.deepStrictEqual(readdirSync(out).toSorted(), ["one", "two"])

        for (const file of files) {
          const other = `${file}-data`
          const restored = yield* command(other, "restore", file)
          assert.strictEqual(restored.code, 0, restored.stderr)
          const again = yield* serve(other)
          yield* until(
            apiClient(again.url, key).send("GET", `/lists/${body.list_id}`),
            ({ body }) => "completed_at" in body
          )
          const { balance, entries } = yield* commandJson(other, "credits", "ledger", "--workspace", workspace)
          const net = new Map<string, number>()
          for (const { amount, kind, ref } of entries) {
            if (kind !== "grant") net.set(ref, (net.get(ref) ?? 0) - amount)
          }
          const costs = [...net.values()].filter((cost) => cost > 0)
          assert.lengthOf(
            costs.filter((cost) => cost === 1),
            250
          )
          assert.strictEqual(balance, 5000 - costs.reduce((sum, cost) => sum + cost, 0))
          const checked = yield* command(other, "verify")
          assert.strictEqual(checked.code, 0, checked.stdout)
          yield* killProgram(again)
        }
      }),
    180_000
  )

  it.live("is restored completely or not at all", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* command(data, "workspace", "create", "--name", "Kestrel")
      yield* Effect.promise(() => mkdir(`${data}/outbox`))
      yield* Effect.promise(() => writeFile(`${data}/outbox/one.eml`, "Subject: done", { mode: 0o644 }))
      yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_PORT=1", { mode: 0o644 }))
      const out = yield* temporaryFolder
      assert.strictEqual((yield* command(data, "backup", `${out}/good`)).code, 0)
      const whole = yield* Effect.promise(() => readFile(`${out}/good`))
      assert.strictEqual((yield* command(`${out}/data`, "restore", `${out}/good`)).code, 0)
      for (const name of ["overture.db", "secret", ".env", "outbox/one.eml"]) {
        assert.strictEqual((yield* Effect.promise(() => stat(`${out}/data/${name}`))).mode & 0o777, 0o600, name)
      }

      yield* Effect.promise(() => mkdir(`${out}/raw`))
      yield* restore(`${out}/good`, `${out}/raw`).pipe(Effect.provide(NodeServices.layer))
      const lengths = [0, 511, 512, 1024, whole.length - 1024, whole.length - 1536, whole.length - 2048]
      const flipped = Array.from({ length: 40 }, (_, i) => Math.floor((i / 40) * (whole.length - 1024)))
      const damaged = [
        ...lengths.map((length) => whole.subarray(0, length)),
        ...flipped.map((at) => whole.with(at, (whole[at] ?? 0) ^ 1))
      ]
      for (const [i, bytes] of damaged.entries()) {
        yield* Effect.promise(() => writeFile(`${out}/bad`, bytes))
        const into = `${out}/data-${i}`
        yield* Effect.promise(() => mkdir(into))
        const exit = yield* Effect.exit(restore(`${out}/bad`, into).pipe(Effect.provide(NodeServices.layer)))
        // The padding between files holds nothing; whatever is taken is what was packed.
        if (Exit.isSuccess(exit)) {
          for (const name of ["overture.db", "secret", ".env", "outbox/one.eml"]) {
            const [one, other] = yield* Effect.promise(() =>
              Promise.all([readFile(`${into}/${name}`), readFile(`${out}/raw/${name}`)])
            )
            assert.isTrue(one.equals(other), `damage ${i}: ${name}`)
          }
          continue
        }
        assert.deepStrictEqual(readdirSync(`${out}/data-${i}`), [], `damage ${i}`)
      }
    })
  )

  it.live("leaves no files when it is interrupted or the disk is full", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* command(data, "workspace", "create", "--name", "Kestrel")
      const out = yield* temporaryFolder
      const full = yield* command(data, "backup", `${out}/full`).pipe(
        Effect.provideService(FreeSpace, () => Effect.succeed(100_000))
      )
      assert.strictEqual(full.code, 1)
      assert.match(
        full.stderr,
        /^There is no room for the backup [^\n]* and 1 MB are free; write it to another disk\n$/
      )
      assert.deepStrictEqual(readdirSync(out), [])
      const nowhere = yield* command(`${out}/nothing`, "backup", `${out}/none`)
      assert.strictEqual(nowhere.stderr, `There is no store in ${out}/nothing\n`)

      // What a killed backup left is no obstacle to the next one.
      yield* Effect.promise(() => writeFile(`${out}/again.database`, "half"))
      yield* Effect.promise(() => writeFile(`${out}/again.partial`, "half"))
      assert.strictEqual((yield* command(data, "backup", `${out}/again`)).code, 0)
      assert.deepStrictEqual(readdirSync(out), ["again"])
      for (const wait of [1, 2, 5, 10, 20, 50]) {
        const backing = yield* Effect.forkChild(command(data, "backup", `${out}/stopped`))
        yield* Effect.sleep(wait)
        yield* Fiber.interrupt(backing)
        assert.includeMembers(["again", "stopped"], readdirSync(out))
        yield* Effect.promise(() => rm(`${out}/stopped`, { force: true }))
      }
    })
  )
})
