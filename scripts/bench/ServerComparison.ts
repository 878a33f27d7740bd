// scripts/bench/ServerComparison.ts: sends the same requests to Overture and to the tuned Fastify server, and compares them.
import { Effect } from "effect"
import { headersOf, type RequestClass, type Request, sendRequests } from "./Load.ts"
import { type Comparison, compare, invertRatio, type Pair, measurePairs } from "./Pairs.ts"
import { type Server, measureTime } from "./Servers.ts"

export interface ComparedServers {
  readonly overture: Server
  readonly fastify: Server
}

interface Round {
  readonly per_second: number
  /** Processor time of the server for a request. */
  readonly cpu_us: number
  /** The share of the time in which the sender was busy. Near 1 the sender limits the requests a second. */
  readonly sender_busy: number
}

/**
 * Emails are not compared: the id of a new list selects their variant, so the servers may send different ones. Nor is the version
 * of the prompt, which is a hash of Overture's own instructions.
 */
const isServerSpecific = (key: string) => key === "subject" || key === "body" || key === "prompt_version"

/** A document with its fields sorted, and without ids, times and emails, which differ between the servers. */
const canonicalJson = (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (typeof value === "string" && value !== "" && isServerSpecific(key)) return "~"
    if (typeof value === "string") return value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "~")
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** Headers of the connection rather than of the answer. */
const connectionHeaders = ["connection", "keep-alive", "date", "transfer-encoding"]

/** A server's answer in a form that can be compared. */
export const readComparableResponse = (server: Server, request: Request) =>
  Effect.promise(async () => {
    const { body = null, method, path } = request
    const response = await fetch(`${server.url}${path}`, { method, headers: headersOf(request), body })
    const text = await response.text()
    const names = [...response.headers.keys()].filter((name) => !connectionHeaders.includes(name))
    return [response.status, names.toSorted().join(", "), canonicalJson(text)].join("\n")
  })

/** Fails unless both servers give the same answer with the same headers, except for ids, times and emails. */
export const expectSameResponse = Effect.fnUntraced(function* (
  { fastify, overture }: ComparedServers,
  request: Request
) {
  const overtureResponse = yield* readComparableResponse(overture, request)
  const fastifyResponse = yield* readComparableResponse(fastify, request)
  if (overtureResponse !== fastifyResponse) {
    return yield* Effect.die(
      new Error(`${request.method} ${request.path} is answered\n${overtureResponse}\n\nand\n\n${fastifyResponse}`)
    )
  }
})

const measure = Effect.fnUntraced(function* (server: Server, requestClass: RequestClass, requests: number) {
  const { cpu_ms, result } = yield* measureTime([server], sendRequests(server, requestClass, requests))
  return {
    per_second: (requests / result.ms) * 1000,
    cpu_us: (cpu_ms / requests) * 1000,
    sender_busy: result.busy
  } satisfies Round
})

export interface RoundSize {
  readonly pairs: number
  /** The share of the requests of a class that a round has, and those that warm up each server first. */
  readonly share: number
  readonly warmup: number
}

/** The rounds of one class of requests. */
export const measureRounds = Effect.fnUntraced(function* (
  { fastify, overture }: ComparedServers,
  requestClass: RequestClass,
  size: RoundSize
) {
  const requestCount = (share: number) => Math.max(requestClass.connections, Math.round(requestClass.requests * share))
  const measureRound = (server: Server) => measure(server, requestClass, requestCount(size.share))
  for (const server of [overture, fastify]) yield* measure(server, requestClass, requestCount(size.warmup))
  return yield* measurePairs(size.pairs, measureRound(overture), measureRound(fastify))
})

export const compareThroughput = (rounds: ReadonlyArray<Pair<Round, Round>>): Comparison =>
  compare(rounds, ({ per_second }) => per_second)

/** Processor time of a request; the ratio is above 1 where Overture uses less. */
export const compareCpu = (rounds: ReadonlyArray<Pair<Round, Round>>): Comparison =>
  invertRatio(compare(rounds, ({ cpu_us }) => cpu_us))
