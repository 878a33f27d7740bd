// layers/database/postgres/CopyFromSqlite.ts: copies all rows of a SQLite database into an empty PostgreSQL database,
// and verifies them.
import { Array as Arr, Effect, Schema, Stream, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { migrationsTable as migrations } from "#layers/database/migrations/Version.ts"
import { withoutNulCharacters } from "#layers/database/postgres/Connections.ts"

/** The copy failed; the target is unchanged. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("NotCarried", { message: Schema.String }) {}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** Rows per INSERT; fewer where a row may be large. */
  readonly insertSize: number
}

type Row = Readonly<Record<string, unknown>>

const rowsPerInsert = 500
/** Smaller inserts, because a document may have 10 MB. */
const documentsPerInsert = 4

/** The tables of a SQLite database; each comes after the tables that it references. */
const listTables = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<{ readonly name: string; readonly column: string; readonly type: string }>`
    SELECT t.name, c.name AS "column", c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND t.name <> ${migrations}
    ORDER BY t.rowid, c.cid`
  return Object.values(Arr.groupBy(rows, ({ name }) => name)).map((columns): Table => ({
    name: columns[0].name,
    columns: columns.map(({ column }) => column),
    insertSize: columns.some(({ type }) => type === "BLOB") ? documentsPerInsert : rowsPerInsert
  }))
})

/** The value that is hashed: text as PostgreSQL stores it. */
const hashable = (value: unknown) => {
  if (typeof value === "string") return withoutNulCharacters(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value
}

/** Counts rows and sums their digests; the sum does not depend on the order of the rows. */
const makeChecksum = ({ columns }: Table) => {
  let count = 0
  let sum = 0n
  return {
    add: (row: Row) => {
      const text = JSON.stringify(columns.map((column) => hashable(row[column])))
      count++
      sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash("sha256").update(text).digest("hex")}`))
    },
    total: () => ({ count, digest: sum.toString(16) })
  }
}

const insertRows = Effect.fnUntraced(function* (
  source: SqlClient.SqlClient,
  target: SqlClient.SqlClient,
  table: Table
) {
  const { add, total } = makeChecksum(table)
  const columns = source.csv(table.columns.map((column) => source`${source(column)}`))
  let lastRowId = Number.MIN_SAFE_INTEGER
  while (true) {
    const rows = yield* source<Row & { readonly carried_row: number }>`
      SELECT rowid AS carried_row, ${columns} FROM ${source(table.name)} WHERE rowid > ${lastRowId} ORDER BY rowid LIMIT ${table.insertSize}`
    if (!Arr.isReadonlyArrayNonEmpty(rows)) return total()
    lastRowId = Arr.lastNonEmpty(rows).carried_row
    const insertedRows = Arr.map(rows, Struct.omit(["carried_row"]))
    insertedRows.forEach(add)
    yield* target`INSERT INTO ${target(table.name)} ${target.insert(insertedRows)}`
  }
})

const checksumTarget = (target: SqlClient.SqlClient, table: Table) =>
  Effect.suspend(() => {
    const { add, total } = makeChecksum(table)
    return Effect.map(
      Stream.runForEach(target<Row>`SELECT * FROM ${target(table.name)}`.stream, (row) => Effect.sync(() => add(row))),
      total
    )
  })

/**
 * Copies every row of the SQLite database `source` into `target`, which must be empty and have the same schema; then
 * reads the rows back, compares them, and runs `finalize`. All of it is one transaction. `source` must not be written to
 * meanwhile. `report` is called after each table.
 */
export const copyFromSqlite = Effect.fnUntraced(function* <E, R, E2, R2>(
  source: SqlClient.SqlClient,
  target: SqlClient.SqlClient,
  report: (table: string, rows: number) => Effect.Effect<void, E, R>,
  finalize: Effect.Effect<void, E2, R2 | SqlClient.SqlClient>
) {
  const tables = yield* listTables(source)
  return yield* Effect.gen(function* () {
    for (const table of tables) {
      const [existingRow] = yield* target`SELECT 1 AS found FROM ${target(table.name)} LIMIT 1`
      if (existingRow !== undefined) {
        return yield* new CopyFailed({
          message: `The database holds something already (in ${table.name}); name one that is empty`
        })
      }
    }
    let rows = 0
    for (const table of tables) {
      const sentTotal = yield* insertRows(source, target, table)
      const receivedTotal = yield* checksumTarget(target, table)
      if (sentTotal.count !== receivedTotal.count || sentTotal.digest !== receivedTotal.digest) {
        return yield* new CopyFailed({
          message: `What arrived in ${table.name} is not what was sent; nothing was kept`
        })
      }
      rows += sentTotal.count
      yield* report(table.name, sentTotal.count)
    }
    yield* Effect.provideService(finalize, SqlClient.SqlClient, target)
    return { tables: tables.length, rows }
  }).pipe(target.withTransaction, source.withTransaction)
})
