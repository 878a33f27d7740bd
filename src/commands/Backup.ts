// src/commands/Backup.ts: backs up the data directory to one file, and restores it.
import { Effect, FileSystem, Path } from "effect"
import { Argument, Command } from "effect/cli"
import * as Backups from "#layers/operations/Backup.ts"
import { verifyStore } from "#layers/operations/Verify.ts"
import { toggle } from "#src/commands/Flags.ts"
import { asUserError, userError } from "#src/commands/Output.ts"
import { printNote } from "#src/commands/Remote.ts"
import { directory, print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { dotEnvLayer, openDataDir } from "#src/DataDir.ts"
import { databaseUrl } from "#src/settings.ts"
import { filesBucket } from "#src/settings/Services.ts"

const file = Argument.String("file").pipe(Argument.withDescription("The backup file"))

/** The value of a setting, which may come from the data directory's `.env`. */
const readSetting = <A, E>(dataDirectory: string, setting: Effect.Effect<A, E>) =>
  Effect.flatMap(dotEnvLayer(dataDirectory), (environment) => Effect.provide(setting, environment))

/** Fails if the database is in PostgreSQL, which has its own backup tools. */
const refusePostgres = Effect.fnUntraced(function* (dataDirectory: string) {
  if ((yield* readSetting(dataDirectory, databaseUrl)) === undefined) return
  return yield* userError(
    "DATABASE_URL is set, and so the store is in PostgreSQL: pg_dump and pg_restore back it up, see docs/guides/backups-and-upgrades.md"
  )
})

export const backup = Command.make("backup", { file }, ({ file }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const dataDirectory = yield* directory
    yield* asUserError(refusePostgres(dataDirectory))
    const bytes = yield* asUserError(
      Effect.flatMap(readSetting(dataDirectory, filesBucket), (bucket) =>
        Backups.backup(dataDirectory, path.resolve(file), bucket)
      )
    )
    yield* print({ file, bytes }, [`Wrote ${file}, ${bytes} bytes. It holds the secret: keep it as safe as the store.`])
  })
)

const replaceSettings = toggle("replace-settings", "Replace a different secret or .env with the archive's")

/** Names of the settings in a `.env`, without their values. */
const settingNames = (text: string) =>
  [...text.matchAll(/^\s*(?:export\s+)?([A-Z_a-z]\w*)\s*=/gm)].map(([, name]) => name)

/** Names the settings in the restored `.env`, because the server will run under them. */
const reportRestoredSettings = Effect.fnUntraced(function* (
  dataDirectory: string,
  replacedFiles: ReadonlyArray<string>
) {
  if (replacedFiles.includes("secret"))
    yield* printNote("The archive's secret was restored: it signs the links of this store")
  if (!replacedFiles.includes(".env")) return
  const names = settingNames(yield* (yield* FileSystem.FileSystem).readFileString(`${dataDirectory}/.env`))
  yield* printNote(`The archive's .env was restored; the server runs under its settings: ${names.join(", ")}`)
})

export const restore = Command.make("restore", { file, replaceSettings }, ({ file, replaceSettings: replace }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const dataDirectory = yield* directory
    yield* asUserError(refusePostgres(dataDirectory))
    yield* asUserError(openDataDir(dataDirectory))
    const replacedFiles = yield* asUserError(Backups.restore(path.resolve(file), dataDirectory, replace))
    yield* asUserError(reportRestoredSettings(dataDirectory, replacedFiles))
    // Fails if the restored settings would run the checks on another database.
    yield* asUserError(refusePostgres(dataDirectory))
    yield* withStore(
      Effect.fnUntraced(function* (directory) {
        const failedChecks = (yield* verifyStore(directory)).filter((check) => !check.ok)
        if (failedChecks.length > 0) return yield* userError(`The restored store is broken: ${failedChecks[0]?.name}`)
      })
    )
    yield* print({ file, restored: true }, [`Restored ${file} to ${dataDirectory}; every check of the store is ok`])
  })
)
