// layers/research/thread.ts: the thread that reads one document and ends. Whatever a file does to its parser, it does here.
import { parentPort, workerData } from "node:worker_threads"
import { answer } from "#layers/research/Read.ts"

parentPort?.postMessage(await answer(workerData))
