// test/spec/resources.ts: the resources and their fields.
import type { Chapter } from "./Fact.ts"

export const resources: Chapter = {
  title: "Resources and their fields",
  facts: [
    ["ids are UUIDs and times ISO 8601, for campaigns", "build: is a draft with nothing done"],
    [
      "ids are UUIDs and times ISO 8601, for segments",
      "audiences: are listed, likeliest first, and searched in all that describes them"
    ],
    ["times of a list are ISO 8601", "lists: show the fields of their state and no others, and allow what that allows"],
    [
      "a field that may be null is there all the same",
      "workspace: returns all of its details and the state of its documents",
      "build: a job is processing from the start, between attempts too, and ends once",
      "branch: tells what it has chosen, with edits, and null where nothing was"
    ],

    [
      "a campaign has id, name and status when it is created, and its status is draft",
      "build: is a draft with nothing done"
    ],
    ["no other answer tells a campaign's status", "build: is a draft with nothing done", "branch: is renamed"],
    ["an entry of GET /campaigns is id, name, created_at and overall", "build: is a draft with nothing done"],
    [
      "overall of an entry is what build-status says",
      "build: a campaign is built step by step, and costs nothing",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message"
    ],

    [
      "every list has id, campaign_id, custom_name, processing_status, created_at and updated_at",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "campaign_id of a list is null once its campaign was deleted",
      "branch: is deleted with what was made for it, and leaves its lists readable and detached"
    ],
    [
      "completed_at, leads_count, emails_created and processed_file_path are there when a list is completed, and only then",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "leads_count counts the leads of a list, failed ones included, emails_created the stored emails",
      "generation-batch: with leads that fail completes, and charges and exports the others"
    ],
    [
      "failed_at is there when a list failed, and only then",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "a list that is pending, processing or in_progress has progress: leads_total, leads_done, leads_failed",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation-batch: is in progress from its first finished lead on"
    ],
    [
      "an entry of GET /lists is id, campaign_id, custom_name, processing_status, created_at and completed_at",
      "lists: show the fields of their state and no others, and allow what that allows",
      "lists: can be renamed, and only by their own workspace"
    ],

    [
      "a lead needs a valid email",
      "bodies: an address that is none: %j",
      "bodies: an address that is one: %s",
      "generation-batch: is refused with leads that are none: $path"
    ],
    ["a lead needs nothing but its email", "generation: lends its list a name unless there is one"],
    [
      "a lead may have name, title, company, linkedin_url and company_website",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    ["the fields of a lead are strings", "bodies: is reported all at once, each issue with its path"],

    [
      "an email of a sequence is step, subject and body, and steps begin at 1",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],

    [
      "a signature is id, signature_text, signature_name, created_by, created_at and updated_at",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "bodies: may carry unknown fields, __proto__ among them"
    ],
    [
      "signature_name is the first line of the text, and no client sets it",
      "signatures: the name is the first non-blank line, trimmed",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator"
    ],
    [
      "a saved signature can stand for an inline one in preview, generate and generate-batch",
      "generation: name a saved signature, which is used as it is",
      "preview: has options that are passed to the writer"
    ],

    [
      "the jobs of a build are campaign.target_audience, campaign.value_propositions and campaign.build",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "workspace.regenerate is a job",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    ["workspace.import.document is a job", "imports: is answered with a job that is pending"],
    ["workspace.import.url is a job", "fetch: a name that turns out to be private is a job that fails"],
    ["a job's result is an object once an import is completed", "imports: is read as %s, and fills only what is empty"],
    [
      "a job's updated_at moves on as it ends",
      "build: a job is processing from the start, between attempts too, and ends once"
    ],

    [
      "a segment has its ten fields, which are strings",
      "audiences: are listed, likeliest first, and searched in all that describes them",
      "audiences: that is custom needs a name, and gets every field that is sent"
    ],
    [
      "decision_makers is a string or a list of them",
      "audiences: are made and brought up to date by the campaigns that use them"
    ],
    [
      "additional_details of a segment is null if none were given",
      "audiences: are made and brought up to date by the campaigns that use them"
    ],
    [
      "source is market_research for what research proposed",
      "audiences: are listed, likeliest first, and searched in all that describes them"
    ],
    [
      "source is custom for what a user described",
      "audiences: that is custom needs a name, and gets every field that is sent"
    ],
    [
      "one segment serves many campaigns",
      "audiences: is shared by campaigns, each of which keeps it as it was when it was linked"
    ],

    [
      "an asset option is id, name, description and type",
      "build: of the workspace are not ready while its research is regenerated",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "the types are social_proof, lead_magnet, risk_reversal and value_proposition",
      "build: of the workspace are not ready while its research is regenerated",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "options of the first three types are the workspace's, made in its onboarding",
      "build: of the workspace are not ready while its research is regenerated"
    ],
    ["value propositions are a campaign's own, made on demand", "build: belong to their campaign"],

    [
      "a workspace is id, name, onboarding_completed, details and documents",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "onboarding_completed turns true with the onboarding",
      "workspace: has documents in progress while its research runs"
    ],
    [
      "details hold every editable field, and null for what is missing",
      "workspace: returns all of its details and the state of its documents",
      "workspace: has the detail fields of the contract, each of which can be changed"
    ],
    [
      "the documents of a workspace are company_summary and market_research, with type, title, status and download_url",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "a workspace document is ready, processing or unavailable",
      "workspace: returns all of its details and the state of its documents",
      "workspace: has documents in progress while its research runs"
    ],
    [
      "download_url is a signed link for a ready document and null for any other",
      "workspace: returns all of its details and the state of its documents",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    ["23 detail fields are texts", "workspace: has the detail fields of the contract, each of which can be changed"],
    [
      "case_studies, credibility_markers, guarantee and lead_magnets are lists of strings",
      "workspace: has the detail fields of the contract, each of which can be changed",
      "workspace: refuses %s and names the field"
    ],
    [
      "a core product needs its product; its pricing is an empty string unless given",
      "workspace: changes the details that are sent and leaves the others",
      "workspace: refuses %s and names the field"
    ],

    [
      "a conversation is id, title, campaign_id, created_at and last_message_at",
      "agent: shows the role, text and time of each message, and no internal fields"
    ],
    [
      "a message is role, content and created_at",
      "agent: shows the role, text and time of each message, and no internal fields"
    ],
    [
      "the role of a message is user or assistant",
      "agent: keeps each question with its answer, under the first question's title"
    ],

    [
      "the credit account has balance, is_unlimited, plan, period, usage and payg with all their fields",
      "credits: the account shows every field, and nothing of a payment"
    ],
    [
      "is_unlimited is true for an internal plan",
      "generation-admission: an unlimited plan is never asked for credits, and its use is recorded"
    ],
    ["nothing of a payment processor is shown", "credits: the account shows every field, and nothing of a payment"],

    [
      "a preview has its ten fields, generated_emails by lead with lead_index, lead_data, emails and status",
      "preview: writes to five leads under the caller's headers, and costs five credits"
    ],
    [
      "a preview's status is success or partial, and credits_charged is what is left after refunds",
      "preview: writes to five leads under the caller's headers, and costs five credits",
      "preview: refunds a credit for each lead that failed"
    ],
    ["a lead that failed in a preview has an error", "preview: refunds a credit for each lead that failed"]
  ]
}
