// scripts/chaos/Rest.ts: waits until the server has done all there is to do, with every fault over.
import { Console, Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import type { World } from "./World.ts"

/** Longer than any pause that the server makes: a model's attempt, the breaker's rest, a lease. */
const longest = 150_000

export const query = <A extends object>({ disk }: World, sql: string): ReadonlyArray<A> => {
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

/** Lists that rest because their campaign is gone rest for ever. */
const left = `
  SELECT 'list' AS what, id AS list, workspace_id, processing_status AS status FROM lists
  WHERE processing_status IN ('processing', 'in_progress') OR (processing_status = 'pending' AND campaign_id IS NOT NULL)
  UNION ALL
  SELECT 'job ' || type, NULL, workspace_id, status FROM jobs WHERE status IN ('waiting', 'pending', 'processing')`

export const settled = (world: World) =>
  Effect.gen(function* () {
    const { findings, workspaces } = world
    const from = performance.now()
    const end = from + longest
    for (let rounds = 0; ; rounds++) {
      const all = query<Remaining>(world, left)
      if (all.length === 0) break
      if (performance.now() > end) {
        const some = all.slice(0, 5).map(({ status, what }) => `${what} ${status}`)
        findings.broken(
          `Work stands still, ${longest / 1000} s after the last fault: ${all.length} left: ${some.join(", ")}`
        )
        break
      }
      if (rounds % 80 === 79) {
        const some = all.slice(0, 5).map(({ status, what }) => `${what} ${status}`)
        yield* Console.log(`  still waiting for ${all.length}: ${some.join(", ")}`)
      }
      if (rounds % 8 === 0) {
        for (const { list, status, workspace_id } of all) {
          if (list === null || status !== "pending") continue
          findings.count("resumed lists")
          yield* workspaces.find(({ id }) => id === workspace_id)?.send("POST", `/lists/${list}`) ?? Effect.void
        }
      }
      yield* Effect.sleep(250)
    }
    findings.most("longest wait for all work to be done, ms", performance.now() - from)
  })
