// layers/rate-limiter/Redis.ts: the store for rate limits shared by all processes with one Redis.
import { Cause, Duration, Effect, Layer, Redacted } from "effect"
import { RateLimiter, Redis } from "effect/persistence"
import { elapsed } from "#layers/lib/Time.ts"

/** Prefix of all keys, for a Redis that other programs share. */
const prefix = "overture:limit:"

/** How long a request waits for Redis. After that, requests are not counted. */
const commandTimeout = Duration.seconds(1)
const connectMillis = 5000
/** A connection without an answer for this long is replaced; it is pinged every second. */
const socketTimeoutMillis = 5000
const commandMillis = 1000
const maxPauseMillis = 2000

const logIntervalMillis = Duration.toMillis("1 minute")

const redisUnavailable = (cause: unknown) => new Redis.RedisError({ cause })
const unsupported = Effect.fail(redisUnavailable(new Error("Only commands are sent here")))

/** Used instead of the layer of @effect/platform-node, which waits for Redis at start-up and ends the process in an outage. */
const makeRedisLayer = (url: Redacted.Redacted) =>
  Layer.effect(
    Redis.Redis,
    Effect.gen(function* () {
      const run = Effect.runForkWith(yield* Effect.context())
      let loggedAt: number | undefined
      /** Logs once a minute during an outage, because the client retries several times a minute. */
      const onRedisError = (cause: unknown) =>
        Effect.flatMap(elapsed, (elapsedMillis) => {
          if (loggedAt !== undefined && elapsedMillis - loggedAt < logIntervalMillis) return Effect.void
          loggedAt = elapsedMillis
          return Effect.logWarning("Redis is away: requests are not counted", Cause.fail(cause))
        })
      const onRedisReady = Effect.suspend(() => {
        if (loggedAt === undefined) return Effect.void
        loggedAt = undefined
        return Effect.logInfo("Redis is there: requests are counted")
      })

      // Imported only if a Redis is set, because the package takes half as long to load as the server.
      const { createClient } = yield* Effect.promise(() => import("redis"))
      const client = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createClient({
            url: Redacted.value(url),
            // Commands fail at once during an outage, instead of being counted later.
            disableOfflineQueue: true,
            pingInterval: commandMillis,
            socket: {
              connectTimeout: connectMillis,
              socketTimeout: socketTimeoutMillis,
              reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxPauseMillis) + Math.random() * 200
            }
          })
        ),
        (client) => Effect.sync(() => client.isOpen && client.destroy())
      )
      client.on("error", (cause) => run(onRedisError(cause)))
      client.on("ready", () => run(onRedisReady))
      // Retries until the client is closed, which rejects the promise.
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
        connect: unsupported,
        subscribe: () => unsupported
      })
    })
  )

export const layer = (url: Redacted.Redacted): Layer.Layer<RateLimiter.RateLimiterStore> =>
  RateLimiter.layerStoreRedis({ prefix }).pipe(Layer.provide(makeRedisLayer(url)))
