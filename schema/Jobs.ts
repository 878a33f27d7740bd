// schema/Jobs.ts: background jobs, for the caller who started them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NotFound, OptionalFailure } from "#schema/Errors.ts"
import { FieldConflict, ImportSource, MissingField } from "#schema/Imports.ts"
import { Id, idParams, Timestamp } from "#schema/Fields.ts"

export const JobStatus = Schema.Literals(["pending", "processing", "completed", "failed"]).annotate({
  title: "JobStatus"
})
export type JobStatus = typeof JobStatus.Type

export const JobResult = Schema.Struct({
  status: Schema.optionalKey(Schema.Literals(["success", "failed"])).annotate({
    description: "The outcome of workspace.import.document"
  }),
  fields_updated: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "Detail fields that a document filled"
  }),
  error: Schema.optionalKey(Schema.String).annotate({ description: "Why a document could not be read" }),
  parsed: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether workspace.import.url filled any detail field"
  }),
  sources: Schema.optionalKey(Schema.Array(ImportSource)).annotate({
    description: "Where each field that an import filled was read"
  }),
  missing: Schema.optionalKey(Schema.Array(MissingField)).annotate({
    description:
      "Detail fields that are still empty after an import, the most useful to emails first, with the sentences that may answer each"
  }),
  conflicts: Schema.optionalKey(Schema.Array(FieldConflict)).annotate({
    description: "Detail fields that have a value, for which the text states another; an import never replaces a value"
  }),
  notice: Schema.optionalKey(Schema.String).annotate({
    description:
      "Only where a model is set and gave no answer for an import, or where none is set and the text is not in English: says what was left out"
  })
}).annotate({ title: "JobResult", description: "The result of the work; only imports have one" })
export type JobResult = typeof JobResult.Type

export const Job = Schema.Struct({
  id: Id,
  type: Schema.String.annotate({
    description:
      "workspace.import.document, workspace.import.url, workspace.regenerate, campaign.target_audience, " +
      "campaign.value_propositions, campaign.build or campaign.playbook"
  }),
  status: JobStatus,
  progress: Schema.NullOr(Schema.Finite).annotate({ description: "0 to 1; null if the work does not report it" }),
  result: Schema.NullOr(JobResult).annotate({ description: "Once it is completed, where there is something to say" }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why it failed" }),
  failure: OptionalFailure,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({
  title: "Job",
  description: "Work in the background",
  examples: [
    {
      id: "01980f40-3c55-7d18-8e9a-b26f4d01c7e3",
      type: "campaign.target_audience",
      status: "completed",
      progress: null,
      result: null,
      error: null,
      created_at: "2026-07-14T09:30:00.000Z",
      updated_at: "2026-07-14T09:30:42.000Z"
    }
  ]
})
export type Job = typeof Job.Type

export class JobsApi extends HttpApiGroup.make("jobs").add(
  HttpApiEndpoint.get("getJob", "/jobs/:id", {
    params: idParams("job"),
    success: Job,
    error: NotFound
  })
) {}
