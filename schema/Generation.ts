// schema/Generation.ts: requests for emails: to one lead while the caller waits, or to a batch in the background.
import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, BodyRule, RequiredScope } from "#schema/Auth.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  InsufficientCredits,
  InternalError,
  type Issue,
  NotFound,
  RateLimited,
  Unprocessable,
  WorkspaceLimit
} from "#schema/Errors.ts"
import { Email, Id, nonEmptyText, optional, idParams, text } from "#schema/Fields.ts"
import { OptedInIdempotencyHeaders } from "#schema/Idempotency.ts"
import { Lead, maxLeads, Sequence } from "#schema/Lead.ts"
import { authorshipFields } from "#schema/ListLeads.ts"
import { OmittedRowInputs } from "#schema/OmittedRows.ts"

/** The kind of an approved call to action; undefined for text that is neither a kind nor a question. */
export const ctaKind = (cta: string): "question" | "lead magnet" | "direct meeting" | "own question" | undefined => {
  if (cta.trim().endsWith("?")) return "own question"
  if (/lead.?magnet/i.test(cta)) return "lead magnet"
  if (/meeting/i.test(cta)) return "direct meeting"
  return /question/i.test(cta) ? "question" : undefined
}

const Cta = text(200).check(
  Schema.makeFilter(
    (cta: string) =>
      cta.trim() === "" ||
      ctaKind(cta) !== undefined ||
      "must be Question CTA, Lead Magnet CTA, Direct Meeting CTA, or a question of your own that ends with a question mark"
  )
)

/** The writing options of every request for emails. */
export const writingOptions = {
  email_signature: optional(nonEmptyText(5000, "The signature")).annotate({
    description:
      "The signature, its lines separated by line breaks or by the two characters `\\n`; either works. Exactly one of this and `signature_id` is required"
  }),
  signature_id: optional(Schema.String).annotate({ description: "A saved signature, in place of `email_signature`" }),
  additional_details: optional(text(10_000)).annotate({ description: "Anything else the writer should know" }),
  campaign_angle: optional(text(10_000)).annotate({ description: "Deprecated: use `additional_details`" }),
  approved_ctas: optional(Schema.Union([Cta, Schema.Array(Cta).check(Schema.isMaxLength(10))])).annotate({
    description:
      "What the emails may ask for: Question CTA, Lead Magnet CTA, Direct Meeting CTA (all three when omitted), or a question of your own, which the first email then ends with, word for word"
  })
}

/** The number of emails for each lead. */
export const EmailCount = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 4 }, { message: "must be a whole number from 1 to 4" })
).annotate({ description: "Emails for each lead, 1 to 4" })

/** Options of both single leads and batches. */
const options = {
  email_count: EmailCount,
  ...writingOptions,
  enrichment_enabled: optional(Schema.Boolean).annotate({
    description:
      "Reads the site of each lead's company first; two credits a lead in place of one. Every lead must then have a company, linkedin_url or company_website. The facts are in `research` of each lead. Only a model uses them in the emails: without one, or where the playbook's personalization is `template`, they are shown and not written about"
  }),
  include_clients: optional(Schema.Boolean).annotate({
    description:
      "Also writes to leads at your own company, at clients named in your proof and at competitors; they are left out otherwise"
  }),
  list_name: optional(nonEmptyText(200, "What the list is called")),
  sequence_name: optional(nonEmptyText(200, "Deprecated: use `list_name`"))
}

/** Checks that exactly one signature is given. */
const signatureIssues = (options: object): ReadonlyArray<Issue> => {
  const has = (field: string) => Predicate.hasProperty(options, field) && options[field] !== null
  const inline = has("email_signature")
  const saved = has("signature_id")
  if (inline && saved) return [{ path: "signature_id", message: "must not be sent together with email_signature" }]
  if (!inline && !saved) return [{ path: "email_signature", message: "is required unless signature_id is sent" }]
  return []
}

/** Requires exactly one signature, for options that are otherwise valid. */
export const oneSignature = Schema.makeFilter((options: object) =>
  signatureIssues(options).map(({ message, path }) => ({ path: [path], issue: message }))
)

/** The same check on an undecoded body. */
export const signatureRule = (body: unknown): ReadonlyArray<Issue> =>
  Predicate.hasProperty(body, "options") && Predicate.isObject(body.options)
    ? signatureIssues(body.options).map(({ message, path }) => ({ path: `options.${path}`, message }))
    : []

