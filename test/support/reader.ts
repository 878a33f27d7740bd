// test/support/reader.ts: a thread that reads one document after another, for tests that send many.
import { parentPort } from "node:worker_threads"
import { answer, type Question } from "#layers/research/Read.ts"

process.on("unhandledRejection", () => undefined)

parentPort?.on("message", async (question: Question) => parentPort?.postMessage(await answer(question)))
