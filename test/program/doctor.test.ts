// test/program/doctor.test.ts: `overture doctor`, the start of the server and GET /workspace report whether the model works.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { LocalServers } from "#layers/model/LocalServers.ts"
import { command } from "#test/support/command.ts"
import { workspaceIn } from "#test/support/program-workspace.ts"
import { freePort } from "#test/support/listening.ts"
import { lmStudio } from "#test/support/local-servers.ts"
import { modelServer } from "#test/support/model-server.ts"
import { ollama } from "#test/support/ollama.ts"
import { dataDirectory, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { apiClient } from "#test/support/api-client.ts"

const key = "sk-test-of-a-key-that-nobody-may-see"

/** Runs `overture doctor` with these settings and local model servers, and returns its checks by name. */
const runDoctor = (data: string, env: Record<string, string> = {}, ports: ReadonlyArray<number> = []) =>
  command(data, "doctor", "--json").pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
    Effect.provideService(
      LocalServers,
      ports.map((port) => ({ name: "Ollama", port }))
    ),
    Effect.map(({ code, stderr, stdout }) => {
      assert.notInclude(stdout + stderr, key)
      const { checks, ok } = JSON.parse(stdout)
      assert.strictEqual(code, ok ? 0 : 1)
      for (const check of checks) assert.deepStrictEqual(Object.keys(check), ["name", "ok", "detail"])
      const names = checks.map(({ name }: { name: string }) => name)
      assert.deepStrictEqual(names, ["settings", "disk", "store", "clock", "mail", "model"])
      const findCheck = (name: string) => checks.find((check: { name: string }) => check.name === name)
      return {
        ok,
        settings: findCheck("settings"),
        disk: findCheck("disk"),
        store: findCheck("store"),
        clock: findCheck("clock"),
        mail: findCheck("mail"),
        model: findCheck("model")
      }
    })
  )

const readContents = (data: string) =>
  Effect.promise(async () => {
    const names = (await readdir(data)).filter((name) => !/-(?:wal|shm)$/.test(name)).toSorted()
    return Promise.all(
      names.map(async (name) => [name, (await readFile(`${data}/${name}`).catch(() => Buffer.of())).toString("base64")])
    )
  })

const modelSettings = (url: string) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OVERTURE_MODEL: "tiny" })

