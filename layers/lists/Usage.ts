// layers/lists/Usage.ts: the model tokens used for a list, and their cost.
import { Context, Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
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

const StoredUsage = Schema.Struct({
  calls: Schema.Int,
  input_tokens: Schema.Int,
  cached_tokens: Schema.Int,
  output_tokens: Schema.Int
})

/** Rounded to six decimal places, to hide binary fractions. */
const calculateCost = (prices: Prices, { input_tokens, output_tokens }: typeof StoredUsage.Type) =>
  Math.round(input_tokens * prices.input + output_tokens * prices.output) / 1_000_000

export const makeUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const findUsage = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: StoredUsage,
    execute: ({ id, workspace }) => sql`
      SELECT calls, input_tokens, cached_tokens, output_tokens FROM list_usage
      WHERE list_id = ${id} AND workspace_id = ${workspace}`
  })

  /** Undefined if the list has no model calls. */
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, prices: Prices | undefined) {
    const usage = Option.getOrUndefined(yield* Effect.orDie(findUsage({ workspace, id })))
    if (usage === undefined) return undefined
    return { ...usage, cost: prices === undefined ? null : calculateCost(prices, usage) } satisfies ListUsage
  })
})
