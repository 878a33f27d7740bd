// layers/research/thread.ts: the thread that reads one document and ends. Whatever a file does to its parser, it does here.
import { parentPort, workerData } from "node:worker_threads"
import { answer } from "#layers/research/Read.ts"

// A parser may leave a promise behind that nobody awaits, and that would end the thread before it has answered.
process.on("unhandledRejection", () => undefined)

parentPort?.postMessage(await answer(workerData))
