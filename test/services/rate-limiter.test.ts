// test/services/rate-limiter.test.ts: rate limits in memory and in Redis: properties of both, sharing, outages and expiry.
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Cause, Clock, Context, Duration, Effect, Layer, Logger, Redacted, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { createClient } from "redis"
import * as Limits from "#layers/RateLimiter.ts"
import { elapsed } from "#layers/lib/Time.ts"
import { movableClock } from "#test/support/clock.ts"
import { password, redisServer } from "#test/support/redis.ts"
import { until } from "#test/support/until.ts"

/** A new limiter on the store, as in another process. */
const limiterOver = (store: Layer.Layer<RateLimiter.RateLimiterStore>) =>
  Effect.map(Layer.build(RateLimiter.layer.pipe(Layer.provide(store))), Context.get(RateLimiter.RateLimiter))

const consumeOne = (rateLimiter: RateLimiter.RateLimiter, key: string, limit = 5) =>
  rateLimiter.consume({ key, limit, window: "1 minute" }).pipe(
    Effect.map(({ remaining }) => remaining),
    Effect.catch(({ reason }) => Effect.succeed(reason._tag))
  )

const waitUntilConnected = (rateLimiter: RateLimiter.RateLimiter) =>
  until(consumeOne(rateLimiter, "there", 1_000_000), (answer) => typeof answer === "number")

/** A limiter and control over its clock. */
class TestLimiter extends Context.Service<
  TestLimiter,
  {
    readonly limiter: RateLimiter.RateLimiter
    readonly advance: (millis: number) => Effect.Effect<void>
    /** The time of its counters in milliseconds. */
    readonly at: Effect.Effect<number>
    /** Sets the clock of this machine without changing the time of the counters. */
    readonly jumpBy: (millis: number) => Effect.Effect<void>
    readonly with: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("overture/test/Subject") {}

const inMemory = Effect.gen(function* () {
  const limiter = yield* limiterOver(Layer.fresh(Limits.layerMemory))
  const { clock, movable } = yield* movableClock()
  return TestLimiter.of({ limiter, ...movable, at: elapsed, with: Effect.provideService(Clock.Clock, clock) })
})

const inRedis = Effect.gen(function* () {
  const { advance, url } = yield* redisServer
  const limiter = yield* limiterOver(Limits.layerRedis(Redacted.make(url)))
  yield* waitUntilConnected(limiter)
  const { clock, movable } = yield* movableClock()
  // Redis has a clock of its own; the local clock advances with it so that both agree.
  return TestLimiter.of({
    limiter,
    advance: (millis) => Effect.andThen(advance(millis), movable.advance(millis)),
    at: elapsed,
    jumpBy: movable.jumpBy,
    with: Effect.provideService(Clock.Clock, clock)
  })
})

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("ask"), key: Schema.Literals(["a", "b"]), tokens: between(1, 4) }),
  Schema.Struct({ do: Schema.Literal("together"), key: Schema.Literals(["a", "b"]), count: between(2, 12) }),
  Schema.Struct({ do: Schema.Literal("wait"), percent: between(0, 130) }),
  Schema.Struct({ do: Schema.Literal("jump"), minutes: between(-600, 600) })
])

interface Grant {
  readonly tokens: number
  readonly from: number
  readonly to: number
}

/**
 * Asserts that no period has more grants than the limit plus the tokens refilled during it, at `limit` tokens per window.
 */
const assertWithinLimit = (grants: ReadonlyArray<Grant>, limit: number, window: number) => {
  for (const [first, { from }] of grants.entries()) {
    let sum = 0
    for (const { to, tokens } of grants.slice(first)) {
      sum += tokens
      const maximum = limit + ((to - from) * limit) / window
      assert.isAtMost(sum, maximum, `${sum} of ${limit} in ${to - from} ms of ${window}`)
    }
  }
}

/** Sends requests under keys of this run and records the grants. */
const trackRequests = Effect.fnUntraced(function* (run: number, limit: number, window: number) {
  const { at, limiter } = yield* TestLimiter
  const grants = new Map<string, Array<Grant>>()
  const ends = new Map<string, number>()
  const ask = Effect.fnUntraced(function* (key: string, tokens: number) {
    const from = yield* at
    const answer = yield* limiter.consume({ key: `${run} ${key}`, limit, window, tokens }).pipe(
      Effect.map(({ remaining, resetAfter }) => ({ remaining, resetAfter, refused: undefined })),
      Effect.catchTag("RateLimiterError", ({ reason }) =>
        reason._tag === "RateLimitExceeded"
          ? Effect.succeed({ remaining: undefined, refused: Duration.toMillis(reason.retryAfter) })
          : Effect.die(reason)
      )
    )
    if (answer.remaining === undefined) return answer
    assert.isTrue(answer.remaining >= 0 && answer.remaining < limit)
    const to = yield* at
    grants.set(key, [...(grants.get(key) ?? []), { tokens, from, to }])
    ends.set(key, to + Duration.toMillis(answer.resetAfter))
    return answer
  })
  /** Milliseconds until the window of the last grant ends. */
  const left = (key: string) => Effect.map(at, (now) => (ends.get(key) ?? 0) - now)
  return { ask, grants, left }
})

