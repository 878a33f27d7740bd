// layers/database/migrations/0002_credits.ts: plans, the ledger, and credits held for unfinished work.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE credit_accounts (
      workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      tier TEXT NOT NULL,
      is_unlimited INTEGER NOT NULL,
      custom_credits_limit INTEGER,
      campaign_build_limit INTEGER,
      payg_eligible INTEGER NOT NULL,
      payg_enabled INTEGER NOT NULL,
      payg_cap_cents INTEGER NOT NULL,
      anchor_day INTEGER NOT NULL,
      period_start TEXT NOT NULL,
      period_end TEXT NOT NULL,
      monthly_allocated INTEGER NOT NULL,
      monthly INTEGER NOT NULL CHECK (monthly >= 0),
      rollover INTEGER NOT NULL CHECK (rollover >= 0),
      addon INTEGER NOT NULL CHECK (addon >= 0),
      held INTEGER NOT NULL CHECK (held >= 0),
      payg_used INTEGER NOT NULL,
      used_period INTEGER NOT NULL,
      used_total INTEGER NOT NULL,
      builds_used INTEGER NOT NULL
    ) STRICT`
  // No reference to the workspace, because the ledger outlives it.
  yield* sql`
    CREATE TABLE credit_entries (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL,
      at TEXT NOT NULL,
      bucket TEXT NOT NULL,
      amount INTEGER NOT NULL,
      kind TEXT NOT NULL,
      ref TEXT,
      note TEXT,
      operation TEXT NOT NULL,
      UNIQUE (workspace_id, operation)
    ) STRICT`
  yield* sql`CREATE INDEX credit_entries_in_order ON credit_entries (workspace_id, at, id)`
  yield* sql`
    CREATE TABLE credit_holds (
      owner TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      amount INTEGER NOT NULL CHECK (amount > 0),
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX credit_holds_by_workspace ON credit_holds (workspace_id)`
})
