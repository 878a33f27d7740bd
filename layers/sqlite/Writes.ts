// layers/sqlite/Writes.ts: writes that come at the same time share a commit, since to bring one to the disk is what takes
// the time.
import { type Context, Effect, Exit } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { allSockets, begin, type Lane } from "#layers/sqlite/Lane.ts"

/** More would keep everybody else waiting. */
const most = 100

interface Write {
  /** Has whoever wanted it do it, and waits for that. */
  readonly lend: (connection: SqlConnection.Connection) => Effect.Effect<void>
  /** Does it for them. They are told nothing yet, as it may have to be done again. */
  readonly run: (connection: SqlConnection.Connection) => Effect.Effect<void>
  /** Tells what came of the latest run. */
  readonly end: () => void
  readonly fail: (exit: Exit.Exit<never, SqlError.SqlError>) => void
}

/**
 * Lends the lane's connection for one statement. Those that are asked for while it waits for its turn, and then for every
 * socket to be looked at, are run in one transaction, and each ends when that is committed. Where it cannot be, each is
 * run by itself: what becomes of one never depends on another.
 */
export const together = ({ borrower, isTransaction, onCommitFailure }: Lane): SqlConnection.Borrower => {
  let waiting: Array<Write> = []
  let isCalled = false

  const each = (connection: SqlConnection.Connection, writes: ReadonlyArray<Write>) =>
    Effect.forEach(writes, ({ lend }) => lend(connection), { discard: true })

  const all = Effect.fnUntraced(function* (connection: SqlConnection.Connection, writes: ReadonlyArray<Write>) {
    yield* connection.execute(begin, [], undefined)
    for (const write of writes) {
      yield* write.run(connection)
      // SQLite may undo all of it for an error of one. What came next would be committed by itself, and then again.
      if (!isTransaction()) return yield* Effect.fail("undone" as const)
    }
    yield* connection.execute("COMMIT", [], undefined)
    for (const { end } of writes) end()
  })

  const take = (context: Context.Context<never>) => {
    const writes = waiting.slice(0, most)
    waiting = waiting.slice(most)
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
                  // It goes by what its own caller has set, whoever called first.
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
