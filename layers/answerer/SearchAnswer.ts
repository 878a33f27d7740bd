// layers/answerer/SearchAnswer.ts: answers a question with the passages that search finds, and claims nothing itself.
import {
  type Answer,
  maybeMissing,
  nearestPassages,
  notInMaterial,
  type Turn,
  unknown
} from "#layers/answerer/Answer.ts"
import { repliesQuestion, notSentNotice } from "#layers/answerer/Leads.ts"
import type { Index } from "#layers/answerer/Index.ts"
import { kindsInQuestion } from "#layers/answerer/Kinds.ts"
import { citationOf, type Line, linesOf, nameOf, type Passage } from "#layers/answerer/Passages.ts"
import { find, earlierQuestions, type Found, type Results } from "#layers/answerer/Search.ts"
import { contentWords } from "#layers/answerer/Terms.ts"
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

/** How many leads the campaign has, and in which lists. */
const listsQuestion =
  /\bhow ?many (?:people|persons?|contacts?|leads?|companies)\b.*\b(?:campaign|kampagne|lists?|writing|write|written|email(?:ing|ed)?)\b|\b(?:which|what|how many|newest|latest)\b.*\blists?\b/i

const withoutCitations = (content: string): Answer => ({ content, citations: [], nearest: [], answered_by: "search" })

const withCitations = (content: string, passages: ReadonlyArray<Passage>): Answer => ({
  ...withoutCitations(content),
  citations: passages.map(citationOf)
})

/** The sections under such headings, the first of each. */
const findSections = ({ passages }: Index, headings: ReadonlyArray<RegExp>): ReadonlyArray<Passage> =>
  headings.flatMap((heading) => passages.find((each) => heading.test(each.heading)) ?? [])

const withFullStop = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

/** The first lines of a section, without repetitions and template syntax. */
const summarizeSection = ({ heading, text }: Passage) => {
  const lines = [...new Set(linesOf(text).map((line) => withFullStop(line.text)))].filter(
    (line) => !line.includes("{%")
  )
  const first = lines.filter((_, at) => at === 0 || lines.slice(0, at + 1).join(" ").length <= maxSectionLength)
  return `**${heading}:** ${first.slice(0, maxLinesPerSection).join(" ")}`
}

const formatLines = (lines: ReadonlyArray<Line>) =>
  lines.map(({ isPoint, text }, at) => `${at === 0 ? "" : isPoint ? "\n" : " "}${isPoint ? "- " : ""}${text}`).join("")

const formatPassage = ({ lines, passage: { file, heading } }: Found) =>
  `**${heading}** (${nameOf(file)})\n\n${formatLines(lines)}`

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
const mergeByTurns = (lists: ReadonlyArray<ReadonlyArray<Found>>): ReadonlyArray<Found> => {
  const found = new Map<Passage, Found>()
  for (let at = 0; at < maxPerQuestion; at++)
    for (const each of lists.flatMap((list) => list.slice(at, at + 1)))
      if (!found.has(each.passage) && found.size < maxFound) found.set(each.passage, each)
  return [...found.values()]
}

const maxQuoted = 3
const quoteWords = (missing: ReadonlyArray<string>) =>
  missing
    .slice(0, maxQuoted)
    .map((word) => `“${word}”`)
    .join(" or ")

/** The first sentence of an answer, which names the words that the passages lack. */
const introduction = (results: ReadonlyArray<Results>, isUnknown: boolean): string => {
  const missing = results.flatMap((each) => each.missing)
  const absent = results.flatMap((each) => each.missingInFirst)
  // A passage may answer in other words, so that only what is missing is claimed.
  if (missing.length > 0)
    return `${isUnknown ? notInMaterial : nearestPassages}. Nothing mentions ${quoteWords(missing)}.`
  return absent.length > 0
    ? `${maybeMissing}: no passage has all of your words, and the first lacks ${quoteWords(absent)}. What comes nearest:`
    : `${nearestPassages}:`
}

export const answerBySearch = (index: Index, message: string, history: ReadonlyArray<Turn>): Answer => {
  const fixedReply = fixedReplies.find(([pattern]) => pattern.test(message))
  if (fixedReply !== undefined) return withoutCitations(fixedReply[1])
  if (summaryQuestion.test(message) && !/\b(?:company|business|us)\W*$/i.test(message)) {
    const found = findSections(index, summaryHeadings)
    if (found.length > 0) return withCitations(found.map(summarizeSection).join("\n\n"), found)
  }
  const lists = listsQuestion.test(message) ? findSections(index, [/^lists of/i]) : []
  if (lists.length > 0)
    return withCitations(lists.map(({ heading, text }) => `**${heading}**\n\n${text}`).join("\n\n"), lists)

  const before = earlierQuestions(message, history)
  const isEmpty = !contentWords(message).some((word) => /\p{L}/u.test(word)) && kindsInQuestion(message).length === 0
  if (isEmpty && (before.length === 0 || wordTokens(message).length < 2))
    return withoutCitations(/\b(?:thanks?|thx|cheers)\b/i.test(message) ? "You are welcome." : helpText)
  const results = splitQuestions(message).map((each) => find(index, each, before, maxPerQuestion))
  const found = mergeByTurns(results.map((each) => each.found))
  if (found.length === 0) return withoutCitations(unknown)
  const isUnknown = results.every((each) => each.isUnknown)
  const cited = found.slice(0, isUnknown ? maxNearest : maxFound)
  const citations = cited.map(({ best, lines, passage }) => ({
    ...citationOf(passage),
    lines: [best, ...lines.filter((line) => line !== best)].map(({ text }) => text)
  }))
  return {
    content: [introduction(results, isUnknown), ...cited.map(formatPassage)].join("\n\n"),
    citations: isUnknown ? [] : citations,
    nearest: isUnknown ? citations : [],
    answered_by: "search"
  }
}
