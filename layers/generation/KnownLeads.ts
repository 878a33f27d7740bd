// layers/generation/KnownLeads.ts: recognises leads that a batch may leave out: suppressed ones, those at clients, competitors and the
// sender's own company, and those that were written to before.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, findKnownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { BatchOptions } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import { type LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"

/** Leads that are looked at before other requests get their turn. */
const leadsPerTurn = 200

/** Makes a lookup of a lead's company in the current profile and selection; it returns null for an unknown company. */
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

type SkipScope = NonNullable<BatchOptions["skip_written"]>

export const writtenReasons: { readonly [S in SkipScope]: string } = {
  campaign: "Another list of this campaign has this address.",
  workspace: "Another list of this workspace has this address."
}

/** Makes a lookup of the addresses, in lower case, that were written to before or are about to be. */
export const makeFindWrittenTo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    scope: SkipScope,
    addresses: ReadonlyArray<string>
  ) {
    const ofScope = scope === "campaign" ? sql`t.campaign_id = ${campaign}` : sql`t.workspace_id = ${workspace}`
    const rows = yield* sql<{ readonly email: string }>`
      SELECT DISTINCT lower(l.email) AS email FROM leads l
      JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
      WHERE l.workspace_id = ${workspace} AND lower(l.email) IN ${sql.in(addresses)}
        AND l.status IN ('pending', 'completed') AND ${ofScope}`
    return new Set(rows.map(({ email }) => email))
  }, Effect.orDie)
})

const KnownLeadsReader = Schema.fromJsonString(LeadFileRead)

/** Adds a problem to a lead file for each reason to leave a lead out, for the campaign that will use the file. */
export const makeMarkKnownLeads = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const companiesOf = yield* makeCompanyLookup
  const findWrittenTo = yield* makeFindWrittenTo
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, json: Uint8Array) {
    yield* Effect.mapError(campaigns.find(workspace, campaign), () =>
      BadRequest.at("campaign_id", "is no campaign of this workspace")
    )
    const companyOf = yield* companiesOf(workspace, campaign)
    const read = yield* Effect.orDie(Schema.decodeEffect(KnownLeadsReader)(new TextDecoder().decode(json)))
    const found: Array<LeadFileProblem> = []
    const add = (kind: LeadFileProblem["kind"], at: number, { email }: Lead, message: string) =>
      void found.push({ kind, line: null, row: at + 1, email, message, suggestion: null })
    let at = 0
    for (const part of Arr.chunksOf(read.rows, leadsPerTurn)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = yield* suppressions.reasons(workspace, part)
      const [ofCampaign, ofWorkspace] = yield* Effect.all([
        findWrittenTo(workspace, campaign, "campaign", addresses),
        findWrittenTo(workspace, campaign, "workspace", addresses)
      ])
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const known = companyOf(lead)
        if (suppressed[i] !== undefined) add("suppressed", at, lead, suppressed[i])
        if (known !== null) add("client", at, lead, known.reason)
        if (ofCampaign.has(address)) add("written_campaign", at, lead, writtenReasons.campaign)
        else if (ofWorkspace.has(address)) add("written_workspace", at, lead, writtenReasons.workspace)
        at++
      }
      yield* Effect.yieldNow
    }
    return new TextEncoder().encode(JSON.stringify({ ...read, problems: [...read.problems, ...found] }))
  })
})
