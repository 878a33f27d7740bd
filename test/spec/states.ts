// test/spec/states.ts: the states of lists, builds, jobs and documents, and their transitions.
import type { Chapter } from "./Fact.ts"

export const states: Chapter = {
  title: "States and transitions",
  facts: [
    [
      "a list is pending, processing, in_progress, completed or failed",
      "lists: show the fields and allow the operations of their state",
      "http: is refused for a filter that can never match"
    ],
    [
      "an accepted batch is a list that is processing: 202 with list_id",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "a list is in_progress from its first finished lead on",
      "generation-batch: is in progress after its first finished lead"
    ],
    [
      "a list is completed when at least one lead succeeded",
      "generation-batch: with failed leads completes, and charges and exports only the others",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "a list is failed when none did, with failed_at",
      "generation-batch: whose leads all fail is failed, and costs nothing",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "a list becomes pending when the writer is down after all retries",
      "generation-batch: becomes pending during an outage, and finished leads stay finished",
      "lists: become pending when the writer is unavailable, and continue when resumed"
    ],
    [
      "a list becomes pending when credits run out midway",
      "generation-batch: that runs out of credits becomes pending, and written emails are kept"
    ],
    [
      "POST /lists/:id resumes pending batches: 202, processing, with pending_batches and batches_total",
      "lists: do not repeat failed or finished leads when resumed"
    ],
    [
      "failed and completed leads are not started again, and no lead is charged twice",
      "lists: do not repeat failed or finished leads when resumed",
      "lists: become pending when the writer is unavailable, and continue when resumed"
    ],
    [
      "leads of one list are written concurrently, also across batches",
      "generation-batch: does not exceed the concurrency limit"
    ],
    [
      "DELETE of a list that is processing or in_progress is 409 CONFLICT with detail.processing_status",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "an export of a list that is not completed is 409 NOT_READY with detail.processing_status",
      "lists: show the fields and allow the operations of their state"
    ],
    [
      "DELETE of a campaign with a list being written is 409 CONFLICT with detail.processing_status",
      "campaigns: cannot be deleted while a list or a single lead is being written",
      "campaigns: cannot be deleted while a list waits for the build or is being written"
    ],
    ["reprocessing is 422 where no batch is pending", "lists: show the fields and allow the operations of their state"],
    [
      "reprocessing is 422 where the campaign was deleted, though batches are pending",
      "campaigns: can be deleted while a list is pending, and the list stays pending and can be deleted"
    ],
    [
      "a pending list does not count against a limit",
      "generation-batch: becomes pending during an outage, and finished leads stay finished"
    ],
    [
      "a list accepted while building starts when the build completes",
      "generation-batch: accepted during a build starts when the build completes"
    ],
    ["a list accepted while building fails with the build", "generation-batch: accepted during a build fails with it"],
    [
      "a list whose build becomes outdated by a change is pending: it does not count and can be deleted",
      "generation-batch: is pending until it is resumed, and uses the next build"
    ],
    [
      "reprocessing such a list is 422 until value propositions are selected again, and then follows that build",
      "generation-batch: is pending until it is resumed, and uses the next build",
      "generation-batch: that was resumed during a new build fails if that build fails"
    ],
    [
      "generate and generate-batch are 400 before value propositions are selected",
      "generation-admission: value propositions are selected"
    ],

    [
      "overall is draft, building, ready or failed",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message"
    ],
    [
      "target_audience, social_proof, lead_magnet and risk_reversal are pending or ready, even when research fails",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message"
    ],
    [
      "value_proposition alone is processing or failed too",
      "campaign-build: a campaign is built step by step, and costs nothing",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message"
    ],
    ["a new campaign is a draft with five stages pending", "campaign-build: is a draft with all stages pending"],
    [
      "target_audience is pending while its research runs and ready once that is done",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    ["a selection makes its stage ready", "campaign-build: a campaign is built step by step, and costs nothing"],
    [
      "while value propositions are generated: value_proposition processing, overall draft",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "value_proposition is pending before there are options, and again until one is selected",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "once they are selected: value_proposition ready, overall building, and a build job",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "once the build is done: overall ready, without more input",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    [
      "overall is failed when research, value propositions or the build failed for good",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message"
    ],
    ["a temporary failure is retried", "campaign-build: temporarily is retried: %s"],
    [
      "submitting the step again clears a failure",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message",
      "campaign-build: fails the value propositions that wait for it, and both can be submitted again"
    ],
    [
      "a change to the audience or an earlier selection makes a built campaign a draft until value propositions are selected again",
      "campaign-build: is a draft again after %s, until value propositions are selected again"
    ],
    [
      "in that draft generate and generate-batch are 400, and preview is 409 NOT_READY",
      "campaign-build: is a draft again after %s, until value propositions are selected again"
    ],
    [
      "submitting the same again changes nothing",
      "campaign-build: stays ready when the same selections are submitted again"
    ],
    [
      "ready means built from the current selections: outdated work is discarded",
      "campaign-build: a build started before a change does not make the campaign ready",
      "campaign-build: a failed build started before a change does not fail the campaign",
      "campaign-build: research of a replaced segment is not stored"
    ],

    [
      "a job of a resource is processing until it is completed or failed",
      "campaign-build: a job stays processing between attempts and ends once",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ],
    ["a job that was queued for a worker is pending at first", "imports: is answered with a job that is pending"],
    [
      "a job that cannot be done is failed, with an error",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message",
      "fetch: that is unreachable fails the job"
    ],
    [
      "workspace.regenerate is completed once both documents are ready",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "workspace.import.document is completed even when the work failed; result.status says so",
      "imports: that is %s fails, and its result gives the reason"
    ],

    [
      "a workspace document is processing while it is generated, then ready",
      "workspace: has documents in progress while its research runs",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "a document that was never generated is unavailable",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "a failed regenerate leaves the documents unchanged and ready",
      "workspace: does not change the documents if it fails"
    ],
    [
      "a second regenerate while one runs returns the running one",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "a regenerate replaces segments and options that were not edited, linked or selected",
      "workspace: replaces the segments and options that no person changed, linked or chose"
    ],
    [
      "the selections of a campaign stay after a regenerate",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: replaces the segments and options that no person changed, linked or chose"
    ],
    [
      "a campaign's document is unavailable, processing, ready, and unavailable again after a change",
      "workspace: is returned only while its document is ready, and the same document keeps its id"
    ]
  ]
}
