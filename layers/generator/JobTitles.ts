// layers/generator/JobTitles.ts: the separate job titles in a text such as "maintenance managers and plant directors".
import { capitalized } from "#layers/generator/playbook/Frames.ts"
import { names } from "#layers/text/Markdown.ts"
import { words } from "#layers/text/Words.ts"

/** Words that name a person by what they do, in the languages whose titles are routed. */
const holder =
  /(?<!\p{L})(?:(?:co-?)?founders?|owners?|managers?|directors?|heads?|vp|svp|evp|presidents?|chiefs?|c[a-z]{1,2}os?|officers?|leads?|leaders?|partners?|principals?|engineers?|buyers?|supervisors?|administrators?|coordinators?|planners?|controllers?|accountants?|dentists?|doctors?|physicians?|nurses?|chefs?|bakers?|brewers?|architects?|lawyers?|attorneys?|counsels?|editors?|teachers?|headteachers?|deans?|secretar(?:y|ies)|treasurers?|specialists?|analysts?|developers?|consultants?|designers?|surveyors?|scientists?|superintendents?|executives?|proprietors?|chair(?:man|men|woman|person)?|agents?|brokers?|operators?|stewards?|foremen|foreman|boss(?:es)?|paralegals?|assistants?|\p{L}*leiter(?:in(?:nen)?)?|geschäftsführer(?:in(?:nen)?)?|inhaber(?:in(?:nen)?)?|\p{L}*meister|\p{L}*einkäufer|directeurs?|directrices?|gérants?|gérantes?|responsables?|dirigeants?)(?!\p{L})/iu

/** "Typical buyers are", "We talk to": the words of a sentence before the titles themselves. */
const introduction =
  /^(?:[^,]{0,40}\b(?:are|is|include)|we (?:sell|talk|write|speak) to)(?: (?:usually|mostly|mainly|typically))?(?: the)?\s+/i

/** Both sides of "and" must be titles: "Head of Sales and Marketing" is a single title. */
const apart = (title: string): ReadonlyArray<string> => {
  const sides = title.split(/\s+(?:and|or|&|und|oder|et|ou)\s+/i)
  return sides.length > 1 && sides.every((side) => holder.test(side)) ? sides : [title]
}

/** More words than a title has; a longer text is a description. */
const mostWords = 9

export const jobTitles = (text: string | null | undefined): ReadonlyArray<string> => {
  const listed = names((text ?? "").replace(/\.\s*$/, "")).map((name, at) =>
    at === 0 ? name.replace(introduction, "") : name
  )
  const found = new Map<string, string>()
  for (const title of listed.flatMap(apart).map((each) => each.trim()))
    if (/\p{L}/u.test(title) && words(title).length <= mostWords && !found.has(title.toLowerCase()))
      found.set(title.toLowerCase(), capitalized(title))
  return [...found.values()]
}
