// layers/generator/JobTitles.ts: the separate job titles in a text such as "maintenance managers and plant directors".
import { capitalizeFirst } from "#layers/generator/playbook/Frames.ts"
import { splitNames } from "#layers/text/Markdown.ts"
import { splitSentences } from "#layers/text/Sentences.ts"
import { wordTokens } from "#layers/text/Words.ts"

/** Words that name a person by what they do, in the languages whose titles are routed. */
export const titleNoun =
  /(?<!\p{L})(?:(?:co-?)?founders?|owners?|managers?|directors?|heads?|vp|svp|evp|presidents?|chiefs?|c[a-z]{1,2}os?|officers?|leads?|leaders?|partners?|principals?|engineers?|buyers?|supervisors?|advis[eo]rs?|administrators?|coordinators?|planners?|controllers?|accountants?|dentists?|doctors?|physicians?|nurses?|chefs?|bakers?|brewers?|architects?|lawyers?|attorneys?|counsels?|editors?|teachers?|headteachers?|deans?|secretar(?:y|ies)|treasurers?|specialists?|analysts?|developers?|consultants?|designers?|surveyors?|scientists?|superintendents?|executives?|proprietors?|chair(?:man|men|woman|person)?|agents?|bursars?|captains?|clerks?|writers?|farmers?|brokers?|operators?|stewards?|foremen|foreman|boss(?:es)?|paralegals?|assistants?|\p{L}*leiter(?:in(?:nen)?)?|geschäftsführer(?:in(?:nen)?)?|inhaber(?:in(?:nen)?)?|\p{L}*meister|\p{L}*einkäufer|directeurs?|directrices?|gérants?|gérantes?|responsables?|dirigeants?)(?!\p{L})/iu

