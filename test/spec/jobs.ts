// test/spec/jobs.ts: the jobs endpoint.
import type { Chapter } from "./Fact.ts"

export const jobs: Chapter = {
  title: "Jobs",
  facts: [
    [
      "a job has id, type, status, progress, result, error, created_at, updated_at",
      "jobs: of a resource is processing until the resource is ready",
      "jobs: of an import is pending until a worker claims it",
      "campaign-build: a job stays processing between attempts and ends once"
    ],
    [
      "status is pending, processing, completed or failed",
      "jobs: of a resource is processing until the resource is ready",
      "jobs: that failed has the reason",
      "jobs: of an import is pending until a worker claims it"
    ],
    [
      "error is null unless the job failed, and then has the reason",
      "jobs: that failed has the reason",
      "campaign-build: a job stays processing between attempts and ends once",
      "campaign-build: permanently fails the campaign until it is submitted again: $step, $error.message",
      "campaign-build: because of a bug shows no details to the caller"
    ],
    [
      "result is null until there is one",
      "jobs: of an import is pending until a worker claims it",
      "imports: is answered with a job that is pending"
    ],
    [
      "the jobs of a build and of regenerate follow the resource: never pending",
      "jobs: of a resource is processing until the resource is ready"
    ],
    [
      "404 for an unknown id and another workspace's",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name",
      "imports: is answered with a job that is pending"
    ],
    [
      "jobs of batches, single leads, previews and mails are 404",
      "jobs: of a list, a preview or a mail is not found",
      "mail: notifies the owner of the workspace once, with a link to the emails"
    ],
    [
      "a document import is completed even if the work failed: result.status shows it, and error is null",
      "imports: that is %s fails, and its result gives the reason"
    ],
    ["any valid key of the workspace may read jobs", "http: of any scope, or none, may read a job"]
  ]
}
