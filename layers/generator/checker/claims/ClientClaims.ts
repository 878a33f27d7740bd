// layers/generator/checker/claims/ClientClaims.ts: statements about clients, which their case studies must support.
import { contentStemsOf, quoteShort } from "#layers/generator/checker/EmailText.ts"
import { clientVerb } from "#layers/generator/checker/ClaimPatterns.ts"
import { hasSynonym } from "#layers/generator/checker/Quantities.ts"
import { sharedStemRatio } from "#layers/generator/checker/ClaimSupport.ts"
import {
  type Assertion,
  type ClaimEvidence,
  makeAssertion,
  type SentenceAnalysis,
  similarSources
} from "#layers/generator/checker/claims/Assertion.ts"
import { currencyCode, isMasked } from "#layers/generator/checker/claims/NumberClaims.ts"

/**
 * A client's figure for something that the source of the figure does not mention, but another source does: "$40,000 in
 * fees" if the case study says "$40,000 in tax".
 */
export const swappedTopicClaims = (analysis: SentenceAnalysis, evidence: ClaimEvidence): ReadonlyArray<Assertion> => {
  const { client, quantities, sentence } = analysis
  if (client === null || sentence.isQuestion) return []
  const clientSources = evidence.sources.all.filter((source) => source.client === client)
  for (const quantity of quantities) {
    if (quantity.measure === null || !currencyCode.test(quantity.measure) || isMasked(analysis, quantity)) continue
    const match =
      /^ (?:\p{L}+ )?(?:in|of|on|worth of|from) (?!(?:the|its|their|one|two|three|a|an|\d)\b)(?<matter>\p{Ll}[\p{Ll}-]*(?: \p{Ll}[\p{Ll}-]*)?)/u.exec(
        sentence.normalizedText.slice(quantity.end)
      )
    const stems = contentStemsOf(match?.groups?.matter ?? "")
    const figureSources = clientSources.filter((source) =>
      source.quantities.some(({ value }) => value === quantity.value)
    )
    if (match === null || stems.size === 0 || figureSources.length === 0) continue
    const topicSources = figureSources.filter((source) => [...stems].some((stem) => hasSynonym(source.stems, stem)))
    // A word that occurs elsewhere in the profile is another fact, not a synonym.
    if (
      topicSources.length > 0 ||
      ![...stems].some((stem) =>
        evidence.sources.all.some((source) => source.client !== client && source.stems.has(stem))
      )
    )
      continue
    const [from, to] = [quantity.start, quantity.end + match[0].length]
    const text = sentence.normalizedText.slice(from, to)
    return [
      makeAssertion(
        "claim.client",
        from,
        text,
        `The source of this figure says nothing of ${quoteShort(match.groups?.matter ?? text)}. Say what the case study says.`,
        []
      )
    ]
  }
  return []
}

/** The case study may say the same in other words, so a clause about its client needs to share few of them. */
const minCaseShare = 0.25
/** A sentence that does not name the client may be about anything, so a source must share more of its words. */
const minSentenceShare = 0.5

