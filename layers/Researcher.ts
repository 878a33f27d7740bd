// layers/Researcher.ts: reads the documents and site of a business, and returns the facts in them.
import { Context, Effect, Layer, Schema, Semaphore } from "effect"
import type { Worker } from "node:worker_threads"
import type { CompanyQuestion, CompanyReply, CompanySite } from "#layers/enrichment/Facts.ts"
import { Model } from "#layers/Model.ts"
import { found } from "#layers/research/ByModel.ts"
import type { Reading } from "#layers/research/Extract.ts"
import type { Question, Reply } from "#layers/research/Read.ts"
import * as Threads from "#layers/threads/Threads.ts"

/** The document cannot be read; the message tells its sender why. */
class DocumentUnreadable extends Schema.TaggedError<DocumentUnreadable>()("DocumentUnreadable", {
  message: Schema.String
}) {}

const patience = "30 seconds"
const threadsAtOnce = 2
const limits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }
/** Bytes that a thread may hold outside of its heap, where no limit of Node's reaches. */
const mostOutside = 256 * 1024 * 1024

const unreadable = (message: string) => Effect.fail(new DocumentUnreadable({ message }))
const tooHeavy = unreadable("The document takes more memory to read than a document should")

/** Logged without its message, which may quote the document. */
const crashed = ({ code, name }: NodeJS.ErrnoException) =>
  Effect.andThen(
    Effect.logError("A document ended the thread that read it", { error: name, code }),
    unreadable("The document stopped its reader")
  )

const replyOf = <R>(thread: Worker) =>
  Effect.callback<R, DocumentUnreadable>((resume) => {
    thread.once("message", (reply: R) => resume(Effect.succeed(reply)))
    thread.once("error", (error: NodeJS.ErrnoException) =>
      resume(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooHeavy : crashed(error))
    )
    thread.once("exit", () => resume(unreadable("The document stopped its reader")))
  })

/** Fails once the thread holds too much: a parser inflates data outside of its heap. */
const watch = (thread: Worker) =>
  Effect.tryPromise(() => thread.getHeapStatistics()).pipe(
    Effect.flatMap(({ external_memory }) => (external_memory > mostOutside ? tooHeavy : Effect.void)),
    // A thread that is not up yet, or has ended, tells nothing.
    Effect.catchTag("UnknownError", () => Effect.void),
    Effect.delay("50 millis"),
    Effect.forever
  )

/** Asks a thread of its own, which is gone when the answer is there, or the asker is. */
const ask = <R extends Reply | CompanyReply>(question: Question | CompanyQuestion) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Threads.start({ question }, limits)),
    (thread) => Effect.raceFirst(replyOf<R>(thread), watch(thread)),
    (thread) => Effect.promise(() => thread.terminate())
  ).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => unreadable(`The document could not be read within ${patience}`)
    })
  )

export class Researcher extends Context.Service<
  Researcher,
  {
    /** What another company's site says about that company, word for word. */
    readonly company: (question: CompanyQuestion) => Effect.Effect<CompanySite, DocumentUnreadable>
    /** What the document states with where each field was read and what is missing; a model, where there is one, adds to it. */
    readonly study: (question: Question) => Effect.Effect<Reading, DocumentUnreadable>
  }
>()("overture/layers/Researcher") {
  static readonly layer = Layer.effect(
    Researcher,
    Effect.gen(function* () {
      const threads = yield* Semaphore.make(threadsAtOnce)
      const model = yield* Model
      const readInThread = Effect.fnUntraced(function* (question: Question) {
        const reply = yield* threads.withPermit(ask<Reply>(question))
        return "findings" in reply ? reply : yield* unreadable(reply.unreadable)
      })
      return Researcher.of({
        company: Effect.fn("Researcher.company")(function* (question) {
          const reply = yield* threads.withPermit(ask<CompanyReply>(question))
          return "company" in reply ? reply.company : yield* unreadable(reply.unreadable)
        }),
        study: Effect.fn("Researcher.study")(function* (question) {
          const { findings, missing, own, sources, text } = yield* readInThread(question)
          if (model === undefined || text.trim() === "") return { findings, missing, own, sources }
          const more = yield* found(model, text)
          // A site is where its facts are found, whichever other addresses it names.
          const site =
            question.kind === "pages" && Object.keys(more.findings).length > 0 ? { website_url: question.site } : {}
          // Rules quote the text word for word, so their values precede those of a model.
          const all = { ...more.findings, ...site, ...findings }
          return {
            own,
            findings: all,
            sources: [...sources, ...more.sources.filter(({ field }) => !Object.hasOwn(findings, field))],
            missing: missing.filter(({ field }) => !Object.hasOwn(all, field)),
            ...(more.notice === undefined ? {} : { notice: more.notice })
          }
        })
      })
    })
  )
}
