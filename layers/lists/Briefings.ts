// layers/lists/Briefings.ts: the brief of a list: campaign and playbook as they were when the campaign was ready.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Claim } from "#layers/Queue.ts"
import * as InProcessHandoff from "#layers/lists/InProcessHandoff.ts"
import { ListWriting } from "#layers/lists/List.ts"
import { parseBrief, type ReadyBrief } from "#layers/playbooks/Brief.ts"

export interface Briefing extends ReadyBrief {
  readonly writing: ListWriting
}

/** Briefs in the cache. */
const most = 100

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const list = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
    Result: Schema.Struct({ options: Schema.fromJsonString(ListWriting), brief: Schema.NullOr(Schema.String) }),
    execute: ({ id, workspace }) =>
      sql`SELECT options, brief FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
  })

  const keep = (briefs: Map<string, ReadyBrief>, key: string, brief: ReadyBrief) => {
    if (briefs.size >= most) briefs.clear()
    briefs.set(key, brief)
    return brief
  }
  // Keyed by text: lists of one campaign share the parsed brief.
  const parsed = new Map<string, ReadyBrief>()
  const parse = (text: string): ReadyBrief => parsed.get(text) ?? keep(parsed, text, parseBrief(text))
  const byKey = new Map<string, ReadyBrief>()

  /** None if the build that the list waited for failed. */
  return Effect.fnUntraced(function* (claim: Claim) {
    const handoff = InProcessHandoff.of(claim)
    const known = handoff && byKey.get(handoff.brief)
    if (handoff !== undefined && known !== undefined) {
      return Option.some<Briefing>({ writing: handoff.writing, ...known })
    }
    const found = yield* list({ workspace: claim.workspace_id, id: claim.subject })
    if (Option.isNone(found) || found.value.brief === null) return Option.none()
    const brief = parse(found.value.brief)
    if (handoff !== undefined) keep(byKey, handoff.brief, brief)
    return Option.some<Briefing>({ writing: found.value.options, ...brief })
  }, Effect.orDie)
})
