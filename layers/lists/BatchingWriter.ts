// layers/lists/BatchingWriter.ts: stores results in batches: those that arrive while a transaction runs share the next one.
import { Cause, Deferred, Effect, Exit, Queue as Buffer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Claim, Queue, LeaseLost } from "#layers/Queue.ts"
import { isOutage } from "#layers/queue/Outage.ts"
import { trimContext } from "#layers/lib/TrimContext.ts"

/** Results in one transaction; other writers wait a few milliseconds at most. */
const mostAtOnce = 50

/** Runs `store` for batches of results until the scope closes. A result whose lease is lost is not stored. */
export const make = Effect.fnUntraced(function* <Piece extends { readonly claim: Claim }>(
  store: (pieces: ReadonlyArray<Piece>) => Effect.Effect<void, SqlError.SqlError | LeaseLost>
) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  interface Done {
    readonly piece: Piece
    readonly kept: Deferred.Deferred<void, LeaseLost>
  }
  const done = yield* Buffer.unbounded<Done>()

  const isLost = (claim: Claim) =>
    queue.holding(claim).pipe(
      Effect.as(false),
      Effect.catchTag("LeaseLost", () => Effect.succeed(true))
    )

  /** Stores results and returns the lost leases: another worker does that work again. */
  const keep = Effect.fnUntraced(function* (some: ReadonlyArray<Done>) {
    const claims = new Map(some.map(({ piece: { claim } }) => [claim.lease, claim]))
    const lost = new Set<string>()
    for (const [lease, claim] of claims) if (yield* isLost(claim)) lost.add(lease)
    const held = some.flatMap(({ piece }) => (lost.has(piece.claim.lease) ? [] : [piece]))
    if (held.length > 0) yield* store(held)
    return lost
  }, sql.withTransaction)

  const tell = (some: ReadonlyArray<Done>, exit: Exit.Exit<ReadonlySet<string>, unknown>) =>
    Effect.forEach(
      some,
      ({ kept, piece: { claim } }) =>
        Exit.isFailure(exit)
          ? Deferred.failCause(kept, Cause.die(Cause.squash(exit.cause)))
          : exit.value.has(claim.lease)
            ? Deferred.fail(kept, new LeaseLost({ id: claim.id }))
            : Deferred.succeed(kept, undefined),
      { discard: true }
    )

  const alone = (one: Done) => Effect.flatMap(Effect.exit(keep([one])), (exit) => tell([one], exit))

  yield* Buffer.takeBetween(done, 1, mostAtOnce).pipe(
    Effect.flatMap((some) =>
      Effect.flatMap(Effect.exit(keep(some)), (exit) =>
        // If the store rejects one result, store the others alone; an unavailable store rejects all.
        Exit.isFailure(exit) && some.length > 1 && !isOutage(exit.cause)
          ? Effect.forEach(some, alone, { discard: true })
          : tell(some, exit)
      )
    ),
    // Results that are ready now join the next batch.
    Effect.andThen(Effect.yieldNow),
    Effect.forever,
    trimContext,
    Effect.forkScoped
  )

  return Effect.fnUntraced(function* (piece: Piece) {
    const kept = yield* Deferred.make<void, LeaseLost>()
    yield* Buffer.offer(done, { piece, kept })
    yield* Deferred.await(kept)
  })
})
