// layers/links/SharedSecret.ts: the secret for signed links, shared by all machines of a database.
import { Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { SqlClient, SqlSchema } from "effect/sql"

const secretName = "links"

/** Stores this secret, unless there is one. */
export const storeSharedSecret = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    INSERT INTO secrets (name, value) VALUES (${secretName}, ${Redacted.value(secret)}) ON CONFLICT DO NOTHING`)
})

/** Returns the stored secret; creates it on first use. */
export const findSharedSecret = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const findStored = SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: Schema.Struct({ value: Schema.RedactedFromValue(Schema.String) }),
    execute: () => sql`SELECT value FROM secrets WHERE name = ${secretName}`
  })
  const found = yield* Effect.orDie(findStored())
  if (Option.isSome(found)) return found.value.value
  yield* storeSharedSecret(Redacted.make(Hex.encode(yield* Effect.orDie(random.randomBytes(32)))))
  return (yield* Effect.orDie(Effect.flatMap(findStored(), Effect.fromOption))).value
})
