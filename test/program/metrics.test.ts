// test/program/metrics.test.ts: the metrics, read from a real socket as Prometheus reads them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { modelAnswers } from "../support/model-answers.ts"
import { workspaceIn } from "../support/program-workspace.ts"
import { Mock } from "../support/model.ts"
import { runSql, dataDirectory, overture, serve } from "../support/process.ts"
import { sampleValue, type Family, metricsUrlOf, parseMetrics, scrape } from "../support/prometheus.ts"
import { mailServer } from "../support/smtp.ts"
import * as Stores from "../support/store.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

const profile = new URL("../fixtures/hollowell.json", import.meta.url).pathname
const docs = readFileSync(new URL("../../docs/reference/observability.md", import.meta.url), "utf8")

const createWorkspace = Effect.flatMap(dataDirectory, (data) => workspaceIn(data, "Hollowell", "--profile", profile))

/** Whether something listens there. */
const listens = (host: string, port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ host, port })
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
  })

const get = (url: string, method = "GET") => Effect.promise(async () => (await fetch(url, { method })).status)

/** A UUID of version 7 made so many seconds ago. */
const madeAgo = (seconds: number) => {
  const time = (Date.now() - seconds * 1000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** What holds of every metric, whatever it measures. */
const inspect = (families: ReadonlyMap<string, Family>) => {
  for (const [name, { help, samples, type }] of families) {
    assert.match(name, /^(overture|process|nodejs)_[a-z0-9_]+$/)
    assert.isNotEmpty(help, name)
    assert.isNotEmpty(samples, name)
    assert.strictEqual(type === "counter", name.endsWith("_total"), name)
    assert.notMatch(name, /_(ms|millis|milliseconds|kb|mb|percent)(_|$)/)
    for (const { labels, value } of samples) {
      assert.isTrue(Number.isFinite(value) && value >= 0, `${name} ${value}`)
      for (const [label, text] of Object.entries(labels)) {
        assert.include(
          ["method", "route", "status", "outcome", "kind", "type", "file", "version", "node", "le"],
          label,
          name
        )
        assert.notMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}|@|ovk_|\s/, `${name}{${label}}`)
      }
    }
    if (type !== "histogram") continue
    const series = Map.groupBy(
      samples.filter((sample) => sample.name === `${name}_bucket`),
      ({ labels }) => JSON.stringify(Object.fromEntries(Object.entries(labels).filter(([label]) => label !== "le")))
    )
    for (const [labels, buckets] of series) {
      const bounds = buckets.map(({ labels: { le = "" } }) => Number(le.replace("Inf", "Infinity")))
      assert.deepStrictEqual(
        bounds,
        bounds.toSorted((a, b) => a - b),
        name
      )
      assert.strictEqual(bounds.at(-1), Infinity, name)
      const counts = buckets.map(({ value }) => value)
      assert.deepStrictEqual(
        counts,
        counts.toSorted((a, b) => a - b),
        name
      )
      const own: Record<string, string> = JSON.parse(labels)
      assert.strictEqual(counts.at(-1), sampleValue(families, `${name}_count`, own), name)
      assert.isDefined(sampleValue(families, `${name}_sum`, own), name)
    }
  }
}

