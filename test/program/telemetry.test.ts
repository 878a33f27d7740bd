// test/program/telemetry.test.ts: the data sent to a collector, and a faulty collector, which must not affect the server.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, References, Schema, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { redactingTracer } from "#src/telemetry/RedactingTracer.ts"
import { limitedClient } from "#src/telemetry/Otlp.ts"
import { collector, spansOf, stringsOf } from "../support/collector.ts"
import { temporaryFolder, overture, type Server, serve } from "../support/process.ts"
import { metricsUrlOf, parseMetrics, scrape } from "../support/prometheus.ts"
import { until } from "../support/until.ts"

const requestCredits = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => (await fetch(`${url}/api/v1/credits`, { headers })).headers.get("x-request-id"))

/** Stops the server, and returns its exit code. */
const stopServer = ({ child }: Server) =>
  Effect.promise(async (): Promise<number> => {
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    return (await exit)[0]
  })

const otlpSettings = (url: string, env: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  ...env
})

describe("telemetry", () => {
  it.live("names a request by its method and route, and continues its trace", () =>
    Effect.gen(function* () {
      const { deliveries, url } = yield* collector()
      const env = {
        OTEL_SERVICE_NAME: "overture-test",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=staging",
        OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=seven,x-key=a%20b",
        OVERTURE_METRICS_PORT: "0"
      }
      const server = yield* serve(yield* temporaryFolder, otlpSettings(`${url}/base`, env))
      const trace = "0af7651916cd43dd8448eb211c80319c"
      const requestIdWithoutTrace = yield* requestCredits(server.url)
      // The flag 00 says that the caller records no spans. The server still does.
      const requestIdWithTrace = yield* requestCredits(server.url, {
        traceparent: `00-${trace}-b7ad6b7169203331-00`,
        tracestate: "x=y"
      })
      yield* requestCredits(server.url, { traceparent: "00-zz-b7ad6b7169203331-01" })
      yield* scrape(yield* metricsUrlOf(server))
      assert.strictEqual(yield* stopServer(server), 0)

      const deliveredData = deliveries.map((delivery) => ({ ...delivery, path: delivery.path.replace("/base", "") }))
      assert.sameMembers([...new Set(deliveredData.map(({ path }) => path))], ["/v1/traces", "/v1/metrics", "/v1/logs"])
      for (const { body, headers, type } of deliveredData) {
        assert.strictEqual(type, "application/json")
        assert.deepStrictEqual([headers["x-tenant"], headers["x-key"]], ["seven", "a b"])
        const strings = stringsOf(JSON.parse(body.toString()))
        for (const text of ["overture-test", "deployment.environment", "staging"]) assert.include(strings, text)
      }

      const spans = spansOf(deliveredData)
      const requests = spans.filter(({ kind }) => kind === 2)
      assert.deepStrictEqual(
        requests.map(({ attributes, name }) => [name, attributes]),
        [requestIdWithoutTrace, requestIdWithTrace, requests[2]?.attributes["request_id"]].map((request_id) => [
          "GET /api/v1/credits",
          {
            request_id,
            "http.route": "/api/v1/credits",
            "http.request.method": "GET",
            "http.response.status_code": 401
          }
        ])
      )
      const [firstRequest, secondRequest, thirdRequest] = requests
      assert.isUndefined(firstRequest?.parentSpanId)
      assert.deepStrictEqual([secondRequest?.traceId, secondRequest?.parentSpanId], [trace, "b7ad6b7169203331"])
      assert.isUndefined(thirdRequest?.parentSpanId)
      assert.isFalse(spans.some(({ name }) => name === "sqlite" || name.includes("metrics")))

      const names = deliveredData
        .filter(({ path }) => path === "/v1/metrics")
        .flatMap(({ body }) => stringsOf(JSON.parse(body.toString())).split("\n"))
      for (const name of ["overture_http_requests_total", "overture_store_up", "process_resident_memory_bytes"]) {
        assert.include(names, name)
      }
      assert.isTrue(deliveredData.some(({ body, path }) => path === "/v1/logs" && body.includes("Metrics can be read")))
    })
  )

  it.live("uses protobuf by default, and exports only if a collector is set", () =>
    Effect.gen(function* () {
      const { deliveries, url } = yield* collector()
      const server = yield* serve(yield* temporaryFolder, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
      yield* requestCredits(server.url)
      yield* stopServer(server)
      assert.isNotEmpty(deliveries)
      for (const { body, type } of deliveries) {
        assert.strictEqual(type, "application/x-protobuf")
        assert.include(body.toString("latin1"), "overture")
      }
      assert.isTrue(deliveries.some(({ body }) => body.includes("GET /api/v1/credits")))

      const deliveriesBefore = deliveries.length
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_RESOURCE_ATTRIBUTES: "service.name=quite-another" }
      yield* stopServer(yield* serve(yield* temporaryFolder, settings))
      assert.isTrue(deliveries.slice(deliveriesBefore).some(({ body }) => body.includes("quite-another")))

      const deliveryCount = deliveries.length
      const serverWithoutCollector = yield* serve(yield* temporaryFolder, {
        OTEL_EXPORTER_OTLP_ENDPOINT: "",
        OTEL_SERVICE_NAME: "x"
      })
      yield* requestCredits(serverWithoutCollector.url)
      yield* stopServer(serverWithoutCollector)
      assert.lengthOf(deliveries, deliveryCount)
    })
  )

  it.live.each([
    ["does not run", undefined, /it cannot be reached/],
    ["answers 500", (response) => void response.writeHead(500).end("no"), /it answers 500/],
    [
      "answers 429 with a Retry-After of an hour",
      (response) => void response.writeHead(429, { "retry-after": "3600" }).end(),
      /it answers 429/
    ],
    ["never answers", () => undefined, /it does not answer/]
  ] as const satisfies ReadonlyArray<readonly [string, Parameters<typeof collector>[0], RegExp]>)(
    "a collector that %s delays no request, is logged once and lets the server stop",
    ([, answer, logPattern]) =>
      Effect.gen(function* () {
        const brokenCollector = yield* collector(answer)
        if (answer === undefined) brokenCollector.close()
        const server = yield* serve(
          yield* temporaryFolder,
          otlpSettings(brokenCollector.url, { OVERTURE_METRICS_PORT: "0" })
        )
        const url = yield* metricsUrlOf(server)
        // These are about 3,000 spans. The exporters send 1,000 at a time.
        const rounds = Array.from({ length: 30 }, () =>
          Effect.all(
            Array.from({ length: 100 }, () => requestCredits(server.url)),
            { concurrency: 20 }
          )
        )
        for (const round of rounds) yield* round
        const readWarnings = () =>
          server
            .log()
            .split("\n")
            .filter((line) => line.includes("The collector takes no telemetry"))
        yield* until(Effect.sync(readWarnings), (lines) => lines.length > 0)
        for (const round of rounds.slice(0, 3)) yield* round
        assert.lengthOf(readWarnings(), 1)
        assert.match(readWarnings()[0] ?? "", logPattern)
        const requests = parseMetrics(yield* scrape(url)).get("overture_http_requests_total")?.samples
        assert.isAtLeast(requests?.find(({ labels }) => labels["status"] === "401")?.value ?? 0, 3000)
        assert.strictEqual(yield* stopServer(server), 0, server.log().slice(-500))
      }),
    90_000
  )

  it.live("is refused in one line if its address is invalid or contains a password", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      for (const url of ["localhost:4318", "http://me:secret@localhost:4318"]) {
        yield* Effect.promise(() => writeFile(`${data}/.env`, `OTEL_EXPORTER_OTLP_ENDPOINT=${url}\n`))
        const { code, stderr } = yield* overture(data, "serve", "--port", "0")
        assert.strictEqual(code, 1)
        assert.match(stderr, /^OTEL_EXPORTER_OTLP_ENDPOINT: Expected a URL such as http:\/\/localhost:4318.*\n$/)
        assert.notInclude(stderr, "secret")
      }
    })
  )

  it.effect("has a limited number of batches in flight, and sends new ones after those time out", () =>
    Effect.gen(function* () {
      const silentHttpClient = HttpClient.make(() => Effect.never)
      const client = yield* Effect.provideService(limitedClient, HttpClient.HttpClient, silentHttpClient)
      const sendBatch = Effect.exit(client.post("http://127.0.0.1:9/v1/traces"))
      const pendingBatches = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(sendBatch))
      yield* Effect.yieldNow
      assert.include(String((yield* sendBatch)._tag), "Failure")
      assert.isTrue(pendingBatches.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* TestClock.adjust("11 seconds")
      for (const fiber of pendingBatches) assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      const nextBatch = yield* Effect.forkChild(sendBatch)
      yield* Effect.yieldNow
      assert.isUndefined(nextBatch.pollUnsafe())
    })
  )

  it.effect("exports the kind of a failure, and only allowed attributes of a span", () =>
    Effect.gen(function* () {
      class Unkind extends Schema.TaggedError<Unkind>()("Unkind", { message: Schema.String }) {}
      const startedSpans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          startedSpans.push(span)
          return span
        }
      })
      const failures = [
        Effect.fail(new Unkind({ message: "for Zebulon" })),
        Effect.die(new TypeError("of Zebulon")),
        Effect.fail({ name: "Zebulon" })
      ].map((failure) =>
        failure.pipe(
          Effect.withSpan("a step", { attributes: { "url.full": "http://zebulon.example", "job.type": "list.batch" } }),
          Effect.exit
        )
      )
      yield* Effect.all(failures).pipe(
        Effect.provideService(Tracer.Tracer, redactingTracer(tracer)),
        Effect.provideService(References.TracerEnabled, true)
      )
      const exportedSpans = startedSpans.map(({ attributes, status }) => ({
        attributes: Object.fromEntries(attributes),
        ended: status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
      }))
      assert.deepStrictEqual(
        exportedSpans.map(({ attributes }) => attributes),
        startedSpans.map(() => ({ "job.type": "list.batch" }))
      )
      assert.deepStrictEqual(
        exportedSpans.map(({ ended }) => ended.split("\n", 1)[0]),
        ["Unkind: Unkind", "TypeError: TypeError", "Error: Error"]
      )
      assert.notMatch(JSON.stringify(exportedSpans), /zebulon/i)
    })
  )

  it.effect.each(["sqlite", "postgresql"])("exports no span of a single statement of %s", (system) =>
    Effect.gen(function* () {
      const sampledFlags: Array<boolean> = []
      const tracer = redactingTracer(
        Tracer.make({
          span: (options) => {
            sampledFlags.push(options.sampled)
            return new Tracer.NativeSpan(options)
          }
        })
      )
      yield* Effect.void.pipe(
        Effect.withSpan(system, { kind: "client" }),
        Effect.withSpan("sql.transaction"),
        Effect.provideService(Tracer.Tracer, tracer),
        Effect.provideService(References.TracerEnabled, true)
      )
      assert.deepStrictEqual(sampledFlags, [true, false])
    })
  )
})
