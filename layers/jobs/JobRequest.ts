// layers/jobs/JobRequest.ts: a job as a caller requests it.
import type { Schema } from "effect"
import type { Claim } from "#layers/jobs/Claim.ts"
import type { SlotReservation } from "#layers/jobs/SlotReservation.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** A job to store. */
export interface JobRequest {
  readonly workspace: WorkspaceId
  readonly type: string
  /** The id of the workspace, campaign or list that the job works on. */
  readonly subject: string
  readonly payload?: Schema.Json
  /** The job waits until this gate is released. */
  readonly gate?: string | undefined
  /** The reserved slot in which the job starts at once; for a single job without a gate. */
  readonly place?: SlotReservation | undefined
  /** The work is done already; the job only records it. */
  readonly done?: boolean
}

export const initialStatus = ({ done, gate, place }: JobRequest) =>
  done === true ? "completed" : place !== undefined ? "processing" : gate === undefined ? "pending" : "waiting"

/** The claim of the worker whose slot was reserved. */
export const claimOf = (
  id: string,
  { payload, subject, type, workspace }: JobRequest,
  { lease }: SlotReservation
): Claim => ({
  id,
  workspace_id: workspace,
  type,
  subject,
  payload: payload ?? null,
  attempts: 1,
  crashes: 0,
  lease
})
