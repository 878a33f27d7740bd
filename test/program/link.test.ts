// test/program/link.test.ts: the command that prints a link which signs in.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Session } from "#schema/Session.ts"
import { command, commandJson } from "../support/command.ts"
import { home, serve } from "../support/process.ts"

const post = (url: string, path: string, sent: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify(sent)
    })
  )

layer(Layer.empty, { excludeTestServices: true })("overture link", (it) => {
  it.effect("makes the first workspace of a store, and then signs in to it, each once", () =>
    Effect.gen(function* () {
      const data = yield* home
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
      const data = yield* home
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
