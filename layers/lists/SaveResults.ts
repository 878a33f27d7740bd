// layers/lists/SaveResults.ts: stores finished leads: result, charge and counters in one transaction, exactly once.
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { type Claim, Queue } from "#layers/Queue.ts"
import * as InProcessHandoff from "#layers/lists/InProcessHandoff.ts"
import * as BatchingWriter from "#layers/lists/BatchingWriter.ts"
import { columnsOf, type Written } from "#layers/lists/Lead.ts"
import * as Metrics from "#layers/Metrics.ts"
import { now } from "#layers/lib/Now.ts"

interface Finished {
  readonly claim: Claim
  readonly lead: { readonly id: string }
  readonly written: Written
  readonly account?: Effect.Effect<void> | undefined
  /** Runs when the job ends; set on the last lead of its job. */
  readonly end?: Effect.Effect<void>
}

/** Whether the lead is its whole list, which then completes with it. */
const isAll = ({ claim, end }: Finished) => end !== undefined && claim.type === "list.single"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const queue = yield* Queue

  const store = Effect.fnUntraced(function* ({ claim, lead, written }: Finished) {
    const stored = yield* sql`
      UPDATE leads SET ${sql.update({ status: "completed", suspect: 0, error: null, failure: null, ...columnsOf(written) }, [])}
      WHERE id = ${lead.id} AND workspace_id = ${claim.workspace_id} AND status = 'pending' RETURNING id`
    return stored.length > 0
  })

  const count = Effect.fnUntraced(function* (stored: Arr.NonEmptyReadonlyArray<Finished>) {
    const { subject, workspace_id } = stored[0].claim
    const emails = stored.reduce((sum, { written }) => sum + written.sequence.length, 0)
    const at = yield* now
    const state = isAll(stored[0])
      ? sql`processing_status = 'completed', completed_at = ${at}`
      : sql`processing_status = 'in_progress'`
    yield* sql`
      UPDATE lists SET leads_done = leads_done + ${stored.length}, emails_created = emails_created + ${emails},
        ${state}, updated_at = ${at}
      WHERE id = ${subject} AND workspace_id = ${workspace_id}`
  })

  const keep = Effect.fnUntraced(function* (finished: ReadonlyArray<Finished>) {
    const stored = yield* Effect.filter(finished, store)
    const ended = new Set(stored.filter(isAll))
    for (const ofWorkspace of grouped(stored, ({ claim }) => claim.workspace_id)) {
      const leads = ofWorkspace.map(({ lead }) => lead.id)
      yield* credits.capture(ofWorkspace[0].claim.workspace_id, leads)
      for (const ofList of grouped(ofWorkspace, ({ claim }) => claim.subject)) yield* count(ofList)
    }
    for (const { account } of finished) if (account !== undefined) yield* account
    for (const one of finished) {
      if (one.end !== undefined) yield* queue.complete(one.claim, ended.has(one) ? Effect.void : one.end)
    }
    yield* sql.afterCommit(
      Effect.andThen(
        Metrics.add(Metrics.leads({ outcome: "written" }), stored.length),
        Effect.sync(() => stored.forEach(({ claim, written }) => InProcessHandoff.keep(claim, written.sequence)))
      )
    )
  })

  return yield* BatchingWriter.make(keep)
})

/** Groups in a fixed order, so that two processes never deadlock. */
const grouped = <A>(items: ReadonlyArray<A>, key: (item: A) => string) =>
  Object.entries(Arr.groupBy(items, key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group)
