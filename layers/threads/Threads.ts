// layers/threads/Threads.ts: threads beside the main one. Whatever ends one of them, the process lives.
import type { ResourceLimits } from "node:worker_threads"
import * as Parts from "#layers/threads/Parts.ts"
import type { Question } from "#layers/research/Read.ts"

/** What a thread is for: to read one document and end, or to write to whichever leads it is sent. */
export type Work = { readonly kind: "read"; readonly question: Question } | { readonly kind: "write" }

export const start = (work: Work, resourceLimits: ResourceLimits) =>
  Parts.start("thread", { workerData: work, resourceLimits, stdout: true, stderr: true })
