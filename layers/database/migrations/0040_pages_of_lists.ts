// layers/database/migrations/0040_pages_of_lists.ts: indexes for pages and totals of lists, and for the number of decided leads of a
// workspace.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // SQLite reads the totals of a workspace from the index. In a row they are behind the campaign's brief of 12 KB. PostgreSQL
  // stores such a text apart, and would update each index of a list for each lead.
  const totals = sql.onDialectOrElse({
    pg: () => sql.literal(""),
    orElse: () =>
      sql.literal(", campaign_id, kind, leads_count, leads_done, leads_failed, leads_skipped, emails_created")
  })
  yield* sql`CREATE INDEX lists_by_status ON lists (workspace_id, processing_status, created_at DESC, id${totals})`
  // Replaces the index of the campaign alone, with which a page sorted all lists of the campaign.
  yield* sql`CREATE INDEX lists_of_campaign ON lists (campaign_id, workspace_id, created_at DESC, id)`
  yield* sql`DROP INDEX lists_by_campaign`
  yield* sql`CREATE INDEX lead_reviews_decided ON lead_reviews (workspace_id) WHERE review <> 'open'`
})
