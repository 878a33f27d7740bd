// src/telemetry/MeasuredMetrics.ts: metrics of the process and the database, measured at each scrape or export.
import { Context, Effect, Layer, Metric } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import * as Metrics from "#layers/Metrics.ts"
import * as Store from "#layers/metrics/Store.ts"
import { version } from "#schema/Version.ts"
import { observeInFlight } from "#src/http/RequestLog.ts"

const asCounter = (count: number) => ({ count, incremental: true })

/** Metrics of the process, under their conventional names. */
const processMetrics = Effect.gen(function* () {
  yield* Metrics.observe(Metrics.residentMemory, () => ({ value: process.memoryUsage.rss() }))
  yield* Metrics.observe(Metrics.heapUsed, () => ({ value: process.memoryUsage().heapUsed }))
  yield* Metrics.observe(Metrics.cpuSeconds, () => {
    const { system, user } = process.cpuUsage()
    return asCounter((system + user) / 1e6)
  })
  yield* Metrics.observe(Metrics.startTime, () => ({ value: performance.timeOrigin / 1000 }))
  yield* Metrics.observe(Metrics.loopActive, () => asCounter(performance.eventLoopUtilization().active / 1000))
})

const lagResolution = 10

/** Event loop lag since the last measurement. */
const eventLoopLag = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => monitorEventLoopDelay({ resolution: lagResolution })),
    (delay) => Effect.sync(() => delay.disable())
  ),
  (delay) =>
    Effect.suspend(() => {
      // Enabled by the first measurement, so that it costs nothing if metrics are not read.
      delay.enable()
      // The histogram holds the time between two timers, so the timers' own interval is subtracted.
      const late = delay.count === 0 ? 0 : Math.max(0, delay.percentile(99) / 1e9 - lagResolution / 1000)
      delay.reset()
      return Metric.update(Metrics.loopLag, late)
    })
)

export class MeasuredMetrics extends Context.Service<
  MeasuredMetrics,
  {
    /** Measures all metrics. */
    readonly refresh: Effect.Effect<void>
  }
>()("overture/src/telemetry/MeasuredMetrics") {
  static readonly layer = (directory: string) =>
    Layer.effect(
      MeasuredMetrics,
      Effect.gen(function* () {
        Metrics.registerKnownSeries(yield* Effect.context<never>())
        yield* observeInFlight
        yield* processMetrics
        yield* Metric.update(Metrics.buildInfo({ version, node: process.version.slice(1) }), 1)
        const store = yield* Store.make(directory)
        return { refresh: Effect.andThen(yield* eventLoopLag, store.refresh) }
      })
    )
}
