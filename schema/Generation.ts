// schema/Generation.ts: asking for emails: for one lead while the caller waits, for many in the background.
import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, BodyRule, RequiredScope } from "#schema/Auth.ts"
import {
  BadRequest,
  Forbidden,
  InsufficientCredits,
  InternalError,
  type Issue,
  NotFound,
  RateLimited,
  WorkspaceLimit
} from "#schema/Errors.ts"
import { Email, Id, name, optional, text } from "#schema/Fields.ts"
import { Lead, Sequence } from "#schema/Lead.ts"

const Cta = text(200)

/** What all who ask for emails may say of them. */
export const writingOptions = {
  /** Lines separated by the two characters `\n`. Exactly one of this and `signature_id`. */
  email_signature: optional(name(5000)),
  signature_id: optional(Schema.String),
  additional_details: optional(text(10_000)),
  /** Deprecated: `additional_details`. */
  campaign_angle: optional(text(10_000)),
  approved_ctas: optional(Schema.Union([Cta, Schema.Array(Cta).check(Schema.isMaxLength(10))])),
  enrichment_enabled: optional(Schema.Boolean)
}

/** What one lead's and a batch's options share. */
const options = {
  email_count: Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: 4 }, { message: "must be a whole number from 1 to 4" })
  ),
  ...writingOptions,
  list_name: optional(name(200)),
  /** Deprecated: `list_name`. */
  sequence_name: optional(name(200))
}

/** Exactly one signature. */
export const signatureIssue = (options: object): Issue | undefined => {
  const has = (field: string) => Predicate.hasProperty(options, field) && options[field] !== null
  const inline = has("email_signature")
  const saved = has("signature_id")
  if (inline && saved) return { path: "signature_id", message: "must not be sent together with email_signature" }
  if (!inline && !saved) return { path: "email_signature", message: "is required unless signature_id is sent" }
  return undefined
}

const rule = Schema.makeFilter((options: object) => {
  const issue = signatureIssue(options)
  return issue && { path: [issue.path], issue: issue.message }
})

const says = (lead: object, field: string) =>
  Predicate.hasProperty(lead, field) && typeof lead[field] === "string" && lead[field].trim() !== ""

/** Leads that research would have nothing to start from, where it is asked for. */
const unresearchable = (body: unknown): ReadonlyArray<Issue> => {
  if (!Predicate.hasProperty(body, "options") || !Predicate.isObject(body.options)) return []
  if (!Predicate.hasProperty(body.options, "enrichment_enabled") || body.options.enrichment_enabled !== true) return []
  const leads = Predicate.hasProperty(body, "leads") && Array.isArray(body.leads) ? body.leads : undefined
  const single = Predicate.hasProperty(body, "lead") ? [body.lead] : []
  return (leads ?? single).flatMap((lead: unknown, at) =>
    !Predicate.isObject(lead) || ["company", "linkedin_url", "company_website"].some((field) => says(lead, field))
      ? []
      : [
          {
            path: leads === undefined ? "lead" : `leads.${at}`,
            message: "must have a company, linkedin_url or company_website for research to start from"
          }
        ]
  )
}

const researchable = Schema.makeFilter((body: object) =>
  unresearchable(body).map(({ message, path }) => ({ path: path.split("."), issue: message }))
)

const ofBody = (body: unknown): ReadonlyArray<Issue> => {
  const issue =
    Predicate.hasProperty(body, "options") && Predicate.isObject(body.options)
      ? signatureIssue(body.options)
      : undefined
  return [
    ...(issue === undefined ? [] : [{ path: `options.${issue.path}`, message: issue.message }]),
    ...unresearchable(body)
  ]
}

export const Options = Schema.Struct(options).check(rule)
export type Options = typeof Options.Type

export const BatchOptions = Schema.Struct({
  ...options,
  notification_email: optional(
    Email.annotate({ description: "Who is sent a mail when the batch is finished; the workspace's owner by default" })
  )
}).check(rule)
export type BatchOptions = typeof BatchOptions.Type

export const maxLeads = 50_000

const params = { id: Id }
const errors = [BadRequest, InsufficientCredits, Forbidden, NotFound, RateLimited] as const

export class GenerationApi extends HttpApiGroup.make("generation")
  .add(
    HttpApiEndpoint.post("generate", "/generate", {
      params,
      payload: Schema.Struct({ lead: Lead, options: Options }).check(researchable),
      success: Schema.Struct({
        lead_id: Schema.String,
        list_id: Id,
        /** Deprecated: `list_id`. */
        sequence_id: Id,
        sequence: Sequence,
        credits_remaining: Schema.Int
      }),
      error: [...errors, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, ofBody),
    HttpApiEndpoint.post("generateBatch", "/generate-batch", {
      params,
      payload: Schema.Struct({
        leads: Schema.Array(Lead).check(
          Schema.isMinLength(1, { message: "must hold at least one lead" }),
          Schema.isMaxLength(maxLeads, { message: `must hold at most ${maxLeads} leads` })
        ),
        options: BatchOptions
      }).check(researchable),
      success: Schema.Struct({
        list_id: Id,
        /** Deprecated: `list_id`. */
        sequence_id: Id,
        status: Schema.tag("processing"),
        leads_count: Schema.Int,
        message: Schema.String
      }).pipe(HttpApiSchema.status("Accepted")),
      error: [...errors, WorkspaceLimit, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, ofBody)
      .annotate(BodyLimit, 32 * 1024 * 1024)
  )
  .prefix("/campaigns/:id") {}
