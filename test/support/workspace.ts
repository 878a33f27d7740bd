// test/support/workspace.ts: a workspace in the store, for tests of services and for callers.
import { Effect } from "effect"
import { Workspaces } from "#layers/Workspaces.ts"

type Given = Parameters<Workspaces["Service"]["create"]>[0]

/** A workspace with the given fields and an otherwise empty profile. */
export const newWorkspace = Effect.fnUntraced(function* (given: Partial<Given> = {}) {
  const unless: Given = { name: "Acme", owner_email: null, plan: "growth", details: {}, research: false }
  return yield* (yield* Workspaces).create({ ...unless, ...given })
})

/** The id of a new workspace on this plan. */
export const workspaceOn = (plan: Given["plan"]) => Effect.map(newWorkspace({ plan }), ({ workspace }) => workspace.id)
