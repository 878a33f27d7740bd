// layers/lists/SharedBriefs.ts: the briefs that lists share. A brief has tens of kilobytes, and each lead that is written while the
// caller waits has its own list, so a copy per list would be most of the data stored for such a lead.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { WorkspaceId } from "#schema/Auth.ts"

/** SQL for the brief of a row of `lists`. Lists that waited for a build, and lists older than migration 0045, have their own copy. */
export const briefOfList = (sql: SqlClient.SqlClient) =>
  sql.literal(`COALESCE(lists.brief,
    (SELECT content FROM briefs WHERE briefs.id = lists.brief_id AND briefs.workspace_id = lists.workspace_id))`)

export const makeSharedBriefs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // SQLite has a single writer, so reading without a lock is enough.
  const lock = (strength: "KEY SHARE" | "UPDATE") =>
    sql.onDialectOrElse({ pg: () => sql.literal(` FOR ${strength}`), orElse: () => sql.literal("") })
  const shareLock = lock("KEY SHARE")
  const updateLock = lock("UPDATE")

  return {
    /** Stores the campaign's brief under its key, which names the build and the version of the playbook. */
    storeBrief: Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, key: string) {
      // Locked until the commit, so that deleting another list does not delete the brief meanwhile.
      const existing = yield* sql`SELECT id FROM briefs WHERE id = ${key} AND workspace_id = ${workspace}${shareLock}`
      if (existing.length > 0) return
      yield* sql`
        INSERT INTO briefs (id, workspace_id, content)
        SELECT ${key}, workspace_id, brief FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace}
        ON CONFLICT (id) DO NOTHING`
    }, Effect.orDie),

    /** Deletes the briefs of deleted lists, except those that other lists have. */
    deleteUnused: Effect.fnUntraced(function* (
      workspace: WorkspaceId,
      deletedLists: ReadonlyArray<{ readonly brief_id: string | null }>
    ) {
      for (const { brief_id } of deletedLists) {
        if (brief_id === null) continue
        yield* sql`SELECT id FROM briefs WHERE id = ${brief_id} AND workspace_id = ${workspace}${updateLock}`
        yield* sql`
          DELETE FROM briefs WHERE id = ${brief_id} AND workspace_id = ${workspace}
            AND NOT EXISTS (SELECT 1 FROM lists WHERE brief_id = ${brief_id} AND workspace_id = ${workspace})`
      }
    }, Effect.orDie)
  }
})
