// test/machine/ModelledWorkspace.ts: a workspace with its own client, and the model of it.
import { Effect } from "effect"
import { Assets } from "#layers/Assets.ts"
import { Credits } from "#layers/Credits.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { WorkspaceAssetType } from "#schema/Assets.ts"
import { noDetails } from "#schema/Details.ts"
import { expectBody } from "#test/support/answers.ts"
import { callerFor } from "#test/support/callers.ts"
import { newWorkspace } from "#test/support/workspace.ts"
import { fakeWriter } from "#test/support/writer.ts"
import type { Change } from "./Commands.ts"
import type { Workspace } from "./Model.ts"
import { CreditAccount } from "./CreditAccount.ts"

const initialPlan: Change = { tier: "starter", monthly_credits: 12, payg_enabled: true, payg_cap_cents: 65 }

/** A workspace that is ready for campaigns, with few credits. */
export const createModelledWorkspace = Effect.fnUntraced(function* (name: string) {
  const assets = yield* Assets
  const { workspace } = yield* newWorkspace({ name, plan: "none", details: { company_name: name } })
  yield* (yield* Onboarding).store(workspace.id, {
    profile: { ...noDetails, company_name: name },
    documents: { company_summary: "#", market_research: "#" },
    segments: yield* Effect.orDie(fakeWriter.segments(noDetails)),
    options: {
      social_proof: yield* Effect.orDie(fakeWriter.options(noDetails, "social_proof")),
      lead_magnet: yield* Effect.orDie(fakeWriter.options(noDetails, "lead_magnet")),
      risk_reversal: yield* Effect.orDie(fakeWriter.options(noDetails, "risk_reversal"))
    }
  })
  const account = yield* (yield* Credits).setPlan(workspace.id, {
    ...initialPlan,
    payg_eligible: true
  })
  const creditAccount = new CreditAccount("none", account.period.start)
  creditAccount.changePlan(initialPlan)
  const client = yield* callerFor(workspace.id)
  const { data } = yield* expectBody(200, client.get("/target-audiences"))
  const options = yield* Effect.forEach(WorkspaceAssetType.literals, (type) =>
    Effect.map(assets.options(workspace.id, "", type), (options) => [type, options] as const)
  )
  const model: Workspace = {
    name,
    creditAccount,
    campaigns: [],
    lists: [],
    deletedCampaignIds: [],
    deletedListIds: [],
    segments: data.map(({ company_size, id, segment_name }: any) => ({ id, segment_name, company_size })),
    options: Object.fromEntries(options),
    answersByKey: new Map(),
    suppressionIds: new Map()
  }
  return { client, model }
})
