// test/program/link.test.ts: `overture link` prints a sign-in link, and the first start of `serve` prints a link too.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { createServer } from "node:http"
import { Session } from "#schema/Session.ts"
import { command, commandJson } from "../support/command.ts"
import { dataDirectory, serve, startProgram } from "../support/process.ts"
import { until } from "../support/until.ts"

const postJson = (url: string, path: string, body: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify(body)
    })
  )

/** A model server on the default port of Ollama. If Ollama already runs there, the test uses it. */
const startOllama = Effect.acquireRelease(
  Effect.sync(() =>
    createServer(({ url }, response) => {
      const documents: Record<string, object> = {
        "/v1/models": { data: [{ id: "tiny:latest" }] },
        "/api/version": { version: "0.20.0" }
      }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(documents[url ?? ""] ?? {}))
    })
      .on("error", () => {})
      .listen(11_434, "127.0.0.1")
  ),
  (server) => Effect.sync(() => void server.close())
)

layer(Layer.empty, { excludeTestServices: true })("serve", (it) => {
  it.effect("offers a local model server together with the first link, unless the built-in writer is chosen", () =>
    Effect.gen(function* () {
      yield* startOllama
      const data = yield* dataDirectory
      const flags = ["serve", "--port", "0", "--data-dir", data]
      const { stdout } = yield* startProgram(data, { OVERTURE_GENERATOR: "" }, ...flags)
      const output = yield* until(Effect.sync(stdout), (output) => output.includes("OVERTURE_MODEL="), "3 minutes")
      assert.match(output, /#\/first-run\/ovl_/)
      assert.match(output, /Ollama runs at http:\/\/127\.0\.0\.1:11434\/v1 with \S+.*\.env of its data directory/)
      assert.match(
        output,
        /OVERTURE_MODEL_API=ollama\n {2}OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:11434\/v1\n {2}OVERTURE_MODEL=\S/
      )

      const builtinServer = yield* startProgram(
        yield* dataDirectory,
        { OVERTURE_GENERATOR: "builtin" },
        ...flags.slice(0, -2)
      )
      const builtinOutput = yield* until(
        Effect.sync(builtinServer.stdout),
        (output) => output.includes("overture workspace create"),
        "3 minutes"
      )
      const [, address = "", token] = /(http:\S+)\/#\/first-run\/(\w+)/.exec(builtinOutput) ?? []
      const modelServers = yield* postJson(address, "/session/first-run/model-servers", { token })
      assert.deepStrictEqual(yield* Effect.promise(() => modelServers.json()), { servers: [] })
    })
  )
})

layer(Layer.empty, { excludeTestServices: true })("overture link", (it) => {
  it.effect("creates the first workspace of a store, and then signs in to it, each once", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { url } = yield* serve(data)
      const firstLink = yield* commandJson(data, "link", "--url", `${url}/`)
      const [address, token] = firstLink.url.split("/#/first-run/")
      assert.strictEqual(address, url)
      const creation = yield* postJson(url, "/session/first-run", { token, name: "North", email: "ann@north.example" })
      assert.strictEqual(creation.status, 201)

      const { stdout } = yield* command(data, "link", "--url", url, "--name", "Ann")
      const [, signInToken = ""] = /#\/sign-in\/(ovl_\w+)/.exec(stdout) ?? []
      assert.include(stdout, "Signs in to North once")
      const signIn = yield* postJson(url, "/session", { token: signInToken })
      assert.strictEqual(signIn.status, 201)
      const { key, workspace } = yield* Schema.decodeUnknownEffect(Session)(yield* Effect.promise(() => signIn.json()))
      assert.deepStrictEqual([key.name, workspace.name], ["Ann", "North"])
      assert.strictEqual((yield* postJson(url, "/session", { token: signInToken })).status, 401)

      // Revoking the key of that name ends the session.
      const [cookie = ""] = (signIn.headers.get("set-cookie") ?? "").split(";")
      const requestLists = Effect.promise(() =>
        fetch(`${url}/api/v1/lists`, { headers: { cookie, "x-overture-session": "1" } }).then(({ status }) => status)
      )
      assert.strictEqual(yield* requestLists, 200)
      yield* commandJson(data, "key", "revoke", key.id)
      yield* Effect.sleep("3 seconds")
      assert.strictEqual(yield* requestLists, 401)
    })
  )

  it.effect("requires --workspace if there are several, and a valid --url", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const createWorkspace = (name: string) => commandJson(data, "workspace", "create", "--name", name)
      const { id } = yield* createWorkspace("One")
      const link = yield* commandJson(data, "link")
      assert.match(link.url, /^http:\/\/127\.0\.0\.1:\d+\/#\/sign-in\/ovl_\w{46}$/)
      yield* createWorkspace("Two")
      assert.include((yield* command(data, "link")).stderr, "name one with --workspace ID")
      assert.strictEqual((yield* commandJson(data, "link", "--workspace", id)).workspace, id)
      assert.include((yield* command(data, "link", "--workspace", id, "--url", "x")).stderr, "--url takes")
    })
  )
})
