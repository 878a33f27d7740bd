// layers/database/Presence.ts: whether a data directory holds the database of a store, and whether it did before.
import { Effect, FileSystem, type PlatformError } from "effect"
import { StoreUnusable } from "#layers/database/Unusable.ts"

const database = "overture.db"

const sizeOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(file).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(0))
  )
})

const unusable = Effect.mapError((error: StoreUnusable | PlatformError.PlatformError) =>
  error instanceof StoreUnusable
    ? error
    : new StoreUnusable({
        message: `The data directory cannot be used: ${error.message}. Name another with --data-dir`
      })
)

/** Whether there is a database; a file of 0 bytes is none. */
export const holdsStore = (directory: string) => Effect.map(sizeOf(`${directory}/${database}`), (size) => size > 0)

/** Refuses a directory without a store, for a command that must not create one. */
export const requireStore = Effect.fnUntraced(function* (directory: string) {
  if (yield* unusable(holdsStore(directory))) return
  return yield* new StoreUnusable({
    message: `There is no store in ${directory}: ${database} is missing or empty. Name the folder of the store with --data-dir`
  })
})

/** Refuses a directory that is not there, for a command that must not create one. */
export const requireDirectory = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* unusable(Effect.catchReason(fs.stat(directory), "PlatformError", "NotFound", () => requireStore(directory)))
})

/** What only a store leaves in its directory. */
const traces = ["secret", "outbox", "files", "backups", `${database}-wal`]

/** Refuses to begin a new store in the directory of one whose database is gone. */
export const refuseLost = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* unusable(holdsStore(directory))) return
  const left = yield* unusable(
    Effect.filter(traces, (name) =>
      Effect.gen(function* () {
        const path = `${directory}/${name}`
        if (!(yield* fs.exists(path))) return false
        const { size, type } = yield* fs.stat(path)
        return type === "Directory" ? (yield* fs.readDirectory(path)).length > 0 : size > 0
      })
    )
  )
  // Another process may have begun the store meanwhile: it makes the database before anything else.
  if (left.length === 0 || (yield* unusable(holdsStore(directory)))) return
  return yield* new StoreUnusable({
    message:
      `The database of the store in ${directory} is lost: ${database} is missing or empty beside ${left.join(", ")}. ` +
      `Put it back, or restore a backup into an empty folder; to begin a new store here, move ${left.join(", ")} away`
  })
})
