// test/spec/generation.ts: emails for one lead and for many.
import type { Chapter } from "./Fact.ts"

export const generation: Chapter = {
  title: "Generation",
  facts: [
    [
      "email_count is required, a whole number from 1 to 4, never a string",
      "generation: that are wrong are refused by both endpoints"
    ],
    ["email_count from 1 to 4 gives as many emails", "generation: that are wrong are refused by both endpoints"],
    [
      "exactly one of email_signature and signature_id: neither or both is 400",
      "generation: that are wrong are refused by both endpoints",
      "bodies: %j at %s: %j"
    ],
    [
      "null counts as no signature",
      "generation: that are wrong are refused by both endpoints",
      "generation: name a saved signature, which is used as it is"
    ],
    [
      "each line of email_signature, parted by backslash-n, stands on a line of its own",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "the lines of a signature end in one way, however they were typed",
      "generation: end the lines of a signature in one way, however they were typed"
    ],
    ["signature_id sets the saved text under each email", "generation: name a saved signature, which is used as it is"],
    [
      "an unknown or deleted signature_id, or one that is no UUID, is 404",
      "generation: name a saved signature, which is used as it is"
    ],
    ["another workspace's signature_id is 404", "isolation: of another workspace is refused: $name"],
    ["additional_details is free text that reaches the writer", "generation: reach the writer: $given"],
    ["campaign_angle is taken for additional_details where that is not sent", "generation: reach the writer: $given"],
    [
      "approved_ctas is one kind or a list of at most 10",
      "generation: reach the writer: $given",
      "generation: that are wrong are refused by both endpoints",
      "caps: of %s takes a list at %s of %d entries and no more"
    ],
    [
      "approved_ctas is Question, Lead Magnet and Direct Meeting CTA unless sent",
      "generation: reach the writer: $given"
    ],
    [
      "approved_ctas of free text that is no question is 400",
      "generation: that are wrong are refused by both endpoints",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    [
      "a question in approved_ctas ends the first email, word for word",
      "generator: ends the first email, and no other, with an approved question word for word"
    ],
    [
      "the lead magnet is offered only where Lead Magnet CTA is approved",
      "generator: offers the lead magnet only where that call to action is approved"
    ],
    [
      "leads at clients, competitors and the sender's own company are left out, say why and cost nothing",
      "generation-batch: leaves them out: they cost nothing, say why, and are not exported",
      "generation-batch: leaves out clients of a proof that only the campaign's selection names",
      "generation-batch: has failed where all of them are left out"
    ],
    ["include_clients writes to them", "generation-batch: writes to them where include_clients is true"],
    [
      "generate: 422 for a lead that is left out",
      "generation-batch: refuses to write to one of them alone, and charges nothing for it"
    ],
    [
      "notices name what the built-in writer cannot follow",
      "generation: name what the built-in writer cannot follow",
      "generation: name the steps of the campaign that have remarks",
      "preview: has notices about options that the built-in writer ignores"
    ],
    [
      "notices are omitted where the writer follows the request",
      "generation: name what the built-in writer cannot follow",
      "model-flow: gives notices only where templates are filled in without the model"
    ],
    [
      "list_name names the list, sequence_name where that is not sent",
      "generation: lends its list a name unless there is one",
      "generation-batch: keeps the order it was sent in, equal leads apart, and names as they are"
    ],
    [
      "a list's name has 1 to 200 characters, trimmed",
      "generation: lends its list a name of 1 to 200 characters, whatever it is called itself",
      "lists: can be renamed, and only by their own workspace",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more"
    ],
    [
      "enrichment_enabled is a boolean, false unless sent",
      "generation: that are wrong are refused by both endpoints",
      "generation: ask for enrichment only with something to research",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "enrichment_enabled researches each lead before it is written to",
      "enrichment: has each site fetched once, costs two credits a lead, and keeps what each lead was written from"
    ],
    [
      "enrichment costs 2 credits a lead that succeeds, and 402 asks for as many",
      "enrichment: has each site fetched once, costs two credits a lead, and keeps what each lead was written from",
      "enrichment: needs two credits for a single lead",
      "generation-admission: twice the credits are there where leads are researched"
    ],
    [
      "enrichment of a lead without company, linkedin_url and company_website is 400",
      "generation: ask for enrichment with a company, a profile or a site, each of which will do",
      "generation: ask for enrichment only with something to research"
    ],
    [
      "null for any optional option or lead field counts as absent",
      "caps: of %s takes null for what may be left out: %j"
    ],
    [
      "lead fields have at most 2000 characters, additional_details 10,000",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more"
    ],
    [
      "generate: 200 with lead_id, list_id, sequence of step, subject and body, credits_remaining",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "generate: steps count from 1",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "generate: sequence_id equals list_id",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "generate: the list is named after its lead unless named",
      "generation: lends its list a name unless there is one"
    ],
    [
      "generate: the list is there to read and to export",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    ["generate: costs 1 credit", "generation: is answered with its sequence, charged, and kept in a list of its own"],
    [
      "generate: no mail is sent, even if notification_email is set",
      "mail: sends no mail without a recipient, and a single lead never sends one"
    ],
    ["generate: 400 for JSON that is none", "bodies: is refused: %s"],
    [
      "generate: 400 without a lead, or with a lead without a valid email",
      "bodies: %j at %s: %j",
      "bodies: an address that is none: %j"
    ],
    [
      "generate: 400 before value propositions are selected",
      "generation-admission: the campaign's value propositions are selected"
    ],
    [
      "generate: 402 with required, available, payg_enabled, pct_of_cap",
      "generation-admission: the credits are there",
      "generation-admission: pay-as-you-go may fill the gap up to its cap"
    ],
    [
      "generate: 403 for another workspace's campaign, 404 for none",
      "isolation: of another workspace is refused: $name",
      "isolation: of nothing is refused: $name"
    ],
    [
      "generate: 429 RATE_LIMITED for a sixth at once in a workspace, other workspaces not counted",
      "generation: is one of five at once in a workspace",
      "generation-admission: there is room for as many as the plan allows, however many are asked for at once"
    ],
    [
      "generate: 500 when nothing could be written, and nothing is charged",
      "generation: that cannot be written to is an error that says why, and costs nothing",
      "generation: met by a bug gives nothing of it away"
    ],
    [
      "generate: 500 while the writer is away; the lead is kept and not charged",
      "generation: during an outage is kept and not charged, and the caller gets the reason"
    ],
    [
      "generate: while overall is building it waits for the build, then writes",
      "generation: waits for a build under way"
    ],
    ["generate: fails with the build it waits for", "generation: fails with the build it waits for"],
    [
      "generate: a caller who hangs up loses nothing and is charged once",
      "generation: is still written to when its caller disconnects"
    ],
    [
      "generate and generate-batch know no Idempotency-Key: a retry writes and charges again",
      "generation: asked for again under an Idempotency-Key, of whatever form, is written again and charged again"
    ],
    [
      "generate-batch: 202 with list_id, status processing, leads_count, message",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "generate-batch: sequence_id equals list_id",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "generate-batch: the list is named API Batch (n) unless named",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed",
      "generation-batch: keeps the order it was sent in, equal leads apart, and names as they are"
    ],
    [
      "generate-batch: leads is required, 1 to 50,000 of them",
      "generation-batch: is refused with leads that are none: $path",
      "generation-batch: may hold 50,000 leads"
    ],
    ["generate-batch: every lead has a valid email, else 400 that names it", "bodies: %j at %s: %j"],
    [
      "generate-batch: equal leads are separate leads, in the order they were sent",
      "generation-batch: keeps the order it was sent in, equal leads apart, and names as they are"
    ],
    [
      "generate-batch: accepted while overall is building, and begins when that is done",
      "generation-batch: accepted during a build starts by itself when the build is done"
    ],
    ["generate-batch: fails with the build it waits for", "generation-batch: accepted during a build fails with it"],
    [
      "generate and generate-batch: rest when a change overtakes the build they wait for, and hold no credit meanwhile",
      "generation-batch: rests until it is asked to go on, and is written from the next"
    ],
    [
      "generate-batch: 400 before value propositions are selected",
      "generation-admission: the campaign's value propositions are selected"
    ],
    [
      "generate and generate-batch: 400 after a build that failed, and after a change until value propositions are selected again",
      "preview: requires a current build: not a failed one, and not one that a change made outdated",
      "build: is a draft again after %s, until value propositions are selected again"
    ],
    [
      "generate-batch: 402 before anything is stored when 1 credit a lead is not there",
      "generation-admission: the credits are there"
    ],
    [
      "generate-batch: credits are deducted for each lead that succeeded, and for no other",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed",
      "generation-batch: with leads that fail completes, and charges and exports the others",
      "generation-batch: of leads that all fail has failed, and costs nothing"
    ],
    [
      "generate-batch: pay-as-you-go fills the gap up to its cap",
      "generation-admission: pay-as-you-go may fill the gap up to its cap"
    ],
    [
      "generate-batch: notification_email is one valid address, else 400",
      "bodies: %j at %s: %j",
      "mail: is not accepted for %j",
      "caps: of %s takes an address at %s of 254 characters and no more"
    ],
    [
      "generate-batch: 404 for an unknown campaign or signature_id, 403 for another workspace's campaign",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name",
      "generation: name a saved signature, which is used as it is"
    ],
    [
      "generate-batch: 429 WORKSPACE_LIMIT with Retry-After when the plan's lists are all in work",
      "generation-admission: the plan has room for one more list, and that is asked before the credits are"
    ],
    [
      "generate-batch: the plan's limit holds for requests that come at once",
      "generation-admission: there is room for as many as the plan allows, however many are asked for at once"
    ],
    [
      "generate-batch: a list that rests is none in work",
      "generation-batch: met by an outage rests, and what was finished stays finished"
    ],
    [
      "generate-batch: 500 when it cannot be stored, and then nothing of it is",
      "generation-batch: is stored whole, or is an error and not stored at all"
    ],
    [
      "the campaign's state is asked before quota, the quota before credits",
      "generation-admission: the campaign's state is asked before room and credits",
      "generation-admission: the plan has room for one more list, and that is asked before the credits are"
    ],
    [
      "a list keeps the campaign as it was when it began",
      "generation-batch: is written from what the campaign was when it was accepted or built, not from a later change"
    ],
    [
      "both need campaigns:write and a key",
      "http: needs $scope for $method $path",
      "http: is asked for by $method $path"
    ]
  ]
}
