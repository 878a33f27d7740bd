// test/spec/build.ts: the steps that build a campaign.
import type { Chapter } from "./Fact.ts"

export const build: Chapter = {
  title: "Campaign build flow",
  facts: [
    [
      "the steps lead from draft to ready in order",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "selections may be submitted while the research runs",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    ["no step charges credits", "campaign-build: a campaign is built step by step, and costs nothing"],

    ["GET /target-audiences is 200 with data, has_more and total", "audiences: is listed in pages"],
    [
      "q is searched in all fields of a segment, ignoring case, as a literal text",
      "audiences: are listed with the most likely first, and searched in all their fields"
    ],
    [
      "an empty q matches everything",
      "audiences: are listed with the most likely first, and searched in all their fields"
    ],

    [
      "POST target-audience is 202 with id, type, status processing and target_audience_id",
      "audiences: are created and updated by the campaigns that use them"
    ],
    ["POST target-audience starts the research", "campaign-build: a campaign is built step by step, and costs nothing"],
    [
      "target_audience.id is needed, and enough, unless is_custom_target_audience is true: else 400",
      "audiences: that is saved is linked by its id, and stays unchanged",
      "audiences: that is custom needs a name, and stores every field that is sent"
    ],
    [
      "is_custom_target_audience defaults to false",
      "audiences: that is custom needs a name, and stores every field that is sent"
    ],
    [
      "a custom segment is sent with its fields, and needs a segment_name: else 400",
      "audiences: that is custom needs a name, and stores every field that is sent"
    ],
    [
      "a custom segment is created, or updated by its name; omitted fields keep their value",
      "audiences: are created and updated by the campaigns that use them"
    ],
    [
      "a saved segment is updated with what is sent",
      "audiences: are created and updated by the campaigns that use them"
    ],
    [
      "the fields of a segment have at most 2,000 characters, its details 10,000",
      "audiences: has texts of at most 2,000 characters, and details of at most 10,000"
    ],
    [
      "an unknown segment or one of another workspace is 404",
      "audiences: are created and updated by the campaigns that use them",
      "isolation: of another workspace is refused: $name"
    ],
    ["a body without target_audience is 400", "bodies: %j at %s: %j"],
    [
      "submitting the same segment again returns the same job",
      "campaign-build: stays ready when the same selections are submitted again"
    ],
    [
      "POST target-audience is executed once per Idempotency-Key",
      "idempotency: works for $name: one answer, one change, and no other body"
    ],

    [
      "GET options is 200 with asset_type, ready and options",
      "campaign-build: of the workspace are not ready while its documents are regenerated",
      "campaign-build: accepts only options of its step, and ignores duplicates"
    ],
    [
      "ready is false while the workspace's options are generated",
      "campaign-build: of the workspace are not ready while its documents are regenerated"
    ],
    [
      "ready is false until value propositions are generated, and when that failed",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: for value propositions are not ready after generation failed"
    ],
    ["an unknown type is 404, target_audience included", "http: $method $path of an unknown type"],

    [
      "PUT selection of the first three is 200 with asset_type and items_stored",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "items_stored counts each selected option once",
      "campaign-build: accepts only options of its step, and ignores duplicates"
    ],
    [
      "PUT selection of value propositions is 202 with asset_type, items_stored and job: id, campaign.build, processing",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    ["the build's job is available under /jobs", "campaign-build: a campaign is built step by step, and costs nothing"],
    [
      "PUT selection of value propositions before there are any is 409 NOT_READY",
      "campaign-build: can be selected only after generation, and at least one is required",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: for value propositions are not ready after generation failed"
    ],
    [
      "PUT selection of value propositions is 409 NOT_READY after the research failed",
      "campaign-build: value propositions cannot be selected for a segment whose research failed"
    ],
    [
      "selected_ids is required, a list of strings: else 400",
      "campaign-build: accepts only options of its step, and ignores duplicates"
    ],
    ["the first three may be empty", "campaign-build: accepts only options of its step, and ignores duplicates"],
    [
      "at least one value proposition is required: else 400",
      "campaign-build: can be selected only after generation, and at least one is required"
    ],
    [
      "an id that is not among the options is 400 with detail.unknown_ids",
      "campaign-build: accepts only options of its step, and ignores duplicates",
      "campaign-build: belong to their campaign",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "edited_names and edited_descriptions change what is stored, not the option",
      "campaign-build: accepts edits only of selected options",
      "campaigns: shows the latest selection of each step, in the submitted order"
    ],
    [
      "edits of options that are not selected are 400, with their path",
      "campaign-build: accepts edits only of selected options"
    ],
    [
      "edited names and descriptions have at most 2,000 characters, additional_details 10,000",
      "campaign-build: accepts edits only of selected options"
    ],
    ["the build uses the edits and the details", "campaign-build: accepts edits only of selected options"],
    [
      "a repeated PUT replaces the selection",
      "campaigns: shows the latest selection of each step, in the submitted order",
      "campaign-build: is built again from other value propositions"
    ],
    [
      "the same PUT again changes nothing, and returns the same build",
      "campaign-build: stays ready when the same selections are submitted again"
    ],
    [
      "PUT selection is executed once per Idempotency-Key",
      "idempotency: works for $name: one answer, one change, and no other body"
    ],

    [
      "POST generate of value propositions is 202 with id, type and status processing",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "POST generate is 409 NOT_READY with detail.missing until the three selections and the audience are submitted",
      "campaign-build: are generated once the steps before them are there"
    ],
    [
      "POST generate waits for the research, and fails with it",
      "campaign-build: wait for the research of their segment, and do not delay other campaigns",
      "campaign-build: fails the value propositions that wait for it, and both can be submitted again"
    ],
    [
      "POST generate returns the running job, and afterwards a new one with new options",
      "campaign-build: are generated once for concurrent requests"
    ],
    ["generate for other types is 404", "http: %s %s"],

    [
      "GET build-status is 200 with campaign_id, overall and the five stages",
      "campaign-build: is a draft with all stages pending",
      "campaigns: from %s keeps the audience and the choices before it"
    ],
    ["GET /jobs/:id is 200 with the job", "campaign-build: a job stays processing between attempts and ends once"],
    [
      "GET /jobs/:id of another workspace's job is 404",
      "campaign-build: a job stays processing between attempts and ends once"
    ],
    [
      "jobs of batches, single leads and previews are 404",
      "campaign-build: internal jobs of lists and previews are not exposed as jobs"
    ],
    ["every endpoint of a campaign is 403 in another workspace", "isolation: of another workspace is refused: $name"],
    ["every endpoint of a campaign is 404 for an unknown one", "isolation: of nothing is refused: $name"]
  ]
}
