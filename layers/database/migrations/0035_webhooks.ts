// layers/database/migrations/0035_webhooks.ts: webhooks and their deliveries.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  // `secrets` is newest first; older ones also sign until their expiry. Expiries and `failing_since` are epoch
  // milliseconds.
  yield* sql`
    CREATE TABLE webhooks (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      url ${text} NOT NULL,
      events ${text} NOT NULL,
      description ${text},
      enabled ${integer} NOT NULL,
      include_content ${integer} NOT NULL,
      secrets ${text} NOT NULL,
      disabled_reason ${text},
      failing_since ${integer},
      failed_attempts ${integer} NOT NULL,
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, created_at DESC, id)`
  // `job` is the job that sends the delivery; a pending delivery always has one.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      webhook_id ${text} NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      event_id ${text} NOT NULL,
      type ${text} NOT NULL,
      lead_id ${text},
      payload ${text} NOT NULL,
      status ${text} NOT NULL,
      job ${text} NOT NULL,
      attempts ${integer} NOT NULL,
      response_code ${integer},
      response ${text},
      error ${text},
      next_attempt_at ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at DESC, id)`
  yield* sql`CREATE INDEX webhook_deliveries_by_lead ON webhook_deliveries (lead_id) WHERE lead_id IS NOT NULL`
})
