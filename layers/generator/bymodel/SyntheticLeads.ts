// layers/generator/bymodel/SyntheticLeads.ts: checks the synthetic leads that a model proposes.
import type { SyntheticLead } from "#layers/Generator.ts"
import { bare, whereabouts } from "#layers/generator/builtin/Synthetic.ts"
import type { SyntheticLeads } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import { distinct } from "#layers/generator/bymodel/Proposals.ts"
import { line } from "#layers/generator/bymodel/Typed.ts"
import type { Judgement } from "#layers/Model.ts"
import type { SourceFacts } from "#layers/model/SourceFacts.ts"

/** The usable leads, filled up with `others` if there are too few. */
export const judge =
  (real: SourceFacts, count: number, others: () => ReadonlyArray<SyntheticLead>) =>
  ({ leads }: SyntheticLeads): Judgement<ReadonlyArray<SyntheticLead>> => {
    const made = leads.map((lead) => ({
      first_name: line(lead.first_name),
      last_name: line(lead.last_name),
      title: line(lead.title),
      company: line(lead.company),
      ...whereabouts(lead.first_name, lead.last_name, lead.company),
      industry: line(lead.industry),
      company_size: line(lead.company_size),
      location: line(lead.location)
    }))
    const usable = made.filter(
      ({ company, first_name, last_name }) =>
        [first_name, last_name, company].every((name) => bare(name) !== "") &&
        !real.text.includes(company.toLowerCase())
    )
    const ofOneEach = distinct(usable, ({ company_website }) => company_website)
    const unlike = distinct(ofOneEach, ({ email }) => email)
    const enough = unlike.length >= count
    return {
      value: [...unlike, ...others()].slice(0, count),
      worth: unlike.length,
      passes: enough ? 0 : 2,
      faults: enough ? [] : [`Make up ${count} people, all of different names and companies that do not exist.`],
      error: "The model made up nobody who can be used"
    }
  }