const hasText = (lead: object, field: string) =>
  Predicate.hasProperty(lead, field) && typeof lead[field] === "string" && lead[field].trim() !== ""

/** Whether the lead has a field that research can start from. */
export const isResearchable = (lead: object) =>
  ["company", "linkedin_url", "company_website"].some((field) => hasText(lead, field))

/** With `enrichment_enabled`, reports the leads that research cannot start from. */
const researchIssues = (body: unknown): ReadonlyArray<Issue> => {
  if (!Predicate.hasProperty(body, "options") || !Predicate.isObject(body.options)) return []
  if (!Predicate.hasProperty(body.options, "enrichment_enabled") || body.options.enrichment_enabled !== true) return []
  const leads = Predicate.hasProperty(body, "leads") && Array.isArray(body.leads) ? body.leads : undefined
  const single = Predicate.hasProperty(body, "lead") ? [body.lead] : []
  return (leads ?? single).flatMap((lead: unknown, index) =>
    !Predicate.isObject(lead) || isResearchable(lead)
      ? []
      : [
          {
            path: leads === undefined ? "lead" : `leads.${index}`,
            message: "must have a company, linkedin_url or company_website for research to start from"
          }
        ]
  )
}

const researchable = Schema.makeFilter((body: object) =>
  researchIssues(body)
    .slice(0, 1000)
    .map(({ message, path }) => ({ path: path.split("."), issue: message }))
)

const writingRule = (body: unknown) => [...signatureRule(body), ...researchIssues(body)]

export const Options = Schema.Struct(options)
  .annotate({
    title: "GenerateOptions",
    description: "Writing options",
    examples: [{ email_count: 2, email_signature: "Piotr\\nKestrel Pumps" }]
  })
  .check(oneSignature)
export type Options = typeof Options.Type

/** Addresses that one batch may include although they would be left out. */
const maxIncluded = 1000

export const BatchOptions = Schema.Struct({
  ...options,
  notification_email: optional(Email).annotate({
    description:
      "Who is sent a mail when the batch is finished; the workspace's owner by default. At most 200 different addresses a day"
  }),
  skip_duplicates: optional(Schema.Boolean).annotate({
    description:
      "Leaves out a lead whose address an earlier lead of this batch has; without it, equal leads are separate leads"
  }),
  skip_clients: optional(Schema.Boolean).annotate({
    description:
      "Leaves out leads at your own company, at clients named in your proof and at competitors when the batch is accepted. Without it they are left out when their turn comes, and count as failed. Takes precedence over `include_clients`"
  }),
  idempotent: optional(Schema.Boolean).annotate({
    description:
      "Makes a retry safe: the header `Idempotency-Key`, which is then required, names the batch, and a request with the same key and body gets the first answer again. Without it the header is ignored, and a retry makes another list"
  }),
  include_addresses: optional(
    Schema.Array(Email).check(
      Schema.isMaxLength(maxIncluded, { message: `must hold at most ${maxIncluded} addresses` })
    )
  ).annotate({
    description: `Leads with these addresses, at most ${maxIncluded}, are written to although \`skip_clients\` or \`skip_written\` would leave them out; suppressed leads never are`
  }),
  omitted_rows: optional(OmittedRowInputs),
  skip_written: optional(Schema.Literals(["campaign", "workspace"])).annotate({
    description:
      "Leaves out addresses that another list of this campaign, or of the whole workspace, has written to or is about to"
  })
})
  .annotate({
    title: "BatchOptions",
    description: "Writing options",
    examples: [{ email_count: 2, email_signature: "Piotr\\nKestrel Pumps", list_name: "Trade fair, hall 3" }]
  })
  .check(oneSignature)
export type BatchOptions = typeof BatchOptions.Type

const LeadAndOptions = Schema.Struct({ lead: Lead, options: Options })
  .annotate({
    title: "GenerateInput",
    description: "The leads to write to, and the writing options"
  })
  .check(researchable)

