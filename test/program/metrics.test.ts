// test/program/metrics.test.ts: the metrics, read over a socket as Prometheus reads them.
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

/** Whether a server listens on this port. */
const isListening = (host: string, port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ host, port })
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
  })

const fetchStatus = (url: string, method = "GET") => Effect.promise(async () => (await fetch(url, { method })).status)

/** A UUID of version 7 that was created this many seconds ago. */
const makeUuidOfAge = (seconds: number) => {
  const time = (Date.now() - seconds * 1000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Asserts the rules for the names, labels and values of all metrics. */
const assertValidMetrics = (families: ReadonlyMap<string, Family>) => {
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
      const seriesLabels: Record<string, string> = JSON.parse(labels)
      assert.strictEqual(counts.at(-1), sampleValue(families, `${name}_count`, seriesLabels), name)
      assert.isDefined(sampleValue(families, `${name}_sum`, seriesLabels), name)
    }
  }
}

describe("metrics", () => {
  it.live(
    "report what the service did, and the state of its store",
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
        const readMetrics = Effect.map(scrape(url), parseMetrics)
        const { send } = apiClient(server.url, key)

        // Known series exist from the first scrape on.
        const firstMetrics = yield* readMetrics
        assertValidMetrics(firstMetrics)
        assert.strictEqual(sampleValue(firstMetrics, "overture_leads_total", { outcome: "written" }), 0)
        assert.strictEqual(
          sampleValue(firstMetrics, "overture_jobs_ended_total", { type: "list.batch", outcome: "failed" }),
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
        for (const path of ["/nothing", "/nothing/else", "/credits"]) yield* fetchStatus(`${server.url}/api/v1${path}`)
        yield* fetchStatus(`${server.url}/api/v1/credits`, "PROPFIND")

        const metricsAfterMail = yield* until(
          readMetrics,
          (metrics) => sampleValue(metrics, "overture_mails_total", { outcome: "sent" }) === 1
        )
        assertValidMetrics(metricsAfterMail)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_mails_total", { outcome: "put_off" }), 1)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_job_retries_total", { type: "mail.completion" }), 1)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_leads_total", { outcome: "written" }), 2)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_leads_total", { outcome: "failed" }), 0)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_credits_captured_total"), 7)
        assert.strictEqual(
          sampleValue(metricsAfterMail, "overture_jobs_ended_total", { type: "list.batch", outcome: "completed" }),
          1
        )
        assert.strictEqual(
          sampleValue(metricsAfterMail, "overture_jobs_ended_total", { type: "campaign.build", outcome: "completed" }),
          1
        )
        const modelRequestCount = (yield* mock.journal).length
        assert.isAbove(modelRequestCount, 8)

        // The server counts its own model calls. The command that onboarded made others.
        const answeredCalls = sampleValue(metricsAfterMail, "overture_model_calls_total", { outcome: "answered" }) ?? 0
        assert.isAbove(answeredCalls, 8)
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_model_call_duration_seconds_count"), answeredCalls)
        assert.strictEqual(
          sampleValue(metricsAfterMail, "overture_model_tokens_total", { kind: "input" }),
          answeredCalls * 1200
        )
        assert.strictEqual(
          sampleValue(metricsAfterMail, "overture_model_tokens_total", { kind: "output" }),
          answeredCalls * 80
        )

        const countRequests = (labels: Record<string, string>) =>
          sampleValue(metricsAfterMail, "overture_http_requests_total", labels)
        assert.strictEqual(countRequests({ method: "POST", route: "/api/v1/campaigns", status: "201" }), 1)
        assert.strictEqual(countRequests({ method: "GET", route: "other", status: "404" }), 2)
        assert.strictEqual(countRequests({ method: "other", route: "other", status: "404" }), 1)
        const selectionRoute = { method: "PUT", route: "/api/v1/campaigns/:id/assets/:type/selection" }
        assert.strictEqual(countRequests({ ...selectionRoute, status: "200" }), 3)
        assert.strictEqual(countRequests({ ...selectionRoute, status: "202" }), 1)
        assert.strictEqual(countRequests({ method: "GET", route: "/api/v1/credits", status: "401" }), 1)
        assert.strictEqual(
          sampleValue(metricsAfterMail, "overture_http_request_duration_seconds_count", {
            method: "POST",
            route: "/api/v1/campaigns"
          }),
          1
        )
        assert.strictEqual(sampleValue(metricsAfterMail, "overture_http_requests_in_flight"), 0)
        assert.isAbove(sampleValue(metricsAfterMail, "overture_store_transaction_duration_seconds_count") ?? 0, 10)
        assert.isAbove(sampleValue(metricsAfterMail, "overture_store_size_bytes", { file: "database" }) ?? 0, 0)
        assert.isAbove(
          sampleValue(metricsAfterMail, "overture_store_size_bytes", { file: "wal" }) ?? (Stores.onPostgres ? 1 : 0),
          0
        )
        assert.isAbove(sampleValue(metricsAfterMail, "overture_store_free_bytes") ?? 0, 0)
        assert.isAbove(sampleValue(metricsAfterMail, "process_resident_memory_bytes") ?? 0, 10_000_000)
        assert.isAbove(sampleValue(metricsAfterMail, "process_cpu_seconds_total") ?? 0, 0.1)
        assert.isAbove(sampleValue(metricsAfterMail, "nodejs_eventloop_active_seconds_total") ?? 0, 0.1)
        assert.approximately(sampleValue(metricsAfterMail, "process_start_time_seconds") ?? 0, Date.now() / 1000, 600)

        // A provider that is down increases the failed calls, and then opens the circuit breaker.
        yield* mock.reply({ error: { message: "down" }, status: 503 })
        for (const _ of [1, 2])
          yield* send("POST", `/campaigns/${campaign}/generate`, {
            lead,
            options: { email_count: 1, email_signature: "Tom" }
          })
        const metricsWithoutModel = yield* readMetrics
        assert.strictEqual(sampleValue(metricsWithoutModel, "overture_model_calls_total", { outcome: "failed" }), 5)
        assert.strictEqual(sampleValue(metricsWithoutModel, "overture_model_calls_total", { outcome: "withheld" }), 1)
        assert.strictEqual(sampleValue(metricsWithoutModel, "overture_model_breaker_open"), 1)
        assert.strictEqual(
          sampleValue(metricsWithoutModel, "overture_model_call_duration_seconds_count"),
          answeredCalls + 5
        )
        assert.strictEqual(
          sampleValue(metricsWithoutModel, "overture_jobs", { type: "list.single", status: "parked" }),
          2
        )
        assert.strictEqual(
          sampleValue(metricsWithoutModel, "overture_jobs_ended_total", { type: "list.single", outcome: "parked" }),
          2
        )

        // The queue's metrics cover the store, including jobs that another process added.
        const insertJob = (id: string, status: string, runAt: number) => `
          INSERT INTO jobs SELECT '${id}', workspace_id, 'none.such', subject, '${status}', NULL, 'null', NULL, NULL, NULL,
            ${runAt}, NULL, 0, 0, 0, created_at, updated_at, NULL FROM jobs LIMIT 1`
        yield* runSql(
          data,
          insertJob(makeUuidOfAge(500), "pending", 0),
          insertJob(makeUuidOfAge(900), "pending", Date.now() + 3_600_000),
          insertJob(makeUuidOfAge(800), "waiting", 0)
        )
        const metricsWithJobs = yield* readMetrics
        assert.strictEqual(sampleValue(metricsWithJobs, "overture_jobs", { type: "none.such", status: "pending" }), 2)
        assert.strictEqual(sampleValue(metricsWithJobs, "overture_jobs", { type: "none.such", status: "waiting" }), 1)
        assert.approximately(
          sampleValue(metricsWithJobs, "overture_jobs_oldest_pending_seconds", { type: "none.such" }) ?? 0,
          530,
          30
        )
        yield* runSql(data, "DELETE FROM jobs WHERE type = 'none.such'")
        const metricsAfterDelete = yield* readMetrics
        assert.strictEqual(
          sampleValue(metricsAfterDelete, "overture_jobs", { type: "none.such", status: "pending" }),
          0
        )
        assert.strictEqual(
          sampleValue(metricsAfterDelete, "overture_jobs_oldest_pending_seconds", { type: "none.such" }),
          0
        )
        assertValidMetrics(metricsAfterDelete)

        const documentedMetrics = [...docs.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?) +\|/gm)].map(
          ([, name, type, labels = ""]) => ({
            name,
            type,
            labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).toSorted()
          })
        )
        assert.deepStrictEqual(
          documentedMetrics.toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? "")),
          [...metricsAfterDelete]
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

      // Every address of 127.0.0.0/8 is on this machine.
      assert.isTrue(yield* isListening("127.0.0.2", api))
      assert.isTrue(yield* isListening("127.0.0.1", port))
      assert.isFalse(yield* isListening("127.0.0.2", port))

      const base = `http://127.0.0.1:${port}`
      const statuses = yield* Effect.all({
        root: fetchStatus(`${base}/`),
        below: fetchStatus(`${base}/metrics/x`),
        posted: fetchStatus(url, "POST"),
        api: fetchStatus(`${base}/api/v1/health`),
        queried: fetchStatus(`${url}?x=1`),
        onApi: fetchStatus(`http://127.0.0.1:${api}/metrics`)
      })
      assert.deepStrictEqual(statuses, { root: 404, below: 404, posted: 404, api: 404, queried: 200, onApi: 404 })

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
      const firstData = yield* dataDirectory
      const server = yield* serve(firstData, { OVERTURE_METRICS_PORT: "0" })
      const { port } = new URL(yield* metricsUrlOf(server))
      const secondData = yield* dataDirectory
      yield* Effect.promise(() => writeFile(`${secondData}/.env`, `OVERTURE_METRICS_PORT=${port}\n`))
      const { code, stderr, stdout } = yield* overture(secondData, "serve", "--port", "0")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^Cannot serve metrics: listen EADDRINUSE.*OVERTURE_METRICS_PORT.*\n$/)
      assert.strictEqual(stdout, "")
    })
  )

  it.live("are not served unless they are enabled", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* dataDirectory, { OVERTURE_METRICS_PORT: "", OVERTURE_LOG_LEVEL: "all" })
      assert.strictEqual(yield* fetchStatus(`${server.url}/api/v1/health`), 200)
      assert.strictEqual(yield* fetchStatus(`${server.url}/metrics`), 404)
      assert.notInclude(server.log(), "Metrics can be read")
    })
  )
})
