// src/telemetry/Measured.ts: what is not counted as it happens: the process and the store, looked at when somebody asks.
import { Context, Effect, Layer, Metric } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import * as Metrics from "#layers/Metrics.ts"
import * as Store from "#layers/metrics/Store.ts"
import { version } from "#schema/Api.ts"
import { inFlight } from "#src/http/RequestMetrics.ts"

const counted = (count: number) => ({ count, incremental: true })

/** The process, under the names that every program has them by. */
const processes = Effect.gen(function* () {
  yield* Metrics.observe(Metrics.residentMemory, () => ({ value: process.memoryUsage.rss() }))
  yield* Metrics.observe(Metrics.heapUsed, () => ({ value: process.memoryUsage().heapUsed }))
  yield* Metrics.observe(Metrics.cpuSeconds, () => {
    const { system, user } = process.cpuUsage()
    return counted((system + user) / 1e6)
  })
  yield* Metrics.observe(Metrics.startTime, () => ({ value: performance.timeOrigin / 1000 }))
  yield* Metrics.observe(Metrics.loopActive, () => counted(performance.eventLoopUtilization().active / 1000))
})

const resolution = 10

/** How late timers have come since it was last asked. */
const lag = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => monitorEventLoopDelay({ resolution })),
    (delay) => Effect.sync(() => delay.disable())
  ),
  (delay) =>
    Effect.suspend(() => {
      // It ticks from the first reading on: who is never asked need not watch.
      delay.enable()
      // What is measured is the time between two of its own timers.
      const late = delay.count === 0 ? 0 : Math.max(0, delay.percentile(99) / 1e9 - resolution / 1000)
      delay.reset()
      return Metric.update(Metrics.loopLag, late)
    })
)

export class Measured extends Context.Service<
  Measured,
  {
    /** Looks at all that has to be looked at, so that every metric tells of now. */
    readonly refresh: Effect.Effect<void>
  }
>()("overture/src/telemetry/Measured") {
  static readonly layer = (directory: string) =>
    Layer.effect(
      Measured,
      Effect.gen(function* () {
        Metrics.begin(yield* Effect.context<never>())
        yield* inFlight
        yield* processes
        yield* Metric.update(Metrics.buildInfo({ version, node: process.version.slice(1) }), 1)
        const store = yield* Store.make(directory)
        return { refresh: Effect.andThen(yield* lag, store.refresh) }
      })
    )
}
