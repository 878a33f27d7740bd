// schema/Preview.ts: emails for five made-up leads, to see how a campaign sounds before anybody is written to.
import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { BodyRule, RequiredScope } from "#schema/Auth.ts"
import {
  Conflict,
  Forbidden,
  InsufficientCredits,
  InternalError,
  type Issue,
  NotFound,
  NotReady
} from "#schema/Errors.ts"
import { Id, optional, text } from "#schema/Fields.ts"
import { signatureIssue, writingOptions } from "#schema/Generation.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { Lead } from "#schema/Lead.ts"

/** Leads a preview writes to, and credits it costs. */
export const previewLeads = 5

const Cell = text(2000)
const Mapping = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

const oneToFour = { message: "must be a whole number from 1 to 4" }

export const PreviewInput = Schema.Struct({
  sample: Schema.Struct({
    /** The column headers of the caller's lead file; the synthetic leads are laid out under them. */
    headers: Schema.Array(Cell).check(
      Schema.isMinLength(1, { message: "must hold at least one header" }),
      Schema.isMaxLength(100, { message: "must hold at most 100 headers" })
    ),
    rows: optional(
      Schema.Array(Schema.Array(Cell))
        .check(Schema.isMaxLength(1000, { message: "must hold at most 1000 rows" }))
        .annotate({
          description:
            "Not needed. Tells what a column holds whose header does not, and whether sites are written as bare domains; " +
            "nobody in it is written to, and nothing of it is kept"
        })
    ),
    field_mapping: Schema.optionalKey(
      Schema.NullOr(Schema.Union([Mapping, Schema.fromJsonString(Mapping)])).annotate({
        message: "must be an object from fields to headers, or its JSON",
        description:
          "From fields of a lead (email, firstName, lastName, name, title, companyName, linkedinUrl, website) to headers, " +
          "as an object or as its JSON. What it leaves out is recognised by the words of the header"
      })
    )
  }),
  options: Schema.Struct({
    email_count: Schema.Union([
      Schema.Literals([1, 2, 3, 4]).annotate(oneToFour),
      Schema.Literals(["1", "2", "3", "4"]).annotate(oneToFour)
    ]).annotate(oneToFour),
    ...writingOptions,
    enrichment_mapping: optional(
      Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Accepted and not needed" })
    ),
    assistant_id: optional(
      Schema.String.annotate({ description: "An assistant of this workspace; it has none yet, so any is NOT_FOUND" })
    ),
    vector_id: optional(
      Schema.String.annotate({ description: "A vector store of this workspace; it has none yet, so any is NOT_FOUND" })
    )
  }).check(
    Schema.makeFilter((options) => {
      const issue = signatureIssue(options)
      return issue && { path: [issue.path], issue: issue.message }
    })
  )
})
export type PreviewInput = typeof PreviewInput.Type

const ofBody = (body: unknown): ReadonlyArray<Issue> => {
  if (!Predicate.hasProperty(body, "options") || !Predicate.isObject(body.options)) return []
  const issue = signatureIssue(body.options)
  return issue === undefined ? [] : [{ path: `options.${issue.path}`, message: issue.message }]
}

const GeneratedEmails = Schema.Struct({
  /** Its place in `rows` and `synthetic_leads`, from 0. */
  lead_index: Schema.Int,
  lead_data: Lead,
  /** Empty for a lead that failed. */
  emails: Schema.Array(Schema.Struct({ subject: Schema.String, body: Schema.String })),
  status: Schema.Literals(["success", "failed"]),
  error: Schema.optionalKey(Schema.String)
})

export const Preview = Schema.Struct({
  preview_id: Id,
  /** `partial` when some of the leads failed. */
  status: Schema.Literals(["success", "partial"]),
  /** After what was given back for leads that failed. */
  credits_charged: Schema.Int,
  success_count: Schema.Int,
  fail_count: Schema.Int,
  /** The caller's, and after them the columns of a simulated enrichment where one was asked for. */
  headers: Schema.Array(Schema.String),
  /** One for each lead, its cells in the order of `headers`; empty where a header stands for nothing a lead has. */
  rows: Schema.Array(Schema.Array(Schema.String)),
  synthetic_leads: Schema.Array(Lead),
  generated_emails: Schema.Array(GeneratedEmails)
})
export type Preview = typeof Preview.Type

export class PreviewApi extends HttpApiGroup.make("preview")
  .add(
    HttpApiEndpoint.post("previewCampaign", "/preview", {
      params: { id: Id },
      headers: IdempotencyHeaders,
      payload: PreviewInput,
      success: Preview,
      error: [InsufficientCredits, Forbidden, NotFound, Conflict, NotReady, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, ofBody)
  )
  .prefix("/campaigns/:id") {}
