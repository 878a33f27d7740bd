// layers/Metrics.ts: the metrics of the service. Label values come from small fixed sets: never a workspace, key,
// address, id or text.
import { type Context, Effect, Metric } from "effect"

type Labels = Readonly<Record<string, string>>

/** A metric with one series per combination of labels, created on first use. */
const makeFamily = <Input, State>(makeMetric: (attributes: Labels) => Metric.Metric<Input, State>) => {
  const series = new Map<string, Metric.Metric<Input, State>>()
  return (labels: Labels) => {
    const key = Object.values(labels).join("\n")
    const existing = series.get(key)
    if (existing !== undefined) return existing
    const created = makeMetric(labels)
    series.set(key, created)
    return created
  }
}

const counter = (name: string, description: string, attributes?: Labels) =>
  Metric.counter(name, { description, attributes, incremental: true })
const counters = (name: string, description: string) => makeFamily((labels) => counter(name, description, labels))
const gauge = (name: string, description: string, attributes?: Labels) =>
  Metric.gauge(name, { description, attributes })
const gauges = (name: string, description: string) => makeFamily((labels) => gauge(name, description, labels))
const histogram = (name: string, description: string, boundaries: ReadonlyArray<number>, attributes?: Labels) =>
  Metric.histogram(name, { description, attributes, boundaries })

/** Bucket boundaries, in seconds: from a single read to a sequence that a model writes while the caller waits. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const modelSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60]
const storeSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]

/** By `method`, `route` and `status`. */
export const requests = counters("overture_http_requests_total", "Requests answered")
/** By `method` and `route`. */
export const requestDuration = makeFamily((labels) =>
  histogram("overture_http_request_duration_seconds", "Time to answer a request", requestSeconds, labels)
)
export const requestsInFlight = gauge("overture_http_requests_in_flight", "Requests that are not yet answered")
export const rateLimited = counter(
  "overture_http_rate_limited_total",
  "Requests refused because their key asks too often"
)

/** By `outcome`. */
export const leads = counters("overture_leads_total", "Leads of lists that were dealt with")
export const creditsCaptured = counter("overture_credits_captured_total", "Credits charged")
export const creditsRefunded = counter("overture_credits_refunded_total", "Credits given back after they were charged")

/** By `outcome`. Counts each attempt, including those that the circuit breaker rejects. */
export const modelCalls = counters("overture_model_calls_total", "Calls of the model")
export const modelCallDuration = histogram(
  "overture_model_call_duration_seconds",
  "Time of a call of the model, those that failed included",
  modelSeconds
)
/** By `kind`: `cached` is part of `input`. */
export const modelTokens = counters("overture_model_tokens_total", "Tokens that answered calls of the model took")
export const modelBreakerOpen = gauge(
  "overture_model_breaker_open",
  "1 while the circuit breaker blocks calls to the model after failures"
)

/** By `type` and `outcome`. */
export const jobsEnded = counters("overture_jobs_ended_total", "Jobs that this process brought to an end")
/** By `type`. */
export const jobRetries = counters("overture_job_retries_total", "Runs of jobs that failed and are to be repeated")
/** By `type` and `status`. */
export const jobs = gauges("overture_jobs", "Jobs in the store that have not ended")
/** By `type`. */
export const oldestJob = gauges("overture_jobs_oldest_pending_seconds", "Age of the oldest job that waits for a worker")

/** By `outcome`. */
export const mails = counters("overture_mails_total", "Attempts to send a mail")

export const transactionDuration = histogram(
  "overture_store_transaction_duration_seconds",
  "Time that a transaction held the write lock of the store",
  storeSeconds
)
export const storeUp = gauge("overture_store_up", "1 if the store could be read for this answer")
/** By `file`. */
export const storeSize = gauges("overture_store_size_bytes", "Size of the files of the store")
export const storeFree = gauge("overture_store_free_bytes", "Space left on the disk of the store")

/** By `version` and `node`. */
export const buildInfo = gauges("overture_build_info", "Always 1; its labels tell what runs")

/** Named by the Prometheus conventions for processes and Node.js. */
export const residentMemory = gauge("process_resident_memory_bytes", "Resident memory")
export const heapUsed = gauge("nodejs_heap_size_used_bytes", "Memory that JavaScript uses")
export const cpuSeconds = counter("process_cpu_seconds_total", "CPU time, of the user and of the system")
export const startTime = gauge("process_start_time_seconds", "When the process began, in seconds since 1970")
export const loopLag = gauge(
  "nodejs_eventloop_lag_p99_seconds",
  "How late timers came since the last reading, 99th percentile"
)
export const loopActive = counter("nodejs_eventloop_active_seconds_total", "Time that the event loop was busy")

/** Adds to a counter, sets a gauge, or records a duration. */
export const add = <Input, State>(metric: Metric.Metric<Input, State>, amount: Input) => Metric.update(metric, amount)

/** A gauge whose value is read by `get` at each scrape, until the scope closes. */
export const observe = Effect.fnUntraced(function* <Input, State>(
  metric: Metric.Metric<Input, State>,
  get: () => State
) {
  const context = yield* Effect.context<never>()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      Metric.registerUnsafe(metric, context, { get, update: () => undefined, modify: () => undefined })
    ),
    (registered) => Effect.sync(() => registered.remove())
  )
})

/** The outcomes of one attempt to call the model. */
const modelOutcomes = ["answered", "failed", "busy", "refused", "rejected", "withheld"] as const
export type ModelOutcome = (typeof modelOutcomes)[number]

/** Creates every series known in advance with the value 0, so that its first event shows as an increase. */
export const registerKnownSeries = (context: Context.Context<never>) => {
  const metrics = [
    requestsInFlight,
    rateLimited,
    creditsCaptured,
    creditsRefunded,
    modelBreakerOpen,
    modelCallDuration,
    transactionDuration,
    ...["written", "failed"].map((outcome) => leads({ outcome })),
    ...modelOutcomes.map((outcome) => modelCalls({ outcome })),
    ...["input", "cached", "output"].map((kind) => modelTokens({ kind })),
    ...["sent", "put_off", "refused"].map((outcome) => mails({ outcome }))
  ]
  for (const metric of metrics) metric.valueUnsafe(context)
}

/** Creates the series of one job type with the value 0. */
export const registerJobSeries = (type: string) =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      for (const outcome of ["completed", "failed", "parked"]) jobsEnded({ type, outcome }).valueUnsafe(context)
      jobRetries({ type }).valueUnsafe(context)
      jobs({ type, status: "pending" }).valueUnsafe(context)
      oldestJob({ type }).valueUnsafe(context)
    })
  )
