// scripts/eval/Trial.ts: one profile tried with every set of leads.
import { Effect, Result } from "effect"
import { judge } from "#layers/generator/Checker.ts"
import { diversity, type Diversity } from "#layers/generator/rules/Across.ts"
import { grade } from "#layers/generator/rules/Length.ts"
import { type Campaign, type Choice, Generator, type Judged } from "#layers/Generator.ts"
import { type Details, type DetailsPatch, noDetails } from "#schema/Details.ts"
import { type Faults, faultsOf } from "./Measure.ts"
import type { LeadSet, Named, Tried } from "./Sets.ts"

const approved_ctas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]
const email_count = 3

export interface TriedLead {
  readonly set: string
  readonly tried: Tried
  /** Why nothing was written, where nothing was. */
  readonly failure: string | undefined
  readonly emails: ReadonlyArray<Judged & { readonly grade: number }>
  readonly faults: Faults
}

export interface Trial {
  readonly name: string
  readonly leads: ReadonlyArray<TriedLead>
  /** Of the first emails of each set that is long enough for one. */
  readonly likeness: ReadonlyArray<Named<Diversity>>
}

const choice = (items: Choice["items"]): Choice => ({ items: items.slice(0, 3), additional_details: null })

/** A campaign with the first segment and the first options that the writer itself proposes. */
const campaignOf = Effect.fnUntraced(function* (details: Details) {
  const writer = yield* Generator
  const [audience] = yield* writer.segments(details)
  if (audience === undefined) return yield* Effect.die(new Error("The writer proposes no segment"))
  const chosen: Campaign = {
    profile: details,
    audience,
    social_proof: choice(yield* writer.options(details, "social_proof")),
    lead_magnet: choice(yield* writer.options(details, "lead_magnet")),
    risk_reversal: choice(yield* writer.options(details, "risk_reversal")),
    value_proposition: null
  }
  const campaign = { ...chosen, value_proposition: choice(yield* writer.valuePropositions(chosen)) }
  return { campaign, instructions: yield* writer.emailInstructions(campaign) }
})

export const trial = Effect.fnUntraced(function* (
  { name, value: patch }: Named<DetailsPatch>,
  sets: ReadonlyArray<Named<LeadSet>>,
  concurrency: number
) {
  const writer = yield* Generator
  const profile: Details = { ...noDetails, ...patch }
  const { campaign, instructions } = yield* campaignOf(profile)

  const write = Effect.fnUntraced(function* (set: string, tried: Tried, at: number) {
    const { lead } = tried
    const written = yield* Effect.result(
      writer.sequence({
        campaign,
        instructions,
        lead,
        facts: [],
        email_count,
        additional_details: null,
        approved_ctas,
        seed: `${name}:${set}:${at}`
      })
    )
    const emails = Result.isSuccess(written) ? written.success : []
    const { lead: facts, view } = judge({ campaign, lead, approved_ctas })
    return {
      set,
      tried,
      failure: Result.isFailure(written) ? written.failure.message : undefined,
      emails: emails.map((email) => ({ ...email, grade: grade({ email: view(email), lead: facts }) })),
      faults: faultsOf(profile, tried, emails)
    }
  })
  const leads = yield* Effect.forEach(
    sets.flatMap(({ name: set, value }) => value.leads.map((tried, at) => ({ set, tried, at }))),
    ({ at, set, tried }) => write(set, tried, at),
    { concurrency }
  )
  const likeness = sets.map((set) => ({
    name: set.name,
    value: diversity(leads.filter((lead) => lead.set === set.name).flatMap(({ emails }) => emails.slice(0, 1)))
  }))
  return { name, leads, likeness } satisfies Trial
})
