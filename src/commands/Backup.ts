// src/commands/Backup.ts: the store as one file, and back.
import { Effect, FileSystem, Path } from "effect"
import { Argument, Command } from "effect/cli"
import * as Backups from "#layers/operations/Backup.ts"
import { verifyStore } from "#layers/operations/Verify.ts"
import { toggle } from "#src/commands/Flags.ts"
import { fail, told } from "#src/commands/Output.ts"
import { note } from "#src/commands/Remote.ts"
import { directory, print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { env, openDataDir } from "#src/DataDir.ts"
import { databaseUrl } from "#src/settings.ts"
import { filesBucket } from "#src/settings/Services.ts"

const file = Argument.String("file").pipe(Argument.withDescription("The backup file"))

/** What a setting says, where the `.env` of the data directory may be the one to say it. */
const configured = <A, E>(at: string, setting: Effect.Effect<A, E>) =>
  Effect.flatMap(env(at), (added) => Effect.provide(setting, added))

/** What PostgreSQL keeps, its own tools back up: with a server beside, at one moment, and wherever it runs. */
const onlyFiles = Effect.fnUntraced(function* (at: string) {
  if ((yield* configured(at, databaseUrl)) === undefined) return
  return yield* fail(
    "DATABASE_URL is set, and so the store is in PostgreSQL: pg_dump and pg_restore back it up, see docs/guides/backups-and-upgrades.md"
  )
})

export const backup = Command.make("backup", { file }, ({ file }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const at = yield* directory
    yield* told(onlyFiles(at))
    const bytes = yield* told(
      Effect.flatMap(configured(at, filesBucket), (bucket) => Backups.backup(at, path.resolve(file), bucket))
    )
    yield* print({ file, bytes }, [`Wrote ${file}, ${bytes} bytes. It holds the secret: keep it as safe as the store.`])
  })
).pipe(Command.withDescription("Write the whole store to one file, while a server runs or not"))

const replaceSettings = toggle("replace-settings", "Replace a different secret or .env with the archive's")

/** Names of the settings in a `.env`, without their values. */
const settingNames = (text: string) =>
  [...text.matchAll(/^\s*(?:export\s+)?([A-Z_a-z]\w*)\s*=/gm)].map(([, name]) => name)

/** What a server will run under that was somebody else's before. */
const adopted = Effect.fnUntraced(function* (at: string, taken: ReadonlyArray<string>) {
  if (taken.includes("secret")) yield* note("The archive's secret was restored: it signs the links of this store")
  if (!taken.includes(".env")) return
  const names = settingNames(yield* (yield* FileSystem.FileSystem).readFileString(`${at}/.env`))
  yield* note(`The archive's .env was restored; the server runs under its settings: ${names.join(", ")}`)
})

export const restore = Command.make("restore", { file, replaceSettings }, ({ file, replaceSettings: replace }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const at = yield* directory
    yield* told(onlyFiles(at))
    yield* told(openDataDir(at))
    const taken = yield* told(Backups.restore(path.resolve(file), at, replace))
    yield* told(adopted(at, taken))
    // The archive's own settings must not lead the checks to another database.
    yield* told(onlyFiles(at))
    yield* withStore(
      Effect.fnUntraced(function* (directory) {
        const broken = (yield* verifyStore(directory)).filter((check) => !check.ok)
        if (broken.length > 0) return yield* fail(`The restored store is broken: ${broken[0]?.name}`)
      })
    )
    yield* print({ file, restored: true }, [`Restored ${file} to ${at}; every check of the store is ok`])
  })
).pipe(Command.withDescription("Put a backup into an empty data directory, and check it"))
