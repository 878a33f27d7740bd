// src/commands/MigrateTo.ts: moves the store of one machine into a database that several share.
import { Console, Context, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { carryOver, NotCarried } from "#layers/database/CarryOver.ts"
import { verify } from "#layers/Verify.ts"
import * as WorkerLock from "#layers/WorkerLock.ts"
import { told } from "#src/commands/Output.ts"
import { directory, print } from "#src/commands/Root.ts"
import { openDataDir } from "#src/DataDir.ts"
import { DatabaseUrl } from "#src/settings.ts"

/** A client for as long as the scope lasts. */
const opened = <E, R>(database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Effect.map(Layer.build(Layer.fresh(database)), (context) => Context.get(context, SqlClient.SqlClient))

export const migrateTo = Command.make(
  "migrate-to",
  {
    url: Argument.String("url").pipe(
      Argument.withSchema(DatabaseUrl),
      Argument.withDescription("An empty database: postgres://user:password@host:5432/database")
    )
  },
  ({ url }) =>
    Effect.gen(function* () {
      const at = yield* directory
      yield* openDataDir(at)
      const source = yield* opened(Database.layer(`${at}/overture.db`))
      // Nobody works on what is being moved.
      yield* Effect.provideService(Layer.build(WorkerLock.layer(at)), SqlClient.SqlClient, source)
      const target = yield* opened(Database.layerPostgres(url))
      const sound = Effect.gen(function* () {
        const broken = (yield* verify).find((check) => !check.ok)
        if (broken === undefined) return
        return yield* new NotCarried({
          message: `The store breaks a rule in its new place: ${broken.name}. Nothing was kept`
        })
      })
      const { rows, tables } = yield* carryOver(
        source,
        target,
        (table, rows) => Console.error(`${table}: ${rows}`),
        sound
      )
      yield* print({ rows, tables }, [
        `Moved ${rows} rows of ${tables} tables; each was read again and compared, and every check of the store is ok.`,
        "Set DATABASE_URL to this database for every server. The old store is as it was: keep it until you are content."
      ])
    }).pipe(Effect.scoped, told)
).pipe(Command.withDescription("Move the store into an empty PostgreSQL database, while no server runs"))
