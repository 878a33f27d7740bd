// layers/Audiences.ts: the target audiences (segments) of a workspace.
import { Array as Arr, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { type AudienceInput, DecisionMakers, type Segment, TargetAudience } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import { truncateTo } from "#schema/Fields.ts"
import type { Page, Rows } from "#schema/Page.ts"

const Row = Schema.Struct({ ...TargetAudience.fields, decision_makers: Schema.fromJsonString(DecisionMakers) })

/** Segments searched in one query; other requests run between two queries. */
const searchBatchSize = 20

/**
 * The searchable text of a segment, in lower case. Not lower-cased in SQL, because databases differ on non-ASCII letters.
 */
const searchText = (segment: Segment) => Object.values(segment).flat().join("\n").toLowerCase()

/** A generated segment, each field truncated to the API's limit. */
const truncateSegment = (segment: Segment): Segment => {
  const { additional_details, decision_makers } = segment
  const truncateField = (text: string) => truncateTo(text, 2000)
  return {
    segment_name: truncateField(segment.segment_name),
    industry_vertical: truncateField(segment.industry_vertical),
    company_size: truncateField(segment.company_size),
    annual_revenue: truncateField(segment.annual_revenue),
    geographic_location: truncateField(segment.geographic_location),
    decision_makers:
      typeof decision_makers === "string"
        ? truncateField(decision_makers)
        : decision_makers.slice(0, 100).map(truncateField),
    additional_details: additional_details === null ? null : truncateTo(additional_details, 10_000)
  }
}

const toColumns = (segment: Segment) => ({
  ...segment,
  decision_makers: JSON.stringify(segment.decision_makers),
  search_text: searchText(segment)
})

/** The segment changed by `input`; omitted fields keep their value. */
const mergeAudience = (input: AudienceInput, current: Segment | undefined): Segment => ({
  segment_name: input.segment_name ?? current?.segment_name ?? "",
  industry_vertical: input.industry_vertical ?? current?.industry_vertical ?? "",
  company_size: input.company_size ?? current?.company_size ?? "",
  annual_revenue: input.annual_revenue ?? current?.annual_revenue ?? "",
  geographic_location: input.geographic_location ?? current?.geographic_location ?? "",
  decision_makers: input.decision_makers ?? current?.decision_makers ?? "",
  additional_details: input.additional_details ?? current?.additional_details ?? null
})

export class Audiences extends Context.Service<
  Audiences,
  {
    /** Newest first. `q` matches any field of a segment, ignoring case. */
    readonly list: (workspace: WorkspaceId, page: Page, q?: string) => Effect.Effect<Rows<TargetAudience>>
    /** Replaces the segments that research proposed before; segments that a person edited or a campaign uses stay. */
    readonly propose: (workspace: WorkspaceId, segments: ReadonlyArray<Segment>) => Effect.Effect<void>
    /** Changes the fields of a segment that `input` has. */
    readonly update: (
      workspace: WorkspaceId,
      id: string,
      input: AudienceInput
    ) => Effect.Effect<TargetAudience, NotFound>
    /** Creates a custom segment, or updates the custom segment of this name. */
    readonly saveCustom: (workspace: WorkspaceId, input: AudienceInput) => Effect.Effect<TargetAudience>
    readonly count: (workspace: WorkspaceId) => Effect.Effect<number>
  }
>()("overture/layers/Audiences") {
  static readonly layer = Layer.effect(
    Audiences,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const fields = sql.literal(Object.keys(TargetAudience.fields).join(", "))
      const page = makePageQuery(sql, Row, {
        table: "target_audiences",
        matching: (workspace: WorkspaceId) => [sql`workspace_id = ${workspace}`],
        order: "created_at DESC, id DESC"
      })
      const findByIds = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, ids: Schema.Array(Schema.String) }),
        Result: Row,
        execute: ({ ids, workspace }) => sql`
          SELECT ${fields} FROM target_audiences WHERE workspace_id = ${workspace} AND ${sql.in("id", ids)}
          ORDER BY created_at DESC, id DESC`
      })

      /**
       * Ids of the segments that contain `q`, newest first. Searches in slices, because one long query blocks other
       * requests.
       */
      const findMatchingIds = Effect.fnUntraced(function* (workspace: WorkspaceId, q: string) {
        const query = q.toLowerCase()
        const allRows = yield* sql<{ readonly id: string }>`
          SELECT id FROM target_audiences WHERE workspace_id = ${workspace} ORDER BY created_at DESC, id DESC`
        const matchingIds: Array<string> = []
        for (const rowBatch of Arr.chunksOf(allRows, searchBatchSize)) {
          const ids = rowBatch.map(({ id }) => id)
          const rows = yield* sql<{ readonly id: string; readonly search_text: string }>`
            SELECT id, search_text FROM target_audiences WHERE workspace_id = ${workspace} AND ${sql.in("id", ids)}`
          const hits = new Set(rows.flatMap((row) => (row.search_text.includes(query) ? [row.id] : [])))
          matchingIds.push(...ids.filter((id) => hits.has(id)))
          yield* Effect.yieldNow
        }
        return matchingIds
      })
      const findById = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Row,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM target_audiences WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const findCustomByName = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, name: Schema.String }),
        Result: Row,
        execute: ({ name, workspace }) => sql`
          SELECT ${fields} FROM target_audiences
          WHERE workspace_id = ${workspace} AND segment_name = ${name} AND source = 'custom'
          ORDER BY created_at, id LIMIT 1`
      })
      const insert = Effect.fnUntraced(function* (workspace: WorkspaceId, segment: Segment, source: string) {
        const id = yield* random.uuidV7()
        const created_at = yield* now
        yield* sql`
          INSERT INTO target_audiences ${sql.insert({
            id,
            workspace_id: workspace,
            ...toColumns(segment),
            source,
            created_at,
            updated_at: created_at
          })}`
        return { id, ...segment, source, created_at }
      })
      const replace = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        current: TargetAudience,
        input: AudienceInput
      ) {
        const segment = mergeAudience(input, current)
        yield* sql`
          UPDATE target_audiences SET ${sql.update({ ...toColumns(segment), updated_at: yield* now }, [])}
          WHERE id = ${current.id} AND workspace_id = ${workspace}`
        return { ...current, ...segment }
      })

      return Audiences.of({
        list: Effect.fn("Audiences.list")(function* (workspace, pageQuery, q) {
          if (q === undefined || q === "") return yield* page(workspace, pageQuery)
          const { limit, offset } = pageQuery
          const ids = yield* findMatchingIds(workspace, q)
          return { rows: yield* findByIds({ workspace, ids: ids.slice(offset, offset + limit) }), total: ids.length }
        }, Effect.orDie),

        propose: Effect.fn("Audiences.propose")(function* (workspace, segments) {
          yield* sql`
            DELETE FROM target_audiences
            WHERE workspace_id = ${workspace} AND source = 'market_research' AND updated_at = created_at
              AND id NOT IN (SELECT target_audience_id FROM campaigns
                WHERE workspace_id = ${workspace} AND target_audience_id IS NOT NULL)`
          const remainingSegments = yield* sql<{ readonly segment_name: string }>`
            SELECT segment_name FROM target_audiences WHERE workspace_id = ${workspace}`
          const names = new Set(remainingSegments.map((row) => row.segment_name))
          // Lists show the newest first, so the likeliest segment is inserted last.
          for (const segment of segments.map(truncateSegment).toReversed()) {
            if (!names.has(segment.segment_name)) yield* insert(workspace, segment, "market_research")
          }
        }, Effect.orDie),

        update: Effect.fn("Audiences.update")(function* (workspace, id, input) {
          const current = yield* Effect.orDie(findById({ workspace, id }))
          if (Option.isNone(current)) return yield* NotFound.of("target audience")
          return yield* Effect.orDie(replace(workspace, current.value, input))
        }),

        saveCustom: Effect.fn("Audiences.custom")(function* (workspace, input) {
          const segment = mergeAudience(input, undefined)
          const current = yield* findCustomByName({ workspace, name: segment.segment_name })
          return Option.isSome(current)
            ? yield* replace(workspace, current.value, input)
            : yield* insert(workspace, segment, "custom")
        }, Effect.orDie),

        count: (workspace) =>
          sql<{
            readonly n: number
          }>`SELECT count(*) AS n FROM target_audiences WHERE workspace_id = ${workspace}`.pipe(
            Effect.map(([row]) => row?.n ?? 0),
            Effect.orDie
          )
      })
    })
  )
}
