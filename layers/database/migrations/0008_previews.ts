// layers/database/migrations/0008_previews.ts: previews, and the job that answers the request of an Idempotency-Key.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE previews (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id ${text} NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      job ${text} NOT NULL,
      status ${text} NOT NULL,
      credits_charged ${integer} NOT NULL,
      request ${text} NOT NULL,
      answer ${text},
      error ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX previews_by_campaign ON previews (campaign_id)`
  yield* sql`CREATE INDEX previews_by_job ON previews (job)`
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN job ${text}`
  yield* sql`CREATE INDEX idempotency_keys_by_job ON idempotency_keys (job)`
})
