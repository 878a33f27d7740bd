// layers/thread.ts: where every thread of the program starts: one file, so that a bundle has one to add.
import { parentPort, workerData } from "node:worker_threads"
import type { Work } from "#layers/Threads.ts"

const work: Work = workerData

if (work.kind === "read") {
  // A parser may leave a promise behind that nobody awaits, and that would end the thread before it has answered.
  process.on("unhandledRejection", () => undefined)
  const { answer } = await import("#layers/research/Read.ts")
  parentPort?.postMessage(await answer(work.question))
} else {
  const { scribe } = await import("#layers/generator/builtin/Scribe.ts")
  const write = scribe()
  parentPort?.on("message", (order) => parentPort?.postMessage(write(order)))
}
