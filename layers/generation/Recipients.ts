// layers/generation/Recipients.ts: limits how many people a workspace may notify by mail.
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { WorkspaceId } from "#schema/Auth.ts"
import { WorkspaceLimit } from "#schema/Errors.ts"

/** Different addresses that one workspace may have mail sent to within a day. */
const mostRecipients = 200
const aDay = Duration.toMillis("1 day")

/**
 * Anybody can be named as who is told: this keeps a workspace from writing to the world in the sender's name. A list that
 * is deleted is no less a mail that was sent, and so who was named is kept apart, and not by name.
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
