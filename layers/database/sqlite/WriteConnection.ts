// layers/database/sqlite/WriteConnection.ts: the single connection that writes, lent to one fiber at a time. Concurrent transactions
// share one COMMIT, and so do concurrent single statements, because syncing to disk takes most of the time.
import { Clock, type Context, Deferred, Effect, Exit, Scope, Semaphore } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { elapsed, elapsedOf } from "#layers/lib/Time.ts"
import type { connect } from "#layers/database/sqlite/Connection.ts"

export interface WriteConnection {
  /** Lends the connection until the scope closes. */
  readonly acquirer: SqlConnection.Acquirer
  /** Lends the connection for one statement. */
  readonly borrower: SqlConnection.Borrower
  readonly isTransaction: () => boolean
  /** Rolls back after a failed commit. */
  readonly onCommitFailure: (connection: SqlConnection.Connection) => Effect.Effect<void, SqlError.SqlError>
}

/** Takes the write lock at the start: a transaction that reads first may fail to get the lock for its write. */
export const begin = "BEGIN IMMEDIATE"

/** Waits for one pass of the event loop, so that requests that have arrived can join the commit. */
const allSockets = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export const makeWriteConnection = Effect.fnUntraced(function* ({
  connection,
  db,
  waitingSince
}: Effect.Success<ReturnType<typeof connect>>) {
  const isTransaction = () => db.isTransaction
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction
  })
  // Time in the queue counts towards the lock timeout; otherwise each queued statement would wait for a full timeout.
  const acquirer = Effect.flatMap(elapsed, (at) =>
    Effect.map(acquirers.acquirer, (connection) => {
      waitingSince(at)
      return connection
    })
  )
  const borrower: SqlConnection.Borrower = (f) =>
    Effect.withFiber((fiber) => {
      const at = elapsedOf(fiber.getRef(Clock.Clock))
      return acquirers.borrower((connection) => {
        waitingSince(at)
        return f(connection)
      })
    })
  const writer: WriteConnection = { acquirer, borrower, isTransaction, onCommitFailure: acquirers.onCommitFailure }
  return writer
})

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
export const makeGroupCommit = (writer: WriteConnection) => {
  /** The group of the open transaction. */
  let open: Group | undefined
  /** The scope of the member that holds the connection. */
  let memberScope: Scope.Closeable | undefined

  const run = (connection: Connection, sql: string) => Effect.asVoid(connection.execute(sql, [], undefined))
  const isRolledBack = () => !writer.isTransaction()

  const commit = (connection: Connection) =>
    Effect.catchCause(run(connection, "COMMIT"), (cause) =>
      Effect.andThen(Effect.orDie(writer.onCommitFailure(connection)), Effect.failCause(cause))
    )

  const end = (group: Group, outcome: Effect.Effect<void, SqlError.SqlError>) => {
    open = undefined
    return Effect.flatMap(Effect.exit(outcome), (exit) => Deferred.done(group.settled, exit))
  }

  /** Commits the open group; call it while holding the connection from outside the group. */
  const settle = (connection: Connection) =>
    Effect.suspend(() => (open === undefined ? Effect.void : end(open, commit(connection))))

  const lose = (group: Group, connection: Connection) =>
    end(group, Effect.andThen(Effect.orDie(writer.onCommitFailure(connection)), Effect.fail(rolledBack())))

  /** Ends one member, whose work (or rollback) is in the open transaction. */
  const pass = (group: Group, connection: Connection) =>
    Effect.withFiber<void, SqlError.SqlError>((fiber) => {
      const isFirst = group.ended++ === 0
      const isFull = elapsedOf(fiber.getRef(Clock.Clock)) - group.began >= maxGroupMillis
      const settled = Deferred.await(group.settled)
      if (isRolledBack()) return Effect.andThen(lose(group, connection), settled)
      if (isFull) return Effect.andThen(settle(connection), settled)
      const passed = memberScope === undefined ? Effect.void : Scope.close(memberScope, Exit.void)
      if (!isFirst) return Effect.andThen(passed, settled)
      const last = writer.borrower((connection) => (open === group ? settle(connection) : Effect.void))
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
        const connection = yield* Scope.provide(restore(writer.acquirer), own)
        memberScope = own
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
        if (group.ended === 0 || isRolledBack()) return pass(group, connection)
        return released(group, connection, run(connection, "RELEASE member"))
      }),

    rollback: (connection: Connection) =>
      Effect.suspend(() => {
        const group = open
        if (group === undefined || group.ended === 0) {
          open = undefined
          return isRolledBack() ? Effect.void : run(connection, "ROLLBACK")
        }
        const back = Effect.andThen(run(connection, "ROLLBACK TO member"), run(connection, "RELEASE member"))
        return isRolledBack() ? lose(group, connection) : released(group, connection, back)
      }),

    savepoint: (connection: Connection, id: number) => run(connection, `SAVEPOINT nested_${id}`),
    releaseSavepoint: (connection: Connection, id: number) =>
      isRolledBack() ? Effect.void : run(connection, `RELEASE nested_${id}`),
    rollbackSavepoint: (connection: Connection, id: number) =>
      isRolledBack() ? Effect.void : run(connection, `ROLLBACK TO nested_${id}`)
  }

  const settled: WriteConnection = {
    ...writer,
    acquirer: Effect.tap(writer.acquirer, settle),
    borrower: (f) => writer.borrower((connection) => Effect.andThen(settle(connection), f(connection)))
  }
  return { controls, lane: settled }
}

