// layers/generator/builtin/Material.ts: what a campaign has to say, sorted into pieces that fit the slots of an email.
import { memoize } from "effect/Function"
import type { Campaign, Choice, OptionDraft } from "#layers/Generator.ts"
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { calm, capitalized, lowerFirst, namesIn } from "#layers/generator/builtin/grammar/Capitals.ts"
import { phrase } from "#layers/generator/builtin/grammar/Phrases.ts"
import { pieces, unfilled } from "#layers/generator/builtin/grammar/Pieces.ts"
import { isPast } from "#layers/generator/builtin/grammar/Verbs.ts"
import { describe, hows } from "#layers/generator/builtin/material/Descriptions.ts"
import { type Doubt, doubts } from "#layers/generator/builtin/material/Doubts.ts"
import { type Offer, offer } from "#layers/generator/builtin/material/Offers.ts"
import { gains, promises } from "#layers/generator/builtin/material/Promises.ts"
import { marks, proofSentences } from "#layers/generator/builtin/material/Proofs.ts"
import { people, type Trouble, trouble } from "#layers/generator/builtin/material/Troubles.ts"
import { campaignFacts } from "#layers/generator/rules/CampaignFacts.ts"
import { companyName } from "#layers/text/Names.ts"
import { content, wordCount, words } from "#layers/text/Words.ts"
import type { Details } from "#schema/Details.ts"

/** A full sentence, and what it speaks of. */
export interface Statement {
  readonly text: string
  readonly stems: ReadonlySet<string>
  /** What it was made from; of one case there may be several statements. */
  readonly source: string
}

export interface Material {
  readonly our: string | undefined
  readonly troubles: ReadonlyArray<Trouble>
  readonly frustrations: ReadonlyArray<string>
  readonly does: ReadonlyArray<Statement>
  readonly gains: ReadonlyArray<Statement>
  readonly proofs: ReadonlyArray<Statement>
  /** What vouches for us without being anybody's result: certificates, years, counts. */
  readonly marks: ReadonlyArray<string>
  readonly risks: ReadonlyArray<string>
  readonly offers: ReadonlyArray<Offer>
  readonly triggers: ReadonlyArray<string>
  readonly doubts: ReadonlyArray<Doubt>
  readonly topics: ReadonlyArray<string>
  /** What the business as a whole is about. */
  readonly trade: ReadonlyArray<string>
}

const statement = (text: string, source = text): Statement => ({
  text,
  stems: content(words(text.toLowerCase())),
  source
})

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(texts.map((text) => [text.toLowerCase(), text])).values()
]

const saidOf = ({ description, name }: OptionDraft): string => (description.trim() === "" ? name : description)

