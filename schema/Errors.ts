// schema/Errors.ts: every error the service can answer with, its status and its body.
import { Context, Effect, Schema, SchemaGetter } from "effect"

/** The id of the request in hand. `src/http/Shell.ts` sets it; outside a request it is empty. */
export const RequestId = Context.Reference<string>("overture/schema/RequestId", {
  defaultValue: () => ""
})

// Filled in as the body is written, so raising an error needs no request in hand.
const RequestIdField = Schema.String.pipe(
  Schema.encode({
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformEffect(() => RequestId)
  }),
  Schema.withConstructorDefault(Effect.succeed(""))
)

/** `{ error, message, request_id }`. `_tag` is for `Effect.catchTag` and never written. */
const envelope = <const Code extends string>(code: Code) => ({
  _tag: Schema.tagDefaultOmit(code),
  error: Schema.tag(code),
  message: Schema.String,
  request_id: RequestIdField
})

/** One thing wrong with a request: where (`options.email_count`) and what, in words. */
export const Issue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type Issue = typeof Issue.Type

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  {
    ...envelope("BAD_REQUEST"),
    detail: Schema.optionalKey(
      Schema.Struct({
        issues: Schema.optionalKey(Schema.Array(Issue)),
        unknown_ids: Schema.optionalKey(Schema.Array(Schema.String))
      })
    )
  },
  { httpApiStatus: 400 }
) {
  /** A rule that the schema alone cannot say, reported as if it did. */
  static readonly at = (path: string, message: string) =>
    new BadRequest({ message: `${path}: ${message}`, detail: { issues: [{ path, message }] } })
}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(envelope("UNAUTHORIZED"), {
  httpApiStatus: 401
}) {}

/** What a refused charge tells: credits asked for, credits there, and how far pay-as-you-go has gone (0 to 1). */
export const Shortfall = Schema.Struct({
  required: Schema.Int,
  available: Schema.Int,
  payg_enabled: Schema.Boolean,
  pct_of_cap: Schema.Finite
})

export class InsufficientCredits extends Schema.Error<InsufficientCredits>("InsufficientCredits")(
  { ...envelope("INSUFFICIENT_CREDITS"), detail: Shortfall },
  { httpApiStatus: 402 }
) {}

export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  {
    ...envelope("FORBIDDEN"),
    detail: Schema.optionalKey(
      Schema.Struct({ reason: Schema.Literal("campaign_build_limit"), limit: Schema.Int, used: Schema.Int })
    )
  },
  { httpApiStatus: 403 }
) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(envelope("NOT_FOUND"), { httpApiStatus: 404 }) {
  static readonly of = (what: string) => new NotFound({ message: `No such ${what} in this workspace` })
}

export class NotReady extends Schema.Error<NotReady>("NotReady")(
  {
    ...envelope("NOT_READY"),
    detail: Schema.optionalKey(
      Schema.Struct({
        missing: Schema.optionalKey(Schema.Array(Schema.String)),
        processing_status: Schema.optionalKey(Schema.String)
      })
    )
  },
  { httpApiStatus: 409 }
) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  {
    ...envelope("CONFLICT"),
    detail: Schema.optionalKey(Schema.Struct({ processing_status: Schema.String }))
  },
  { httpApiStatus: 409 }
) {}

export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(envelope("UNPROCESSABLE"), {
  httpApiStatus: 422
}) {}

export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(envelope("RATE_LIMITED"), {
  httpApiStatus: 429
}) {}

export class WorkspaceLimit extends Schema.Error<WorkspaceLimit>("WorkspaceLimit")(envelope("WORKSPACE_LIMIT"), {
  httpApiStatus: 429
}) {}

export class InternalError extends Schema.Error<InternalError>("InternalError")(envelope("INTERNAL_ERROR"), {
  httpApiStatus: 500
}) {}
