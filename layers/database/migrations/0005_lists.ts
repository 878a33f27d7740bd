// layers/database/migrations/0005_lists.ts: lists of leads and their emails.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE lists (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      campaign_id ${text} REFERENCES campaigns (id) ON DELETE SET NULL,
      kind ${text} NOT NULL,
      custom_name ${text},
      processing_status ${text} NOT NULL,
      options ${text} NOT NULL,
      cost ${integer} NOT NULL,
      recipient ${text},
      brief ${text},
      leads_count ${integer} NOT NULL,
      leads_done ${integer} NOT NULL,
      leads_failed ${integer} NOT NULL,
      emails_created ${integer} NOT NULL,
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL,
      completed_at ${text},
      failed_at ${text}
    ) ${strict}`
  yield* sql`CREATE INDEX lists_by_workspace ON lists (workspace_id, created_at DESC, id)`
  yield* sql`CREATE INDEX lists_by_campaign ON lists (campaign_id)`
  yield* sql`
    CREATE TABLE leads (
      id ${text} PRIMARY KEY,
      list_id ${text} NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      email ${text} NOT NULL,
      name ${text},
      title ${text},
      company ${text},
      linkedin_url ${text},
      company_website ${text},
      status ${text} NOT NULL,
      suspect ${integer} NOT NULL,
      error ${text},
      sequence ${text},
      emails ${integer},
      score ${integer},
      findings ${text},
      UNIQUE (list_id, position)
    ) ${strict}`
})
