// test/program/examples.test.ts: the package `overture/client` and the examples of docs/, in a program of their own.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { foundedIn } from "../support/founded.ts"
import { folder, serve } from "../support/process.ts"

const root = join(import.meta.dirname, "../..")
const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`

/** Runs a program to its end in a folder, and answers what it printed. */
const run = (cwd: string, file: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.callback<string>((resume) => {
    execFile(file, args, { cwd, env: { ...process.env, PATH, ...env } }, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${file} ${args[0]}: ${stdout}${stderr}`)))
    )
  })

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: "nodenext",
  target: "esnext",
  lib: ["esnext", "dom"],
  typeRoots: [join(root, "node_modules/@types")],
  types: ["node"],
  noEmit: true
}

/** A project of strangers with the package and `effect` installed, and nothing else of ours. */
const project = Effect.gen(function* () {
  const at = yield* folder
  const packages = join(at, "node_modules")
  yield* run(root, process.execPath, [join(root, "scripts/client.ts"), "--out", join(packages, "overture")])
  symlinkSync(join(root, "node_modules/effect"), join(packages, "effect"))
  writeFileSync(join(at, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  return at
})

const minutes = 180_000

describe("the examples", () => {
  it.live(
    "in TypeScript compiles against the package, which needs nothing but effect, and goes the whole way",
    () =>
      Effect.gen(function* () {
        const at = yield* project
        copyFileSync(join(root, "docs/examples/campaign.ts"), join(at, "campaign.ts"))
        yield* run(at, "tsc", ["-p", "."])
        const data = yield* folder
        const { key } = yield* foundedIn(data)
        const { url } = yield* serve(data)
        const told = yield* run(at, process.execPath, ["campaign.ts"], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        assert.match(told, /^6 emails in emails\.csv\nNOT_FOUND: /)
        assert.match(readFileSync(join(at, "emails.csv"), "utf8"), /^email,name,title,company,.*step_2_body\r\n/)
      }),
    minutes
  )

  it.live(
    "in Python goes the whole way",
    () =>
      Effect.gen(function* () {
        const at = yield* folder
        const data = yield* folder
        const { key } = yield* foundedIn(data)
        const { url } = yield* serve(data)
        const example = join(root, "docs/examples/campaign.py")
        const told = yield* run(at, "python3", [example], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        assert.match(told, /^6 emails in emails\.csv\nNOT_FOUND: /)
        assert.match(readFileSync(join(at, "emails.csv"), "utf8"), /^email,name,title,company,.*step_2_body\r\n/)
      }),
    minutes
  )
})

describe("overture/client", () => {
  it.live(
    "tells what went wrong by code, message, request and detail, also where no answer came",
    () =>
      Effect.gen(function* () {
        const at = yield* project
        copyFileSync(join(root, "test/client/answers.ts"), join(at, "answers.ts"))
        yield* run(at, "tsc", ["-p", "."])
        const data = yield* folder
        const { key } = yield* foundedIn(data)
        const { url } = yield* serve(data)
        const out = yield* run(at, process.execPath, ["answers.ts"], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        const [name, health, missing, invalid, wrong, nobody] = JSON.parse(out)
        assert.deepStrictEqual([name, health], ["Kestrel", "ok"])
        assert.strictEqual(missing[0], "NOT_THE_CONTRACT")
        assert.deepStrictEqual([invalid[0], invalid[2], invalid[3].unknown_ids.length], ["BAD_REQUEST", "req_", 1])
        assert.deepStrictEqual([wrong[0], wrong[2]], ["UNAUTHORIZED", "req_"])
        assert.strictEqual(nobody[0], "NO_ANSWER")
        assert.notInclude(out, key)
      }),
    minutes
  )
})
