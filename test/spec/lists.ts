// test/spec/lists.ts: batches of leads, how far each is, and what came of it.
import type { Chapter } from "./Fact.ts"

export const lists: Chapter = {
  title: "Lists",
  facts: [
    [
      "GET /lists: lists, has_more, total, and no data key",
      "http: of %s keeps its own shape",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "GET /lists: an entry has id, campaign_id, custom_name, processing_status, created_at, completed_at",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "GET /lists: completed_at is null until completed",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    ["GET /lists: newest first", "lists: show the fields of their state and no others, and allow what that allows"],
    [
      "GET /lists: filtered by campaign_id and by status",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "GET /lists: a campaign_id or status that cannot be one is 400",
      "http: is refused where a filter could never match"
    ],
    [
      "GET /lists: another workspace's campaign_id matches nothing",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "GET /lists: total counts what the filter matches",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "GET /lists/:id: always id, campaign_id, custom_name, processing_status, created_at, updated_at",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "GET /lists/:id: completed_at, leads_count, emails_created, processed_file_path when completed, and only then",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "GET /lists/:id: failed_at when failed, and only then",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "GET /lists/:id: progress of leads_total, leads_done, leads_failed while pending, processing or in_progress",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation-batch: is in progress from its first finished lead on"
    ],
    [
      "GET /lists/:id: leads_count counts all leads, emails_created the emails stored",
      "lists: show the fields of their state and no others, and allow what that allows",
      "generation-batch: with leads that fail completes, and charges and exports the others"
    ],
    [
      "GET /lists/:id: campaign_id is null once the campaign is deleted",
      "lists: go on only while there is something left to do, and the campaign to do it for",
      "campaigns: is deleted, and its lists stay readable without a campaign"
    ],
    [
      "GET /lists/:id: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "a new list is processing, in_progress from its first finished lead on",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed",
      "generation-batch: is in progress from its first finished lead on"
    ],
    [
      "a list whose writer is away turns pending, what was finished kept and charged once",
      "generation-batch: met by an outage rests, and what was finished stays finished",
      "lists: rest when the writer is gone, and go on where they were when asked to"
    ],
    [
      "a list whose credits ran out turns pending",
      "generation-batch: that runs out of credits rests, and nothing written is lost"
    ],
    [
      "a batch is 25 leads",
      "lists: go on only while there is something left to do, and the campaign to do it for",
      "lists: go on where they were: what failed or is finished is not begun again"
    ],
    [
      "PATCH: custom_name is required, 1 to 200 characters, trimmed",
      "lists: can be renamed, and only by their own workspace",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "GET /lists/:id/leads: data, has_more, total; in the order they were sent, each with its status, emails and score",
      "lists: show each lead with its emails, their findings and their sources, in every state",
      "lists: show the findings and sources that an earlier version stored"
    ],
    [
      "GET /lists/:id/leads: filtered by status, 400 for what is none",
      "lists: show each lead with its emails, their findings and their sources, in every state"
    ],
    [
      "GET /lists/:id/leads: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    ["PATCH: 200 with the six fields of an entry", "lists: can be renamed, and only by their own workspace"],
    ["PATCH: 404 for an unknown id and another workspace's", "lists: can be renamed, and only by their own workspace"],
    [
      "DELETE: 200 with id and deleted true, and the list is gone",
      "lists: are not deleted while they are in work, and afterwards leave their history behind"
    ],
    [
      "DELETE: the credit history stays",
      "lists: are not deleted while they are in work, and afterwards leave their history behind"
    ],
    [
      "DELETE: 409 CONFLICT with detail.processing_status while processing or in_progress",
      "lists: show the fields of their state and no others, and allow what that allows",
      "lists: are not deleted while they are in work, and afterwards leave their history behind"
    ],
    ["DELETE: a list that rests can be deleted", "lists: that rest can be deleted"],
    [
      "DELETE: a campaign whose list rests can be deleted",
      "lists: go on only while there is something left to do, and the campaign to do it for",
      "campaigns: can be deleted while a list is pending, and the list stays pending and can be deleted"
    ],
    ["DELETE: 404 for an unknown id and another workspace's", "lists: can be renamed, and only by their own workspace"],
    [
      "POST: 202 with list_id, status processing, pending_batches, batches_total, message",
      "lists: go on only while there is something left to do, and the campaign to do it for",
      "lists: rest when the writer is gone, and go on where they were when asked to"
    ],
    [
      "POST: only batches that rest go on; nothing finished is redone or charged again",
      "lists: rest when the writer is gone, and go on where they were when asked to"
    ],
    [
      "POST: 422 without a pending batch, whatever the state",
      "lists: go on only while there is something left to do, and the campaign to do it for"
    ],
    [
      "POST: 422 when the campaign was deleted",
      "lists: go on only while there is something left to do, and the campaign to do it for"
    ],
    ["POST: 404 for an unknown id and another workspace's", "lists: can be renamed, and only by their own workspace"],
    ["POST: 429 while requests cannot be counted", "rate-limits: refuses $method $path"],
    [
      "export: csv unless asked otherwise, json on request, any other format is 400",
      "exports: is a CSV that a spreadsheet reads and does not run",
      "exports: is the same leads as JSON, as they were sent"
    ],
    [
      "export: the CSV has the lead's six columns and two for each step",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    ["export: the CSV is UTF-8, RFC 4180, with CRLF", "exports: is a CSV that a spreadsheet reads and does not run"],
    [
      "export: a cell that a spreadsheet would run is prefixed with a quote",
      "exports: is a CSV that a spreadsheet reads and does not run"
    ],
    [
      "export: Content-Disposition carries a filename that no name of a list breaks",
      "exports: is a CSV that a spreadsheet reads and does not run",
      "exports: is named after its list, whatever that is called"
    ],
    [
      "export: the JSON has email, name, company, title and sequence of step, subject, body",
      "exports: is the same leads as JSON, as they were sent",
      "generation: is answered with its sequence, charged, and kept in a list of its own"
    ],
    [
      "export: only leads that succeeded, in the order they were sent",
      "generation-batch: with leads that fail completes, and charges and exports the others",
      "exports: of many leads is whole"
    ],
    [
      "export: 409 NOT_READY with detail.processing_status in every other state",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "export: 500 when it cannot be read, and no file that breaks off",
      "exports: that cannot be read is an error, and not a file that breaks off"
    ],
    [
      "export: 404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "reading needs lists:read, changing lists:write",
      "http: needs $scope for $method $path",
      "http: asks of each endpoint the scope that the specification names"
    ]
  ]
}
