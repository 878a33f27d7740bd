// test/program/backup.test.ts: backs up a store to one file while the server works, and restores it.
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
        const importAnswer = yield* api.send(
          "POST",
          "/workspace/imports/document",
          fileForm("note.txt", "We mend pumps.")
        )
        assert.strictEqual(importAnswer.status, 202)
        const [document = ""] = readdirSync(`${data}/files`)
        assert.strictEqual(readFileSync(`${data}/files/${document}`, "utf8"), "We mend pumps.")
        yield* Effect.promise(() => mkdir(`${data}/outbox`))
        yield* Effect.promise(() => writeFile(`${data}/outbox/one.eml`, "Subject: done\r\n\r\nDone"))

        const file = `${yield* temporaryFolder}/store.backup`
        const backup = yield* command(data, "backup", file)
        assert.strictEqual(backup.code, 0, backup.stderr)
        assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
        const secondBackup = yield* command(data, "backup", file)
        assert.strictEqual(secondBackup.code, 1)
        assert.include(secondBackup.stderr, "overwrites nothing")

        const restoredData = `${yield* temporaryFolder}/data`
        const restoreResult = yield* command(restoredData, "restore", file)
        assert.strictEqual(restoreResult.code, 0, restoreResult.stderr)
        yield* assertConsistent(restoredData)
        for (const name of ["secret", "outbox/one.eml", `files/${document}`]) {
          assert.deepStrictEqual(
            yield* Effect.promise(() => readFile(`${restoredData}/${name}`)),
            yield* Effect.promise(() => readFile(`${data}/${name}`))
          )
        }
        assert.strictEqual((yield* command(restoredData, "workspace", "delete", workspace, "--yes")).code, 0)
        assert.deepStrictEqual(readdirSync(`${restoredData}/files`), [])
        yield* Effect.promise(() => rm(restoredData, { recursive: true }))
        assert.strictEqual((yield* command(restoredData, "restore", file)).code, 0)
        assert.deepStrictEqual(
          readdirSync(data).filter((name) => name.startsWith(".backup")),
          []
        )
        const restoredServer = yield* serve(restoredData)
        const list = yield* until(
          apiClient(restoredServer.url, key).send("GET", `/lists/${body.list_id}`),
          ({ body }) => "completed_at" in body
        )
        assert.deepInclude(list.body, { leads_count: 300, emails_created: 300 })
      }),
    120_000
  )

  it.live("is not restored over an existing store, and a damaged one creates no database", () =>
    Effect.gen(function* () {
      const { data } = yield* onboardedWorkspace
      const outputFolder = yield* temporaryFolder
      const file = `${outputFolder}/store.backup`
      yield* command(data, "backup", file)
      const refusal = yield* command(data, "restore", file)
      assert.strictEqual(refusal.code, 1)
      assert.include(refusal.stderr, "holds a store already")

      // A killed server leaves this file when only its database is moved away.
      const walFile = `${outputFolder}/logged/overture.db-wal`
      yield* Effect.promise(() => mkdir(`${outputFolder}/logged`))
      yield* Effect.promise(() => writeFile(walFile, "writes of another database"))
      const walRefusal = yield* command(`${outputFolder}/logged`, "restore", file)
      assert.strictEqual(walRefusal.code, 1)
      assert.include(walRefusal.stderr, "overture.db-wal")
      assert.isFalse(existsSync(`${outputFolder}/logged/overture.db`))
      assert.strictEqual(yield* Effect.promise(() => readFile(walFile, "utf8")), "writes of another database")

      const bytes = yield* Effect.promise(() => readFile(file))
      yield* Effect.promise(() => writeFile(`${outputFolder}/cut`, bytes.subarray(0, bytes.length / 2)))
      yield* Effect.promise(() => writeFile(`${outputFolder}/other`, "no archive at all"))
      for (const name of ["cut", "other", "absent"]) {
        const failure = yield* command(`${outputFolder}/data-${name}`, "restore", `${outputFolder}/${name}`)
        assert.strictEqual(failure.code, 1, name)
        assert.include(failure.stderr, "The restore failed")
        assert.isFalse(existsSync(`${outputFolder}/data-${name}/overture.db`), name)
      }
    })
  )

  it.live("replaces a different secret or .env only with --replace-settings, and lists the restored settings", () =>
    Effect.gen(function* () {
      const { data } = yield* onboardedWorkspace
      const outputFolder = yield* temporaryFolder
      const file = `${outputFolder}/store.backup`
      const writeText = (name: string, text: string) => Effect.promise(() => writeFile(name, text))
      const readText = (name: string) => Effect.promise(() => readFile(name, "utf8"))
      const settings = "# theirs\nOVERTURE_FETCH_ALLOW_PRIVATE=true\nOPENAI_API_KEY=sk-hidden\n"
      yield* writeText(`${data}/.env`, settings)
      assert.strictEqual((yield* command(data, "backup", file)).code, 0)

      const existingData = `${outputFolder}/mine`
      yield* Effect.promise(() => mkdir(existingData))
      yield* writeText(`${existingData}/secret`, "mine".repeat(16))
      yield* writeText(`${existingData}/.env`, "OVERTURE_ROLE=all\n")
      const refusal = yield* command(existingData, "restore", file)
      assert.strictEqual(refusal.code, 1)
      assert.match(refusal.stderr, /different \.env and secret.*--replace-settings/)
      assert.deepStrictEqual(
        [yield* readText(`${existingData}/secret`), yield* readText(`${existingData}/.env`)],
        ["mine".repeat(16), "OVERTURE_ROLE=all\n"]
      )
      assert.deepStrictEqual(readdirSync(existingData).toSorted(), [".env", "secret"])

      const restoreResult = yield* command(existingData, "restore", file, "--replace-settings")
      assert.strictEqual(restoreResult.code, 0, restoreResult.stderr)
      assert.include(restoreResult.stderr, "OVERTURE_FETCH_ALLOW_PRIVATE, OPENAI_API_KEY")
      assert.notInclude(restoreResult.stdout + restoreResult.stderr, "sk-hidden")
      assert.strictEqual(yield* readText(`${existingData}/.env`), settings)
      assert.strictEqual(yield* readText(`${existingData}/secret`), yield* readText(`${data}/secret`))

      // Equal settings are no conflict, so a store can be restored to its own directory.
      yield* Effect.promise(() => rm(`${existingData}/overture.db`))
      yield* Effect.promise(() => rm(`${existingData}/overture.db-wal`, { force: true }))
      assert.strictEqual((yield* command(existingData, "restore", file)).code, 0)
    })
  )

  it.live(
    "that is made under load restores to a store that finishes its pending work, each time",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const server = yield* serve(data)
        const api = apiClient(server.url, key)
        const campaign = yield* buildCampaign(api)
        const options = { email_count: 1, email_signature: "Piotr" }
        const leads = Array.from({ length: 250 }, (_, i) => ({ email: `lead${i}@company${i}.example` }))
        const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, { leads, options })
        const loadFiber = yield* Effect.forkChild(
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
        const outputFolder = yield* temporaryFolder
        const files = ["one", "two"].map((name) => `${outputFolder}/${name}`)
        for (const file of files) {
          const { code, stderr } = yield* command(data, "backup", file)
          assert.strictEqual(code, 0, stderr)
        }
        yield* Fiber.interrupt(loadFiber)
        assert.deepStrictEqual(readdirSync(outputFolder).toSorted(), ["one", "two"])

        for (const file of files) {
          const restoredData = `${file}-data`
          const restoreResult = yield* command(restoredData, "restore", file)
          assert.strictEqual(restoreResult.code, 0, restoreResult.stderr)
          const restoredServer = yield* serve(restoredData)
          yield* until(
            apiClient(restoredServer.url, key).send("GET", `/lists/${body.list_id}`),
            ({ body }) => "completed_at" in body
          )
          const { balance, entries } = yield* commandJson(restoredData, "credits", "ledger", "--workspace", workspace)
          const costByRef = new Map<string, number>()
          for (const { amount, kind, ref } of entries) {
            if (kind !== "grant") costByRef.set(ref, (costByRef.get(ref) ?? 0) - amount)
          }
          const costs = [...costByRef.values()].filter((cost) => cost > 0)
          assert.lengthOf(
            costs.filter((cost) => cost === 1),
            250
          )
          assert.strictEqual(balance, 5000 - costs.reduce((sum, cost) => sum + cost, 0))
          const verification = yield* command(restoredData, "verify")
          assert.strictEqual(verification.code, 0, verification.stdout)
          yield* killProgram(restoredServer)
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
      const outputFolder = yield* temporaryFolder
      assert.strictEqual((yield* command(data, "backup", `${outputFolder}/good`)).code, 0)
      const backupBytes = yield* Effect.promise(() => readFile(`${outputFolder}/good`))
      assert.strictEqual((yield* command(`${outputFolder}/data`, "restore", `${outputFolder}/good`)).code, 0)
      for (const name of ["overture.db", "secret", ".env", "outbox/one.eml"]) {
        assert.strictEqual(
          (yield* Effect.promise(() => stat(`${outputFolder}/data/${name}`))).mode & 0o777,
          0o600,
          name
        )
      }

      yield* Effect.promise(() => mkdir(`${outputFolder}/raw`))
      yield* restore(`${outputFolder}/good`, `${outputFolder}/raw`).pipe(Effect.provide(NodeServices.layer))
      const lengths = [
        0,
        511,
        512,
        1024,
        backupBytes.length - 1024,
        backupBytes.length - 1536,
        backupBytes.length - 2048
      ]
      const flippedPositions = Array.from({ length: 40 }, (_, i) => Math.floor((i / 40) * (backupBytes.length - 1024)))
      const damagedBackups = [
        ...lengths.map((length) => backupBytes.subarray(0, length)),
        ...flippedPositions.map((position) => backupBytes.with(position, (backupBytes[position] ?? 0) ^ 1))
      ]
      for (const [i, bytes] of damagedBackups.entries()) {
        yield* Effect.promise(() => writeFile(`${outputFolder}/bad`, bytes))
        const target = `${outputFolder}/data-${i}`
        yield* Effect.promise(() => mkdir(target))
        const exit = yield* Effect.exit(restore(`${outputFolder}/bad`, target).pipe(Effect.provide(NodeServices.layer)))
        // Damage in the padding between files is harmless, so a restore that succeeds must have the original files.
        if (Exit.isSuccess(exit)) {
          for (const name of ["overture.db", "secret", ".env", "outbox/one.eml"]) {
            const [restoredBytes, originalBytes] = yield* Effect.promise(() =>
              Promise.all([readFile(`${target}/${name}`), readFile(`${outputFolder}/raw/${name}`)])
            )
            assert.isTrue(restoredBytes.equals(originalBytes), `damage ${i}: ${name}`)
          }
          continue
        }
        assert.deepStrictEqual(readdirSync(`${outputFolder}/data-${i}`), [], `damage ${i}`)
      }
    })
  )

  it.live("leaves no files when it is interrupted or the disk is full", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* command(data, "workspace", "create", "--name", "Kestrel")
      const outputFolder = yield* temporaryFolder
      const failedBackup = yield* command(data, "backup", `${outputFolder}/full`).pipe(
        Effect.provideService(FreeSpace, () => Effect.succeed(100_000))
      )
      assert.strictEqual(failedBackup.code, 1)
      assert.match(
        failedBackup.stderr,
        /^There is no room for the backup [^\n]* and 1 MB are free; write it to another disk\n$/
      )
      assert.deepStrictEqual(readdirSync(outputFolder), [])
      const missingStore = yield* command(`${outputFolder}/nothing`, "backup", `${outputFolder}/none`)
      assert.strictEqual(missingStore.stderr, `There is no store in ${outputFolder}/nothing\n`)

      // Files that a killed backup left do not stop the next backup.
      yield* Effect.promise(() => writeFile(`${outputFolder}/again.database`, "half"))
      yield* Effect.promise(() => writeFile(`${outputFolder}/again.partial`, "half"))
      assert.strictEqual((yield* command(data, "backup", `${outputFolder}/again`)).code, 0)
      assert.deepStrictEqual(readdirSync(outputFolder), ["again"])
      for (const wait of [1, 2, 5, 10, 20, 50]) {
        const backupFiber = yield* Effect.forkChild(command(data, "backup", `${outputFolder}/stopped`))
        yield* Effect.sleep(wait)
        yield* Fiber.interrupt(backupFiber)
        assert.includeMembers(["again", "stopped"], readdirSync(outputFolder))
        yield* Effect.promise(() => rm(`${outputFolder}/stopped`, { force: true }))
      }
    })
  )
})
