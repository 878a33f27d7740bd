// layers/threads/thread.ts: where a thread that reads a document starts: one file, so that a bundle has one to add.
import { parentPort, workerData } from "node:worker_threads"
import type { Work } from "#layers/threads/Threads.ts"

const work: Work = workerData

/** Each kind of question loads only what it needs. */
const answered = async ({ question }: Work) => {
  if (question.kind === "company") {
    const { answerCompany } = await import("#layers/enrichment/Facts.ts")
    return answerCompany(question)
  }
  if (question.kind === "lead-file") {
    const { answerLeadFile } = await import("#layers/lead-files/Read.ts")
    return answerLeadFile(question)
  }
  const { answer } = await import("#layers/research/Read.ts")
  return answer(question)
}

/** Reads one document. Nothing is awaited at the top: the format of a bundle may not have that. */
const begin = async () => {
  // A parser may leave a promise behind that is never awaited, and that would end the thread before it has answered.
  process.on("unhandledRejection", () => undefined)
  parentPort?.postMessage(await answered(work))
}

void begin()
