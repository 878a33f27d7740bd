// layers/credits/Usage.ts: the credits spent in a period, by day.
import { Duration, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Account } from "#layers/credits/Account.ts"
import { now } from "#layers/lib/Time.ts"
import type { CreditUsage } from "#schema/Credits.ts"

const dayMillis = Duration.toMillis("1 day")
const toDay = (timestamp: string) => timestamp.slice(0, 10)

/** The UTC days from `first` to `last`. */
const daysBetween = (firstDay: string, lastDay: string): ReadonlyArray<string> => {
  const start = Date.parse(firstDay)
  const length = (Date.parse(lastDay) - start) / dayMillis + 1
  return Array.from({ length }, (_, i) => toDay(new Date(start + i * dayMillis).toISOString()))
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const findDays = SqlSchema.findAll({
    Request: Schema.String,
    Result: Schema.Struct({ date: Schema.String, used: Schema.Int }),
    execute: (workspace) => sql`SELECT day AS date, used FROM credit_days WHERE workspace_id = ${workspace}`
  })

  return Effect.fnUntraced(function* ({ period_end, period_start, workspace_id }: Account) {
    const spentByDay = yield* Effect.orDie(findDays(workspace_id))
    const usedByDate = new Map(spentByDay.map((day) => [day.date, day.used]))
    // If the clock was set back, there may be entries for days after today.
    const days = [period_start, yield* now]
      .map(toDay)
      .concat([...usedByDate.keys()])
      .toSorted()
    return {
      period: { start: period_start, end: period_end },
      days: daysBetween(toDay(period_start), days.at(-1) ?? toDay(period_start)).map((date) => ({
        date,
        used: usedByDate.get(date) ?? 0
      }))
    } satisfies CreditUsage
  })
})
