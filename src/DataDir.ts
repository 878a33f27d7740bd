// src/DataDir.ts: the folder that everything is kept in.
import { ConfigProvider, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"

/** Not Node's own recursion, which never ends where a system such as /proc has no place for a folder. */
const makeDirectory: (
  directory: string
) => Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (directory) {
    const fs = yield* FileSystem.FileSystem
    const parent = (yield* Path.Path).dirname(directory)
    const make = fs
      .makeDirectory(directory, { mode: 0o700 })
      .pipe(
        Effect.catchReason("PlatformError", "AlreadyExists", (_, error) =>
          Effect.flatMap(fs.stat(directory), ({ type }) => (type === "Directory" ? Effect.void : Effect.fail(error)))
        )
      )
    yield* Effect.catchReason(make, "PlatformError", "NotFound", (_, error) =>
      parent === directory ? Effect.fail(error) : Effect.andThen(makeDirectory(parent), make)
    )
  }
)

/** What the `.env` in the data directory adds to what is configured: nothing where there is none. */
export const env = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = `${directory}/.env`
  return (yield* fs.exists(path)) ? ConfigProvider.layerAdd(ConfigProvider.fromDotEnv({ path })) : Layer.empty
})

/** Makes the data directory, readable by its owner alone, and adds the `.env` in it to what is configured. */
export const openDataDir = Effect.fn("openDataDir")(
  function* (directory: string) {
    const fs = yield* FileSystem.FileSystem
    yield* makeDirectory(directory)
    // Those of a store that an earlier version made could be read by others; whose they are not cannot be changed here.
    for (const name of ["overture.db", "overture.db-wal", "overture.db-shm", "secret"]) {
      yield* Effect.ignore(fs.chmod(`${directory}/${name}`, 0o600))
    }
    return yield* env(directory)
  },
  Effect.catchTag(
    "PlatformError",
    (error) =>
      new StoreUnusable({
        message: `The data directory cannot be used: ${error.message}. Name another with --data-dir`
      })
  )
)
