// layers/threads/Parts.ts: the parts of the program that run beside its main thread: files of a checkout, or assets inside of the
// single executable, which has no files.
import { getAsset, isSea } from "node:sea"
import { Worker, type WorkerOptions } from "node:worker_threads"

const files = { thread: "./thread.ts", checkpointer: "../sqlite/checkpointer.ts" }

/** Starts a thread without the environment and the flags of the process: settings and secrets are no business of its own. */
export const start = (
  part: keyof typeof files,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits" | "stdout" | "stderr">
) => {
  const closed = { ...options, env: {}, execArgv: [] }
  return isSea()
    ? new Worker(getAsset(part, "utf8"), { ...closed, eval: true })
    : new Worker(new URL(files[part], import.meta.url), closed)
}
