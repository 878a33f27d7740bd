// layers/generator/Provenance.ts: what each factual sentence of an email stands on, whoever wrote it.
import { memoize } from "effect/Function"
import type { Brief, Campaign, Draft, Grounded, Source } from "#layers/Generator.ts"
import { prose, type Sentence } from "#layers/text/Prose.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { textsOf } from "#layers/text/Texts.ts"
import { content, sentences, words } from "#layers/text/Words.ts"

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

/** A text that a sentence rests on, and how much of the sentence stands in it. */
interface Rest {
  readonly source: Supplied
  readonly part: number
}

/** Which of the texts a sentence rests on, in their order. Only those that share words with it are looked at. */
const index = (known: ReadonlyArray<Supplied>) => {
  const having = new Map<string, Array<number>>()
  known.forEach(({ contents }, at) => {
    for (const stem of contents) {
      const places = having.get(stem)
      if (places === undefined) having.set(stem, [at])
      else places.push(at)
    }
  })
  const shared = new Uint32Array(known.length)
  return ({ contents, text }: Sentence): ReadonlyArray<Rest> => {
    const near: Array<number> = []
    shared.fill(0)
    for (const stem of contents) {
      for (const at of having.get(stem) ?? []) {
        const count = (shared[at] ?? 0) + 1
        shared[at] = count
        // One word in common says nothing yet.
        if (count === 2) near.push(at)
      }
    }
    if (near.length === 0) return []
    const numbers = numbersIn(text)
    return near
      .toSorted((a, b) => a - b)
      .flatMap((at) => {
        const source = known[at]
        if (source === undefined || !numbers.every((number) => source.numbers.includes(number))) return []
        const part = (shared[at] ?? 0) / contents.size
        return part >= enough || numbers.length > 0 ? [{ source, part }] : []
      })
  }
}

/** Most of a campaign's sentences come back in lead after lead, so each is looked up once. */
const ofCampaign = memoize(({ audience, profile, ...steps }: Campaign) => {
  const each = (from: Source["from"], record: object) =>
    Object.entries(record).flatMap(([at, value]) => textsOf(value).flatMap((text) => supplied(from, at, text)))
  // A choice comes before the profile that it was made from: it is what a person decided.
  return memoize(index([...each("campaign", steps), ...each("profile", profile), ...each("audience", audience)]))
})

/**
 * For a brief, a function that answers the sentences of an email that say something of the world, each with what it
 * rests on; the rest is the writer's own.
 */
export const provenance = ({ additional_details, campaign, facts, lead }: Brief) => {
  const before = index(facts.flatMap(({ source_url, statement }) => supplied("research", source_url, statement)))
  const within = ofCampaign(campaign)
  const after = index([
    ...supplied("remark", "additional_details", additional_details),
    ...supplied("lead", "company", lead.company),
    ...supplied("lead", "title", lead.title)
  ])
  return ({ body }: Pick<Draft, "body">): ReadonlyArray<Grounded> =>
    prose(body.split("\n\n")).sentences.flatMap((sentence) => {
      const rests = [...before(sentence), ...within(sentence), ...after(sentence)].sort((a, b) => b.part - a.part)
      const sources = new Map(rests.map(({ source: { at, from } }) => [`${from} ${at}`, { from, at }]))
      return sources.size === 0 ? [] : [{ sentence: sentence.text, sources: [...sources.values()].slice(0, 3) }]
    })
}
