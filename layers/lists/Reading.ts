// layers/lists/Reading.ts: reads the leads of a list, in any of its states.
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { StoredFields, StoredReview } from "#layers/lists/Lead.ts"
import { paging } from "#layers/lib/Paging.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Sequence } from "#schema/Lead.ts"
import { type LeadStatus, type ListFinding, ListLead } from "#schema/ListLeads.ts"
import type { Page } from "#schema/Page.ts"

const stored = <S extends Schema.Top>(schema: S) => Schema.NullOr(Schema.fromJsonString(schema))

const { emails: _emails, research: _research, skipped: _skipped, ...columns } = ListLead.fields

const Row = Schema.Struct({
  ...columns,
  custom_fields: StoredFields,
  skipped: Schema.NullOr(Schema.String),
  sequence: stored(Sequence),
  findings: stored(Schema.Array(StoredReview)),
  facts: stored(Schema.Array(Fact))
})

const findingOf = ({ offset, ...finding }: StoredReview["findings"][number]): ListFinding => {
  const start = finding.start ?? offset ?? null
  return { ...finding, start, end: finding.end ?? null, suggestion: finding.suggestion ?? null, offset: start }
}

const leadOf = ({ facts, findings, position, sequence, skipped, ...row }: typeof Row.Type): ListLead => ({
  ...row,
  // Counted from 0 in the store.
  position: position + 1,
  skipped: skipped === null ? null : { reason: skipped },
  emails: (sequence ?? []).map((email, at) => {
    const review = findings?.[at]
    return {
      ...email,
      score: review?.score ?? null,
      findings: (review?.findings ?? []).map(findingOf),
      grounds: review?.sources ?? [],
      template_id: review?.template_id ?? null,
      playbook_version: review?.playbook_version ?? null
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
