// test/machine/ModelledWorkspace.ts: a workspace with its own client, and the model of it.
import { Effect } from "effect"
import { Assets } from "#layers/Assets.ts"
import { Credits } from "#layers/Credits.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { WorkspaceAssetType } from "#schema/Assets.ts"
import { noDetails } from "#schema/Details.ts"
import { body } from "#test/support/answers.ts"
import { caller } from "#test/support/callers.ts"
import { newWorkspace } from "#test/support/workspace.ts"
import { fake } from "#test/support/writer.ts"
import type { Change } from "./Commands.ts"
import type { Workspace } from "./Model.ts"
import { Money } from "./Money.ts"

const start: Change = { tier: "starter", monthly_credits: 12, payg_enabled: true, payg_cap_cents: 65 }

/** A workspace that is ready for campaigns, with few credits. */
export const createModelledWorkspace = Effect.fnUntraced(function* (name: string) {
  const assets = yield* Assets
  const { workspace } = yield* newWorkspace({ name, plan: "none", details: { company_name: name } })
  yield* (yield* Onboarding).store(workspace.id, {
    profile: { ...noDetails, company_name: name },
    documents: { company_summary: "#", market_research: "#" },
    segments: yield* Effect.orDie(fake.segments(noDetails)),
    options: {
      social_proof: yield* Effect.orDie(fake.options(noDetails, "social_proof")),
      lead_magnet: yield* Effect.orDie(fake.options(noDetails, "lead_magnet")),
      risk_reversal: yield* Effect.orDie(fake.options(noDetails, "risk_reversal"))
    }
  })
  const account = yield* (yield* Credits).setPlan(workspace.id, {
    ...start,
    payg_eligible: true
  })
  const money = new Money("none", account.period.start)
  money.change(start)
  const client = yield* caller(workspace.id)
  const { data } = yield* body(200, client.get("/target-audiences"))
  const options = yield* Effect.forEach(WorkspaceAssetType.literals, (type) =>
    Effect.map(assets.options(workspace.id, "", type), (options) => [type, options] as const)
  )
  const model: Workspace = {
    name,
    money,
    campaigns: [],
    lists: [],
    goneCampaigns: [],
    goneLists: [],
    segments: data.map(({ company_size, id, segment_name }: any) => ({ id, segment_name, company_size })),
    options: Object.fromEntries(options),
    keys: new Map(),
    suppressed: new Map()
  }
  return { client, model }
})
