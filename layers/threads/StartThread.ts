// layers/threads/StartThread.ts: parts of the program that run beside its main thread. Whatever ends one of them, the process
// lives.
import { getAsset, isSea } from "node:sea"
import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads"
import type { CompanyQuestion } from "#layers/enrichment/SiteFacts.ts"
import type { LeadFileQuestion } from "#layers/lead-files/ReadLeadFile.ts"
import type { ReadRequest } from "#layers/research/ReadSource.ts"

const entryFiles = { thread: "./thread-main.ts", checkpointer: "../database/sqlite/checkpointer.ts" }

/** The file of a part: among the sources, or beside the other files of a bundle. The executable has assets instead. */
const fileOf = (part: keyof typeof entryFiles) =>
  new URL(import.meta.url.endsWith(".mjs") ? `./${part}.mjs` : entryFiles[part], import.meta.url)

/** Starts one without the environment and the flags of the process: settings and secrets are no business of its own. */
export const startThread = (
  part: keyof typeof entryFiles,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits" | "stdout" | "stderr">
) => {
  const closed = { ...options, env: {}, execArgv: [] }
  return isSea() ? new Worker(getAsset(part, "utf8"), { ...closed, eval: true }) : new Worker(fileOf(part), closed)
}

/** The document that a thread reads before it ends. */
export interface ThreadWork {
  readonly question: ReadRequest | CompanyQuestion | LeadFileQuestion
}

export const startReader = (work: ThreadWork, resourceLimits: ResourceLimits) =>
  startThread("thread", { workerData: work, resourceLimits, stdout: true, stderr: true })
