// layers/generator/JobTitles.ts: the separate job titles in a text such as "maintenance managers and plant directors".
import { capitalizeFirst } from "#layers/generator/playbook/Frames.ts"
import { splitNames } from "#layers/text/Markdown.ts"
import { splitSentences } from "#layers/text/Sentences.ts"
import { wordTokens } from "#layers/text/Words.ts"

/** Words that name a person by what they do, in the languages whose titles are routed. */
export const holderNoun =
  /(?<!\p{L})(?:(?:co-?)?founders?|owners?|managers?|directors?|heads?|vp|svp|evp|presidents?|chiefs?|c[a-z]{1,2}os?|officers?|leads?|leaders?|partners?|principals?|engineers?|buyers?|supervisors?|advis[eo]rs?|administrators?|coordinators?|planners?|controllers?|accountants?|dentists?|doctors?|physicians?|nurses?|chefs?|bakers?|brewers?|architects?|lawyers?|attorneys?|counsels?|editors?|teachers?|headteachers?|deans?|secretar(?:y|ies)|treasurers?|specialists?|analysts?|developers?|consultants?|designers?|surveyors?|scientists?|superintendents?|executives?|proprietors?|chair(?:man|men|woman|person)?|agents?|bursars?|captains?|clerks?|farmers?|brokers?|operators?|stewards?|foremen|foreman|boss(?:es)?|paralegals?|assistants?|\p{L}*leiter(?:in(?:nen)?)?|geschäftsführer(?:in(?:nen)?)?|inhaber(?:in(?:nen)?)?|\p{L}*meister|\p{L}*einkäufer|directeurs?|directrices?|gérants?|gérantes?|responsables?|dirigeants?)(?!\p{L})/iu

/** "Typical buyers are", "We talk to", "Who usually calls us:", "For": the words of a sentence before the titles themselves. */
const titleIntroduction =
  /^(?:[^,:]{0,60}\b(?:we|us|who|whom|buyers?|clients?|customers?|contacts?|titles?|readers?|makers?|roles?)\b[^,:]{0,30}:\s+|(?:(?:mostly|usually|typically) )?(?:we|you|they|our|the|typical|main|most|decision)\b[^,]{0,50}?\b(?:are|is|be|include|with|to|for|help|serve|support|supply|advise|equip)(?: dealing with| are| is| usually| mostly| mainly| typically| the| an?)*\s+|for\s+)/i

/** A title in a sentence that says more than the title. */
const nonTitlePattern = /\b(?:with|who|that|whose|which|between|bring|us|our|your|they)\b|\d|[.!?:]/i

/** "Design engineers of valve" before ", meter and switchgear makers" is half of a title; "Head of Sales" is one. */
const joiningWord = /\b(?:of|at|in|for|and)\b|\s&\s/i
const headOfTitle = /^(?:heads?|vps?|directors?|chiefs?|presidents?) of \p{L}+(?: (?:and|&) \p{L}+)?$/iu

/** Both sides of "and" must be titles: "Head of Sales and Marketing" is a single title. */
const splitAtAnd = (title: string): ReadonlyArray<string> => {
  const sides = title.split(/\s+(?:and|or|&|und|oder|et|ou)\s+/i)
  return sides.length > 1 && sides.every((side) => holderNoun.test(side)) ? sides : [title]
}

/** More words than a title has; a longer text is a description. */
const maxWords = 9
const maxWordsInSentence = 5

/** "HR managers and safety advisers call us first": what these people do. */
const deedPattern =
  /(?<=\p{L}) (?:(?:usually|normally|mostly|often) )?(?:call us|ring us|contact us|write to us|have (?:our|my)|are (?:our|the)|sign off|decide|buy from us)\b.*$/iu

/** Of a sentence only what is surely a title; of a list all that is not too long for one. */
const titlesInSentence = (sentence: string): ReadonlyArray<string> => {
  const listed = sentence.replace(titleIntroduction, "").replace(deedPattern, "")
  const isSentence = listed !== sentence || /[.!?]$/.test(sentence)
  return splitNames(listed.replace(/\s*[.!?]+$/, ""))
    .flatMap(splitAtAnd)
    .map((title) => title.trim().replace(isSentence ? /^(?:(?:and|or|an?|the)\s+)+/i : /^(?:and|or)\s+/i, ""))
    .filter(
      (title) =>
        /\p{L}/u.test(title) &&
        !/^(?:we|you|they|it|our|mostly|sometimes)\b| with \d|[=$€£]/i.test(title) &&
        wordTokens(title).length <= (isSentence ? maxWordsInSentence : maxWords) &&
        !(
          isSentence &&
          (nonTitlePattern.test(title) ||
            !holderNoun.test(title) ||
            (joiningWord.test(title) && !headOfTitle.test(title)))
        )
    )
}

export const extractJobTitles = (text: string | null | undefined): ReadonlyArray<string> => {
  const found = new Map<string, string>()
  for (const title of splitSentences((text ?? "").replace(/\s+[·•]\s+/g, "\n")).flatMap(titlesInSentence))
    if (!found.has(title.toLowerCase())) found.set(title.toLowerCase(), capitalizeFirst(title))
  return [...found.values()]
}

/** Whether a text names nothing but the titles that are read from it. */
export const areAllTitles = (text: string): boolean => {
  const rest = splitSentences(text.replace(/\s+[·•]\s+/g, "\n"))
    .map((sentence) => sentence.replace(titleIntroduction, "").replace(deedPattern, ""))
    .join(" ")
    .toLowerCase()
  const left = extractJobTitles(text).reduce((whole, title) => whole.replace(title.toLowerCase(), " "), rest)
  return !/(?<!\p{L})(?!(?:and|or|the|und|oder|et|ou|an?)(?!\p{L}))\p{L}/u.test(left)
}
