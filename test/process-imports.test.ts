// test/process-imports.test.ts: the real program reading documents and pages, killed in the middle of it, and measured.
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Check } from "#layers/Verify.ts"
import * as Documents from "./support/documents.ts"
import { home, kill, overtureJson, serve, until } from "./support/process.ts"
import { site } from "./support/site.ts"
import { wire } from "./support/wire.ts"

/** Programs start, and machines are busy. */
const minutes = 180_000

const Made = Schema.Struct({ id: Schema.String })
const Key = Schema.Struct({ key: Schema.String })
const Verdict = Schema.Struct({ ok: Schema.Boolean, checks: Schema.Array(Check) })

const founded = Effect.gen(function* () {
  const data = yield* home
  const { id } = yield* overtureJson(Made, data, "workspace", "create", "--name", "Acme", "--no-research")
  const { key } = yield* overtureJson(Key, data, "key", "create", "--workspace", id)
  return { data, key }
})

const upload = (url: string, key: string, name: string, content: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const form = new FormData()
    form.append("file", new File([content], name))
    const response = await fetch(`${url}/api/v1/workspace/imports/document`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: form
    })
    assert.strictEqual(response.status, 202)
    return response.text()
  }).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(Made))),
    Effect.map(({ id }) => id)
  )

it.live(
  "documents that were being read when the program was killed are read by the next, and counted once",
  () =>
    Effect.gen(function* () {
      const { data, key } = yield* founded
      const first = yield* serve(data)
      const page = Array.from({ length: 40 }, () => "Guarantee: ten years.")
      const document = Documents.pdf(Array.from({ length: 30 }, () => page))
      const jobs = yield* Effect.forEach([1, 2, 3, 4], (at) => upload(first.url, key, `${at}.pdf`, document))
      const status = (url: string) =>
        Effect.forEach(jobs, (id) => Effect.map(wire(url, key).send("GET", `/jobs/${id}`), ({ body }) => body))
      yield* until(status(first.url), (all) => all.some((each) => each.status === "processing"))
      yield* kill(first)

      const second = yield* serve(data)
      const done = yield* until(status(second.url), (all) => all.every((each) => each.result !== null))
      assert.deepStrictEqual(
        done.map(({ result, status }) => [status, result.status]),
        jobs.map(() => ["completed", "success"])
      )
      const filled = done.flatMap(({ result }) => result.fields_updated)
      assert.deepStrictEqual(
        filled.filter((field) => field === "guarantee"),
        ["guarantee"]
      )
      const { checks, ok } = yield* overtureJson(Verdict, data, "verify")
      assert.isTrue(ok, JSON.stringify(checks))
      assert.notInclude(second.log(), "ten years")
    }),
  minutes
)

it.live(
  "pages are fetched past every proxy that the machine names",
  () =>
    Effect.gen(function* () {
      const { data, key } = yield* founded
      const proxy = yield* site((_, response) => void response.writeHead(502).end())
      const home = yield* site(
        (_, response) => void response.setHeader("content-type", "text/html").end("<p>Guarantee: ten years.</p>")
      )
      const through = `http://127.0.0.1:${proxy.port}`
      const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
      const { url } = yield* serve(data, {
        ...Object.fromEntries(names.map((name) => [name, through])),
        NO_PROXY: "",
        no_proxy: "",
        NODE_USE_ENV_PROXY: "1",
        OVERTURE_FETCH_ALLOW_PRIVATE: "true"
      })
      const { send } = wire(url, key)
      const { body } = yield* send("POST", "/workspace/imports/url", { url: `http://127.0.0.1:${home.port}/` })
      const done = yield* until(send("GET", `/jobs/${body.id}`), (answer) => answer.body.result !== null)
      assert.deepStrictEqual(done.body.result, { parsed: true })
      assert.deepStrictEqual(proxy.hits, [])
    }),
  minutes
)
