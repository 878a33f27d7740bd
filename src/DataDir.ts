// src/DataDir.ts: the folder that everything is kept in.
import { ConfigProvider, Effect, FileSystem, Path, type PlatformError, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { StoreUnusable } from "#layers/database/Unusable.ts"
import * as SharedSecret from "#layers/links/SharedSecret.ts"
import { givenSecret, leastSecret } from "#src/settings.ts"

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

/** What the `.env` in the data directory adds to what is configured, where there is one. */
export const env = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = `${directory}/.env`
  return (yield* fs.exists(path)) ? ConfigProvider.layerAdd(ConfigProvider.fromDotEnv({ path })) : undefined
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

/** A file of its whole content or none, which the first to make it makes; its owner's alone. */
const create = Effect.fnUntraced(function* (file: string, content: string) {
  const fs = yield* FileSystem.FileSystem
  const part = yield* fs.makeTempFileScoped({ directory: (yield* Path.Path).dirname(file), prefix: ".secret-" })
  yield* fs.writeFileString(part, content, { mode: 0o600 })
  yield* fs.chmod(part, 0o600)
  yield* fs.link(part, file).pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
}, Effect.scoped)

/** What signs links: OVERTURE_SECRET, or a secret made once and kept in the data directory for its owner alone. */
export const linkSecret = Effect.fn("linkSecret")(
  function* (directory: string) {
    const given = yield* givenSecret
    if (given !== undefined) return given
    const fs = yield* FileSystem.FileSystem
    const random = yield* SecureRandom.SecureRandom
    const file = `${directory}/secret`
    if (!(yield* fs.exists(file))) yield* create(file, Hex.encode(yield* random.randomBytes(32)))
    const kept = (yield* fs.readFileString(file)).trim()
    // Whoever guesses what signs links can open everything that has one.
    if (kept.length < leastSecret) {
      return yield* new StoreUnusable({
        message: `${file} holds no secret of ${leastSecret} characters. Remove it to have another made: links sent before end with it`
      })
    }
    return Redacted.make(kept)
  },
  Effect.provide(SecureRandom.layerWebCrypto),
  Effect.catchTag(
    "PlatformError",
    (error) => new StoreUnusable({ message: `The secret cannot be kept: ${error.message}` })
  )
)

/** The same of a store that several machines share: OVERTURE_SECRET, or a secret made once and kept in that store. */
export const sharedLinkSecret = Effect.gen(function* () {
  const given = yield* givenSecret
  return given ?? (yield* SharedSecret.find)
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))
