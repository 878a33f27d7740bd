// test/program/link.test.ts: the command that prints a link which signs in.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { createServer } from "node:http"
import { Session } from "#schema/Session.ts"
import { command, commandJson } from "../support/command.ts"
import { dataDirectory, serve, startProgram } from "../support/process.ts"
import { until } from "../support/until.ts"

const post = (url: string, path: string, sent: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify(sent)
    })
  )

/** A model server where Ollama listens by default. If one runs there already, the test finds that one. */
const usualServer = Effect.acquireRelease(
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
  it.effect("offers a model server that it found beside the first link, unless the built-in writer is chosen", () =>
    Effect.gen(function* () {
      yield* usualServer
      const data = yield* dataDirectory
      const flags = ["serve", "--port", "0", "--data-dir", data]
      const { stdout } = yield* startProgram(data, { OVERTURE_GENERATOR: "" }, ...flags)
      const out = yield* until(Effect.sync(stdout), (out) => out.includes("OVERTURE_MODEL="), "3 minutes")
      assert.match(out, /#\/first-run\/ovl_/)
      assert.match(out, /Ollama runs at http:\/\/127\.0\.0\.1:11434\/v1 with \S+.*\.env of its data directory/)
      assert.match(
        out,
        /OVERTURE_MODEL_API=ollama\n {2}OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:11434\/v1\n {2}OVERTURE_MODEL=\S/
      )

      const chosen = yield* startProgram(yield* dataDirectory, { OVERTURE_GENERATOR: "builtin" }, ...flags.slice(0, -2))
      const asked = yield* until(
        Effect.sync(chosen.stdout),
        (out) => out.includes("overture workspace create"),
        "3 minutes"
      )
      const [, address = "", token] = /(http:\S+)\/#\/first-run\/(\w+)/.exec(asked) ?? []
      const found = yield* post(address, "/session/first-run/model-servers", { token })
      assert.deepStrictEqual(yield* Effect.promise(() => found.json()), { servers: [] })
    })
  )
})

layer(Layer.empty, { excludeTestServices: true })("overture link", (it) => {
  it.effect("makes the first workspace of a store, and then signs in to it, each once", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { url } = yield* serve(data)
      const first = yield* commandJson(data, "link", "--url", `${url}/`)
      const [address, token] = first.url.split("/#/first-run/")
      assert.strictEqual(address, url)
      const made = yield* post(url, "/session/first-run", { token, name: "North", email: "ann@north.example" })
      assert.strictEqual(made.status, 201)

      const { stdout } = yield* command(data, "link", "--url", url, "--name", "Ann")
      const [, again = ""] = /#\/sign-in\/(ovl_\w+)/.exec(stdout) ?? []
      assert.include(stdout, "Signs in to North once")
      const signedIn = yield* post(url, "/session", { token: again })
      assert.strictEqual(signedIn.status, 201)
      const { key, workspace } = yield* Schema.decodeUnknownEffect(Session)(
        yield* Effect.promise(() => signedIn.json())
      )
      assert.deepStrictEqual([key.name, workspace.name], ["Ann", "North"])
      assert.strictEqual((yield* post(url, "/session", { token: again })).status, 401)

      // Revoking the key of that name ends the session.
      const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";")
      const ask = Effect.promise(() =>
        fetch(`${url}/api/v1/lists`, { headers: { cookie, "x-overture-session": "1" } }).then(({ status }) => status)
      )
      assert.strictEqual(yield* ask, 200)
      yield* commandJson(data, "key", "revoke", key.id)
      yield* Effect.sleep("3 seconds")
      assert.strictEqual(yield* ask, 401)
    })
  )

  it.effect("asks which workspace where there are several, and for an address that there can be", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const make = (name: string) => commandJson(data, "workspace", "create", "--name", name)
      const { id } = yield* make("One")
      const plain = yield* commandJson(data, "link")
      assert.match(plain.url, /^http:\/\/127\.0\.0\.1:\d+\/#\/sign-in\/ovl_\w{46}$/)
      yield* make("Two")
      assert.include((yield* command(data, "link")).stderr, "name one with --workspace ID")
      assert.strictEqual((yield* commandJson(data, "link", "--workspace", id)).workspace, id)
      assert.include((yield* command(data, "link", "--workspace", id, "--url", "x")).stderr, "--url takes")
    })
  )
})
