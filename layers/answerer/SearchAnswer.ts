// layers/answerer/SearchAnswer.ts: answers a question with the passages that search finds, and claims nothing itself.
import {
  type Answer,
  maybeMissing,
  nearestPassages,
  nearestRows,
  noRowHas,
  notInMaterial,
  type Turn,
  unknownAnswer
} from "#layers/answerer/Answer.ts"
import { listOfLeadQuestion, notSentNotice, repliesQuestion } from "#layers/answerer/Leads.ts"
import { countNameWords, type Index, findJoinedWords, namesStranger } from "#layers/answerer/Index.ts"
import { kindsInQuestion } from "#layers/answerer/Kinds.ts"
import { citationOf, type Line, linesOf, nameOf, type Passage } from "#layers/answerer/Passages.ts"
import {
  earlierQuestions,
  searchPassages,
  type PassageMatch,
  type SearchResults,
  previousFirstPassage
} from "#layers/answerer/Search.ts"
import { contentWords, questionTerms, textTerms } from "#layers/answerer/Terms.ts"
import { findRows, type LeadRows } from "#layers/answerer/LeadRows.ts"
import { type Exclusions, findLeadSet, type LeadSet } from "#layers/answerer/LeadSets.ts"
import type { Turns } from "#layers/lib/Turns.ts"
import { wordTokens } from "#layers/text/Words.ts"

const helpText =
  "Ask about this campaign: what the business does, its prices, audience, proof, guarantee, competitors, emails or lists."
const noWritingText = "This chat answers questions and writes no emails. To write emails, use a preview or send leads."

const fixedReplies: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^\W*(?:(?:please|can|could|would|you)\s+)*(?:write|draft|compose|generate)\b.*\b(?:e-?mails?|sequences?|messages?)\b/i,
    noWritingText
  ],
  [repliesQuestion, notSentNotice],
  [/\bwhat can you (?:do|help)\b|\bare you (?:an? )?(?:human|person|bot|robot|ai|real)\b/i, helpText]
]

export const summaryQuestion =
  /\bsummar(?:y|i[sz]e)\b|\bzusammenfass\w*|\bfasse?\b.*\bzusammen\b|\bcampaign\b.*\b(?:in (?:a few|two|three|some) (?:lines|words|sentences)|in short|briefly|short version)\b|\b(?:gist|in short|briefly)\b.*\bcampaign\b|\bwhole campaign\b|\b(?:overview|run-?down)\b|\bsum (?:it |this |the campaign )?up\b|\brecap\b|\bin a nutshell\b|\bwhat is (?:this|the|our) campaign about\b|\b(?:tell me|what) about (?:this|the|our) campaign\b/i

const summaryHeadings: ReadonlyArray<RegExp> = [
  /^company name/i,
  /^what it does/i,
  /^goal/i,
  /^chosen target audience/i,
  /^chosen value proposition/i,
  /^chosen proof/i,
  /^chosen lead magnet/i,
  /^chosen risk reversal/i,
  /^subject lines/i,
  /^lists of/i
]

const maxLinesPerSection = 4
const maxSectionLength = 300

/** Matches questions such as "How many leads do our lists have?" and "Which lists are done?". */
const listsQuestion =
  /\bhow ?many (?:people|persons?|contacts?|leads?|companies)\b.*\b(?:campaign|kampagne|lists?|writing|write|written|email(?:ing|ed)?)\b|\b(?:which|what|how many|newest|latest)\b.*\blists?\b/i

const answerWithoutCitations = (content: string): Answer => ({
  content,
  citations: [],
  nearest: [],
  answered_by: "search"
})

const answerWithCitations = (content: string, passages: ReadonlyArray<Passage>): Answer => ({
  ...answerWithoutCitations(content),
  citations: passages.map(citationOf)
})

/** The first passage under each of these headings. */
const findSections = ({ passages }: Index, headings: ReadonlyArray<RegExp>): ReadonlyArray<Passage> =>
  headings.flatMap((heading) => passages.find((each) => heading.test(each.heading)) ?? [])

const withFullStop = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

