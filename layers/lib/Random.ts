// layers/lib/Random.ts: randomness that is drawn many bytes at a time: to ask the system for each id costs more than the id.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Bytes that are drawn at once. */
const bytesPerDraw = 4096

/** More than this is drawn by itself. */
const maxRequestBytes = 64

export const layer = Layer.sync(SecureRandom.SecureRandom, () => {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  return SecureRandom.make((size) => {
    if (size > maxRequestBytes) return SecureRandom.randomBytesUnsafe(size)
    if (used + size > pool.length) {
      pool = SecureRandom.randomBytesUnsafe(bytesPerDraw)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    // Some become secrets, so the bytes are erased.
    pool.fill(0, used, used + size)
    used += size
    return bytes
  })
})
