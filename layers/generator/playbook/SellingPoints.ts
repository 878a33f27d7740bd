// layers/generator/playbook/SellingPoints.ts: what a campaign's emails can say: whole sentences and list items in the
// user's words.
import { memoize } from "effect/Function"
import { franc } from "franc-min"
import type { Details } from "#schema/Details.ts"
import { type Campaign, type Choice, isUnwritten } from "#layers/generator/Brief.ts"
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import { hasMailboxOrPhone } from "#layers/text/Contacts.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { isPluralNoun } from "#layers/text/NounPhrases.ts"
import { classifyShape, splitItems, splitSentences, countWords } from "#layers/text/Sentences.ts"
import { isStopWord, looksEnglish, wordSet, wordTokens } from "#layers/text/Words.ts"

export interface Proof {
  readonly text: string
  readonly kind: "case" | "fact"
}

export interface Objection {
  readonly objection: string
  readonly answer: string
}

export interface SellingPoints {
  readonly sender: string | null
  /** The sender's town, where the profile has it in a few words and the sender's name has it not. */
  readonly town: string | null
  /** The first one states what is sold. */
  readonly description: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
  /** The selections; the first of them must appear. */
  readonly promises: ReadonlyArray<string>
  readonly chosenProofs: ReadonlyArray<Proof>
  readonly proofs: ReadonlyArray<Proof>
  readonly offers: ReadonlyArray<string>
  readonly guarantees: ReadonlyArray<string>
  /** What the sender does that others do not. */
  readonly differences: ReadonlyArray<string>
  readonly facts: ReadonlyArray<string>
  readonly objections: ReadonlyArray<Objection>
  readonly moments: ReadonlyArray<string>
  readonly changes: ReadonlyArray<string>
  readonly products: ReadonlyArray<string>
  readonly industry: string | null
  /** What the user counts clients by: "vans" of "companies with 15 to 300 vans". */
  readonly countNouns: ReadonlyArray<string>
  /** The meeting that the profile aims at, such as "a 20-minute call". */
  readonly meeting: string | null
  /** The host of the sender's site. */
  readonly website: string | null
  /** Whether some of the user's text was left out because it is not English. */
  readonly hasForeignText: boolean
}

/** Longer items are not used, because they do not fit an email and items are never cut. */
const maxWords = 45
const maxCharacters = 600

/**
 * Items of one kind that are used, the first ones. Each is compared with each reader's work, and a profile of the largest
 * size, which has thousands, would block other requests for seconds.
 */
export const maxItems = 60

/** Leader dots of a price list, and arrows of a note. */
const isNote = (text: string): boolean => /\.{4,}|[←→]/.test(text)

const isUsable = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) && !isNote(text) && text.length <= maxCharacters && countWords(text) <= maxWords

const wholeQuotation = /^["“„«]\s*([^"“”„«»]+?)\s*["”“»]$/u
/** Words by which a client speaks in a quotation: in an email the sender would say them. */
const firstPerson = /(?<!\p{L})(?:I|me|my|we|our|us)(?!\p{L})/iu

/** A text as one line: complete, or its first complete sentences if it is long; of notes in quotation marks, the first. */
const leadingSentences = (text: string): string => {
  let line = ""
  const [, quotedText] = wholeQuotation.exec(text) ?? []
  const source = quotedText === undefined || firstPerson.test(quotedText) ? text : (quotedText.split(nextNote)[0] ?? "")
  for (const sentence of splitSentences(source)) {
    const extended = line === "" ? sentence : `${line} ${sentence}`
    if (line !== "" && !isUsable(extended)) break
    line = extended
  }
  return line
}

const deduplicate = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Map(texts.toReversed().map((text) => [text.toLowerCase().replace(/[\s.]+$/, ""), text])).values()
  ].toReversed()

const chosenTexts = (choice: Choice | null): ReadonlyArray<string> =>
  deduplicate(
    (choice?.items ?? [])
      .filter((item) => !isUnwritten(item))
      .map(({ description, name }) => leadingSentences(description.trim() === "" ? name : description))
  ).filter((text) => text !== "" && text.length <= 1500 && !isNote(text))

