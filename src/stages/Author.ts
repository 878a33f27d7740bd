// src/stages/Author.ts: what is written to one lead of a list, and what it rests on.
import { Effect } from "effect"
import { Enrichment } from "#layers/Enrichment.ts"
import { provenance } from "#layers/generator/Provenance.ts"
import { type Brief, type Draft, Generator, type Taken } from "#layers/Generator.ts"
import type { Claim } from "#layers/Jobs.ts"
import type { Written } from "#layers/lists/Lead.ts"
import type { Briefing } from "#layers/lists/Briefings.ts"
import { Occasion } from "#layers/ModelCalls.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"

/** The emails as they are sent, each with the signature under it. */
export const signed = (drafts: ReadonlyArray<Draft>, signature: string): Sequence =>
  drafts.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))

/** What is asked of the writer for one lead. */
export const briefOf = (
  {
    campaign,
    instructions,
    playbook,
    writing
  }: Pick<Brief, "campaign" | "instructions" | "playbook"> & {
    readonly writing: Pick<Brief, "additional_details" | "approved_ctas" | "email_count">
  },
  lead: Pick<Brief, "facts" | "lead" | "seed" | "taken">
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

  /** With `taken` for a lead that is written to once more. */
  return Effect.fnUntraced(function* (
    claim: Claim,
    briefing: Briefing,
    to: Lead & { readonly id: string; readonly position: number },
    taken?: Taken
  ) {
    const place = { workspace: claim.workspace_id, list: claim.subject }
    const { writing } = briefing
    const { facts, lead } = writing.enriched ? yield* enrichment.enrich(place, to) : { facts: [], lead: to }
    const seed = `${claim.subject}:${to.position}${taken === undefined ? "" : ":again"}`
    const brief = briefOf(briefing, { lead, facts, seed, taken })
    const occasion = { workspace: claim.workspace_id, kind: "lead", subject: to.id }
    const judged = yield* Effect.provideService(generator.sequence(brief), Occasion, occasion)
    let restsOn: ReturnType<typeof provenance> | undefined
    const written: Written = {
      sequence: signed(judged, writing.signature),
      judged: judged.map((email) => ({ ...email, sources: email.sources ?? (restsOn ??= provenance(brief))(email) })),
      facts
    }
    return written
  })
})
