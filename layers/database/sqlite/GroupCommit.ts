// layers/database/sqlite/GroupCommit.ts: group commit. Concurrent transactions share one COMMIT, because syncing to disk takes most of the
// time.
import { Clock, Deferred, Effect, Exit, Scope } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { elapsedOf } from "#layers/lib/Elapsed.ts"
import { allSockets, begin, type WriteConnection } from "#layers/database/sqlite/WriteConnection.ts"

/** A group that is open for this long admits no more transactions, because its finished members wait for the commit. */
const maxGroupMillis = 20

interface Group {
  readonly began: number
  /** Completes at the commit; fails if the whole group was rolled back. */
  readonly settled: Deferred.Deferred<void, SqlError.SqlError>
  /** Number of finished members. */
  ended: number
}

type Connection = SqlConnection.Connection

const rolledBack = () => {
  const message = "SQLite: the transaction was undone by an error of one that it shared a commit with"
  return new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message }) })
}

/**
 * Transaction controls for the write connection, and the connection itself for statements outside transactions.
 *
 * A finished transaction releases the connection uncommitted. The group's first member queues once more, behind every
 * transaction that waits by then, and commits for all: there is no timer, and a lone transaction does not wait. Each member
 * returns after that commit. A failed member waits too, because it may have read what the others wrote.
 *
 * Every member but the first is a savepoint, so it can fail alone. If SQLite rolls back the whole transaction or cannot commit
 * it, all members fail and nothing is kept. A constraint that is checked at COMMIT therefore needs a transaction of its own,
 * started with a `BeginTransaction`.
 *
 * Never wait for another transaction inside a transaction: both may be in one group and share a commit.
 */
export const make = (lane: WriteConnection) => {
  /** The group of the open transaction. */
  let open: Group | undefined
  /** The scope of the member that holds the connection. */
  let turn: Scope.Closeable | undefined

  const run = (connection: Connection, sql: string) => Effect.asVoid(connection.execute(sql, [], undefined))
  const isLost = () => !lane.isTransaction()

  const commit = (connection: Connection) =>
    Effect.catchCause(run(connection, "COMMIT"), (cause) =>
      Effect.andThen(Effect.orDie(lane.onCommitFailure(connection)), Effect.failCause(cause))
    )

  const end = (group: Group, outcome: Effect.Effect<void, SqlError.SqlError>) => {
    open = undefined
    return Effect.flatMap(Effect.exit(outcome), (exit) => Deferred.done(group.settled, exit))
  }

  /** Commits the open group; call it while holding the connection from outside the group. */
  const settle = (connection: Connection) =>
    Effect.suspend(() => (open === undefined ? Effect.void : end(open, commit(connection))))

  const lose = (group: Group, connection: Connection) =>
    end(group, Effect.andThen(Effect.orDie(lane.onCommitFailure(connection)), Effect.fail(rolledBack())))

  /** Ends one member, whose work (or rollback) is in the open transaction. */
  const pass = (group: Group, connection: Connection) =>
    Effect.withFiber<void, SqlError.SqlError>((fiber) => {
      const isFirst = group.ended++ === 0
      const isFull = elapsedOf(fiber.getRef(Clock.Clock)) - group.began >= maxGroupMillis
      const settled = Deferred.await(group.settled)
      if (isLost()) return Effect.andThen(lose(group, connection), settled)
      if (isFull) return Effect.andThen(settle(connection), settled)
      const passed = turn === undefined ? Effect.void : Scope.close(turn, Exit.void)
      if (!isFirst) return Effect.andThen(passed, settled)
      const last = lane.borrower((connection) => (open === group ? settle(connection) : Effect.void))
      return Effect.andThen(passed, Effect.andThen(allSockets, Effect.andThen(Effect.ignore(last), settled)))
    })

  /** A member whose savepoint cannot be released fails the whole group. */
  const released = (group: Group, connection: Connection, release: Effect.Effect<void, SqlError.SqlError>) =>
    Effect.matchCauseEffect(release, {
      onFailure: (cause) => Effect.andThen(lose(group, connection), Effect.failCause(cause)),
      onSuccess: () => pass(group, connection)
    })

  const controls = {
    acquireConnection: (
      restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    ): Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> =>
      Effect.gen(function* () {
        const own = yield* Scope.make()
        yield* Effect.addFinalizer((exit) => Scope.close(own, exit))
        const connection = yield* Scope.provide(restore(lane.acquirer), own)
        turn = own
        return connection
      }),

    begin: (connection: Connection, alone: string | undefined) =>
      Effect.withFiber<void, SqlError.SqlError>((fiber) => {
        if (alone !== undefined) {
          return Effect.andThen(settle(connection), Effect.asVoid(connection.executeUnprepared(alone, [], undefined)))
        }
        if (open !== undefined) return run(connection, "SAVEPOINT member")
        return Effect.map(run(connection, begin), () => {
          const began = elapsedOf(fiber.getRef(Clock.Clock))
          open = { began, settled: Deferred.makeUnsafe(), ended: 0 }
        })
      }),

    commit: (connection: Connection) =>
      Effect.suspend(() => {
        const group = open
        if (group === undefined) return commit(connection)
        if (group.ended === 0 || isLost()) return pass(group, connection)
        return released(group, connection, run(connection, "RELEASE member"))
      }),

    rollback: (connection: Connection) =>
      Effect.suspend(() => {
        const group = open
        if (group === undefined || group.ended === 0) {
          open = undefined
          return isLost() ? Effect.void : run(connection, "ROLLBACK")
        }
        const back = Effect.andThen(run(connection, "ROLLBACK TO member"), run(connection, "RELEASE member"))
        return isLost() ? lose(group, connection) : released(group, connection, back)
      }),

    savepoint: (connection: Connection, id: number) => run(connection, `SAVEPOINT nested_${id}`),
    releaseSavepoint: (connection: Connection, id: number) =>
      isLost() ? Effect.void : run(connection, `RELEASE nested_${id}`),
    rollbackSavepoint: (connection: Connection, id: number) =>
      isLost() ? Effect.void : run(connection, `ROLLBACK TO nested_${id}`)
  }

  const settled: WriteConnection = {
    ...lane,
    acquirer: Effect.tap(lane.acquirer, settle),
    borrower: (f) => lane.borrower((connection) => Effect.andThen(settle(connection), f(connection)))
  }
  return { controls, lane: settled }
}
