// scripts/chaos/WaitUntilIdle.ts: waits until the server has no work left after all faults have ended.
import { Console, Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import type { Environment } from "./Environment.ts"

/** Longer than any wait of the server: a model's attempt, the open circuit breaker, a lease. */
const maxWaitMillis = 150_000

export const query = <A extends object>({ disk }: Environment, sql: string): ReadonlyArray<A> => {
  const db = new DatabaseSync(`${disk.data}/overture.db`, { readOnly: true, timeout: 5000 })
  try {
    return db.prepare(sql).all() as ReadonlyArray<object> as ReadonlyArray<A>
  } finally {
    db.close()
  }
}

interface Remaining {
  readonly what: string
  readonly list: string | null
  readonly workspace_id: string
  readonly status: string
}

/** Pending lists whose campaign was deleted stay pending for ever, so they do not count. */
const remainingWork = `
  SELECT 'list' AS what, id AS list, workspace_id, processing_status AS status FROM lists
  WHERE processing_status IN ('processing', 'in_progress') OR (processing_status = 'pending' AND campaign_id IS NOT NULL)
  UNION ALL
  SELECT 'job ' || type, NULL, workspace_id, status FROM jobs WHERE status IN ('waiting', 'pending', 'processing')`

export const waitUntilIdle = (environment: Environment) =>
  Effect.gen(function* () {
    const { findings, workspaces } = environment
    const startedAt = performance.now()
    const deadline = startedAt + maxWaitMillis
    for (let rounds = 0; ; rounds++) {
      const remaining = query<Remaining>(environment, remainingWork)
      if (remaining.length === 0) break
      if (performance.now() > deadline) {
        const examples = remaining.slice(0, 5).map(({ status, what }) => `${what} ${status}`)
        findings.report(
          `Work stands still, ${maxWaitMillis / 1000} s after the last fault: ${remaining.length} left: ${examples.join(", ")}`
        )
        break
      }
      if (rounds % 80 === 79) {
        const examples = remaining.slice(0, 5).map(({ status, what }) => `${what} ${status}`)
        yield* Console.log(`  still waiting for ${remaining.length}: ${examples.join(", ")}`)
      }
      if (rounds % 8 === 0) {
        for (const { list, status, workspace_id } of remaining) {
          if (list === null || status !== "pending") continue
          findings.count("resumed lists")
          yield* workspaces.find(({ id }) => id === workspace_id)?.send("POST", `/lists/${list}`) ?? Effect.void
        }
      }
      yield* Effect.sleep(250)
    }
    findings.recordMax("longest wait for all work to be done, ms", performance.now() - startedAt)
  })
