// layers/generation/SkippedLeads.ts: decides which leads of a batch are skipped, and why, before anything is stored or
// charged.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCompanyLookup } from "#layers/generation/KnownLeads.ts"
import { inPartsOf, type LeadSource } from "#layers/lists/AcceptList.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { BatchOptions, SkippedCounts } from "#schema/Generation.ts"

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
