// layers/lists/OmittedRows.ts: stores and reads the rows of a lead file that a list was made without.
import { Array as Arr, Effect, Option, Schema, Stream, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { csvLine } from "#layers/lists/ExportFormats.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { type FoundRow, maxFoundRows } from "#schema/ListLeads.ts"
import type { OmittedRowInput } from "#schema/OmittedRows.ts"
import type { Page } from "#schema/Page.ts"

/** Rows per INSERT, and per page of an export. */
const pageSize = 200

const StoredRow = Schema.Struct({
  position: Schema.Int,
  line: Schema.NullOr(Schema.Int),
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  reason: Schema.String,
  by_hand: Schema.BooleanFromBit
})

const FoundStoredRow = Schema.Struct({
  list_id: Schema.String,
  list_name: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  ...Struct.omit(StoredRow.fields, ["position"])
})

interface ListKey {
  readonly workspace: WorkspaceId
  readonly list: string
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const page = makePageQuery(sql, StoredRow, {
    table: "omitted_rows",
    matching: ({ list, workspace }: ListKey) => [sql`list_id = ${list}`, sql`workspace_id = ${workspace}`],
    order: "position"
  })
  const findAfter = SqlSchema.findAll({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, position: Schema.Int }),
    Result: StoredRow,
    execute: ({ list, position, workspace }) => sql`
      SELECT position, line, email, name, reason, by_hand FROM omitted_rows
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND position > ${position}
      ORDER BY position LIMIT ${sql.literal(String(pageSize))}`
  })

  const decodeFound = Schema.decodeUnknownEffect(Schema.Array(FoundStoredRow))

  return {
    /** The rows with an address in all lists, those of the newest list first. The index on the address serves it. */
    find: Effect.fnUntraced(function* (workspace: WorkspaceId, address: string) {
      const rows: ReadonlyArray<FoundRow> = yield* decodeFound(
        yield* sql`
          SELECT t.id AS list_id, t.custom_name AS list_name, t.created_at, o.line, o.email, o.name, o.reason,
            o.by_hand
          FROM omitted_rows o JOIN lists t ON t.id = o.list_id AND t.workspace_id = o.workspace_id
          WHERE o.workspace_id = ${workspace} AND lower(o.email) = ${address.toLowerCase()}
          ORDER BY t.created_at DESC, t.id DESC, o.position LIMIT ${sql.literal(String(maxFoundRows))}`
      )
      return rows
    }, Effect.orDie),

    /** Stores the rows in their order, in the caller's transaction. */
    insert: Effect.fnUntraced(function* ({ list, workspace }: ListKey, rows: ReadonlyArray<OmittedRowInput>) {
      const rowsToInsert = rows.map(({ by_hand, email, line, name, reason }, position) => ({
        list_id: list,
        workspace_id: workspace,
        position,
        line: line ?? null,
        email: email ?? null,
        name: name ?? null,
        reason,
        by_hand: by_hand === true ? 1 : 0
      }))
      for (const part of Arr.chunksOf(rowsToInsert, pageSize)) {
        yield* sql`INSERT INTO omitted_rows ${sql.insert(part)}`
        yield* Effect.yieldNow
      }
    }, Effect.orDie),

    page: (key: ListKey, query: Page) =>
      Effect.map(page(key, query), ({ rows, total }) => ({
        rows: rows.map(({ by_hand, email, line, name, reason }) => ({ line, email, name, reason, by_hand })),
        total
      })),

    /** All rows as CSV. */
    csv: (key: ListKey) => {
      const lines = Stream.paginate(-1, (position) =>
        Effect.map(Effect.orDie(findAfter({ ...key, position })), (rows) => {
          const lastRow = rows.length < pageSize ? undefined : rows.at(-1)
          return [
            rows.map(({ by_hand, email, line, name, reason }) =>
              csvLine([line === null ? "" : String(line), email ?? "", name ?? "", reason, String(by_hand)])
            ),
            Option.map(Option.fromUndefinedOr(lastRow), ({ position }) => position)
          ] as const
        })
      )
      return Stream.encodeText(
        Stream.concat(Stream.make(csvLine(["line", "email", "name", "reason", "by_hand"])), lines)
      )
    }
  }
})
