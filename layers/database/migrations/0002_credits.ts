// layers/database/migrations/0002_credits.ts: plans, the ledger, and credits held for unfinished work.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE credit_accounts (
      workspace_id ${text} PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      tier ${text} NOT NULL,
      is_unlimited ${integer} NOT NULL,
      custom_credits_limit ${integer},
      campaign_build_limit ${integer},
      payg_eligible ${integer} NOT NULL,
      payg_enabled ${integer} NOT NULL,
      payg_cap_cents ${integer} NOT NULL,
      anchor_day ${integer} NOT NULL,
      period_start ${text} NOT NULL,
      period_end ${text} NOT NULL,
      monthly_allocated ${integer} NOT NULL,
      monthly ${integer} NOT NULL CHECK (monthly >= 0),
      rollover ${integer} NOT NULL CHECK (rollover >= 0),
      addon ${integer} NOT NULL CHECK (addon >= 0),
      held ${integer} NOT NULL CHECK (held >= 0),
      payg_used ${integer} NOT NULL,
      used_period ${integer} NOT NULL,
      used_total ${integer} NOT NULL,
      builds_used ${integer} NOT NULL
    ) ${strict}`
  // No foreign key, because the ledger outlives its workspace.
  yield* sql`
    CREATE TABLE credit_entries (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL,
      at ${text} NOT NULL,
      bucket ${text} NOT NULL,
      amount ${integer} NOT NULL,
      kind ${text} NOT NULL,
      ref ${text},
      note ${text},
      operation ${text} NOT NULL,
      UNIQUE (workspace_id, operation)
    ) ${strict}`
  yield* sql`CREATE INDEX credit_entries_in_order ON credit_entries (workspace_id, at, id)`
  yield* sql`
    CREATE TABLE credit_holds (
      owner ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      amount ${integer} NOT NULL CHECK (amount > 0),
      created_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX credit_holds_by_workspace ON credit_holds (workspace_id)`
})
