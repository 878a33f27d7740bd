// test/program/shared-limits.test.ts: one limit for all who share a Redis, and what becomes of requests while it is away. With
// TEST_REDIS_SERVER they share a real one (test/support/redis.ts).
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Context, Duration, Effect, Layer, Logger, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { writeFile } from "node:fs/promises"
import { createClient } from "redis"
import * as Memory from "#layers/RateLimiter.ts"
import * as Redis from "#layers/rate-limiter/Redis.ts"
import { workspaceIn } from "#test/support/founded.ts"
import * as Process from "#test/support/process.ts"
import { password, redis } from "#test/support/redis.ts"
import { until } from "#test/support/until.ts"
import { wire } from "#test/support/wire.ts"

/** A limiter of its own, as another process has one. */
const limiter = Effect.fnUntraced(function* (url: string, logs: Array<string> = []) {
  const logging = Logger.layer([
    Logger.make(({ cause, message }) => void logs.push(`${JSON.stringify(message)} ${Cause.pretty(cause)}`))
  ])
  const layer = RateLimiter.layer.pipe(Layer.provide(Redis.layer(Redacted.make(url))), Layer.provide(logging))
  return Context.get(yield* Layer.build(layer), RateLimiter.RateLimiter)
})

const asked = (one: RateLimiter.RateLimiter, key: string, limit = 5) =>
  one.consume({ key, limit, window: "1 minute" }).pipe(
    Effect.map(({ remaining }) => remaining),
    Effect.catch(({ reason }) => Effect.succeed(reason._tag))
  )

const there = (one: RateLimiter.RateLimiter) =>
  until(asked(one, "there", 1_000_000), (answer) => typeof answer === "number")

const keys = (url: string) =>
  Effect.promise(async () => {
    const client = createClient({ url })
    await client.connect()
    const names = await client.sendCommand<ReadonlyArray<string>>(["KEYS", "*"])
    const ends = await Promise.all(names.map((name) => client.sendCommand<number>(["PTTL", name])))
    client.destroy()
    return names.map((name, at) => [name, ends[at] ?? 0] as const)
  })

describe("limits in one Redis", () => {
  it.live("are the same for all, each under a name of ours, and forgotten by themselves", () =>
    Effect.gen(function* () {
      const { url } = yield* redis
      const [one, other] = [yield* limiter(url), yield* limiter(url)]
      yield* there(one)
      yield* there(other)
      const answers = []
      for (const who of [one, other, one, other, one, other, one]) answers.push(yield* asked(who, "a"))
      assert.deepStrictEqual(answers, [4, 3, 2, 1, 0, "RateLimitExceeded", "RateLimitExceeded"])
      assert.strictEqual(yield* asked(other, "b"), 4)
      const found = (yield* keys(url)).filter(([name]) => name !== "overture:limit:there")
      assert.sameMembers(
        found.map(([name]) => name),
        ["overture:limit:a", "overture:limit:b"]
      )
      for (const [name, end] of found) assert.isTrue(end > 0 && end <= 60_000, `${name} ${end}`)
    })
  )

  it.live("hold however many ask at once", () =>
    Effect.gen(function* () {
      const { url } = yield* redis
      const both = [yield* limiter(url), yield* limiter(url)]
      yield* Effect.forEach(both, there)
      const answers = yield* Effect.all(
        Array.from({ length: 200 }, (_, i) => asked(both[i % 2]!, "a", 50)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => typeof answer === "number"),
        50
      )
    })
  )

  it.live("are not in the headers while it is away, hangs or wants another password, and return once it is back", () =>
    Effect.gen(function* () {
      const logs: Array<string> = []
      const server = yield* redis
      yield* server.stop
      const one = yield* limiter(server.url, logs)
      assert.strictEqual(yield* asked(one, "a"), "RateLimitStoreError")
      yield* server.start
      yield* there(one)
      assert.strictEqual(yield* asked(one, "a"), 4)
      yield* server.stop
      yield* until(asked(one, "a"), (answer) => answer === "RateLimitStoreError")
      yield* server.start
      // It has forgotten its scripts and all that was counted.
      yield* there(one)
      assert.strictEqual(yield* asked(one, "a"), 4)

      yield* server.stall
      assert.strictEqual(yield* asked(one, "a"), "RateLimitStoreError")
      yield* server.goOn
      yield* there(one)
      assert.isNumber(yield* asked(one, "a"))

      const told = logs.join("\n")
      assert.match(told, /Redis is away/)
      assert.match(told, /Redis is there/)
      assert.isBelow(logs.length, 20, told)
      const stranger = yield* limiter(server.url.replace(password, "wrong-password"), logs)
      assert.strictEqual(yield* asked(stranger, "a"), "RateLimitStoreError")
      yield* until(
        Effect.sync(() => logs.join("\n")),
        (told) => told.includes("WRONGPASS")
      )
      assert.notMatch(logs.join("\n"), new RegExp(`${password}|wrong-password`))
    })
  )
})

