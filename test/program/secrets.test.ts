// test/program/secrets.test.ts: what a data directory holds is its owner's alone, and what signs its links cannot be guessed.
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { temporaryFolder, killProgram, overture, overtureJson, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"

const modeOf = (path: string) => Effect.promise(async () => ((await stat(path)).mode & 0o777).toString(8))

it.live("nothing of it can be read by others, in a folder that they may enter, while a server runs", () =>
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

it.live("a secret that could be guessed is warned of where it is given, and refused where it was kept", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    assert.strictEqual((yield* overture(data, "workspace", "create", "--name", "Acme")).code, 0)
    for (const given of ["", "x".repeat(31)]) {
      yield* Effect.promise(() => writeFile(`${data}/secret`, given))
      const { code, stderr } = yield* overture(data, "workspace", "list")
      assert.strictEqual(code, 1, given)
      assert.match(stderr, /secret.*32 characters/)
      if (given.trim() !== "") assert.notInclude(stderr, given)
    }
    yield* Effect.promise(() => writeFile(`${data}/secret`, "y".repeat(32)))
    assert.strictEqual((yield* overture(data, "workspace", "list")).code, 0)
    yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_SECRET=hunter2\n"))
    const warned = yield* serve(data)
    yield* until(Effect.sync(warned.log), (log) => log.includes("OVERTURE_SECRET has fewer than 32 characters"))
    assert.notInclude(warned.log(), "hunter2")
    yield* killProgram(warned)
    yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_SECRET=\n"))
    assert.strictEqual((yield* overture(data, "workspace", "list")).code, 0)
  })
)

it.live("one secret is made, whole, however many commands come first", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    const ran = yield* Effect.all(
      Array.from({ length: 4 }, () => overture(data, "workspace", "create", "--name", "Acme")),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      ran.map(({ code }) => code),
      [0, 0, 0, 0]
    )
    assert.match(yield* Effect.promise(() => readFile(`${data}/secret`, "utf8")), /^[0-9a-f]{64}$/)
    const left = (yield* Effect.promise(() => readdir(data))).filter((name) => name.startsWith(".secret"))
    assert.deepStrictEqual(left, [])
  })
)
