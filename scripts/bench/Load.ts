// scripts/bench/Load.ts: sends requests to a server: as fast as it answers, or at a constant rate beside other work.
import autocannon from "autocannon"
import { Effect } from "effect"
import { performance } from "node:perf_hooks"
import { Pool } from "undici"
import type { Server } from "./Servers.ts"

export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly key: string
  readonly body?: string
}

/** A class of requests. */
export interface RequestClass {
  readonly name: string
  /** The aim: how many times the requests a second of the reference. */
  readonly aim: number
  /** The expected status of every answer. */
  readonly status: number
  readonly connections: number
  /** The requests of each connection, repeated; with more connections than entries, entries are reused. */
  readonly sequences: ReadonlyArray<ReadonlyArray<Request>>
  /** Requests in a round of the full form. */
  readonly requests: number
}

export const headersOf = ({ body, key }: Request) => ({
  authorization: `Bearer ${key}`,
  ...(body === undefined ? {} : { "content-type": "application/json" })
})

interface SendResult {
  readonly ms: number
  /** The share of the time in which the sender was busy, from 0 to 1. */
  readonly busy: number
}

/**
 * Sends a number of requests over keep-alive connections, each with one request at a time. A number and not a duration, so
 * that no request is cut off and left unfinished in the server. Fails on any other answer than the expected one.
 */
export const sendRequests = ({ url }: Server, requestClass: RequestClass, requests: number) =>
  Effect.callback<SendResult>((resume) => {
    const { connections, name, status, sequences } = requestClass
    const startedAt = performance.now()
    const before = performance.eventLoopUtilization()
    let measurement: SendResult = { ms: NaN, busy: NaN }
    let clients = 0
    let responses = 0
    const load = autocannon(
      {
        url,
        connections,
        amount: requests,
        pipelining: 1,
        timeout: 60,
        bailout: 1,
        sampleInt: 50,
        setupClient: (client) => {
          const connectionRequests = sequences[clients++ % sequences.length] ?? []
          client.setRequests(connectionRequests.map((request) => ({ ...request, headers: headersOf(request) })))
        }
      },
      (error, result) => {
        const statuses = JSON.stringify(result?.statusCodeStats)
        if (error) resume(Effect.die(error))
        else if (responses < requests || result.statusCodeStats?.[`${status}`]?.count !== responses) {
          resume(Effect.die(new Error(`${name}: ${responses} answers of ${requests}, not all ${status}: ${statuses}`)))
        } else resume(Effect.succeed(measurement))
      }
    )
    load.on("response", () => {
      if (++responses < requests) return
      measurement = { ms: performance.now() - startedAt, busy: performance.eventLoopUtilization(before).utilization }
    })
    return Effect.sync(() => load.stop())
  })

export interface Latency {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

/**
 * Sends reads at a constant rate for as long as `work` runs, and times each from the moment it was due. The rate limit of
 * autocannon sends all requests of a second at once, so a plain client sends these.
 */
export const measureReadLatency = <A, E, R>(
  { url }: Server,
  request: Request,
  perSecond: number,
  work: Effect.Effect<A, E, R>
): Effect.Effect<Latency, E, R> =>
  Effect.gen(function* () {
    const { method, path } = request
    const pool = new Pool(url, { connections: 32 })
    const times: Array<number> = []
    const errors: Array<unknown> = []
    const read = async (due: number) => {
      const { body, statusCode } = await pool.request({ method, path, headers: headersOf(request) })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode}`)
      times.push(performance.now() - due)
    }
    const interval = 1000 / perSecond
    let due = performance.now() + interval
    const timer = setInterval(() => {
      for (; due <= performance.now(); due += interval) read(due).catch((error: unknown) => errors.push(error))
    }, 1)
    const stop = Effect.promise(() => {
      clearInterval(timer)
      // Closing waits for the answers that are still missing.
      return pool.close()
    })
    yield* Effect.ensuring(work, stop)
    if (errors.length > 0) return yield* Effect.die(errors[0])
    const sorted = Float64Array.from(times).sort()
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
  })