it.live("two servers with one REDIS_URL share the limit of a key", () =>
  Effect.gen(function* () {
    const server = yield* redis
    const data = yield* Process.folder
    const { key } = yield* workspaceIn(data, "Acme")
    const env = { REDIS_URL: server.url, OVERTURE_RATE_LIMIT: "10/1h", OVERTURE_ROLE: "api" }
    const [one, other] = [yield* Process.serve(data, env), yield* Process.serve(data, env)]
    const ask = (url: string) => wire(url, key).send("GET", "/signatures")
    const left = yield* Effect.forEach(Array.from({ length: 12 }), (_, i) =>
      Effect.map(ask(i % 2 === 0 ? one.url : other.url), ({ headers, status }) => [
        status,
        headers.get("x-ratelimit-remaining")
      ])
    )
    assert.deepStrictEqual(left, [
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((left) => [200, String(left)]),
      [429, "0"],
      [429, "0"]
    ])
    yield* server.stop
    yield* until(ask(one.url), ({ status }) => status === 200)
    const strict = yield* wire(one.url, key).send("POST", "/workspace/regenerate")
    assert.deepStrictEqual([strict.status, strict.body.error], [429, "RATE_LIMITED"])
    assert.notInclude(one.log() + other.log(), password)
  })
)

it.live("a REDIS_URL that is none is refused in one line, without its password", () =>
  Effect.gen(function* () {
    const data = yield* Process.folder
    for (const url of [
      `http://:${password}@host`,
      `redis://:${password}@`,
      `redis://:${password}@host/one`,
      password
    ]) {
      yield* Effect.promise(() => writeFile(`${data}/.env`, `REDIS_URL=${url}\n`))
      const { code, stderr } = yield* Process.overture(data, "serve", "--port", "0")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^[^\n]*REDIS_URL[^\n]*redis:\/\/user:password@[^\n]*\n$/)
      assert.notInclude(stderr, password)
    }
  })
)

describe("limits in memory", () => {
  it.live("are as Effect's, and are forgotten when they have ended", () =>
    Effect.gen(function* () {
      const counters: Memory.Counters = new Map()
      const stores = yield* Effect.forEach([Memory.make(counters), RateLimiter.layerStoreMemory], (layer) =>
        Effect.map(Layer.build(layer), (context) => Context.get(context, RateLimiter.RateLimiterStore))
      )
      let at = 1_000_000
      const clock = yield* Clock.Clock
      const nanos = () => BigInt(at) * 1_000_000n
      const consume = (
        store: RateLimiter.RateLimiterStore["Service"],
        key: string,
        tokens: number,
        limit: number | undefined
      ) =>
        store.fixedWindow({ key, tokens, limit, refillRate: Duration.millis(100) }).pipe(
          Effect.provideService(Clock.Clock, {
            sleep: (duration) => clock.sleep(duration),
            currentTimeMillisUnsafe: () => at,
            currentTimeMillis: Effect.sync(() => at),
            currentTimeNanosUnsafe: nanos,
            currentTimeNanos: Effect.sync(nanos),
            monotonicTimeNanosUnsafe: nanos,
            monotonicTimeNanos: Effect.sync(nanos)
          })
        )
      let seed = 7
      const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
      for (let i = 0; i < 20_000; i++) {
        at += next(40)
        const [key, tokens, limit] = [`${i % 7 === 0 ? i : next(3)}`, 1 + next(2), next(5) === 0 ? undefined : 5]
        const [ours, theirs] = yield* Effect.forEach(stores, (store) => consume(store, key, tokens, limit))
        assert.deepStrictEqual(ours, theirs, `${i}`)
        assert.isAtMost(counters.size, 1100)
      }
    })
  )
})
