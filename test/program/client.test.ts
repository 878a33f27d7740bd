// test/program/client.test.ts: a client that strangers' tools make of /openapi.json compiles, and goes the whole way.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { copyFile, writeFile } from "node:fs/promises"
import { workspaceIn } from "#test/support/program-workspace.ts"
import { temporaryFolder, serve } from "#test/support/process.ts"

const root = new URL("../..", import.meta.url).pathname
const generator = `${root}test/client/node_modules/@hey-api/openapi-ts/bin/run.js`
const compiler = `${root}node_modules/typescript/bin/tsc`

const profile = `${root}test/fixtures/hollowell.json`

const config = {
  compilerOptions: {
    strict: true,
    module: "nodenext",
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable"],
    typeRoots: [`${root}node_modules/@types`],
    types: ["node"],
    outDir: "out"
  },
  include: ["flow.ts", "api"]
}

/** Runs a program of Node's in this folder, and answers what it printed. */
const run = (cwd: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.callback<string>((resume) => {
    execFile(process.execPath, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${args[0]}: ${stdout}${stderr}`)))
    )
  })

describe("a client generated from the reference", () => {
  it.live(
    "compiles with what a stranger writes, and goes from nothing to exported emails",
    () =>
      Effect.gen(function* () {
        const at = yield* temporaryFolder
        const { data, key } = yield* workspaceIn(yield* temporaryFolder, "Hollowell", "--profile", profile)
        const { url } = yield* serve(data)
        yield* Effect.promise(async () => {
          await writeFile(`${at}/openapi.json`, await (await fetch(`${url}/openapi.json`)).text())
          await writeFile(`${at}/package.json`, JSON.stringify({ type: "module" }))
          await writeFile(`${at}/tsconfig.json`, JSON.stringify(config))
          await copyFile(`${root}test/client/flow.ts`, `${at}/flow.ts`)
        })
        yield* run(at, [generator, "-i", "openapi.json", "-o", "api", "--no-log-file"])
        yield* run(at, [compiler, "-p", "tsconfig.json"])
        const told = JSON.parse(yield* run(at, ["out/flow.js"], { OVERTURE_URL: url, OVERTURE_API_KEY: key }))
        assert.deepInclude(told, { leads: 12, csv: 12 })
      }),
    180_000
  )
})
