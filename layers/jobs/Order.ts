// layers/jobs/Order.ts: a job as it is asked for.
import type { Schema } from "effect"
import type { Claim } from "#layers/jobs/Claim.ts"
import type { Place } from "#layers/jobs/Places.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** Work to be done. */
export interface Order {
  readonly workspace: WorkspaceId
  readonly type: string
  /** What it is about: the id of a workspace, a campaign or a list. */
  readonly subject: string
  readonly payload?: Schema.Json
  /** The job waits until this gate is opened. */
  readonly gate?: string | undefined
  /** Where the job begins at once; for one job alone, which waits for nothing. */
  readonly place?: Place | undefined
  /** The work is done already, and the job only says so. */
  readonly done?: boolean
}

export const statusAtFirst = ({ done, gate, place }: Order) =>
  done === true ? "completed" : place !== undefined ? "processing" : gate === undefined ? "pending" : "waiting"

/** The job as whoever has the place has it in hand. */
export const claimOf = (id: string, { payload, subject, type, workspace }: Order, { lease }: Place): Claim => ({
  id,
  workspace_id: workspace,
  type,
  subject,
  payload: payload ?? null,
  attempts: 1,
  crashes: 0,
  lease
})
