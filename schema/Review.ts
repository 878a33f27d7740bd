// schema/Review.ts: review of a lead's emails: reading, editing, approving, rewriting and test mails, for one lead or many.
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { BodyLimit, NeedsLimiter, RateBucket, RequiredScope } from "#schema/Auth.ts"
import {
  BadRequest,
  Conflict,
  errorFields,
  InsufficientCredits,
  InternalError,
  MailUnavailable,
  NotFound,
  NotReady,
  RateLimited,
  errorExample,
  Unprocessable
} from "#schema/Errors.ts"
import { Id, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { Claim, Finding } from "#schema/Findings.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { ListLead, ListLeadQuery, authorshipFields, leadExportFields, ReviewStatus } from "#schema/ListLeads.ts"
import { PageQuery, positionedPage, PositiveInt } from "#schema/Page.ts"

/** Maximum number of lead ids in one bulk decision. */
const maxDecided = 10_000

const Version = Schema.Int.annotate({ description: "Counts from 1, and goes up with every change of the email" })

const emailExample = {
  step: 1,
  subject: "Unplanned stops at North Quarry",
  body: "Hi Ida,\n\nHow long does a worn pump stop your line?\n\nPiotr\nKestrel Pumps",
  version: 2,
  edited: true,
  findings: [],
  claims: [],
  template_id: "01980f42-5c1f-7b06-9e71-3a4d5c8b2f60",
  playbook_version: 4,
  ai_generated: true,
  model: "gpt-5-mini",
  prompt_version: "3-9f2c41a7"
}

export const ReviewedEmail = Schema.Struct({
  step: Schema.Int.annotate({ description: "Its place in the sequence, from 1" }),
  subject: Schema.String.annotate({ description: "The subject line" }),
  body: Schema.String.annotate({ description: "Plain text, signature included" }),
  version: Version,
  edited: Schema.Boolean.annotate({ description: "Whether it is in the words of a person" }),
  findings: Schema.Array(Finding).annotate({ description: "What the checker reports about it" }),
  claims: Schema.Array(Claim).annotate({ description: "Its factual sentences, with the sources of each" }),
  template_id: Schema.NullOr(Schema.String).annotate({ description: "The playbook template it was made from" }),
  playbook_version: Schema.NullOr(Schema.Int).annotate({ description: "The version of the playbook it was made from" }),
  ...authorshipFields
}).annotate({ title: "ReviewedEmail", description: "An email as it is reviewed", examples: [emailExample] })
export type ReviewedEmail = typeof ReviewedEmail.Type

export const ReviewedLead = Schema.Struct({
  ...Struct.omit(ListLead.fields, ["emails"]),
  ...leadExportFields,
  emails: Schema.Array(ReviewedEmail).annotate({ description: "None until it is written to" })
}).annotate({
  title: "ReviewedLead",
  description: "A lead of a list, with its emails as they are reviewed",
  examples: [
    {
      id: "01980f43-b7c2-7e58-8f01-4d6a9e3b2c75",
      position: 1,
      email: "ida.moreau@northquarry.example",
      name: "Ida Moreau",
      title: "Maintenance Manager",
      company: "North Quarry",
      linkedin_url: null,
      company_website: null,
      custom_fields: null,
      status: "completed",
      persona_id: "01980f43-a1b2-7c3d-8e4f-5a6b7c8d9e0f",
      review: { status: "approved", note: null, at: "2026-07-14T10:02:00.000Z" },
      edited: true,
      skipped: null,
      suppressed: null,
      maybe: null,
      error: null,
      score: null,
      ai_generated: true,
      model: "gpt-5-mini",
      prompt_version: "3-9f2c41a7",
      research: [],
      emails: [emailExample]
    }
  ]
})
export type ReviewedLead = typeof ReviewedLead.Type

/** The email was changed since it was read; the answer has the current one. */
export class VersionConflict extends Schema.Error<VersionConflict>("VersionConflict")(
  Schema.Struct({
    ...errorFields("CONFLICT"),
    detail: Schema.Struct({ email: ReviewedEmail })
  }).annotate({
    title: "VersionConflictError",
    description: "The email was changed meanwhile: `version` is not the current one",
    examples: [
      {
        ...errorExample("CONFLICT", "This email was changed meanwhile; its current version is 2"),
        detail: { email: emailExample }
      }
    ]
  }),
  { httpApiStatus: 409 }
) {}

export const EmailAtVersion = Schema.Struct({
  step: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })).annotate({
    description: "The email's place in the sequence, from 1"
  }),
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "Its version" })
})
export type EmailAtVersion = typeof EmailAtVersion.Type

