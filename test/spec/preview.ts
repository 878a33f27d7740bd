// test/spec/preview.ts: emails for five leads that do not exist.
import type { Chapter } from "./Fact.ts"

export const preview: Chapter = {
  title: "Preview",
  facts: [
    [
      "200 with preview_id, status, credits_charged, counts, headers, rows, synthetic_leads, generated_emails",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "five synthetic leads, each with its emails of subject and body",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "each entry of generated_emails has lead_index, lead_data, emails, status",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "costs 5 credits, charged immediately",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "a failed lead refunds 1 credit, has its error, and makes the status partial",
      "preview: gives back a credit for each lead that failed"
    ],
    ["credits_charged is what remains after refunds", "preview: gives back a credit for each lead that failed"],
    ["total failure is 500 and refunds all 5", "preview: costs nothing where the writer %s"],
    ["a 500 refunds all 5", "preview: costs nothing where the writer %s"],
    [
      "a crash refunds all 5 and frees the key",
      "preview: before the preview is settled gives everything back, and frees the key",
      "preview: with the preview still to begin gives everything back too"
    ],
    [
      "sample.headers is required, 1 to 100 strings",
      "preview: is refused where it is wrong, in words",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    [
      "sample.rows is optional, at most 1000 rows of strings",
      "preview: is refused where it is wrong, in words",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    [
      "sample.field_mapping is an object or its JSON in a string",
      "preview: of $sample",
      "preview: is refused where it is wrong, in words"
    ],
    ["field_mapping maps logical fields to headers", "preview: of $sample"],
    [
      "rows follow the caller's headers, with empty cells for unmapped headers",
      "preview: of $sample",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "email_count is 1 to 4, as a number or as a string of one digit",
      "preview: is refused where it is wrong, in words",
      "preview: says how to write"
    ],
    [
      "exactly one signature is required, and backslash-n separates its lines",
      "preview: is refused where it is wrong, in words",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    ["an unknown signature_id is 404", "preview: names nothing of other workspaces"],
    ["additional_details, campaign_angle and approved_ctas reach the writer", "preview: says how to write"],
    [
      "enrichment_enabled adds simulated columns at the same cost of 5",
      "preview: takes the columns of a simulated enrichment, at the same price"
    ],
    [
      "enrichment_mapping is an object that is ignored",
      "preview: is refused where it is wrong, in words",
      "preview: takes the columns of a simulated enrichment, at the same price"
    ],
    [
      "assistant_id and vector_id are strings; one that is not the workspace's is 404",
      "preview: is refused where it is wrong, in words",
      "preview: names nothing of other workspaces"
    ],
    [
      "null for an optional field counts as absent",
      "field-limits: %s accepts null for optional fields: %j",
      "preview: says how to write"
    ],
    ["cells have at most 2000 characters", "field-limits: %s accepts a text at %s of at most %d characters"],
    ["every issue of a body is reported at once", "preview: is refused where it is wrong, in words"],
    [
      "402 with required 5, available, payg_enabled, pct_of_cap",
      "preview: is refused without the credits for it, and takes the last five"
    ],
    ["403 for a key without campaigns:write", "http: needs $scope for $method $path"],
    ["403 for another workspace's campaign, 404 for none", "preview: is of a campaign of this workspace"],
    [
      "409 NOT_READY before the instructions are built, without a charge, checked before credits",
      "preview: needs a built campaign, and charges nothing before"
    ],
    [
      "409 NOT_READY after a build that failed, and after a change until value propositions are selected again",
      "preview: needs a build that stands: none that failed, and none that a change has overtaken"
    ],
    [
      "a retry with the same Idempotency-Key gets the same preview as a replay, without a charge",
      "preview: under the same key gets the same preview, and is not charged"
    ],
    [
      "409 CONFLICT for the key with another body",
      "preview: under the same key gets the same preview, and is not charged"
    ],
    [
      "409 CONFLICT with Retry-After while the first is in flight",
      "preview: while the first is in flight gets a Retry-After"
    ],
    [
      "a failed run frees the key",
      "preview: costs nothing where the writer %s",
      "preview: after a refusal starts a new preview"
    ],
    [
      "continues when its caller disconnects; the retry gets it",
      "preview: is still written when its caller disconnects"
    ],
    [
      "is deleted with its campaign, and refunded if it was not done",
      "preview: is deleted with its campaign, and given back where it was not done"
    ],
    [
      "creates no list and writes to no real lead",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ]
  ]
}
