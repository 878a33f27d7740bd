// layers/threads/thread.ts: where every thread of the program starts: one file, so that a bundle has one to add.
import { parentPort, workerData } from "node:worker_threads"
import type { Work } from "#layers/threads/Threads.ts"

const work: Work = workerData

/** Each thread loads what its own work needs. Nothing is awaited at the top: the format of a bundle may not have that. */
const begin = async () => {
  if (work.kind === "read") {
    const { answer } = await import("#layers/research/Read.ts")
    // A parser may leave a promise behind that nobody awaits, and that would end the thread before it has answered.
    process.on("unhandledRejection", () => undefined)
    parentPort?.postMessage(await answer(work.question))
  } else {
    const { scribe } = await import("#layers/generator/builtin/Scribe.ts")
    const write = scribe()
    parentPort?.on("message", (order) => parentPort?.postMessage(write(order)))
  }
}

void begin()
