// schema/Preview.ts: previews: emails to five synthetic leads, to try a campaign before it is used.
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { BodyRule, RequiredScope } from "#schema/Auth.ts"
import { Conflict, Forbidden, InsufficientCredits, InternalError, NotFound, NotReady } from "#schema/Errors.ts"
import { Id, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { EmailCount, notices, oneSignature, signatureRule, writingOptions } from "#schema/Generation.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { Lead, SequenceEmail } from "#schema/Lead.ts"
import { optionalMarks } from "#schema/ListLeads.ts"
import { PageQuery, positionedPage } from "#schema/Page.ts"

/** Leads in a preview; each costs one credit. */
export const previewLeads = 5

const Cell = text(2000)
const message = "must be a whole number from 1 to 4"
const Digit = Schema.String.check(Schema.isPattern(/^[1-4]$/, { message }))
const Mapping = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

export const PreviewInput = Schema.Struct({
  sample: Schema.Struct({
    headers: Schema.Array(Cell)
      .check(
        Schema.isMinLength(1, { message: "must hold at least one header" }),
        Schema.isMaxLength(100, { message: "must hold at most 100 headers" })
      )
      .annotate({
        description:
          "The column headers of your lead file; the made-up leads are laid out under them. One that is no field of a lead is a custom field, under its snake_case header, where a value can be made up: industry, size and location of the company"
      }),
    rows: optional(
      Schema.Array(Schema.Array(Cell)).check(Schema.isMaxLength(1000, { message: "must hold at most 1000 rows" }))
    ).annotate({
      description:
        "Not needed. Tells what a column holds whose header does not, and whether sites are written as bare domains; " +
        "none of its people is written to, and it is not stored"
    }),
    field_mapping: Schema.optionalKey(
      Schema.NullOr(Schema.Union([Mapping, Schema.fromJsonString(Mapping)])).annotate({
        message: "must be an object from fields to headers, or its JSON",
        description:
          "From fields of a lead (email, firstName, lastName, name, title, companyName, linkedinUrl, website) to headers, " +
          "as an object or as its JSON. What it leaves out is recognised by the words of the header"
      })
    )
  }).annotate({ description: "What your lead file looks like" }),
  options: Schema.Struct({
    email_count: Schema.Union([EmailCount, Digit]).annotate({
      message,
      description: "Emails for each lead, 1 to 4, as a number or as its digit"
    }),
    ...writingOptions,
    enrichment_enabled: optional(Schema.Boolean).annotate({
      description: "Adds columns of made-up research to `headers` and `rows`; the price stays the same"
    }),
    enrichment_mapping: optional(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "Accepted and not needed"
    }),
    assistant_id: optional(Schema.String).annotate({
      description: "An assistant of this workspace; it has none yet, so any is NOT_FOUND"
    }),
    vector_id: optional(Schema.String).annotate({
      description: "A vector store of this workspace; it has none yet, so any is NOT_FOUND"
    })
  })
    .annotate({ title: "PreviewOptions", description: "How the emails are to be" })
    .check(oneSignature)
}).annotate({
  title: "PreviewInput",
  description: "What to preview",
  examples: [
    {
      sample: { headers: ["Email", "First name", "Company"] },
      options: { email_count: 2, email_signature: "Piotr\\nKestrel Pumps" }
    }
  ]
})
export type PreviewInput = typeof PreviewInput.Type

const { body, subject } = SequenceEmail.fields
const GeneratedEmails = Schema.Struct({
  lead_index: Schema.Int.annotate({ description: "Its place in `rows` and `synthetic_leads`, from 0" }),
  lead_data: Lead,
  emails: Schema.Array(Schema.Struct({ subject, body }).annotate({ title: "PreviewEmail" })).annotate({
    description: "Empty for a lead that failed"
  }),
  status: Schema.Literals(["success", "failed"]),
  error: Schema.optionalKey(Schema.String).annotate({ description: "Why it failed" }),
  ...optionalMarks
}).annotate({ title: "GeneratedEmails", description: "What was written to one of the leads" })

