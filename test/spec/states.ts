// test/spec/states.ts: the states of lists, builds, jobs and documents, and the ways between them.
import type { Chapter } from "./Fact.ts"

export const states: Chapter = {
  title: "States and transitions",
  facts: [
    [
      "a list is pending, processing, in_progress, completed or failed",
      "lists: show the fields of their state and no others, and allow what that allows",
      "http: is refused where a filter could never match"
    ],
    [
      "an accepted batch is a list that is processing: 202 with list_id",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    [
      "a list is in_progress from its first finished lead on",
      "generation-batch: is in progress from its first finished lead on"
    ],
    [
      "a list is completed when at least one lead succeeded",
      "generation-batch: with leads that fail completes, and charges and exports the others",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "a list is failed when none did, with failed_at",
      "generation-batch: of leads that all fail has failed, and costs nothing",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "a list turns pending when the writer is down after all retries",
      "generation-batch: met by an outage rests, and what was finished stays finished",
      "lists: rest when the writer is gone, and go on where they were when asked to"
    ],
    [
      "a list turns pending when credits run out midway",
      "generation-batch: that runs out of credits rests, and nothing written is lost"
    ],
    [
      "POST /lists/:id lets pending batches go on: 202, processing, with pending_batches and batches_total",
      "lists: go on where they were: what failed or is finished is not begun again"
    ],
    [
      "what failed or is completed is not started again, and no lead is charged twice",
      "lists: go on where they were: what failed or is finished is not begun again",
      "lists: rest when the writer is gone, and go on where they were when asked to"
    ],
    [
      "leads of one list are written at once, over batches too",
      "generation-batch: never exceeds what may be written at once"
    ],
    [
      "DELETE of a list that is processing or in_progress is 409 CONFLICT with detail.processing_status",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "an export of a list that is not completed is 409 NOT_READY with detail.processing_status",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "DELETE of a campaign with a list in work is 409 CONFLICT with detail.processing_status",
      "branch: is not deleted while one of its lists is in work, nor while a caller waits for one lead",
      "branch: is not deleted while a list waits for its build, or has begun"
    ],
    [
      "reprocessing is 422 where no batch is pending",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "reprocessing is 422 where the campaign was deleted, though batches are pending",
      "branch: is deleted while a list of it rests, which then rests for good and can go too"
    ],
    [
      "a list that rests counts against no limit",
      "generation-batch: met by an outage rests, and what was finished stays finished"
    ],
    [
      "a list accepted while building begins when the build is done",
      "generation-batch: accepted during a build starts by itself when the build is done"
    ],
    ["a list accepted while building fails with the build", "generation-batch: accepted during a build fails with it"],
    [
      "a list accepted while building whose build a change overtakes turns pending: it counts nowhere and can be deleted",
      "generation-batch: rests until it is asked to go on, and is written from the next"
    ],
    [
      "reprocessing such a list is 422 until value propositions are selected again, and then follows that build",
      "generation-batch: rests until it is asked to go on, and is written from the next",
      "generation-batch: that was overtaken and begun again fails with the build that fails then"
    ],
    [
      "generate and generate-batch are 400 before value propositions are selected",
      "generation-admission: the campaign's value propositions are selected"
    ],

    [
      "overall is draft, building, ready or failed",
      "build: a campaign is built step by step, and costs nothing",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message"
    ],
    [
      "target_audience, social_proof, lead_magnet and risk_reversal are pending or ready, even when research fails",
      "build: a campaign is built step by step, and costs nothing",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message"
    ],
    [
      "value_proposition alone is processing or failed too",
      "build: a campaign is built step by step, and costs nothing",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message"
    ],
    ["a new campaign is a draft with five stages pending", "build: is a draft with nothing done"],
    [
      "target_audience is pending while its research runs and ready once that is done",
      "build: a campaign is built step by step, and costs nothing"
    ],
    ["a selection makes its stage ready", "build: a campaign is built step by step, and costs nothing"],
    [
      "while value propositions are made: value_proposition processing, overall draft",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "value_proposition is pending before there are options, and again until one is selected",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "once they are selected: value_proposition ready, overall building, and a build job",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "once the build is done: overall ready, without more input",
      "build: a campaign is built step by step, and costs nothing"
    ],
    [
      "overall is failed when research, value propositions or the build failed for good",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message"
    ],
    ["a failure that passes is tried again", "build: for a while is tried again: %s"],
    [
      "submitting the step again clears a failure",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message",
      "build: fails the value propositions that wait for it, and both are cleared one after the other"
    ],
    [
      "a change to the audience or an earlier choice makes a built campaign a draft until value propositions are selected again",
      "build: is a draft again after %s, until value propositions are selected again"
    ],
    [
      "in that draft generate and generate-batch are 400, and preview is 409 NOT_READY",
      "build: is a draft again after %s, until value propositions are selected again"
    ],
    ["submitting the same again changes nothing", "build: stays so when the same is submitted again"],
    [
      "ready means built from the present choices: work that a change overtook counts for nothing",
      "build: a build that a change overtook makes nothing ready",
      "build: a build that a change overtook fails nothing when it fails",
      "build: research of a segment that was replaced is not kept"
    ],

    [
      "a job is processing until it is completed or failed, where its status is that of a resource",
      "build: a job is processing from the start, between attempts too, and ends once",
      "build: a campaign is built step by step, and costs nothing"
    ],
    ["a job that was queued for a worker is pending at first", "imports: is answered with a job that is pending"],
    [
      "a job that cannot be done is failed, with an error",
      "build: for good fails the campaign, until it is submitted again: $step, $error.message",
      "fetch: that is not there fails the job"
    ],
    [
      "workspace.regenerate is completed once both documents are ready",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "workspace.import.document is completed even when the work failed; result.status says so",
      "imports: that is %s is done with, and its result says why"
    ],

    [
      "a workspace document is processing while it is made, then ready",
      "workspace: has documents in progress while its research runs",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "a document that was never made is unavailable",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "a regenerate that fails leaves the documents as they were, and ready",
      "workspace: does not change the documents if it fails"
    ],
    [
      "a second regenerate while one runs is the one that runs",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "a regenerate puts new segments and options in place of those that no person changed, linked or chose",
      "workspace: replaces the segments and options that no person changed, linked or chose"
    ],
    [
      "what a campaign chose stays after a regenerate",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: replaces the segments and options that no person changed, linked or chose"
    ],
    [
      "a campaign's document is unavailable, processing while it is made, ready, and unavailable again after a change",
      "workspace: is returned only while its document is ready, and the same document keeps its id"
    ]
  ]
}