/** The first lines of a section, without repetitions and template syntax. */
const summarizeSection = ({ heading, text }: Passage) => {
  const lines = [...new Set(linesOf(text).map((line) => withFullStop(line.text)))].filter(
    (line) => !line.includes("{%")
  )
  const firstLines = lines.filter(
    (_, index) => index === 0 || lines.slice(0, index + 1).join(" ").length <= maxSectionLength
  )
  return `**${heading}:** ${firstLines.slice(0, maxLinesPerSection).join(" ")}`
}

/** Maximum length of a line that introduces points and is shown above them, such as "Canisters, price per unit". */
const maxIntroducing = 90
/** Most characters of the header of a table. */
const maxHeader = 300
/** Points follow each other in lines, the sentences of a paragraph in one line, and paragraphs after an empty line. */
const gapBetween = (previous: Line | undefined, { isPoint, paragraph }: Line) =>
  previous === undefined
    ? ""
    : isPoint
      ? "\n"
      : previous.paragraph === paragraph
        ? " "
        : previous.isPoint
          ? "\n\n"
          : "\n"

const formatLines = (lines: ReadonlyArray<Line>) =>
  lines
    .map((line, index) => {
      const { precedingText, isPoint, text } = line
      const { precedingText: previousIntroduction, text: previous } = lines[index - 1] ?? {
        precedingText: "",
        text: ""
      }
      const showsIntroduction =
        precedingText !== "" &&
        ![previous, previousIntroduction].includes(precedingText) &&
        precedingText.length <= (precedingText.includes(" | ") ? maxHeader : maxIntroducing)
      return `${gapBetween(lines[index - 1], line)}${isPoint && showsIntroduction ? `${precedingText}\n` : ""}${isPoint ? "- " : ""}${text}`
    })
    .join("")

const formatPassage = ({ passage: { file, heading }, shownLines }: PassageMatch) =>
  `**${heading}** (${nameOf(file)})\n\n${formatLines(shownLines)}`

const maxQuestions = 3
/** Most passages for one question, and in total. */
const maxPerQuestion = 3
const maxFound = 5
/** Most passages if the question has no answer. */
const maxNearest = 2

/** Splits a message into its questions. */
const splitQuestions = (message: string): ReadonlyArray<string> => {
  const sentences = message
    .split(/(?<=\?)\s+/)
    .filter((each) => contentWords(each).length + kindsInQuestion(each).length > 0)
  return sentences.length === 0 ? [message] : sentences.slice(-maxQuestions)
}

/** Merges results by turns: the best passage of each question, then the second of each. */
const mergeByTurns = (lists: ReadonlyArray<ReadonlyArray<PassageMatch>>): Array<PassageMatch> => {
  const merged = new Map<Passage, PassageMatch>()
  for (let index = 0; index < maxPerQuestion; index++)
    for (const match of lists.flatMap((list) => list.slice(index, index + 1)))
      if (!merged.has(match.passage) && merged.size < maxFound) merged.set(match.passage, match)
  return [...merged.values()]
}

const maxQuoted = 3
const quoteWords = (missing: ReadonlyArray<string>) =>
  missing
    .slice(0, maxQuoted)
    .map((word) => `“${word}”`)
    .join(" or ")

/** The first sentence of an answer, which names the words that the passages lack. */
const introduceAnswer = (results: ReadonlyArray<SearchResults>, isUnknown: boolean, limits: string): string => {
  const missingWords = results.flatMap((each) => each.missing)
  const missingInFirst = results.flatMap((each) => each.missingInFirst)
  // A passage may answer in other words, so that only what is missing is claimed.
  if (missingWords.length > 0) {
    const beginning = isUnknown ? notInMaterial : missingInFirst.length > 0 ? maybeMissing : nearestPassages
    const lacks = results.some(({ isForeign }) => isForeign)
      ? `No passage has ${quoteWords(missingWords)}, but a text in another language may say it otherwise.`
      : `Nothing mentions ${quoteWords(missingWords)}.`
    return `${beginning}. ${lacks}${limits}${isUnknown || missingInFirst.length === 0 ? "" : " What comes nearest:"}`
  }
  const missingAnswer = results.length === 1 ? results[0]?.missingAnswer : undefined
  if (missingAnswer !== undefined)
    return `${maybeMissing}: no passage gives ${missingAnswer} beside your words.${limits} What comes nearest:`
  return missingInFirst.length > 0
    ? `${maybeMissing}: no passage has all of your words, and the first lacks ${quoteWords(missingInFirst)}.${limits} What comes nearest:`
    : `${nearestPassages}:`
}

