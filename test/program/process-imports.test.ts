// test/program/process-imports.test.ts: the real program imports documents while it is killed, and fetches pages
// without a proxy.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Documents from "../support/documents.ts"
import { assertConsistent, workspaceIn } from "../support/program-workspace.ts"
import { dataDirectory, killProgram, serve } from "../support/process.ts"
import { startSite } from "../support/site.ts"
import { until } from "../support/until.ts"
import { fileForm, apiClient } from "../support/api-client.ts"

/** A test starts programs, which takes long on a busy machine. */
const timeout = 180_000

const createWorkspace = Effect.flatMap(dataDirectory, (data) => workspaceIn(data, "Acme", "--no-research"))

it.live(
  "documents that were being read when the program was killed are read after the restart, and counted once",
  () =>
    Effect.gen(function* () {
      const { data, key } = yield* createWorkspace
      const firstServer = yield* serve(data)
      const page = Array.from({ length: 40 }, () => "Guarantee: ten years.")
      const document = Documents.pdf(Array.from({ length: 30 }, () => page))
      const { send } = apiClient(firstServer.url, key)
      const jobs = yield* Effect.forEach([1, 2, 3, 4], (number) =>
        Effect.map(
          send("POST", "/workspace/imports/document", fileForm(`${number}.pdf`, document)),
          ({ body, status }) => {
            assert.strictEqual(status, 202)
            return body.id as string
          }
        )
      )
      const fetchJobs = (url: string) =>
        Effect.forEach(jobs, (id) => Effect.map(apiClient(url, key).send("GET", `/jobs/${id}`), ({ body }) => body))
      yield* until(fetchJobs(firstServer.url), (jobs) => jobs.some((job) => job.status === "processing"))
      yield* killProgram(firstServer)

      const secondServer = yield* serve(data)
      const completedJobs = yield* until(fetchJobs(secondServer.url), (jobs) =>
        jobs.every((job) => job.result !== null)
      )
      assert.deepStrictEqual(
        completedJobs.map(({ result, status }) => [status, result.status]),
        jobs.map(() => ["completed", "success"])
      )
      const updatedFields = completedJobs.flatMap(({ result }) => result.fields_updated)
      assert.deepStrictEqual(
        updatedFields.filter((field) => field === "guarantee"),
        ["guarantee"]
      )
      yield* assertConsistent(data)
      assert.notInclude(secondServer.log(), "ten years")
    }),
  timeout
)

it.live(
  "pages are fetched directly, although the environment names proxies",
  () =>
    Effect.gen(function* () {
      const { data, key } = yield* createWorkspace
      const proxy = yield* startSite((_, response) => void response.writeHead(502).end())
      const site = yield* startSite(
        (_, response) =>
          void response.setHeader("content-type", "text/html").end("<p>Oakline</p><p>hello@oakline.example</p>")
      )
      const proxyUrl = `http://127.0.0.1:${proxy.port}`
      const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
      const { url } = yield* serve(data, {
        ...Object.fromEntries(names.map((name) => [name, proxyUrl])),
        NO_PROXY: "",
        no_proxy: "",
        NODE_USE_ENV_PROXY: "1",
        OVERTURE_FETCH_ALLOW_PRIVATE: "true"
      })
      const { send } = apiClient(url, key)
      const { body } = yield* send("POST", "/workspace/imports/url", { url: `http://127.0.0.1:${site.port}/` })
      const job = yield* until(send("GET", `/jobs/${body.id}`), (answer) => answer.body.result !== null)
      assert.isTrue(job.body.result.parsed)
      assert.deepStrictEqual(proxy.hits, [])
    }),
  timeout
)
