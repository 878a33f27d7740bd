// layers/lists/Briefings.ts: what a list is written from, as it stood when its campaign was ready.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type * as Generator from "#layers/Generator.ts"
import type { Claim } from "#layers/Jobs.ts"
import { Writing } from "#layers/lists/Writing.ts"

/** What the build made, by this program alone, so it is read back as it was typed. */
interface Brief {
  readonly campaign: Generator.Campaign
  readonly instructions: string
}

export interface Briefing extends Brief {
  readonly writing: Writing
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const list = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: Schema.Struct({ options: Schema.fromJsonString(Writing), brief: Schema.NullOr(Schema.String) }),
    execute: ({ id, workspace }) =>
      sql`SELECT options, brief FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })

  // By its text: lists of one campaign share what is made ready to write from it, and so do single leads.
  const parsed = new Map<string, Brief>()
  const parse = (text: string): Brief => {
    const before = parsed.get(text)
    if (before !== undefined) return before
    const brief: Brief = JSON.parse(text)
    if (parsed.size >= 100) parsed.clear()
    parsed.set(text, brief)
    return brief
  }

  /** None when the build that the list waited for has failed. */
  return Effect.fnUntraced(function* ({ subject, workspace_id }: Claim) {
    const found = yield* list({ workspace: workspace_id, id: subject })
    if (Option.isNone(found) || found.value.brief === null) return Option.none()
    const briefing: Briefing = { writing: found.value.options, ...parse(found.value.brief) }
    return Option.some(briefing)
  }, Effect.orDie)
})
