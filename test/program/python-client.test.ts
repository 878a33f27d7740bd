// test/program/python-client.test.ts: the Python client that is generated from the OpenAPI document, with python3 and a server.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { operations } from "../../scripts/client/Document.ts"
import { onboardedWorkspaceIn } from "../support/program-workspace.ts"
import { temporaryFolder, serve } from "../support/process.ts"

const root = join(import.meta.dirname, "../..")

const run = (cwd: string, file: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.callback<string>((resume) => {
    execFile(file, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${file} ${args[0]}: ${stdout}${stderr}`)))
    )
  })

describe("the Python client", () => {
  it.live(
    "has a method for each operation, and builds a campaign, writes to a file of leads, follows, pages and exports",
    () =>
      Effect.gen(function* () {
        const built = yield* temporaryFolder
        const at = yield* temporaryFolder
        yield* run(root, process.execPath, [join(root, "scripts/client.ts"), "--python", "--out", built])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const out = yield* run(at, "python3", ["-W", "error", join(root, "test/client/flow.py")], {
          OVERTURE_URL: url,
          OVERTURE_API_KEY: key,
          PYTHONPATH: built,
          PYTHONDONTWRITEBYTECODE: "1"
        })
        assert.notInclude(out, key)
        const { methods, ...answers } = JSON.parse(out)
        assert.deepStrictEqual(answers, { csv: 13, version: manifest.version })
        const expected = operations.map(({ id }) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
        assert.includeMembers(methods, expected)
        const iterators: ReadonlyArray<string> = methods.filter((name: string) => !expected.includes(name))
        for (const name of iterators) {
          const base = name.replace(/^iter_/, "")
          assert.isTrue(expected.includes(`list_${base}`) || expected.includes(base), name)
        }
        const paged = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "offset"))
        assert.strictEqual(iterators.length, paged.length)
      }),
    180_000
  )
})
