// test/privacy.test.ts: what lies in the data directory is for its owner alone, whoever made the folder.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmod, mkdir, readdir, stat } from "node:fs/promises"
import { folder, overture, serve, until } from "#test/support/process.ts"

/** What others than the owner may do with each file. */
const othersMay = (directory: string) =>
  Effect.promise(async () => {
    const files = await readdir(directory, { recursive: true })
    const modes = await Promise.all(
      files.map(async (file) => [file, (await stat(`${directory}/${file}`)).mode & 0o077])
    )
    return Object.fromEntries(modes) as Record<string, number>
  })

it.live("a store in a folder that everybody may read is still for its owner alone, and so is what is taken of it", () =>
  Effect.gen(function* () {
    const shared = yield* folder
    const data = `${shared}/data`
    yield* Effect.promise(async () => {
      await chmod(shared, 0o755)
      await mkdir(data)
      await chmod(data, 0o755)
    })
    const made = yield* overture(data, "workspace", "create", "--name", "Kestrel")
    assert.strictEqual(made.code, 0, made.stderr)
    yield* serve(data)
    const found = yield* until(othersMay(data), (modes) => "overture.db-wal" in modes)
    assert.containsAllKeys(found, ["overture.db", "overture.db-wal", "overture.db-shm", "secret", "worker.lock"])
    assert.strictEqual((yield* overture(data, "backup", `${shared}/one.backup`)).code, 0)
    const { data: own, ...all } = yield* othersMay(shared)
    assert.strictEqual(own, 0o055)
    assert.deepStrictEqual(
      Object.entries(all).filter(([, mode]) => mode !== 0),
      []
    )
  })
)