const runStep = Effect.fnUntraced(function* (
  step: typeof Step.Type,
  { ask, left }: Effect.Success<ReturnType<typeof trackRequests>>,
  limit: number,
  window: number
) {
  const { jumpBy, advance } = yield* TestLimiter
  switch (step.do) {
    case "ask": {
      const { refused } = yield* ask(step.key, step.tokens)
      if (refused === undefined || step.tokens > limit) return
      // A refused request uses no tokens, so the delay does not grow.
      const secondRefusal = (yield* ask(step.key, step.tokens)).refused ?? 0
      assert.isAtMost(refused, window)
      assert.isAtMost(secondRefusal, refused)
      // After the returned delay the request is accepted.
      yield* advance(refused + 1)
      assert.isDefined((yield* ask(step.key, step.tokens)).remaining)
      return
    }
    case "together": {
      // All requests must be in one window.
      const remainingMillis = yield* left(step.key)
      if (remainingMillis < 1000) yield* advance(Math.max(0, remainingMillis) + 1)
      const answers = yield* Effect.all(
        Array.from({ length: step.count }, () => ask(step.key, 1)),
        { concurrency: "unbounded" }
      )
      const granted = answers.flatMap(({ remaining }) => (remaining === undefined ? [] : [remaining]))
      // The remaining counts are distinct, and none was refused while tokens remained.
      assert.strictEqual(new Set(granted).size, granted.length)
      if (granted.length < step.count) assert.isTrue(granted.length === 0 || granted.includes(0), granted.join())
      return
    }
    case "wait":
      return yield* advance(Math.round((window * step.percent) / 100))
    case "jump":
      return yield* jumpBy(step.minutes * 60_000)
  }
})

for (const [place, subject, runs] of [
  ["in this process", inMemory, 100],
  ["in one Redis", inRedis, 40]
] as const) {
  layer(Layer.effect(TestLimiter, subject), { excludeTestServices: true })(`a limit ${place}`, (it) => {
    let run = 0
    it.effect.prop(
      "is never exceeded in any window, however and whenever requests come, and refuses no earlier than it must",
      { limit: between(1, 12), steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 5, maxLength: 60 }) },
      ({ limit, steps }) =>
        Effect.gen(function* () {
          // Much longer than a test, with whole milliseconds per token.
          const window = limit * 10_000
          const requests = yield* trackRequests(++run, limit, window)
          const work = Effect.forEach(steps, (step) => runStep(step, requests, limit, window), { discard: true })
          yield* (yield* TestLimiter).with(work)
          for (const grants of requests.grants.values()) assertWithinLimit(grants, limit, window)
        }),
      { arbitrary: { runs } }
    )
  })
}

/** A limiter that uses this Redis. */
const limiter = (url: string, logs: Array<string> = []) => {
  const logging = Logger.layer([
    Logger.make(({ cause, message }) => void logs.push(`${JSON.stringify(message)} ${Cause.pretty(cause)}`))
  ])
  return limiterOver(Limits.layerRedis(Redacted.make(url)).pipe(Layer.provide(logging)))
}

const keyLifetimes = (url: string) =>
  Effect.promise(async () => {
    const client = createClient({ url })
    await client.connect()
    const names = await client.sendCommand<ReadonlyArray<string>>(["KEYS", "*"])
    const ends = await Promise.all(names.map((name) => client.sendCommand<number>(["PTTL", name])))
    client.destroy()
    return names.map((name, index) => [name, ends[index] ?? 0] as const)
  })

