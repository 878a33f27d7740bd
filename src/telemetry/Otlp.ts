// src/telemetry/Otlp.ts: exports traces, metrics and logs to a collector. A slow, broken or missing collector must not
// affect the service.
import { Effect, Layer, Redacted, References, Schedule, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpMiddleware } from "effect/http"
import { Otlp as Exporters, OtlpSerialization } from "effect/observability"
import { version } from "#schema/Version.ts"
import { otlpSettings } from "#src/settings/Telemetry.ts"
import { redactingTracer } from "#src/telemetry/RedactingTracer.ts"
import { MeasuredMetrics } from "#src/telemetry/MeasuredMetrics.ts"

const attemptMillis = 5000
/** Concurrent exports, each of up to 1,000 spans or log lines. Limits the memory that a slow collector can cause. */
const maxInFlight = 8
const metricsEvery = "10 seconds"

/**
 * Sends a batch with a timeout and one retry. After a failure, the exporter drops all data for a minute. Logs only the
 * first failure and the recovery.
 */
export const limitedClient = Effect.map(HttpClient.HttpClient, (client) => {
  let inFlight = 0
  let failing = false

  const logChange = (reason: string | undefined) =>
    Effect.suspend(() => {
      if ((reason !== undefined) === failing) return Effect.void
      failing = reason !== undefined
      return failing
        ? Effect.logWarning("The collector takes no telemetry, which is dropped until it does", { reason })
        : Effect.logInfo("The collector takes telemetry again")
    })
  const failBatch = (reason: string) =>
    Effect.andThen(logChange(reason), Effect.die(new Error(`Not delivered: ${reason}`)))

  return HttpClient.transform(client, (sent) =>
    Effect.suspend(() => {
      if (inFlight >= maxInFlight) return failBatch("it is too slow")
      inFlight++
      return sent.pipe(
        Effect.tap((response) => response.arrayBuffer),
        Effect.mapError(() => "it cannot be reached"),
        Effect.timeoutOrElse({ duration: attemptMillis, orElse: () => Effect.fail("it does not answer") }),
        Effect.filterOrFail(
          ({ status }) => status >= 200 && status < 300,
          ({ status }) => `it answers ${status}`
        ),
        Effect.retry({ times: 1, schedule: Schedule.spaced("1 second") }),
        Effect.tap(logChange(undefined)),
        Effect.catch(failBatch),
        Effect.ensuring(Effect.sync(() => void inFlight--))
      )
    })
  )
})

/** Measures as often as metrics are exported, so that what an export has is at most about one interval old. */
const refreshMetrics = Effect.flatMap(MeasuredMetrics, ({ refresh }) =>
  refresh.pipe(Effect.delay(metricsEvery), Effect.forever, Effect.forkScoped)
)

export const Otlp = Layer.unwrap(
  Effect.gen(function* () {
    const { attributes, endpoint, headers, protocol, service } = yield* otlpSettings
    if (endpoint === undefined) return Layer.empty
    const exporters = Exporters.layer({
      baseUrl: endpoint,
      resource: {
        serviceName: service ?? attributes["service.name"] ?? "overture",
        serviceVersion: version,
        attributes
      },
      headers: headers === undefined ? undefined : Redacted.value(headers),
      metricsExportInterval: metricsEvery,
      shutdownTimeout: "1 second"
    }).pipe(
      Layer.provide(protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf),
      Layer.provide(Layer.effect(HttpClient.HttpClient, limitedClient).pipe(Layer.provide(FetchHttpClient.layer)))
    )
    return Layer.mergeAll(
      Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, redactingTracer)),
      Layer.succeed(References.TracerEnabled, true),
      Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method }) => method),
      Layer.effectDiscard(refreshMetrics)
    ).pipe(Layer.provideMerge(exporters))
  })
)
