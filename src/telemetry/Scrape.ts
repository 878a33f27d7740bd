// src/telemetry/Scrape.ts: serves metrics to Prometheus: GET /metrics on a port of its own, on loopback only.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, References, Schema } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { MeasuredMetrics } from "#src/telemetry/MeasuredMetrics.ts"

/** The port cannot be opened. The message tells what to do. */
class MetricsUnserved extends Schema.TaggedError<MetricsUnserved>()("MetricsUnserved", {
  message: Schema.String
}) {}

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const answer = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET" || url.split("?", 1)[0] !== "/metrics") {
    return HttpServerResponse.text("There is GET /metrics and nothing else\n", { status: 404 })
  }
  yield* (yield* MeasuredMetrics).refresh
  return HttpServerResponse.text(yield* PrometheusMetrics.format(), { contentType })
})

const announce = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  yield* Effect.logInfo("Metrics can be read", { url: `${HttpServer.formatAddress(address)}/metrics` })
})

/** Listens on loopback; does nothing without a port. */
export const Scrape = (port: number | undefined) =>
  port === undefined
    ? Layer.empty
    : Layer.effectDiscard(announce).pipe(
        Layer.provide(HttpServer.serve(answer)),
        Layer.provide(
          NodeHttpServer.layer(() => createServer({ requestTimeout: 10_000, headersTimeout: 5000 }), {
            host: "127.0.0.1",
            port,
            gracefulShutdownTimeout: "1 second"
          })
        ),
        // Scrapes are not traced.
        Layer.provide(Layer.succeed(References.TracerEnabled, false)),
        Layer.catchTag("ServeError", ({ cause }) => {
          const reason = cause instanceof Error ? cause.message : String(cause)
          const message = `Cannot serve metrics: ${reason}. Set OVERTURE_METRICS_PORT to a free port`
          return Layer.effectDiscard(new MetricsUnserved({ message }))
        })
      )
