// src/DataDir.ts: creates the data directory and reads its `.env`.
import { ConfigProvider, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"

/** Replaces Node's recursive mkdir, which loops forever where directories cannot be created, for example in /proc. */
const makeDirectory: (
  directory: string
) => Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (directory) {
    const fs = yield* FileSystem.FileSystem
    const parent = (yield* Path.Path).dirname(directory)
    const create = fs
      .makeDirectory(directory, { mode: 0o700 })
      .pipe(
        Effect.catchReason("PlatformError", "AlreadyExists", (_, error) =>
          Effect.flatMap(fs.stat(directory), ({ type }) => (type === "Directory" ? Effect.void : Effect.fail(error)))
        )
      )
    yield* Effect.catchReason(create, "PlatformError", "NotFound", (_, error) =>
      parent === directory ? Effect.fail(error) : Effect.andThen(makeDirectory(parent), create)
    )
  }
)

/** The largest `.env`, in bytes. */
const maxDotEnv = 1024 * 1024

/** Adds the settings of the data directory's `.env`, if there is one. Reads no pipe and no device, which may never end. */
export const dotEnvLayer = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = `${directory}/.env`
  if (!(yield* fs.exists(path))) return Layer.empty
  const { size, type } = yield* fs.stat(path)
  if (type !== "File" || size > maxDotEnv)
    return yield* new StoreUnusable({ message: `${path} is not a file of settings of at most 1 MB. Remove it` })
  return ConfigProvider.layerAdd(ConfigProvider.fromDotEnv({ path }))
})

/** Creates the data directory, readable by its owner only, and adds the settings of its `.env`. */
export const openDataDir = Effect.fn("openDataDir")(
  function* (directory: string) {
    const fs = yield* FileSystem.FileSystem
    yield* makeDirectory(directory)
    // Earlier versions made these files readable by others. A failure is ignored, because the files may have another
    // owner.
    for (const name of ["overture.db", "overture.db-wal", "overture.db-shm", "secret"]) {
      yield* Effect.ignore(fs.chmod(`${directory}/${name}`, 0o600))
    }
    return yield* dotEnvLayer(directory)
  },
  Effect.catchTag(
    "PlatformError",
    (error) =>
      new StoreUnusable({
        message: `The data directory cannot be used: ${error.message}. Name another with --data-dir`
      })
  )
)
