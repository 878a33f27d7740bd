// test/program/examples.test.ts: the package `overture/client` and the examples of docs/, in a separate project.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { apiClient, buildCampaign } from "../support/api-client.ts"
import { onboardedWorkspaceIn } from "../support/program-workspace.ts"
import { temporaryFolder, serve } from "../support/process.ts"

const root = join(import.meta.dirname, "../..")
const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`

/** Runs a program in a folder until it exits, and returns its output. */
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

/** Creates a project that has only the package, installed from its tarball. */
const createProject = Effect.gen(function* () {
  const packageFolder = yield* temporaryFolder
  const folder = yield* temporaryFolder
  yield* run(root, process.execPath, [join(root, "scripts/client.ts"), "--out", packageFolder])
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  yield* run(packageFolder, "npm", ["pack", "--pack-destination", folder])
  const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"))
  yield* run(folder, "npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, tarball)])
  const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))
  assert.deepStrictEqual(installed, ["overture"])
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  return folder
})

const timeout = 180_000

describe("the examples", () => {
  it.live(
    "in TypeScript compiles against the installed package without effect, and exports emails",
    () =>
      Effect.gen(function* () {
        const folder = yield* createProject
        copyFileSync(join(root, "docs/examples/campaign.ts"), join(folder, "campaign.ts"))
        yield* run(folder, "tsc", ["-p", "."])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const output = yield* run(folder, process.execPath, ["campaign.ts"], {
          OVERTURE_URL: url,
          OVERTURE_API_KEY: key
        })
        assert.match(output, /^0 of 3 leads\n(. of 3 leads\n)*6 emails in emails\.csv\nNOT_FOUND: /)
        assert.match(readFileSync(join(folder, "emails.csv"), "utf8"), /^email,name,title,company,.*step_2_body\r\n/)
      }),
    timeout
  )

  it.live(
    "in Python exports emails",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const example = join(root, "docs/examples/campaign.py")
        const output = yield* run(folder, "python3", [example], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        assert.match(output, /^6 emails in emails\.csv\nNOT_FOUND: /)
        assert.match(readFileSync(join(folder, "emails.csv"), "utf8"), /^email,name,title,company,.*step_2_body\r\n/)
      }),
    timeout
  )
})

describe("overture/client", () => {
  it.live(
    "sends files and queries, waits for the rate limit, and reports errors by code, status, message, request and detail, also without an answer",
    () =>
      Effect.gen(function* () {
        const folder = yield* createProject
        copyFileSync(join(root, "test/client/answers.ts"), join(folder, "answers.ts"))
        yield* run(folder, "tsc", ["-p", "."])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        // With this limit the client has to wait and retry.
        const { url } = yield* serve(data, { OVERTURE_RATE_LIMIT: "3/1s" })
        const output = yield* run(folder, process.execPath, ["answers.ts"], {
          OVERTURE_URL: url,
          OVERTURE_API_KEY: key
        })
        const { missing, other, unknown, unreachable, wrong, ...answers } = JSON.parse(output)
        assert.deepStrictEqual(answers, {
          name: "Kestrel",
          version: manifest.version,
          health: "ok",
          paths: ["name"],
          leads: [["ida@quarry.example", "Ida"]],
          problems: 1,
          imported: "workspace.import.document",
          found: 0,
          cancelled: "AbortError"
        })
        assert.deepStrictEqual([missing.code, missing.message], ["NOT_THE_CONTRACT", "params.id is missing"])
        assert.deepStrictEqual(
          [unknown.code, unknown.status, unknown.detail.unknown_ids.length],
          ["BAD_REQUEST", 400, 1]
        )
        assert.match(unknown.request_id, /^req_/)
        assert.deepStrictEqual([wrong.code, wrong.status, wrong.request_id.slice(0, 4)], ["UNAUTHORIZED", 401, "req_"])
        assert.deepStrictEqual([unreachable.code, unreachable.status], ["NO_ANSWER", undefined])
        assert.deepStrictEqual([other.code, other.status], ["NOT_FOUND", 404])
        assert.notInclude(output, key)
      }),
    timeout
  )

  it.live(
    "sends a request again whose answer is lost, and the server carries it out once",
    () =>
      Effect.gen(function* () {
        const folder = yield* createProject
        copyFileSync(join(root, "test/client/resent.ts"), join(folder, "resent.ts"))
        yield* run(folder, "tsc", ["-p", "."])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const output = yield* run(folder, process.execPath, ["resent.ts"], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        assert.deepStrictEqual(JSON.parse(output), {
          read: { sent: 4, keyed: 0, keys: 0, code: "" },
          written: { sent: 4, keyed: 4, keys: 1, code: "" },
          once: { sent: 1, keyed: 0, keys: 0, code: "NO_ANSWER" },
          campaigns: 1,
          signatures: 1
        })
      }),
    timeout
  )

  it.live(
    "reviews the emails of a lead: edits, conflicts, rewrites, approves, exports and suppresses",
    () =>
      Effect.gen(function* () {
        const folder = yield* createProject
        copyFileSync(join(root, "test/client/review.ts"), join(folder, "review.ts"))
        yield* run(folder, "tsc", ["-p", "."])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const out = yield* run(folder, process.execPath, ["review.ts"], {
          OVERTURE_URL: url,
          OVERTURE_API_KEY: key,
          CAMPAIGN: yield* buildCampaign(apiClient(url, key))
        })
        assert.deepStrictEqual(JSON.parse(out), {
          read: [1, 1],
          edited: "Unplanned stops",
          conflict: [409, "Unplanned stops", 2],
          rewritten: [
            { step: 1, version: 3 },
            { step: 2, version: 1 }
          ],
          kept: [
            [
              [3, "rewrite"],
              [2, "person"]
            ],
            3
          ],
          stale: "CONFLICT",
          approved: "approved",
          isCurrent: true,
          suppressed: 1,
          listed: [["address", "ida@northquarry.example"]],
          left: 0
        })
      }),
    timeout
  )

  it.live(
    "has a client for programs that use effect",
    () =>
      Effect.gen(function* () {
        const folder = yield* createProject
        symlinkSync(join(root, "node_modules/effect"), join(folder, "node_modules/effect"))
        copyFileSync(join(root, "test/client/effect.ts"), join(folder, "effect.ts"))
        yield* run(folder, "tsc", ["-p", "."])
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const output = yield* run(folder, process.execPath, ["effect.ts"], { OVERTURE_URL: url, OVERTURE_API_KEY: key })
        assert.strictEqual(output, "Kestrel\n")
      }),
    timeout
  )
})
