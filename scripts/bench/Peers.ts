// scripts/bench/Peers.ts: Overture and the tuned Fastify beside each other, asked the same.
import { Effect } from "effect"
import { closed, type Request } from "./Load.ts"
import { type Compared, compare, inverse, type Pair, pairs } from "./Pairs.ts"
import { type Server, spent } from "./Servers.ts"

export interface Peers {
  readonly overture: Server
  readonly fastify: Server
}

/** A kind of request, and how it is asked. */
export interface Kind {
  readonly name: string
  readonly status: number
  readonly connections: number
  readonly turns: ReadonlyArray<ReadonlyArray<Request>>
}

interface Round {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Processor time of the server. */
  readonly cpu_us: number
  /** How busy the sender was: near 1 it would have been measured instead. */
  readonly sender_busy: number
}

/** Emails are not compared: the id of a new list selects their variant, so two servers may give different ones. */
const isEmail = (key: string) => key === "subject" || key === "body"

/** The same document with its fields in one order, and without ids, times and emails, which each server makes itself. */
const canonical = (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (typeof value === "string" && value !== "" && isEmail(key)) return "~"
    if (typeof value === "string") return value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "~")
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** Headers of the connection, which are no part of the answer. */
const transport = ["connection", "keep-alive", "date", "transfer-encoding"]

/** What a server answers, in a form that can be compared. */
export const ask = (server: Server, { body, key, method, path }: Request) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) }
    const response = await fetch(`${server.url}${path}`, { method, headers, body: body ?? null })
    const text = await response.text()
    const names = [...response.headers.keys()].filter((name) => !transport.includes(name))
    return [response.status, names.toSorted().join(", "), canonical(text)].join("\n")
  })

/** Fails unless both give the same answers under the same headers, except for ids, times and emails. */
export const agree = Effect.fnUntraced(function* ({ fastify, overture }: Peers, request: Request) {
  const ours = yield* ask(overture, request)
  const theirs = yield* ask(fastify, request)
  if (ours !== theirs) {
    return yield* Effect.die(new Error(`${request.method} ${request.path} is answered\n${ours}\n\nand\n\n${theirs}`))
  }
})

const measure = Effect.fnUntraced(function* (server: Server, kind: Kind, millis: number) {
  const { connections, status, turns } = kind
  const sending = closed({ port: server.port, turns, connections, millis })
  const { cpu_ms, result: outcome } = yield* spent([server], sending)
  if (outcome.statuses[status] !== outcome.answers) {
    return yield* Effect.die(new Error(`${kind.name}: not only ${status}: ${JSON.stringify(outcome.statuses)}`))
  }
  return {
    per_second: outcome.perSecond,
    p50_ms: outcome.p50,
    p99_ms: outcome.p99,
    cpu_us: (cpu_ms / outcome.answers) * 1000,
    sender_busy: outcome.busy
  } satisfies Round
})

interface Times {
  readonly pairs: number
  readonly millis: number
  readonly warmup: number
}

/** The rounds of one kind of request, after both have run warm. */
export const rounds = Effect.fnUntraced(function* (
  a: Server,
  b: Server,
  kind: Kind,
  { millis, pairs: count, warmup }: Times
) {
  yield* measure(a, kind, warmup)
  yield* measure(b, kind, warmup)
  return yield* pairs(count, measure(a, kind, millis), measure(b, kind, millis))
})

export const perSecond = (all: ReadonlyArray<Pair<Round, Round>>): Compared =>
  compare(all, ({ per_second }) => per_second)

/** What a request costs the server; the ratio is above 1 where the first is cheaper. */
export const cpu = (all: ReadonlyArray<Pair<Round, Round>>): Compared => inverse(compare(all, ({ cpu_us }) => cpu_us))
