// scripts/bench/Peers.ts: sends the same requests to Overture and to the tuned Fastify server, and compares them.
import { Effect } from "effect"
import { headersOf, type Kind, type Request, send } from "./Load.ts"
import { type Compared, compare, inverse, type Pair, pairs } from "./Pairs.ts"
import { type Server, spent } from "./Servers.ts"

export interface Peers {
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
const isOwn = (key: string) => key === "subject" || key === "body" || key === "prompt_version"

/** A document with its fields sorted, and without ids, times and emails, which differ between the servers. */
const canonical = (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (typeof value === "string" && value !== "" && isOwn(key)) return "~"
    if (typeof value === "string") return value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "~")
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** Headers of the connection rather than of the answer. */
const transport = ["connection", "keep-alive", "date", "transfer-encoding"]

/** A server's answer in a form that can be compared. */
export const ask = (server: Server, request: Request) =>
  Effect.promise(async () => {
    const { body = null, method, path } = request
    const response = await fetch(`${server.url}${path}`, { method, headers: headersOf(request), body })
    const text = await response.text()
    const names = [...response.headers.keys()].filter((name) => !transport.includes(name))
    return [response.status, names.toSorted().join(", "), canonical(text)].join("\n")
  })

/** Fails unless both servers give the same answer with the same headers, except for ids, times and emails. */
export const agree = Effect.fnUntraced(function* ({ fastify, overture }: Peers, request: Request) {
  const ours = yield* ask(overture, request)
  const theirs = yield* ask(fastify, request)
  if (ours !== theirs) {
    return yield* Effect.die(new Error(`${request.method} ${request.path} is answered\n${ours}\n\nand\n\n${theirs}`))
  }
})

const measure = Effect.fnUntraced(function* (server: Server, kind: Kind, requests: number) {
  const { cpu_ms, result } = yield* spent([server], send(server, kind, requests))
  return {
    per_second: (requests / result.ms) * 1000,
    cpu_us: (cpu_ms / requests) * 1000,
    sender_busy: result.busy
  } satisfies Round
})

export interface Amount {
  readonly pairs: number
  /** The share of the requests of a class that a round has, and those that warm up each server first. */
  readonly share: number
  readonly warmup: number
}

/** The rounds of one class of requests. */
export const rounds = Effect.fnUntraced(function* ({ fastify, overture }: Peers, kind: Kind, amount: Amount) {
  const of = (share: number) => Math.max(kind.connections, Math.round(kind.requests * share))
  const round = (server: Server) => measure(server, kind, of(amount.share))
  for (const server of [overture, fastify]) yield* measure(server, kind, of(amount.warmup))
  return yield* pairs(amount.pairs, round(overture), round(fastify))
})

export const perSecond = (all: ReadonlyArray<Pair<Round, Round>>): Compared =>
  compare(all, ({ per_second }) => per_second)

/** Processor time of a request; the ratio is above 1 where Overture uses less. */
export const cpu = (all: ReadonlyArray<Pair<Round, Round>>): Compared => inverse(compare(all, ({ cpu_us }) => cpu_us))
