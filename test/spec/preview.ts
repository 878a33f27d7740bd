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
      "preview: refunds a credit for each lead that failed"
    ],
    ["credits_charged is what remains after refunds", "preview: refunds a credit for each lead that failed"],
    ["total failure is 500 and refunds all 5", "preview: costs nothing if the writer %s"],
    ["a 500 refunds all 5", "preview: costs nothing if the writer %s"],
    [
      "a crash refunds all 5 and frees the key",
      "preview: before the preview is complete refunds it, and releases the key",
      "preview: before the preview was started refunds it too"
    ],
    [
      "sample.headers is required, 1 to 100 strings",
      "preview: is rejected with the path of the invalid field and a readable message",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    [
      "sample.rows is optional, at most 1000 rows of strings",
      "preview: is rejected with the path of the invalid field and a readable message",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    [
      "sample.field_mapping is an object or its JSON in a string",
      "preview: of $sample",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    ["field_mapping maps logical fields to headers", "preview: of $sample"],
    [
      "rows follow the caller's headers, with empty cells for unmapped headers",
      "preview: of $sample",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "email_count is 1 to 4, as a number or as a string of one digit",
      "preview: is rejected with the path of the invalid field and a readable message",
      "preview: has options that are passed to the writer"
    ],
    [
      "exactly one signature is required, and backslash-n separates its lines",
      "preview: is rejected with the path of the invalid field and a readable message",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    ["an unknown signature_id is 404", "preview: is rejected if it names an unknown signature or an unsupported id"],
    [
      "additional_details, campaign_angle and approved_ctas reach the writer",
      "preview: has options that are passed to the writer"
    ],
    [
      "enrichment_enabled adds simulated columns at the same cost of 5",
      "preview: has the columns of a simulated enrichment, at the same price"
    ],
    [
      "enrichment_mapping is an object that is ignored",
      "preview: is rejected with the path of the invalid field and a readable message",
      "preview: has the columns of a simulated enrichment, at the same price"
    ],
    [
      "assistant_id and vector_id are strings; one that is not the workspace's is 404",
      "preview: is rejected with the path of the invalid field and a readable message",
      "preview: is rejected if it names an unknown signature or an unsupported id"
    ],
    [
      "null for an optional field counts as absent",
      "field-limits: %s accepts null for optional fields: %j",
      "preview: has options that are passed to the writer"
    ],
    ["cells have at most 2000 characters", "field-limits: %s accepts a text at %s of at most %d characters"],
    [
      "every issue of a body is reported at once",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    [
      "402 with required 5, available, payg_enabled, pct_of_cap",
      "preview: is rejected without five credits, and may use the last five"
    ],
    ["403 for a key without campaigns:write", "http: needs $scope for $method $path"],
    ["403 for another workspace's campaign, 404 for none", "preview: requires a campaign of the caller's workspace"],
    [
      "409 NOT_READY before the instructions are built, without a charge, checked before credits",
      "preview: requires a built campaign, and charges nothing before"
    ],
    [
      "409 NOT_READY after a build that failed, and after a change until value propositions are selected again",
      "preview: requires a current build: not a failed one, and not one that a change made outdated"
    ],
    [
      "a retry with the same Idempotency-Key gets the same preview as a replay, without a charge",
      "preview: with the same key gets the same preview, and is not charged"
    ],
    [
      "409 CONFLICT for the key with another body",
      "preview: with the same key gets the same preview, and is not charged"
    ],
    [
      "409 CONFLICT with Retry-After while the first is in flight",
      "preview: while the first request is in progress gets a Retry-After"
    ],
    [
      "a failed run frees the key",
      "preview: costs nothing if the writer %s",
      "preview: after a rejected request starts a new preview"
    ],
    ["continues when its caller disconnects; the retry gets it", "preview: completes if its caller disconnects"],
    [
      "is deleted with its campaign, and refunded if it was not done",
      "preview: is deleted with its campaign, and refunded if it was not complete"
    ],
    [
      "creates no list and writes to no real lead",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ]
  ]
}
