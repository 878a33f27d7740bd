// test/personal-data.test.ts: every text column of the database is searched for a person, or listed here without personal data.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as StoredText from "#layers/operations/person/StoredText.ts"
import { tables } from "./support/dump.ts"
import { withServer } from "./support/server.ts"

/** Columns that `layers/operations/Person.ts` reads by statements of their own. */
const searchedAlone = [
  "leads.email",
  "lists.recipient",
  "recipients.digest",
  "workspaces.name",
  "workspaces.details",
  "workspaces.owner_email"
]

/** Columns of any table with ids, times, hashes or one of a few words. */
const namesWithoutPersonalData =
  /^(?:id|(?:workspace|campaign|list|lead|conversation|persona|template|file|webhook|event|key|brief|target_audience)_id|(?:\w+_)?at|hash|kind|type|status|lease|job|(?:build|options|research)_job)$/

/** Other columns without personal data: states, names of models, and what Overture itself writes. */
const columnsWithoutPersonalData = new Set(
  `api_keys.prefix api_keys.scopes campaigns.build campaigns.options campaigns.research
  credit_accounts.period_end credit_accounts.period_start credit_accounts.tier
  credit_days.day credit_entries.bucket credit_entries.operation credit_entries.ref credit_holds.owner
  email_versions.author email_versions.mark email_versions.rewrite files.place files.state
  idempotency_keys.fingerprint idempotency_keys.operation idempotency_keys.owner
  import_texts.source jobs.gate jobs.subject lead_reviews.review list_files.file list_files.format
  lists.paused_by lists.processing_status messages.answered_by messages.role
  model_calls.model model_calls.prompt model_calls.subject model_calls.version model_health.model model_health.problem
  secrets.name secrets.value sites.site target_audiences.search_text target_audiences.source
  uploads.file webhooks.disabled_reason webhooks.events webhooks.secrets
  suppressions.value`.split(/\s+/)
)

const searched = new Set([
  ...searchedAlone,
  ...[
    ...StoredText.replaceInRow,
    ...StoredText.composedTexts,
    ...StoredText.copiedTexts,
    ...StoredText.reportedTexts,
    StoredText.messageTexts
  ].flatMap(({ columns, table }) => columns.map((column) => `${table}.${column}`))
])

describe("a text column", () => {
  it.live("is searched by `overture person`, or is listed as one without personal data", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = yield* Effect.forEach(yield* tables, ({ name }) =>
        Effect.map(
          sql<{ readonly column: string }>`SELECT name AS "column" FROM pragma_table_info(${name}) WHERE type = 'TEXT'`,
          (rows) => rows.map(({ column }) => ({ column, path: `${name}.${column}` }))
        )
      )
      const unknown = columns
        .flat()
        .filter(({ path }) => !searched.has(path) && !columnsWithoutPersonalData.has(path))
        .filter(({ column }) => !namesWithoutPersonalData.test(column))
      assert.deepStrictEqual(
        unknown.map(({ path }) => path),
        []
      )
      const paths = new Set(columns.flat().map(({ path }) => path))
      const gone = [...searched, ...columnsWithoutPersonalData].filter((path) => !paths.has(path))
      assert.deepStrictEqual(gone, [])
      const searchedTwice = [...columnsWithoutPersonalData].filter((path) => searched.has(path))
      assert.deepStrictEqual(searchedTwice, [])
    }).pipe(withServer())
  )
})
