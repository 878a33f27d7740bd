// layers/sqlite/Groups.ts: transactions that come at the same time share a commit, since to bring one to the disk is what
// takes the time.
import { Clock, Deferred, Effect, Exit, Scope } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { elapsedOf } from "#layers/Elapsed.ts"
import { allSockets, begin, type Lane } from "#layers/sqlite/Lane.ts"

/** Milliseconds after which a group takes nobody in any more: those who are done wait for the others. */
const longest = 20

interface Group {
  readonly began: number
  /** Fails where nothing is kept of what the group did. */
  readonly settled: Deferred.Deferred<void, SqlError.SqlError>
  /** How many have come to their end. */
  ended: number
}

type Connection = SqlConnection.Connection

const undone = () => {
  const message = "SQLite: the transaction was undone by an error of one that it shared a commit with"
  return new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message }) })
}

/**
 * The controls of transactions that take turns on the lane, and the lane itself for whatever else needs it.
 *
 * One that is done passes the lane on without a COMMIT. The first of a group then waits for another turn, behind all who
 * wait by then, and commits what they did: there is no timer, and whoever is alone waits for nobody. Each ends once that
 * is done, and so does one that failed, as it may have seen what the others did.
 *
 * Each but the first is a savepoint, and fails alone. Where SQLite undoes the whole transaction, or cannot commit it, all
 * of the group fail, and nothing of them is kept. So a constraint that is checked at the COMMIT needs a transaction that
 * is alone, as one with a `BeginTransaction` is.
 *
 * Who is in a transaction must not wait for another to end: that other's commit may be this one's.
 */
export const make = (lane: Lane) => {
  /** The group whose work is in the open transaction. */
  let open: Group | undefined
  /** Held by whose turn it is. */
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

  /** For whoever has the lane, and is not of the group. */
  const settle = (connection: Connection) =>
    Effect.suspend(() => (open === undefined ? Effect.void : end(open, commit(connection))))

  const lose = (group: Group, connection: Connection) =>
    end(group, Effect.andThen(Effect.orDie(lane.onCommitFailure(connection)), Effect.fail(undone())))

  /** After the work of one of the group, or what was left of it, is in the transaction. */
  const pass = (group: Group, connection: Connection) =>
    Effect.withFiber<void, SqlError.SqlError>((fiber) => {
      const isFirst = group.ended++ === 0
      const isFull = elapsedOf(fiber.getRef(Clock.Clock)) - group.began >= longest
      const settled = Deferred.await(group.settled)
      if (isLost()) return Effect.andThen(lose(group, connection), settled)
      if (isFull) return Effect.andThen(settle(connection), settled)
      const passed = turn === undefined ? Effect.void : Scope.close(turn, Exit.void)
      if (!isFirst) return Effect.andThen(passed, settled)
      const last = lane.borrower((connection) => (open === group ? settle(connection) : Effect.void))
      return Effect.andThen(passed, Effect.andThen(allSockets, Effect.andThen(Effect.ignore(last), settled)))
    })

  /** Whoever cannot be told apart from the others takes them along. */
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

  const settled: Lane = {
    ...lane,
    acquirer: Effect.tap(lane.acquirer, settle),
    borrower: (f) => lane.borrower((connection) => Effect.andThen(settle(connection), f(connection)))
  }
  return { controls, lane: settled }
}
