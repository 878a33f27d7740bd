// layers/answerer/Quote.ts: answers in the words of a campaign's passages, found by search.
import { type Answer, type Turn, uncertain, unknown } from "#layers/answerer/Answer.ts"
import { ofReplies, unsent } from "#layers/answerer/Leads.ts"
import type { Index } from "#layers/answerer/Index.ts"
import { citationOf, key, type Line, type Passage } from "#layers/answerer/Passages.ts"
import { clausesOf, type Query, questions, read, swapped } from "#layers/answerer/Question.ts"
import { answering, type Found, nearest, type Subject } from "#layers/answerer/Search.ts"
import { inEnglish } from "#layers/answerer/Vocabulary.ts"
import { isStopWord, looksEnglish, words } from "#layers/text/Words.ts"

const rest = "The rest of the question is not answered there."
const englishFindsMost = "Questions in English find most."
const help =
  "Ask about this campaign: what the business does, its prices, audience, proof, guarantee, competitors, emails or lists."
const writer = "This chat answers questions and writes no emails. To write emails, use a preview or send leads."

const stopped = (text: string): string => (/[.!?…:]["')\]]*$/.test(text) ? text : `${text}.`)

/** Points as a list under their heading, sentences as prose; a single point that is a sentence stands alone. */
const composed = ({ lines, passage: { heading } }: Found): string => {
  const [only] = lines
  if (only !== undefined && lines.length === 1) {
    const bare = only.point && !only.text.includes(": ") && words(only.text).length < 5
    return stopped(bare ? `${heading}: ${only.text}` : only.text)
  }
  const blocks: Array<string> = []
  let last: Line | undefined
  for (const line of lines) {
    const at = blocks.length - 1
    if (last?.point === line.point) blocks[at] += line.point ? `\n- ${line.text}` : ` ${stopped(line.text)}`
    else blocks.push(line.point ? `${heading}:\n- ${line.text}` : stopped(line.text))
    last = line
  }
  return blocks.join("\n\n")
}

const speaks = ({ all, sections }: Query) => all.size > 0 || sections.size > 0

const noSubject: Subject = { terms: new Set(), sections: new Set() }

/** What a conversation was about before: the latest question that named something. */
export const subject = (index: Index, history: ReadonlyArray<Turn>): Subject => {
  let about = noSubject
  for (const { content, role } of history) {
    if (role !== "user") continue
    for (const each of questions(content)) {
      const query = read(index, each)
      const known = [...query.sections, ...query.terms].filter((term) => index.frequency.has(term))
      if (known.length === 0) continue
      const keeps = query.follows
      about = {
        // "And how much is it?" keeps what "it" is.
        terms: new Set([...(keeps ? about.terms : []), ...known]),
        sections: query.continues && query.sections.size === 0 ? about.sections : query.sections
      }
    }
  }
  return about
}

const small: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^\W*(?:(?:please|can|could|would|you)\s+)*(?:write|draft|compose|generate)\b.*\b(?:e-?mails?|sequences?|messages?)\b/i,
    writer
  ],
  [ofReplies, unsent],
  [/\bwhat can you (?:do|help)\b|\bare you (?:an? )?(?:human|person|bot|robot|ai|real)\b/i, help]
]

export const summarising =
  /\bsummar(?:y|i[sz]e)\b|\bfasse?\b.*\bzusammen\b|\bcampaign\b.*\b(?:in (?:a few|two|three|some) (?:lines|words|sentences)|in short|briefly)\b|\b(?:gist|in short|briefly)\b.*\bcampaign\b|\bwhole campaign\b|\bzusammenfassung\b|\b(?:overview|run-?down)\b|\bsum (?:it |this |the campaign )?up\b|\brecap\b|\bin a nutshell\b|\bwhat is (?:this|the|our) campaign about\b|\b(?:tell me|what) about (?:this|the|our) campaign\b/i

const outline: ReadonlyArray<RegExp> = [
  /^what it does/i,
  /^chosen target audience/i,
  /^chosen value proposition/i,
  /^chosen proof/i,
  /^chosen lead magnet/i,
  /^chosen risk reversal/i,
  /^lists of/i
]

const mostPerSection = 3
const mostNear = 3

/** How many leads the campaign has, and in which lists. */
const counting =
  /\bhow ?many (?:people|persons?|contacts?|leads?|companies)\b.*\b(?:campaign|kampagne|lists?|writing|write|written|email(?:ing|ed)?)\b/i
/** Answers to an objection, found by words that the profile may not contain. */
const objecting =
  /\bwhat (?:do|should|can|shall|could) (?:i|we) (?:say|tell|answer|reply|respond)\b|\bcome-?back\b|\bsay back\b|\bwas sag(?:e|en)? (?:ich|wir)\b/i
const nearlyThat = "These objections and answers are known:"

/** The lines of the first passage of such a heading. */
const section = ({ passages }: Index, heading: RegExp): ReadonlyArray<Found> =>
  passages
    .filter((each) => heading.test(each.heading))
    .slice(0, 1)
    .map((passage) => ({ passage, lines: passage.lines }))

