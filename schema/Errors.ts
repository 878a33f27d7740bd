// schema/Errors.ts: every error of the API, with its status and body.
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { Finding } from "#schema/Findings.ts"

/** The id of the current request, set by `src/http/RequestPipeline.ts`; empty outside a request. */
export const RequestId = Context.Reference<string>("overture/schema/RequestId", {
  defaultValue: () => ""
})

// Set when the body is encoded, so that errors can be created outside a request.
const RequestIdField = Schema.String.annotate({
  description: "The id of this request, also in the header X-Request-Id; quote it when you report a problem"
}).pipe(
  Schema.encode({
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformEffect(() => RequestId)
  }),
  Schema.withConstructorDefault(Effect.succeed(""))
)

/** The body of an error: `{ error, message, request_id }`. `_tag` is for `Effect.catchTag` and is not encoded. */
export const errorFields = <const Code extends string>(code: Code) => ({
  _tag: Schema.tagDefaultOmit(code),
  error: Schema.tag(code).annotate({ description: "What went wrong, for programs" }),
  message: Schema.String.annotate({ description: "What went wrong and what to do, for people" }),
  request_id: RequestIdField
})

export const requestIdExample = "req_019812ab-4f60-7c3e-8d21-5b9a0e6f7c14"

/** Makes an example of an error's body. */
export const errorExample = <const Code extends string>(code: Code, message: string) => ({
  _tag: code,
  error: code,
  message,
  request_id: requestIdExample
})

/** One problem of a request: the path of the field (`options.email_count`) and a message. */
export const Issue = Schema.Struct({
  path: Schema.String.annotate({ description: "The field, as in options.email_count; empty for the whole body" }),
  message: Schema.String.annotate({ description: "What is wrong with it" })
}).annotate({ title: "Issue" })
export type Issue = typeof Issue.Type

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  Schema.Struct({
    ...errorFields("BAD_REQUEST"),
    detail: Schema.optionalKey(
      Schema.Struct({
        issues: Schema.optionalKey(Schema.Array(Issue)).annotate({ description: "Everything that is wrong, at once" }),
        unknown_ids: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
          description: "Selected ids that are not among the options"
        })
      })
    )
  }).annotate({
    title: "BadRequestError",
    description: "The request cannot be read, or a field is missing or not valid",
    examples: [
      {
        ...errorExample("BAD_REQUEST", "options.email_count: must be a whole number from 1 to 4"),
        detail: { issues: [{ path: "options.email_count", message: "must be a whole number from 1 to 4" }] }
      }
    ]
  }),
  { httpApiStatus: 400 }
) {
  /** An error of a rule that the schema cannot express, in the form of a schema error. */
  static readonly at = (path: string, message: string) =>
    new BadRequest({ message: `${path}: ${message}`, detail: { issues: [{ path, message }] } })
}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  Schema.Struct(errorFields("UNAUTHORIZED")).annotate({
    title: "UnauthorizedError",
    description: "The API key is missing, unknown, expired or revoked",
    examples: [errorExample("UNAUTHORIZED", "Send a valid API key, as Authorization: Bearer or as X-API-Key")]
  }),
  { httpApiStatus: 401 }
) {}

/** The details of an insufficient balance. */
export const Shortfall = Schema.Struct({
  required: Schema.Int.annotate({ description: "Credits that the request needs" }),
  available: Schema.Int.annotate({ description: "Available credits, without those held for running work" }),
  payg_enabled: Schema.Boolean.annotate({ description: "Whether pay-as-you-go is on" }),
  pct_of_cap: Schema.Finite.annotate({ description: "How much of the pay-as-you-go cap is used, 0 to 1" })
}).annotate({ title: "Shortfall" })

export class InsufficientCredits extends Schema.Error<InsufficientCredits>("InsufficientCredits")(
  Schema.Struct({ ...errorFields("INSUFFICIENT_CREDITS"), detail: Shortfall }).annotate({
    title: "InsufficientCreditsError",
    description: "Neither credits nor pay-as-you-go cover the cost",
    examples: [
      {
        ...errorExample("INSUFFICIENT_CREDITS", "This takes 120 credits; 40 are available"),
        detail: { required: 120, available: 40, payg_enabled: false, pct_of_cap: 0 }
      }
    ]
  }),
  { httpApiStatus: 402 }
) {}

export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  Schema.Struct({
    ...errorFields("FORBIDDEN"),
    detail: Schema.optionalKey(
      Schema.Struct({
        reason: Schema.Literal("campaign_build_limit"),
        limit: Schema.Int.annotate({ description: "Campaign builds the plan allows in a period" }),
        used: Schema.Int.annotate({ description: "Campaign builds of this period" })
      })
    ).annotate({ description: "Only where the limit of the plan is the reason" })
  }).annotate({
    title: "ForbiddenError",
    description: "The key lacks the scope, the campaign is another workspace's, or the plan allows no more",
    examples: [errorExample("FORBIDDEN", "This key lacks the scope campaigns:write")]
  }),
  { httpApiStatus: 403 }
) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(
  Schema.Struct(errorFields("NOT_FOUND")).annotate({
    title: "NotFoundError",
    description: "Nothing of this id is in the workspace",
    examples: [errorExample("NOT_FOUND", "No such list in this workspace")]
  }),
  { httpApiStatus: 404 }
) {
  static readonly of = (kind: string) => new NotFound({ message: `No such ${kind} in this workspace` })
}

