// src/workers/BackgroundWorkers.ts: runs all background work: jobs in lanes with a concurrency each, the renewal of billing
// periods, and the resumption of paused lists.
import { Effect, Layer, Option, Schedule } from "effect"
import * as Worker from "#layers/queue/Worker.ts"
import { batchSize } from "#layers/Lists.ts"
import { PausedLists } from "#layers/lists/PausedLists.ts"
import { Credits } from "#layers/Credits.ts"
import { Mailer } from "#layers/Mailer.ts"
import { Model } from "#layers/Model.ts"
import { ModelHealth } from "#layers/model/Health.ts"
import { buildHandlers } from "#src/workers/Build.ts"
import { legacyComparison, writeLeads, makeWriterPool } from "#src/workers/WriteLeads.ts"
import { completionMail, disabledMail } from "#src/workers/Mail.ts"
import { listFiles } from "#src/workers/ListFiles.ts"
import { documentImport, urlImport } from "#src/workers/Imports.ts"
import { onboarding } from "#src/workers/Onboarding.ts"
import { redraftPlaybook } from "#src/workers/Build.ts"
import { preview } from "#src/workers/Preview.ts"
import { deliverWebhooks } from "#src/workers/Webhooks.ts"

/** Concurrent batches: more than the leads need, so that leads are available while batches start and end. */
const batchConcurrencyFor = (writers: number) => Math.ceil(writers / batchSize) + 3

/** Concurrent mails; a slow mail server delays no other job. */
const mailConcurrency = 4
/** Concurrent previews, of five leads each; they wait only for each other. */
const previewConcurrency = 4
/** Concurrent imports. Documents are read in threads, and imports do not delay campaign builds. */
const importConcurrency = 4

/** Concurrent deliveries to webhooks, of at most 15 seconds each; workspaces take turns. */
const deliveryConcurrency = 16

/** Starts billing periods on time, so that the ledgers of unused workspaces are up to date. */
export const billingPeriods = Layer.effectDiscard(
  Effect.gen(function* () {
    const { renew } = yield* Credits
    yield* renew.pipe(
      Effect.catchCause((cause) => Effect.logError("Billing periods could not be renewed", cause)),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )
  })
)

/** Resumes the lists that an outage of the model has paused, as soon as the model answers a probe. */
const resumePausedLists = Layer.effectDiscard(
  Effect.gen(function* () {
    const health = yield* ModelHealth
    const model = yield* Model
    const paused = yield* PausedLists
    const { pollMillis } = yield* Worker.Timing

    const resumeIfAnswering = Effect.gen(function* () {
      const dueLists = yield* paused.findDue
      if (dueLists.length === 0 || !(yield* health.claimProbe)) return
      // If a resume has failed before, a completion is requested as well, because the list of models is not enough.
      const problem =
        model === undefined ? null : yield* model.probe({ sendsPrompt: dueLists.some(({ resumes }) => resumes > 0) })
      yield* health.recordProbe(problem === null)
      if (problem !== null) return
      yield* Effect.forEach(dueLists, paused.resume, { discard: true })
      yield* Effect.logInfo("Lists that waited for the model are resumed", { lists: dueLists.length })
    })

    // Probes at once, because the settings may name another server since the failure.
    yield* Effect.ignoreCause(health.makeProbeDue)
    yield* resumeIfAnswering.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Lists that wait for the model could not be resumed", cause)),
      Effect.repeat(Schedule.spaced(pollMillis)),
      Effect.forkScoped
    )
  })
)

/**
 * Runs all background jobs. Jobs that people wait for have a lane of their own, so long lists never delay them.
 * `concurrency` is the number of leads written at the same time. Without a Mailer, as in a short command, mail jobs
 * wait for a server that has one.
 */
export const BackgroundWorkers = (options: { readonly concurrency: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const batchConcurrency = batchConcurrencyFor(options.concurrency)
      const batches = yield* makeWriterPool(batchConcurrency, options.concurrency)
      const singles = yield* makeWriterPool(16, options.concurrency)
      const mailer = yield* Effect.serviceOption(Mailer)
      const mail = Option.isNone(mailer)
        ? []
        : yield* Effect.provideService(Effect.all([completionMail, disabledMail]), Mailer, mailer.value)
      const workers = Worker.layer([
        {
          handlers: [
            yield* onboarding("workspace.onboarding"),
            yield* onboarding("workspace.regenerate"),
            ...(yield* buildHandlers),
            yield* redraftPlaybook,
            yield* writeLeads("list.single", singles)
          ],
          concurrency: 16
        },
        { handlers: [yield* documentImport, yield* urlImport], concurrency: importConcurrency },
        { handlers: [yield* preview], concurrency: previewConcurrency },
        {
          handlers: [yield* writeLeads("list.batch", batches), yield* legacyComparison],
          concurrency: batchConcurrency
        },
        // One at a time, because no request waits for these jobs and each reads many rows.
        { handlers: [yield* listFiles], concurrency: 1 },
        { handlers: [yield* deliverWebhooks], concurrency: deliveryConcurrency },
        ...(mail.length === 0 ? [] : [{ handlers: mail, concurrency: mailConcurrency }])
      ])
      return Layer.mergeAll(workers, billingPeriods, resumePausedLists)
    })
  )
