// layers/lists/Usage.ts: the model tokens used for a list, and their cost.
import { Context, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { maxTokens } from "#layers/model/ModelCalls.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { ListUsage } from "#schema/Lists.ts"

/** Prices per million tokens, in the currency of the settings. */
export interface Prices {
  readonly input: number
  readonly output: number
}
export const Prices = Context.Reference<Prices | undefined>("overture/layers/lists/Prices", {
  defaultValue: () => undefined
})

const TokenSums = Schema.Struct({
  calls: Schema.Int,
  input_tokens: Schema.Int,
  cached_tokens: Schema.Int,
  output_tokens: Schema.Int
})

/** Rounded to six decimal places, to hide binary fractions. */
const costOf = (prices: Prices, { input_tokens, output_tokens }: typeof TokenSums.Type) =>
  Math.round(input_tokens * prices.input + output_tokens * prices.output) / 1_000_000

export const makeUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  /** Earlier versions recorded any number that a server reported, and SQLite fails if a sum exceeds 64 bits. */
  const cappedColumn = (column: string) =>
    sql`CASE WHEN ${sql(column)} > ${sql.literal(String(maxTokens))} THEN ${sql.literal(String(maxTokens))} ELSE ${sql(column)} END`
  const sums = SqlSchema.findOne({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: TokenSums,
    // Two queries that use an index; one OR over both kinds of subjects would read all calls of the workspace.
    execute: ({ id, workspace }) => sql`
      SELECT CAST(count(*) AS DOUBLE PRECISION) AS calls,
        CAST(COALESCE(SUM(${cappedColumn("input_tokens")}), 0) AS DOUBLE PRECISION) AS input_tokens,
        CAST(COALESCE(SUM(${cappedColumn("cached_tokens")}), 0) AS DOUBLE PRECISION) AS cached_tokens,
        CAST(COALESCE(SUM(${cappedColumn("output_tokens")}), 0) AS DOUBLE PRECISION) AS output_tokens
      FROM (
        SELECT input_tokens, cached_tokens, output_tokens FROM model_calls
        WHERE workspace_id = ${workspace} AND subject = ${id}
        UNION ALL
        SELECT model_calls.input_tokens, model_calls.cached_tokens, model_calls.output_tokens
        FROM leads JOIN model_calls ON model_calls.workspace_id = ${workspace} AND model_calls.subject = leads.id
        WHERE leads.list_id = ${id} AND leads.workspace_id = ${workspace}
      ) AS used`
  })

  /** Undefined if the list has no model calls. */
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, prices: Prices | undefined) {
    const used = yield* Effect.orDie(sums({ workspace, id }))
    if (used.calls === 0) return undefined
    return { ...used, cost: prices === undefined ? null : costOf(prices, used) } satisfies ListUsage
  })
})
