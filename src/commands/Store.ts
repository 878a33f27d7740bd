// src/commands/Store.ts: opens the database for a command.
import { Cause, Effect, Layer } from "effect"
import type { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { refuseLostStore, requireDirectory, requireStore } from "#layers/database/StorePresence.ts"
import { StorageBackends } from "#layers/Files.ts"
import * as InDirectory from "#layers/files/DirectoryStorage.ts"
import { LinkSecret, PublicUrl } from "#layers/Links.ts"
import { allowAllAddresses, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { asUserError, userError } from "#src/commands/Output.ts"
import { directory } from "#src/commands/Root.ts"
import { openDataDir } from "#src/DataDir.ts"
import { linkSecret, sharedLinkSecret } from "#src/LinkSecret.ts"
import { Logging } from "#src/logging.ts"
import { Services } from "#src/services.ts"
import { databaseUrl, fetchAllowPrivate, publicUrl } from "#src/settings.ts"
import { filesBucket, modelLayer } from "#src/settings/Services.ts"

/** The message of a failed statement: the database is damaged, locked or gone. */
const failedStatement = (cause: Cause.Cause<unknown>) =>
  cause.reasons.flatMap((reason) =>
    Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect) ? [reason.defect.message] : []
  )[0]

/** Reports an unreadable database in one line instead of a stack trace. */
const explainFailedStatement = <A, E, R>(
  command: Effect.Effect<A, E, R>,
  dataDirectory: string
): Effect.Effect<A, E | CliError.UserError, R> =>
  Effect.catchCause(command, (cause): Effect.Effect<never, E | CliError.UserError> => {
    const message = failedStatement(cause)
    return message === undefined
      ? Effect.failCause(cause)
      : Effect.fail(
          userError(
            `The store in ${dataDirectory} cannot be used: ${message}. Run overture verify, or restore a backup`
          )
        )
  })

/**
 * Runs a command on the database of the data directory, whether a server is running or not. Only a command that
 * `creates` creates a missing database.
 */
export const withStore = <A, E extends { readonly message: string }, R>(
  use: (directory: string) => Effect.Effect<A, E, R>,
  { creates = false }: { readonly creates?: boolean } = {}
) =>
  Effect.gen(function* () {
    const dataDirectory = yield* directory
    if (!creates && (yield* databaseUrl) === undefined) yield* requireDirectory(dataDirectory)
    const env = yield* openDataDir(dataDirectory)
    const run = Effect.gen(function* () {
      const url = yield* databaseUrl
      if (url === undefined) yield* creates ? refuseLostStore(dataDirectory) : requireStore(dataDirectory)
      const database = Database.layerOf(dataDirectory, url)
      // The database is opened before the secret is created, because a secret without a database looks like a lost
      // database.
      const secret =
        url === undefined
          ? Layer.provide(Layer.effect(LinkSecret, linkSecret(dataDirectory)), database)
          : Layer.provide(Layer.effect(LinkSecret, sharedLinkSecret), database)
      const bucket = yield* filesBucket
      const configuration = Layer.mergeAll(
        secret,
        Layer.succeed(PublicUrl, yield* publicUrl),
        Layer.succeed(StorageBackends, {
          // Servers that share a database may be on different machines, so files go into the database.
          defaultBackend: bucket !== undefined ? "s3" : url === undefined ? "directory" : "database",
          directory: yield* InDirectory.make(`${dataDirectory}/${InDirectory.folder}`),
          s3: bucket
        }),
        (yield* fetchAllowPrivate) ? Layer.succeed(AddressPolicy, allowAllAddresses) : Layer.empty
      )
      const store = Services.pipe(
        Layer.provideMerge(modelLayer),
        Layer.provideMerge(database),
        Layer.provide(configuration),
        Layer.provideMerge(Logging)
      )
      return yield* explainFailedStatement(use(dataDirectory).pipe(Effect.provide(store)), dataDirectory)
    })
    return yield* Effect.provide(run, env)
  }).pipe(asUserError)
