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
export const beginImmediate = "BEGIN IMMEDIATE"

/** Waits for one pass of the event loop, so that requests that have arrived can join the commit. */
const nextEventLoopTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export const makeWriteConnection = Effect.fnUntraced(function* ({
  connection,
  db,
  setQueuedAt
}: Effect.Success<ReturnType<typeof connect>>) {
  const isTransaction = () => db.isTransaction
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction
  })
  // Time in the queue counts towards the lock timeout; otherwise each queued statement would wait for a full timeout.
  const acquirer = Effect.flatMap(elapsed, (elapsedMillis) =>
    Effect.map(acquirers.acquirer, (connection) => {
      setQueuedAt(elapsedMillis)
      return connection
    })
  )
  const borrower: SqlConnection.Borrower = (f) =>
    Effect.withFiber((fiber) => {
      const elapsedMillis = elapsedOf(fiber.getRef(Clock.Clock))
      return acquirers.borrower((connection) => {
        setQueuedAt(elapsedMillis)
        return f(connection)
      })
    })
  const writer: WriteConnection = { acquirer, borrower, isTransaction, onCommitFailure: acquirers.onCommitFailure }
  return writer
})

/** A group that has been open for this long commits when its next member finishes, because those that finished before wait for the commit. */
const maxGroupMillis = 20

interface Group {
  readonly startedAt: number
  /** Completes at the commit; fails if the whole group was rolled back. */
  readonly completion: Deferred.Deferred<void, SqlError.SqlError>
  /** Number of finished members. */
  finishedMembers: number
}

type Connection = SqlConnection.Connection

const makeRolledBackError = () => {
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
  let openGroup: Group | undefined
  /** The scope of the member that holds the connection. */
  let memberScope: Scope.Closeable | undefined

  const runControl = (connection: Connection, sql: string) => Effect.asVoid(connection.execute(sql, [], undefined))
  const isRolledBack = () => !writer.isTransaction()

  const runCommit = (connection: Connection) =>
    Effect.catchCause(runControl(connection, "COMMIT"), (cause) =>
      Effect.andThen(Effect.orDie(writer.onCommitFailure(connection)), Effect.failCause(cause))
    )

  const endGroup = (group: Group, outcome: Effect.Effect<void, SqlError.SqlError>) => {
    openGroup = undefined
    return Effect.flatMap(Effect.exit(outcome), (exit) => Deferred.done(group.completion, exit))
  }

  /** Commits the open group, if there is one. The caller holds the connection, so no member is running. */
  const commitOpenGroup = (connection: Connection) =>
    Effect.suspend(() => (openGroup === undefined ? Effect.void : endGroup(openGroup, runCommit(connection))))

  const failGroup = (group: Group, connection: Connection) =>
    endGroup(
      group,
      Effect.andThen(Effect.orDie(writer.onCommitFailure(connection)), Effect.fail(makeRolledBackError()))
    )

  /** Ends one member, whose work (or rollback) is in the open transaction. */
  const endMember = (group: Group, connection: Connection) =>
    Effect.withFiber<void, SqlError.SqlError>((fiber) => {
      const isFirst = group.finishedMembers++ === 0
      const isExpired = elapsedOf(fiber.getRef(Clock.Clock)) - group.startedAt >= maxGroupMillis
      const completion = Deferred.await(group.completion)
      if (isRolledBack()) return Effect.andThen(failGroup(group, connection), completion)
      if (isExpired) return Effect.andThen(commitOpenGroup(connection), completion)
      const releaseConnection = memberScope === undefined ? Effect.void : Scope.close(memberScope, Exit.void)
      if (!isFirst) return Effect.andThen(releaseConnection, completion)
      const commitLast = writer.borrower((connection) =>
        openGroup === group ? commitOpenGroup(connection) : Effect.void
      )
      return Effect.andThen(
        releaseConnection,
        Effect.andThen(nextEventLoopTurn, Effect.andThen(Effect.ignore(commitLast), completion))
      )
    })

  /** A member whose savepoint cannot be released fails the whole group. */
  const releaseMember = (group: Group, connection: Connection, release: Effect.Effect<void, SqlError.SqlError>) =>
    Effect.matchCauseEffect(release, {
      onFailure: (cause) => Effect.andThen(failGroup(group, connection), Effect.failCause(cause)),
      onSuccess: () => endMember(group, connection)
    })

  const controls = {
    acquireConnection: (
      restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    ): Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> =>
      Effect.gen(function* () {
        const newScope = yield* Scope.make()
        yield* Effect.addFinalizer((exit) => Scope.close(newScope, exit))
        const connection = yield* Scope.provide(restore(writer.acquirer), newScope)
        memberScope = newScope
        return connection
      }),

    begin: (connection: Connection, beginStatement: string | undefined) =>
      Effect.withFiber<void, SqlError.SqlError>((fiber) => {
        if (beginStatement !== undefined) {
          return Effect.andThen(
            commitOpenGroup(connection),
            Effect.asVoid(connection.executeUnprepared(beginStatement, [], undefined))
          )
        }
        if (openGroup !== undefined) return runControl(connection, "SAVEPOINT member")
        return Effect.map(runControl(connection, beginImmediate), () => {
          const startedAt = elapsedOf(fiber.getRef(Clock.Clock))
          openGroup = { startedAt, completion: Deferred.makeUnsafe(), finishedMembers: 0 }
        })
      }),

    commit: (connection: Connection) =>
      Effect.suspend(() => {
        const group = openGroup
        if (group === undefined) return runCommit(connection)
        if (group.finishedMembers === 0 || isRolledBack()) return endMember(group, connection)
        return releaseMember(group, connection, runControl(connection, "RELEASE member"))
      }),

    rollback: (connection: Connection) =>
      Effect.suspend(() => {
        const group = openGroup
        if (group === undefined || group.finishedMembers === 0) {
          openGroup = undefined
          return isRolledBack() ? Effect.void : runControl(connection, "ROLLBACK")
        }
        const undo = Effect.andThen(
          runControl(connection, "ROLLBACK TO member"),
          runControl(connection, "RELEASE member")
        )
        return isRolledBack() ? failGroup(group, connection) : releaseMember(group, connection, undo)
      }),

    savepoint: (connection: Connection, id: number) => runControl(connection, `SAVEPOINT nested_${id}`),
    releaseSavepoint: (connection: Connection, id: number) =>
      isRolledBack() ? Effect.void : runControl(connection, `RELEASE nested_${id}`),
    rollbackSavepoint: (connection: Connection, id: number) =>
      isRolledBack() ? Effect.void : runControl(connection, `ROLLBACK TO nested_${id}`)
  }

  const groupedConnection: WriteConnection = {
    ...writer,
    acquirer: Effect.tap(writer.acquirer, commitOpenGroup),
    borrower: (f) => writer.borrower((connection) => Effect.andThen(commitOpenGroup(connection), f(connection)))
  }
  return { controls, writeConnection: groupedConnection }
}

