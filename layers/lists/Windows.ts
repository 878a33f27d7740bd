// layers/lists/Windows.ts: the leads of a list that are compared with each other once all are written to, and those among
// them that get other emails.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Jobs, type Claim, type LeaseLost } from "#layers/Jobs.ts"
import * as Briefings from "#layers/lists/Briefings.ts"
import type { Briefing } from "#layers/lists/Briefings.ts"
import * as Ending from "#layers/lists/Ending.ts"
import * as Together from "#layers/lists/Together.ts"
import { columnsOf, type Written, WrittenLead } from "#layers/lists/Lead.ts"

export interface Window extends Briefing {
  readonly leads: ReadonlyArray<WrittenLead>
}

interface Replacement {
  readonly claim: Claim
  readonly lead: WrittenLead
  readonly written: Written
}

/** Leads read in one piece, for about a millisecond. */
const piece = 50

const Span = Schema.Struct({ first: Schema.Int, last: Schema.Int })

export class Windows extends Context.Service<
  Windows,
  {
    /** None when the list is gone. */
    readonly open: (claim: Claim) => Effect.Effect<Option.Option<Window>>
    /** Gives the lead these emails in place of those it has; nothing is counted or charged anew. */
    readonly replace: (claim: Claim, lead: WrittenLead, written: Written) => Effect.Effect<void, LeaseLost>
    /** Ends the window; the last one ends the list, and queues the mail that tells of it. */
    readonly finish: (claim: Claim) => Effect.Effect<void, LeaseLost>
    /** Leaves the emails as they are; for the transaction that says so of the job. */
    readonly abandon: (claim: Claim) => Effect.Effect<void>
  }
>()("overture/layers/lists/Windows") {
  static readonly layer = Layer.effect(
    Windows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const briefing = yield* Briefings.make
      const settle = yield* Ending.make

      const columns = sql.literal(Object.keys(WrittenLead.fields).join(", "))
      const written = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, first: Schema.Int, last: Schema.Int }),
        Result: WrittenLead,
        execute: ({ first, id, last, workspace }) => sql`
          SELECT ${columns} FROM leads
          WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'completed'
            AND position >= ${first} AND position <= ${last}
          ORDER BY position`
      })

      const replace = yield* Together.make(
        Effect.fnUntraced(function* (all: ReadonlyArray<Replacement>) {
          for (const { claim, lead, written } of all) {
            yield* sql`
              UPDATE leads SET ${sql.update(columnsOf(written), [])}
              WHERE id = ${lead.id} AND workspace_id = ${claim.workspace_id} AND status = 'completed'`
          }
        })
      )

      return Windows.of({
        open: Effect.fn("Windows.open")(function* (claim) {
          const found = yield* briefing(claim)
          if (Option.isNone(found)) return Option.none()
          const span = yield* Schema.decodeUnknownEffect(Span)(claim.payload)
          const leads: Array<WrittenLead> = []
          for (let first = span.first; first <= span.last; first += piece) {
            const last = Math.min(first + piece - 1, span.last)
            leads.push(...(yield* written({ workspace: claim.workspace_id, id: claim.subject, first, last })))
            yield* Effect.yieldNow
          }
          return Option.some({ ...found.value, leads })
        }, Effect.orDie),

        replace: (claim, lead, written) => replace({ claim, lead, written }),

        finish: (claim) => jobs.complete(claim, settle(claim)),

        abandon: settle
      })
    })
  )
}
