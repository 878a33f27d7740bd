// schema/Idempotency.ts: the header that makes a retry safe.
import { Schema } from "effect"

/**
 * With the same key and body, a retry within 24 hours gets the first answer again, marked `Idempotent-Replayed: true`,
 * and nothing is done twice. A run that failed frees its key.
 */
export const IdempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{1,255}$/, { message: "must be 1 to 255 visible ASCII characters" })
    ).annotate({ description: "Any string that is unique to what is asked for" })
  )
}

export interface IdempotencyHeaders {
  readonly "idempotency-key"?: string
}
