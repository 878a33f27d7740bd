// scripts/bench/Routes.ts: requests a second beside a tuned Fastify, which answers the same byte for byte.
import { Effect } from "effect"
import type { Request } from "./load.ts"
import type { Load } from "./Loader.ts"
import { type Server, signature, type Store } from "./Servers.ts"

const path = "/api/v1/signatures"

const page = (store: Store): Request => ({ method: "GET", path: `${path}?limit=10`, key: store.reads })
const create = (store: Store): Request => ({
  method: "POST",
  path,
  key: store.writes,
  body: JSON.stringify({ signature_text: signature })
})

export interface Pair {
  readonly overture: Server
  readonly fastify: Server
}

interface Measured {
  readonly per_second: number
  readonly p99_ms: number
  readonly cpu_us: number | undefined
  /** How busy the sender was: near 1 it would have been measured instead. */
  readonly sender_busy: number
}

export interface Round {
  readonly overture: Measured
  readonly fastify: Measured
}

const ask = (server: Server, request: Request) =>
  Effect.promise(async () => {
    const { body, key, method, path } = request
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body: body ?? null })
    const text = await response.text()
    return `${response.status} ${text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "~")}`
  })

/** Fails unless both give the same answers, but for ids and times that they made themselves. */
const agree = Effect.fnUntraced(function* ({ fastify, overture }: Pair, request: Request) {
  const ours = yield* ask(overture, request)
  const theirs = yield* ask(fastify, request)
  if (ours !== theirs) return yield* Effect.die(new Error(`The answers differ:\n${ours}\n${theirs}`))
})

const measure = Effect.fnUntraced(function* (load: Load, server: Server, request: Request, millis: number) {
  const before = server.cpu()
  const outcome = yield* load.run({ kind: "closed", port: server.port, request, connections: 32, millis })
  const after = server.cpu()
  const wanted = request.method === "GET" ? 200 : 201
  if (outcome.statuses[wanted] !== outcome.answers) {
    return yield* Effect.die(new Error(`Not every answer was ${wanted}: ${JSON.stringify(outcome.statuses)}`))
  }
  return {
    per_second: outcome.perSecond,
    p99_ms: outcome.p99,
    cpu_us: before === undefined || after === undefined ? undefined : ((after - before) / outcome.answers) * 1e6,
    sender_busy: outcome.busy
  } satisfies Measured
})

/** The rounds of one route; who goes first alternates. */
const rounds = Effect.fnUntraced(function* (
  load: Load,
  { fastify, overture }: Pair,
  request: Request,
  times: { readonly rounds: number; readonly millis: number; readonly warmup: number }
) {
  yield* measure(load, overture, request, times.warmup)
  yield* measure(load, fastify, request, times.warmup)
  const all: Array<Round> = []
  for (let i = 0; i < times.rounds; i++) {
    if (i % 2 === 0) {
      const ours = yield* measure(load, overture, request, times.millis)
      all.push({ overture: ours, fastify: yield* measure(load, fastify, request, times.millis) })
    } else {
      const theirs = yield* measure(load, fastify, request, times.millis)
      all.push({ overture: yield* measure(load, overture, request, times.millis), fastify: theirs })
    }
  }
  return all
})

export const run = Effect.fnUntraced(function* (
  load: Load,
  pair: Pair,
  store: Store,
  times: { readonly rounds: number; readonly millis: number; readonly warmup: number }
) {
  for (const request of [page(store), create(store), { ...page(store), key: "no-key" }]) yield* agree(pair, request)
  return {
    reads: yield* rounds(load, pair, page(store), times),
    writes: yield* rounds(load, pair, create(store), times)
  }
})
