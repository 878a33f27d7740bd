// layers/generator/bymodel/Order.ts: what a model is given to write to one reader.
import { Equal } from "effect"
import type { Brief, Campaign, Taken } from "#layers/Generator.ts"
import { approvedAsks } from "#layers/generator/Asks.ts"
import { sequence } from "#layers/generator/bymodel/prompts/Sequence.ts"
import type { Judge } from "#layers/generator/Checker.ts"
import { plan, type Step } from "#layers/generator/Plan.ts"
import { instructions } from "#layers/generator/Rules.ts"
import type { Material } from "#layers/Model.ts"
import { known, type Known, strangers } from "#layers/model/Known.ts"

/** What was decided before what there was to choose from: should a profile be too long, its end is what is cut. */
export const decided = ({ profile, ...rest }: Campaign) => ({ ...rest, profile })

const angles: { readonly [A in Step["angle"]]: string } = {
  time: "the time and trouble that the matter costs them",
  resource: "something that helps them, given away",
  money: "the money that it makes or saves",
  goodbye: "a short goodbye that leaves the door open"
}

/** As many of the commonest openings and subjects as a model is told. */
const told = 40

/** The openings and subjects of others; a figure or an address of theirs is nothing that this reader's email could hold. */
const takenOf = ({ openings, subjects }: Taken, source: Known) => {
  const usable = (texts: ReadonlyArray<string>) =>
    texts.filter((text) => strangers(text, source).length === 0).slice(0, told)
  return { openings: usable(openings), subjects: usable(subjects) }
}

const toldByThePrompt = instructions()

type Common = Pick<Brief, "additional_details" | "approved_ctas" | "email_count" | "instructions">

/** By campaign, of its last brief: lead after lead has the same. */
const latest = new WeakMap<Campaign, { readonly of: Common; readonly material: Material }>()

/** What the emails of one list have in common. */
const commonOf = (brief: Brief): Material => {
  const { additional_details, approved_ctas, campaign, email_count, instructions: written } = brief
  const before = latest.get(campaign)
  const isSame =
    before?.of.instructions === written &&
    before.of.email_count === email_count &&
    before.of.additional_details === additional_details &&
    Equal.equals(before.of.approved_ctas, approved_ctas)
  if (isSame) return before.material
  const steps = plan(email_count, approvedAsks(approved_ctas))
  const material = {
    campaign: decided(campaign),
    // The rules are told by the prompt itself.
    instructions: written.replace(toldByThePrompt, "").trim(),
    remarks: additional_details,
    plan: steps.map(({ angle, ask }, at) => ({ email: at + 1, angle: angles[angle], ask }))
  }
  latest.set(campaign, { of: { additional_details, approved_ctas, email_count, instructions: written }, material })
  return material
}

/** What the emails of one list have in common; then what this one reader has. */
export const orderOf = (brief: Brief, { lead }: Judge) => {
  const { email_count } = brief
  const shared = commonOf(brief)
  const reader = {
    greet_as: lead.first,
    title: brief.lead.title,
    company: lead.company,
    company_website: brief.lead.company_website,
    found_on_their_site: brief.facts.map(({ statement }) => statement)
  }
  const emails = email_count === 1 ? "the email" : `the ${email_count} emails`
  const request = `Write ${emails} of the plan to the reader.`
  if (brief.taken === undefined) return { prompt: sequence, shared, own: { reader }, request }
  return {
    prompt: sequence,
    shared,
    own: { reader, taken: takenOf(brief.taken, known({ shared, reader })) },
    request: `${request} Others have the openings and subjects under "taken" already: begin email 1 with other words, say the matter in another way, and give it another subject.`
  }
}
