// layers/operations/Backup.ts: backs up a data directory to one file and restores it: a snapshot of the database, and
// the other files.
import { Effect, FileSystem, Path, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import * as Archive from "#layers/operations/backup/Archive.ts"
import { adoptFiles, copyAttachedFiles, isAttached } from "#layers/operations/backup/AttachedFiles.ts"
import { hasStore } from "#layers/database/StorePresence.ts"
import type { StorageBackend } from "#layers/files/StorageBackend.ts"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { formatMegabytes } from "#layers/lib/Megabytes.ts"
import { readSchemaVersion } from "#layers/database/migrations/Version.ts"

/** The backup could not be made or read. The message gives the reason and what remains. */
class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

const database = "overture.db"

/** Files in a data directory, other than the database, that belong to a backup. */
const includedFilePattern = /^(?:secret|\.env|outbox\/\w[\w.-]*\.eml)$/

/** If a file is missing in two snapshots, it is lost; otherwise it was deleted meanwhile. */
const maxSnapshotAttempts = 2

const toBackupFailed = (action: string) =>
  Effect.mapError((error: { readonly message: string }) =>
    error instanceof BackupFailed ? error : new BackupFailed({ message: `${action}: ${error.message}` })
  )

/** The result code SQLITE_FULL. */
const diskFullCode = 13
const isDiskFull = (cause: unknown) => cause instanceof Error && "errcode" in cause && cause.errcode === diskFullCode

/** A copy of the database at one moment. Takes no lock, so a running server can write meanwhile. */
const snapshot = Effect.fnUntraced(function* (sourcePath: string, targetPath: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const source = yield* Effect.acquireRelease(
    Effect.try({
      try: () => new DatabaseSync(sourcePath, { readOnly: true, timeout: 5000 }),
      catch: (cause) => new BackupFailed({ message: `The store cannot be read: ${String(cause)}` })
    }),
    (source) => Effect.sync(() => source.close())
  )
  const makeNoRoomError = (details: string) =>
    new BackupFailed({
      message: `There is no room for the backup beside ${targetPath}${details}; write it to another disk`
    })
  const size = Number((yield* fs.stat(sourcePath)).size)
  // For the copy, and for the archive that contains it.
  const neededBytes = 2 * size
  const freeBytes = yield* (yield* FreeSpace)(path.dirname(targetPath))
  if (freeBytes < neededBytes) {
    return yield* makeNoRoomError(
      `: it takes ${formatMegabytes(neededBytes)} while it is made, and ${formatMegabytes(freeBytes)} are free`
    )
  }
  // Creates the file first, because SQLite would make it readable for everyone.
  yield* fs.writeFile(targetPath, new Uint8Array(), { flag: "wx", mode: 0o600 })
  yield* Effect.try({
    try: () => source.prepare("VACUUM INTO ?").run(targetPath),
    catch: (cause) =>
      isDiskFull(cause) ? makeNoRoomError("") : new BackupFailed({ message: `It cannot be read: ${String(cause)}` })
  })
}, Effect.scoped)

/**
 * Writes the data in `directory` to `file`, which must not exist; returns its size in bytes. Includes the files in
 * `bucket` if it is given.
 */
export const backup = Effect.fn("backup")(
  function* (directory: string, file: string, bucket?: StorageBackend) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const databasePath = path.join(directory, database)
    if (!(yield* hasStore(directory))) return yield* new BackupFailed({ message: `There is no store in ${directory}` })
    if (yield* fs.exists(file)) {
      return yield* new BackupFailed({ message: `${file} is there already; a backup overwrites nothing` })
    }
    // Fails if a newer program has migrated the database.
    yield* readSchemaVersion(databasePath)
    const copyPath = `${file}.database`
    const partialPath = `${file}.partial`
    const remove = (name: string) => Effect.ignore(fs.remove(name, { force: true }))
    yield* Effect.addFinalizer(() => Effect.andThen(remove(copyPath), remove(partialPath)))
    yield* Effect.andThen(remove(copyPath), remove(partialPath))
    const files = yield* Effect.gen(function* () {
      yield* remove(copyPath)
      yield* snapshot(databasePath, copyPath)
      return yield* copyAttachedFiles(directory, copyPath, bucket)
    }).pipe(Effect.repeat({ until: ({ lost }) => lost.length === 0, times: maxSnapshotAttempts - 1 }))
    if (files.lost.length > 0) yield* Effect.logWarning("Files are lost and not in the backup", { files: files.lost })

    const includedNames = (yield* fs.readDirectory(directory, { recursive: true })).filter((name) =>
      includedFilePattern.test(name)
    )
    // Ignores outbox mails that are deleted meanwhile.
    const existingNames = yield* Effect.filter(includedNames, (name) => fs.exists(path.join(directory, name)))
    yield* Archive.write(
      [
        ...existingNames.map((name) => ({ name, path: path.join(directory, name) })),
        ...files.members,
        { name: database, path: copyPath }
      ],
      partialPath
    )
    // A link, because a rename would overwrite a file created there meanwhile.
    yield* fs.link(partialPath, file).pipe(Effect.catchTag("PlatformError", () => fs.rename(partialPath, file)))
    return Number((yield* fs.stat(file)).size)
  },
  Effect.scoped,
  toBackupFailed("The backup failed")
)