const batchOf = <S extends Schema.Schema<ReadonlyArray<unknown>>>(leads: S) =>
  Schema.Struct({
    leads: leads
      .check(
        Schema.isMinLength(1, { message: "must hold at least one lead" }),
        Schema.isMaxLength(maxLeads, { message: `must hold at most ${maxLeads} leads` })
      )
      .annotate({ description: "Equal leads are separate leads" }),
    options: BatchOptions
  })
    .annotate({ title: "BatchInput", description: "The leads to write to, and the writing options" })
    .check(researchable)

const LeadsAndOptions = batchOf(Schema.Array(Lead))

const UncheckedLeads = Schema.declare((u): u is ReadonlyArray<unknown> => Array.isArray(u), { expected: "array" })

/** A batch whose leads were validated one by one before. */
export const BatchOfLeads = batchOf(UncheckedLeads)

const withResearch = { company: "Any" }
const withoutResearch = {}

/** A stand-in for a validated lead: `BatchOfLeads` checks only whether research can start from it. */
export const researchStub = (lead: Lead): object => (isResearchable(lead) ? withResearch : withoutResearch)

/** Notices in the answers to requests for emails. */
export const notices = Schema.optionalKey(Schema.Array(Schema.String)).annotate({
  description:
    "What was asked for and cannot be followed by the writer in use, that no email says what the business does, and how many leads of a batch are kept although their company may be one to leave out; omitted when there is nothing",
  examples: [["additional_details is not followed: the built-in writer fills in the playbook's templates."]]
})

const list = {
  list_id: Id.annotate({ description: "The list, for GET /lists/:id" }),
  sequence_id: Id.annotate({ description: "Deprecated: use `list_id`" })
}

export const Generated = Schema.Struct({
  lead_id: Schema.String.annotate({
    description: "The lead in the list",
    examples: ["01980f43-b7c2-7e58-8f01-4d6a9e3b2c75"]
  }),
  ...list,
  sequence: Sequence,
  credits_remaining: Schema.Int.annotate({ description: "The balance after it", examples: [4819] }),
  ...authorshipFields,
  notices
}).annotate({ title: "Generated", description: "The emails" })

const skippedCount = (description: string) => Schema.Int.annotate({ description })

/** Skipped leads of a batch by reason. A lead counts once, under the first reason that applies. */
const SkippedCounts = Schema.Struct({
  suppressed: skippedCount("Leads on the suppression list"),
  duplicate: skippedCount("Leads whose address an earlier lead has, with `skip_duplicates`"),
  client: skippedCount("Leads at known companies, with `skip_clients`"),
  written: Schema.optionalKey(skippedCount("Leads that were written to before; only with `skip_written`"))
}).annotate({ title: "SkippedCounts", description: "Leads that are left out, by reason" })
export type SkippedCounts = typeof SkippedCounts.Type

export const BatchAccepted = Schema.Struct({
  ...list,
  status: Schema.tag("processing"),
  leads_count: Schema.Int.annotate({ description: "Leads in it, those that are left out included", examples: [60] }),
  skipped: Schema.optionalKey(SkippedCounts).annotate({
    description:
      "Leads that are left out and cost nothing. Omitted if the suppression list is empty and no skip option was sent",
    examples: [{ suppressed: 2, duplicate: 0, client: 0 }]
  }),
  message: Schema.String.annotate({
    description: "The same, for people",
    examples: ["Writing to 60 leads; follow GET /api/v1/lists/01980f3e-7c1a-7d52-9b7e-2f64c0a81d35"]
  }),
  notices
}).annotate({ title: "BatchAccepted", description: "The list is created and writing begins" })

const params = idParams("campaign")
const errors = [BadRequest, InsufficientCredits, Forbidden, NotFound, RateLimited] as const

export class GenerationApi extends HttpApiGroup.make("generation")
  .add(
    HttpApiEndpoint.post("generate", "/generate", {
      params,
      payload: LeadAndOptions,
      success: Generated,
      error: [...errors, Unprocessable, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, writingRule),
    HttpApiEndpoint.post("generateBatch", "/generate-batch", {
      params,
      headers: OptedInIdempotencyHeaders,
      payload: LeadsAndOptions,
      success: BatchAccepted.pipe(HttpApiSchema.status("Accepted")),
      error: [...errors, Conflict, WorkspaceLimit, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, writingRule)
      .annotate(BodyLimit, 32 * 1024 * 1024)
  )
  .prefix("/campaigns/:id") {}
