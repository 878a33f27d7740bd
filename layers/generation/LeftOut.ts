// layers/generation/LeftOut.ts: decides which leads of a batch are not written to, and why, before anything is stored or charged.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { type KnownCompany, knownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { inPartsOf, type Leads } from "#layers/lists/Accept.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { BatchOptions, SkippedCounts } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"

type Kind = "suppressed" | "duplicate" | "client" | "written"

export interface LeftOut {
  /** The reasons by the lead's place in the batch, from 0. */
  readonly reasons: ReadonlyMap<number, string>
  /** Undefined if nothing could have been left out. */
  readonly counts: SkippedCounts | undefined
}

const nothing: LeftOut = { reasons: new Map(), counts: undefined }

/** Leads that are looked up by one statement. */
const lookupSize = 200

const words: { readonly [K in Kind]: string } = {
  suppressed: "on the suppression list",
  duplicate: "repeated",
  client: "at your own company, a client or a competitor",
  written: "in another list already"
}

/** Why no lead remains, for people. */
export const described = ({ counts }: LeftOut): string => {
  const all: Partial<Record<Kind, number>> = counts ?? {}
  const parts = (["suppressed", "duplicate", "client", "written"] as const).flatMap((kind) => {
    const count = all[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? "is" : "are"} ${words[kind]}`]
  })
  return `no lead remains to write to: ${parts.join(", ")}`
}

type Scope = NonNullable<BatchOptions["skip_written"]>

const writtenBefore: { readonly [S in Scope]: string } = {
  campaign: "Another list of this campaign has this address.",
  workspace: "Another list of this workspace has this address."
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const campaigns = yield* CampaignStore
  const suppressions = yield* Suppressions
  const workspaces = yield* Workspaces

  /** Recognises leads at clients, competitors and the sender's own company, by the current profile and selection. */
  const companiesOf = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const profile = yield* workspaces.details(workspace)
    const { social_proof } = yield* campaigns.chosen(workspace, campaign)
    const proofs = social_proof?.items.map(({ description }) => description) ?? []
    return (lead: Lead): KnownCompany | null => knownCompany(lead, profile, proofs)
  })

  /** The addresses that were written to before, or are about to be. */
  const writtenOf = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    scope: Scope,
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
    leads: Leads,
    { skip_clients, skip_duplicates, skip_written }: BatchOptions
  ) {
    const scope = skip_written ?? undefined
    const hasList = !(yield* suppressions.isEmpty(workspace))
    if (!hasList && skip_clients !== true && skip_duplicates !== true && scope === undefined) return nothing

    const companyOf = skip_clients === true ? yield* companiesOf(workspace, campaign) : () => null
    const none: ReadonlyMap<string, string> = new Map()
    const seen = new Map<string, number>()
    const reasons = new Map<number, string>()
    const counts = { suppressed: 0, duplicate: 0, client: 0, written: 0 }
    const leaveOut = (at: number, kind: Kind, reason: string) => {
      counts[kind]++
      reasons.set(at, reason)
    }

    let position = 0
    for (const part of inPartsOf(leads, lookupSize)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = hasList ? yield* suppressions.reasons(workspace, addresses) : none
      const written = scope === undefined ? none : yield* writtenOf(workspace, campaign, scope, addresses)
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const at = position++
        const earlier = skip_duplicates === true ? seen.get(address) : undefined
        if (earlier === undefined) seen.set(address, at)
        const why = suppressed.get(address)
        if (why !== undefined) {
          leaveOut(at, "suppressed", why)
          continue
        }
        if (earlier !== undefined) {
          leaveOut(at, "duplicate", `Lead ${earlier + 1} of this batch has the same address.`)
          continue
        }
        const known = companyOf(lead)
        if (known !== null) leaveOut(at, "client", known.reason)
        else if (scope !== undefined && written.has(address)) leaveOut(at, "written", writtenBefore[scope])
      }
      yield* Effect.yieldNow
    }
    const { written, ...always } = counts
    return { reasons, counts: scope === undefined ? always : { ...always, written } } satisfies LeftOut
  }, Effect.orDie)
})
