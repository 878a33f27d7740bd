// layers/generator/ByModel.ts: the writer that asks a model, and lets nothing pass that nobody supplied.
import { Effect } from "effect"
import { knowledgeBase } from "#layers/generator/builtin/Documents.ts"
import { options as supplied, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { bare, syntheticLeads, whereabouts } from "#layers/generator/builtin/Synthetic.ts"
import { evidenceOf, judge } from "#layers/generator/Checker.ts"
import { decided, orderOf } from "#layers/generator/bymodel/Order.ts"
import { distinct, proposals } from "#layers/generator/bymodel/Proposals.ts"
import { review } from "#layers/generator/bymodel/Review.ts"
import { instructions } from "#layers/generator/Rules.ts"
import { type Campaign, Generator, type OptionDraft } from "#layers/Generator.ts"
import type { Material, Model } from "#layers/Model.ts"
import { known, strangers, supported } from "#layers/model/Known.ts"
import { visible } from "#layers/model/Fence.ts"
import { audienceResearch } from "#layers/generator/bymodel/prompts/AudienceResearch.ts"
import { companySummary } from "#layers/generator/bymodel/prompts/CompanySummary.ts"
import { judge as judgeDocument } from "#layers/generator/bymodel/Documents.ts"
import { emailInstructions } from "#layers/generator/bymodel/prompts/EmailInstructions.ts"
import { marketResearch } from "#layers/generator/bymodel/prompts/MarketResearch.ts"
import { optionPrompts } from "#layers/generator/bymodel/prompts/Options.ts"
import { segments as segmentsPrompt } from "#layers/generator/bymodel/prompts/Segments.ts"
import { syntheticLeads as leadsPrompt } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import type { AssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

/** As many as there are to choose from at least. */
const least = 3
const most = { line: 200, description: 2000 }

const line = (text: string, longest = most.line) => visible(text, longest).replace(/\s+/g, " ").trim()

const title = ({ company_name }: Details) => company_name?.trim() || "This business"
const nameOf = ({ segment_name }: Segment) => segment_name.trim() || "Audience"

/** As typed by hand: what a keyboard has no key for says nothing more to a reader. */
const typed = (text: string): string =>
  visible(text, 8000)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2026/g, "...")
    .replace(/(?<=\d)\s*[\u2013\u2014]\s*(?=\d)/g, "-")
    .replace(/\s*[\u2013\u2014]\s*/g, " - ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

export const make = (model: Model): Generator["Service"] => {
  const written = (prompt: typeof companySummary, name: string, shared: Material) =>
    model.write({ prompt, shared, own: {}, request: "Write the document." }, judgeDocument(name, known(shared)))

  const proposed = (type: AssetType, shared: Material, count: number, fallback: () => ReadonlyArray<OptionDraft>) => {
    const source = known(shared)
    return model.write({ prompt: optionPrompts[type], shared, own: {}, request: "List the options." }, ({ options }) =>
      proposals(
        options.map(({ description, name }) => {
          const option = { name: line(name), description: visible(description, most.description).trim() }
          const found = strangers(`${option.name}\n${option.description}`, source)
          const whole = option.name !== "" && option.description !== "" && found.length === 0
          return { item: whole ? option : undefined, found }
        }),
        ({ name }) => name,
        count,
        fallback
      )
    )
  }

  return Generator.of({
    companySummary: (profile) => written(companySummary, title(profile), { profile }),
    marketResearch: (profile) => written(marketResearch, `The market of ${title(profile)}`, { profile }),
    audienceResearch: (profile, audience) => written(audienceResearch, nameOf(audience), { profile, audience }),
    emailInstructions: (campaign) =>
      Effect.map(
        written(emailInstructions, `How ${title(campaign.profile)} writes to ${nameOf(campaign.audience)}`, {
          campaign: decided(campaign)
        }),
        (document) => `${document}\n\n${instructions()}`
      ),
    knowledgeBase: (campaign) => Effect.sync(() => knowledgeBase(campaign)),

    segments: (profile) => {
      const shared = { profile }
      const source = known(shared)
      return model.write({ prompt: segmentsPrompt, shared, own: {}, request: "Name the segments." }, (answer) =>
        proposals(
          answer.segments.map((segment) => {
            const found = Object.values(segment)
              .flat()
              .flatMap((text) => strangers(text, source))
            const fact = (text: string) => (strangers(text, source).length === 0 ? line(text) : "")
            const item: Segment = {
              segment_name: fact(segment.segment_name),
              industry_vertical: fact(segment.industry_vertical),
              company_size: fact(segment.company_size),
              annual_revenue: fact(segment.annual_revenue),
              geographic_location: fact(segment.geographic_location),
              decision_makers: segment.decision_makers.map(fact).filter((who) => who !== ""),
              additional_details: supported(visible(segment.additional_details, most.description), source) || null
            }
            return { item: item.segment_name === "" ? undefined : item, found }
          }),
          ({ segment_name }) => segment_name,
          least,
          () => segments(profile)
        )
      )
    },

    options: (profile, type) =>
      // Who has nothing to bring forward cannot be helped by another's words.
      Effect.suspend(() =>
        supplied(profile, type).length === 0
          ? Effect.succeed([])
          : proposed(type, { profile }, 1, () => supplied(profile, type))
      ),

    valuePropositions: (campaign) =>
      // What is proposed must not rest on what was proposed before.
      proposed("value_proposition", { campaign: decided({ ...campaign, value_proposition: null }) }, least, () =>
        valuePropositions(campaign)
      ),

    syntheticLeads: (campaign: Campaign, count, seed) => {
      const { audience, profile } = campaign
      const real = known({ profile })
      const order = {
        prompt: leadsPrompt,
        shared: {
          audience,
          our_company: profile.company_name,
          not_to_be_named: [profile.competitors, profile.case_studies]
        },
        own: {},
        request: `Make up ${count} people.`
      }
      return model.write(order, ({ leads }) => {
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
        const unlike = distinct(
          distinct(usable, ({ company_website }) => company_website),
          ({ email }) => email
        )
        const enough = unlike.length >= count
        return {
          value: [...unlike, ...syntheticLeads(campaign, count, seed)].slice(0, count),
          worth: unlike.length,
          passes: enough ? 0 : 2,
          faults: enough ? [] : [`Make up ${count} people, all of different names and companies that do not exist.`],
          error: "The model made up nobody who can be used"
        }
      })
    },

    sequence: (brief) =>
      Effect.suspend(() => {
        const judged = judge(evidenceOf(brief))
        return model.write(orderOf(brief, judged), ({ emails }) =>
          review(
            emails.map(({ body, subject }) => ({ subject: line(typed(subject), 300), body: typed(body) })),
            brief.email_count,
            judged
          )
        )
      })
  })
}
