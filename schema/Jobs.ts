// schema/Jobs.ts: background work, as the caller who asked for it sees it.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NotFound } from "#schema/Errors.ts"
import { Id, Timestamp } from "#schema/Fields.ts"

export const JobStatus = Schema.Literals(["pending", "processing", "completed", "failed"])
export type JobStatus = typeof JobStatus.Type

export const Job = Schema.Struct({
  id: Id,
  type: Schema.String,
  status: JobStatus,
  /** 0 to 1, where the work can tell. */
  progress: Schema.NullOr(Schema.Finite),
  result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp
})
export type Job = typeof Job.Type

export class JobsApi extends HttpApiGroup.make("jobs").add(
  HttpApiEndpoint.get("getJob", "/jobs/:id", { params: { id: Id }, success: Job, error: NotFound })
) {}
