// layers/threads/StartThread.ts: starts worker threads. A crash of a thread does not end the process.
import { getAsset, isSea } from "node:sea"
import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads"
import type { CompanyQuestion } from "#layers/enrichment/SiteFacts.ts"
import type { LeadFileQuestion } from "#layers/lead-files/ReadLeadFile.ts"
import type { ReadRequest } from "#layers/research/ReadSource.ts"

const entryFiles = { thread: "./thread-main.ts", checkpointer: "../database/sqlite/checkpointer.ts" }

/** The file of a part: a source file, or a file of the bundle beside this one. The executable has assets instead. */
const entryUrl = (part: keyof typeof entryFiles) =>
  new URL(import.meta.url.endsWith(".mjs") ? `./${part}.mjs` : entryFiles[part], import.meta.url)

/** Starts a thread without the environment and flags of the process, so that it has no access to settings and secrets. */
export const startThread = (
  part: keyof typeof entryFiles,
  options: Pick<WorkerOptions, "workerData" | "transferList" | "resourceLimits" | "stdout" | "stderr">
) => {
  const threadOptions = { ...options, env: {}, execArgv: [] }
  return isSea()
    ? new Worker(getAsset(part, "utf8"), { ...threadOptions, eval: true })
    : new Worker(entryUrl(part), threadOptions)
}

/** The document to read; the thread ends afterwards. */
export interface ThreadWork {
  readonly question: ReadRequest | CompanyQuestion | LeadFileQuestion
}

/** Starts a thread that reads a document. Moves the buffers to the thread instead of copying them; they are empty afterwards. */
export const startReader = (work: ThreadWork, resourceLimits: ResourceLimits, moved: ReadonlyArray<ArrayBuffer>) =>
  startThread("thread", { workerData: work, transferList: [...moved], resourceLimits, stdout: true, stderr: true })
