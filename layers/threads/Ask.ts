// layers/threads/Ask.ts: has a thread of its own read a document, and ends the thread if that takes too much memory or time.
import { Effect, Schema } from "effect"
import type { Worker } from "node:worker_threads"
import * as Threads from "#layers/threads/Threads.ts"

/** The document cannot be read; the message tells its sender why. */
export class DocumentUnreadable extends Schema.TaggedError<DocumentUnreadable>()("DocumentUnreadable", {
  message: Schema.String
}) {}

const patience = "30 seconds"
const limits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }
/** Bytes that a thread may hold outside of its heap, where no limit of Node's reaches. */
const mostOutside = 256 * 1024 * 1024

export const unreadable = (message: string) => Effect.fail(new DocumentUnreadable({ message }))
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
export const ask = <R>(question: Threads.Work["question"]) =>
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
