// layers/operations/backup/AttachedFiles.ts: copies files stored outside the database into a backup, and restores them.
import { Effect, FileSystem, Path, Sink, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import type { Member } from "#layers/operations/backup/Archive.ts"
import { folder, toFilesUnavailable } from "#layers/files/DirectoryStorage.ts"
import { isFileId, type StorageBackend } from "#layers/files/StorageBackend.ts"

/** The name of a file in an archive. */
const memberName = (id: string) => `${folder}/${id}`
export const isAttached = (member: string) =>
  member.startsWith(`${folder}/`) && isFileId(member.slice(folder.length + 1))

const openDatabase = <A>(database: string, readOnly: boolean, use: (db: DatabaseSync) => A) => {
  const db = new DatabaseSync(database, { readOnly })
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** Databases before migration 0015 have no table of files. */
const hasFiles = (db: DatabaseSync) =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'files'").get() !== undefined

/**
 * Copies the files of the database at `copy` into a folder that exists until the scope closes, so that deletions
 * meanwhile do not affect the backup. Files in a bucket are included only if `bucket` is given. `lost` lists missing
 * files, which may have been deleted after the database was copied.
 */
export const copyAttachedFiles = Effect.fnUntraced(function* (
  directory: string,
  copy: string,
  bucket: StorageBackend | undefined
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const rows = openDatabase(copy, true, (db) =>
    hasFiles(db)
      ? db.prepare("SELECT id, place FROM files WHERE state = 'kept' AND place <> 'database' ORDER BY id").all()
      : []
  )
  const filesToCopy = rows.map(({ id, place }) => ({ id: String(id), place: String(place) }))
  const staging = path.join(directory, `.backup-${randomUUID()}`)
  yield* Effect.acquireRelease(Effect.orDie(fs.makeDirectory(staging, { mode: 0o700 })), () =>
    Effect.ignore(fs.remove(staging, { recursive: true, force: true }))
  )
  const members: Array<Member> = []
  const lost: Array<string> = []
  for (const { id, place } of filesToCopy) {
    const source = place === "s3" ? bucket : path.join(directory, folder, id)
    if (source === undefined) continue
    const targetPath = path.join(staging, id)
    const isCopied = yield* typeof source === "string"
      ? linkOrCopy(source, targetPath)
      : fetchFile(source, id, targetPath)
    if (isCopied) members.push({ name: memberName(id), path: targetPath })
    else lost.push(id)
  }
  return { members, lost }
})

const fetchFile = Effect.fnUntraced(function* (bucket: StorageBackend, id: string, targetPath: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Stream.run(
    bucket.read(id),
    Sink.mapError(fs.sink(targetPath, { mode: 0o600 }), toFilesUnavailable)
  ).pipe(
    Effect.as(true),
    Effect.catchTag("FileMissing", () => Effect.succeed(false))
  )
})

/** A hard link is free; a file system without hard links needs a copy. */
const linkOrCopy = Effect.fnUntraced(function* (sourcePath: string, targetPath: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.link(sourcePath, targetPath).pipe(
    Effect.catchTag("PlatformError", () => fs.copyFile(sourcePath, targetPath)),
    Effect.as(true),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
    Effect.orDie
  )
})

/**
 * Records in the restored database that these files are in its own folder. Unfinished files in a bucket are dropped,
 * because they belong to the original database.
 */
export const adoptFiles = (database: string, members: ReadonlyArray<string>) =>
  Effect.sync(() =>
    openDatabase(database, false, (db) => {
      if (!hasFiles(db)) return
      db.exec("BEGIN; DELETE FROM files WHERE place = 's3' AND state <> 'kept'")
      const moveToDirectory = db.prepare("UPDATE files SET place = 'directory' WHERE id = ?")
      for (const member of members) moveToDirectory.run(member.slice(folder.length + 1))
      db.exec("COMMIT")
    })
  )
