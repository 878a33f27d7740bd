// layers/generator/rules/CampaignFacts.ts: what a campaign brings: all that its emails may say, gathered once.
import { memoize } from "effect/Function"
import type { Campaign } from "#layers/Generator.ts"
import { companyName } from "#layers/text/Names.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { bare, content, isStopWord, words } from "#layers/text/Words.ts"

export interface CampaignFacts {
  /** Lower-cased words of the profile, the audience and the choices. */
  readonly vocabulary: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  /** Everything in one lower-cased text, to look quotations up in. */
  readonly text: string
  /** Names that organisations may be called by. */
  readonly allies: ReadonlySet<string>
  /** Words that are supplied in capitals. */
  readonly capitals: ReadonlySet<string>
  readonly rivals: ReadonlyArray<string>
  /** For each proof, its names, as written, and the numbers that nothing else in the profile has. */
  readonly proofs: ReadonlyArray<ReadonlySet<string>>
  readonly audience: ReadonlySet<string>
  readonly magnets: ReadonlySet<string>
  readonly address: boolean
}

const straight = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')

const capitalised = /^\p{Lu}/u

/** For each proof what tells it from the others: names that are not `ours`, and numbers that stand nowhere `elsewhere`. */
const proofsOf = (
  texts: ReadonlyArray<string>,
  elsewhere: ReadonlySet<string>,
  ours: ReadonlySet<string>
): ReadonlyArray<ReadonlySet<string>> => {
  const isName = (word: string) =>
    capitalised.test(word) && word.length > 2 && !ours.has(bare(word)) && !isStopWord(word.toLowerCase())
  const tokens = texts.map((text) => {
    // A number that the profile also gives elsewhere ("from 5% to all") is not this proof's own.
    const numbers = numbersIn(text).filter((number) => !elsewhere.has(number))
    const names = words(text).map((word) => word.replace(/'s?$/, ""))
    return new Set([...numbers, ...names.filter(isName)])
  })
  // The same fact may be written down twice, as a case study and as a chosen option.
  const distinct = tokens.filter(
    (set, at) => set.size > 0 && !tokens.slice(0, at).some((before) => set.isSubsetOf(before))
  )
  // What two of them share ("Dental") tells neither.
  return distinct.flatMap((set) => {
    const own = [...set].filter((token) => distinct.every((other) => other === set || !other.has(token)))
    return own.length === 0 ? [] : [new Set(own)]
  })
}

/** The companies of a list, as they are called. */
const namesIn = (list: string) =>
  list.split(/[,;\n]| and /).flatMap((name) => {
    const cleaned = companyName(name)
    return cleaned === undefined || cleaned.length < 3 ? [] : [cleaned.toLowerCase()]
  })

/** Everything a campaign's emails are measured against. Kept as long as the campaign object is. */
export const campaignFacts = memoize((campaign: Campaign): CampaignFacts => {
  const { audience, profile } = campaign
  const choices = [campaign.social_proof, campaign.lead_magnet, campaign.risk_reversal, campaign.value_proposition]
  const chosen = choices.flatMap((choice) =>
    choice === null
      ? []
      : [...choice.items.flatMap((item) => [item.name, item.description]), choice.additional_details ?? ""]
  )
  const { case_studies, competitors, core_products, credibility_markers, guarantee, lead_magnets, ...single } = profile
  const lists = [case_studies, credibility_markers, guarantee, lead_magnets].flatMap((list) => list ?? [])
  const products = (core_products ?? []).flatMap(({ pricing, product }) => [product, pricing])
  const about = [
    audience.segment_name,
    audience.industry_vertical,
    audience.company_size,
    audience.annual_revenue,
    audience.geographic_location,
    audience.additional_details ?? "",
    ...[audience.decision_makers].flat()
  ]
  const whole = straight(
    [
      ...Object.values(single).flatMap((value) => (value === null ? [] : [value])),
      competitors ?? "",
      ...lists,
      ...products,
      ...chosen,
      ...about
    ].join("\n")
  )
  const vocabulary = new Set<string>()
  const capitals = new Set<string>()
  for (const word of words(whole)) {
    vocabulary.add(bare(word))
    if (/\p{Lu}{2}/u.test(word)) capitals.add(word)
    for (const piece of word.split(/[-&']/)) if (piece.length > 1) vocabulary.add(piece.toLowerCase())
  }
  const elsewhere = new Set(
    numbersIn(
      [
        ...Object.values(single).flatMap((value) => value ?? []),
        ...lists.filter((text) => !(case_studies ?? []).includes(text) && !(credibility_markers ?? []).includes(text)),
        ...products
      ].join("\n")
    )
  )
  const proofTexts = [
    ...(campaign.social_proof?.items.map((item) => item.description) ?? []),
    ...(case_studies ?? []),
    ...(credibility_markers ?? [])
  ].map(straight)
  const ours = new Set(words(straight(profile.company_name ?? "")).map(bare))
  const cases = proofTexts.join("\n").toLowerCase()
  const magnetTexts = [
    ...(campaign.lead_magnet?.items.flatMap((item) => [item.name, item.description]) ?? []),
    ...(lead_magnets ?? [])
  ]
  return {
    vocabulary,
    capitals,
    numbers: new Set(numbersIn(whole)),
    text: whole.toLowerCase().replace(/\s+/g, " "),
    allies: new Set(
      [
        ...ours,
        ...words(cases),
        ...words((profile.additional_info ?? "").toLowerCase()),
        ...words(chosen.join(" ").toLowerCase())
      ].map(bare)
    ),
    rivals: namesIn(competitors ?? "").filter((name) => !cases.includes(name)),
    proofs: proofsOf(proofTexts, elsewhere, ours),
    audience: content(
      words(
        [...about, profile.ideal_client_description ?? "", profile.pain_points ?? "", profile.problems_solved ?? ""]
          .join(" ")
          .toLowerCase()
      )
    ),
    magnets: content(words(magnetTexts.join(" ").toLowerCase())),
    address: (profile.business_address ?? "").trim() !== ""
  }
})
