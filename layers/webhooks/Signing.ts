// layers/webhooks/Signing.ts: secrets of webhooks and signatures, by Standard Webhooks 1.0.0.
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHmac } from "node:crypto"

const prefix = "whsec_"

/** Bytes of a secret; the standard requires 24 to 64. */
const secretBytes = 32

/** How long a replaced secret also signs, so that receivers have time to change to the new one. */
const overlapMillis = 24 * 60 * 60 * 1000

/** Replaced secrets that sign at the same time; further rotations within a day drop the oldest. */
const maxReplaced = 4

/** Newest first. A replaced secret signs until its expiry, in epoch milliseconds. */
export const Secrets = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ secret: Schema.String, until: Schema.NullOr(Schema.Int) }))
)
export type Secrets = typeof Secrets.Type

export const newSecret: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return prefix + Buffer.from(yield* random.randomBytes(secretBytes)).toString("base64")
})

/**
 * Whether a secret signs at `currentMillis`. An expiry beyond the overlap was stored before the clock was set back, and is
 * ignored.
 */
const isSigning = (until: number | null, currentMillis: number) =>
  until === null || (until > currentMillis && until <= currentMillis + overlapMillis)

/** The secrets with a new one in front; replaced secrets get an expiry. */
export const rotateSecret = (secrets: Secrets, secret: string, timestamp: number): Secrets => [
  { secret, until: null },
  ...secrets
    .filter(({ until }) => isSigning(until, timestamp))
    .map((old) => ({ secret: old.secret, until: old.until ?? timestamp + overlapMillis }))
    .slice(0, maxReplaced)
]

export interface Message {
  readonly id: string
  readonly body: string
}

const sign = (secret: string, seconds: number, { body, id }: Message) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(`${id}.${seconds}.${body}`)
    .digest("base64")}`

/** The headers of one attempt to send a message. */
export const signatureHeaders = (secrets: Secrets, currentMillis: number, message: Message) => {
  const seconds = Math.floor(currentMillis / 1000)
  const signingSecrets = secrets.filter(({ until }) => isSigning(until, currentMillis))
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signingSecrets.map(({ secret }) => sign(secret, seconds, message)).join(" ")
  }
}
