// src/commands/Serve.ts: runs the server: API, workers, or both in one process, until a signal stops it.
import { Generator } from "#layers/Generator.ts"
import * as Checkpoints from "#layers/database/sqlite/Checkpoints.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { Cause, Console, Duration, Effect, Layer, Option, Redacted, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import { removeOrphans } from "#layers/Files.ts"
import { FirstRun } from "#layers/FirstRun.ts"
import { Workers } from "#layers/queue/Worker.ts"
import { Links } from "#layers/Links.ts"
import { Model } from "#layers/Model.ts"
import { describeServer, type FoundServer } from "#layers/model/LocalServers.ts"
import { minContext } from "#layers/model/ContextSize.ts"
import { Readiness } from "#layers/operations/Readiness.ts"
import { firstRunAddress } from "#layers/SignInMail.ts"
import { Prices } from "#layers/lists/Usage.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { userError, withEnvironment } from "#src/commands/Output.ts"
import { withStore } from "#src/commands/Store.ts"
import { reachableAddress, printWelcome } from "#src/Demo.ts"
import { ProbeServer, Server } from "#src/http/server/Server.ts"
import { RequestLogging } from "#src/logging.ts"
import { defaultPort, configuredSecret, minSecretLength, publicUrl, serverSettings, settings } from "#src/settings.ts"
import { Price, pricesOf } from "#src/settings/ModelServer.ts"
import { leadConcurrency, rateLimiterLayer, mailerLayer } from "#src/settings/Services.ts"
import { metricsPort } from "#src/settings/Telemetry.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { MeasuredMetrics } from "#src/telemetry/MeasuredMetrics.ts"
import { Otlp } from "#src/telemetry/Otlp.ts"
import { Scrape } from "#src/telemetry/Scrape.ts"
import { ListProgress } from "#layers/lists/ListProgress.ts"
import { Listener } from "#src/http/server/Listener.ts"

/** How long open requests may take during shutdown. */
const grace = Duration.seconds(20)

/** How long a load balancer may take to notice that the server is not ready. */
const drainNotice = Duration.seconds(5)

/** Time limit for requeueing jobs, which a stalled mail server could delay. */
const requeueLimit = Duration.seconds(2)

/** Shuts the server down in order. Runs when its scope closes. */
const shutDown = Effect.gen(function* () {
  const listener = yield* Listener
  const readiness = yield* Readiness
  const workers = yield* Workers
  const watchers = yield* ListProgress
  yield* Effect.logInfo("Stopping")
  const limit = Duration.sum(grace, Duration.times(requeueLimit, 2))
  // Exits at the limit even if work remains, because a supervisor is waiting. The database is always consistent.
  yield* Effect.sync(() => void setTimeout(() => process.exit(0), Duration.toMillis(limit)).unref())

  yield* workers.drain
  yield* watchers.close
  yield* listener.release
  const drainTime = (yield* readiness.drain) ? drainNotice : Duration.zero
  yield* Effect.sleep(drainTime)
  yield* Effect.timeoutOption(listener.drain, Duration.subtract(grace, drainTime))
  yield* Effect.timeoutOption(workers.stop, requeueLimit)
})

/** With a guessed secret, anyone could sign links to everything. */
const warnOfShortSecret = Effect.gen(function* () {
  const secret = yield* configuredSecret
  if (secret === undefined || Redacted.value(secret).length >= minSecretLength) return
  yield* Effect.logWarning(
    `OVERTURE_SECRET has fewer than ${minSecretLength} characters, and links that are signed by it may be forged; take what openssl rand -hex 32 prints`
  )
})

/** Guesses the address of the API, for links in a worker's mails. */
const guessAddress = Effect.fnUntraced(function* (host: string) {
  const url = `http://${host}:${defaultPort}`
  if ((yield* publicUrl) === undefined) {
    yield* Effect.logWarning(`OVERTURE_PUBLIC_URL is not set: links in the mails of this worker lead to ${url}`)
  }
  return url
})

/** Prints the settings that make a model of this machine write. No text is sent to it before they are set. */
const offerModelServer = (server: FoundServer) =>
  server.settings.length === 0
    ? Effect.void
    : Console.log(
        [
          `${describeServer(server)}. To let a model write, stop the server, add this to the .env of its data directory, and start it again:`,
          ...server.settings.map((line) => `  ${line}`)
        ].join("\n")
      )

