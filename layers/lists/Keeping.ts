// layers/lists/Keeping.ts: how finished leads are kept: the result, charge and counters of each in one transaction, together
// with those that were finished while the one before was written.
import { Array as Arr, Cause, Deferred, Effect, Exit, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { type Claim, Jobs, LeaseLost } from "#layers/Jobs.ts"
import { isOutage } from "#layers/jobs/Outage.ts"
import { columnsOf, type Written } from "#layers/lists/Written.ts"
import * as Metrics from "#layers/Metrics.ts"
import { now } from "#layers/Now.ts"

interface Finished {
  readonly claim: Claim
  readonly lead: string
  readonly written: Written
  readonly kept: Deferred.Deferred<void, LeaseLost>
}

/** Leads kept in one transaction: few enough that others who write wait for some milliseconds at most. */
const mostAtOnce = 50

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const jobs = yield* Jobs
  const finished = yield* Queue.unbounded<Finished>()

  const holds = (claim: Claim) =>
    jobs.holding(claim).pipe(
      Effect.as(true),
      Effect.catchTag("LeaseLost", () => Effect.succeed(false))
    )

  const store = Effect.fnUntraced(function* ({ claim, lead, written }: Finished) {
    const stored = yield* sql`
      UPDATE leads SET ${sql.update({ status: "completed", suspect: 0, error: null, ...columnsOf(written) }, [])}
      WHERE id = ${lead} AND workspace_id = ${claim.workspace_id} AND status = 'pending' RETURNING id`
    return stored.length > 0
  })

  const count = Effect.fnUntraced(function* (stored: Arr.NonEmptyReadonlyArray<Finished>) {
    const { subject, workspace_id } = stored[0].claim
    const emails = stored.reduce((sum, { written }) => sum + written.sequence.length, 0)
    yield* sql`
      UPDATE lists SET leads_done = leads_done + ${stored.length}, emails_created = emails_created + ${emails},
        processing_status = 'in_progress', updated_at = ${yield* now}
      WHERE id = ${subject} AND workspace_id = ${workspace_id}`
  })

  /** Answers the leases that are lost: what was done under them is another's to do, and is not kept. */
  const keep = Effect.fnUntraced(function* (some: ReadonlyArray<Finished>) {
    const claims = new Map(some.map(({ claim }) => [claim.lease, claim]))
    const lost = new Set<string>()
    for (const [lease, claim] of claims) if (!(yield* holds(claim))) lost.add(lease)
    const stored = yield* Effect.filter(
      some.filter(({ claim }) => !lost.has(claim.lease)),
      store
    )
    // In one order, so that two processes never wait for each other.
    const workspaces = Object.entries(Arr.groupBy(stored, ({ claim }) => claim.workspace_id)).sort(byKey)
    for (const [, ofWorkspace] of workspaces) {
      yield* credits.capture(
        ofWorkspace[0].claim.workspace_id,
        ofWorkspace.map(({ lead }) => lead)
      )
      const lists = Object.entries(Arr.groupBy(ofWorkspace, ({ claim }) => claim.subject)).sort(byKey)
      for (const [, ofList] of lists) yield* count(ofList)
    }
    yield* sql.afterCommit(Metrics.add(Metrics.leads({ outcome: "written" }), stored.length))
    return lost
  }, sql.withTransaction)

  const settle = (some: ReadonlyArray<Finished>, exit: Exit.Exit<ReadonlySet<string>, unknown>) =>
    Effect.forEach(
      some,
      ({ claim, kept }) =>
        Exit.isFailure(exit)
          ? Deferred.failCause(kept, Cause.die(Cause.squash(exit.cause)))
          : exit.value.has(claim.lease)
            ? Deferred.fail(kept, new LeaseLost({ id: claim.id }))
            : Deferred.succeed(kept, undefined),
      { discard: true }
    )

  const alone = (one: Finished) => Effect.flatMap(Effect.exit(keep([one])), (exit) => settle([one], exit))

  yield* Queue.takeBetween(finished, 1, mostAtOnce).pipe(
    Effect.flatMap((some) =>
      Effect.flatMap(Effect.exit(keep(some)), (exit) =>
        // Whichever of them the store refuses, the others are no part of it; a store that is down refuses all.
        Exit.isFailure(exit) && some.length > 1 && !isOutage(exit.cause)
          ? Effect.forEach(some, alone, { discard: true })
          : settle(some, exit)
      )
    ),
    // What is at hand at this moment comes along with the next.
    Effect.andThen(Effect.yieldNow),
    Effect.forever,
    Effect.forkScoped
  )

  /** Returns once the lead is stored, charged and counted; never twice. */
  return Effect.fnUntraced(function* (claim: Claim, lead: { readonly id: string }, written: Written) {
    const kept = yield* Deferred.make<void, LeaseLost>()
    yield* Queue.offer(finished, { claim, lead: lead.id, written, kept })
    yield* Deferred.await(kept)
  })
})

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)