describe("limits in one Redis", () => {
  it.live("are shared by all processes, under prefixed keys that expire", () =>
    Effect.gen(function* () {
      const { url } = yield* redisServer
      const [first, second] = [yield* limiter(url), yield* limiter(url)]
      yield* waitUntilConnected(first)
      yield* waitUntilConnected(second)
      const answers = []
      for (const caller of [first, second, first, second, first, second, first])
        answers.push(yield* consumeOne(caller, "a"))
      assert.deepStrictEqual(answers, [4, 3, 2, 1, 0, "RateLimitExceeded", "RateLimitExceeded"])
      assert.strictEqual(yield* consumeOne(second, "b"), 4)
      const ownKeys = (yield* keyLifetimes(url)).filter(([name]) => name !== "overture:limit:there")
      assert.sameMembers(
        ownKeys.map(([name]) => name),
        ["overture:limit:a", "overture:limit:b"]
      )
      for (const [name, end] of ownKeys) assert.isTrue(end > 0 && end <= 60_000, `${name} ${end}`)
    })
  )

  it.live("hold for concurrent requests", () =>
    Effect.gen(function* () {
      const { url } = yield* redisServer
      const limiters = [yield* limiter(url), yield* limiter(url)]
      yield* Effect.forEach(limiters, waitUntilConnected)
      const answers = yield* Effect.all(
        Array.from({ length: 200 }, (_, i) => consumeOne(limiters[i % 2]!, "a", 50)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => typeof answer === "number"),
        50
      )
    })
  )

  it.live("are not applied while it is unavailable, and return when it is back", () =>
    Effect.gen(function* () {
      const logs: Array<string> = []
      const server = yield* redisServer
      yield* server.stop
      const redisLimiter = yield* limiter(server.url, logs)
      assert.strictEqual(yield* consumeOne(redisLimiter, "a"), "RateLimitStoreError")
      yield* server.start
      yield* waitUntilConnected(redisLimiter)
      assert.strictEqual(yield* consumeOne(redisLimiter, "a"), 4)
      yield* server.stop
      yield* until(consumeOne(redisLimiter, "a"), (answer) => answer === "RateLimitStoreError")
      yield* server.start
      // The restarted server has lost its scripts and counters.
      yield* waitUntilConnected(redisLimiter)
      assert.strictEqual(yield* consumeOne(redisLimiter, "a"), 4)

      yield* server.pause
      assert.strictEqual(yield* consumeOne(redisLimiter, "a"), "RateLimitStoreError")
      yield* server.unpause
      yield* waitUntilConnected(redisLimiter)
      assert.isNumber(yield* consumeOne(redisLimiter, "a"))

      const log = logs.join("\n")
      assert.match(log, /Redis is away/)
      assert.match(log, /Redis is there/)
      assert.isBelow(logs.length, 20, log)
      const wrongPasswordLimiter = yield* limiter(server.url.replace(password, "wrong-password"), logs)
      assert.strictEqual(yield* consumeOne(wrongPasswordLimiter, "a"), "RateLimitStoreError")
      yield* until(
        Effect.sync(() => logs.join("\n")),
        (log) => log.includes("WRONGPASS")
      )
      assert.notMatch(logs.join("\n"), new RegExp(`${password}|wrong-password`))
    })
  )
})

describe("limits in memory", () => {
  it.live("equal those of Effect, and are deleted when they have ended", () =>
    Effect.gen(function* () {
      const counters: Limits.Counters = new Map()
      const stores = yield* Effect.forEach([Limits.make(counters), RateLimiter.layerStoreMemory], (layer) =>
        Effect.map(Layer.build(layer), (context) => Context.get(context, RateLimiter.RateLimiterStore))
      )
      let millis = 1_000_000
      const clock = yield* Clock.Clock
      const nanos = () => BigInt(millis) * 1_000_000n
      const consume = (
        store: RateLimiter.RateLimiterStore["Service"],
        key: string,
        tokens: number,
        limit: number | undefined
      ) =>
        store.fixedWindow({ key, tokens, limit, refillRate: Duration.millis(100) }).pipe(
          Effect.provideService(Clock.Clock, {
            sleep: (duration) => clock.sleep(duration),
            currentTimeMillisUnsafe: () => millis,
            currentTimeMillis: Effect.sync(() => millis),
            currentTimeNanosUnsafe: nanos,
            currentTimeNanos: Effect.sync(nanos),
            monotonicTimeNanosUnsafe: nanos,
            monotonicTimeNanos: Effect.sync(nanos)
          })
        )
      let seed = 7
      const random = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound
      for (let i = 0; i < 20_000; i++) {
        millis += random(40)
        const [key, tokens, limit] = [`${i % 7 === 0 ? i : random(3)}`, 1 + random(2), random(5) === 0 ? undefined : 5]
        const [actual, expected] = yield* Effect.forEach(stores, (store) => consume(store, key, tokens, limit))
        assert.deepStrictEqual(actual, expected, `${i}`)
        assert.isAtMost(counters.size, 1100)
      }
    })
  )
})