/** Statements about a client that its case study does not make. */
export const clientClaims = (
  analysis: SentenceAnalysis,
  evidence: ClaimEvidence,
  hasSupport: boolean
): ReadonlyArray<Assertion> => {
  const { client, namesClient, sentence, verbatim } = analysis
  if (sentence.isQuestion || verbatim.length > 0 || hasSupport) return []
  const clientSources = evidence.sources.all.filter((source) => source.client !== null && source.client === client)
  if (namesClient && client !== null) {
    const namedClient = evidence.sources.clients.find((each) => each.name === client)
    const clause = analysis.clauses.find(({ text }) => namedClient?.pattern.test(text) === true) ?? {
      offset: 0,
      text: sentence.normalizedText,
      stems: sentence.stems
    }
    const stems = new Set(
      [...clause.stems].filter(
        (stem) =>
          !contentStemsOf(client).has(stem) &&
          // Words that say only that the company is a client.
          !/^(?:us|use|work|client|custom|switch|chose|choos|join|exampl|similar|stori|team|compani|result)$/.test(stem)
      )
    )
    const text = clause.text
    if (stems.size === 0) return [makeAssertion("claim.client", clause.offset, text, "", clientSources)]
    const matches = clientSources.filter((source) => sharedStemRatio(stems, source.stems) >= minCaseShare)
    return [
      makeAssertion(
        "claim.client",
        clause.offset,
        text,
        `No source says this about ${client}. Use the case study as it stands, or remove the sentence.`,
        matches
      )
    ]
  }
  // After a sentence about a client, a sentence about what "we" did adds a fact to the case: "We didn't buy one extra ad."
  if (
    analysis.afterClient &&
    /^(?:we|nobody|no one) (?:didn't|did not|never|only|\p{L}+ed|built|found|took|made|ran|cut|gave|kept|put)\b/iu.test(
      sentence.normalizedText
    )
  ) {
    const allSources = [...evidence.reader, ...evidence.sources.all]
    return [
      makeAssertion(
        "claim.client",
        0,
        sentence.normalizedText,
        "No source says this about that client's case. Remove the sentence, or add it to the case study.",
        similarSources(allSources, sentence.stems, minSentenceShare)
      )
    ]
  }
  return []
}

/** The length of a word and the number of words in a name are bounded, because every capital letter starts a search. */
const nameWord = "\\p{Lu}[\\p{L}\\p{N}'&-]{0,40}"
const clientAsSubject = new RegExp(
  `(?<![\\p{L}\\p{N}] )(?<start>${nameWord}(?: (?:&|of|and|${nameWord})){0,8} ${nameWord}) (?:already )?${clientVerb}\\b|(?<=[\\p{Ll},] )(?<middle>${nameWord}) (?:already )?${clientVerb}\\b`,
  "u"
)
const clientAsUser = new RegExp(
  `^(?<start>${nameWord}) (?:already )?(?:uses?|chose|switched to|trusts?|relies on|loves|recommends|runs on) (?=\\p{Lu}|us\\b|our\\b)`,
  "u"
)
const companyCalledClient = new RegExp(
  `(?<start>${nameWord}(?: (?:&|of|and|${nameWord})){0,8}) (?:(?:is|was) (?:already |also |now |even )?(?:an?|one of our|our)|are (?:already |also |now |even )?(?:all |both )?(?:our )?) ?(?:[\\p{Ll}-]+ )?(?:clients?|customers?)\\b`,
  "u"
)
const clientAsPartner = new RegExp(
  `\\b(?:work(?:ed|s|ing)? (?:with|for)|clients? (?:like|such as|include)|customers? (?:like|such as|include)|companies like|brands like|trusted by|used by|built for|did (?:it |this |that |the same )?for|(?:same|just) as) (?<start>${nameWord}(?: (?:&|${nameWord})){0,8})`,
  "u"
)

/** Companies that the email presents as clients or with a result, and that no source names. */
export const unknownCompanyClaims = (
  { maskedText, sentence }: Pick<SentenceAnalysis, "maskedText" | "sentence">,
  evidence: ClaimEvidence
): ReadonlyArray<Assertion> => {
  if (sentence.isQuestion) return []
  for (const expression of [clientAsSubject, clientAsUser, companyCalledClient, clientAsPartner]) {
    const match = expression.exec(maskedText)
    const name = match?.groups?.start ?? match?.groups?.middle
    if (match === null || name === undefined) continue
    const lowerName = name.toLowerCase()
    const isInSources =
      evidence.sources.text.includes(lowerName) ||
      evidence.reader.some(({ normalizedText }) => normalizedText.toLowerCase().includes(lowerName))
    if (
      isInSources ||
      /^(?:I|We|You|They|It|The|Our|Your|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|CEOs?|CFOs?|COOs?|CTOs?)$/.test(
        name
      )
    )
      continue
    const from = maskedText.indexOf(name, match.index)
    return [
      makeAssertion(
        "claim.client",
        from,
        name,
        `No source names ${quoteShort(name)}. Name only clients of the profile or campaign.`,
        []
      )
    ]
  }
  return []
}