/** The lead that a question names alone. */
const findNamedLead = (index: Index, nouns: ReadonlyArray<string>): Passage | undefined => {
  const candidates = [...index.wordsByLead.keys()].flatMap((passage) => {
    const count = countNameWords(index, passage, nouns)
    const name = index.leadNames.get(passage) ?? []
    return count > 0 && name.some((word) => nouns.includes(word)) ? [{ passage, count }] : []
  })
  const maxCount = Math.max(...candidates.map(({ count }) => count))
  const [best, second] = candidates.filter(({ count }) => count === maxCount)
  return second === undefined ? best?.passage : undefined
}

/** States which words of the question the lists do not contain about a lead, then quotes its row. */
const describeLead = (lead: Passage, nouns: ReadonlyArray<string>): string => {
  const terms = new Set(contentWords(`${lead.heading} ${lead.text}`).flatMap(textTerms))
  const missingWords = nouns.filter((word) => !questionTerms(word).some((term) => terms.has(term)))
  const name = lead.heading.replace(/^Lead: /, "")
  return missingWords.length === 0
    ? `${nearestPassages}:`
    : `Your lists say this about ${name}, and do not mention ${quoteWords(missingWords)}:`
}

/** Most passages below the rows of leads. */
const maxBelowRows = 2

const selectOtherPassages = (matches: ReadonlyArray<PassageMatch>) =>
  matches.filter(({ passage: { file } }) => !/^leads?$|^lists$/.test(file.source)).slice(0, maxBelowRows)

/** What was not searched of the leads, as sentences for people; empty if nothing. */
const describeLimits = ({ leadNames, passages }: Index, unsearchedLeads: number): string => {
  const searched = leadNames.size
  const cutCount = passages.filter(({ file }) => file.isCut === true).length
  return [
    ...(unsearchedLeads > 0
      ? [` Only the newest ${searched} of ${searched + unsearchedLeads} leads were searched.`]
      : []),
    ...(cutCount === 0
      ? []
      : cutCount === 1
        ? [" Of 1 lead with long columns only the beginning was searched."]
        : [` Of ${cutCount} leads with long columns only the beginnings were searched.`])
  ].join("")
}

/** Lead rows first (quoted, never sent to a model), then other matching passages. */
const answerWithRows = (
  { count, isAll, searched: searchedCount, rows }: LeadRows,
  matches: ReadonlyArray<PassageMatch>,
  limits: string
): Answer => {
  const otherPassages = selectOtherPassages(matches)
  const lines = rows.map(({ heading, text }) => `- ${heading.replace(/^Lead: /, "")}: ${text.replace(/^- /, "")}`)
  return answerWithCitations(
    [
      `${isAll ? noRowHas : `${nearestRows} (${count} of ${searchedCount})`}${limits === "" ? ":" : `.${limits}`}\n\n${lines.join("\n")}`,
      ...otherPassages.map(formatPassage)
    ].join("\n\n"),
    [...rows, ...otherPassages.map(({ passage }) => passage)]
  )
}

/** Leads with the reason for each, and what else is near to the question. */
const answerWithSet = ({ rows, title }: LeadSet, matches: ReadonlyArray<PassageMatch>, limits: string): Answer => {
  // How emails are written says nothing about who gets them.
  const otherPassages = selectOtherPassages(
    matches.filter(({ passage: { file } }) => file.source !== "playbook" && file.filename !== "Email instructions.md")
  )
  const lines = rows.map(
    ({ reason, row: { heading, text } }) =>
      `- ${heading.replace(/^Lead: /, "")}: ${text.replace(/^- /, "").includes(reason) ? "" : `${withFullStop(reason)} `}${text.replace(/^- /, "")}`
  )
  return answerWithCitations(
    [
      lines.length === 0
        ? `${title}.${limits}`
        : `${title}${limits === "" ? ":" : `.${limits}`}\n\n${lines.join("\n")}`,
      ...otherPassages.map(formatPassage)
    ].join("\n\n"),
    [...rows.map(({ row }) => row), ...otherPassages.map(({ passage }) => passage)]
  )
}