/** An email was changed since the decision's texts were read. */
export class ReviewConflict extends Schema.Error<ReviewConflict>("ReviewConflict")(
  Schema.Struct({
    ...errorFields("CONFLICT"),
    detail: Schema.Struct({
      versions: Schema.Array(EmailAtVersion).annotate({ description: "The current version of each email" })
    })
  }).annotate({
    title: "ReviewConflictError",
    description: "An email was changed meanwhile: one of `versions` is not the current one",
    examples: [
      {
        ...errorExample("CONFLICT", "Email 1 was changed meanwhile; read its new text before you decide"),
        detail: {
          versions: [
            { step: 1, version: 2 },
            { step: 2, version: 1 }
          ]
        }
      }
    ]
  }),
  { httpApiStatus: 409 }
) {}

export const EmailChange = Schema.Struct({
  subject: optional(
    text(1000).check(
      Schema.isPattern(/^[^\r\n]*[^\s][^\r\n]*$/, {
        message: "must be one line that is not empty",
        toJsonSchema: () => ({ minLength: 1 })
      })
    )
  ).annotate({ description: "The subject line" }),
  body: optional(text(20_000).check(Schema.isPattern(/\S/, { message: "must not be empty" }))).annotate({
    description: "The whole body, signature included"
  }),
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
    description: "The version that was read; another one by now is a CONFLICT"
  })
}).annotate({
  title: "EmailChange",
  description: "The new text; omitted fields stay",
  examples: [{ subject: "Unplanned stops at North Quarry", version: 1 }]
})
export type EmailChange = typeof EmailChange.Type

export const EmailVersion = Schema.Struct({
  version: Version,
  subject: Schema.String.annotate({ description: "The subject line" }),
  body: Schema.String.annotate({ description: "Plain text, signature included" }),
  at: Timestamp.annotate({ description: "When it became the current version" }),
  by: Schema.Literals(["writer", "person", "rewrite"]).annotate({
    description: "Who wrote this text: a restored version has the author it had"
  })
}).annotate({
  title: "EmailVersion",
  description: "A version of an email",
  examples: [
    {
      version: 1,
      subject: "Unplanned stops",
      body: "Hi Ida,\n\nHow long does a worn pump stop your line?\n\nPiotr\nKestrel Pumps",
      at: "2026-07-14T09:34:12.000Z",
      by: "writer"
    }
  ]
})
export type EmailVersion = typeof EmailVersion.Type

export const EmailVersionPage = positionedPage("EmailVersionPage", EmailVersion)

export const Restore = Schema.Struct({
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "The version to restore" })
}).annotate({ title: "Restore", description: "Which version becomes the current text", examples: [{ version: 1 }] })

export const RewriteInput = Schema.Struct({
  step: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))).annotate({
    description: "The email to write again; omitted, all emails of the lead"
  }),
  instruction: optional(text(2000)).annotate({
    description: "What to change. Only a model can follow it: UNPROCESSABLE without one"
  }),
  variant: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))).annotate({
    description:
      "Fills in this variant of the playbook template, without a model. Omitted, and without a model, the next variant is filled in"
  })
}).annotate({
  title: "RewriteInput",
  description: "Which email to write again, and how",
  examples: [{ step: 1, variant: 2 }]
})
export type RewriteInput = typeof RewriteInput.Type

export const ReviewInput = Schema.Struct({
  status: ReviewStatus,
  note: optional(text(2000)).annotate({ description: "A note for others; omitted, there is none" }),
  versions: optional(
    Schema.Array(EmailAtVersion).check(Schema.isMaxLength(4, { message: "must hold at most 4 versions" }))
  ).annotate({
    description:
      "The versions of the emails that were read. If one is not the current one by now, the decision is refused as a CONFLICT. Omitted, the decision is about any text"
  })
}).annotate({ title: "ReviewInput", description: "A decision about a lead", examples: [{ status: "approved" }] })
export type ReviewInput = typeof ReviewInput.Type

