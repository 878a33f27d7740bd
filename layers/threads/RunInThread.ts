// layers/threads/RunInThread.ts: has a thread of its own read a document, and ends the thread if that takes too much memory or time.
import { Context, Duration, Effect, Schema } from "effect"
import type { Worker } from "node:worker_threads"
import * as Threads from "#layers/threads/StartThread.ts"

/** The document cannot be read; the message tells its sender why. */
export class DocumentUnreadable extends Schema.TaggedError<DocumentUnreadable>()("DocumentUnreadable", {
  message: Schema.String
}) {}

/**
 * How much of a processor's time a document may take, and how long it may take at all. On a busy machine, the start of a
 * thread alone can last longer than the reading of any document should.
 */
export const ReadingTime = Context.Reference("overture/layers/threads/ReadingTime", {
  defaultValue: () => ({ work: Duration.seconds(30), atMost: Duration.minutes(2) })
})

const threadLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }
/** Bytes that a thread may hold outside of its heap, where no limit of Node's reaches. */
const maxExternalMemory = 256 * 1024 * 1024

export const unreadable = (message: string) => Effect.fail(new DocumentUnreadable({ message }))
const outOfMemory = unreadable("The document takes more memory to read than a document should")

/** Logged without its message, which may quote the document. */
const threadCrashed = ({ code, name }: NodeJS.ErrnoException) =>
  Effect.andThen(
    Effect.logError("A document ended the thread that read it", { error: name, code }),
    unreadable("The document stopped its reader")
  )

const awaitReply = <R>(thread: Worker) =>
  Effect.callback<R, DocumentUnreadable>((resume) => {
    thread.once("message", (reply: R) => resume(Effect.succeed(reply)))
    thread.once("error", (error: NodeJS.ErrnoException) =>
      resume(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory : threadCrashed(error))
    )
    thread.once("exit", () => resume(unreadable("The document stopped its reader")))
  })

const timedOut = (time: Duration.Duration) =>
  unreadable(`The document could not be read within ${Duration.toSeconds(time)} seconds`)

/** Fails once the thread holds too much, since a parser inflates data outside of its heap, or has worked for too long. */
const watchLimits = (thread: Worker, work: Duration.Duration) =>
  Effect.tryPromise(() => Promise.all([thread.getHeapStatistics(), thread.cpuUsage()])).pipe(
    Effect.flatMap(([{ external_memory }, { system, user }]) => {
      if (external_memory > maxExternalMemory) return outOfMemory
      return (user + system) / 1000 > Duration.toMillis(work) ? timedOut(work) : Effect.void
    }),
    // A thread that is not up yet, or has ended, tells nothing.
    Effect.catchTag("UnknownError", () => Effect.void),
    Effect.delay("50 millis"),
    Effect.forever
  )

/** Asks a thread of its own, which is gone when the answer is there, or the asker is. */
export const runInThread = <R>(question: Threads.ThreadWork["question"]) =>
  Effect.flatMap(ReadingTime, ({ atMost, work }) =>
    Effect.acquireUseRelease(
      Effect.sync(() => Threads.startReader({ question }, threadLimits)),
      (thread) => Effect.raceFirst(awaitReply<R>(thread), watchLimits(thread, work)),
      (thread) => Effect.promise(() => thread.terminate())
    ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => timedOut(atMost) }))
  )
