// src/workers/Author.ts: writes the emails to one lead of a list.
import { Effect, Schema } from "effect"
import { memoize } from "effect/Function"
import { Enrichment } from "#layers/Enrichment.ts"
import { knownCompany } from "#layers/generator/routing/KnownCompanies.ts"
import { type Brief, type Campaign, type Draft, Generator } from "#layers/Generator.ts"
import type { Claim } from "#layers/Queue.ts"
import type { Written } from "#layers/lists/Lead.ts"
import type { Briefing } from "#layers/lists/Batches.ts"
import { Occasion } from "#layers/model/ModelCalls.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"

/** The lead works at a client, a competitor or the sender's own company, and the caller did not ask for such leads. */
export class LeadSkipped extends Schema.TaggedError<LeadSkipped>()("LeadSkipped", { reason: Schema.String }) {}

/** The texts of the chosen social proof. Memoized, because the names in them are cached by the array. */
const proofsOf = memoize((campaign: Campaign) =>
  (campaign.social_proof?.items ?? []).map(({ description }) => description)
)

/** The emails as they are sent, with the signature appended. */
export const signed = (drafts: ReadonlyArray<Draft>, signature: string): Sequence =>
  drafts.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))

/** The writer's input for one lead. */
export const briefOf = (
  {
    campaign,
    instructions,
    playbook,
    writing
  }: Pick<Brief, "campaign" | "instructions" | "playbook"> & {
    readonly writing: Pick<Brief, "additional_details" | "approved_ctas" | "email_count">
  },
  lead: Pick<Brief, "facts" | "lead" | "seed">
): Brief => ({
  campaign,
  instructions,
  playbook,
  email_count: writing.email_count,
  additional_details: writing.additional_details,
  approved_ctas: writing.approved_ctas,
  ...lead
})

export const author = Effect.gen(function* () {
  const enrichment = yield* Enrichment
  const generator = yield* Generator

  return Effect.fnUntraced(function* (
    claim: Claim,
    briefing: Briefing,
    to: Lead & { readonly id: string; readonly position: number }
  ) {
    const { campaign, playbook, writing } = briefing
    const known = writing.include_clients === false ? knownCompany(to, campaign.profile, proofsOf(campaign)) : null
    if (known !== null) return yield* new LeadSkipped({ reason: known.reason })
    const place = { workspace: claim.workspace_id, list: claim.subject }
    const { facts, lead } = writing.enriched ? yield* enrichment.enrich(place, to) : { facts: [], lead: to }
    const brief = briefOf(briefing, { lead, facts, seed: `${claim.subject}:${to.position}` })
    const occasion = { workspace: claim.workspace_id, kind: "lead", subject: to.id }
    const judged = yield* Effect.provideService(generator.sequence(brief), Occasion, occasion)
    const written: Written = {
      sequence: signed(judged, writing.signature),
      judged,
      playbook_version: playbook.version,
      facts
    }
    return written
  })
})
