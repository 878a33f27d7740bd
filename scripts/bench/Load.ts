// scripts/bench/Load.ts: sends requests and times the answers: as many as a server answers, or a fixed number a second.
import autocannon from "autocannon"
import { Effect, Fiber } from "effect"
import { performance } from "node:perf_hooks"
import { Pool } from "undici"

export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly key: string
  readonly body?: string
}

export interface Outcome {
  readonly perSecond: number
  readonly answers: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** How much of the time the sender was busy, 0 to 1. */
  readonly busy: number
}

const headersOf = ({ body, key }: Request) => ({
  authorization: `Bearer ${key}`,
  ...(body === undefined ? {} : { "content-type": "application/json" })
})

/** The answers from now on. */
const tally = () => {
  const began = performance.now()
  const busy = performance.eventLoopUtilization()
  const statuses: Record<number, number> = {}
  const times: Array<number> = []
  return {
    add: (status: number, millis: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(millis)
    },
    outcome: (): Outcome => {
      const sorted = Float64Array.from(times).toSorted()
      const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return {
        perSecond: (times.length / (performance.now() - began)) * 1000,
        answers: times.length,
        statuses,
        p50: percentile(0.5),
        p99: percentile(0.99),
        busy: performance.eventLoopUtilization(busy).utilization
      }
    }
  }
}

interface Closed {
  readonly port: number
  /** What each connection sends in turn; with more connections than entries, the entries repeat. */
  readonly turns: ReadonlyArray<ReadonlyArray<Request>>
  readonly connections: number
  readonly millis: number
}

/** Seconds; no kind of request is measured for so long. */
const longest = 600

/** As many requests as the server answers: each connection sends the next one when it has its answer. */
export const closed = ({ connections, millis, port, turns }: Closed) =>
  Effect.callback<Outcome>((resume) => {
    const answers = tally()
    let failed = 0
    let clients = 0
    const instance = autocannon(
      {
        url: `http://127.0.0.1:${port}`,
        connections,
        duration: longest,
        // A stopped run ends with its next sample.
        sampleInt: 50,
        setupClient: (client) => {
          const requests = turns[clients++ % turns.length] ?? []
          client.setRequests(
            requests.map((request) => ({
              method: request.method,
              path: request.path,
              headers: headersOf(request),
              ...(request.body === undefined ? {} : { body: request.body })
            }))
          )
        }
      },
      () =>
        resume(
          failed > 0 ? Effect.die(new Error(`${failed} requests had no answer`)) : Effect.succeed(answers.outcome())
        )
    )
    const until = performance.now() + millis
    instance.on("response", (_client, status, _bytes, taken) => {
      answers.add(status, taken)
      // At least one answer is waited for, however slow the server is.
      if (performance.now() >= until) instance.stop?.()
    })
    instance.on("reqError", () => failed++)
    return Effect.sync(() => instance.stop?.())
  })

interface Open {
  readonly port: number
  readonly request: Request
  readonly perSecond: number
}

/**
 * Sends requests at fixed times for as long as `during` takes, however long the server takes over them. The time of an answer
 * counts from when its request was due, so that one that had to wait for a connection is not hidden.
 */
export const beside = <A, E, R>({ perSecond, port, request }: Open, during: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 })
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.destroy()))
    const answers = tally()
    const { body = null, method, path } = request
    const send = (due: number) =>
      Effect.promise(async () => {
        const answer = await pool.request({ method, path, headers: headersOf(request), body })
        await answer.body.dump()
        answers.add(answer.statusCode, performance.now() - due)
      })
    const step = 1000 / perSecond
    let due = performance.now()
    const round = Effect.suspend(() => {
      const ready: Array<number> = []
      for (; due <= performance.now(); due += step) ready.push(due)
      return Effect.andThen(
        Effect.forEach(ready, (at) => Effect.forkChild(send(at)), { discard: true }),
        Effect.sleep(1)
      )
    })
    const sending = yield* Effect.forkChild(Effect.forever(round))
    const result = yield* during
    yield* Fiber.interrupt(sending)
    return { result, outcome: answers.outcome() }
  }).pipe(Effect.scoped)
