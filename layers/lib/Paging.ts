// layers/lib/Paging.ts: reads a page of a collection and the total number of rows in one query.
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Page } from "#schema/Page.ts"

/** A table that is read in pages. */
interface Collection<Filter> {
  readonly table: string
  /** The conditions that a row must meet. */
  readonly matching: (filter: Filter) => ReadonlyArray<Statement.Fragment>
  readonly order: string | ((filter: Filter) => string)
  /** The total as an SQL expression; by default the rows are counted. */
  readonly total?: (filter: Filter) => Statement.Fragment
}

const decodeTotal = Schema.decodeUnknownEffect(Schema.Struct({ total: Schema.Int }))

/**
 * Each row of the result has the `total` beside its own columns. A page past the end has no row, so its total is read
 * with the first row of the collection.
 */
export const makePageQuery = <Fields extends Schema.Struct.Fields, Filter>(
  sql: SqlClient.SqlClient,
  item: Schema.Struct<Fields>,
  collection: Collection<Filter>
) => {
  const { matching, order, table } = collection
  const columns = Object.keys(item.fields).join(", ")
  const selectPrefix = sql.literal(`SELECT ${columns}, (`)
  const fromPrefix = sql.literal(`) AS total FROM ${table} WHERE `)
  const countPrefix = sql.literal(`SELECT count(*) FROM ${table} WHERE `)
  const totalExpression = collection.total ?? ((filter: Filter) => sql`${countPrefix}${sql.and(matching(filter))}`)
  const orderClause = (filter: Filter) => sql.literal(` ORDER BY ${typeof order === "string" ? order : order(filter)} `)
  const read = (filter: Filter, limit: number, offset: number) => {
    const condition = sql.and(matching(filter))
    // An expression, because SQLite plans by the value of a bare LIMIT and would prepare the statement again for each
    // value.
    return sql`${selectPrefix}${totalExpression(filter)}${fromPrefix}${condition}${orderClause(filter)}LIMIT (0 + ${limit}) OFFSET (0 + ${offset})`
  }
  const decode = Schema.decodeUnknownEffect(Schema.Array(item))
  return Effect.fnUntraced(function* (filter: Filter, { limit, offset }: Page) {
    const rawRows = yield* read(filter, limit, offset)
    const rows = yield* decode(rawRows)
    const [first] = rawRows.length > 0 || offset === 0 ? rawRows : yield* read(filter, 1, 0)
    return { rows, total: first === undefined ? 0 : (yield* decodeTotal(first)).total }
  }, Effect.orDie)
}