const listItems = (...fields: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  deduplicate(fields.flatMap((field) => splitItems(field)).filter(isUsable))

/** "25 min calls": a number, a unit of time and a kind of meeting. */
const meetingPattern =
  /\b(\d{1,3})[ -]?(min(?:ute)?s?|hours?)[ -]((?:(?:phone|video|site|discovery) )?(?:call|chat|conversation|demo|meeting|visit|walk-through|walkthrough))s?\b/i

/** "Book 25 min calls with care homes" aims at "a 25-minute call". */
const extractMeeting = (goal: string | null): string | null => {
  const [, count, unit, kind] = meetingPattern.exec(goal ?? "") ?? []
  if (count === undefined || unit === undefined || kind === undefined) return null
  const article = /^(?:8|11|18|8\d)$/.test(count) ? "an" : "a"
  return `${article} ${count}-${/^m/i.test(unit) ? "minute" : "hour"} ${kind.toLowerCase()}`
}

/** A number and a plural that is not a unit: "15 to 300 vans". */
const countPattern =
  /\d[\d,.]*\+?(?: ?(?:-|–|to|and) ?\d[\d,.]*\+?)?(?: or more)? (?:\p{Ll}+ )?(?!(?:days|hours|kilometres|kilos|metres|miles|minutes|months|percent|times|tonnes|tons|weeks|years|yrs)\b)(\p{Ll}{3,}s)\b/gu

/** Most things that a question counts. */
const maxCountNouns = 2

const extractCountNouns = (clients: string | null): ReadonlyArray<string> =>
  [...new Set([...(clients ?? "").matchAll(countPattern)].map(([, noun = ""]) => noun))]
    .filter((noun) => /^[a-z]+$/.test(noun) && isPluralNoun(noun))
    .slice(0, maxCountNouns)

const extractTown = (region: string | null, sender: string | null): string | null => {
  const [town = ""] = (region ?? "").trim().split(",")
  return /^\p{Lu}[\p{L} '’.-]{1,30}$/u.test(town) && sender?.includes(town) === false ? town : null
}

const extractHost = (address: string | null): string | null => {
  const url = URL.parse(address ?? "")
  return url === null || !/\.[a-z]{2,}$/i.test(url.hostname) ? null : url.hostname.replace(/^www\./, "")
}

/** Ends of notes that are typed one after another: "NMW risk. manager answering queries at 9pm." */
const nextNote = /(?<=[\p{L}\d]{3})(?<!\b(?:approx|etc|incl|max|min))\.[ \t]+(?=\p{Ll})/giu

/** Several sentences in one line are several problems, even among other lines; two may be one problem and what follows. */
const splitLongLines = (field: string | null): string | null =>
  field
    ?.split("\n")
    .flatMap((line) => line.split(nextNote))
    .map((line) => {
      const sentences = splitSentences(line)
      // A note is a problem of its own: "Certificate not found. Gauges overdue on the boiler."
      const areNotes = sentences.length > 1 && sentences.some((each) => classifyShape(each) === "fragment")
      return sentences.length > 2 || areNotes ? sentences.join("\n") : line
    })
    .join("\n") ?? null

/** "Oak Depot, Leeds — 28 sockets. Uptime rose" and "Oak Inns - 7 pubs: Profit rose": a client's label and its result. */
const labelledResult = /^\p{Lu}[^:.!?]{2,70}? [–—-] (?:[^:.!?]{1,30}[.:] )?(?=\p{Lu}|\d)(.+)$/su

/** A client's result; behind a label that is more than the client's name, only what changed. */
const clientResult = (text: string): string => labelledResult.exec(text)?.[1] ?? text

const entryTexts = (field: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  deduplicate((field ?? []).map(leadingSentences).filter(isUsable))

/** Starts of sentences about the sender rather than the work. */
export const historyStart =
  /^(?:founded|established|since(?! (?:19|20)\d\d,? we (?:have |[a-z]+ed ))|welcome|(?:an? |we(?:'|’)re an? |we are an? )?family|we (?:believe|started|began|love)|our (?:mission|vision|story|values)|[^.]{0,60}\b(?:was|were) (?:founded|established|started|set up))\b/i

/** "We clean kitchens": the sentence of a description that says what is sold, if history comes before it. */
const offerSentence = /^we (?!are\b|were\b|have\b|do not\b|don['’]t\b)\p{Ll}+\b/iu

/** "We do not sell kits": not a reason to buy. */
const notOfferedStart =
  /^(?:we|it) (?:do|does)(?: not|n['’]t) (?:sell|do|work|serve|take|offer|make|supply|provide|install|carry|stock|cover)\b/i

/** The sentences of a description about the offer; the one that states what is sold is first. */
export const splitDescription = (text: string | null, sender: string | null): ReadonlyArray<string> => {
  // "Kestrel Pumps Pty Ltd" alone does not say what is sold.
  const isOnlyName = (sentence: string) =>
    sender !== null &&
    sentence.toLowerCase().startsWith(sender.toLowerCase()) &&
    /^(?:[\s,.(]*\p{Lu}[\p{L}.)]*){0,3}$/u.test(sentence.slice(sender.length))
  // "Orders to Bev on 0117 496 0382" is for those who order, and "B1." says nothing.
  const sentences = splitSentences(text ?? "").filter(
    (sentence) =>
      sentence.length <= 1000 &&
      countWords(sentence) > 1 &&
      !isOnlyName(sentence) &&
      !notOfferedStart.test(sentence) &&
      !hasMailboxOrPhone(sentence)
  )
  const firstIndex = sentences.findIndex((sentence) => !historyStart.test(sentence) && countWords(sentence) >= 3)
  const offerIndex = sentences.findIndex((sentence) => offerSentence.test(sentence) && !historyStart.test(sentence))
  const index = firstIndex > 0 && offerIndex > firstIndex ? offerIndex : firstIndex
  const sentence = sentences[index]
  return sentence === undefined ? sentences : [sentence, ...sentences.toSpliced(index, 1)]
}

/** "Objection: answer", split at the user's own first colon, or after a quoted objection and its dash; sentences without one belong to the answer before. */
const parseObjections = (text: string | null): ReadonlyArray<Objection> => {
  const objections: Array<{ objection: string; answer: string }> = []
  for (const sentence of (text ?? "").split(/\s\/\s/).flatMap(splitSentences)) {
    const colon = sentence.search(/:\s/)
    const lastObjection = objections.at(-1)
    const quotedObjection = /^["\u201c](.+?)["\u201d]\s+[-\u2013\u2014]\s+(\S.*)$/su.exec(sentence)
    if (quotedObjection !== null)
      objections.push({ objection: quotedObjection[1] ?? "", answer: quotedObjection[2] ?? "" })
    else if (colon > 0)
      objections.push({ objection: sentence.slice(0, colon).trim(), answer: sentence.slice(colon + 1).trim() })
    else if (lastObjection !== undefined) lastObjection.answer = `${lastObjection.answer} ${sentence}`
  }
  return objections
    .map(({ answer, objection }) => ({
      answer,
      objection: objection.replace(/^["'\u201c\u2018]|["'\u201d\u2019]$/g, "")
    }))
    .filter(({ answer, objection }) => isUsable(answer) && countWords(objection) <= 14 && countWords(objection) > 0)
}

/** The material without texts that may not be kept, selections included. */
const filterTexts = (material: SellingPoints, keep: (text: string) => boolean): SellingPoints => {
  const filterList = (all: ReadonlyArray<string>) => all.filter(keep)
  const filterProofs = (all: ReadonlyArray<Proof>) => all.filter(({ text }) => keep(text))
  return {
    ...material,
    description: filterList(material.description),
    problems: filterList(material.problems),
    promises: filterList(material.promises),
    chosenProofs: filterProofs(material.chosenProofs),
    proofs: filterProofs(material.proofs),
    offers: filterList(material.offers),
    guarantees: filterList(material.guarantees),
    differences: filterList(material.differences),
    facts: filterList(material.facts),
    objections: material.objections.filter(({ answer, objection }) => keep(`${objection}\n${answer}`)),
    moments: filterList(material.moments),
    changes: filterList(material.changes),
    products: filterList(material.products),
    industry: material.industry !== null && keep(material.industry) ? material.industry : null
  }
}

/** The material with the first items of each kind. */
const firstItems = (material: SellingPoints): SellingPoints => ({
  ...material,
  description: material.description.slice(0, maxItems),
  problems: material.problems.slice(0, maxItems),
  proofs: material.proofs.slice(0, maxItems),
  offers: material.offers.slice(0, maxItems),
  guarantees: material.guarantees.slice(0, maxItems),
  differences: material.differences.slice(0, maxItems),
  facts: material.facts.slice(0, maxItems),
  objections: material.objections.slice(0, maxItems),
  moments: material.moments.slice(0, maxItems),
  changes: material.changes.slice(0, maxItems)
})

/** The material without texts that contain a forbidden phrase. */
export const removeForbidden = (material: SellingPoints, phrases: ReadonlyArray<string>): SellingPoints =>
  phrases.length === 0 ? material : filterTexts(material, (text) => !containsForbidden(text, phrases))

/** "Column", "Label, apply only" and "Paket PARK" are rows of a price list, which mean nothing to a stranger. */
const isMeaningfulProductName = (name: string) =>
  countWords(name) > 1 &&
  !/[,;/]|\d/.test(name.replace(/\([^)]*\)/g, "")) &&
  !/(?<!\p{L})\p{Lu}{4,}(?!\p{L})/u.test(name)

/** Undefined if most names mean nothing: a part of a price list would stand for the whole business. */
const productNames = (profile: Details): ReadonlyArray<string> => {
  const names = deduplicate(
    (profile.core_products ?? []).map(({ product }) => leadingSentences(product)).filter(isUsable)
  )
  const meaningfulNames = names.filter(isMeaningfulProductName)
  return 3 * meaningfulNames.length < 2 * names.length ? [] : meaningfulNames
}

/** English stop words that are words of German, French, Spanish or Italian too. */
const sharedStopWords = wordSet("a also am an as do he in is no on or per so was")

const profileLanguages = ["eng", "deu", "fra", "spa", "ita", "nld", "pol", "por"]

const keepEnglish = (material: SellingPoints): SellingPoints => {
  const { changes, chosenProofs, description, facts, offers, problems, products, proofs } = material
  const texts = [...description, ...problems, ...offers, ...facts, ...changes, ...products]
  const allTexts = [...texts, ...[...chosenProofs, ...proofs].map(({ text }) => text)]
  const functionWordCount = (text: string) =>
    wordTokens(text.toLowerCase()).filter((word) => isStopWord(word) && !sharedStopWords.has(word)).length
  // Names of products alone are too short to detect a language.
  const isEnglish =
    allTexts.some((text) => looksEnglish(text) && functionWordCount(text) > 2) ||
    ["eng", "und"].includes(franc(allTexts.join("\n"), { only: profileLanguages, minLength: 30 }))
  let hasForeignText = false
  const englishPoints = filterTexts(material, (text) => {
    // A name such as "Lohnbuchhaltung" has no function words, so it has the language of the text around it; and in a profile of
    // another language "in" alone makes no sentence English.
    const isKept = looksEnglish(text) && (isEnglish || functionWordCount(text) > 1)
    hasForeignText ||= !isKept
    return isKept
  })
  // Names of products are kept as the minimum that describes a business, unless they are clearly in another language.
  const isForeign = !isEnglish && /[^\p{ASCII}]/u.test(allTexts.join(""))
  return {
    ...englishPoints,
    products: isForeign ? [] : products.filter(looksEnglish),
    hasForeignText: hasForeignText || isForeign
  }
}

/** What a campaign can say; kept while the campaign is, because each persona needs it. */
export const sellingPoints = memoize((campaign: Campaign): SellingPoints => {
  const { profile } = campaign
  const skipsProof = campaign.social_proof?.items.length === 0
  const cases = entryTexts(skipsProof ? null : profile.case_studies).map((text) => ({
    text: clientResult(text),
    kind: "case" as const
  }))
  const markers = entryTexts(skipsProof ? null : profile.credibility_markers)
  const factTexts = new Set(markers)
  // Selecting nothing is a choice too; only a step that was not answered keeps the whole profile.
  const selectTexts = (choice: Choice | null, field: ReadonlyArray<string> | null) =>
    choice === null ? entryTexts(field) : chosenTexts(choice)
  const sender = companyName(profile.company_name) ?? null
  // A client's result that is also given as a problem would be said twice.
  const isResult = (text: string) => cases.some((each) => each.text.includes(text))
  const material: SellingPoints = {
    sender,
    town: extractTown(profile.city_region, sender),
    description: splitDescription(profile.business_description, sender),
    problems: listItems(...[profile.pain_points, profile.problems_solved].map(splitLongLines))
      .map((text) =>
        text.replace(wholeQuotation, (quotation, words: string) => (firstPerson.test(words) ? quotation : words))
      )
      .filter((text) => !isResult(text) && !wholeQuotation.test(text)),
    promises: chosenTexts(campaign.value_proposition),
    chosenProofs: chosenTexts(campaign.social_proof).map((text) =>
      factTexts.has(text) ? { text, kind: "fact" } : { text: clientResult(text), kind: "case" }
    ),
    proofs: [...cases, ...markers.map((text) => ({ text, kind: "fact" as const }))],
    offers: selectTexts(campaign.lead_magnet, profile.lead_magnets),
    guarantees: selectTexts(campaign.risk_reversal, profile.guarantee),
    differences: listItems(splitLongLines(profile.unique_differentiators)),
    facts: deduplicate([
      ...listItems(profile.unique_differentiators),
      ...markers,
      ...listItems(profile.additional_info)
    ]),
    objections: parseObjections(profile.objections_and_responses),
    moments: listItems(profile.solution_triggers),
    changes: listItems(profile.client_transformation),
    products: productNames(profile),
    industry: profile.industry_vertical?.trim() || null,
    countNouns: extractCountNouns(profile.ideal_client_description),
    meeting: extractMeeting(profile.primary_goal),
    website: extractHost(profile.website_url),
    hasForeignText: false
  }
  return keepEnglish(firstItems(material))
})
