// layers/generator/bymodel/JudgeProposals.ts: checks the options, segments and people that a model proposes, and drops
// those without a source.
import type { OptionDraft, SyntheticLead } from "#layers/generator/Brief.ts"
import { asciiSlug, contactDetails } from "#layers/generator/builtin/Synthetic.ts"
import type { Options } from "#layers/generator/bymodel/prompts/Options.ts"
import type { Segments } from "#layers/generator/bymodel/prompts/Segments.ts"
import type { SyntheticLeads } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import { cleanLine, cleanPassage } from "#layers/generator/bymodel/CleanText.ts"
import type { Judgement } from "#layers/Model.ts"
import {
  listFaults,
  type SourceFacts,
  occursIn,
  removeUnsupported,
  unsupportedClaims
} from "#layers/model/SourceFacts.ts"
import type { Segment } from "#schema/Audiences.ts"

/** The first item of each key. */
const firstPerKey = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> =>
  [...new Map([...items].reverse().map((item) => [key(item).toLowerCase(), item])).values()].reverse()

/** The supported proposals; if there are too few, items made without a model are added. */
const supportedProposals = <A>(
  proposals: ReadonlyArray<{ readonly item: A | undefined; readonly unsupported: ReadonlyArray<string> }>,
  key: (item: A) => string,
  count: number,
  fallback: () => ReadonlyArray<A>
): Judgement<ReadonlyArray<A>> => {
  const items = firstPerKey(
    proposals.flatMap(({ item }) => (item === undefined ? [] : [item])),
    key
  )
  const unsupportedTexts = proposals.flatMap((proposal) => proposal.unsupported)
  const countFaults =
    items.length >= count ? [] : [`Name at least ${count}, each with the sentence of the material that supports it.`]
  return {
    value: countFaults.length === 0 ? items : firstPerKey([...items, ...fallback()], key),
    worth: items.length - unsupportedTexts.length,
    passes: unsupportedTexts.length + countFaults.length === 0 ? 0 : 2,
    faults: [...listFaults(unsupportedTexts), ...countFaults],
    error: "The model proposed nothing that can be used"
  }
}

export const judgeOptions =
  (source: SourceFacts, minCount: number, fallback: () => ReadonlyArray<OptionDraft>) =>
  ({ options }: Options) => {
    const proposals = options.map(({ description, name, sentence }) => {
      const item = {
        name: cleanLine(name),
        description: cleanPassage(description),
        sentence: cleanLine(sentence, 2000)
      }
      const unknownClaims = unsupportedClaims(`${item.name}\n${item.description}`, source)
      const unsupported = occursIn(sentence, source) ? unknownClaims : [...unknownClaims, sentence]
      const isComplete = item.name !== "" && item.description !== "" && unsupported.length === 0
      return { item: isComplete ? item : undefined, unsupported }
    })
    return supportedProposals(proposals, ({ name }) => name, minCount, fallback)
  }

export const judgeSegments =
  (source: SourceFacts, minCount: number, fallback: () => ReadonlyArray<Segment>) =>
  ({ segments }: Segments) => {
    const keepSupported = (text: string) => (unsupportedClaims(text, source).length === 0 ? cleanLine(text) : "")
    const proposals = segments.map((segment) => {
      const item: Segment = {
        segment_name: keepSupported(segment.segment_name),
        industry_vertical: keepSupported(segment.industry_vertical),
        company_size: keepSupported(segment.company_size),
        annual_revenue: keepSupported(segment.annual_revenue),
        geographic_location: keepSupported(segment.geographic_location),
        decision_makers: segment.decision_makers.map(keepSupported).filter((decisionMaker) => decisionMaker !== ""),
        additional_details: removeUnsupported(cleanPassage(segment.additional_details), source) || null
      }
      const unsupported = Object.values(segment)
        .flat()
        .flatMap((text) => unsupportedClaims(text, source))
      const isNamed = occursIn(segment.sentence, source)
      return {
        item: item.segment_name === "" || !isNamed ? undefined : item,
        unsupported: isNamed ? unsupported : [...unsupported, segment.sentence]
      }
    })
    return supportedProposals(proposals, ({ segment_name }) => segment_name, minCount, fallback)
  }

/** Returns the requested number of people; `fillers` replace those that cannot be used. */
export const judgeSyntheticLeads =
  (realFacts: SourceFacts, count: number, fillers: () => ReadonlyArray<SyntheticLead>) =>
  ({ leads }: SyntheticLeads): Judgement<ReadonlyArray<SyntheticLead>> => {
    const cleanLeads = leads.map((lead) => ({
      first_name: cleanLine(lead.first_name),
      last_name: cleanLine(lead.last_name),
      title: cleanLine(lead.title),
      company: cleanLine(lead.company),
      ...contactDetails(lead.first_name, lead.last_name, lead.company),
      industry: cleanLine(lead.industry),
      company_size: cleanLine(lead.company_size),
      location: cleanLine(lead.location)
    }))
    const usableLeads = cleanLeads.filter(
      ({ company, first_name, last_name }) =>
        [first_name, last_name, company].every((name) => asciiSlug(name) !== "") &&
        !realFacts.text.includes(company.toLowerCase())
    )
    const uniqueCompanies = firstPerKey(usableLeads, ({ company_website }) => company_website)
    const uniquePeople = firstPerKey(uniqueCompanies, ({ email }) => email)
    const hasEnough = uniquePeople.length >= count
    return {
      value: [...uniquePeople, ...fillers()].slice(0, count),
      worth: uniquePeople.length,
      passes: hasEnough ? 0 : 2,
      faults: hasEnough ? [] : [`Make up ${count} people, all of different names and companies that do not exist.`],
      error: "The model made up no person that can be used"
    }
  }
