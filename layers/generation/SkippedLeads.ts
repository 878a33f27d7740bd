// layers/generation/SkippedLeads.ts: decides which leads are not written to, and why, before anything is stored or charged.
import { Effect, Schema } from "effect"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { findKnownCompany, type KnownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { Lead } from "#schema/Lead.ts"
import { type LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"
import { SqlClient } from "effect/sql"
import { inPartsOf, type LeadSource } from "#layers/Lists.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { BatchOptions, SkippedCounts } from "#schema/Generation.ts"

/** Leads checked before other requests run. */
const leadsPerTurn = 200

/**
 * Makes a function that looks up a lead's company in the profile and the campaign's selections; null if it is unknown.
 */
const makeCompanyLookup = Effect.gen(function* () {
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

type SkipKind = "suppressed" | "duplicate" | "client" | "written"

export interface SkippedLeads {
  /** The reasons by the lead's index in the batch, from 0. */
  readonly reasons: ReadonlyMap<number, string>
  /** Undefined if no rule could skip a lead. */
  readonly counts: SkippedCounts | undefined
}

const noSkippedLeads: SkippedLeads = { reasons: new Map(), counts: undefined }

/** Leads looked up in one query. */
const lookupSize = 200

const skipLabels: { readonly [K in SkipKind]: string } = {
  suppressed: "on the suppression list",
  duplicate: "repeated",
  client: "at your own company, a client or a competitor",
  written: "in another list already"
}

/** The message for a batch that has no lead left. */
export const describeSkipped = ({ counts }: SkippedLeads): string => {
  const all: Partial<Record<SkipKind, number>> = counts ?? {}
  const parts = (["suppressed", "duplicate", "client", "written"] as const).flatMap((kind) => {
    const count = all[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? "is" : "are"} ${skipLabels[kind]}`]
  })
  return `no lead remains to write to: ${parts.join(", ")}`
}

type SkipScope = NonNullable<BatchOptions["skip_written"]>

const writtenLeadsScope: { readonly [S in SkipScope]: string } = {
  campaign: "Another list of this campaign has this address.",
  workspace: "Another list of this workspace has this address."
}

export const makeFindSkippedLeads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const companiesOf = yield* makeCompanyLookup
  const suppressions = yield* Suppressions

  /** Addresses that an earlier list has written to or is going to write to. */
  const findWrittenTo = Effect.fnUntraced(function* (
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
  })

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    leads: LeadSource,
    { skip_clients, skip_duplicates, skip_written }: BatchOptions
  ) {
    const scope = skip_written ?? undefined
    const hasList = !(yield* suppressions.isEmpty(workspace))
    if (!hasList && skip_clients !== true && skip_duplicates !== true && scope === undefined) return noSkippedLeads

    const companyOf = skip_clients === true ? yield* companiesOf(workspace, campaign) : () => null
    const noReasons: ReadonlyMap<string, string> = new Map()
    const seen = new Map<string, number>()
    const reasons = new Map<number, string>()
    const counts = { suppressed: 0, duplicate: 0, client: 0, written: 0 }
    const skip = (at: number, kind: SkipKind, reason: string) => {
      counts[kind]++
      reasons.set(at, reason)
    }

    let position = 0
    for (const part of inPartsOf(leads, lookupSize)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = hasList ? yield* suppressions.reasons(workspace, addresses) : noReasons
      const written = scope === undefined ? noReasons : yield* findWrittenTo(workspace, campaign, scope, addresses)
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const at = position++
        const firstIndex = skip_duplicates === true ? seen.get(address) : undefined
        if (firstIndex === undefined) seen.set(address, at)
        const suppression = suppressed.get(address)
        if (suppression !== undefined) {
          skip(at, "suppressed", suppression)
          continue
        }
        if (firstIndex !== undefined) {
          skip(at, "duplicate", `Lead ${firstIndex + 1} of this batch has the same address.`)
          continue
        }
        const known = companyOf(lead)
        if (known !== null) skip(at, "client", known.reason)
        else if (scope !== undefined && written.has(address)) skip(at, "written", writtenLeadsScope[scope])
      }
      yield* Effect.yieldNow
    }
    const { written, ...always } = counts
    return { reasons, counts: scope === undefined ? always : { ...always, written } } satisfies SkippedLeads
  }, Effect.orDie)
})
