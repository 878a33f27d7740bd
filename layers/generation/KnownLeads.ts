// layers/generation/KnownLeads.ts: recognises leads that a batch may leave out (suppressed ones, those at clients, competitors and the
// sender's own company, those that were written to before, and those that a person left out or rejected) and those that a person
// should check, because they may be suppressed or at such a company. Marks them in a lead file.
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, findKnownCompany, findPossibleCompany } from "#layers/generator/companies/KnownCompanies.ts"
import type { LeadFileJson } from "#layers/lead-files/ReadLeadFile.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { Principal, WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { BatchOptions } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import type { LeadFileProblem } from "#schema/LeadFiles.ts"

interface CompanyLookup {
  readonly known: (lead: Lead) => KnownCompany | null
  readonly possible: (lead: Lead) => KnownCompany | null
}

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
    const lookup: CompanyLookup = {
      known: (lead) => findKnownCompany(lead, profile, proofs),
      possible: (lead) => findPossibleCompany(lead, profile, proofs)
    }
    return lookup
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

/** The fields of a lead that are compared here. */
const Contact = Schema.Struct(Struct.pick(Lead.fields, ["email", "company", "company_website"]))
const decodeContacts = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Contact)))

const none: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * Makes a function that lists a problem for each reason to leave a lead out. Without `workspace:read` it gives nothing
 * of the suppression list and the profile, and without `lists:read` nothing of lists.
 */
const makeFindProblems = Effect.gen(function* () {
  const findWrittenTo = yield* makeFindWrittenTo
  const findDecided = yield* makeFindDecided
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (
    { scopes, workspace_id: workspace }: Principal,
    campaign: string,
    companies: CompanyLookup,
    leads: ReadonlyArray<typeof Contact.Type>,
    firstRow: number
  ) {
    const seesProfile = scopes.includes("workspace:read")
    const seesLists = scopes.includes("lists:read")
    const found: Array<LeadFileProblem> = []
    const addresses = leads.map(({ email }) => email.toLowerCase())
    const suppressed = seesProfile ? yield* suppressions.reasons(workspace, leads) : []
    const maybeSuppressed = seesProfile ? yield* suppressions.possible(workspace, leads) : []
    const [ofCampaign, ofWorkspace, decided] = seesLists
      ? yield* Effect.all([
          findWrittenTo(workspace, campaign, "campaign", addresses),
          findWrittenTo(workspace, campaign, "workspace", addresses),
          findDecided(workspace, addresses)
        ])
      : [none, none, none]
    for (const [i, lead] of leads.entries()) {
      const { email } = lead
      const add = (kind: LeadFileProblem["kind"], message: string, list?: string) => {
        const place = { line: null, row: firstRow + i, email }
        found.push({ kind, ...place, message, suggestion: null, ...(list === undefined ? {} : { list }) })
      }
      const known = seesProfile ? companies.known(lead) : null
      if (suppressed[i] !== undefined) add("suppressed", suppressed[i])
      if (known !== null) add("client", known.reason)
      if (seesProfile && suppressed[i] === undefined && known === null) {
        const reason = maybeSuppressed[i] ?? companies.possible(lead)?.reason
        if (reason !== undefined) add("maybe", reason)
      }
      const address = addresses[i] ?? ""
      const [inCampaign, inWorkspace] = [ofCampaign.get(address), ofWorkspace.get(address)]
      if (inCampaign !== undefined) add("written_campaign", writtenReason("campaign", inCampaign), inCampaign)
      else if (inWorkspace !== undefined) add("written_workspace", writtenReason("workspace", inWorkspace), inWorkspace)
      const past = decided.get(address)
      if (past !== undefined) add("decided", past.message, past.list)
    }
    return found
  })
})

const encoder = new TextEncoder()
const openingBracket = 0x5b

/**
 * The parts of the JSON of a lead file with more problems. Not parsed or copied, because that takes long for tens of
 * megabytes and blocks other requests.
 */
const appendProblems = (json: Uint8Array, listsOfProblems: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  // `problems` is the last field, so the JSON ends with "]}".
  const parts = [json.subarray(0, -2)]
  const isEmpty = json.at(-3) === openingBracket
  for (const [index, list] of listsOfProblems.entries()) {
    if (index > 0 || !isEmpty) parts.push(encoder.encode(","))
    parts.push(list.subarray(1, -1))
  }
  return [...parts, json.subarray(-2)]
}

/**
 * Adds a problem to a lead file for each reason to leave a lead out, for the campaign that will use the file. Returns the
 * parts of the JSON.
 */
export const makeMarkKnownLeads = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const companiesOf = yield* makeCompanyLookup
  const findProblems = yield* makeFindProblems

  return Effect.fnUntraced(function* (principal: Principal, campaign: string, { contacts, json }: LeadFileJson) {
    yield* Effect.mapError(campaigns.find(principal.workspace_id, campaign), () =>
      BadRequest.at("campaign_id", "is no campaign of this workspace")
    )
    const companies = yield* companiesOf(principal.workspace_id, campaign)
    const found: Array<Uint8Array> = []
    let row = 1
    for (const piece of contacts) {
      const leads = yield* Effect.orDie(decodeContacts(piece))
      const problems = yield* findProblems(principal, campaign, companies, leads, row)
      if (problems.length > 0) found.push(encoder.encode(JSON.stringify(problems)))
      row += leads.length
      yield* Effect.yieldNow
    }
    return appendProblems(json, found)
  })
})
