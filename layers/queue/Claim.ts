// layers/queue/Claim.ts: a job claimed by a worker.
import { Schema } from "effect"
import { WorkspaceId } from "#schema/Auth.ts"

/** A job that a worker holds by a lease. */
export const Claim = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  type: Schema.String,
  subject: Schema.String,
  payload: Schema.fromJsonString(Schema.Json),
  /** Runs that count towards the retry limit, including this one; crashed and interrupted runs do not count. */
  attempts: Schema.Int,
  /** Runs that ended in a crash of the worker. */
  crashes: Schema.Int,
  lease: Schema.String
})
export type Claim = typeof Claim.Type