/** Options that were chosen, or else what the profile has. An empty choice chooses nothing. */
const chosen = (choice: Choice | null, profile: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  choice !== null && choice.items.length > 0 ? choice.items.map(saidOf) : (profile ?? [])

/** Every proper name in the prose of a profile. */
const profileNames = (profile: Details): ReadonlySet<string> => {
  const prose = [
    profile.business_description,
    profile.problems_solved,
    profile.client_transformation,
    profile.ideal_client_description,
    profile.pain_points,
    profile.solution_triggers,
    profile.competitor_frustrations,
    profile.unique_differentiators,
    profile.objections_and_responses,
    profile.additional_info,
    ...(profile.case_studies ?? []),
    ...(profile.credibility_markers ?? [])
  ]
  const names = new Set<string>()
  for (const text of prose) for (const name of namesIn(text ?? "")) names.add(name)
  for (const name of words(`${profile.company_name ?? ""} ${profile.contact_name ?? ""}`)) names.add(name)
  // What is also written small is no name: "Freight" of a company's name, say.
  for (const word of words(prose.join(" "))) if (/^\p{Ll}/u.test(word)) names.delete(capitalized(word))
  return names
}

/** Who speaks: what our company is called, what keeps its capital, and what may be said at all. */
interface Voice {
  readonly our: string
  readonly names: ReadonlySet<string>
  /** A competitor's name may stand in any field; no email repeats it. */
  readonly allowed: (text: string) => boolean
}

const troublesOf = (profile: Details, { allowed, names, our }: Voice): ReadonlyArray<Trouble> => {
  const said = [...pieces(profile.pain_points), ...pieces(profile.problems_solved)].filter(allowed)
  return unique(said).flatMap((piece) => trouble(piece, our, names) ?? [])
}

/** A trouble that is a list of three reads like one, so it comes in only where there is little else. */
const plainerOf = (troubles: ReadonlyArray<Trouble>): ReadonlyArray<Trouble> => {
  const plainer = troubles.filter(({ text }) => !/, [^,]+ (?:and|or) /.test(text))
  return plainer.length > 2 ? plainer : troubles
}

const frustrationsOf = (profile: Details, { allowed, names, our }: Voice): ReadonlyArray<string> =>
  pieces(profile.competitor_frustrations)
    .filter(allowed)
    .flatMap((piece) => {
      const { count, kind, text } = phrase(piece, our, names)
      return kind === "clause" && count <= 20 ? [`${capitalized(text)}.`] : []
    })

/** Products by names short enough to be said in a sentence. */
const productsOf = (profile: Details, { names }: Voice): ReadonlyArray<string> =>
  (profile.core_products ?? [])
    .map(({ product }) => calm(product.trim(), names))
    .filter((name) => name !== "" && !unfilled.test(name) && wordCount(name) <= 4 && /^[\p{L}\d &'-]+$/u.test(name))

const describedOf = (profile: Details, { names, our }: Voice) => {
  const solved = pieces(profile.problems_solved).filter((piece) => /^we\b/i.test(piece))
  const said = [profile.business_description ?? "", ...solved.map((piece) => `${piece}.`)]
  return describe(said.join("\n"), our, names)
}

const doesOf = (
  profile: Details,
  does: ReadonlyArray<string>,
  [first]: ReadonlyArray<string>,
  { names, our }: Voice
): ReadonlyArray<string> => {
  if (does.length > 0) return does
  return first === undefined ? hows(profile.business_description, our, names) : [`We offer ${withArticle(first)}.`]
}

const markForm =
  /(?:certified|accredited|regulated|licensed|approved)$|^(?:trusted|used|rated|ranked|certified|accredited|members? of|family|in business|since|founded)\b/i

/** What proves us: results of clients, and what vouches for us without being anybody's result. */
const provingOf = ({ profile, social_proof }: Campaign, { allowed, names, our }: Voice) => {
  const markers = profile.credibility_markers ?? []
  const proving = [...chosen(social_proof, profile.case_studies), ...(social_proof === null ? markers : [])]
  const known = new Set(markers.map((text) => text.trim()))
  const isMark = (text: string) => known.has(text.trim()) || markForm.test(text.trim())
  return {
    proofs: proving
      .filter((text) => !isMark(text))
      .flatMap((text) =>
        unique(proofSentences(text, names).filter(allowed)).map((sentence) => statement(sentence, text))
      ),
    marks: unique(
      proving
        .filter(isMark)
        .flatMap((text) => marks(text, our, names))
        .filter(allowed)
    )
  }
}

/** What makes clients look for help, where it is a thing that there can be: "a failed inspection". */
const triggersOf = (profile: Details, { allowed, names, our }: Voice): ReadonlyArray<string> =>
  pieces(profile.solution_triggers)
    .filter(allowed)
    .flatMap((piece) => {
      const { count, kind, text } = phrase(piece, our, names)
      const said = withArticle(lowerFirst(text, names))
      const isThing = kind === "thing" && count <= 8 && /^(?:a|an|the) /.test(said)
      return isThing && !isPast(said.slice(said.lastIndexOf(" ") + 1)) ? [said] : []
    })

/** "On rota planner" is no English: what needs an article is not named. */
const isTopic = (text: string): boolean =>
  wordCount(text) <= 3 && text.length <= 30 && !people.test(text) && withArticle(text) === text

/** Sorted once for a campaign, and kept as long as the campaign object is. */
export const materialOf = memoize((campaign: Campaign): Material => {
  const { profile } = campaign
  const our = companyName(profile.company_name)
  const { rivals } = campaignFacts(campaign)
  const voice: Voice = {
    our: our ?? "",
    names: profileNames(profile),
    allowed: (text) => !rivals.some((rival) => text.toLowerCase().includes(rival))
  }
  const { allowed, names } = voice
  const troubles = troublesOf(profile, voice)
  const { does, topics } = describedOf(profile, voice)
  const products = productsOf(profile, voice)
  const values = (campaign.value_proposition?.items ?? []).map(saidOf)
  return {
    our,
    troubles: plainerOf(troubles),
    frustrations: frustrationsOf(profile, voice),
    does: unique(doesOf(profile, does, products, voice).filter(allowed)).map((text) => statement(text)),
    gains: unique(
      gains(values, profile.client_transformation, profile.unique_differentiators, voice.our, names).filter(allowed)
    ).map((text) => statement(text)),
    ...provingOf(campaign, voice),
    risks: unique(
      chosen(campaign.risk_reversal, profile.guarantee)
        .flatMap((text) => promises(text, voice.our, names))
        .filter(allowed)
    ),
    offers: chosen(campaign.lead_magnet, profile.lead_magnets)
      .filter(allowed)
      .flatMap((text) => offer(text, names) ?? []),
    triggers: triggersOf(profile, voice),
    doubts: doubts(profile.objections_and_responses, names).filter(({ answer, worry }) =>
      allowed(`${worry} ${answer}`)
    ),
    trade: topics.filter(isTopic),
    topics: unique(
      [...topics, ...troubles.flatMap(({ topic }) => topic ?? []), ...(topics.length === 0 ? products : [])].filter(
        isTopic
      )
    )
  }
})

/** Nothing to say but what the writer's own words say: for a profile that no rule lets through. */
export const silence: Material = {
  our: undefined,
  troubles: [],
  frustrations: [],
  does: [],
  gains: [],
  proofs: [],
  marks: [],
  risks: [],
  offers: [],
  triggers: [],
  doubts: [],
  topics: [],
  trade: []
}
