// layers/generation/SkippedLeads.ts: decides which leads of a batch are not written to, and why, before anything is stored or charged.
import { Effect } from "effect"
import { makeCompanyLookup, makeFindWrittenTo, writtenReason } from "#layers/generation/KnownLeads.ts"
import { inPartsOf, type LeadSource } from "#layers/Lists.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { BatchOptions, SkippedCounts } from "#schema/Generation.ts"

type SkipKind = "suppressed" | "duplicate" | "client" | "written"

export interface SkippedLeads {
  /** The reasons by the lead's place in the batch, from 0. */
  readonly reasons: ReadonlyMap<number, string>
  /** Undefined if nothing could have been left out. */
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

/** Leads that are looked up by one statement. */
const lookupSize = 200

const skipLabels: { readonly [K in SkipKind]: string } = {
  suppressed: "on the suppression list",
  duplicate: "repeated",
  client: "at your own company, a client or a competitor",
  written: "in another list already"
}

/** The error message if no lead remains. */
export const describeSkipped = ({ counts }: SkippedLeads): string => {
  const all: Partial<Record<SkipKind, number>> = counts ?? {}
  const parts = (["suppressed", "duplicate", "client", "written"] as const).flatMap((kind) => {
    const count = all[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? "is" : "are"} ${skipLabels[kind]}`]
  })
  return `no lead remains to write to: ${parts.join(", ")}`
}

export const makeFindSkippedLeads = Effect.gen(function* () {
  const companiesOf = yield* makeCompanyLookup
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

    const nowhere = () => null
    const companies =
      skip_clients === true ? yield* companiesOf(workspace, campaign) : { known: nowhere, possible: nowhere }
    const noReasons: ReadonlyMap<string, string> = new Map()
    const included = new Set(include_addresses?.map((address) => address.toLowerCase()))
    const seen = new Map<string, number>()
    const reasons = new Map<number, string>()
    const counts = { suppressed: 0, duplicate: 0, client: 0, written: 0 }
    const skip = (index: number, kind: SkipKind, reason: string) => {
      counts[kind]++
      reasons.set(index, reason)
    }

    let position = 0
    let possible = 0
    for (const part of inPartsOf(leads, lookupSize)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = hasSuppressions ? yield* suppressions.reasons(workspace, part) : []
      const maybeSuppressed = hasSuppressions ? yield* suppressions.possible(workspace, part) : []
      const written = scope === undefined ? noReasons : yield* findWrittenTo(workspace, campaign, scope, addresses)
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const index = position++
        const firstIndex = skip_duplicates === true ? seen.get(address) : undefined
        if (firstIndex === undefined) seen.set(address, index)
        const suppression = suppressed[i]
        if (suppression !== undefined) {
          skip(index, "suppressed", suppression)
          continue
        }
        if (firstIndex !== undefined) {
          skip(index, "duplicate", `Lead ${firstIndex + 1} of this batch has the same address.`)
          continue
        }
        if (included.has(address)) continue
        const known = companies.known(lead)
        const list = written.get(address)
        if (known !== null) skip(index, "client", known.reason)
        else if (scope !== undefined && list !== undefined) skip(index, "written", writtenReason(scope, list))
        else if (maybeSuppressed[i] !== undefined || companies.possible(lead) !== null) possible++
      }
      yield* Effect.yieldNow
    }
    const { written, ...always } = counts
    return { reasons, possible, counts: scope === undefined ? always : { ...always, written } } satisfies SkippedLeads
  }, Effect.orDie)
})
