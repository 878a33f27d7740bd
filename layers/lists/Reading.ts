// layers/lists/Reading.ts: the leads of a list for whoever reads them, in whatever state it is.
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { StoredFields } from "#layers/lists/Lead.ts"
import { paging } from "#layers/Paging.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Sequence } from "#schema/Lead.ts"
import { Finding, Grounds, type LeadStatus, ListLead } from "#schema/ListLeads.ts"
import type { Page } from "#schema/Page.ts"

const stored = <S extends Schema.Top>(schema: S) => Schema.NullOr(Schema.fromJsonString(schema))

const { emails: _emails, research: _research, ...told } = ListLead.fields

const Row = Schema.Struct({
  ...told,
  custom_fields: StoredFields,
  sequence: stored(Sequence),
  findings: stored(
    Schema.Array(
      Schema.Struct({
        score: Schema.Int,
        findings: Schema.Array(Finding),
        // Emails of before it was looked up have none.
        sources: Schema.optionalKey(Schema.Array(Grounds))
      })
    )
  ),
  facts: stored(Schema.Array(Fact))
})

const leadOf = ({ facts, findings, position, sequence, ...row }: typeof Row.Type): ListLead => ({
  ...row,
  // Counted from 0 in the store.
  position: position + 1,
  emails: (sequence ?? []).map((email, at) => {
    const judged = findings?.[at]
    return {
      ...email,
      score: judged?.score ?? null,
      findings: judged?.findings ?? [],
      grounds: judged?.sources ?? []
    }
  }),
  research: facts ?? []
})

interface Filter {
  readonly workspace: WorkspaceId
  readonly list: string
  readonly status: LeadStatus | undefined
}

/** A page of a list's leads, in the order they were sent. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const page = paging(sql, Row, {
    table: "leads",
    matching: ({ list, status, workspace }: Filter) => [
      sql`list_id = ${list}`,
      sql`workspace_id = ${workspace}`,
      ...(status === undefined ? [] : [sql`status = ${status}`])
    ],
    order: "position"
  })
  return (filter: Filter, given: Page) =>
    Effect.map(page(filter, given), ({ rows, total }) => ({ rows: rows.map(leadOf), total }))
})
