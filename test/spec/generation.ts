// test/spec/generation.ts: emails for one lead and for many.
import type { Chapter } from "./Fact.ts"

export const generation: Chapter = {
  title: "Generation",
  facts: [
    [
      "email_count is required, a whole number from 1 to 4, never a string",
      "generation: that are invalid are refused by both endpoints"
    ],
    ["email_count from 1 to 4 gives as many emails", "generation: that are invalid are refused by both endpoints"],
    [
      "exactly one of email_signature and signature_id: neither or both is 400",
      "generation: that are invalid are refused by both endpoints",
      "bodies: %j at %s: %j"
    ],
    [
      "null counts as no signature",
      "generation: that are invalid are refused by both endpoints",
      "generation: can name a saved signature, which is used unchanged"
    ],
    [
      "backslash-n separates the lines of email_signature",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    ["the line endings of a signature are normalized", "generation: normalize the line endings of a signature"],
    [
      "signature_id appends the saved text to each email",
      "generation: can name a saved signature, which is used unchanged"
    ],
    [
      "an unknown or deleted signature_id, or one that is no UUID, is 404",
      "generation: can name a saved signature, which is used unchanged"
    ],
    ["another workspace's signature_id is 404", "isolation: of another workspace is refused: $name"],
    ["additional_details is free text that reaches the writer", "generation: reach the writer: $input"],
    ["campaign_angle is used if additional_details is not sent", "generation: reach the writer: $input"],
    [
      "approved_ctas is one kind or a list of at most 10",
      "generation: reach the writer: $input",
      "generation: that are invalid are refused by both endpoints",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    ["approved_ctas defaults to Question, Lead Magnet and Direct Meeting CTA", "generation: reach the writer: $input"],
    [
      "approved_ctas of free text that is no question is 400",
      "generation: that are invalid are refused by both endpoints",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    [
      "a question in approved_ctas ends the first email verbatim",
      "generator: ends only the first email with an approved question verbatim"
    ],
    [
      "the lead magnet is offered only if Lead Magnet CTA is approved",
      "generator: offers the lead magnet only if that call to action is approved"
    ],
    [
      "leads at clients, competitors and the sender's own company are skipped with a reason, and cost nothing",
      "generation-batch: skips them with a reason, without charging or exporting them",
      "generation-batch: skips clients that only the campaign's selected proof names",
      "generation-batch: fails if all leads are skipped"
    ],
    ["include_clients writes to them", "generation-batch: writes to them if include_clients is true"],
    [
      "generate: 422 for a lead that is skipped",
      "generation-batch: refuses a single lead at a known company, without a charge"
    ],
    [
      "notices name the options that the built-in writer ignores",
      "generation: name the options that the built-in writer ignores",
      "generation: name the steps of the campaign that have remarks",
      "preview: has notices about options that the built-in writer ignores"
    ],
    [
      "notices are omitted if the writer follows the request",
      "generation: name the options that the built-in writer ignores",
      "model-flow: returns notices only if templates are filled in without the model"
    ],
    [
      "list_name names the list, or sequence_name if it is not sent",
      "generation: gives its list a name unless one is sent",
      "generation-batch: keeps the order and the names of its leads, including duplicates"
    ],
    [
      "a list's name has 1 to 200 characters, trimmed",
      "generation: gives its list a name of 1 to 200 characters",
      "lists: can be renamed only by their own workspace",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "enrichment_enabled is a boolean and defaults to false",
      "generation: that are invalid are refused by both endpoints",
      "generation: accept enrichment only for leads with a company, profile or website",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "enrichment_enabled researches each lead before it is written to",
      "enrichment: fetches each site once, costs two credits per lead, and stores the facts of each lead"
    ],
    [
      "enrichment costs 2 credits per successful lead, and 402 requires as many",
      "enrichment: fetches each site once, costs two credits per lead, and stores the facts of each lead",
      "enrichment: charges two credits for a single lead",
      "generation-admission: two credits per lead are available for researched leads"
    ],
    [
      "enrichment of a lead without company, linkedin_url and company_website is 400",
      "generation: accept enrichment with a company, a LinkedIn profile or a website",
      "generation: accept enrichment only for leads with a company, profile or website"
    ],
    [
      "null for any optional option or lead field counts as absent",
      "field-limits: %s accepts null for optional fields: %j"
    ],
    [
      "lead fields have at most 2000 characters, additional_details 10,000",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "generate: 200 with lead_id, list_id, sequence of step, subject and body, credits_remaining",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "generate: steps count from 1",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "generate: sequence_id equals list_id",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    ["generate: the list is named after its lead by default", "generation: gives its list a name unless one is sent"],
    [
      "generate: the list can be read and exported",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "generate: costs 1 credit",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "generate: no mail is sent, even if notification_email is set",
      "mail: sends no mail without a recipient, and a single lead never sends one"
    ],
    ["generate: 400 for invalid JSON", "bodies: is refused: %s"],
    [
      "generate: 400 without a lead, or with a lead without a valid email",
      "bodies: %j at %s: %j",
      "bodies: refuse an invalid email address: %j"
    ],
    ["generate: 400 before value propositions are selected", "generation-admission: value propositions are selected"],
    [
      "generate: 402 with required, available, payg_enabled, pct_of_cap",
      "generation-admission: enough credits are available",
      "generation-admission: pay-as-you-go covers missing credits up to its cap"
    ],
    [
      "generate: 403 for another workspace's campaign, 404 for none",
      "isolation: of another workspace is refused: $name",
      "isolation: of nothing is refused: $name"
    ],
    [
      "generate: 429 RATE_LIMITED for a sixth concurrent request of a workspace",
      "generation: is limited to five concurrent requests per workspace",
      "generation-admission: concurrent requests do not exceed the plan's limit"
    ],
    [
      "generate: 500 without a charge when nothing could be written",
      "generation: that cannot be written returns the reason, and costs nothing",
      "generation: does not reveal details of a defect"
    ],
    [
      "generate: 500 without a charge while the writer is unavailable; the lead stays pending",
      "generation: during an outage stays pending without a charge, and the caller gets the reason"
    ],
    ["generate: waits for the build while overall is building", "generation: waits for a build in progress"],
    ["generate: fails with the build it waits for", "generation: fails with the build it waits for"],
    [
      "generate: continues when the caller disconnects, and charges once",
      "generation: is still written when its caller disconnects"
    ],
    [
      "generate and generate-batch ignore Idempotency-Key: a retry writes and charges again",
      "generation: sent again with an Idempotency-Key is written and charged again"
    ],
    [
      "generate-batch: 202 with list_id, status processing, leads_count, message",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "generate-batch: sequence_id equals list_id",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "generate-batch: the list is named API Batch (n) by default",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed",
      "generation-batch: keeps the order and the names of its leads, including duplicates"
    ],
    [
      "generate-batch: leads is required, 1 to 50,000 of them",
      "generation-batch: is refused with invalid leads: $path",
      "generation-batch: may hold 50,000 leads"
    ],
    ["generate-batch: every lead has a valid email, else 400 that names it", "bodies: %j at %s: %j"],
    [
      "generate-batch: duplicate leads are separate leads, in the order they were sent",
      "generation-batch: keeps the order and the names of its leads, including duplicates"
    ],
    [
      "generate-batch: accepted while overall is building, and starts when the build completes",
      "generation-batch: accepted during a build starts when the build completes"
    ],
    ["generate-batch: fails with the build it waits for", "generation-batch: accepted during a build fails with it"],
    [
      "generate and generate-batch: become pending without held credits when a change makes their build outdated",
      "generation-batch: is pending until it is resumed, and uses the next build"
    ],
    [
      "generate-batch: 400 before value propositions are selected",
      "generation-admission: value propositions are selected"
    ],
    [
      "generate and generate-batch: 400 after a build that failed, and after a change until value propositions are selected again",
      "preview: requires a current build: not a failed one, and not one that a change made outdated",
      "campaign-build: is a draft again after %s, until value propositions are selected again"
    ],
    [
      "generate-batch: 402 before anything is stored unless there is 1 credit per lead",
      "generation-admission: enough credits are available"
    ],
    [
      "generate-batch: credits are deducted only for successful leads",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed",
      "generation-batch: with failed leads completes, and charges and exports only the others",
      "generation-batch: whose leads all fail is failed, and costs nothing"
    ],
    [
      "generate-batch: pay-as-you-go covers missing credits up to its cap",
      "generation-admission: pay-as-you-go covers missing credits up to its cap"
    ],
    [
      "generate-batch: notification_email is one valid address, else 400",
      "bodies: %j at %s: %j",
      "mail: is not accepted for %j",
      "field-limits: %s accepts an email address at %s of at most 254 characters"
    ],
    [
      "generate-batch: 404 for an unknown campaign or signature_id, 403 for another workspace's campaign",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name",
      "generation: can name a saved signature, which is used unchanged"
    ],
    [
      "generate-batch: 429 WORKSPACE_LIMIT with Retry-After at the plan's limit of concurrent lists",
      "generation-admission: the plan allows another concurrent list, which is checked before credits"
    ],
    [
      "generate-batch: the plan's limit holds for concurrent requests",
      "generation-admission: concurrent requests do not exceed the plan's limit"
    ],
    [
      "generate-batch: a pending list does not count as concurrent",
      "generation-batch: becomes pending during an outage, and finished leads stay finished"
    ],
    [
      "generate-batch: 500 when it cannot be stored, and nothing of it is stored",
      "generation-batch: is stored completely or not at all"
    ],
    [
      "the campaign's state is checked before quota, and quota before credits",
      "generation-admission: the campaign's state is valid, which is checked before limits and credits",
      "generation-admission: the plan allows another concurrent list, which is checked before credits"
    ],
    [
      "a list keeps the campaign as it was when it began",
      "generation-batch: is written from the campaign as accepted or built, not from a later change"
    ],
    [
      "generate and generate-batch need campaigns:write and a key",
      "http: needs $scope for $method $path",
      "http: is required by $method $path"
    ]
  ]
}
