// test/support/server.ts: the whole service in this process, with a new database.
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
import type { Rate } from "#src/http/Guards.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Services } from "#src/services.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { type Answer, assertValidAnswer, toAnswer } from "./answers.ts"
import * as Stores from "./store.ts"
import { fakeWriter } from "./writer.ts"

export interface Options {
  /** Operations that replace those of the fake writer. */
  readonly writer?: Partial<Generator["Service"]>
  /** A model, which is used instead of the fake writer. */
  readonly model?: Layer.Layer<never, never, SqlClient.SqlClient>
  readonly rate?: Rate
  /** Origins that CORS allows. */
  readonly origins?: ReadonlyArray<string>
  /** How many leads are written in parallel. */
  readonly concurrency?: number
  /** Sends the mail. Without one, mail stays in the outbox. */
  readonly mailer?: Layer.Layer<Mailer>
  /** False to run no workers, so that jobs stay pending. */
  readonly runsWorkers?: boolean
  /** Services that replace the real ones in the endpoints. */
  readonly override?: Context.Context<never>
}

/** The service, called without a socket. */
export class Server extends Context.Service<
  Server,
  {
    readonly send: (method: string, path: string, init?: RequestInit) => Effect.Effect<Answer>
    /** Handles a web Request, for clients that take a `fetch` function. */
    readonly fetch: (request: Request) => Promise<Response>
    /** The log messages, with their causes. */
    readonly logs: ReadonlyArray<string>
  }
>()("overture/test/Server") {}

const timing = Layer.succeed(Timing, {
  leaseMillis: 30_000,
  pollMillis: Stores.onPostgres ? 200 : 50,
  backoffMillis: 2
})

/** The service with its workers and a new database. */
export const layer = (options: Options = {}) => {
  const store = Services.pipe(Layer.provideMerge(options.model ?? Layer.empty), Layer.provideMerge(Stores.store))
  const writer =
    options.model === undefined
      ? Layer.succeed(Generator, { ...fakeWriter, ...options.writer })
      : Generator.layer.pipe(Layer.provide(options.model))
  const logs: Array<string> = []
  const logging = Logger.layer([
    Logger.make(({ cause, message }) => void logs.push(`${JSON.stringify(message)} ${Cause.pretty(cause)}`))
  ])

  const server = Layer.effect(
    Server,
    Effect.gen(function* () {
      const services = yield* Effect.context<Layer.Success<typeof store>>()
      const endpointServices = options.override === undefined ? services : Context.merge(services, options.override)
      const app = App({ rate: options.rate, origins: options.origins ?? [] }).pipe(
        Layer.provide([Layer.succeedContext(endpointServices), RequestLog.layerNone, HttpServer.layerServices]),
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
          assertValidAnswer(method, path, answer)
          return answer
        })
      }
    })
  )
  const workers =
    options.runsWorkers === false
      ? Layer.empty
      : BackgroundWorkers({ concurrency: options.concurrency ?? 16 }).pipe(
          Layer.provide([writer, timing, logging, options.mailer ?? Layer.empty])
        )
  return Layer.merge(server, workers).pipe(Layer.provideMerge(store))
}

/** Provides the service to one test. */
export const withServer = (options?: Options) => Effect.provide(layer(options))

/** Runs the background workers while an effect runs, for a `layer` with `runsWorkers: false`. */
export const withWorkers = (writer: Partial<Generator["Service"]> = {}, concurrency = 16) =>
  Effect.provide(
    BackgroundWorkers({ concurrency }).pipe(
      Layer.provide([Layer.succeed(Generator, { ...fakeWriter, ...writer }), timing])
    )
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

/** Drops a table, to cause unexpected database errors. */
export const dropTable = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql`DROP TABLE ${sql(table)} CASCADE`,
    orElse: () => sql`DROP TABLE ${sql(table)}`
  })
}, Effect.orDie)