/** Statements in one transaction; more would delay other work. */
const maxWritesPerTurn = 100

interface Write {
  /** Lends the connection to the caller's fiber and waits until it is returned. */
  readonly lend: (connection: SqlConnection.Connection) => Effect.Effect<void>
  /** Runs the statement for the caller. Holds the result back, because the statement may be run again. */
  readonly run: (connection: SqlConnection.Connection) => Effect.Effect<void>
  /** Reports the result of the latest run. */
  readonly end: () => void
  readonly fail: (exit: Exit.Exit<never, SqlError.SqlError>) => void
}

/**
 * Lends the write connection for one statement. As transactions in a group commit, single statements would take about 2.5 times
 * the processor time. Statements that arrive while it waits for its turn, and then for one pass of the
 * event loop, run in one transaction and return after its commit. If that transaction fails, each statement runs alone, so no
 * statement's outcome depends on another's.
 */
export const coalesceWrites = ({
  borrower,
  isTransaction,
  onCommitFailure
}: WriteConnection): SqlConnection.Borrower => {
  let waiting: Array<Write> = []
  let isCalled = false

  const each = (connection: SqlConnection.Connection, writes: ReadonlyArray<Write>) =>
    Effect.forEach(writes, ({ lend }) => lend(connection), { discard: true })

  const all = Effect.fnUntraced(function* (connection: SqlConnection.Connection, writes: ReadonlyArray<Write>) {
    yield* connection.execute(begin, [], undefined)
    for (const write of writes) {
      yield* write.run(connection)
      // SQLite can roll back the whole transaction on an error. The later statements would then commit alone and be run
      // twice.
      if (!isTransaction()) return yield* Effect.fail("undone" as const)
    }
    yield* connection.execute("COMMIT", [], undefined)
    for (const { end } of writes) end()
  })

  const takeWrites = (context: Context.Context<never>) => {
    const writes = waiting.slice(0, maxWritesPerTurn)
    waiting = waiting.slice(maxWritesPerTurn)
    isCalled = false
    if (waiting.length > 0) call(context)
    return writes
  }

  const flush = (context: Context.Context<never>) =>
    borrower((connection) =>
      Effect.flatMap(allSockets, () => {
        const writes = takeWrites(context)
        return writes.length < 2
          ? each(connection, writes)
          : Effect.catch(all(connection, writes), () =>
              Effect.andThen(Effect.ignore(onCommitFailure(connection)), each(connection, writes))
            )
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.sync(() => takeWrites(context).forEach(({ fail }) => fail(Exit.failCause(cause))))
      )
    )

  const call = (context: Context.Context<never>) => {
    if (isCalled) return
    isCalled = true
    Effect.runForkWith(context)(flush(context))
  }

  return <A, E, R>(f: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>) =>
    Effect.contextWith((context: Context.Context<R>) =>
      Effect.callback<A, E | SqlError.SqlError, R>((resume) => {
        let gone = false
        let came: Exit.Exit<A, E> | undefined
        let giveBack = () => {}
        const write: Write = {
          lend: (connection) =>
            gone
              ? Effect.void
              : Effect.callback((returned) => {
                  giveBack = () => returned(Effect.void)
                  resume(Effect.ensuring(f(connection), Effect.sync(giveBack)))
                }),
          run: (connection) =>
            gone
              ? Effect.void
              : Effect.exit(f(connection)).pipe(
                  Effect.map((exit) => void (came = exit)),
                  // Runs in the context of the statement's own caller.
                  Effect.updateContext<never, R>(() => context)
                ),
          end: () => resume(came ?? Effect.interrupt),
          fail: resume
        }
        waiting.push(write)
        call(context)
        return Effect.sync(() => {
          gone = true
          giveBack()
        })
      })
    )
}
