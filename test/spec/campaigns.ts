// test/spec/campaigns.ts: campaigns as such, what they have chosen, and their documents.
import type { Chapter } from "./Fact.ts"

export const campaigns: Chapter = {
  title: "Campaigns",
  facts: [
    [
      "GET /campaigns is 200 with campaigns, limit, offset, has_more and total",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "http: of %s keeps its own shape"
    ],
    ["GET /campaigns lists this workspace's alone", "isolation: of another workspace is refused: $name"],
    [
      "reads ask for campaigns:read, writes for campaigns:write",
      "http: asks of each endpoint the scope that the specification names",
      "http: needs $scope for $method $path"
    ],

    ["POST /campaigns is 201 with id, name and status draft", "build: is a draft with nothing done"],
    [
      "POST /campaigns needs a name of 1 to 200 characters, trimmed: else 400",
      "branch: has a name of 1 to 200 characters, trimmed, however it comes by it"
    ],
    ["POST /campaigns is 409 NOT_READY until the workspace is ready", "build: waits for the workspace: $missing"],
    [
      "detail.missing names company_summary, company_documents and target_audiences, each where it is unmet",
      "build: waits for the workspace: $missing"
    ],
    [
      "while the research runs nothing of it is there yet",
      "workspace: has documents in progress while its research runs"
    ],
    [
      "POST /campaigns is 403 FORBIDDEN at the plan's build limit, with detail {reason, limit, used}",
      "build: is counted against the plan, after readiness is asked, however many are asked for at once"
    ],
    [
      "readiness is asked before the build limit",
      "build: is counted against the plan, after readiness is asked, however many are asked for at once"
    ],
    ["what is refused counts as no build", "build: waits for the workspace: $missing"],
    [
      "campaigns that were deleted since count as builds",
      "branch: needs a source with an audience, a known step and a campaign build left"
    ],
    ["builds are counted by period", "credits: begins with pay-as-you-go unspent and no build counted"],

    ["PATCH /campaigns/:id is 200 with id, name and created_at", "branch: is renamed"],
    [
      "PATCH needs a name of 1 to 200 characters, trimmed: else 400",
      "branch: has a name of 1 to 200 characters, trimmed, however it comes by it"
    ],
    ["PATCH of another workspace's campaign is 403", "isolation: of another workspace is refused: $name"],
    ["PATCH of an unknown campaign is 404", "isolation: of nothing is refused: $name"],

    [
      "DELETE /campaigns/:id is 200 with id and deleted: true",
      "branch: is deleted with what was made for it, and leaves its lists readable and detached"
    ],
    [
      "DELETE takes configuration, instructions, selections, previews, documents and conversations",
      "branch: is deleted with all that was made for it, and with nothing of another",
      "agent: comes first in the list when it was spoken in last",
      "preview: is deleted with its campaign, and refunded if it was not complete"
    ],
    [
      "DELETE takes the campaign's jobs and options, and its links open nothing more",
      "branch: is deleted with all that was made for it, and with nothing of another"
    ],
    [
      "work in hand on a deleted campaign brings nothing back",
      "branch: that is deleted while it is researched does not come back"
    ],
    [
      "the lists of a deleted campaign stay: detached, readable, exportable",
      "branch: is deleted with all that was made for it, and with nothing of another",
      "branch: is deleted with what was made for it, and leaves its lists readable and detached"
    ],
    [
      "the credit history of a deleted campaign stays",
      "branch: is deleted with all that was made for it, and with nothing of another"
    ],
    ["DELETE of another workspace's campaign is 403", "isolation: of another workspace is refused: $name"],
    ["DELETE of an unknown campaign is 404", "isolation: of nothing is refused: $name"],
    [
      "DELETE while a list is processing is 409 CONFLICT with detail.processing_status",
      "branch: is not deleted while one of its lists is in work, nor while a caller waits for one lead",
      "branch: is not deleted while a list waits for its build, or has begun"
    ],

    [
      "POST branch is 201 with id and source_campaign_id",
      "branch: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch has the source's audience and choices before the step; that step and the later ones are null",
      "branch: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch is a draft, its stages ready up to the step and pending from it on",
      "branch: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch from target-audience has the segment that is sent and nothing more",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    ["a branch costs no credits", "branch: from %s keeps the audience and the choices before it"],
    [
      "a branch leaves its source as it was",
      "branch: from %s keeps the audience and the choices before it",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    [
      "a branch needs a name of 1 to 200 characters: else 400",
      "branch: has a name of 1 to 200 characters, trimmed, however it comes by it"
    ],
    [
      "branch_from_step is one of five: else 400",
      "branch: needs a source with an audience, a known step and a campaign build left",
      "branch: from %s keeps the audience and the choices before it",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    [
      "target_audience missing from a branch from target-audience is 400",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    [
      "target_audience of a branch needs a segment_name: else 400",
      "branch: from target-audience takes a saved segment by its id, and none of another workspace"
    ],
    [
      "is_custom_target_audience is false unless said",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    [
      "a branch to a segment that is not custom, without its id, is 422 UNPROCESSABLE",
      "branch: from target-audience takes the new one and leaves everything after it open"
    ],
    [
      "a branch to an unknown or another workspace's segment is 404",
      "branch: from target-audience takes a saved segment by its id, and none of another workspace"
    ],
    [
      "a branch of a source without a target audience is 422 UNPROCESSABLE, whatever the step",
      "branch: needs a source with an audience, a known step and a campaign build left"
    ],
    ["a branch of an unknown source is 404", "isolation: of nothing is refused: $name"],
    ["a branch of another workspace's source is 403", "isolation: of another workspace is refused: $name"],
    [
      "a branch counts as a build: 403 FORBIDDEN at the limit, with its detail",
      "branch: needs a source with an audience, a known step and a campaign build left"
    ],
    [
      "a branch is made once under an Idempotency-Key",
      "branch: is made once under an Idempotency-Key",
      "idempotency: holds for $name: one answer, one piece of work, no other body"
    ],
    [
      "a branch of a source that is still researched has its own research",
      "branch: of a source whose research is under way has research of its own"
    ],

    [
      "GET selections tells campaign_id, target_audience and the four selections, null until submitted",
      "branch: tells what it has chosen, with edits, and null where nothing was"
    ],
    [
      "a selection is items of id, name, description and type, additional_details and updated_at, with edits applied",
      "branch: tells what it has chosen, with edits, and null where nothing was",
      "branch: tells of each step what was submitted last, in the order it was chosen"
    ],
    [
      "target_audience of the selections is the whole segment as it was linked",
      "audiences: that is custom needs a name, and gets every field that is sent",
      "audiences: is shared by campaigns, each of which keeps it as it was when it was linked"
    ],

    [
      "the documents of a campaign are target_audience_research, email_instructions and knowledge_base",
      "workspace: is returned only while its document is ready, and the same document keeps its id"
    ],
    [
      "a document of a campaign is id, type, title, status and download_url",
      "workspace: is returned only while its document is ready, and the same document keeps its id"
    ],
    [
      "GET /workspace/documents is documents of type, title, status and download_url",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "download_url is null unless the document is ready",
      "workspace: is returned only while its document is ready, and the same document keeps its id",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "a link opens the document as text/markdown; charset=utf-8, without a key",
      "workspace: opens a document without a key, and fails if it is altered",
      "workspace: is returned for each document of a campaign once it is ready"
    ],
    [
      "a link is {public_url}/files/:id with expires and signature",
      "workspace: of a document is a whole address, and good for fifteen minutes",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "a link is good for 15 minutes, then 403",
      "workspace: of a document is a whole address, and good for fifteen minutes",
      "workspace: expires"
    ],
    [
      "a link that was altered in any part is 403 in the envelope",
      "workspace: opens a document without a key, and fails if it is altered"
    ],
    [
      "a link to what was deleted is 404 in the envelope",
      "branch: is deleted with all that was made for it, and with nothing of another"
    ],
    [
      "another workspace's campaign shows no documents: 403",
      "workspace: is returned for each document of a campaign once it is ready",
      "isolation: of another workspace is refused: $name"
    ]
  ]
}
