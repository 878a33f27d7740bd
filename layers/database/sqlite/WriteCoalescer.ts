// layers/database/sqlite/WriteCoalescer.ts: concurrent single-statement writes share one COMMIT, because syncing to
// disk takes most of the time. As members of a group commit they would take 2.5 times the CPU time.
import { type Context, Effect, Exit } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { allSockets, begin, type WriteConnection } from "#layers/database/sqlite/WriteConnection.ts"

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
 * Lends the write connection for one statement. Statements that arrive while the first one waits in the queue, and
 * during one pass of the event loop after that, run in one transaction and return after its commit. If the transaction
 * fails, each statement is run alone, so that statements do not affect each other's outcome.
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

  const take = (context: Context.Context<never>) => {
    const writes = waiting.slice(0, maxWritesPerTurn)
    waiting = waiting.slice(maxWritesPerTurn)
    isCalled = false
    if (waiting.length > 0) call(context)
    return writes
  }

  const flush = (context: Context.Context<never>) =>
    borrower((connection) =>
      Effect.flatMap(allSockets, () => {
        const writes = take(context)
        return writes.length < 2
          ? each(connection, writes)
          : Effect.catch(all(connection, writes), () =>
              Effect.andThen(Effect.ignore(onCommitFailure(connection)), each(connection, writes))
            )
      })
    ).pipe(
      Effect.catchCause((cause) => Effect.sync(() => take(context).forEach(({ fail }) => fail(Exit.failCause(cause)))))
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
