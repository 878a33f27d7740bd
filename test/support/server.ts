// test/support/server.ts: the whole service over a store of its own.
import { assert } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { Generator } from "#layers/Generator.ts"
import { Timing } from "#layers/queue/Worker.ts"
import type { Mailer } from "#layers/Mailer.ts"
import { verify } from "#layers/operations/Verify.ts"
import { App } from "#src/http/App.ts"
import { routerConfig } from "#src/http/RequestPipeline.ts"
import type { Rate } from "#src/http/RateLimit.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Services } from "#src/services.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { type Answer, inspect, toAnswer } from "./answers.ts"
import * as Stores from "./store.ts"
import { fake } from "./writer.ts"

export interface Options {
  /** What the writer does otherwise than the fake one. */
  readonly writer?: Partial<Generator["Service"]>
  /** A model, which then writes, answers and reads in place of the fake. */
  readonly model?: Layer.Layer<never, never, SqlClient.SqlClient>
  readonly rate?: Rate
  /** Origins whose pages may call. */
  readonly origins?: ReadonlyArray<string>
  /** Leads written at once. */
  readonly concurrency?: number
  /** Who takes the mail; without one it waits. */
  readonly mailer?: Layer.Layer<Mailer>
  /** False leaves every job undone. */
  readonly working?: boolean
  /** Services that the endpoints get in place of the real ones. */
  readonly override?: Context.Context<never>
}

/** The service, reached without a socket. */
export class Server extends Context.Service<
  Server,
  {
    readonly send: (method: string, path: string, init?: RequestInit) => Effect.Effect<Answer>
    /** Takes requests in the form of the web, for clients of other kinds. */
    readonly fetch: (request: Request) => Promise<Response>
    /** What was logged, causes included. */
    readonly logs: ReadonlyArray<string>
  }
>()("overture/test/Server") {}

const timing = Layer.succeed(Timing, {
  leaseMillis: 30_000,
  pollMillis: Stores.onPostgres ? 200 : 50,
  backoffMillis: 2
})

/** The service with its workers, over a store of its own. */
export const layer = (options: Options = {}) => {
  const store = Services.pipe(Layer.provideMerge(options.model ?? Layer.empty), Layer.provideMerge(Stores.store))
  const writer =
    options.model === undefined
      ? Layer.succeed(Generator, { ...fake, ...options.writer })
      : Generator.layer.pipe(Layer.provide(options.model))
  const logs: Array<string> = []
  const logging = Logger.layer([
    Logger.make(({ cause, message }) => void logs.push(`${JSON.stringify(message)} ${Cause.pretty(cause)}`))
  ])

  const server = Layer.effect(
    Server,
    Effect.gen(function* () {
      const services = yield* Effect.context<Layer.Success<typeof store>>()
      const given = options.override === undefined ? services : Context.merge(services, options.override)
      const app = App({ rate: options.rate, origins: options.origins ?? [] }).pipe(
        Layer.provide([Layer.succeedContext(given), RequestLog.layerNone, HttpServer.layerServices]),
        Layer.provide(options.mailer ?? Layer.empty),
        Layer.provideMerge(Layer.succeed(Clock.Clock, yield* Clock.Clock)),
        Layer.provideMerge(logging)
      )
      const { handler } = yield* Effect.acquireRelease(
        Effect.sync(() => HttpRouter.toWebHandler(app, { disableLogger: true, routerConfig })),
        ({ dispose }) => Effect.promise(dispose)
      )
      return {
        logs,
        fetch: (request) => handler(request),
        send: Effect.fnUntraced(function* (method, path, init) {
          const request = new Request(`http://test/api/v1${path}`, { method, ...init })
          const response = yield* Effect.promise(() => handler(request))
          const text = yield* Effect.promise(() => response.text())
          const answer = toAnswer(response.status, response.headers, text)
          inspect(method, path, answer)
          return answer
        })
      }
    })
  )
  const workers =
    options.working === false
      ? Layer.empty
      : BackgroundWorkers({ concurrency: options.concurrency ?? 16 }).pipe(
          Layer.provide([writer, timing, logging, options.mailer ?? Layer.empty])
        )
  return Layer.merge(server, workers).pipe(Layer.provideMerge(store))
}

/** Provides it to one test. */
export const served = (options?: Options) => Effect.provide(layer(options))

/** BackgroundWorkers of the service's own for as long as an effect lasts, in a `layer` that has none. */
export const working = (writer: Partial<Generator["Service"]> = {}, concurrency = 16) =>
  Effect.provide(
    BackgroundWorkers({ concurrency }).pipe(Layer.provide([Layer.succeed(Generator, { ...fake, ...writer }), timing]))
  )

/** Asserts every invariant of the store. */
export const assertConsistent = Effect.gen(function* () {
  const checks = yield* verify
  assert.isNotEmpty(checks)
  assert.deepStrictEqual(
    checks.filter((check) => !check.ok),
    []
  )
})

/** Breaks what the service stands on. */
export const dropTable = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql`DROP TABLE ${sql(table)} CASCADE`,
    orElse: () => sql`DROP TABLE ${sql(table)}`
  })
}, Effect.orDie)
