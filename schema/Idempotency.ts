// schema/Idempotency.ts: the Idempotency-Key header, which makes retries safe.
import { Schema } from "effect"

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,255}$/, {
    message: "must be 1 to 255 visible ASCII characters",
    toJsonSchema: () => ({ minLength: 1, maxLength: 255 })
  })
)

export const IdempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    IdempotencyKey.annotate({
      description:
        "Any string of visible ASCII characters that is unique to what is asked for. With the same key and body, a retry " +
        "within 24 hours gets the first answer again, marked `Idempotent-Replayed`, and nothing is done twice. Another " +
        "body, or a first request still at work, is a CONFLICT. A request that failed frees its key"
    })
  )
}

/** For endpoints that use the header only with `options.idempotent`; otherwise any value is accepted and ignored. */
export const OptedInIdempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Ignored, unless the body has `options.idempotent`. Then a retry with the same key and body within 24 hours gets " +
        "the first answer again, marked `Idempotent-Replayed`, and makes no second list. Another body, or a first request " +
        "still at work, is a CONFLICT. A request that failed frees its key. 1 to 255 visible ASCII characters"
    })
  )
}

export interface IdempotencyHeaders {
  readonly "idempotency-key"?: string
}
