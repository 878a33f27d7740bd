// layers/generation/KnownLeads.ts: recognises leads at clients, competitors and the sender's own company.
import { Effect, Schema } from "effect"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, findKnownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { Lead } from "#schema/Lead.ts"
import { type LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"

/** Leads checked before other requests run. */
const leadsPerTurn = 200

/**
 * Makes a function that looks up a lead's company in the profile and the campaign's selections; null if it is unknown.
 */
export const makeCompanyLookup = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const profile = yield* workspaces.details(workspace)
    const { social_proof } = yield* campaigns.chosen(workspace, campaign)
    const proofs = social_proof?.items.map(({ description }) => description) ?? []
    return (lead: Lead): KnownCompany | null => findKnownCompany(lead, profile, proofs)
  })
})

const KnownLeadsReader = Schema.fromJsonString(LeadFileRead)

/** Adds a problem to a lead file for each lead at a known company of the campaign. */
export const makeMarkKnownLeads = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const companiesOf = yield* makeCompanyLookup

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, json: Uint8Array) {
    yield* Effect.mapError(campaigns.find(workspace, campaign), () =>
      BadRequest.at("campaign_id", "is no campaign of this workspace")
    )
    const companyOf = yield* companiesOf(workspace, campaign)
    const read = yield* Effect.orDie(Schema.decodeEffect(KnownLeadsReader)(new TextDecoder().decode(json)))
    const found: Array<LeadFileProblem> = []
    for (const [at, lead] of read.rows.entries()) {
      if (at % leadsPerTurn === leadsPerTurn - 1) yield* Effect.yieldNow
      const known = companyOf(lead)
      if (known === null) continue
      found.push({
        kind: "client",
        line: null,
        row: at + 1,
        email: lead.email,
        message: known.reason,
        suggestion: null
      })
    }
    return new TextEncoder().encode(JSON.stringify({ ...read, problems: [...read.problems, ...found] }))
  })
})
