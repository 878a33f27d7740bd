// test/spec/resources.ts: the resources and their fields.
import type { Chapter } from "./Fact.ts"

export const resources: Chapter = {
  title: "Resources and their fields",
  facts: [
    ["ids are UUIDs and times ISO 8601, for campaigns", "campaign-build: is a draft with all stages pending"],
    [
      "ids are UUIDs and times ISO 8601, for segments",
      "audiences: are listed with the most likely first, and searched in all their fields"
    ],
    ["times of a list are ISO 8601", "lists: show the fields and allow the operations of their state"],
    [
      "nullable fields are always present",
      "workspace: returns all of its details and the state of its documents",
      "campaign-build: a job stays processing between attempts and ends once",
      "campaigns: shows its selections with edits, and null where nothing is selected"
    ],

    [
      "a campaign has id, name and status when it is created, and its status is draft",
      "campaign-build: is a draft with all stages pending"
    ],
    [
      "no other response has a campaign's status",
      "campaign-build: is a draft with all stages pending",
      "campaigns: is renamed"
    ],
    [
      "an entry of GET /campaigns is id, name, created_at and overall",
      "campaign-build: is a draft with all stages pending"
    ],
    [
      "overall of an entry is what build-status says",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message"
    ],

    [
      "every list has id, campaign_id, custom_name, processing_status, created_at and updated_at",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "campaign_id of a list is null once its campaign was deleted",
      "campaigns: is deleted, and its lists stay readable without a campaign"
    ],
    [
      "completed_at, leads_count, emails_created and processed_file_path are there when a list is completed, and only then",
      "lists: show the fields and allow the operations of their state",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "leads_count counts the leads of a list, failed ones included, emails_created the stored emails",
      "generation-batch: with failed leads completes, and charges and exports only the others"
    ],
    [
      "failed_at is there when a list failed, and only then",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "a list that is pending, processing or in_progress has progress: leads_total, leads_done, leads_failed",
      "lists: show the fields and allow the operations of their state",
      "generation-batch: is in progress after its first finished lead"
    ],
    [
      "an entry of GET /lists is id, campaign_id, custom_name, processing_status, created_at and completed_at",
      "lists: show the fields and allow the operations of their state",
      "lists: can be renamed only by their own workspace"
    ],

    [
      "a lead needs a valid email",
      "bodies: refuse an invalid email address: %j",
      "bodies: accept a valid email address: %s",
      "generation-batch: is refused with invalid leads: $path"
    ],
    ["a lead needs nothing but its email", "generation: gives its list a name unless one is sent"],
    [
      "a lead may have name, title, company, linkedin_url and company_website",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    ["the fields of a lead are strings", "bodies: report all issues at once, each with its path"],

    [
      "an email of a sequence is step, subject and body, and steps begin at 1",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],

    [
      "a signature is id, signature_text, signature_name, created_by, created_at and updated_at",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "bodies: may have unknown fields, including __proto__"
    ],
    [
      "signature_name is the first line of the text, and no client sets it",
      "signatures: the name is the first non-blank line, trimmed",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator"
    ],
    [
      "a saved signature can stand for an inline one in preview, generate and generate-batch",
      "generation: can name a saved signature, which is used unchanged",
      "preview: has options that are passed to the writer"
    ],

    [
      "the jobs of a build are campaign.target_audience, campaign.value_propositions and campaign.build",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "workspace.regenerate is a job",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    ["workspace.import.document is a job", "imports: is answered with a job that is pending"],
    ["workspace.import.url is a job", "fetch: fails the job if a name resolves to a private address"],
    ["a job's result is an object once an import is completed", "imports: is read as %s, and fills only empty fields"],
    [
      "a job's updated_at changes when it ends",
      "campaign-build: a job stays processing between attempts and ends once"
    ],

    [
      "a segment has its ten fields, which are strings",
      "audiences: are listed with the most likely first, and searched in all their fields",
      "audiences: that is custom needs a name, and stores every field that is sent"
    ],
    [
      "decision_makers is a string or a list of them",
      "audiences: are created and updated by the campaigns that use them"
    ],
    [
      "additional_details of a segment is null if none were sent",
      "audiences: are created and updated by the campaigns that use them"
    ],
    [
      "source is market_research for what research proposed",
      "audiences: are listed with the most likely first, and searched in all their fields"
    ],
    [
      "source is custom for what a user described",
      "audiences: that is custom needs a name, and stores every field that is sent"
    ],
    [
      "one segment serves many campaigns",
      "audiences: is shared by campaigns, and each keeps a copy from when it was linked"
    ],

    [
      "an asset option is id, name, description and type",
      "campaign-build: of the workspace are not ready while its documents are regenerated",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "the types are social_proof, lead_magnet, risk_reversal and value_proposition",
      "campaign-build: of the workspace are not ready while its documents are regenerated",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "options of the first three types belong to the workspace, from its onboarding",
      "campaign-build: of the workspace are not ready while its documents are regenerated"
    ],
    ["value propositions belong to a campaign, generated on request", "campaign-build: belong to their campaign"],

    [
      "a workspace is id, name, onboarding_completed, details and documents",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "onboarding_completed turns true with the onboarding",
      "workspace: has documents in progress while its research runs"
    ],
    [
      "details have every editable field, null if missing",
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
      "a core product needs its product; its pricing defaults to an empty string",
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
      "credits: the account shows every field and no payment data"
    ],
    [
      "is_unlimited is true for an internal plan",
      "generation-admission: an unlimited plan needs no credits, and its usage is recorded"
    ],
    ["nothing of a payment processor is shown", "credits: the account shows every field and no payment data"],

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
