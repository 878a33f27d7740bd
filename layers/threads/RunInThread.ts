// layers/threads/RunInThread.ts: reads a document in a worker thread, which is terminated at a limit of memory or time.
import { Context, Duration, Effect, Schema } from "effect"
import type { Worker } from "node:worker_threads"
import * as Threads from "#layers/threads/StartThread.ts"

/** The document cannot be read. The message gives the reason for its sender. */
export class DocumentUnreadable extends Schema.TaggedError<DocumentUnreadable>()("DocumentUnreadable", {
  message: Schema.String
}) {}

/**
 * Limits for reading a document. The total time is much longer than the CPU time, because starting a thread on a busy
 * machine can take longer than reading a document.
 */
export const ReadingTime = Context.Reference("overture/layers/threads/ReadingTime", {
  defaultValue: () => ({ cpuTime: Duration.seconds(30), totalTime: Duration.minutes(2) })
})

const threadLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }
/** Bytes that a thread may hold outside its heap, which Node's resource limits do not cover. */
const maxExternalBytes = 256 * 1024 * 1024

export const unreadable = (message: string) => Effect.fail(new DocumentUnreadable({ message }))
const outOfMemory = unreadable("The document takes more memory to read than a document should")

/** Logs no message, because it may quote the document. */
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

const failTimedOut = (time: Duration.Duration) =>
  unreadable(`The document could not be read within ${Duration.toSeconds(time)} seconds`)

/**
 * Fails when the thread holds too much memory outside its heap, where parsers inflate data, or has used its CPU time.
 */
const watchLimits = (thread: Worker, cpuTime: Duration.Duration) =>
  Effect.tryPromise(() => Promise.all([thread.getHeapStatistics(), thread.cpuUsage()])).pipe(
    Effect.flatMap(([{ external_memory }, { system, user }]) => {
      if (external_memory > maxExternalBytes) return outOfMemory
      return (user + system) / 1000 > Duration.toMillis(cpuTime) ? failTimedOut(cpuTime) : Effect.void
    }),
    // A thread that is starting or has ended reports nothing.
    Effect.catchTag("UnknownError", () => Effect.void),
    Effect.delay("50 millis"),
    Effect.forever
  )

/**
 * Runs one question in a new thread, which is terminated after the answer or an interruption. Large buffers of the
 * question can be moved to the thread.
 */
export const runInThread = <R>(question: Threads.ThreadWork["question"], moved: ReadonlyArray<ArrayBuffer> = []) =>
  Effect.flatMap(ReadingTime, ({ cpuTime, totalTime }) =>
    Effect.acquireUseRelease(
      Effect.sync(() => Threads.startReader({ question }, threadLimits, moved)),
      (thread) => Effect.raceFirst(awaitReply<R>(thread), watchLimits(thread, cpuTime)),
      (thread) => Effect.promise(() => thread.terminate())
    ).pipe(Effect.timeoutOrElse({ duration: totalTime, orElse: () => failTimedOut(totalTime) }))
  )
