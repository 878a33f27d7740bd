// layers/lists/PossibleCompanies.ts: the companies in a list that may be a client, a competitor or one on the suppression list.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { findKnownCompany, findPossibleCompany } from "#layers/generator/companies/KnownCompanies.ts"
import { briefOfList, parseBrief } from "#layers/playbooks/CampaignBrief.ts"
import { startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** The reason why each company may be one to skip, by the company's name in the lead. */
export type PossibleCompanies = ReadonlyMap<string, string>

/** Companies compared before yielding to other requests. */
const companiesPerTurn = 200

/** Less than half the number of parameters that one statement may have. */
const maxPossibleCompanies = 10_000

const maxCachedLists = 50

const noCompanies: PossibleCompanies = new Map()

/**
 * Compares the companies of a list with the profile and proofs that its emails were written from, and with the suppression list
 * as it is now. Cached until the suppression list changes, because a list may have thousands of companies.
 */
export const makePossibleCompanies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const cache = new Map<string, { readonly state: string; readonly companies: PossibleCompanies }>()

  /**
   * A cache key that changes with the brief and the suppression list, and with the workspace, because
   * `overture person erase` changes the reasons of entries. A list's leads never change.
   */
  const findState = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String }),
    Result: Schema.Struct({
      brief: Schema.Int,
      entries: Schema.Int,
      newest: Schema.NullOr(Schema.String),
      workspace: Schema.NullOr(Schema.String)
    }),
    execute: ({ list, workspace }) => sql`
      SELECT CASE WHEN brief IS NULL AND brief_id IS NULL THEN 0 ELSE 1 END AS brief,
        (SELECT CAST(count(*) AS INTEGER) FROM suppressions WHERE workspace_id = ${workspace} AND kind = 'company') AS entries,
        (SELECT max(id) FROM suppressions WHERE workspace_id = ${workspace} AND kind = 'company') AS newest,
        (SELECT updated_at FROM workspaces WHERE id = ${workspace}) AS workspace
      FROM lists WHERE id = ${list} AND workspace_id = ${workspace}`
  })

  const findReasons = Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
    const rows = yield* sql<{ readonly company: string }>`
      SELECT DISTINCT company FROM leads
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND company IS NOT NULL AND company <> ''`
    const [listRow] = yield* sql<{ readonly brief: string | null }>`
      SELECT ${briefOfList(sql)} AS brief FROM lists WHERE id = ${list} AND workspace_id = ${workspace}`
    const campaign = listRow?.brief == null ? undefined : parseBrief(listRow.brief).campaign
    const proofs = campaign?.social_proof?.items.map(({ description }) => description) ?? []
    const reasonByCompany = new Map<string, string>()
    const search = startSpellingSearch()
    for (const part of Arr.chunksOf(rows, companiesPerTurn)) {
      const leads = part.map(({ company }) => ({ email: "", company }))
      const suppressed = yield* suppressions.findPossibleReasons(workspace, leads, search)
      for (const [index, lead] of leads.entries()) {
        const isKnown = campaign !== undefined && findKnownCompany(lead, campaign.profile, proofs) !== null
        const possibleReason =
          campaign === undefined || isKnown ? undefined : findPossibleCompany(lead, campaign.profile, proofs)?.reason
        const reason = suppressed[index] ?? possibleReason
        if (reason !== undefined && reasonByCompany.size < maxPossibleCompanies)
          reasonByCompany.set(lead.company, reason)
      }
      yield* Effect.yieldNow
    }
    return reasonByCompany
  })

  return Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
    const row = yield* findState({ workspace, list })
    if (row._tag === "None") return noCompanies
    const state = JSON.stringify(row.value)
    const cached = cache.get(list)
    const entry = cached?.state === state ? cached : { state, companies: yield* findReasons(workspace, list) }
    cache.delete(list)
    cache.set(list, entry)
    const [oldest = list] = cache.keys()
    if (cache.size > maxCachedLists) cache.delete(oldest)
    return entry.companies
  }, Effect.orDie)
})
