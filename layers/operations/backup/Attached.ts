// layers/operations/backup/Attached.ts: the files that rows of a database speak of and that lie outside it, in a backup of both.
import { Effect, FileSystem, Path, Sink, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import type { Member } from "#layers/operations/backup/Archive.ts"
import { folder, unavailable } from "#layers/files/InDirectory.ts"
import { isId, type Place } from "#layers/files/Place.ts"

/** What they are called in an archive. */
const name = (id: string) => `${folder}/${id}`
export const isAttached = (member: string) => member.startsWith(`${folder}/`) && isId(member.slice(folder.length + 1))

const opened = <A>(database: string, readOnly: boolean, use: (db: DatabaseSync) => A) => {
  const db = new DatabaseSync(database, { readOnly })
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** A schema of before knows of no files. */
const hasFiles = (db: DatabaseSync) =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'files'").get() !== undefined

/**
 * Copies the files of the database at `copy` into a folder that lasts until the scope closes, so that deleting a file
 * meanwhile does not affect the backup. Files in a bucket are fetched if `bucket` is given, and otherwise stay there.
 * `lost` lists missing files, which may have been deleted after the database was copied.
 */
export const attached = Effect.fnUntraced(function* (directory: string, copy: string, bucket: Place | undefined) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const rows = opened(copy, true, (db) =>
    hasFiles(db)
      ? db.prepare("SELECT id, place FROM files WHERE state = 'kept' AND place <> 'database' ORDER BY id").all()
      : []
  )
  const wanted = rows.map(({ id, place }) => ({ id: String(id), place: String(place) }))
  const staging = path.join(directory, `.backup-${randomUUID()}`)
  yield* Effect.acquireRelease(Effect.orDie(fs.makeDirectory(staging, { mode: 0o700 })), () =>
    Effect.ignore(fs.remove(staging, { recursive: true, force: true }))
  )
  const members: Array<Member> = []
  const lost: Array<string> = []
  for (const { id, place } of wanted) {
    const source = place === "s3" ? bucket : path.join(directory, folder, id)
    if (source === undefined) continue
    const to = path.join(staging, id)
    const found = yield* typeof source === "string" ? link(source, to) : fetched(source, id, to)
    if (found) members.push({ name: name(id), path: to })
    else lost.push(id)
  }
  return { members, lost }
})

const fetched = Effect.fnUntraced(function* (bucket: Place, id: string, to: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Stream.run(bucket.read(id), Sink.mapError(fs.sink(to, { mode: 0o600 }), unavailable)).pipe(
    Effect.as(true),
    Effect.catchTag("FileMissing", () => Effect.succeed(false))
  )
})

/** A link costs nothing; a file system that has none gets a copy. */
const link = Effect.fnUntraced(function* (from: string, to: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.link(from, to).pipe(
    Effect.catchTag("PlatformError", () => fs.copyFile(from, to)),
    Effect.as(true),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
    Effect.orDie
  )
})

/**
 * Tells the restored database that these files lie in its own folder now. What was under way in a bucket is forgotten:
 * it belongs to the store that the backup was made of.
 */
export const adopt = (database: string, members: ReadonlyArray<string>) =>
  Effect.sync(() =>
    opened(database, false, (db) => {
      if (!hasFiles(db)) return
      db.exec("BEGIN; DELETE FROM files WHERE place = 's3' AND state <> 'kept'")
      const move = db.prepare("UPDATE files SET place = 'directory' WHERE id = ?")
      for (const member of members) move.run(member.slice(folder.length + 1))
      db.exec("COMMIT")
    })
  )
