// test/spec/lists.ts: lists of leads: their progress, operations and exports.
import type { Chapter } from "./Fact.ts"

export const lists: Chapter = {
  title: "Lists",
  facts: [
    [
      "GET /lists: lists, has_more, total, and no data key",
      "http: of %s has the documented shape",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "GET /lists: an entry has id, campaign_id, custom_name, processing_status, created_at, completed_at",
      "lists: show the fields and allow the operations of their state",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "GET /lists: completed_at is null until completed",
      "lists: show the fields and allow the operations of their state"
    ],
    ["GET /lists: newest first", "lists: show the fields and allow the operations of their state"],
    [
      "GET /lists: filtered by campaign_id and by status",
      "lists: show the fields and allow the operations of their state",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "GET /lists: a campaign_id or status that cannot be one is 400",
      "http: is refused for a filter that can never match"
    ],
    [
      "GET /lists: another workspace's campaign_id matches nothing",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "GET /lists: total counts what the filter matches",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "GET /lists/:id: always id, campaign_id, custom_name, processing_status, created_at, updated_at",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "GET /lists/:id: completed_at, leads_count, emails_created, processed_file_path when completed, and only then",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "GET /lists/:id: failed_at when failed, and only then",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "GET /lists/:id: progress of leads_total, leads_done, leads_failed while pending, processing or in_progress",
      "lists: show the fields and allow the operations of their state",
      "generation-batch: is in progress after its first finished lead"
    ],
    [
      "GET /lists/:id: leads_count counts all leads, emails_created the emails stored",
      "lists: show the fields and allow the operations of their state",
      "generation-batch: with failed leads completes, and charges and exports only the others"
    ],
    [
      "GET /lists/:id: campaign_id is null once the campaign is deleted",
      "lists: can be resumed only with pending leads and an existing campaign",
      "campaigns: is deleted, and its lists stay readable without a campaign"
    ],
    [
      "GET /lists/:id: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "a new list is processing, in_progress from its first finished lead on",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed",
      "generation-batch: is in progress after its first finished lead"
    ],
    [
      "a list becomes pending while the writer is unavailable; finished leads are kept and charged once",
      "generation-batch: becomes pending during an outage, and finished leads stay finished",
      "lists: become pending when the writer is unavailable, and continue when resumed"
    ],
    [
      "a list becomes pending when credits run out",
      "generation-batch: that runs out of credits becomes pending, and written emails are kept"
    ],
    [
      "a batch is 25 leads",
      "lists: can be resumed only with pending leads and an existing campaign",
      "lists: do not repeat failed or finished leads when resumed"
    ],
    [
      "PATCH: custom_name is required, 1 to 200 characters, trimmed",
      "lists: can be renamed only by their own workspace",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "GET /lists/:id/leads: data, has_more, total; in the order they were sent, each with its status, emails and score",
      "lists: show each lead with its emails, findings and sources, in every state",
      "lists: show the findings and sources stored by an earlier version"
    ],
    [
      "GET /lists/:id/leads: filtered by status, 400 for an unknown status",
      "lists: show each lead with its emails, findings and sources, in every state"
    ],
    [
      "GET /lists/:id/leads: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    ["PATCH: 200 with the six fields of an entry", "lists: can be renamed only by their own workspace"],
    ["PATCH: 404 for an unknown id and another workspace's", "lists: can be renamed only by their own workspace"],
    [
      "DELETE: 200 with id and deleted true, and the list is gone",
      "lists: cannot be deleted while being written, and keep their credit history afterwards"
    ],
    [
      "DELETE: the credit history stays",
      "lists: cannot be deleted while being written, and keep their credit history afterwards"
    ],
    [
      "DELETE: 409 CONFLICT with detail.processing_status while processing or in_progress",
      "lists: show the fields and allow the operations of their state",
      "lists: cannot be deleted while being written, and keep their credit history afterwards"
    ],
    ["DELETE: a pending list can be deleted", "lists: that are pending can be deleted"],
    [
      "DELETE: a campaign with a pending list can be deleted",
      "lists: can be resumed only with pending leads and an existing campaign",
      "campaigns: can be deleted while a list is pending, and the list stays pending and can be deleted"
    ],
    ["DELETE: 404 for an unknown id and another workspace's", "lists: can be renamed only by their own workspace"],
    [
      "POST: 202 with list_id, status processing, pending_batches, batches_total, message",
      "lists: can be resumed only with pending leads and an existing campaign",
      "lists: become pending when the writer is unavailable, and continue when resumed"
    ],
    [
      "POST: only pending batches continue; nothing finished is repeated or charged again",
      "lists: become pending when the writer is unavailable, and continue when resumed"
    ],
    [
      "POST: 422 without a pending batch, whatever the state",
      "lists: can be resumed only with pending leads and an existing campaign"
    ],
    [
      "POST: 422 when the campaign was deleted",
      "lists: can be resumed only with pending leads and an existing campaign"
    ],
    ["POST: 404 for an unknown id and another workspace's", "lists: can be renamed only by their own workspace"],
    ["POST: 429 while requests cannot be counted", "rate-limits: refuses $method $path"],
    [
      "export: csv by default, json on request, any other format is 400",
      "exports: is a CSV that a spreadsheet reads and does not run",
      "exports: has the same leads as JSON, unchanged"
    ],
    [
      "export: the CSV has the lead's six columns and two for each step",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    ["export: the CSV is UTF-8, RFC 4180, with CRLF", "exports: is a CSV that a spreadsheet reads and does not run"],
    [
      "export: a cell that a spreadsheet would execute is prefixed with a quote",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    [
      "export: Content-Disposition has a valid filename for any name of a list",
      "exports: is a CSV that a spreadsheet reads and does not run",
      "exports: is named after its list, whatever the name contains"
    ],
    [
      "export: the JSON has email, name, company, title and sequence of step, subject, body",
      "exports: has the same leads as JSON, unchanged",
      "generation: gets its sequence in the response, is charged, and is stored in its own list"
    ],
    [
      "export: only leads that succeeded, in the order they were sent",
      "generation-batch: with failed leads completes, and charges and exports only the others",
      "exports: of many leads is complete"
    ],
    [
      "export: 409 NOT_READY with detail.processing_status in every other state",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "export: 500 when it cannot be read, never a truncated file",
      "exports: that cannot be read is an error, and not a truncated file"
    ],
    [
      "export: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "reads need lists:read, changes lists:write",
      "http: needs $scope for $method $path",
      "http: each endpoint requires the scope in the specification"
    ]
  ]
}
