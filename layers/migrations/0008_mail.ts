// layers/migrations/0008_mail.ts: whom a batch list tells when it is finished. Lists that were finished before stay silent.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE lists ADD COLUMN recipient TEXT`
  yield* sql`
    UPDATE lists SET recipient = COALESCE(
      json_extract(options, '$.notification_email'),
      (SELECT owner_email FROM workspaces w WHERE w.id = lists.workspace_id))
    WHERE kind = 'batch' AND processing_status NOT IN ('completed', 'failed')`
})