/** The errors of every endpoint on a campaign: the campaign is another workspace's, or does not exist. */
export const campaignErrors = [Forbidden, NotFound] as const

export class NotReady extends Schema.Error<NotReady>("NotReady")(
  Schema.Struct({
    ...errorFields("NOT_READY"),
    detail: Schema.optionalKey(
      Schema.Struct({
        missing: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
          description: "The steps that must be completed first"
        }),
        processing_status: Schema.optionalKey(Schema.String).annotate({ description: "The status of the list" })
      })
    )
  }).annotate({
    title: "NotReadyError",
    description: "Something else has to be done or finished first",
    examples: [
      {
        ...errorExample("NOT_READY", "Submit the steps in detail.missing before value propositions are generated"),
        detail: { missing: ["social_proof", "lead_magnet"] }
      }
    ]
  }),
  { httpApiStatus: 409 }
) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  Schema.Struct({
    ...errorFields("CONFLICT"),
    detail: Schema.optionalKey(
      Schema.Struct({ processing_status: Schema.String.annotate({ description: "The status of the list" }) })
    )
  }).annotate({
    title: "ConflictError",
    description: "A list is in work, or the Idempotency-Key is in use or was sent with another body",
    examples: [errorExample("CONFLICT", "This Idempotency-Key was sent with another body before")]
  }),
  { httpApiStatus: 409 }
) {}

export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(
  Schema.Struct(errorFields("UNPROCESSABLE")).annotate({
    title: "UnprocessableError",
    description: "Well-formed, but not possible in the current state",
    examples: [errorExample("UNPROCESSABLE", "This list has no pending batch")]
  }),
  { httpApiStatus: 422 }
) {}

export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(
  Schema.Struct(errorFields("RATE_LIMITED")).annotate({
    title: "RateLimitedError",
    description: "Too many requests; wait as long as Retry-After says",
    examples: [errorExample("RATE_LIMITED", "Too many requests; try again in 2 s")]
  }),
  { httpApiStatus: 429 }
) {}

/** The operator's mail server did not accept the mail; the request can be retried. */
export class MailUnavailable extends Schema.Error<MailUnavailable>("MailUnavailable")(
  Schema.Struct(errorFields("MAIL_UNAVAILABLE")).annotate({
    title: "MailUnavailableError",
    description: "The mail server of this Overture server does not take the mail now",
    examples: [
      errorExample("MAIL_UNAVAILABLE", "The mail server could not be reached (ECONNREFUSED). Nothing was sent")
    ]
  }),
  { httpApiStatus: 503 }
) {}

export class WorkspaceLimit extends Schema.Error<WorkspaceLimit>("WorkspaceLimit")(
  Schema.Struct(errorFields("WORKSPACE_LIMIT")).annotate({
    title: "WorkspaceLimitError",
    description: "A quota of the plan is used up: batches at once, storage, or documents imported",
    examples: [
      errorExample("WORKSPACE_LIMIT", "The plan allows 5 lists in work at once; wait until one of them is done")
    ]
  }),
  { httpApiStatus: 429 }
) {}

/** The cause of failed writing, for programs. */
export const Failure = Schema.Struct({
  reason: Schema.Literals(["model_unreachable", "model_refused", "rules", "fault"]).annotate({
    description:
      "`model_unreachable`: the model server is down, slow or set up wrongly. `model_refused`: it gave no answer that can be used. `rules`: what it wrote fails the checks. `fault`: an error of this server"
  }),
  findings: Schema.optionalKey(Schema.Array(Finding)).annotate({
    description: "With `rules`: what the checker reported of the last attempt"
  })
}).annotate({ title: "Failure" })
export type Failure = typeof Failure.Type

/** The cause of failed work with a model. */
export const OptionalFailure = Schema.optionalKey(Failure).annotate({
  description: "Why nothing was made, for programs; only where the work gave a reason"
})

export class InternalError extends Schema.Error<InternalError>("InternalError")(
  Schema.Struct({
    ...errorFields("INTERNAL_ERROR"),
    detail: OptionalFailure
  }).annotate({
    title: "InternalError",
    description: "Something broke on the server's side; try again, with growing pauses",
    examples: [errorExample("INTERNAL_ERROR", "Something broke on our side; try again later")]
  }),
  { httpApiStatus: 500 }
) {
  /** Only a `fault` is a bug of this server to report; the caller or the operator can fix the other causes. */
  static readonly notWritten = (message: string, failure: Failure | null) =>
    failure === null
      ? new InternalError({ message })
      : new InternalError({
          message:
            failure.reason === "fault"
              ? `${message.replace(/\.$/, "")}. Quote the request id when you report it`
              : message,
          detail: failure
        })
}
