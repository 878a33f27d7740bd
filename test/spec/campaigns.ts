// test/spec/campaigns.ts: campaigns, their selections and their documents.
import type { Chapter } from "./Fact.ts"

export const campaigns: Chapter = {
  title: "Campaigns",
  facts: [
    [
      "GET /campaigns is 200 with campaigns, limit, offset, has_more and total",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "http: of %s has the documented shape"
    ],
    ["GET /campaigns lists only this workspace's campaigns", "isolation: of another workspace is refused: $name"],
    [
      "reads require campaigns:read, writes campaigns:write",
      "http: each endpoint requires the scope in the specification",
      "http: needs $scope for $method $path"
    ],

    ["POST /campaigns is 201 with id, name and status draft", "campaign-build: is a draft with all stages pending"],
    [
      "POST /campaigns needs a name of 1 to 200 characters, trimmed: else 400",
      "campaigns: has a trimmed name of 1 to 200 characters on create, rename and branch"
    ],
    [
      "POST /campaigns is 409 NOT_READY until the workspace is ready",
      "campaign-build: is refused while the workspace is not ready: $missing"
    ],
    [
      "detail.missing lists company_summary, company_documents and target_audiences if they are missing",
      "campaign-build: is refused while the workspace is not ready: $missing"
    ],
    [
      "results of the research are not visible while it runs",
      "workspace: has documents in progress while its research runs"
    ],
    [
      "POST /campaigns is 403 FORBIDDEN at the plan's build limit, with detail {reason, limit, used}",
      "campaign-build: counts against the plan's limit, also under concurrent requests"
    ],
    [
      "readiness is checked before the build limit",
      "campaign-build: counts against the plan's limit, also under concurrent requests"
    ],
    [
      "refused requests do not count as builds",
      "campaign-build: is refused while the workspace is not ready: $missing"
    ],
    [
      "deleted campaigns count as builds",
      "campaigns: requires a source with an audience, a known step and a remaining campaign build"
    ],
    ["builds are counted by period", "credits: begins with pay-as-you-go and builds at zero"],

    ["PATCH /campaigns/:id is 200 with id, name and created_at", "campaigns: is renamed"],
    [
      "PATCH needs a name of 1 to 200 characters, trimmed: else 400",
      "campaigns: has a trimmed name of 1 to 200 characters on create, rename and branch"
    ],
    ["PATCH of another workspace's campaign is 403", "isolation: of another workspace is refused: $name"],
    ["PATCH of an unknown campaign is 404", "isolation: of nothing is refused: $name"],

    [
      "DELETE /campaigns/:id is 200 with id and deleted: true",
      "campaigns: is deleted, and its lists stay readable without a campaign"
    ],
    [
      "DELETE removes configuration, instructions, selections, previews, documents and conversations",
      "campaigns: is deleted with all of its data and nothing of another campaign",
      "agent: is listed first when it has the latest message",
      "preview: is deleted with its campaign, and refunded if it was not complete"
    ],
    [
      "DELETE removes the campaign's jobs and options, and its links no longer work",
      "campaigns: is deleted with all of its data and nothing of another campaign"
    ],
    [
      "running jobs of a deleted campaign restore nothing",
      "campaigns: that is deleted during research does not come back"
    ],
    [
      "the lists of a deleted campaign stay: detached, readable, exportable",
      "campaigns: is deleted with all of its data and nothing of another campaign",
      "campaigns: is deleted, and its lists stay readable without a campaign"
    ],
    [
      "the credit history of a deleted campaign stays",
      "campaigns: is deleted with all of its data and nothing of another campaign"
    ],
    ["DELETE of another workspace's campaign is 403", "isolation: of another workspace is refused: $name"],
    ["DELETE of an unknown campaign is 404", "isolation: of nothing is refused: $name"],
    [
      "DELETE while a list is processing is 409 CONFLICT with detail.processing_status",
      "campaigns: cannot be deleted while a list or a single lead is being written",
      "campaigns: cannot be deleted while a list waits for the build or is being written"
    ],

    [
      "POST branch is 201 with id and source_campaign_id",
      "campaigns: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch has the source's audience and selections before the step; that step and later ones are null",
      "campaigns: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch is a draft, its stages ready up to the step and pending from it on",
      "campaigns: from %s keeps the audience and the choices before it"
    ],
    [
      "a branch from target-audience has only the segment that is sent",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    ["a branch costs no credits", "campaigns: from %s keeps the audience and the choices before it"],
    [
      "a branch leaves its source as it was",
      "campaigns: from %s keeps the audience and the choices before it",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    [
      "a branch needs a name of 1 to 200 characters: else 400",
      "campaigns: has a trimmed name of 1 to 200 characters on create, rename and branch"
    ],
    [
      "branch_from_step is one of five: else 400",
      "campaigns: requires a source with an audience, a known step and a remaining campaign build",
      "campaigns: from %s keeps the audience and the choices before it",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    [
      "target_audience missing from a branch from target-audience is 400",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    [
      "target_audience of a branch needs a segment_name: else 400",
      "campaigns: from target-audience accepts a saved segment of the same workspace by its id"
    ],
    [
      "is_custom_target_audience defaults to false",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    [
      "a branch to a segment that is not custom, without its id, is 422 UNPROCESSABLE",
      "campaigns: from target-audience uses the new audience and keeps no selections"
    ],
    [
      "a branch to an unknown or another workspace's segment is 404",
      "campaigns: from target-audience accepts a saved segment of the same workspace by its id"
    ],
    [
      "a branch of a source without a target audience is 422 UNPROCESSABLE, whatever the step",
      "campaigns: requires a source with an audience, a known step and a remaining campaign build"
    ],
    ["a branch of an unknown source is 404", "isolation: of nothing is refused: $name"],
    ["a branch of another workspace's source is 403", "isolation: of another workspace is refused: $name"],
    [
      "a branch counts as a build: 403 FORBIDDEN at the limit, with its detail",
      "campaigns: requires a source with an audience, a known step and a remaining campaign build"
    ],
    [
      "a branch is created once per Idempotency-Key",
      "campaigns: is created once per Idempotency-Key",
      "idempotency: works for $name: one answer, one change, and no other body"
    ],
    [
      "a branch of a source that is still researched has its own research",
      "campaigns: of a campaign whose research is in progress runs its own research"
    ],

    [
      "GET selections returns campaign_id, target_audience and the four selections, null until submitted",
      "campaigns: shows its selections with edits, and null where nothing is selected"
    ],
    [
      "a selection is items of id, name, description and type, additional_details and updated_at, with edits applied",
      "campaigns: shows its selections with edits, and null where nothing is selected",
      "campaigns: shows the latest selection of each step, in the submitted order"
    ],
    [
      "target_audience of the selections is the whole segment as it was linked",
      "audiences: that is custom needs a name, and stores every field that is sent",
      "audiences: is shared by campaigns, and each keeps a copy from when it was linked"
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
      "workspace: of a document is an absolute URL that is valid for fifteen minutes",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "a link is good for 15 minutes, then 403",
      "workspace: of a document is an absolute URL that is valid for fifteen minutes",
      "workspace: expires"
    ],
    [
      "a link that was altered in any part is 403 in the envelope",
      "workspace: opens a document without a key, and fails if it is altered"
    ],
    [
      "a link to what was deleted is 404 in the envelope",
      "campaigns: is deleted with all of its data and nothing of another campaign"
    ],
    [
      "another workspace's campaign shows no documents: 403",
      "workspace: is returned for each document of a campaign once it is ready",
      "isolation: of another workspace is refused: $name"
    ]
  ]
}
