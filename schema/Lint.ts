// schema/Lint.ts: the checker as an endpoint: findings, claims and a score for any text.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { BadRequest, campaignErrors } from "#schema/Errors.ts"
import { Id, optional, text } from "#schema/Fields.ts"
import { Claim, Finding } from "#schema/Findings.ts"
import { EmailCount } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import { Step } from "#schema/Playbook.ts"

export const LintInput = Schema.Struct({
  subject: optional(text(1000)).annotate({ description: "The subject line" }),
  // Not trimmed, because findings have offsets into the text as it was sent.
  body: text(20_000)
    .check(Schema.isPattern(/\S/, { message: "must not be empty" }))
    .annotate({ description: "The body, with or without a signature" }),
  step: optional(Step).annotate({ description: "Position in the sequence; 1 when omitted" }),
  email_count: optional(EmailCount).annotate({ description: "Number of emails in that sequence" }),
  campaign_id: optional(Id).annotate({ description: "The campaign whose facts the text is compared with" }),
  lead: optional(Lead).annotate({ description: "The reader" }),
  template: optional(Schema.Boolean).annotate({
    description: "Whether the text is a Liquid template; false when omitted"
  })
}).annotate({
  title: "LintInput",
  description: "A text to check",
  examples: [{ subject: "Leaking seals", body: "Hi Ida,\n\nHow often do your seals leak?" }]
})
export type LintInput = typeof LintInput.Type

export const LintResult = Schema.Struct({
  passes: Schema.Boolean.annotate({ description: "Whether no finding is a `fail`" }),
  findings: Schema.Array(Finding),
  score: Schema.NullOr(Schema.Int).annotate({
    description: "0 to 100; null while the score does not rank emails as readers do"
  }),
  claims: Schema.Array(Claim).annotate({ description: "The factual sentences, with the sources of each" })
}).annotate({
  title: "LintResult",
  description: "The result of the check",
  examples: [
    {
      passes: false,
      findings: [
        {
          rule: "template.leftover",
          severity: "fail",
          place: "body",
          start: 3,
          end: 13,
          message: "A placeholder was left in the text. Remove it or use a variable.",
          suggestion: null
        }
      ],
      score: null,
      claims: []
    }
  ]
})
export type LintResult = typeof LintResult.Type

export class LintApi extends HttpApiGroup.make("lint").add(
  HttpApiEndpoint.post("lint", "/lint", {
    payload: LintInput,
    success: LintResult,
    error: [BadRequest, ...campaignErrors]
  }).annotate(RequiredScope, "campaigns:read")
) {}
