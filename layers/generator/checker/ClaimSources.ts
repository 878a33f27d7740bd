// layers/generator/checker/ClaimSources.ts: the sentences that claims are compared with, with their origin.
import { memoize } from "effect/Function"
import * as Pattern from "effect/RegExp"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type { Campaign } from "#layers/generator/Brief.ts"
import { type Quantity, quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import {
  contentStemsOf,
  normalizeForComparison,
  normalizePunctuation,
  splitSourceText
} from "#layers/generator/checker/EmailText.ts"
import { wordTokens } from "#layers/text/Words.ts"
import type { ClaimSource } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"
import type { Message } from "#schema/Playbook.ts"

export interface Source extends ClaimSource {
  /** The text with straight quotes and plain hyphens. */
  readonly normalizedText: string
  /** The text as `normalizeForComparison` returns it. */
  readonly comparisonText: string
  readonly stems: ReadonlySet<string>
  readonly quantities: ReadonlyArray<Quantity>
  /** Whether it is the result of one or several clients, which a reader may not be promised. */
  readonly isResult: boolean
  /** The client that the source is about. */
  readonly client: string | null
}

/** A client, and its short names. */
export interface Client {
  readonly name: string
  /** The first word of every form of the name. A text without it needs no regular expression. */
  readonly firstWord: string
  readonly pattern: RegExp
}

export interface Sources {
  readonly all: ReadonlyArray<Source>
  readonly clients: ReadonlyArray<Client>
  readonly rivals: ReadonlyArray<string>
  /** Names of the sender and its products, in lower case. */
  readonly senderNames: ReadonlySet<string>
  /** Stems of the sentences about what the sender does, the best evidence first. */
  readonly activityStems: ReadonlyArray<ReadonlySet<string>>
  /** Stems of the sentences about its offers and proofs. */
  readonly offerStems: ReadonlySet<string>
  readonly text: string
}

type SourceText = Omit<Source, "normalizedText" | "comparisonText" | "stems" | "quantities" | "client">

const resultFields = new Set(["case_studies", "client_transformation", "social_proof"])

/** A longer text is more than one case, and would support any combination of its numbers and words. */
const maxCaseCharacters = 600

const splitSources = (from: ClaimSource["from"], location: string, value: unknown): ReadonlyArray<SourceText> => {
  if (value === null || value === undefined || value === "") return []
  if (Array.isArray(value)) return value.flatMap((item) => splitSources(from, location, item))
  if (typeof value === "object") {
    const parts = Object.entries(value).filter(
      ([key]) => key !== "id" && key !== "created_at" && key !== "type" && key !== "updated_at"
    )
    // A product and its price are one source, so that a price supports no other product.
    const productAndPrice = parts.flatMap(([key, part]) =>
      (key === "product" || key === "pricing") && typeof part === "string" ? [part] : []
    )
    if (productAndPrice.length === 2 && productAndPrice[1] !== "")
      return [{ from, at: location, text: productAndPrice.join(": "), isResult: false }]
    return parts.flatMap(([, part]) => splitSources(from, location, part))
  }
  const text = String(value).trim()
  const sentences = splitSourceText(text).map((sentence) => ({
    from,
    at: location,
    text: sentence,
    isResult: resultFields.has(location)
  }))
  // The sentences of a case study are about one client, so the whole is a source too.
  const includesFullText = resultFields.has(location) && sentences.length > 1 && text.length <= maxCaseCharacters
  return includesFullText ? [...sentences, { from, at: location, text, isResult: true }] : sentences
}

/** A capitalised name at the start and the word after it: "How Acme Foods cut". */
const leadingClient =
  /^(?:(?:At|For|With|How)\s+)?((?:\p{Lu}[\p{L}\p{N}'&.-]*|&|of|de|and(?=\s\p{Lu}))(?:\s+(?:\p{Lu}[\p{L}\p{N}'&.-]*|&|of|de|and(?=\s\p{Lu})))*)\s*(?<next>'s|,|:|\p{Ll}[\p{L}-]*)/u
/** Capitalised words that start a sentence and are not names. */
const commonWords =
  /^(?:A|An|The|Our|We|One|In|On|At|After|Before|From|Used|Only|Over|More|Since|If|Each|Every|This|That|They|Most|Half|When|With|By|Winner|Trusted|Rated|Average|Clients?|Customers?|No)\b/

/** A longer run of capitalised words is no name. Names become regular expressions, whose size is limited. */
const maxNameCharacters = 100

/** The client that a case study starts with. */
const findLeadingClient = (
  text: string,
  lowerCaseWords: ReadonlySet<string>,
  senderNames: ReadonlySet<string>
): string | null => {
  const match = leadingClient.exec(normalizePunctuation(text))
  const name = match?.[1]?.replace(/'s?$/, "").trim() ?? ""
  if (name.length < 3 || name.length > maxNameCharacters || commonWords.test(name)) return null
  const parts = name.split(" ")
  if (senderNames.has(name.toLowerCase())) return null
  // A noun that also occurs in lower case is no name: "Stops fell".
  if (parts.length === 1 && lowerCaseWords.has(name.toLowerCase())) return null
  // "UKAS-accredited" is an adjective.
  if (parts.length === 1 && /-\p{Ll}/u.test(name)) return null
  // "Brewery CIP line" continues with a noun in lower case; a name is followed by a verb.
  const nextWord = match?.groups?.next ?? ""
  return parts.length === 1 ||
    nextWord === "'s" ||
    nextWord === "," ||
    nextWord === ":" ||
    !/^(?:line|plant|site|team|client|mill)$/.test(nextWord)
    ? name
    : null
}

/** Upper limit on clients, because each is searched for in every sentence of the profile. */
const maxClients = 200

const parseClient = (name: string, names: ReadonlyArray<string>, lowerCaseWords: ReadonlySet<string>): Client => {
  const parts = name.split(" ").filter((word) => word !== "&")
  const firstWord = parts[0] ?? name
  const shortNames = [
    ...(firstWord.length > 3 &&
    !lowerCaseWords.has(firstWord.toLowerCase()) &&
    names.filter((other) => other.startsWith(firstWord)).length === 1
      ? [firstWord]
      : []),
    ...(parts.length > 2 ? [parts.slice(0, 2).join(" ")] : [])
  ]
  const forms = [name, ...shortNames].map((form) =>
    Pattern.escape(form).replaceAll(" ", "\\s+").replaceAll("'", "['\u2019]")
  )
  return {
    name,
    firstWord,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?![\\p{L}\\p{N}])`, "u")
  }
}

const splitCompetitors = (list: string | null): ReadonlyArray<string> =>
  (list ?? "")
    .split(/[,;\n]| and /)
    .map((name) => name.trim())
    .filter((name) => /^\p{Lu}/u.test(name) && name.length > 2 && name.split(" ").length < 4)

type ParsedText = Omit<Source, "client">

const parseTexts = (sourceTexts: ReadonlyArray<SourceText>): ReadonlyArray<ParsedText> => {
  const seenKeys = new Set<string>()
  return sourceTexts.flatMap((sourceText) => {
    const normalizedText = normalizePunctuation(sourceText.text)
    const comparisonText = normalizeForComparison(sourceText.text)
    const key = `${sourceText.from} ${sourceText.at} ${comparisonText}`
    if (comparisonText === "" || seenKeys.has(key)) return []
    seenKeys.add(key)
    return [
      {
        ...sourceText,
        normalizedText,
        comparisonText,
        stems: contentStemsOf(normalizedText),
        quantities: quantitiesIn(normalizedText, true)
      }
    ]
  })
}

const addClients = (texts: ReadonlyArray<ParsedText>, clients: ReadonlyArray<Client>): ReadonlyArray<Source> =>
  texts.map((text) => ({
    ...text,
    client:
      clients.find(
        ({ firstWord, pattern }) => text.normalizedText.includes(firstWord) && pattern.test(text.normalizedText)
      )?.name ?? null
  }))

const collectLowerCaseWords = (texts: ReadonlyArray<SourceText>) =>
  new Set(texts.flatMap(({ text }) => wordTokens(text).filter((word) => /^\p{Ll}/u.test(word))))

const stemSets = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<ReadonlySet<string>> =>
  values.flatMap((value) => (value === null || value === undefined ? [] : splitSourceText(value).map(contentStemsOf)))

const sourcesWithMessage = memoize((campaign: Campaign) =>
  memoize((message: Message): Sources => buildSources(campaign, message))
)
const sourcesWithoutMessage = memoize((campaign: Campaign): Sources => buildSources(campaign, null))

const optionTexts = (choice: Campaign["lead_magnet"]) =>
  choice?.items.flatMap((item) => [item.name, item.description]) ?? []

/** What the sources of all messages of a campaign share: a profile may be long, and each persona has a message. */
const campaignTexts = memoize((campaign: Campaign) => {
  const { audience, profile, ...steps } = campaign
  const sourceTexts = [
    ...Object.entries(steps).flatMap(([at, value]) => splitSources("campaign", at, value)),
    ...Object.entries(profile).flatMap(([at, value]) => splitSources("profile", at, value)),
    ...Object.entries(audience).flatMap(([at, value]) => splitSources("audience", at, value))
  ]
  return {
    sourceTexts,
    parsedTexts: parseTexts(sourceTexts),
    lowerCaseWords: collectLowerCaseWords(sourceTexts),
    activityStems: stemSets([
      profile.business_description,
      ...optionTexts(campaign.value_proposition),
      ...(profile.core_products ?? []).map(({ product }) => product),
      profile.industry_vertical,
      profile.problems_solved,
      profile.unique_differentiators
    ]),
    offerStems: stemSets([
      ...optionTexts(campaign.lead_magnet),
      ...(profile.lead_magnets ?? []),
      ...(profile.case_studies ?? []),
      ...(profile.guarantee ?? []),
      profile.client_transformation
    ]),
    text: sourceTexts.map(({ text }) => text.toLowerCase()).join("\n")
  }
})

const buildSources = (campaign: Campaign, message: Message | null): Sources => {
  const { profile } = campaign
  const shared = campaignTexts(campaign)
  const messageTexts = Object.entries(message ?? {}).flatMap(([at, value]) =>
    splitSources("campaign", at, value).map((sourceText) => ({ ...sourceText, isResult: at === "proof" }))
  )
  const sourceTexts = [...messageTexts, ...shared.sourceTexts]
  const senderNames = new Set(
    [profile.company_name, ...(profile.core_products ?? []).map(({ product }) => product)].flatMap((name) =>
      name === null || name === "" ? [] : [name.toLowerCase(), name.toLowerCase().split(" ")[0] ?? ""]
    )
  )
  const lowerCaseWords = shared.lowerCaseWords.union(collectLowerCaseWords(messageTexts))
  const names = [
    ...new Set(
      sourceTexts.flatMap(({ at, text }) => {
        const name =
          resultFields.has(at) || at === "proof" || at === "credibility_markers"
            ? findLeadingClient(text, lowerCaseWords, senderNames)
            : null
        return name === null ? [] : [name]
      })
    )
  ].slice(0, maxClients)
  const clients = names
    .map((name) => parseClient(name, names, lowerCaseWords))
    .sort((a, b) => b.name.length - a.name.length)
  return {
    all: addClients([...parseTexts(messageTexts), ...shared.parsedTexts], clients),
    clients,
    rivals: splitCompetitors(profile.competitors),
    senderNames,
    activityStems: [...stemSets([message?.what_we_do]), ...shared.activityStems],
    offerStems: new Set(
      [...shared.offerStems, ...stemSets([message?.offer, message?.proof])].flatMap((each) => [...each])
    ),
    text: [...messageTexts.map(({ text }) => text.toLowerCase()), shared.text].join("\n")
  }
}

/** The sources of a campaign, cached by its object. */
export const claimSources = (campaign: Campaign, message: Message | null): Sources =>
  message === null ? sourcesWithoutMessage(campaign) : sourcesWithMessage(campaign)(message)

/** The sources about one reader: research, the lead's columns and the user's remarks. */
export const readerClaimSources = (
  {
    facts,
    lead,
    remarks
  }: { readonly facts: ReadonlyArray<Fact>; readonly lead: Lead | null; readonly remarks: string | null },
  clients: ReadonlyArray<Client>
): ReadonlyArray<Source> => {
  const { custom_fields, email: _email, linkedin_url: _url, ...columns } = lead ?? { email: "" }
  return addClients(
    parseTexts([
      ...facts.flatMap(({ source_url, statement }) => splitSources("research", source_url, statement)),
      ...Object.entries(custom_fields ?? {}).flatMap(([key, value]) =>
        splitSources(
          "lead",
          `custom_fields.${key}`,
          typeof value === "string" && /\p{L}/u.test(value)
            ? value
            : value === null
              ? null
              : `${key.replaceAll("_", " ")}: ${value}`
        )
      ),
      ...Object.entries(columns).flatMap(([at, value]) => splitSources("lead", at, value)),
      ...splitSources("remark", "additional_details", remarks)
    ]),
    clients
  )
}
