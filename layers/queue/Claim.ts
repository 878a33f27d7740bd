// layers/queue/Claim.ts: a job as a worker holds it.
import { Schema } from "effect"
import { WorkspaceId } from "#schema/Auth.ts"

/** A job that a worker holds until another worker gets the lease. */
export const Claim = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  type: Schema.String,
  subject: Schema.String,
  payload: Schema.fromJsonString(Schema.Json),
  /** Runs so far, this one included. */
  attempts: Schema.Int,
  /** Runs that ended with the death of their worker. */
  crashes: Schema.Int,
  lease: Schema.String
})
export type Claim = typeof Claim.Type
