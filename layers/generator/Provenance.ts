// layers/generator/Provenance.ts: what each factual sentence of an email stands on, whoever wrote it.
import { numbersIn } from "#layers/generator/rules/Ground.ts"
import { content, prose, sentences, words } from "#layers/generator/Text.ts"
import type { Brief, Campaign, Draft } from "#layers/Generator.ts"

/** Where a fact was supplied: a field of the profile or the lead, a step of the campaign, a remark, or a page. */
export interface Source {
  readonly from: "profile" | "audience" | "campaign" | "lead" | "remark" | "research"
  /** The field or step, or the address of the page. */
  readonly at: string
}

export interface Grounded {
  readonly sentence: string
  readonly sources: ReadonlyArray<Source>
}

interface Supplied extends Source {
  readonly contents: ReadonlySet<string>
  readonly numbers: ReadonlyArray<string>
}

/** How much of what a sentence says has to stand in one supplied text for the sentence to rest on it. */
const enough = 0.6

const supplied = (from: Source["from"], at: string, text: string | null | undefined): ReadonlyArray<Supplied> =>
  (text ?? "").split("\n").flatMap((line) =>
    sentences(line).map((each) => ({
      from,
      at,
      contents: content(words(each.toLowerCase())),
      numbers: numbersIn(each)
    }))
  )

const texts = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(texts)
      : []

const campaigns = new WeakMap<Campaign, ReadonlyArray<Supplied>>()

const ofCampaign = (campaign: Campaign): ReadonlyArray<Supplied> => {
  const kept = campaigns.get(campaign)
  if (kept !== undefined) return kept
  const { audience, profile, ...steps } = campaign
  const each = (from: Source["from"], record: object) =>
    Object.entries(record).flatMap(([at, value]) => texts(value).flatMap((text) => supplied(from, at, text)))
  // A choice comes before the profile that it was made from: it is what a person decided.
  const all = [...each("campaign", steps), ...each("profile", profile), ...each("audience", audience)]
  campaigns.set(campaign, all)
  return all
}

/** The sentences of an email that say something of the world, each with what it rests on; the rest is the writer's own. */
export const provenance = (brief: Brief, { body }: Pick<Draft, "body">): ReadonlyArray<Grounded> => {
  const { additional_details, campaign, facts, lead } = brief
  const known = [
    ...facts.flatMap(({ source_url, statement }) => supplied("research", source_url, statement)),
    ...ofCampaign(campaign),
    ...supplied("remark", "additional_details", additional_details),
    ...supplied("lead", "company", lead.company),
    ...supplied("lead", "title", lead.title)
  ]
  return prose(body.split("\n\n")).sentences.flatMap(({ contents, text }) => {
    const numbers = numbersIn(text)
    const rests = known
      .map((source) => {
        const shared = [...contents].filter((stem) => source.contents.has(stem)).length
        return { source, part: contents.size === 0 ? 0 : shared / contents.size, shared }
      })
      .filter(
        ({ part, shared, source }) =>
          shared > 1 &&
          (part >= enough || numbers.some((number) => source.numbers.includes(number))) &&
          numbers.every((number) => source.numbers.includes(number))
      )
      .toSorted((a, b) => b.part - a.part)
    const sources = new Map(rests.map(({ source: { at, from } }) => [`${from} ${at}`, { from, at }]))
    return sources.size === 0 ? [] : [{ sentence: text, sources: [...sources.values()].slice(0, 3) }]
  })
}
