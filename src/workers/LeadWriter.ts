// src/workers/LeadWriter.ts: writes the emails to one lead of a list.
import { Effect, Schema } from "effect"
import { memoize } from "effect/Function"
import { Enrichment } from "#layers/Enrichment.ts"
import { findKnownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { type Campaign, Generator } from "#layers/Generator.ts"
import { leadBrief, appendSignature } from "#layers/generation/WritingSettings.ts"
import type { Claim } from "#layers/Queue.ts"
import type { WrittenEmails } from "#layers/lists/LeadColumns.ts"
import type { BatchBrief } from "#layers/lists/Batches.ts"
import { Occasion } from "#layers/model/ModelCalls.ts"
import type { Lead } from "#schema/Lead.ts"

/** The lead is at a client, a competitor or the sender's own company, and such leads were not requested. */
export class LeadSkipped extends Schema.TaggedError<LeadSkipped>()("LeadSkipped", { reason: Schema.String }) {}

/** The selected social proof. Memoized, because the names in it are cached by array identity. */
const socialProofTexts = memoize((campaign: Campaign) =>
  (campaign.social_proof?.items ?? []).map(({ description }) => description)
)

export const makeLeadWriter = Effect.gen(function* () {
  const enrichment = yield* Enrichment
  const generator = yield* Generator

  return Effect.fnUntraced(function* (
    claim: Claim,
    briefing: BatchBrief,
    to: Lead & { readonly id: string; readonly position: number }
  ) {
    const { campaign, playbook, writing } = briefing
    const known =
      writing.include_clients === false ? findKnownCompany(to, campaign.profile, socialProofTexts(campaign)) : null
    if (known !== null) return yield* new LeadSkipped({ reason: known.reason })
    const place = { workspace: claim.workspace_id, list: claim.subject }
    const { facts, lead } = writing.enriched ? yield* enrichment.enrich(place, to) : { facts: [], lead: to }
    const brief = leadBrief(briefing, { lead, facts, seed: `${claim.subject}:${to.position}` })
    const occasion = { workspace: claim.workspace_id, kind: "lead", subject: to.id }
    const judged = yield* Effect.provideService(generator.sequence(brief), Occasion, occasion)
    const written: WrittenEmails = {
      sequence: appendSignature(judged, writing.signature),
      judged,
      playbook_version: playbook.version,
      facts
    }
    return written
  })
})