describe("overture doctor", () => {
  it.live("passes with the built-in writer, and changes nothing", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const resultWithoutStore = yield* runDoctor(data)
      assert.isTrue(resultWithoutStore.ok)
      assert.match(resultWithoutStore.store.detail, /no store .* yet/)
      assert.deepStrictEqual(yield* readContents(data), [])
      yield* workspaceIn(data, "Kestrel")
      const contentsBefore = yield* readContents(data)
      const { mail, model, ok, store } = yield* runDoctor(data)
      assert.isTrue(ok)
      assert.match(store.detail, /^SQLite in .*, schema \d+\.$/)
      assert.match(mail.detail, /outbox/)
      assert.match(model.detail, /^The built-in writer writes; no model is configured\./)
      assert.deepStrictEqual(yield* readContents(data), contentsBefore)
    })
  )

  it.live("asks the configured model one question", () =>
    Effect.gen(function* () {
      const { state, url } = yield* modelServer
      const { model, ok } = yield* runDoctor(yield* dataDirectory, modelSettings(url))
      assert.isTrue(ok)
      assert.deepInclude(model, { name: "model", ok: true })
      assert.match(model.detail, /^The model server answers; tiny writes\. It wrote \d+ tokens a second/)
      assert.deepInclude(state, { probeRequests: 1, writingRequests: 0 })
      state.answersJson = false
      const resultWithoutJson = yield* runDoctor(yield* dataDirectory, modelSettings(url))
      assert.isFalse(resultWithoutJson.ok)
      assert.match(resultWithoutJson.model.detail, /tiny does not answer in JSON/)
    })
  )

  it.live("reports the context size of a local model, and whether prompts fit", () =>
    Effect.gen(function* () {
      const env = { OVERTURE_MODEL_API: "ollama", OVERTURE_MODEL: "tiny" }
      const reply = () => `{"numbers":[${Array.from({ length: 20 }, (_, index) => index + 1).join(", ")}]}`
      const { seen, state, url } = yield* ollama({ reply })
      const { model, ok } = yield* runDoctor(yield* dataDirectory, { ...env, OPENAI_BASE_URL: url })
      assert.isTrue(ok)
      assert.match(model.detail, /^Ollama answers; tiny writes\. Its context is 32,768 tokens\. It wrote \d+ tokens/)
      assert.lengthOf(seen.chats, 1)
      state.maxContext = 4096
      const resultWithSmallContext = yield* runDoctor(yield* dataDirectory, { ...env, OPENAI_BASE_URL: url })
      assert.isFalse(resultWithSmallContext.ok)
      assert.match(resultWithSmallContext.model.detail, /context is 4,096 tokens, too small .* 8,192 or more/)
      Object.assign(state, { maxContext: 1e300, reportedTokens: 1e300 })
      const resultWithAbsurdFigures = yield* runDoctor(yield* dataDirectory, { ...env, OPENAI_BASE_URL: url })
      assert.deepInclude(resultWithAbsurdFigures.model, { ok: true, detail: "Ollama answers; tiny writes." })
      state.models = []
      const resultWithoutModel = yield* runDoctor(yield* dataDirectory, { ...env, OPENAI_BASE_URL: url })
      assert.match(resultWithoutModel.model.detail, /does not have the model\. Download it with ollama pull/)
      const lmStudioServer = yield* lmStudio({ context: 4096 })
      const resultOfLmStudio = yield* runDoctor(yield* dataDirectory, {
        OVERTURE_MODEL_API: "lmstudio",
        OVERTURE_MODEL: "tiny",
        OPENAI_BASE_URL: lmStudioServer.url
      })
      assert.match(resultOfLmStudio.model.detail, /does not answer in JSON|too small/)
    })
  )

  it.live("names settings that are invalid or do not exist, and a full disk", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      yield* Effect.promise(() => writeFile(`${data}/.env`, `OVERTURE_MODLE=${key}\nOVERTURE_VERIFY=off\n`))
      const { disk, ok, settings } = yield* runDoctor(data, { OVERTURE_PORT: key, OVERTURE_TEMPERATURE: "9" })
      assert.isFalse(ok)
      assert.match(
        settings.detail,
        /OVERTURE_PORT, OVERTURE_TEMPERATURE cannot be read.*OVERTURE_MODLE in .*\.env is no/
      )
      assert.match(disk.detail, /can be written; \d+ [GM]B are free/)
      const resultOnFullDisk = yield* runDoctor(data).pipe(
        Effect.provideService(FreeSpace, () => Effect.succeed(1_000_000))
      )
      assert.isFalse(resultOnFullDisk.disk.ok)
      assert.match(resultOnFullDisk.disk.detail, /1 MB free: make room/)
    })
  )

  it.live("names the setting to check if the model cannot be used", () =>
    Effect.gen(function* () {
      const { state, url } = yield* modelServer
      const unusedUrl = `http://127.0.0.1:${yield* Effect.promise(freePort)}/v1`
      const data = yield* dataDirectory
      const unreachable = yield* runDoctor(data, modelSettings(unusedUrl))
      assert.isFalse(unreachable.ok)
      assert.match(unreachable.model.detail, /cannot be reached\. .*OPENAI_BASE_URL/)
      assert.notInclude(unreachable.model.detail, unusedUrl)
      const cases = [
        ["refuses the key", /answered 401\. .*OPENAI_API_KEY/],
        ["lacks the model", /answered 404\. .*OVERTURE_MODEL/],
        ["down", /answered 503\. .*OPENAI_BASE_URL/]
      ] as const
      for (const [mode, detail] of cases) {
        state.mode = mode
        const { model, ok } = yield* runDoctor(data, modelSettings(url))
        assert.isFalse(ok)
        assert.match(model.detail, detail)
      }
      const resultOfInvalidUrl = yield* runDoctor(data, { ...modelSettings(url), OPENAI_BASE_URL: "tiny:8080" })
      assert.isFalse(resultOfInvalidUrl.model.ok)
      assert.match(resultOfInvalidUrl.model.detail, /Expected a URL such as http:\/\/localhost:11434\/v1/)
      assert.isTrue(resultOfInvalidUrl.store.ok)
    })
  )

  it.live("offers a model server of this machine if none is configured", () =>
    Effect.gen(function* () {
      const { state, url } = yield* modelServer
      const port = Number(new URL(url).port)
      const { model, ok } = yield* runDoctor(yield* dataDirectory, {}, [yield* Effect.promise(freePort), port])
      assert.isTrue(ok)
      assert.include(model.detail, `OPENAI_BASE_URL=${url} and OVERTURE_MODEL=tiny`)
      assert.strictEqual(state.probeRequests, 0)
      const ollamaServer = yield* ollama({ models: ["nomic-embed-text:latest", "tiny:latest"] })
      const resultWithOllama = yield* runDoctor(yield* dataDirectory, {}, [ollamaServer.port])
      const settings = `OVERTURE_MODEL_API=ollama, OPENAI_BASE_URL=${ollamaServer.url} and OVERTURE_MODEL=tiny:latest`
      assert.include(resultWithOllama.model.detail, `${settings}, and restart the server.`)
    })
  )

  it.live("finds a mail server that does not answer, a newer store, and a clock behind the store", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      yield* workspaceIn(data, "Kestrel")
      const port = yield* Effect.promise(freePort)
      const { mail } = yield* runDoctor(data, { SMTP_URL: `smtp://127.0.0.1:${port}` })
      assert.isFalse(mail.ok)
      assert.match(mail.detail, /could not be reached .*SMTP_URL/)
      const changeStore = (statement: string) => {
        const db = new DatabaseSync(`${data}/overture.db`)
        db.exec(statement)
        db.close()
      }
      changeStore("UPDATE workspaces SET updated_at = '2090-01-01T00:00:00.000Z'")
      const { clock } = yield* runDoctor(data)
      assert.isFalse(clock.ok)
      assert.include(clock.detail, "2090-01-01")
      changeStore("INSERT INTO migrations (migration_id, name) VALUES (9000, 'future')")
      const { store } = yield* runDoctor(data)
      assert.isFalse(store.ok)
      assert.match(store.detail, /newer version/)
    })
  )
})

