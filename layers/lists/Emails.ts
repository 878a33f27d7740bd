// layers/lists/Emails.ts: the emails of a list, read page by page.
import { Effect, Option, Schema, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { WrittenLead } from "#layers/lists/Lead.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** About two milliseconds of everybody else's time, with what is made of it. */
const pageSize = 100

/** The leads of a list that succeeded, in the order they were sent; so many, or it breaks off: some were deleted meanwhile. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(Object.keys(WrittenLead.fields).join(", "))
  const page = SqlSchema.findAll({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, after: Schema.Int }),
    Result: WrittenLead,
    execute: ({ after, id, workspace }) => sql`
      SELECT ${columns} FROM leads
      WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'completed' AND position > ${after}
      ORDER BY position LIMIT ${sql.literal(String(pageSize))}`
  })

  // The first page is read before anything is answered: what cannot be read is an error then, and no broken file.
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, count: number) {
    const first = yield* page({ workspace, id, after: -1 })
    const rest = Stream.paginate({ last: first, left: count - first.length }, ({ last, left }) => {
      const end = last.length < pageSize ? undefined : last.at(-1)
      if (end === undefined) {
        return left === 0
          ? Effect.succeed([[], Option.none()] as const)
          : Effect.die(new Error("Leads were deleted while they were read"))
      }
      const next = Effect.orDie(page({ workspace, id, after: end.position }))
      return Effect.map(next, (rows) => [[rows], Option.some({ last: rows, left: left - rows.length })] as const)
    })
    // A page is sent before the next one is read, so that a failure there does not take this one with it.
    return Stream.concat(Stream.make(first), rest)
  }, Effect.orDie)
})
