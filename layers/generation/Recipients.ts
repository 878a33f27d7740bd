// layers/generation/Recipients.ts: limits how many people a workspace may notify by mail.
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { WorkspaceId } from "#schema/Auth.ts"
import { WorkspaceLimit } from "#schema/Errors.ts"

/** Different addresses that one workspace may notify within a day. */
const mostRecipients = 200
const aDay = Duration.toMillis("1 day")

/**
 * Limits the addresses of `notification_email`: anyone can be named there, and the mail is sent in the operator's name.
 * Addresses are stored as hashes in a table of their own, because a deleted list still counts as a mail that was sent.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (workspace: WorkspaceId, given: string | null) {
    if (given === null) return
    const at = yield* Clock.currentTimeMillis
    const digest = createHash("sha256").update(`${workspace} ${given.toLowerCase()}`).digest("hex")
    yield* sql`
      DELETE FROM recipients
      WHERE workspace_id = ${workspace} AND (named_at < ${at - aDay} OR named_at > ${at + aDay})`
    yield* sql`
      INSERT INTO recipients (workspace_id, digest, named_at) VALUES (${workspace}, ${digest}, ${at})
      ON CONFLICT (workspace_id, digest) DO UPDATE SET named_at = ${at}`
    const [row] = yield* sql<{ readonly n: number }>`
      SELECT count(*) AS n FROM recipients WHERE workspace_id = ${workspace}`
    if ((row?.n ?? 0) > mostRecipients) {
      return yield* new WorkspaceLimit({
        message: `At most ${mostRecipients} different notification_email addresses are taken in a day`
      })
    }
  })
})