describe("metrics", () => {
  it.live(
    "tell what the service did, and what its store holds",
    () =>
      Effect.gen(function* () {
        const mock = yield* Mock
        yield* mock.reply(modelAnswers)
        const mail = yield* mailServer({ refusals: [450] })
        const { data, key } = yield* createWorkspace
        const server = yield* serve(data, {
          OVERTURE_GENERATOR: "openai",
          OPENAI_BASE_URL: mock.url,
          OPENAI_API_KEY: "none",
          SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
          OVERTURE_METRICS_PORT: "0"
        })
        const url = yield* metricsUrlOf(server)
        const read = Effect.map(scrape(url), parseMetrics)
        const { send } = apiClient(server.url, key)

        // What can be known beforehand is there from the first reading on.
        const first = yield* read
        inspect(first)
        assert.strictEqual(sampleValue(first, "overture_leads_total", { outcome: "written" }), 0)
        assert.strictEqual(
          sampleValue(first, "overture_jobs_ended_total", { type: "list.batch", outcome: "failed" }),
          0
        )

        const campaign = yield* buildCampaign({ send })
        const lead = { email: "ann@quarry.example", title: "Maintenance Manager" }
        const options = { email_count: 2, email_signature: "Tom", notification_email: "me@hollowell.example" }
        const leads = [lead, { ...lead, email: "bob@quarry.example" }]
        const { list_id } = (yield* send("POST", `/campaigns/${campaign}/generate-batch`, { leads, options })).body
        yield* until(send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        const preview = yield* send("POST", `/campaigns/${campaign}/preview`, {
          sample: { headers: ["Email"] },
          options: { email_count: 2, email_signature: "Tom" }
        })
        assert.strictEqual(preview.status, 200, JSON.stringify(preview.body))
        yield* until(
          Effect.sync(() => mail.received),
          (received) => received.length > 0
        )
        for (const path of ["/nothing", "/nothing/else", "/credits"]) yield* get(`${server.url}/api/v1${path}`)
        yield* get(`${server.url}/api/v1/credits`, "PROPFIND")

        const mailed = yield* until(read, (now) => sampleValue(now, "overture_mails_total", { outcome: "sent" }) === 1)
        inspect(mailed)
        assert.strictEqual(sampleValue(mailed, "overture_mails_total", { outcome: "put_off" }), 1)
        assert.strictEqual(sampleValue(mailed, "overture_job_retries_total", { type: "mail.completion" }), 1)
        assert.strictEqual(sampleValue(mailed, "overture_leads_total", { outcome: "written" }), 2)
        assert.strictEqual(sampleValue(mailed, "overture_leads_total", { outcome: "failed" }), 0)
        assert.strictEqual(sampleValue(mailed, "overture_credits_captured_total"), 7)
        assert.strictEqual(
          sampleValue(mailed, "overture_jobs_ended_total", { type: "list.batch", outcome: "completed" }),
          1
        )
        assert.strictEqual(
          sampleValue(mailed, "overture_jobs_ended_total", { type: "campaign.build", outcome: "completed" }),
          1
        )
        const asked = (yield* mock.journal).length
        assert.isAbove(asked, 8)

        // A call of the model for each that the server had, after those of the command that onboarded.
        const answered = sampleValue(mailed, "overture_model_calls_total", { outcome: "answered" }) ?? 0
        assert.isAbove(answered, 8)
        assert.strictEqual(sampleValue(mailed, "overture_model_call_duration_seconds_count"), answered)
        assert.strictEqual(sampleValue(mailed, "overture_model_tokens_total", { kind: "input" }), answered * 1200)
        assert.strictEqual(sampleValue(mailed, "overture_model_tokens_total", { kind: "output" }), answered * 80)

        const requests = (labels: Record<string, string>) => sampleValue(mailed, "overture_http_requests_total", labels)
        assert.strictEqual(requests({ method: "POST", route: "/api/v1/campaigns", status: "201" }), 1)
        assert.strictEqual(requests({ method: "GET", route: "other", status: "404" }), 2)
        assert.strictEqual(requests({ method: "other", route: "other", status: "404" }), 1)
        const selection = { method: "PUT", route: "/api/v1/campaigns/:id/assets/:type/selection" }
        assert.strictEqual(requests({ ...selection, status: "200" }), 3)
        assert.strictEqual(requests({ ...selection, status: "202" }), 1)
        assert.strictEqual(requests({ method: "GET", route: "/api/v1/credits", status: "401" }), 1)
        assert.strictEqual(
          sampleValue(mailed, "overture_http_request_duration_seconds_count", {
            method: "POST",
            route: "/api/v1/campaigns"
          }),
          1
        )
        assert.strictEqual(sampleValue(mailed, "overture_http_requests_in_flight"), 0)
        assert.isAbove(sampleValue(mailed, "overture_store_transaction_duration_seconds_count") ?? 0, 10)
        assert.isAbove(sampleValue(mailed, "overture_store_size_bytes", { file: "database" }) ?? 0, 0)
        assert.isAbove(
          sampleValue(mailed, "overture_store_size_bytes", { file: "wal" }) ?? (Stores.onPostgres ? 1 : 0),
          0
        )
        assert.isAbove(sampleValue(mailed, "overture_store_free_bytes") ?? 0, 0)
        assert.isAbove(sampleValue(mailed, "process_resident_memory_bytes") ?? 0, 10_000_000)
        assert.isAbove(sampleValue(mailed, "process_cpu_seconds_total") ?? 0, 0.1)
        assert.isAbove(sampleValue(mailed, "nodejs_eventloop_active_seconds_total") ?? 0, 0.1)
        assert.approximately(sampleValue(mailed, "process_start_time_seconds") ?? 0, Date.now() / 1000, 600)

        // A provider that is down shows in the calls, and in the breaker once it opens.
        yield* mock.reply({ error: { message: "down" }, status: 503 })
        for (const _ of [1, 2])
          yield* send("POST", `/campaigns/${campaign}/generate`, {
            lead,
            options: { email_count: 1, email_signature: "Tom" }
          })
        const down = yield* read
        assert.strictEqual(sampleValue(down, "overture_model_calls_total", { outcome: "failed" }), 5)
        assert.strictEqual(sampleValue(down, "overture_model_calls_total", { outcome: "withheld" }), 1)
        assert.strictEqual(sampleValue(down, "overture_model_breaker_open"), 1)
        assert.strictEqual(sampleValue(down, "overture_model_call_duration_seconds_count"), answered + 5)
        assert.strictEqual(sampleValue(down, "overture_jobs", { type: "list.single", status: "parked" }), 2)
        assert.strictEqual(
          sampleValue(down, "overture_jobs_ended_total", { type: "list.single", outcome: "parked" }),
          2
        )

        // The queue's metrics cover the store, including jobs that another process added.
        const add = (id: string, status: string, at: number) => `
          INSERT INTO jobs SELECT '${id}', workspace_id, 'none.such', subject, '${status}', NULL, 'null', NULL, NULL, NULL,
            ${at}, NULL, 0, 0, 0, created_at, updated_at, NULL FROM jobs LIMIT 1`
        yield* runSql(
          data,
          add(madeAgo(500), "pending", 0),
          add(madeAgo(900), "pending", Date.now() + 3_600_000),
          add(madeAgo(800), "waiting", 0)
        )
        const queued = yield* read
        assert.strictEqual(sampleValue(queued, "overture_jobs", { type: "none.such", status: "pending" }), 2)
        assert.strictEqual(sampleValue(queued, "overture_jobs", { type: "none.such", status: "waiting" }), 1)
        assert.approximately(
          sampleValue(queued, "overture_jobs_oldest_pending_seconds", { type: "none.such" }) ?? 0,
          530,
          30
        )
        yield* runSql(data, "DELETE FROM jobs WHERE type = 'none.such'")
        const empty = yield* read
        assert.strictEqual(sampleValue(empty, "overture_jobs", { type: "none.such", status: "pending" }), 0)
        assert.strictEqual(sampleValue(empty, "overture_jobs_oldest_pending_seconds", { type: "none.such" }), 0)
        inspect(empty)

        const listed = [...docs.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?) +\|/gm)].map(
          ([, name, type, labels = ""]) => ({
            name,
            type,
            labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).toSorted()
          })
        )
        assert.deepStrictEqual(
          listed.toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? "")),
          [...empty]
            .map(([name, { samples, type }]) => ({
              name,
              type,
              labels: Object.keys(samples[0]?.labels ?? {})
                .filter((label) => label !== "le")
                .toSorted()
            }))
            .toSorted((a, b) => a.name.localeCompare(b.name))
        )
      }).pipe(Effect.scoped, Effect.provide(Mock.layer)),
    120_000
  )

  it.live("are served only on loopback, on a separate port, wherever the API listens", () =>
    Effect.gen(function* () {
      const { data, key } = yield* createWorkspace
      const server = yield* serve(data, {
        OVERTURE_HOST: "0.0.0.0",
        OVERTURE_METRICS_PORT: "0",
        OVERTURE_RATE_LIMIT: "2/1h"
      })
      const url = yield* metricsUrlOf(server)
      const port = Number(new URL(url).port)
      const api = Number(new URL(server.url).port)

      // Every address of 127/8 is this machine's.
      assert.isTrue(yield* listens("127.0.0.2", api))
      assert.isTrue(yield* listens("127.0.0.1", port))
      assert.isFalse(yield* listens("127.0.0.2", port))

      const base = `http://127.0.0.1:${port}`
      const seen = yield* Effect.all({
        root: get(`${base}/`),
        below: get(`${base}/metrics/x`),
        posted: get(url, "POST"),
        api: get(`${base}/api/v1/health`),
        queried: get(`${url}?x=1`),
        onApi: get(`http://127.0.0.1:${api}/metrics`)
      })
      assert.deepStrictEqual(seen, { root: 404, below: 404, posted: 404, api: 404, queried: 200, onApi: 404 })

      const { send } = apiClient(`http://127.0.0.1:${api}`, key)
      for (const _ of [1, 2, 3, 4]) yield* send("GET", "/credits")
      const families = parseMetrics(yield* scrape(url))
      assert.strictEqual(sampleValue(families, "overture_http_rate_limited_total"), 2)
      assert.strictEqual(
        sampleValue(families, "overture_http_requests_total", { route: "/api/v1/credits", status: "429" }),
        2
      )
      assert.isUndefined(sampleValue(families, "overture_http_requests_total", { route: "/metrics" }))
    })
  )

  it.live("end the program with one line if their port is in use", () =>
    Effect.gen(function* () {
      const one = yield* dataDirectory
      const server = yield* serve(one, { OVERTURE_METRICS_PORT: "0" })
      const { port } = new URL(yield* metricsUrlOf(server))
      const two = yield* dataDirectory
      yield* Effect.promise(() => writeFile(`${two}/.env`, `OVERTURE_METRICS_PORT=${port}\n`))
      const { code, stderr, stdout } = yield* overture(two, "serve", "--port", "0")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^Cannot serve metrics: listen EADDRINUSE.*OVERTURE_METRICS_PORT.*\n$/)
      assert.strictEqual(stdout, "")
    })
  )

  it.live("are not served unless they are enabled", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* dataDirectory, { OVERTURE_METRICS_PORT: "", OVERTURE_LOG_LEVEL: "all" })
      assert.strictEqual(yield* get(`${server.url}/api/v1/health`), 200)
      assert.strictEqual(yield* get(`${server.url}/metrics`), 404)
      assert.notInclude(server.log(), "Metrics can be read")
    })
  )
})
