// layers/rate-limiter/Redis.ts: rate limits that all processes with one Redis share.
import { Cause, Duration, Effect, Layer, Redacted } from "effect"
import { RateLimiter, Redis } from "effect/persistence"
import { elapsed } from "#layers/lib/Time.ts"

/** Separates our keys from those of other programs on the same Redis. */
const prefix = "overture:limit:"

/** Longest time that a request waits for Redis; after it the request is let through. */
const commandTimeout = Duration.seconds(1)
const connectMillis = 5000
/** Time without an answer, though the connection is pinged each second, after which it is replaced. */
const silentMillis = 5000
const commandMillis = 1000
const maxPauseMillis = 2000

const minute = Duration.toMillis("1 minute")

const redisUnavailable = (cause: unknown) => new Redis.RedisError({ cause })
const noCounters = Effect.fail(redisUnavailable(new Error("Only commands are sent here")))

/** Not the layer of @effect/platform-node, which waits for Redis at the start and ends the process when it is away. */
const redis = (url: Redacted.Redacted) =>
  Layer.effect(
    Redis.Redis,
    Effect.gen(function* () {
      const run = Effect.runForkWith(yield* Effect.context())
      let loggedAt: number | undefined
      /** Logs once a minute while Redis is away, because the client tries several times a minute. */
      const onRedisError = (cause: unknown) =>
        Effect.flatMap(elapsed, (at) => {
          if (loggedAt !== undefined && at - loggedAt < minute) return Effect.void
          loggedAt = at
          return Effect.logWarning("Redis is away: requests are not counted", Cause.fail(cause))
        })
      const onRedisReady = Effect.suspend(() => {
        if (loggedAt === undefined) return Effect.void
        loggedAt = undefined
        return Effect.logInfo("Redis is there: requests are counted")
      })

      // Loaded only where a Redis is set: the package takes as long to load as half of the server.
      const { createClient } = yield* Effect.promise(() => import("redis"))
      const client = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createClient({
            url: Redacted.value(url),
            // A request that cannot be counted now is let through and not counted later.
            disableOfflineQueue: true,
            pingInterval: commandMillis,
            socket: {
              connectTimeout: connectMillis,
              socketTimeout: silentMillis,
              reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxPauseMillis) + Math.random() * 200
            }
          })
        ),
        (client) => Effect.sync(() => client.isOpen && client.destroy())
      )
      client.on("error", (cause) => run(onRedisError(cause)))
      client.on("ready", () => run(onRedisReady))
      // Retries until the client is closed, and then rejects, which is ignored.
      client.connect().catch(() => {})

      return yield* Redis.make({
        send: <A>(command: string, ...args: ReadonlyArray<string>) =>
          Effect.tryPromise({
            try: () => client.sendCommand<A>([command, ...args]),
            catch: redisUnavailable
          }).pipe(
            Effect.timeoutOrElse({
              duration: commandTimeout,
              orElse: () => Effect.fail(redisUnavailable(new Error("Redis does not answer")))
            })
          ),
        connect: noCounters,
        subscribe: () => noCounters
      })
    })
  )

export const layer = (url: Redacted.Redacted): Layer.Layer<RateLimiter.RateLimiterStore> =>
  RateLimiter.layerStoreRedis({ prefix }).pipe(Layer.provide(redis(url)))
