// layers/lib/Random.ts: buffers random bytes, because a system call for each id costs more than the id.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Bytes per system call. */
const bytesPerDraw = 4096

/** Larger requests bypass the buffer. */
const maxRequestBytes = 64

export const layer = Layer.sync(SecureRandom.SecureRandom, () => {
  let pool: Uint8Array = new Uint8Array()
  let usedBytes = 0
  return SecureRandom.make((size) => {
    if (size > maxRequestBytes) return SecureRandom.randomBytesUnsafe(size)
    if (usedBytes + size > pool.length) {
      pool = SecureRandom.randomBytesUnsafe(bytesPerDraw)
      usedBytes = 0
    }
    const bytes = pool.slice(usedBytes, usedBytes + size)
    // Erases the bytes, because some become secrets.
    pool.fill(0, usedBytes, usedBytes + size)
    usedBytes += size
    return bytes
  })
})
