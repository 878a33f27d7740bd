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

const ask = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => (await fetch(`${url}/api/v1/credits`, { headers })).headers.get("x-request-id"))

/** Tells it to stop, and answers its exit code. */
const stop = ({ child }: Server) =>
  Effect.promise(async (): Promise<number> => {
    const gone = once(child, "exit")
    child.kill("SIGTERM")
    return (await gone)[0]
  })

const traced = (url: string, env: Record<string, string> = {}) => ({
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
      const server = yield* serve(yield* temporaryFolder, traced(`${url}/base`, env))
      const trace = "0af7651916cd43dd8448eb211c80319c"
      const plain = yield* ask(server.url)
      // The last number says that the caller keeps no spans: that is its own affair.
      const continued = yield* ask(server.url, { traceparent: `00-${trace}-b7ad6b7169203331-00`, tracestate: "x=y" })
      yield* ask(server.url, { traceparent: "00-zz-b7ad6b7169203331-01" })
      yield* scrape(yield* metricsUrlOf(server))
      assert.strictEqual(yield* stop(server), 0)

      const sent = deliveries.map((one) => ({ ...one, path: one.path.replace("/base", "") }))
      assert.sameMembers([...new Set(sent.map(({ path }) => path))], ["/v1/traces", "/v1/metrics", "/v1/logs"])
      for (const { body, headers, type } of sent) {
        assert.strictEqual(type, "application/json")
        assert.deepStrictEqual([headers["x-tenant"], headers["x-key"]], ["seven", "a b"])
        const strings = stringsOf(JSON.parse(body.toString()))
        for (const one of ["overture-test", "deployment.environment", "staging"]) assert.include(strings, one)
      }

      const all = spansOf(sent)
      const requests = all.filter(({ kind }) => kind === 2)
      assert.deepStrictEqual(
        requests.map(({ attributes, name }) => [name, attributes]),
        [plain, continued, requests[2]?.attributes["request_id"]].map((request_id) => [
          "GET /api/v1/credits",
          {
            request_id,
            "http.route": "/api/v1/credits",
            "http.request.method": "GET",
            "http.response.status_code": 401
          }
        ])
      )
      const [first, second, third] = requests
      assert.isUndefined(first?.parentSpanId)
      assert.deepStrictEqual([second?.traceId, second?.parentSpanId], [trace, "b7ad6b7169203331"])
      assert.isUndefined(third?.parentSpanId)
      assert.isFalse(all.some(({ name }) => name === "sqlite" || name.includes("metrics")))

      const names = sent
        .filter(({ path }) => path === "/v1/metrics")
        .flatMap(({ body }) => stringsOf(JSON.parse(body.toString())).split("\n"))
      for (const name of ["overture_http_requests_total", "overture_store_up", "process_resident_memory_bytes"]) {
        assert.include(names, name)
      }
      assert.isTrue(sent.some(({ body, path }) => path === "/v1/logs" && body.includes("Metrics can be read")))
    })
  )

  it.live("uses protobuf by default, and exports only if a collector is set", () =>
    Effect.gen(function* () {
      const { deliveries, url } = yield* collector()
      const spoken = yield* serve(yield* temporaryFolder, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
      yield* ask(spoken.url)
      yield* stop(spoken)
      assert.isNotEmpty(deliveries)
      for (const { body, type } of deliveries) {
        assert.strictEqual(type, "application/x-protobuf")
        assert.include(body.toString("latin1"), "overture")
      }
      assert.isTrue(deliveries.some(({ body }) => body.includes("GET /api/v1/credits")))

      const count = deliveries.length
      const named = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_RESOURCE_ATTRIBUTES: "service.name=quite-another" }
      yield* stop(yield* serve(yield* temporaryFolder, named))
      assert.isTrue(deliveries.slice(count).some(({ body }) => body.includes("quite-another")))

      const after = deliveries.length
      const silent = yield* serve(yield* temporaryFolder, { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_SERVICE_NAME: "x" })
      yield* ask(silent.url)
      yield* stop(silent)
      assert.lengthOf(deliveries, after)
    })
  )

  it.live.each([
    ["is not there", undefined, /it cannot be reached/],
    ["answers 500", (response) => void response.writeHead(500).end("no"), /it answers 500/],
    [
      "asks for an hour's patience",
      (response) => void response.writeHead(429, { "retry-after": "3600" }).end(),
      /it answers 429/
    ],
    ["never answers", () => undefined, /it does not answer/]
  ] as const satisfies ReadonlyArray<readonly [string, Parameters<typeof collector>[0], RegExp]>)(
    "a collector that %s keeps no request waiting, is mentioned once and lets the server stop",
    ([, answer, mentioned]) =>
      Effect.gen(function* () {
        const place = yield* collector(answer)
        if (answer === undefined) place.close()
        const server = yield* serve(yield* temporaryFolder, traced(place.url, { OVERTURE_METRICS_PORT: "0" }))
        const url = yield* metricsUrlOf(server)
        // Some 3,000 spans, of which the exporters send a thousand at a time.
        const rounds = Array.from({ length: 30 }, () =>
          Effect.all(
            Array.from({ length: 100 }, () => ask(server.url)),
            { concurrency: 20 }
          )
        )
        for (const round of rounds) yield* round
        const log = () =>
          server
            .log()
            .split("\n")
            .filter((line) => line.includes("The collector takes no telemetry"))
        yield* until(Effect.sync(log), (lines) => lines.length > 0)
        for (const round of rounds.slice(0, 3)) yield* round
        assert.lengthOf(log(), 1)
        assert.match(log()[0] ?? "", mentioned)
        const requests = parseMetrics(yield* scrape(url)).get("overture_http_requests_total")?.samples
        assert.isAtLeast(requests?.find(({ labels }) => labels["status"] === "401")?.value ?? 0, 3000)
        assert.strictEqual(yield* stop(server), 0, server.log().slice(-500))
      }),
    90_000
  )

  it.live("is refused in one line where its address is none, or holds a password", () =>
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

  it.effect("has a bounded number of batches on their way, and takes new ones once those are given up", () =>
    Effect.gen(function* () {
      const silent = HttpClient.make(() => Effect.never)
      const client = yield* Effect.provideService(limitedClient, HttpClient.HttpClient, silent)
      const send = Effect.exit(client.post("http://127.0.0.1:9/v1/traces"))
      const first = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(send))
      yield* Effect.yieldNow
      assert.include(String((yield* send)._tag), "Failure")
      assert.isTrue(first.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* TestClock.adjust("11 seconds")
      for (const fiber of first) assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      const next = yield* Effect.forkChild(send)
      yield* Effect.yieldNow
      assert.isUndefined(next.pollUnsafe())
    })
  )

  it.effect("exports the kind of a failure, and only allowed attributes of a span", () =>
    Effect.gen(function* () {
      class Unkind extends Schema.TaggedError<Unkind>()("Unkind", { message: Schema.String }) {}
      const seen: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          seen.push(span)
          return span
        }
      })
      const spoken = [
        Effect.fail(new Unkind({ message: "for Zebulon" })),
        Effect.die(new TypeError("of Zebulon")),
        Effect.fail({ name: "Zebulon" })
      ].map((failure) =>
        failure.pipe(
          Effect.withSpan("a step", { attributes: { "url.full": "http://zebulon.example", "job.type": "list.batch" } }),
          Effect.exit
        )
      )
      yield* Effect.all(spoken).pipe(
        Effect.provideService(Tracer.Tracer, redactingTracer(tracer)),
        Effect.provideService(References.TracerEnabled, true)
      )
      const told = seen.map(({ attributes, status }) => ({
        attributes: Object.fromEntries(attributes),
        ended: status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
      }))
      assert.deepStrictEqual(
        told.map(({ attributes }) => attributes),
        seen.map(() => ({ "job.type": "list.batch" }))
      )
      assert.deepStrictEqual(
        told.map(({ ended }) => ended.split("\n", 1)[0]),
        ["Unkind: Unkind", "TypeError: TypeError", "Error: Error"]
      )
      assert.notMatch(JSON.stringify(told), /zebulon/i)
    })
  )

  it.effect.each(["sqlite", "postgresql"])("keeps no span of a single statement of %s", (system) =>
    Effect.gen(function* () {
      const kept: Array<boolean> = []
      const tracer = redactingTracer(
        Tracer.make({
          span: (options) => {
            kept.push(options.sampled)
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
      assert.deepStrictEqual(kept, [true, false])
    })
  )
})
