// layers/generation/SkippedLeads.ts: decides which leads of a batch are not written to, and why, before anything is stored or charged.
import { Effect } from "effect"
import { makeCompanyLookup, makeFindWrittenTo, writtenReason } from "#layers/generation/KnownLeads.ts"
import { splitIntoParts, type LeadSource } from "#layers/Lists.ts"
import { startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { BatchOptions, SkippedCounts } from "#schema/Generation.ts"

type SkipKind = "suppressed" | "duplicate" | "client" | "written"

export interface SkippedLeads {
  /** The reason by the index of the lead in the batch, from 0. */
  readonly reasons: ReadonlyMap<number, string>
  /** Undefined if no rule could skip a lead. */
  readonly counts: SkippedCounts | undefined
  /** Leads that are kept although their company may be one to leave out. */
  readonly possible: number
}

const noSkippedLeads: SkippedLeads = { reasons: new Map(), counts: undefined, possible: 0 }

/** Notices about leads that are kept although their company may be one to skip. */
export const possibleNotices = ({ possible }: SkippedLeads): ReadonlyArray<string> =>
  possible === 0
    ? []
    : [
        `${possible === 1 ? "1 lead is" : `${possible} leads are`} written to although the company may be a client, a competitor or one on the suppression list: the names begin alike.`
      ]

/** Leads per query. */
const lookupSize = 200

const skipLabels: { readonly [K in SkipKind]: string } = {
  suppressed: "on the suppression list",
  duplicate: "repeated",
  client: "at your own company, a client or a competitor",
  written: "in another list already"
}

/** The error message if no lead remains. */
export const describeSkipped = ({ counts }: SkippedLeads): string => {
  const countsByKind: Partial<Record<SkipKind, number>> = counts ?? {}
  const parts = (["suppressed", "duplicate", "client", "written"] as const).flatMap((kind) => {
    const count = countsByKind[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? "is" : "are"} ${skipLabels[kind]}`]
  })
  return `no lead remains to write to: ${parts.join(", ")}`
}

export const makeFindSkippedLeads = Effect.gen(function* () {
  const makeLookup = yield* makeCompanyLookup
  const findWrittenTo = yield* makeFindWrittenTo
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    leads: LeadSource,
    { include_addresses, skip_clients, skip_duplicates, skip_written }: BatchOptions
  ) {
    const scope = skip_written ?? undefined
    const hasSuppressions = !(yield* suppressions.isEmpty(workspace))
    if (!hasSuppressions && skip_clients !== true && skip_duplicates !== true && scope === undefined)
      return noSkippedLeads

    const findNothing = () => null
    const companies =
      skip_clients === true
        ? yield* makeLookup(workspace, campaign)
        : { findKnown: findNothing, findPossible: findNothing }
    const noReasons: ReadonlyMap<string, string> = new Map()
    const includedAddresses = new Set(include_addresses?.map((address) => address.toLowerCase()))
    const firstIndexes = new Map<string, number>()
    const reasons = new Map<number, string>()
    const counts = { suppressed: 0, duplicate: 0, client: 0, written: 0 }
    const skip = (index: number, kind: SkipKind, reason: string) => {
      counts[kind]++
      reasons.set(index, reason)
    }

    const search = startSpellingSearch()
    let position = 0
    let possible = 0
    for (const part of splitIntoParts(leads, lookupSize)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = hasSuppressions ? yield* suppressions.findReasons(workspace, part) : []
      const maybeSuppressed = hasSuppressions ? yield* suppressions.findPossibleReasons(workspace, part, search) : []
      const writtenTo = scope === undefined ? noReasons : yield* findWrittenTo(workspace, campaign, scope, addresses)
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const index = position++
        const firstIndex = skip_duplicates === true ? firstIndexes.get(address) : undefined
        if (firstIndex === undefined) firstIndexes.set(address, index)
        const suppression = suppressed[i]
        if (suppression !== undefined) {
          skip(index, "suppressed", suppression)
          continue
        }
        if (firstIndex !== undefined) {
          skip(index, "duplicate", `Lead ${firstIndex + 1} of this batch has the same address.`)
          continue
        }
        if (includedAddresses.has(address)) continue
        const knownCompany = companies.findKnown(lead)
        const list = writtenTo.get(address)
        if (knownCompany !== null) skip(index, "client", knownCompany.reason)
        else if (scope !== undefined && list !== undefined) skip(index, "written", writtenReason(scope, list))
        else if (maybeSuppressed[i] !== undefined || companies.findPossible(lead) !== null) possible++
      }
      yield* Effect.yieldNow
    }
    const { written, ...common } = counts
    return { reasons, possible, counts: scope === undefined ? common : { ...common, written } } satisfies SkippedLeads
  }, Effect.orDie)
})
