// layers/threads/thread-main.ts: where a thread that reads a document starts: one file, so that a bundle has one to add.
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadWork } from "#layers/threads/StartThread.ts"

const work: ThreadWork = workerData

/** Each kind of question loads only what it needs. */
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

/** Reads one document. Nothing is awaited at the top: the format of a bundle may not have that. */
const run = async () => {
  // A parser may leave a promise behind that is never awaited, and that would end the thread before it has answered.
  process.on("unhandledRejection", () => undefined)
  parentPort?.postMessage(await answerQuestion(work))
}

void run()
