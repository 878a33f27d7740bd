// test/program/secrets.test.ts: only the owner can read a data directory, and its secret cannot be guessed.
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { temporaryFolder, killProgram, overture, overtureJson, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"

const modeOf = (path: string) => Effect.promise(async () => ((await stat(path)).mode & 0o777).toString(8))

it.live("other users cannot read any file of a data directory that they can enter, while a server runs", () =>
  Effect.gen(function* () {
    const data = `${yield* temporaryFolder}/data`
    yield* Effect.promise(() => mkdir(data))
    yield* Effect.promise(() => chmod(data, 0o755))
    yield* overtureJson(Schema.Struct({ id: Schema.String }), data, "workspace", "create", "--name", "Acme")
    yield* Effect.promise(() => chmod(`${data}/overture.db`, 0o644))
    yield* serve(data)
    const { code, stderr } = yield* overture(data, "backup", `${data}/all.tar`)
    assert.strictEqual(code, 0, stderr)
    const names = yield* Effect.promise(() => readdir(data))
    assert.includeMembers(names, ["overture.db", "overture.db-wal", "overture.db-shm", "secret", "all.tar"])
    for (const name of names) assert.match(yield* modeOf(`${data}/${name}`), /00$/, name)
  })
)

it.live("a short secret in a setting logs a warning, and a short stored secret is refused", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    assert.strictEqual((yield* overture(data, "workspace", "create", "--name", "Acme")).code, 0)
    for (const shortSecret of ["", "x".repeat(31)]) {
      yield* Effect.promise(() => writeFile(`${data}/secret`, shortSecret))
      const { code, stderr } = yield* overture(data, "workspace", "list")
      assert.strictEqual(code, 1, shortSecret)
      assert.match(stderr, /secret.*32 characters/)
      if (shortSecret.trim() !== "") assert.notInclude(stderr, shortSecret)
    }
    yield* Effect.promise(() => writeFile(`${data}/secret`, "y".repeat(32)))
    assert.strictEqual((yield* overture(data, "workspace", "list")).code, 0)
    yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_SECRET=hunter2\n"))
    const serverWithShortSecret = yield* serve(data)
    yield* until(Effect.sync(serverWithShortSecret.log), (log) =>
      log.includes("OVERTURE_SECRET has fewer than 32 characters")
    )
    assert.notInclude(serverWithShortSecret.log(), "hunter2")
    yield* killProgram(serverWithShortSecret)
    yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_SECRET=\n"))
    assert.strictEqual((yield* overture(data, "workspace", "list")).code, 0)
  })
)

it.live("one complete secret is created, however many commands start at the same time", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    const results = yield* Effect.all(
      Array.from({ length: 4 }, () => overture(data, "workspace", "create", "--name", "Acme")),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      results.map(({ code }) => code),
      [0, 0, 0, 0]
    )
    assert.match(yield* Effect.promise(() => readFile(`${data}/secret`, "utf8")), /^[0-9a-f]{64}$/)
    const temporaryFiles = (yield* Effect.promise(() => readdir(data))).filter((name) => name.startsWith(".secret"))
    assert.deepStrictEqual(temporaryFiles, [])
  })
)
