// layers/webhooks/Signing.ts: the secrets of webhooks and the signatures made with them, as Standard Webhooks 1.0.0 has them.
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHmac } from "node:crypto"

const prefix = "whsec_"

/** Bytes of a secret; the standard asks for 24 to 64. */
const secretBytes = 32

/** How long a replaced secret still signs, so that receivers can change to the new one meanwhile. */
const overlapMillis = 24 * 60 * 60 * 1000

/** Replaced secrets that sign at a time; more rotations than this within a day end the oldest early. */
const maxReplaced = 4

/** Newest first. A replaced secret signs until its time, in epoch milliseconds. */
export const Secrets = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ secret: Schema.String, until: Schema.NullOr(Schema.Int) }))
)
export type Secrets = typeof Secrets.Type

export const newSecret: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return prefix + Buffer.from(yield* random.randomBytes(secretBytes)).toString("base64")
})

/** Whether a secret signs at a time. An end beyond the overlap was stored before the clock was set back, and is ignored. */
const stillSigns = (until: number | null, at: number) => until === null || (until > at && until <= at + overlapMillis)

/** With a new secret at the front. */
export const rotateSecret = (secrets: Secrets, secret: string, at: number): Secrets => [
  { secret, until: null },
  ...secrets
    .filter(({ until }) => stillSigns(until, at))
    .map((old) => ({ secret: old.secret, until: old.until ?? at + overlapMillis }))
    .slice(0, maxReplaced)
]

export interface Message {
  readonly id: string
  readonly body: string
}

const signature = (secret: string, seconds: number, { body, id }: Message) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(`${id}.${seconds}.${body}`)
    .digest("base64")}`

/** The headers of one attempt to send a message. */
export const signatureHeaders = (secrets: Secrets, at: number, message: Message) => {
  const seconds = Math.floor(at / 1000)
  const valid = secrets.filter(({ until }) => stillSigns(until, at))
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": valid.map(({ secret }) => signature(secret, seconds, message)).join(" ")
  }
}
