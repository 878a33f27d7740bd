// layers/generator/builtin/Material.ts: what a campaign has to say, sorted into pieces that fit the slots of an email.
import { describe, hows } from "#layers/generator/builtin/Claims.ts"
import { type Doubt, doubts, gains, marks, promises, proofSentences } from "#layers/generator/builtin/Facts.ts"
import { type Offer, offer } from "#layers/generator/builtin/Offers.ts"
import { calm, lowerFirst, namesIn, phrase, pieces, unfilled, withArticle } from "#layers/generator/builtin/Phrases.ts"
import { people, type Trouble, trouble } from "#layers/generator/builtin/Troubles.ts"
import { isPast } from "#layers/generator/builtin/Verbs.ts"
import type { Campaign, Choice } from "#layers/Generator.ts"
import { companyName } from "#layers/generator/Names.ts"
import { prepare } from "#layers/generator/rules/Ground.ts"
import { content, words } from "#layers/text/Text.ts"
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

/** Options that were chosen, or else what the profile has. An empty choice chooses nothing. */
const chosen = (choice: Choice | null, profile: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  choice !== null && choice.items.length > 0
    ? choice.items.map(({ description, name }) => (description.trim() === "" ? name : description))
    : (profile ?? [])

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
  for (const word of words(prose.join(" ")))
    if (/^\p{Ll}/u.test(word)) names.delete(`${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return names
}

const markForm =
  /(?:certified|accredited|regulated|licensed|approved)$|^(?:trusted|used|rated|ranked|certified|accredited|members? of|family|in business|since|founded)\b/i

const build = (campaign: Campaign): Material => {
  const { profile } = campaign
  const ours = companyName(profile.company_name)
  const our = ours ?? ""
  const names = profileNames(profile)
  const { rivals } = prepare(campaign)
  // A competitor's name may stand in any field; no email repeats it.
  const allowed = (text: string) => !rivals.some((rival) => text.toLowerCase().includes(rival))
  const troubles = unique([...pieces(profile.pain_points), ...pieces(profile.problems_solved)].filter(allowed)).flatMap(
    (piece) => trouble(piece, our, names) ?? []
  )
  const solved = pieces(profile.problems_solved).filter((piece) => /^we\b/i.test(piece))
  const described = describe(
    [profile.business_description ?? "", ...solved.map((each) => `${each}.`)].join("\n"),
    our,
    names
  )
  const { topics: named } = described
  const products = (profile.core_products ?? []).flatMap(({ product }) => {
    const name = calm(product.trim(), names)
    return name !== "" && !unfilled.test(name) && words(name).length <= 4 && /^[\p{L}\d &'-]+$/u.test(name)
      ? [name]
      : []
  })
  const first = products[0]
  const does = described.does.length > 0 || first === undefined ? described.does : [`We offer ${withArticle(first)}.`]
  const values = (campaign.value_proposition?.items ?? []).map(({ description, name }) =>
    description.trim() === "" ? name : description
  )
  // "On rota planner" is no English: what needs an article is not named.
  const isTopic = (text: string) =>
    words(text).length <= 3 && text.length <= 30 && !people.test(text) && withArticle(text) === text
  const proving = [
    ...chosen(campaign.social_proof, profile.case_studies),
    ...(campaign.social_proof === null ? (profile.credibility_markers ?? []) : [])
  ]
  const markers = new Set((profile.credibility_markers ?? []).map((text) => text.trim()))
  const isMark = (text: string) => markers.has(text.trim()) || markForm.test(text.trim())
  const cases = proving.filter((text) => !isMark(text))
  const trusted = proving.filter(isMark)
  // A trouble that is a list of three reads like one, so it comes in only where there is little else.
  const plainer = troubles.filter(({ text }) => !/, [^,]+ (?:and|or) /.test(text))
  return {
    our: ours,
    troubles: plainer.length > 2 ? plainer : troubles,
    frustrations: pieces(profile.competitor_frustrations)
      .filter(allowed)
      .flatMap((piece) => {
        const read = phrase(piece, our, names)
        return read.kind === "clause" && read.count <= 20
          ? [`${read.text.charAt(0).toUpperCase()}${read.text.slice(1)}.`]
          : []
      }),
    does: unique(
      [...does, ...(does.length === 0 ? hows(profile.business_description, our, names) : [])].filter(allowed)
    ).map((text) => statement(text)),
    gains: unique(
      gains(values, profile.client_transformation, profile.unique_differentiators, our, names).filter(allowed)
    ).map((text) => statement(text)),
    proofs: cases.flatMap((text) =>
      unique(proofSentences(text, our, names).filter(allowed)).map((sentence) => statement(sentence, text))
    ),
    marks: unique(trusted.flatMap((text) => marks(text, our, names)).filter(allowed)),
    risks: unique(
      chosen(campaign.risk_reversal, profile.guarantee)
        .flatMap((text) => promises(text, our, names))
        .filter(allowed)
    ),
    offers: chosen(campaign.lead_magnet, profile.lead_magnets).flatMap((text) =>
      allowed(text) ? (offer(text, names) ?? []) : []
    ),
    triggers: pieces(profile.solution_triggers)
      .filter(allowed)
      .flatMap((piece) => {
        const read = phrase(piece, our, names)
        const said = withArticle(lowerFirst(read.text, names))
        return read.kind === "thing" &&
          read.count <= 8 &&
          /^(?:a|an|the) /.test(said) &&
          !isPast(said.slice(said.lastIndexOf(" ") + 1))
          ? [said]
          : []
      }),
    doubts: doubts(profile.objections_and_responses, names).filter(({ answer, worry }) =>
      allowed(`${worry} ${answer}`)
    ),
    trade: named.filter(isTopic),
    topics: unique(
      [...named, ...troubles.flatMap(({ topic }) => topic ?? []), ...(named.length === 0 ? products : [])].filter(
        isTopic
      )
    )
  }
}

const materials = new WeakMap<Campaign, Material>()

/** Sorted once for a campaign, and kept as long as the campaign object is. */
export const material = (campaign: Campaign): Material => {
  const kept = materials.get(campaign)
  if (kept !== undefined) return kept
  const sorted = build(campaign)
  materials.set(campaign, sorted)
  return sorted
}

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
