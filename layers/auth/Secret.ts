// layers/auth/Secret.ts: the format of secrets: a prefix (`ovk_` for API keys), 40 random base62 characters and a
// checksum of 6. Keys, sessions and links have different prefixes, so that none is accepted in place of another.
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefixes = { key: "ovk_", session: "ovs_", link: "ovl_" } as const
export type Kind = keyof typeof prefixes
const prefixLength = 4
/** Digits of base 62 that hold 32 bits. */
const checksumLength = 6
const randomLength = 40
const secretPattern = /^ov[ksl]_[0-9A-Za-z]{46}$/

/** CRC-32 as six base62 digits, so that a mistyped key is refused without a query. */
const checksum = (text: string) => {
  let remainder = crc32(text)
  let digits = ""
  for (let digit = 0; digit < checksumLength; digit++) {
    digits = alphabet.charAt(remainder % 62) + digits
    remainder = Math.floor(remainder / 62)
  }
  return digits
}

/** A secret with its checksum; `body` is the prefix with the random characters. */
export const withChecksum = (body: string) => body + checksum(body)

export const isWellFormed = (secret: string, kind: Kind = "key") =>
  secret.startsWith(prefixes[kind]) &&
  secretPattern.test(secret) &&
  checksum(secret.slice(0, prefixLength + randomLength)) === secret.slice(-checksumLength)

/** The start of a key, which may be shown. */
export const displayPrefix = (secret: string) => secret.slice(0, 8)

export const makeSecret = (kind: Kind): Effect.Effect<Redacted.Redacted, never, SecureRandom.SecureRandom> =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    let body: string = prefixes[kind]
    while (body.length < prefixLength + randomLength) {
      for (const byte of yield* random.randomBytes(64)) {
        // Bytes from 248, the largest multiple of 62, are skipped so that all characters are equally likely.
        if (byte < 248 && body.length < prefixLength + randomLength) body += alphabet.charAt(byte % 62)
      }
    }
    return Redacted.make(withChecksum(body))
  })

export const makeKey = makeSecret("key")