/** "Typical buyers are", "We talk to", "Who usually calls us:", "For": the words of a sentence before the titles themselves. */
const titleIntroduction =
  /^(?:(?:[^,:]{0,40}\bif )?you(?:['’]re| are)(?: probably| perhaps| likely)? (?:an?|the)\s+|[^,:]{0,60}\b(?:we|us|who|whom|buyers?|clients?|customers?|contacts?|titles?|readers?|makers?|roles?)\b[^,:]{0,30}:\s+|(?:(?:mostly|usually|typically) )?(?:we|you|they|our|the|typical|main|most|decision)\b[^,]{0,50}?\b(?:are|is|be|include|with|to|for|help|serve|support|supply|advise|equip)(?: dealing with| are| is| usually| mostly| mainly| typically| the| an?)*\s+|for\s+)/i

/** "Signed by: the estates manager": a label that names no title, before one. */
const labelPattern = /^([^,:]{1,60}?)(?::|->|→)\s+(\S.*)$/su
const removeLabel = (sentence: string): string => {
  const [, label = "", titles = ""] = labelPattern.exec(sentence) ?? []
  return titles !== "" && !titleNoun.test(label) && titleNoun.test(titles) ? titles : sentence
}

/** A title in a sentence that says more than the title. */
const nonTitlePattern = /\b(?:with|who|that|whose|which|between|bring|us|our|your|they)\b|\d|[.!?:]/i

/** "Design engineers of valve" before ", meter and switchgear makers" is half of a title; "Head of Sales" is one. */
const joiningWord = /\b(?:of|at|in|for|and)\b|\s&\s/i
const completeTitle =
  /^(?:(?:heads?|vps?|directors?|chiefs?|presidents?) of \p{L}+(?: (?:and|&) \p{L}+)?|\p{L}+ (?:and|&) \p{L}+ (?:managers?|directors?|officers?|leads?|coordinators?))$/iu

/** Both sides of "and" must be titles: "Head of Sales and Marketing" is a single title. */
const splitAt = (title: string, word: RegExp): ReadonlyArray<string> => {
  const sides = title.split(word)
  return sides.length > 1 && sides.every((side) => titleNoun.test(side)) ? sides : [title]
}
const splitAtAnd = (title: string): ReadonlyArray<string> =>
  splitAt(title, /\s+(?:or|oder|ou)\s+/i).flatMap((side) => splitAt(side, /\s+(?:and|&|und|et)\s+/i))

/** Maximum number of words in a title; longer texts are descriptions. */
const maxWords = 9
const maxWordsInSentence = 5

/** "HR managers and safety advisers call us first": what these people do. */
const actionClause =
  /(?<=\p{L}) (?:(?:usually|normally|mostly|often) )?(?:call us|ring us|contact us|write to us|have (?:our|my)|are (?:our|the)|sign off|decide|buy from us)\b.*$/iu

/** "A finance director if there is one", "the owner who signs": when they decide, or what they do. */
const trailingClause =
  / (?:if|who|when|where|unless|but|often|usually|normally|sometimes|mostly|can(?:not|['’]t)?|(?:at|in|on) (?:large|small)\p{Ll}*)\b.*$/iu
/** "Otherwise the owner", "agreed with the office manager": all before the last article. */
const precedingWords = /^(?:.*\b(?:an?|the)\s+|(?:and|or|either|otherwise|probably|usually|mostly|often|normally)\s+)+/i
const removeClause = (part: string): string => {
  const title = part.replace(trailingClause, "")
  return titleNoun.test(title) ? title : part
}
const isDenied = (part: string): boolean => /\b(?:not|never|cannot|without)\b|n['’]t\b/i.test(part)

/**
 * The titles in a sentence or list. In a sentence, only text that is certainly a title; in a list, every item that is
 * short enough.
 */
const titlesInSentence = (sentence: string): ReadonlyArray<string> => {
  const titleText = removeLabel(sentence).replace(titleIntroduction, "").replace(actionClause, "")
  const isSentence = titleText !== sentence || /[.!?]$/.test(sentence) || trailingClause.test(sentence)
  return splitNames(titleText.replace(/\s*[.!?]+$/, ""))
    .filter((part) => !isSentence || !isDenied(part))
    .flatMap((part) => splitAtAnd(isSentence ? removeClause(part) : part))
    .map((title) => title.trim().replace(isSentence ? precedingWords : /^(?:(?:and|or)\s+)?(?:(?:an?|the)\s+)?/i, ""))
    .filter(
      (title) =>
        /\p{L}/u.test(title) &&
        // "Domestic: no" is a remark in a list of titles.
        (!/[:?!]/.test(title) || titleNoun.test(title)) &&
        !/^(?:we|you|they|it|our|mostly|sometimes)\b| with \d|[=$€£]/i.test(title) &&
        wordTokens(title).length <= (isSentence ? maxWordsInSentence : maxWords) &&
        !(
          isSentence &&
          (nonTitlePattern.test(title) ||
            !titleNoun.test(title) ||
            (joiningWord.test(title) && !completeTitle.test(title)))
        )
    )
}

export const extractJobTitles = (text: string | null | undefined): ReadonlyArray<string> => {
  const titles = new Map<string, string>()
  for (const title of splitSentences((text ?? "").replace(/\s+[·•]\s+/g, "\n")).flatMap(titlesInSentence))
    if (!titles.has(title.toLowerCase())) titles.set(title.toLowerCase(), capitalizeFirst(title))
  return [...titles.values()]
}

/** Whether a text consists only of job titles. */
export const areAllTitles = (text: string): boolean => {
  const titleText = splitSentences(text.replace(/\s+[·•]\s+/g, "\n"))
    .map((sentence) => removeLabel(sentence).replace(titleIntroduction, "").replace(actionClause, ""))
    .join(" ")
    .toLowerCase()
  const remainingText = extractJobTitles(text).reduce(
    (content, title) => content.replace(title.toLowerCase(), " "),
    titleText
  )
  return !/(?<!\p{L})(?!(?:and|or|the|und|oder|et|ou|an?)(?!\p{L}))\p{L}/u.test(remainingText)
}
