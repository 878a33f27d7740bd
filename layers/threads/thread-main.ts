// layers/threads/thread-main.ts: the entry point of threads that read documents; one file, so that a bundle has only
// one entry to add.
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadWork } from "#layers/threads/StartThread.ts"

const work: ThreadWork = workerData

/** Imports only the module that the question needs. */
const answerQuestion = async ({ question }: ThreadWork) => {
  if (question.kind === "company") {
    const { answerCompanyQuestion: answerCompany } = await import("#layers/enrichment/SiteFacts.ts")
    return answerCompany(question)
  }
  if (question.kind === "lead-file") {
    const { answerLeadFile } = await import("#layers/lead-files/ReadLeadFile.ts")
    return answerLeadFile(question)
  }
  const { answerReadRequest: answer } = await import("#layers/research/ReadSource.ts")
  return answer(question)
}

/** Reads one document. A function, because the bundle's format does not allow top-level await. */
const run = async () => {
  // Ignores unhandled rejections of a parser, which would end the thread before it answers.
  process.on("unhandledRejection", () => undefined)
  parentPort?.postMessage(await answerQuestion(work))
}

void run()