const outcome = {
  preview_id: Id,
  status: Schema.Literals(["success", "partial"]).annotate({ description: "Partial when some of the leads failed" }),
  credits_charged: Schema.Int.annotate({ description: "After what was given back for leads that failed" }),
  success_count: Schema.Int.annotate({ description: "Leads that were written to" }),
  fail_count: Schema.Int.annotate({ description: "Leads that failed" })
}

const example = {
  preview_id: "01980f42-2ac6-7d90-b1e5-9f7c4a3d8e06",
  status: "success" as const,
  credits_charged: 5,
  success_count: 5,
  fail_count: 0,
  headers: ["Email", "First name", "Company"],
  rows: [["ida@north-quarry.example", "Ida", "North Quarry"]],
  synthetic_leads: [{ email: "ida@north-quarry.example", name: "Ida Moreau", company: "North Quarry" }],
  generated_emails: [
    {
      lead_index: 0,
      lead_data: { email: "ida@north-quarry.example", name: "Ida Moreau", company: "North Quarry" },
      emails: [
        {
          subject: "Unplanned stops at North Quarry",
          body: "Hi Ida,\n\nHow long does a worn pump stop your line?\n\nPiotr\nKestrel Pumps"
        }
      ],
      status: "success" as const,
      ai_generated: false,
      model: null,
      prompt_version: null
    }
  ]
}

export const Preview = Schema.Struct({
  ...outcome,
  headers: Schema.Array(Schema.String).annotate({
    description: "Yours, and after them those of made-up research where it was asked for"
  }),
  rows: Schema.Array(Schema.Array(Schema.String)).annotate({
    description:
      "One for each lead, its cells in the order of `headers`; empty where a header stands for nothing a lead has"
  }),
  synthetic_leads: Schema.Array(Lead),
  generated_emails: Schema.Array(GeneratedEmails),
  notices
}).annotate({
  title: "Preview",
  description: "The emails; the example shows one lead of the five",
  examples: [example]
})
export type Preview = typeof Preview.Type

const exampleEntry = {
  ...Struct.pick(example, ["preview_id", "status", "credits_charged", "success_count", "fail_count"]),
  email_count: 1,
  created_at: "2026-07-14T09:30:00.000Z"
}

export const PreviewEntry = Schema.Struct({
  ...outcome,
  email_count: Schema.Int.annotate({ description: "Emails for each lead" }),
  created_at: Timestamp
}).annotate({ title: "PreviewEntry", description: "A preview among others", examples: [exampleEntry] })
export type PreviewEntry = typeof PreviewEntry.Type

const PreviewPage = positionedPage("PreviewPage", PreviewEntry)

const KeptPreview = Schema.Struct({ ...Preview.fields, created_at: Timestamp }).annotate({
  title: "KeptPreview",
  description: "A preview that was made earlier; the example shows one lead of the five",
  examples: [{ ...example, created_at: "2026-07-14T09:30:00.000Z" }]
})
export type KeptPreview = typeof KeptPreview.Type

const campaign = idParams("campaign")

export class PreviewApi extends HttpApiGroup.make("preview")
  .add(
    HttpApiEndpoint.post("previewCampaign", "/preview", {
      params: campaign,
      headers: IdempotencyHeaders,
      payload: PreviewInput,
      success: Preview,
      error: [InsufficientCredits, Forbidden, NotFound, Conflict, NotReady, InternalError]
    })
      .annotate(RequiredScope, "campaigns:write")
      .annotate(BodyRule, signatureRule),
    HttpApiEndpoint.get("listPreviews", "/previews", {
      params: campaign,
      query: PageQuery,
      success: PreviewPage,
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("getPreview", "/previews/:preview_id", {
      params: { ...campaign, preview_id: Id.annotate({ description: "The preview" }) },
      success: KeptPreview,
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "campaigns:read")
  )
  .prefix("/campaigns/:id") {}
