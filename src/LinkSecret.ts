// src/LinkSecret.ts: the secret that signs links: OVERTURE_SECRET, or a generated one that is stored.
import { Effect, FileSystem, Path, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"
import * as SharedSecret from "#layers/links/SharedSecret.ts"
import { configuredSecret, minSecretLength } from "#src/settings.ts"

/** Creates a file atomically, readable by its owner only. Keeps a file that another process has created. */
const createFile = Effect.fnUntraced(function* (file: string, content: string) {
  const fs = yield* FileSystem.FileSystem
  const temporaryFile = yield* fs.makeTempFileScoped({
    directory: (yield* Path.Path).dirname(file),
    prefix: ".secret-"
  })
  yield* fs.writeFileString(temporaryFile, content, { mode: 0o600 })
  yield* fs.chmod(temporaryFile, 0o600)
  yield* fs.link(temporaryFile, file).pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
}, Effect.scoped)

/** The signing secret: OVERTURE_SECRET, or one generated in the data directory, readable by its owner only. */
export const linkSecret = Effect.fn("linkSecret")(
  function* (directory: string) {
    const configured = yield* configuredSecret
    if (configured !== undefined) return configured
    const fs = yield* FileSystem.FileSystem
    const random = yield* SecureRandom.SecureRandom
    const file = `${directory}/secret`
    if (!(yield* fs.exists(file))) yield* createFile(file, Hex.encode(yield* random.randomBytes(32)))
    const stored = (yield* fs.readFileString(file)).trim()
    // With a guessed secret, anyone could sign links to everything.
    if (stored.length < minSecretLength) {
      return yield* new StoreUnusable({
        message: `${file} holds no secret of ${minSecretLength} characters. Remove it to have another made: links signed with it stop working`
      })
    }
    return Redacted.make(stored)
  },
  Effect.provide(SecureRandom.layerWebCrypto),
  Effect.catchTag(
    "PlatformError",
    (error) => new StoreUnusable({ message: `The secret cannot be kept: ${error.message}` })
  )
)

/** The signing secret of several machines: OVERTURE_SECRET, or one generated in their shared database. */
export const sharedLinkSecret = Effect.gen(function* () {
  const configured = yield* configuredSecret
  return configured ?? (yield* SharedSecret.findSharedSecret)
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))
