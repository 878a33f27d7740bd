// src/commands/Serve.ts: runs the server: API, workers, or both in one process, until a signal stops it.
import { Generator } from "#layers/Generator.ts"
import * as Checkpoints from "#layers/database/sqlite/Checkpoints.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { Cause, Console, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import { sweeping } from "#layers/Files.ts"
import { Workers } from "#layers/queue/Worker.ts"
import { Links } from "#layers/Links.ts"
import { Model } from "#layers/Model.ts"
import { Readiness } from "#layers/operations/Readiness.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { fail, withEnvironment } from "#src/commands/Output.ts"
import { withStore } from "#src/commands/Store.ts"
import { welcome } from "#src/Demo.ts"
import { Probe, Server } from "#src/http/server/Server.ts"
import { RequestLogging } from "#src/logging.ts"
import { defaultPort, givenSecret, leastSecret, publicUrl, serverSettings, settings } from "#src/settings.ts"
import { limits, mailer } from "#src/settings/Services.ts"
import { metricsPort } from "#src/settings/Telemetry.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { Measured } from "#src/telemetry/Measured.ts"
import { Otlp } from "#src/telemetry/Otlp.ts"
import { Scrape } from "#src/telemetry/Scrape.ts"
import { Watchers } from "#layers/lists/Watchers.ts"
import { Listener } from "#src/http/server/Listener.ts"

/** Grace period for open requests. */
const grace = Duration.seconds(20)

/** A load balancer needs a moment to notice that the server is no longer ready. */
const seen = Duration.seconds(5)

/** Time limit for requeueing jobs; a stalled mail server could take longer. */
const last = Duration.seconds(2)

/** Stops the server in order; runs when its scope closes. */
const stop = Effect.gen(function* () {
  const listener = yield* Listener
  const ready = yield* Readiness
  const workers = yield* Workers
  const watchers = yield* Watchers
  yield* Effect.logInfo("Stopping")
  const limit = Duration.sum(grace, Duration.times(last, 2))
  // Exits by the limit, because a supervisor waits for it. The store is consistent whenever the process ends.
  yield* Effect.sync(() => void setTimeout(() => process.exit(0), Duration.toMillis(limit)).unref())

  yield* workers.drain
  yield* watchers.close
  yield* listener.release
  const lingered = (yield* ready.drain) ? seen : Duration.zero
  yield* Effect.sleep(lingered)
  yield* Effect.timeoutOption(listener.drain, Duration.subtract(grace, lingered))
  yield* Effect.timeoutOption(workers.stop, last)
})

/** A guessed secret could sign links to everything. */
const warnOfSecret = Effect.gen(function* () {
  const given = yield* givenSecret
  if (given === undefined || Redacted.value(given).length >= leastSecret) return
  yield* Effect.logWarning(
    `OVERTURE_SECRET has fewer than ${leastSecret} characters, and links that are signed by it may be forged; take what openssl rand -hex 32 prints`
  )
})

/** The probable address of the API, for links in a worker's mails. */
const guessed = Effect.fnUntraced(function* (host: string) {
  const url = `http://${host}:${defaultPort}`
  if ((yield* publicUrl) === undefined) {
    yield* Effect.logWarning(`OVERTURE_PUBLIC_URL is not set: links in the mails of this worker lead to ${url}`)
  }
  return url
})

/** Prints the next step if the server has no workspace yet. */
const firstStep = Effect.gen(function* () {
  const workspaces = yield* (yield* Workspaces).list
  if (workspaces.length > 0) return
  yield* Console.log(
    "No workspace yet. Make one, and then its key: overture workspace create --name NAME --owner-email EMAIL"
  )
}).pipe(Effect.ignore)

/** Logs that the model can be used; the probe itself logs a problem. Neither keeps the server from starting. */
const modelConnection = Effect.gen(function* () {
  const model = yield* Model
  if (model === undefined || (yield* model.probe({ asks: false })) !== null) return
  yield* Effect.logInfo(`The model server answers; ${model.name} writes`)
}).pipe(Effect.catchCause((cause) => Effect.logWarning("The model could not be probed", cause)))

const Address = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  return HttpServer.formatAddress(address)
})

export const serve = Command.make(
  "serve",
  {
    host: Flag.String("host").pipe(
      Flag.withDescription("Address to listen on (OVERTURE_HOST, 127.0.0.1)"),
      Flag.optional
    ),
    port: wholeNumber(
      "port",
      "Port to listen on; 0 picks a free one (OVERTURE_PORT, 3000; of a worker 0)",
      0,
      65_535
    ).pipe(Flag.optional),
    demo: toggle("demo", "On an empty store, make a demo workspace with a built campaign")
  },
  ({ demo, host, port }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const settings = yield* serverSettings
        yield* warnOfSecret
        const { concurrency, origins, rate, role } = settings
        if (demo && role === "worker") return yield* fail("--demo needs an API: OVERTURE_ROLE is worker")
        const address = {
          host: Option.getOrElse(host, () => settings.host),
          port: Option.getOrElse(port, () => settings.port)
        }
        const server = role === "worker" ? Probe(address) : Server({ ...address, rate, origins })
        const works = role !== "api"
        const announce = Layer.effectDiscard(
          Effect.gen(function* () {
            const address = yield* Address
            yield* (yield* Links).listening(role === "worker" ? yield* guessed(settings.host) : address)
            yield* Console.log(`Listening on ${address}`)
            yield* Effect.forkScoped(modelConnection)
            yield* Effect.addFinalizer(() => stop)
            if (demo) yield* welcome(address)
            else if (role !== "worker") yield* firstStep
          })
        )
        return yield* announce.pipe(
          Layer.provide(server.pipe(Layer.provide(limits))),
          Layer.provide(works ? sweeping : Layer.empty),
          Layer.provide([works ? BackgroundWorkers({ concurrency }) : Workers.layerNone, Readiness.layer(directory)]),
          Layer.provide([Generator.layer, RequestLogging, mailer(directory)]),
          Layer.provide(Scrape(yield* metricsPort)),
          Layer.provide(Otlp),
          Layer.provide(Measured.layer(directory)),
          Layer.provide(Checkpoints.layer),
          Layer.provide(works ? WorkerLock.layer(directory) : Layer.empty),
          Layer.launch,
          // The command line prints one line; the log gets the stack.
          Effect.tapCause((cause) => (Cause.hasDies(cause) ? Effect.logError("The server broke", cause) : Effect.void)),
          Effect.catchTag("ServeError", ({ cause }) => {
            const reason = cause instanceof Error ? cause.message : String(cause)
            const taken = reason.includes("EADDRINUSE")
            return fail(`Cannot listen: ${reason}${taken ? "; --port or OVERTURE_PORT takes another port" : ""}`)
          })
        )
      }),
      { creates: true }
    )
).pipe(
  Command.withDescription("Answer requests and do the background work, or one of both (OVERTURE_ROLE)"),
  withEnvironment(settings)
)