/** Statements in one transaction; more would delay other work. */
const maxWritesPerCommit = 100

interface PendingWrite {
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
  let pendingWrites: Array<PendingWrite> = []
  let isFlushScheduled = false

  const runSeparately = (connection: SqlConnection.Connection, writes: ReadonlyArray<PendingWrite>) =>
    Effect.forEach(writes, ({ lend }) => lend(connection), { discard: true })

  const runTogether = Effect.fnUntraced(function* (
    connection: SqlConnection.Connection,
    writes: ReadonlyArray<PendingWrite>
  ) {
    yield* connection.execute(beginImmediate, [], undefined)
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
    const writes = pendingWrites.slice(0, maxWritesPerCommit)
    pendingWrites = pendingWrites.slice(maxWritesPerCommit)
    isFlushScheduled = false
    if (pendingWrites.length > 0) scheduleFlush(context)
    return writes
  }

  const flush = (context: Context.Context<never>) =>
    borrower((connection) =>
      Effect.flatMap(nextEventLoopTurn, () => {
        const writes = takeWrites(context)
        return writes.length < 2
          ? runSeparately(connection, writes)
          : Effect.catch(runTogether(connection, writes), () =>
              Effect.andThen(Effect.ignore(onCommitFailure(connection)), runSeparately(connection, writes))
            )
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.sync(() => takeWrites(context).forEach(({ fail }) => fail(Exit.failCause(cause))))
      )
    )

  const scheduleFlush = (context: Context.Context<never>) => {
    if (isFlushScheduled) return
    isFlushScheduled = true
    Effect.runForkWith(context)(flush(context))
  }

  return <A, E, R>(f: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>) =>
    Effect.contextWith((context: Context.Context<R>) =>
      Effect.callback<A, E | SqlError.SqlError, R>((resume) => {
        let isInterrupted = false
        let latestExit: Exit.Exit<A, E> | undefined
        let returnConnection = () => {}
        const write: PendingWrite = {
          lend: (connection) =>
            isInterrupted
              ? Effect.void
              : Effect.callback((returned) => {
                  returnConnection = () => returned(Effect.void)
                  resume(Effect.ensuring(f(connection), Effect.sync(returnConnection)))
                }),
          run: (connection) =>
            isInterrupted
              ? Effect.void
              : Effect.exit(f(connection)).pipe(
                  Effect.map((exit) => void (latestExit = exit)),
                  // Runs in the context of the statement's own caller.
                  Effect.updateContext<never, R>(() => context)
                ),
          end: () => resume(latestExit ?? Effect.interrupt),
          fail: resume
        }
        pendingWrites.push(write)
        scheduleFlush(context)
        return Effect.sync(() => {
          isInterrupted = true
          returnConnection()
        })
      })
    )
}