/** The campaign in short: the first lines of the sections that say what it is. */
const summary = ({ passages }: Index): ReadonlyArray<Found> =>
  outline.flatMap((heading) => {
    const passage = passages.find((each) => heading.test(each.heading))
    return passage === undefined ? [] : [{ passage, lines: passage.lines.slice(0, mostPerSection) }]
  })

const outlined = ({ lines, passage }: Found) =>
  `**${passage.heading}:** ${lines.map(({ text }) => stopped(text)).join(" ")}`

/** Characters of passages that a model is given. */
const mostMaterial = 24_000

/** What a model answers from: the passages nearest to the question, then the others, as far as there is space. */
export const passagesFor = (index: Index, message: string, history: ReadonlyArray<Turn>): ReadonlyArray<Passage> => {
  const before = subject(index, history)
  const near = questions(message)
    .flatMap((text) => nearest(index, read(index, text), before.terms))
    .map(({ passage }) => passage)
  const others = index.passages.filter(({ file }) => file.source !== "playbook")
  let space = mostMaterial
  return [...new Set([...near, ...summary(index).map(({ passage }) => passage), ...others])].filter(({ text }) => {
    space -= text.length
    return space >= 0
  })
}

const plainly = (content: string): Answer => ({ content, citations: [], nearest: [], answered_by: "search" })

const citing = (content: string, found: ReadonlyArray<Found>): Answer => ({
  ...plainly(content),
  citations: [...new Set(found.map(({ passage }) => passage))].map(citationOf)
})

/** An answer that is not known, with the lines that come nearest. */
const withNearest = (near: ReadonlyArray<Found>, isForeign: boolean): Answer => {
  const passages = [...new Map(near.map((each) => [key(each.passage.text), each])).values()]
  const withLines = passages.filter(({ lines }) => lines.length > 0)
  const offered = (withLines.length > 0 ? withLines : passages).slice(0, mostNear)
  const content = withLines.length > 0 ? uncertain : unknown
  return {
    ...plainly(isForeign ? `${content} ${englishFindsMost}` : content),
    nearest: offered.map(({ lines, passage }) => ({
      ...citationOf(passage),
      lines: lines.slice(0, mostNear).map(({ text }) => text)
    }))
  }
}

const more =
  /^\W*(?:(?:(?:and|what|anything|any|tell me|is there|say)\W+)*(?:else|more)|(?:what|how) about (?:them|it|that|those))\b/i

export const isKnown = ({ citations }: Answer) => citations.length > 0

export const answer = (index: Index, message: string, history: ReadonlyArray<Turn>): Answer => {
  const english = inEnglish(message)
  const spoken = small.find(([pattern]) => pattern.test(english))
  if (spoken !== undefined) return plainly(spoken[1])
  if (summarising.test(message) && !/\b(?:company|business|us)\W*$/i.test(message)) {
    const found = summary(index)
    if (found.length > 0) return citing(found.map(outlined).join("\n\n"), found)
  }
  const lists = counting.test(english) ? section(index, /^lists of/i) : []
  if (lists.length > 0) return citing(lists.map(composed).join("\n\n"), lists)
  const before = subject(index, history)
  const previous = history.findLast(({ role }) => role === "user")?.content ?? ""
  const asking = (text: string) => {
    const query = read(index, swapped(previous, text))
    const leaning = query.follows ? before : noSubject
    const asks = speaks(query) || (before.terms.size > 0 && query.follows && words(text).length > 1)
    if (!asks || (more.test(text) && query.terms.size === 0)) {
      return { asks: before.terms.size > 0 && more.test(text), query, found: undefined }
    }
    return { asks: true, query, found: answering(index, query, leaning) }
  }
  const answers = questions(message).flatMap((text) => {
    const whole = asking(text)
    const parts = whole.asks && whole.found === undefined ? clausesOf(text).map(asking) : []
    return parts.some(({ found }) => found !== undefined) ? parts : [whole]
  })
  if (answers.every(({ asks }) => !asks)) {
    if (/\b(?:thanks?|thx|cheers)\b/i.test(message)) return plainly("You are welcome.")
    if (!(message.trim().endsWith("?") && words(message).length > 3)) return plainly(help)
  }
  const found = answers.flatMap(({ found }) => found ?? [])
  const objections = found.length === 0 && objecting.test(english) ? section(index, /hesitate|objections/i) : []
  if (objections.length > 0) return citing([nearlyThat, ...objections.map(composed)].join("\n\n"), objections)
  if (found.length === 0) {
    const near = answers.flatMap(({ query }) => nearest(index, query, query.follows ? before.terms : noSubject.terms))
    const foreign = !looksEnglish(message) && !words(message.toLowerCase()).some(isStopWord)
    return withNearest(near, foreign)
  }
  const missed = answers.some(({ asks, found }) => asks && found === undefined)
  return citing([...new Set(found.map(composed)), ...(missed ? [rest] : [])].join("\n\n"), found)
}