describe("a server whose model cannot be reached", () => {
  it.live("starts, logs once which setting to check, stays ready, and reports the problem to the console", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { key: apiKey } = yield* workspaceIn(data, "Kestrel")
      const unusedUrl = `http://127.0.0.1:${yield* Effect.promise(freePort)}/v1`
      const env = { OVERTURE_GENERATOR: "", OVERTURE_LOG_FORMAT: "json" }
      const server = yield* serve(data, { ...env, ...modelSettings(unusedUrl) })
      const api = apiClient(server.url, apiKey)
      const answer = yield* until(api.send("GET", "/workspace"), ({ body }) => body.writer.answered === false)
      assert.deepInclude(answer.body.writer, { kind: "model", model: "tiny" })
      assert.match(answer.body.writer.problem, /cannot be reached\. .*OPENAI_BASE_URL/)
      const readiness = yield* Effect.promise(() => fetch(`${server.url}/readyz`))
      assert.strictEqual(readiness.status, 200)
      const lines = server
        .log()
        .split("\n")
        .filter((line) => line.includes("OPENAI_BASE_URL"))
      assert.lengthOf(lines, 1)
      assert.notInclude(server.log(), key)
      assert.notInclude(server.log(), unusedUrl)
    })
  )

  it.live("reports the model that writes, or the built-in writer if there is none", () =>
    Effect.gen(function* () {
      const { state, url } = yield* modelServer
      const data = yield* dataDirectory
      const { key: apiKey } = yield* workspaceIn(data, "Kestrel")
      const env = { OVERTURE_GENERATOR: "", OVERTURE_LOG_FORMAT: "json" }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* serve(data, { ...env, ...modelSettings(url) })
          yield* until(Effect.sync(server.log), (log) => log.includes("The model server answers; tiny writes"))
          const { body } = yield* until(
            apiClient(server.url, apiKey).send("GET", "/workspace"),
            ({ body }) => body.writer.answered !== null
          )
          const { host } = new URL(url)
          const expectedServer = { api: "openai", host, context: null, concurrency: null }
          assert.deepStrictEqual(body.writer, {
            kind: "model",
            model: "tiny",
            answered: true,
            problem: null,
            server: expectedServer
          })
          assert.notInclude(JSON.stringify(body), key)
          assert.strictEqual(state.probeRequests, 0)
        })
      )
      const server = yield* serve(data, { OVERTURE_GENERATOR: "builtin" })
      const { body } = yield* apiClient(server.url, apiKey).send("GET", "/workspace")
      assert.deepStrictEqual(body.writer, {
        kind: "builtin",
        model: null,
        answered: null,
        problem: null,
        server: null
      })
    })
  )
})
