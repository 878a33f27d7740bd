// layers/Backup.ts: a store as one file, and back: the database as it is at one moment, and what lies beside it.
import { Effect, FileSystem, Path, Schema, Stream } from "effect"
import { Tar } from "effect/encoding"
import { DatabaseSync } from "node:sqlite"

/** A backup could not be made or read; the message says why and what is left. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

const database = "overture.db"

/** What may lie in a data directory beside the database and belongs to the store. */
const beside = /^(?:secret|\.env|outbox\/[\w.-]+\.eml)$/

const ownerOnly = 0o600

const failed = (what: string) =>
  Effect.mapError((error: { readonly message: string }) =>
    error instanceof BackupFailed ? error : new BackupFailed({ message: `${what}: ${error.message}` })
  )

/** A copy of the database as of one moment. It is read, not locked: a server that runs goes on writing. */
const snapshot = (from: string, to: string) =>
  Effect.try({
    try: () => {
      const source = new DatabaseSync(from, { readOnly: true })
      try {
        source.prepare("VACUUM INTO ?").run(to)
      } finally {
        source.close()
      }
    },
    catch: (cause) => new BackupFailed({ message: `The store cannot be read: ${String(cause)}` })
  })

/** Writes the store in `directory` to `file`, which must not be there yet; answers its size in bytes. */
export const backup = Effect.fn("backup")(
  function* (directory: string, file: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* fs.exists(file)) {
      return yield* new BackupFailed({ message: `${file} is there already; a backup overwrites nothing` })
    }
    const copy = `${file}.database`
    const partial = `${file}.partial`
    const remove = (name: string) => Effect.ignore(fs.remove(name, { force: true }))
    yield* Effect.addFinalizer(() => Effect.andThen(remove(copy), remove(partial)))
    yield* remove(copy)
    yield* snapshot(path.join(directory, database), copy)

    const entry = Effect.fnUntraced(function* (name: string, from: string) {
      const { size } = yield* fs.stat(from)
      return Tar.fileStream(name, Number(size), fs.stream(from), { mode: ownerOnly })
    })
    const others = (yield* fs.readDirectory(directory, { recursive: true })).filter((name) => beside.test(name))
    const entries = [
      ...(yield* Effect.forEach(others, (name) => entry(name, path.join(directory, name)))),
      yield* entry(database, copy)
    ]
    yield* Stream.fromIterable(entries).pipe(
      Stream.pipeThroughChannel(Tar.encode()),
      Stream.run(fs.sink(partial, { mode: ownerOnly }))
    )
    yield* fs.rename(partial, file)
    return Number((yield* fs.stat(file)).size)
  },
  Effect.scoped,
  failed("The backup failed")
)

/** Puts a backup into `directory`, which must hold no store; a restore that fails leaves none. */
export const restore = Effect.fn("restore")(
  function* (file: string, directory: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const target = path.join(directory, database)
    // SQLite would play the log of a killed server's database over the one that is restored beside it.
    const log = `${target}-wal`
    if ((yield* fs.exists(target)) || (yield* fs.exists(log))) {
      return yield* new BackupFailed({
        message:
          `${directory} holds a store already, or the log of one; restore into another --data-dir, or move ` +
          `${database} away together with ${path.basename(log)}`
      })
    }
    const partial = `${target}.partial`
    yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(partial, { force: true })))
    yield* fs.stream(file).pipe(
      Stream.pipeThroughChannel(Tar.decode()),
      Stream.mapEffect(
        Effect.fnUntraced(function* ({ body, header }) {
          // Names come from the archive: only those that a backup writes are taken.
          if (header.type !== "File" || (header.path !== database && !beside.test(header.path))) return
          const to = header.path === database ? partial : path.join(directory, header.path)
          yield* fs.makeDirectory(path.dirname(to), { recursive: true, mode: 0o700 })
          yield* Stream.run(body, fs.sink(to, { mode: ownerOnly }))
        })
      ),
      Stream.runDrain
    )
    if (!(yield* fs.exists(partial))) {
      return yield* new BackupFailed({ message: `${file} is not a backup: it holds no database` })
    }
    yield* fs.rename(partial, target)
  },
  Effect.scoped,
  failed("The restore failed")
)
