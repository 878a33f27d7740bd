// layers/lists/OpenLeads.ts: how many open leads of the lists that match a filter are suppressed, so that there is nothing to
// review.
import { Array as Arr, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { leadsWithReviews } from "#layers/lists/LeadQueries.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/**
 * The most written leads that a request looks through. The suppression list has domains and companies, so no index finds the
 * leads that it suppresses.
 */
const maxLeads = 5000

/** The most lists that a request looks through. */
const maxLists = 500

const listsPerStatement = 10

/** Counts the suppressed leads among the `open` ones; undefined if the newest lists do not have all of these. */
export const makeCountOpenSuppressed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const leadsTable = sql.literal(leadsWithReviews)

  /** The newest lists with written leads that match, as many as may be looked through. */
  const findNewestLists = Effect.fnUntraced(function* (conditions: ReadonlyArray<Statement.Fragment>) {
    const lists = yield* sql<{ readonly id: string; readonly leads_done: number }>`
      SELECT id, leads_done FROM lists WHERE ${sql.and(conditions)} AND leads_done > 0
      ORDER BY created_at DESC, id LIMIT ${sql.literal(String(maxLists))}`
    let leads = 0
    return Arr.takeWhile(lists, ({ leads_done }) => (leads += leads_done) <= maxLeads)
  })

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    open: number,
    /** The conditions on `lists`, the workspace among them. */
    listConditions: ReadonlyArray<Statement.Fragment>
  ) {
    if (open === 0 || (yield* suppressions.isEmpty(workspace))) return 0
    if (open > maxLeads) return undefined
    let [found, suppressed] = [0, 0]
    for (const lists of Arr.chunksOf(yield* findNewestLists(listConditions), listsPerStatement)) {
      const leads = yield* sql<{ readonly email: string; readonly company: string | null }>`
        SELECT leads.email, leads.company FROM ${leadsTable}
        WHERE leads.workspace_id = ${workspace} AND ${sql.in(
          "leads.list_id",
          lists.map(({ id }) => id)
        )} AND leads.severity IS NOT NULL AND COALESCE(r.review, 'open') = 'open'`
      const reasons = yield* suppressions.findReasons(workspace, leads)
      found += leads.length
      suppressed += reasons.filter((reason) => reason !== undefined).length
      if (found >= open) return suppressed
      yield* Effect.yieldNow
    }
    return undefined
  }, Effect.orDie)
})
