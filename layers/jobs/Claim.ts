// layers/jobs/Claim.ts: a job as a worker has it in hand.
import { Schema } from "effect"
import { WorkspaceId } from "#schema/Auth.ts"

/** A job in the hands of a worker, until `lease` is another's. */
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
