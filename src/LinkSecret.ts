// src/LinkSecret.ts: what signs links: OVERTURE_SECRET, or a secret made once and kept with the store.
import { Effect, FileSystem, Path, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { StoreUnusable } from "#layers/database/StoreUnusable.ts"
import * as SharedSecret from "#layers/links/SharedSecret.ts"
import { givenSecret, leastSecret } from "#src/settings.ts"

/** A file of its whole content or none, which the first to make it makes; its owner's alone. */
const createFile = Effect.fnUntraced(function* (file: string, content: string) {
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
    if (!(yield* fs.exists(file))) yield* createFile(file, Hex.encode(yield* random.randomBytes(32)))
    const kept = (yield* fs.readFileString(file)).trim()
    // Anyone who guesses the secret can sign links to everything.
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
  return given ?? (yield* SharedSecret.findSharedSecret)
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))