/** A time as answers have it. */
export const Moment = text(24).check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, {
    message: "must be a time such as 2026-07-14T10:02:00.000Z"
  })
)

export const BulkReviewInput = Schema.Struct({
  status: ReviewStatus,
  lead_ids: optional(
    Schema.Array(Id).check(Schema.isMaxLength(maxDecided, { message: `must hold at most ${maxDecided} ids` }))
  ).annotate({ description: "Only these leads of the list" }),
  where: optional(
    Schema.Struct({
      severity: optional(Schema.Literals(["none", "hint", "warn"])).annotate({
        description: "Only leads whose worst finding is at most this"
      }),
      seen: optional(Schema.Literal(true)).annotate({
        description:
          "Only leads that a person opened, by GET /lists/:id/leads/:lead_id with a key that may write lists. Who it was is not recorded"
      }),
      at: optional(Moment).annotate({
        description: "Only leads that were decided about at this moment: the `at` of an answer, to undo that decision"
      }),
      unchanged_since: optional(Moment).annotate({
        description:
          "Only leads whose emails were written before this moment and not changed since, so that no text is approved unread: when you read them, or the `at` of a `dry_run`, by the server's clock"
      }),
      filter: optional(
        Schema.Struct(Struct.pick(ListLeadQuery, ["status", "q", "review", "severity", "persona_id", "maybe"]))
      ).annotate({
        description:
          "Only leads that GET /lists/:id/leads has with this query; its `severity` is exactly the worst finding"
      })
    })
  ).annotate({ description: "Only leads of which all this is true" }),
  dry_run: optional(Schema.Boolean).annotate({
    description: "Counts what the decision would change, and changes nothing"
  })
}).annotate({
  title: "BulkReviewInput",
  description: "A decision about many leads: those that are named, those that a rule selects, or those in both",
  examples: [{ status: "approved", where: { severity: "hint" } }]
})
export type BulkReviewInput = typeof BulkReviewInput.Type

export const BulkReviewed = Schema.Struct({
  changed: Schema.Int.annotate({
    description: "Leads whose review has another status now; with `dry_run`, would have"
  }),
  suppressed: Schema.Int.annotate({
    description: "Leads that are not approved because they are on the suppression list"
  }),
  failing: Schema.Int.annotate({
    description: "Leads that are not approved because of a failing finding"
  }),
  maybe: Schema.Int.annotate({
    description:
      "Leads that are not approved because their company may be one to leave out. `lead_ids`, or `maybe` in `where.filter`, approves them"
  }),
  changed_since: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Leads that keep their review because an email was written or changed since `where.unchanged_since`; absent without it"
  }),
  at: Timestamp.annotate({ description: "When: `where.at` of another request selects these leads" })
}).annotate({
  title: "BulkReviewed",
  description: "What the decision changed",
  examples: [{ changed: 212, suppressed: 1, failing: 4, maybe: 0, at: "2026-07-14T10:02:00.000Z" }]
})
export type BulkReviewed = typeof BulkReviewed.Type

const leadCount = (description: string) => Schema.Int.annotate({ description })

export const ReviewCounts = Schema.Struct({
  open: leadCount("Written leads that are not decided about"),
  approved: leadCount("Approved leads"),
  rejected: leadCount("Rejected leads"),
  open_failing: leadCount("Open leads with a failing finding"),
  open_suppressed: leadCount("Open leads that are on the suppression list, and cannot be approved"),
  open_maybe: leadCount("Open leads whose company may be one to leave out, and that no rule approves"),
  approved_suppressed: leadCount(
    "Leads that were approved before they were suppressed; exports of approved leads leave them out"
  ),
  approved_unopened: leadCount("Leads that were approved together with others, and that no person opened")
}).annotate({ title: "ReviewCounts", description: "The written leads of a list, counted by review" })
export type ReviewCounts = typeof ReviewCounts.Type

