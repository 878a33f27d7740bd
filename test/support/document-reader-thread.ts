// test/support/document-reader-thread.ts: a worker thread that reads documents, for tests that send many.
import { parentPort } from "node:worker_threads"
import { answerReadRequest, type ReadRequest } from "#layers/research/ReadSource.ts"

process.on("unhandledRejection", () => undefined)

parentPort?.on("message", async (question: ReadRequest) => parentPort?.postMessage(await answerReadRequest(question)))
