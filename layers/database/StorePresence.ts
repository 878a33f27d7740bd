// layers/database/StorePresence.ts: checks whether a data directory has a database, or had one earlier.
import { Effect, FileSystem, type PlatformError } from "effect"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"

const database = "overture.db"

const fileSize = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(file).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(0))
  )
})

const toStoreUnusable = Effect.mapError((error: StoreUnusable | PlatformError.PlatformError) =>
  error instanceof StoreUnusable
    ? error
    : new StoreUnusable({
        message: `The data directory cannot be used: ${error.message}. Name another with --data-dir`
      })
)

/** Whether there is a database; a file of 0 bytes does not count. */
export const hasStore = (directory: string) => Effect.map(fileSize(`${directory}/${database}`), (size) => size > 0)

/** Fails if the directory holds no store; for commands that must not create one. */
export const requireStore = Effect.fnUntraced(function* (directory: string) {
  if (yield* toStoreUnusable(hasStore(directory))) return
  return yield* new StoreUnusable({
    message: `There is no store in ${directory}: ${database} is missing or empty. Name the folder of the store with --data-dir`
  })
})

/** Fails if the directory does not exist; for commands that must not create one. */
export const requireDirectory = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* toStoreUnusable(
    Effect.catchReason(fs.stat(directory), "PlatformError", "NotFound", () => requireStore(directory))
  )
})

/** Files that exist only in the directory of a database. */
const storeTraces = ["secret", "outbox", "files", "backups", `${database}-wal`]

/** Fails if the database of a data directory is missing: a new one must not replace it. */
export const refuseLostStore = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* toStoreUnusable(hasStore(directory))) return
  const remainingTraces = yield* toStoreUnusable(
    Effect.filter(storeTraces, (name) =>
      Effect.gen(function* () {
        const path = `${directory}/${name}`
        if (!(yield* fs.exists(path))) return false
        const { size, type } = yield* fs.stat(path)
        return type === "Directory" ? (yield* fs.readDirectory(path)).length > 0 : size > 0
      })
    )
  )
  // Another process may have just created the database, which is the first file it creates.
  if (remainingTraces.length === 0 || (yield* toStoreUnusable(hasStore(directory)))) return
  return yield* new StoreUnusable({
    message:
      `The database of the store in ${directory} is lost: ${database} is missing or empty beside ${remainingTraces.join(", ")}. ` +
      `Put it back, or restore a backup into an empty folder; to begin a new store here, move ${remainingTraces.join(", ")} away`
  })
})