export const LastBulkReview = Schema.Struct({
  last: Schema.NullOr(
    Schema.Struct({
      status: ReviewStatus,
      leads: Schema.Int.annotate({ description: "Leads that still have this decision" }),
      at: Timestamp.annotate({ description: "When: `where.at` of another request selects these leads" })
    })
  ).annotate({ description: "Null if there was none within a day; a decision about a single lead does not count" }),
  counts: ReviewCounts
}).annotate({
  title: "LastBulkReview",
  description: "How far the review of a list is, and the last decision about many of its leads",
  examples: [
    {
      last: { status: "approved", leads: 212, at: "2026-07-14T10:02:00.000Z" },
      counts: {
        open: 8,
        approved: 240,
        rejected: 12,
        open_failing: 4,
        open_suppressed: 0,
        open_maybe: 0,
        approved_suppressed: 1,
        approved_unopened: 198
      }
    }
  ]
})
export type LastBulkReview = typeof LastBulkReview.Type

export const TestMailInput = Schema.Struct({
  step: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))).annotate({
    description: "The email to send; omitted, all emails of the lead, one mail each"
  })
}).annotate({ title: "TestMailInput", description: "Which email to send to yourself", examples: [{ step: 1 }] })

export const TestMailed = Schema.Struct({
  to: Schema.String.annotate({ description: "The address of the workspace's owner, which the mails were sent to" }),
  sent: Schema.Int.annotate({ description: "Mails that the mail server accepted" })
}).annotate({
  title: "TestMailed",
  description: "What was sent, and to whom",
  examples: [{ to: "piotr@kestrelpumps.example", sent: 1 }]
})
export type TestMailed = typeof TestMailed.Type

const list = idParams("list")
const lead = { ...list, lead_id: Id.annotate({ description: "The lead" }) }
const email = { ...lead, step: PositiveInt("The email's place in the sequence") }

export class ReviewApi extends HttpApiGroup.make("review")
  .add(
    HttpApiEndpoint.get("getLead", "/leads/:lead_id", {
      params: lead,
      success: ReviewedLead,
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.patch("editEmail", "/leads/:lead_id/emails/:step", {
      params: email,
      payload: EmailChange,
      success: ReviewedEmail,
      error: [BadRequest, NotFound, VersionConflict]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.get("listEmailVersions", "/leads/:lead_id/emails/:step/versions", {
      params: email,
      query: PageQuery,
      success: EmailVersionPage,
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.post("restoreEmail", "/leads/:lead_id/emails/:step/restore", {
      params: email,
      headers: IdempotencyHeaders,
      payload: Restore,
      success: ReviewedEmail,
      error: [BadRequest, NotFound, Conflict]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.post("rewriteLead", "/leads/:lead_id/rewrite", {
      params: lead,
      headers: IdempotencyHeaders,
      payload: RewriteInput,
      success: ReviewedLead,
      error: [BadRequest, InsufficientCredits, NotFound, Conflict, Unprocessable, RateLimited, InternalError]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.post("sendTestMail", "/leads/:lead_id/test-mail", {
      params: lead,
      headers: IdempotencyHeaders,
      payload: TestMailInput,
      success: TestMailed,
      error: [BadRequest, NotFound, Conflict, NotReady, Unprocessable, MailUnavailable]
    })
      .annotate(RequiredScope, "lists:write")
      // An owner's mailbox takes only so many mails.
      .annotate(RateBucket, { name: "test-mail", limit: 10, per: "key" })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.put("reviewLead", "/leads/:lead_id/review", {
      params: lead,
      payload: ReviewInput,
      success: ReviewedLead,
      error: [BadRequest, NotFound, ReviewConflict, Unprocessable]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.get("getLastBulkReview", "/review", {
      params: list,
      success: LastBulkReview,
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.post("reviewLeads", "/review", {
      params: list,
      headers: IdempotencyHeaders,
      payload: BulkReviewInput,
      success: BulkReviewed,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(RequiredScope, "lists:write")
      // Room for the ids of one bulk decision.
      .annotate(BodyLimit, 4 * 1024 * 1024)
  )
  .prefix("/lists/:id") {}
