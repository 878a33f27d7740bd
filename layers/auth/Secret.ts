// layers/auth/Secret.ts: the form of an API key: `ovk_`, 40 random base62 characters, 6 characters of checksum.
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const start = "ovk_"
const randomLength = 40
const form = /^ovk_[0-9A-Za-z]{46}$/

/** CRC-32 in base62: a mistyped key is known for one without asking the store. */
const checksum = (text: string) => {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The secret of 40 random characters behind `ovk_`. */
export const withChecksum = (body: string) => body + checksum(body)

export const isWellFormed = (secret: string) =>
  form.test(secret) && checksum(secret.slice(0, start.length + randomLength)) === secret.slice(-6)

/** What of a key may be shown again. */
export const prefixOf = (secret: string) => secret.slice(0, 8)

export const make: Effect.Effect<Redacted.Redacted, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  let body = start
  while (body.length < start.length + randomLength) {
    for (const byte of yield* random.randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte; beyond it the first letters would come up more often.
      if (byte < 248 && body.length < start.length + randomLength) body += alphabet.charAt(byte % 62)
    }
  }
  return Redacted.make(withChecksum(body))
})