/** Prints the next step if the server has no workspace yet: the only link to the page that makes one. */
const printFirstStep = Effect.gen(function* () {
  const firstRun = yield* FirstRun
  const link = yield* firstRun.link
  if (Option.isNone(link)) return
  const address = reachableAddress(yield* (yield* Links).baseUrl)
  yield* Console.log(
    [
      "No workspace yet. Open this link to make one and see three emails; it works once, within 24 hours:",
      firstRunAddress(address, link.value.token),
      "Or on the command line: overture workspace create --name NAME --owner-email EMAIL"
    ].join("\n")
  )
  // In the background, because a model server may start slowly, or as slowly as this one while a machine is busy.
  const usableServers = Effect.repeat(firstRun.modelServers, {
    schedule: Schedule.spaced("5 seconds"),
    times: 12,
    until: (servers) => servers.some(({ settings }) => settings.length > 0)
  })
  yield* Effect.forkScoped(Effect.flatMap(usableServers, Effect.forEach(offerModelServer)))
}).pipe(Effect.ignore)

/** Logs that the model can be used; the probe itself logs a problem. The server starts in both cases. */
const logModelConnection = Effect.gen(function* () {
  const model = yield* Model
  if (model === undefined || (yield* model.probe({ sendsPrompt: false })) !== null) return
  yield* Effect.logInfo(`The model server answers; ${model.name} writes`)
  const { context } = model.serverInfo()
  if (context === undefined || context >= minContext) return
  yield* Effect.logWarning(
    `The model has a context of ${context} tokens, which is too small for most prompts: ${minContext} or more are needed`
  )
}).pipe(Effect.catchCause((cause) => Effect.logWarning("The model could not be probed", cause)))

const listeningAddress = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  return HttpServer.formatAddress(address)
})

const price = (name: string, description: string) =>
  Flag.Finite(name).pipe(
    Flag.withSchema(Price),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

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
    priceIn: price("price-in", "Price of a million input tokens (OVERTURE_PRICE_IN)"),
    priceOut: price("price-out", "Price of a million output tokens (OVERTURE_PRICE_OUT)"),
    demo: toggle("demo", "On an empty store, make a demo workspace with a built campaign")
  },
  ({ demo, host, port, priceIn, priceOut }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const settings = yield* serverSettings
        yield* warnOfShortSecret
        const { origins, rate, role } = settings
        const concurrency = yield* leadConcurrency
        if (demo && role === "worker") return yield* userError("--demo needs an API: OVERTURE_ROLE is worker")
        const address = {
          host: Option.getOrElse(host, () => settings.host),
          port: Option.getOrElse(port, () => settings.port)
        }
        const server = role === "worker" ? ProbeServer(address) : Server({ ...address, rate, origins })
        const runsWorkers = role !== "api"
        const announce = Layer.effectDiscard(
          Effect.gen(function* () {
            const address = yield* listeningAddress
            yield* (yield* Links).setListeningUrl(role === "worker" ? yield* guessAddress(settings.host) : address)
            yield* Console.log(`Listening on ${address}`)
            yield* Effect.forkScoped(logModelConnection)
            yield* Effect.addFinalizer(() => shutDown)
            if (demo) yield* printWelcome(address)
            else if (role !== "worker") yield* printFirstStep
          })
        )
        return yield* announce.pipe(
          Layer.provide(server.pipe(Layer.provide(rateLimiterLayer))),
          Layer.provide(runsWorkers ? removeOrphans : Layer.empty),
          Layer.provide([
            runsWorkers ? BackgroundWorkers({ concurrency }) : Workers.layerNone,
            Readiness.layer(directory)
          ]),
          Layer.provide([Generator.layer, RequestLogging, mailerLayer(directory)]),
          Layer.provide(Layer.succeed(Prices, yield* pricesOf({ input: priceIn, output: priceOut }))),
          Layer.provide(Scrape(yield* metricsPort)),
          Layer.provide(Otlp),
          Layer.provide(MeasuredMetrics.layer(directory)),
          Layer.provide(Checkpoints.layer),
          Layer.provide(runsWorkers ? WorkerLock.layer(directory) : Layer.empty),
          Layer.launch,
          // The CLI prints one line; the log has the stack.
          Effect.tapCause((cause) =>
            Cause.hasDies(cause) ? Effect.logError("The server failed", cause) : Effect.void
          ),
          Effect.catchTag("ServeError", ({ cause }) => {
            const reason = cause instanceof Error ? cause.message : String(cause)
            const isPortTaken = reason.includes("EADDRINUSE")
            return userError(
              `Cannot listen: ${reason}${isPortTaken ? "; --port or OVERTURE_PORT takes another port" : ""}`
            )
          })
        )
      }),
      { creates: true }
    )
).pipe(withEnvironment(settings))
