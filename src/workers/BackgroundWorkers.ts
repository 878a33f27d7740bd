// src/workers/BackgroundWorkers.ts: all background work, sorted into lanes.
import { Effect, Layer, Option, Schedule } from "effect"
import * as Worker from "#layers/queue/Worker.ts"
import { batchSize } from "#layers/lists/Accept.ts"
import { PausedLists } from "#layers/lists/Paused.ts"
import { Credits } from "#layers/Credits.ts"
import { Mailer } from "#layers/Mailer.ts"
import { Model } from "#layers/Model.ts"
import { ModelHealth } from "#layers/model/Health.ts"
import { build } from "#src/workers/Build.ts"
import * as WriterPool from "#src/workers/WriterPool.ts"
import { comparison, leads } from "#src/workers/Leads.ts"
import { completion } from "#src/workers/Mail.ts"
import { listFiles } from "#src/workers/ListFiles.ts"
import { documentImport, urlImport } from "#src/workers/Imports.ts"
import { onboarding } from "#src/workers/Onboarding.ts"
import { playbook } from "#src/workers/Playbook.ts"
import { preview } from "#src/workers/Preview.ts"

/** Batches of leads in work at once: more than the writers need, which keeps them busy while others begin and end. */
const batchesAtOnce = (writers: number) => Math.ceil(writers / batchSize) + 3

/** Mails on their way at once; a slow mail server holds up nothing else. */
const mailsAtOnce = 4
/** Previews in work at once, five leads each; they wait for each other and for nothing else. */
const previewsAtOnce = 4
/** Imports in work at once; reading waits for its own threads, and never holds up those who build. */
const importsAtOnce = 4

/** Starts billing periods on time, so that the ledger of an unused workspace is right too. */
export const periods = Layer.effectDiscard(
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
const resuming = Layer.effectDiscard(
  Effect.gen(function* () {
    const health = yield* ModelHealth
    const model = yield* Model
    const paused = yield* PausedLists
    const { pollMillis } = yield* Worker.Timing

    const round = Effect.gen(function* () {
      const due = yield* paused.due
      if (due.length === 0 || !(yield* health.claimProbe)) return
      // A model that lists itself and yet writes nothing is asked for a word before more is tried.
      const problem = model === undefined ? null : yield* model.probe({ asks: due.some(({ resumes }) => resumes > 0) })
      yield* health.probed(problem === null)
      if (problem !== null) return
      yield* Effect.forEach(due, paused.resume, { discard: true })
      yield* Effect.logInfo("Lists that waited for the model are resumed", { lists: due.length })
    })

    // What is set may be another server than the one that failed.
    yield* Effect.ignoreCause(health.expect)
    yield* round.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Lists that wait for the model could not be resumed", cause)),
      Effect.repeat(Schedule.spaced(pollMillis)),
      Effect.forkScoped
    )
  })
)

/**
 * Works on everything there is to do. People wait for what is in the first lane, so a long list in the second never
 * stands in its way. `concurrency` is the number of leads written at once. Without a Mailer, as in a command that runs
 * for a moment and serves no links, mail waits in the store for a server that has one.
 */
export const BackgroundWorkers = (options: { readonly concurrency: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const most = batchesAtOnce(options.concurrency)
      const batches = yield* WriterPool.make(most, options.concurrency)
      const singles = yield* WriterPool.make(16, options.concurrency)
      const mailer = yield* Effect.serviceOption(Mailer)
      const mail = Option.isNone(mailer) ? [] : [yield* Effect.provideService(completion, Mailer, mailer.value)]
      const workers = Worker.layer([
        {
          handlers: [
            yield* onboarding("workspace.onboarding"),
            yield* onboarding("workspace.regenerate"),
            ...(yield* build),
            yield* playbook,
            yield* leads("list.single", singles)
          ],
          concurrency: 16
        },
        { handlers: [yield* documentImport, yield* urlImport], concurrency: importsAtOnce },
        { handlers: [yield* preview], concurrency: previewsAtOnce },
        { handlers: [yield* leads("list.batch", batches), yield* comparison], concurrency: most },
        // One after the other: no request waits for them, and each reads much.
        { handlers: [yield* listFiles], concurrency: 1 },
        ...(mail.length === 0 ? [] : [{ handlers: mail, concurrency: mailsAtOnce }])
      ])
      return Layer.mergeAll(workers, periods, resuming)
    })
  )
