// layers/database/migrations/0003_campaigns.ts: campaigns, their selections and the results of their builds.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columnTypes } from "#layers/database/Dialect.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE campaigns (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      target_audience_id ${text},
      audience ${text},
      research ${text} NOT NULL,
      research_job ${text},
      options ${text} NOT NULL,
      options_job ${text},
      selected ${integer} NOT NULL,
      build ${text} NOT NULL,
      build_job ${text},
      brief ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX campaigns_by_workspace ON campaigns (workspace_id, created_at DESC, id)`
  yield* sql`
    CREATE TABLE selections (
      campaign_id ${text} NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      items ${text} NOT NULL,
      additional_details ${text},
      updated_at ${text} NOT NULL,
      PRIMARY KEY (campaign_id, type)
    ) ${strict}`
  yield* sql`
    CREATE TABLE campaign_documents (
      id ${text} PRIMARY KEY,
      campaign_id ${text} NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      content ${text} NOT NULL,
      updated_at ${text} NOT NULL,
      UNIQUE (campaign_id, type)
    ) ${strict}`
})
