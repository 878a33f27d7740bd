// layers/threads/StartThread.ts: parts of the program that run beside its main thread. Whatever ends one of them, the process
// lives.
import { getAsset, isSea } from "node:sea"
import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads"
import type { CompanyQuestion } from "#layers/enrichment/SiteFacts.ts"
import type { LeadFileQuestion } from "#layers/lead-files/ReadLeadFile.ts"
import type { ReadRequest } from "#layers/research/ReadSource.ts"

/** In a checkout; inside of the single executable, which has no files, they are assets of these names. */
const entryFiles = { thread: "./thread-main.ts", checkpointer: "../database/sqlite/checkpointer.ts" }

/** Starts one without the environment and the flags of the process: settings and secrets are no business of its own. */
export const startThread = (
  part: keyof typeof entryFiles,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits" | "stdout" | "stderr">
) => {
  const closed = { ...options, env: {}, execArgv: [] }
  return isSea()
    ? new Worker(getAsset(part, "utf8"), { ...closed, eval: true })
    : new Worker(new URL(entryFiles[part], import.meta.url), closed)
}

/** The document that a thread reads before it ends. */
export interface ThreadWork {
  readonly question: ReadRequest | CompanyQuestion | LeadFileQuestion
}

export const startReader = (work: ThreadWork, resourceLimits: ResourceLimits) =>
  startThread("thread", { workerData: work, resourceLimits, stdout: true, stderr: true })
