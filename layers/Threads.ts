// layers/Threads.ts: threads beside the main one. Whatever ends one of them, the process lives.
import { type ResourceLimits, Worker } from "node:worker_threads"
import type { Question } from "#layers/research/Read.ts"

/** What a thread is for: to read one document and end, or to write to whichever leads it is sent. */
export type Work = { readonly kind: "read"; readonly question: Question } | { readonly kind: "write" }

export const start = (work: Work, resourceLimits: ResourceLimits) =>
  new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: work,
    resourceLimits,
    // Neither settings nor secrets are any business of theirs.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true
  })