/** Files that decide how a server runs and how its links are signed. */
const settingFiles = ["secret", ".env"]

/** The setting files of the archive that differ from those in `directory`. */
const findReplaced = Effect.fnUntraced(function* (directory: string, members: ReadonlyArray<Archive.Member>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const settings = members.filter(({ name }) => settingFiles.includes(name))
  const differing = yield* Effect.filter(settings, ({ name, path: sourcePath }) =>
    Effect.gen(function* () {
      const existingPath = path.join(directory, name)
      return (
        (yield* fs.exists(existingPath)) &&
        (yield* fs.readFileString(existingPath)) !== (yield* fs.readFileString(sourcePath))
      )
    })
  )
  return differing.map(({ name }) => name)
})

/**
 * Restores a backup into `directory`, which must not have a database. A failed restore leaves nothing behind. An
 * existing `secret` or `.env` is only replaced with `replace`. Returns the setting files that were restored.
 */
export const restore = Effect.fn("restore")(
  function* (file: string, directory: string, replace = false) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const target = path.join(directory, database)
    // SQLite would apply an existing write-ahead log to the restored database.
    const log = `${target}-wal`
    if ((yield* fs.exists(target)) || (yield* fs.exists(log))) {
      return yield* new BackupFailed({
        message:
          `${directory} holds a store already, or the log of one; restore into another --data-dir, or move ` +
          `${database} away together with ${path.basename(log)}`
      })
    }
    const staging = path.join(directory, `.restore-${randomUUID()}`)
    yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(staging, { recursive: true, force: true })))
    yield* fs.makeDirectory(staging, { mode: 0o700 })
    const members = yield* Archive.read(
      file,
      staging,
      (name) => name === database || includedFilePattern.test(name) || isAttached(name)
    )
    const restoredDatabase = members.find(({ name }) => name === database)
    if (restoredDatabase === undefined) {
      return yield* new BackupFailed({ message: `${file} is not a backup: it holds no database` })
    }
    const differing = replace ? [] : yield* findReplaced(directory, members)
    if (differing.length > 0) {
      const names = differing.join(" and ")
      return yield* new BackupFailed({
        message:
          `${directory} holds a different ${names}, which the archive would replace. Restore into an empty --data-dir, ` +
          `move ${differing.length === 1 ? "it" : "them"} away, or give --replace-settings to take the archive's`
      })
    }
    yield* readSchemaVersion(restoredDatabase.path)
    yield* adoptFiles(restoredDatabase.path, members.map(({ name }) => name).filter(isAttached))
    // The database is moved last, so that an interrupted restore leaves none.
    for (const { name, path: sourcePath } of [...members.filter(({ name }) => name !== database), restoredDatabase]) {
      const targetPath = path.join(directory, name)
      yield* fs.makeDirectory(path.dirname(targetPath), { recursive: true, mode: 0o700 })
      yield* fs.rename(sourcePath, targetPath)
    }
    return settingFiles.filter((name) => members.some((member) => member.name === name))
  },
  Effect.scoped,
  toBackupFailed("The restore failed")
)
