// test/support/workspace.ts: creates a workspace directly in the database.
import { Effect } from "effect"
import { Workspaces } from "#layers/Workspaces.ts"

type WorkspaceInput = Parameters<Workspaces["Service"]["create"]>[0]

/** Creates a workspace with these fields and an otherwise empty profile. */
export const newWorkspace = Effect.fnUntraced(function* (fields: Partial<WorkspaceInput> = {}) {
  const defaults: WorkspaceInput = { name: "Acme", owner_email: null, plan: "growth", details: {}, research: false }
  return yield* (yield* Workspaces).create({ ...defaults, ...fields })
})

/** The id of a new workspace on this plan. */
export const workspaceOnPlan = (plan: WorkspaceInput["plan"]) =>
  Effect.map(newWorkspace({ plan }), ({ workspace }) => workspace.id)
