// layers/generation/KnownLeads.ts: recognises leads that a batch may leave out (suppressed ones, those at clients, competitors and the
// sender's own company, those that were written to before, and those that a person left out or rejected) and those that a person
// should check, because they may be suppressed or at such a company. Marks them in a lead file.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, findKnownCompany, findPossibleCompany } from "#layers/generator/companies/KnownCompanies.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { BatchOptions } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import { type LeadFileProblem, LeadFileRead } from "#schema/LeadFiles.ts"

/** Leads processed before yielding to other requests. */
const leadsPerTurn = 200

/**
 * Makes two lookups against the current profile and selections: `known` returns a company whose leads are skipped,
 * `possible` one that may match. Both return null if there is no match.
 */
export const makeCompanyLookup = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const profile = yield* workspaces.details(workspace)
    const { social_proof } = yield* campaigns.chosen(workspace, campaign)
    const proofs = social_proof?.items.map(({ description }) => description) ?? []
    return {
      known: (lead: Lead): KnownCompany | null => findKnownCompany(lead, profile, proofs),
      possible: (lead: Lead): KnownCompany | null => findPossibleCompany(lead, profile, proofs)
    }
  })
})

type SkipScope = NonNullable<BatchOptions["skip_written"]>

/** Why a lead that was written to before is left out; `list` is the newest list that has the address. */
export const writtenReason = (scope: SkipScope, list: string) => `The list “${list}” of this ${scope} has this address.`

/** Makes a lookup of the addresses, in lower case, that were written to before or are about to be, each with its newest list. */
export const makeFindWrittenTo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    scope: SkipScope,
    addresses: ReadonlyArray<string>
  ) {
    const ofScope = scope === "campaign" ? sql`t.campaign_id = ${campaign}` : sql`t.workspace_id = ${workspace}`
    const rows = yield* sql<{ readonly email: string; readonly list: string | null }>`
      SELECT lower(l.email) AS email, t.custom_name AS list FROM leads l
      JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
      WHERE l.workspace_id = ${workspace} AND lower(l.email) IN ${sql.in(addresses)}
        AND l.status IN ('pending', 'completed') AND ${ofScope}
      ORDER BY t.created_at, t.id`
    return new Map(rows.map(({ email, list }) => [email, list ?? "Without a name"]))
  }, Effect.orDie)
})

interface PastDecision {
  readonly list: string
  readonly message: string
}

/** Makes a lookup of the addresses, in lower case, that a person left out or rejected, unless a newer list writes to them. */
const makeFindDecided = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (workspace: WorkspaceId, addresses: ReadonlyArray<string>) {
    const rows = yield* sql<{ readonly email: string; readonly list: string | null; readonly decision: string }>`
      SELECT lower(o.email) AS email, t.custom_name AS list, 'omitted' AS decision, t.created_at, t.id
      FROM omitted_rows o JOIN lists t ON t.id = o.list_id AND t.workspace_id = o.workspace_id
      WHERE o.workspace_id = ${workspace} AND lower(o.email) IN ${sql.in(addresses)} AND o.by_hand = 1
      UNION ALL
      SELECT lower(l.email), t.custom_name, COALESCE(r.review, 'open'), t.created_at, t.id
      FROM leads l JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
      LEFT JOIN lead_reviews r ON r.lead_id = l.id AND r.workspace_id = l.workspace_id
      WHERE l.workspace_id = ${workspace} AND lower(l.email) IN ${sql.in(addresses)}
        AND l.status IN ('pending', 'completed')
      ORDER BY created_at, id`
    const found = new Map<string, PastDecision>()
    for (const { decision, email, list: name } of rows) {
      const list = name ?? "Without a name"
      if (decision === "omitted") found.set(email, { list, message: `Left out by hand from the list “${list}”.` })
      else if (decision === "rejected") found.set(email, { list, message: `Rejected in the list “${list}”.` })
      else found.delete(email)
    }
    return found
  }, Effect.orDie)
})

const LeadFileReadJson = Schema.fromJsonString(LeadFileRead)

/** Adds a problem to a lead file for each reason to leave a lead out, for the campaign that will use the file. */
export const makeMarkKnownLeads = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const companiesOf = yield* makeCompanyLookup
  const findWrittenTo = yield* makeFindWrittenTo
  const findDecided = yield* makeFindDecided
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, json: Uint8Array) {
    yield* Effect.mapError(campaigns.find(workspace, campaign), () =>
      BadRequest.at("campaign_id", "is no campaign of this workspace")
    )
    const companies = yield* companiesOf(workspace, campaign)
    const read = yield* Effect.orDie(Schema.decodeEffect(LeadFileReadJson)(new TextDecoder().decode(json)))
    const found: Array<LeadFileProblem> = []
    const add = (kind: LeadFileProblem["kind"], at: number, { email }: Lead, message: string, list?: string) =>
      void found.push({
        kind,
        line: null,
        row: at + 1,
        email,
        message,
        suggestion: null,
        ...(list === undefined ? {} : { list })
      })
    const addWritten = (scope: SkipScope, at: number, lead: Lead, list: string) =>
      add(`written_${scope}`, at, lead, writtenReason(scope, list), list)
    let at = 0
    for (const part of Arr.chunksOf(read.rows, leadsPerTurn)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = yield* suppressions.reasons(workspace, part)
      const maybeSuppressed = yield* suppressions.possible(workspace, part)
      const [ofCampaign, ofWorkspace, decided] = yield* Effect.all([
        findWrittenTo(workspace, campaign, "campaign", addresses),
        findWrittenTo(workspace, campaign, "workspace", addresses),
        findDecided(workspace, addresses)
      ])
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const known = companies.known(lead)
        if (suppressed[i] !== undefined) add("suppressed", at, lead, suppressed[i])
        if (known !== null) add("client", at, lead, known.reason)
        if (suppressed[i] === undefined && known === null) {
          const reason = maybeSuppressed[i] ?? companies.possible(lead)?.reason
          if (reason !== undefined) add("maybe", at, lead, reason)
        }
        const [inCampaign, inWorkspace] = [ofCampaign.get(address), ofWorkspace.get(address)]
        if (inCampaign !== undefined) addWritten("campaign", at, lead, inCampaign)
        else if (inWorkspace !== undefined) addWritten("workspace", at, lead, inWorkspace)
        const past = decided.get(address)
        if (past !== undefined) add("decided", at, lead, past.message, past.list)
        at++
      }
      yield* Effect.yieldNow
    }
    return new TextEncoder().encode(JSON.stringify({ ...read, problems: [...read.problems, ...found] }))
  })
})
