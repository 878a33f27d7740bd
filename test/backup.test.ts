// test/backup.test.ts: a store as one file, made while the server works, and put back.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync } from "node:fs"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { Check } from "#layers/Verify.ts"
import { folder, overture, overtureJson, serve, until } from "#test/support/process.ts"
import { build, wire } from "#test/support/wire.ts"

const Verdict = Schema.Struct({ ok: Schema.Boolean, checks: Schema.Array(Check) })
const Made = Schema.Struct({ id: Schema.String })
const Key = Schema.Struct({ key: Schema.String })

const profile = {
  company_name: "Kestrel Pumps",
  business_description: "We build slurry pumps for mines.",
  problems_solved: "A worn pump stops the line.",
  target_job_titles: "Plant Director"
}

const founded = Effect.gen(function* () {
  const data = yield* folder
  yield* Effect.promise(() => writeFile(`${data}/profile.json`, JSON.stringify(profile)))
  const named = ["--name", "Kestrel", "--profile", `${data}/profile.json`]
  const { id } = yield* overtureJson(Made, data, "workspace", "create", ...named)
  const { key } = yield* overtureJson(Key, data, "key", "create", "--workspace", id)
  return { data, key, id }
})

describe("a backup", () => {
  it.live("made in the middle of a batch is whole, and the restored store goes on where it was", () =>
    Effect.gen(function* () {
      const { data, key } = yield* founded
      const server = yield* serve(data)
      const api = wire(server.url, key)
      const campaign = yield* build(api)
      const leads = Array.from({ length: 300 }, (_, i) => ({ email: `lead${i}@company${i}.example` }))
      const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads,
        options: { email_count: 1, email_signature: "Piotr" }
      })
      yield* Effect.promise(() => mkdir(`${data}/outbox`))
      yield* Effect.promise(() => writeFile(`${data}/outbox/one.eml`, "Subject: done\r\n\r\nDone"))

      const file = `${yield* folder}/store.backup`
      const made = yield* overture(data, "backup", file)
      assert.strictEqual(made.code, 0, made.stderr)
      assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
      const again = yield* overture(data, "backup", file)
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, "overwrites nothing")

      const other = `${yield* folder}/data`
      const restored = yield* overture(other, "restore", file)
      assert.strictEqual(restored.code, 0, restored.stderr)
      assert.isTrue((yield* overtureJson(Verdict, other, "verify")).ok)
      for (const name of ["secret", "outbox/one.eml"]) {
        assert.deepStrictEqual(
          yield* Effect.promise(() => readFile(`${other}/${name}`)),
          yield* Effect.promise(() => readFile(`${data}/${name}`))
        )
      }
      const second = yield* serve(other)
      const list = yield* until(
        wire(second.url, key).send("GET", `/lists/${body.list_id}`),
        ({ body }) => "completed_at" in body
      )
      assert.deepInclude(list.body, { leads_count: 300, emails_created: 300 })
    })
  )

  it.live("is refused where a store is, and leaves nothing where it is none", () =>
    Effect.gen(function* () {
      const { data } = yield* founded
      const out = yield* folder
      const file = `${out}/store.backup`
      yield* overture(data, "backup", file)
      const onto = yield* overture(data, "restore", file)
      assert.strictEqual(onto.code, 1)
      assert.include(onto.stderr, "holds a store already")

      // What a killed server leaves where only its database was moved away.
      const log = `${out}/logged/overture.db-wal`
      yield* Effect.promise(() => mkdir(`${out}/logged`))
      yield* Effect.promise(() => writeFile(log, "writes of another database"))
      const beside = yield* overture(`${out}/logged`, "restore", file)
      assert.strictEqual(beside.code, 1)
      assert.include(beside.stderr, "overture.db-wal")
      assert.isFalse(existsSync(`${out}/logged/overture.db`))
      assert.strictEqual(yield* Effect.promise(() => readFile(log, "utf8")), "writes of another database")

      const bytes = yield* Effect.promise(() => readFile(file))
      yield* Effect.promise(() => writeFile(`${out}/cut`, bytes.subarray(0, bytes.length / 2)))
      yield* Effect.promise(() => writeFile(`${out}/other`, "no archive at all"))
      for (const bad of ["cut", "other", "absent"]) {
        const refused = yield* overture(`${out}/data-${bad}`, "restore", `${out}/${bad}`)
        assert.strictEqual(refused.code, 1, bad)
        assert.include(refused.stderr, "The restore failed")
        assert.isFalse(existsSync(`${out}/data-${bad}/overture.db`), bad)
      }
    })
  )
})
