// layers/threads/thread.ts: where every thread of the program starts: one file, so that a bundle has one to add.
import { readlinkSync } from "node:fs"
import { setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import type { Work } from "#layers/threads/Threads.ts"

const work: Work = workerData

/** Lets those go first who answer requests, where the system tells threads apart by a number of their own. */
const giveWay = () => {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), 10)
  } catch {
    // Elsewhere all are alike.
  }
}

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
    giveWay()
    parentPort?.on("message", (order) => parentPort?.postMessage(write(order)))
  }
}

void begin()
