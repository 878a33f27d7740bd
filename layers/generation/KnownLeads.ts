// layers/generation/KnownLeads.ts: finds the leads of a lead file that a batch can skip, and adds them to its problems: leads that are
// suppressed, that work at a client, a competitor or the sender's own company, that were written to before, or that a person left out
// or rejected. Also finds leads that a person should check, because they may be suppressed or work at such a company.
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, findKnownCompany, findPossibleCompany } from "#layers/generator/companies/KnownCompanies.ts"
import type { LeadFileJson } from "#layers/lead-files/ReadLeadFile.ts"
import { type SpellingSearch, startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { Principal, WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { BatchOptions } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import type { LeadFileProblem } from "#schema/LeadFiles.ts"

interface CompanyLookup {
  readonly findKnown: (lead: Lead) => KnownCompany | null
  readonly findPossible: (lead: Lead) => KnownCompany | null
}

/**
 * Makes two lookups against the current profile and selections: `findKnown` returns a company whose leads are skipped,
 * `findPossible` one that may match. Both return null if there is no match.
 */
export const makeCompanyLookup = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const profile = yield* workspaces.details(workspace)
    const { social_proof } = yield* campaigns.findSelections(workspace, campaign)
    const proofs = social_proof?.items.map(({ description }) => description) ?? []
    const lookup: CompanyLookup = {
      findKnown: (lead) => findKnownCompany(lead, profile, proofs),
      findPossible: (lead) => findPossibleCompany(lead, profile, proofs)
    }
    return lookup
  })
})

type SkipScope = NonNullable<BatchOptions["skip_written"]>

/** The reason to skip a lead that was written to before; `list` is the name of the newest list with its address. */
export const writtenReason = (scope: SkipScope, list: string) => `The list “${list}” of this ${scope} has this address.`

/** Makes a function that returns those of the addresses (in lower case) that are pending or written in a list, each with its newest list. */
export const makeFindWrittenTo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    scope: SkipScope,
    addresses: ReadonlyArray<string>
  ) {
    const scopeCondition = scope === "campaign" ? sql`t.campaign_id = ${campaign}` : sql`t.workspace_id = ${workspace}`
    const rows = yield* sql<{ readonly email: string; readonly list: string | null }>`
      SELECT lower(l.email) AS email, t.custom_name AS list FROM leads l
      JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
      WHERE l.workspace_id = ${workspace} AND lower(l.email) IN ${sql.in(addresses)}
        AND l.status IN ('pending', 'completed') AND ${scopeCondition}
      ORDER BY t.created_at, t.id`
    return new Map(rows.map(({ email, list }) => [email, list ?? "Without a name"]))
  }, Effect.orDie)
})

interface PastDecision {
  readonly list: string
  readonly message: string
}

/** Makes a function that returns those of the addresses (in lower case) that a person left out or rejected, unless a newer list has them. */
const makeFindDecisions = Effect.gen(function* () {
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
    const decisions = new Map<string, PastDecision>()
    for (const { decision, email, list: name } of rows) {
      const list = name ?? "Without a name"
      if (decision === "omitted") decisions.set(email, { list, message: `Left out by hand from the list “${list}”.` })
      else if (decision === "rejected") decisions.set(email, { list, message: `Rejected in the list “${list}”.` })
      else decisions.delete(email)
    }
    return decisions
  }, Effect.orDie)
})

/** The fields of a lead that are compared with the profile, the suppression list and earlier lists. */
const Contact = Schema.Struct(Struct.pick(Lead.fields, ["email", "company", "company_website"]))
const decodeContacts = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Contact)))

const noEntries: ReadonlyMap<string, never> = new Map<string, never>()

/** Leads compared before yielding to other requests. */
const leadsPerTurn = 50

/**
 * Makes a function that lists a problem for each reason to leave a lead out. Without `workspace:read` it gives nothing
 * of the suppression list and the profile, and without `lists:read` nothing of lists.
 */
const makeFindProblems = Effect.gen(function* () {
  const findWrittenTo = yield* makeFindWrittenTo
  const findDecisions = yield* makeFindDecisions
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (
    { scopes, workspace_id: workspace }: Principal,
    campaign: string,
    companies: CompanyLookup,
    search: SpellingSearch,
    leads: ReadonlyArray<typeof Contact.Type>,
    firstRow: number
  ) {
    const seesProfile = scopes.includes("workspace:read")
    const seesLists = scopes.includes("lists:read")
    const problems: Array<LeadFileProblem> = []
    const addresses = leads.map(({ email }) => email.toLowerCase())
    const suppressed = seesProfile ? yield* suppressions.findReasons(workspace, leads) : []
    const maybeSuppressed = seesProfile ? yield* suppressions.findPossibleReasons(workspace, leads, search) : []
    const [writtenInCampaign, writtenInWorkspace, decisions] = seesLists
      ? yield* Effect.all([
          findWrittenTo(workspace, campaign, "campaign", addresses),
          findWrittenTo(workspace, campaign, "workspace", addresses),
          findDecisions(workspace, addresses)
        ])
      : [noEntries, noEntries, noEntries]
    for (const [i, lead] of leads.entries()) {
      if (i % leadsPerTurn === 0) yield* Effect.yieldNow
      const { email } = lead
      const add = (kind: LeadFileProblem["kind"], message: string, list?: string) => {
        const location = { line: null, row: firstRow + i, email }
        problems.push({ kind, ...location, message, suggestion: null, ...(list === undefined ? {} : { list }) })
      }
      const knownCompany = seesProfile ? companies.findKnown(lead) : null
      if (suppressed[i] !== undefined) add("suppressed", suppressed[i])
      if (knownCompany !== null) add("client", knownCompany.reason)
      if (seesProfile && suppressed[i] === undefined && knownCompany === null) {
        const reason = maybeSuppressed[i] ?? companies.findPossible(lead)?.reason
        if (reason !== undefined) add("maybe", reason)
      }
      const address = addresses[i] ?? ""
      const [inCampaign, inWorkspace] = [writtenInCampaign.get(address), writtenInWorkspace.get(address)]
      if (inCampaign !== undefined) add("written_campaign", writtenReason("campaign", inCampaign), inCampaign)
      else if (inWorkspace !== undefined) add("written_workspace", writtenReason("workspace", inWorkspace), inWorkspace)
      const decision = decisions.get(address)
      if (decision !== undefined) add("decided", decision.message, decision.list)
    }
    return problems
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
  const makeLookup = yield* makeCompanyLookup
  const findProblems = yield* makeFindProblems

  return Effect.fnUntraced(function* (principal: Principal, campaign: string, { contacts, json }: LeadFileJson) {
    yield* Effect.mapError(campaigns.find(principal.workspace_id, campaign), () =>
      BadRequest.at("campaign_id", "is no campaign of this workspace")
    )
    const companies = yield* makeLookup(principal.workspace_id, campaign)
    const search = startSpellingSearch()
    const problemLists: Array<Uint8Array> = []
    let row = 1
    for (const piece of contacts) {
      const leads = yield* Effect.orDie(decodeContacts(piece))
      const problems = yield* findProblems(principal, campaign, companies, search, leads, row)
      if (problems.length > 0) problemLists.push(encoder.encode(JSON.stringify(problems)))
      row += leads.length
      yield* Effect.yieldNow
    }
    return appendProblems(json, problemLists)
  })
})
