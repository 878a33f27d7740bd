// test/spec/build.ts: the steps that build a campaign.
import type { Chapter } from "./Fact.ts"

export const build: Chapter = {
  title: "Campaign build flow",
  facts: [
    [
      "the steps lead from the shell to ready in their order",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "selections may be submitted while the research runs",
      "build: a campaign is built step by step, and costs nothing"
    ],
    ["no step charges credits", "build: a campaign is built step by step, and costs nothing"],

    [
      "GET /target-audiences is 200 with data, has_more and total",
      "audiences: is found in pages that end where the segments do"
    ],
    [
      "q is looked for in all that describes a segment, whatever its case, letter by letter",
      "audiences: are listed, likeliest first, and searched in all that describes them"
    ],
    ["an empty q finds everything", "audiences: are listed, likeliest first, and searched in all that describes them"],

    [
      "POST target-audience is 202 with id, type, status processing and target_audience_id",
      "audiences: are made and brought up to date by the campaigns that use them"
    ],
    ["POST target-audience starts the research", "build: a campaign is built step by step, and costs nothing"],
    [
      "target_audience.id is needed, and enough, unless is_custom_target_audience is true: else 400",
      "audiences: that is saved is linked by its id alone, or as it was listed, and stays as it is",
      "audiences: that is custom needs a name, and gets every field that is sent"
    ],
    [
      "is_custom_target_audience is false unless said",
      "audiences: that is custom needs a name, and gets every field that is sent"
    ],
    [
      "a custom segment carries its fields, and needs a segment_name: else 400",
      "audiences: that is custom needs a name, and gets every field that is sent"
    ],
    [
      "a custom segment is created, or updated by its name; what is left out stays",
      "audiences: are made and brought up to date by the campaigns that use them"
    ],
    [
      "a saved segment is updated with what is sent",
      "audiences: are made and brought up to date by the campaigns that use them"
    ],
    [
      "the fields of a segment hold 2,000 characters, its details 10,000",
      "audiences: has texts of at most 2,000 characters, and 10,000 of details"
    ],
    [
      "an unknown segment is 404, another workspace's too",
      "audiences: are made and brought up to date by the campaigns that use them",
      "isolation: of another workspace is refused: $name"
    ],
    ["a body without target_audience is 400", "bodies: %j at %s: %j"],
    ["the same segment again is the same job", "build: stays so when the same is submitted again"],
    [
      "POST target-audience is done once under an Idempotency-Key",
      "idempotency: holds for $name: one answer, one piece of work, no other body"
    ],

    [
      "GET options is 200 with asset_type, ready and options",
      "build: of the workspace are not ready while its research is regenerated",
      "build: is of the step's own options, each once"
    ],
    [
      "ready is false while the workspace's options are made",
      "build: of the workspace are not ready while its research is regenerated"
    ],
    [
      "ready is false until value propositions are made, and when that failed",
      "build: a campaign is built step by step, and costs nothing",
      "build: of value propositions that failed are not ready"
    ],
    ["a type that is none of the four is 404, target audiences too", "http: $method $path of an unknown type"],

    [
      "PUT selection of the first three is 200 with asset_type and items_stored",
      "build: a campaign is built step by step, and costs nothing"
    ],
    ["items_stored counts each chosen option once", "build: is of the step's own options, each once"],
    [
      "PUT selection of value propositions is 202 with asset_type, items_stored and job: id, campaign.build, processing",
      "build: a campaign is built step by step, and costs nothing"
    ],
    ["the build's job can be followed under /jobs", "build: a campaign is built step by step, and costs nothing"],
    [
      "PUT selection of value propositions before there are any is 409 NOT_READY",
      "build: are selected only once there are some, and at least one",
      "build: a campaign is built step by step, and costs nothing",
      "build: of value propositions that failed are not ready"
    ],
    [
      "PUT selection of value propositions is 409 NOT_READY while the research stands failed",
      "build: value propositions cannot be selected for a segment whose research failed"
    ],
    ["selected_ids is needed, a list of strings: else 400", "build: is of the step's own options, each once"],
    ["the first three may be chosen empty", "build: is of the step's own options, each once"],
    [
      "at least one value proposition is chosen: else 400",
      "build: are selected only once there are some, and at least one"
    ],
    [
      "an id that is not among the options is 400 with detail.unknown_ids",
      "build: is of the step's own options, each once",
      "build: belong to their campaign",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "edited_names and edited_descriptions change what is stored, not the option",
      "build: takes edits of what is selected, and of nothing else",
      "branch: tells of each step what was submitted last, in the order it was chosen"
    ],
    [
      "edits of what is not selected are 400, and say which",
      "build: takes edits of what is selected, and of nothing else"
    ],
    [
      "edited names and descriptions hold 2,000 characters, additional_details 10,000",
      "build: takes edits of what is selected, and of nothing else"
    ],
    ["what is built follows the edits and the details", "build: takes edits of what is selected, and of nothing else"],
    [
      "a repeated PUT replaces the selection",
      "branch: tells of each step what was submitted last, in the order it was chosen",
      "build: is built again from other value propositions"
    ],
    ["the same PUT again changes nothing, and is the same build", "build: stays so when the same is submitted again"],
    [
      "PUT selection is done once under an Idempotency-Key",
      "idempotency: holds for $name: one answer, one piece of work, no other body"
    ],

    [
      "POST generate of value propositions is 202 with id, type and status processing",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "it is 409 NOT_READY until the three selections and the audience are there, with detail.missing",
      "build: are generated once the steps before them are there"
    ],
    [
      "it waits for the research, and fails with it",
      "build: wait for the research of their segment, and delay no other campaign's",
      "build: fails the value propositions that wait for it, and both are cleared one after the other"
    ],
    [
      "asked for again while it runs it is the same job, and afterwards a new one with new options",
      "build: being generated already are that job's, asked for one by one or at once"
    ],
    ["there is no generate for other types: 404", "http: %s %s"],

    [
      "GET build-status is 200 with campaign_id, overall and the five stages",
      "build: is a draft with nothing done",
      "branch: from %s keeps the audience and the choices before it"
    ],
    [
      "GET /jobs/:id is 200 with the job",
      "build: a job is processing from the start, between attempts too, and ends once"
    ],
    [
      "GET /jobs/:id of another workspace's job is 404",
      "build: a job is processing from the start, between attempts too, and ends once"
    ],
    [
      "batches, single leads and previews are followed elsewhere: 404",
      "build: work inside of lists and previews is no job to follow"
    ],
    ["every endpoint of a campaign is 403 in another workspace", "isolation: of another workspace is refused: $name"],
    ["every endpoint of a campaign is 404 for an unknown one", "isolation: of nothing is refused: $name"]
  ]
}