/**
 * `exclusions` are the leads that should get no email; they are needed only for questions that ask for them. `unsearchedLeads` is
 * the number of the campaign's leads that the index lacks.
 */
export const answerBySearch = function* (
  index: Index,
  message: string,
  history: ReadonlyArray<Turn>,
  exclusions: Exclusions = new Map(),
  unsearchedLeads = 0
): Turns<Answer> {
  const fixedReply = fixedReplies.find(([pattern]) => pattern.test(message))
  if (fixedReply !== undefined) return answerWithoutCitations(fixedReply[1])
  if (summaryQuestion.test(message) && !/\b(?:company|business|us)\W*$/i.test(message)) {
    const sections = findSections(index, summaryHeadings)
    if (sections.length > 0) return answerWithCitations(sections.map(summarizeSection).join("\n\n"), sections)
  }
  const lists =
    listsQuestion.test(message) && !listOfLeadQuestion.test(message) ? findSections(index, [/^lists of/i]) : []
  if (lists.length > 0)
    return answerWithCitations(lists.map(({ heading, text }) => `**${heading}**\n\n${text}`).join("\n\n"), lists)

  const earlier = earlierQuestions(message, history)
  const isEmpty =
    ![...contentWords(message), ...findJoinedWords(index, message)].some((word) => /\p{L}/u.test(word)) &&
    kindsInQuestion(message).length === 0
  if (isEmpty && (earlier.length === 0 || wordTokens(message).length < 2))
    return answerWithoutCitations(/\b(?:thanks?|thx|cheers)\b/i.test(message) ? "You are welcome." : helpText)
  const leadSet = yield* findLeadSet(index, message, history, exclusions)
  const leads = leadSet === undefined ? yield* findRows(index, message, history) : undefined
  const previousPassage = earlier.length === 0 ? undefined : previousFirstPassage(message, history)
  const searchText =
    leads === undefined && leadSet === undefined ? message : message.replace(/\bleads?\b|\blists?\b/gi, " ")
  const results: Array<SearchResults> = []
  for (const each of splitQuestions(searchText))
    results.push(yield* searchPassages(index, each, earlier, maxPerQuestion, undefined, previousPassage))
  const limits = describeLimits(index, unsearchedLeads)
  const matches = mergeByTurns(results.map((each) => each.matches))
  if (leadSet !== undefined) return answerWithSet(leadSet, matches, limits)
  if (leads !== undefined) return answerWithRows(leads, matches, limits)
  if (matches.length === 0) return answerWithoutCitations(`${unknownAnswer}${limits}`)
  const nouns = results.flatMap((each) => each.nouns)
  const lead = namesStranger(index, message) ? undefined : findNamedLead(index, nouns)
  const leadIndex = matches.findIndex(({ passage }) => passage === lead)
  if (leadIndex > 0) matches.unshift(...matches.splice(leadIndex, 1))
  const isUnknown = results.every((each) => each.isUnknown) && leadIndex < 0
  const citedMatches = matches.slice(0, isUnknown ? maxNearest : maxFound)
  const citations = citedMatches.map(({ best, lines, passage }) => ({
    ...citationOf(passage),
    lines: [best, ...lines.filter((line) => line !== best)].map(({ text }) => text)
  }))
  return {
    content: [
      lead !== undefined && leadIndex >= 0 ? describeLead(lead, nouns) : introduceAnswer(results, isUnknown, limits),
      ...citedMatches.map(formatPassage)
    ].join("\n\n"),
    citations: isUnknown ? [] : citations,
    nearest: isUnknown ? citations : [],
    answered_by: "search"
  }
}
