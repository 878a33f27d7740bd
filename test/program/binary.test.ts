// test/program/binary.test.ts: the program as a single executable, in an empty folder with an empty environment, and
// as a bundle.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Documents from "../support/documents.ts"
import { onboardedWorkspaceIn, namedLeads, options } from "../support/program-workspace.ts"
import { temporaryFolder, overture, Program, serve } from "../support/process.ts"
import { until } from "../support/until.ts"
import { buildCampaign, fileForm, apiClient } from "../support/api-client.ts"

const root = join(import.meta.dirname, "../..")

/** A test bundles, packs and runs every command, which takes long on a busy machine. */
const timeout = 240_000

const buildBinary = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const file = join(folder, "overture")
  const cwd = join(folder, "empty")
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` }
  yield* Effect.sync(() => {
    mkdirSync(cwd)
    execFileSync(process.execPath, [join(root, "scripts/binary.ts"), "--out", file], { env, stdio: "pipe" })
  })
  assert.deepStrictEqual(readdirSync(folder).toSorted(), ["empty", "overture"])
  return { file, args: [], cwd, env: {} }
})

/** The bundle that scripts/run.sh runs. */
const buildBundle = Effect.gen(function* () {
  const version = execFileSync("sh", ["scripts/run.sh", "overture", "--version"], { cwd: root, encoding: "utf8" })
  assert.match(version, /^overture v\d/)
  return {
    file: process.execPath,
    args: [join(root, "dist/bundle/main.mjs")],
    cwd: yield* temporaryFolder,
    env: process.env
  }
})

/** Runs a command of the program with --json, and returns what it printed. */
const commandJson = Effect.fnUntraced(function* (data: string, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* overture(data, ...args, "--json")
  assert.strictEqual(code, 0, `${args.join(" ")}: ${stderr}`)
  return JSON.parse(stdout)
})

/** Goes from an empty folder to exported emails, and runs the operators' commands. */
const runWholeJourney = Effect.gen(function* () {
  const { cwd } = yield* Program
  const data = join(cwd, "data")
  mkdirSync(data)
  const { key, workspace } = yield* onboardedWorkspaceIn(data, commandJson)

  const server = yield* serve(data)
  const { send } = apiClient(server.url, key)
  // Documents are read in a worker thread, which the executable has to contain.
  const documents = [
    fileForm("guarantee.docx", Documents.docx(["Countries: Poland, Germany"])),
    fileForm("offer.pdf", Documents.pdf([["Guarantee: ten years."]]))
  ]
  for (const document of documents) {
    const importAnswer = yield* send("POST", "/workspace/imports/document", document)
    assert.strictEqual(importAnswer.status, 202, JSON.stringify(importAnswer.body))
    const { body } = yield* until(send("GET", `/jobs/${importAnswer.body.id}`), ({ body }) => body.result !== null)
    assert.strictEqual(body.result.status, "success", JSON.stringify(body))
  }
  // The executable contains the console.
  const consolePage = yield* Effect.promise(async () => (await fetch(server.url)).text())
  const assets = [...consolePage.matchAll(/"(\/console\/[^"]+)"/g)].map(([, path = ""]) => path)
  assert.lengthOf(assets, 2)
  for (const path of assets) {
    const answer = yield* Effect.promise(() => fetch(server.url + path, { headers: { "accept-encoding": "br" } }))
    assert.deepStrictEqual([answer.status, answer.headers.get("content-encoding")], [200, "br"])
  }
  const campaign = yield* buildCampaign(apiClient(server.url, key))
  const batchAnswer = yield* send("POST", `/campaigns/${campaign}/generate-batch`, { leads: namedLeads(30), options })
  assert.strictEqual(batchAnswer.status, 202, JSON.stringify(batchAnswer.body))
  const list = batchAnswer.body.list_id
  const { body } = yield* until(send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
  assert.strictEqual(body.emails_created, 60)
  const csv = yield* send("GET", `/lists/${list}/export?format=csv`)
  assert.lengthOf(
    String(csv.body)
      .trimEnd()
      .split(/\r\n(?=lead)/),
    31
  )
  const pages = yield* Effect.forEach(["/docs", "/openapi.json"], (path) =>
    Effect.promise(async () => (await fetch(`${server.url}${path}`)).status)
  )
  assert.deepStrictEqual(pages, [200, 200])

  const backup = join(cwd, "all.backup")
  const restoredData = join(cwd, "restored")
  for (const [dataDirectory, ...args] of [
    [data, "workspace", "show", workspace],
    [data, "key", "list", "--workspace", workspace],
    [data, "plan", "set", "--workspace", workspace, "--tier", "scale"],
    [data, "credits", "grant", "--workspace", workspace, "--amount", "5"],
    [data, "credits", "ledger", "--workspace", workspace],
    [data, "prune", "--dry-run"],
    [data, "backup", backup],
    [restoredData, "restore", backup],
    [restoredData, "verify"]
  ] as const) {
    yield* commandJson(dataDirectory, ...args)
  }

  const exit = once(server.child, "exit")
  server.child.kill("SIGTERM")
  assert.deepStrictEqual(yield* Effect.promise(() => exit), [0, null])
  assert.notMatch(server.log(), /"level":"(?:WARN|ERROR|FATAL)"|Warning/)
})

it.live(
  "the single executable works without any other file",
  () =>
    Effect.flatMap(buildBinary, (program) => Effect.provideService(runWholeJourney, Program, program)).pipe(
      Effect.scoped
    ),
  timeout
)

it.live(
  "the bundle works",
  () =>
    Effect.flatMap(buildBundle, (program) => Effect.provideService(runWholeJourney, Program, program)).pipe(
      Effect.scoped
    ),
  timeout
)
