// src/workers/Onboarding.ts: generates a workspace's documents, segments and options from its profile.
import { Effect } from "effect"
import { Generator } from "#layers/Generator.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { Workspaces } from "#layers/Workspaces.ts"

/**
 * `workspace.onboarding` is the first run; `workspace.regenerate` repeats it on request after a change of the profile.
 */
export const onboarding = (
  type: "workspace.onboarding" | "workspace.regenerate"
): Effect.Effect<JobHandler, never, Generator | Queue | Onboarding | Workspaces> =>
  Effect.gen(function* () {
    const generator = yield* Generator
    const queue = yield* Queue
    const { resetDocuments: failed, store } = yield* Onboarding
    const workspaces = yield* Workspaces

    return {
      type,
      run: Effect.fn("onboarding")(function* (claim) {
        const workspace = claim.workspace_id
        const profile = yield* workspaces.details(workspace)
        const company_summary = yield* generator.companySummary(profile)
        const market_research = yield* generator.marketResearch(profile)
        const segments = yield* generator.segments(profile)
        const social_proof = yield* generator.options(profile, "social_proof")
        const lead_magnet = yield* generator.options(profile, "lead_magnet")
        const risk_reversal = yield* generator.options(profile, "risk_reversal")
        yield* queue.complete(
          claim,
          store(workspace, {
            profile,
            documents: { company_summary, market_research },
            segments,
            options: { social_proof, lead_magnet, risk_reversal }
          })
        )
      }),
      failed: (claim) => failed(claim.workspace_id)
    }
  })
