// layers/answerer/Leads.ts: questions about the emails that were written to the leads of the campaign.
import type { Answer, KnowledgeFile, LeadReference, Turn } from "#layers/answerer/Answer.ts"
import { citationOf, passagesOf } from "#layers/answerer/Passages.ts"
import { asksForRows } from "#layers/answerer/LeadRows.ts"
import { earlierQuestions } from "#layers/answerer/Search.ts"
import { isFiller } from "#layers/answerer/Terms.ts"
import { wordTokens } from "#layers/text/Words.ts"

const addressPattern = /[^\s@<>(),;:"']+@[^\s@<>(),;:"']+\.[\p{L}\p{N}-]+/gu
/** Words of a question about emails to leads: "sent", "subject", "lists". */
const leadQuestion =
  /\b(?:sen[dt]|sending|wr[io]te|written|writing|e-?mail(?:s|ed)?|mail(?:s|ed)?|messages?|subjects?|sequences?|contacted|receiv(?:e|ed|es)|reach(?:ed)?|tell|told|leads?|lists?|fail(?:s|ed|ures?)?|repl(?:y|ied|ies)|opened)\b/i
/** Words of a lead to the business, and other questions about a person that no email answers. */
const personQuestion =
  /\b(?:tell|told|sa(?:y|id)|wr[io]te|sen[dt]|e?mail(?:ed)?|give|gave|let)s? (?:to )?(?:us|me)\b|\be-?mail address\b/i
/** Words of a question about emails, without "leads" and "lists". */
const emailsQuestion =
  /\b(?:sen[dt]|sending|wr[io]te|written|writing|e-?mail(?:s|ed)?|mail(?:s|ed)?|messages?|subjects?|sequences?|contacted|receiv(?:e|ed|es)|reached|tell|told|fail(?:s|ed|ures?)?|repl(?:y|ied|ies)|opened)\b/i
const ordinals: ReadonlyArray<RegExp> = [
  /\bfirst\b|\b1st\b|\bemail 1\b/i,
  /\bsecond\b|\b2nd\b|\bemail 2\b|\bfollow-?up\b/i,
  /\bthird\b|\b3rd\b|\bemail 3\b/i,
  /\bfourth\b|\b4th\b|\bemail 4\b/i
]
/** "The second email", and not "the second year". */
const ordinal = "(?:first|second|third|fourth|last)(?=\\W*(?:$|e-?mail|mail|message|one|subject|follow))"
const backReference = new RegExp(
  `^\\W*(?:and|what about|how about)\\b|\\b(?:it|its|them|they|their|he|him|his|she|her|there|ones?|${ordinal})\\b`,
  "i"
)
const personReference = new RegExp(`\\b(?:he|him|his|she|her|there|ones?|${ordinal})\\b`, "i")

/** "In which list is Jane Poe?", and not "Which lists are done?". */
export const listOfLeadQuestion =
  /\b[Ii]n (?:which|what) lists? (?:is|are|do we have|did we put) (?=\p{Lu}\p{Ll}|\S+@)|\b(?:[Ww]hich|[Ww]hat) lists? (?:has|have|contains?) (?=\p{Lu}\p{Ll}|\S+@)/u

const failureQuestion = /\bfail(?:s|ed|ures?)?\b|\b(?:didn't|did not|without|no)\b.*\be-?mails?\b/i
const shortQuestion = /^(?:\W*[\p{L}']+){1,5}\W*$/u
const membersQuestion =
  /\b(?:which|what) (?:[\p{L}-]+ ){1,3}(?:are|do|did|will|have) we (?:writ\w+|e-?mail\w*|contact\w*)(?: to)?\W*$|\b(?:which|who|what|whose|show|name|list)\b.*\b(?:leads?|people|persons?|contacts?|companies|everyone)\b.*\b(?:in|on|of|from)\b|\bwho(?:'s| is| are| was| were) (?:in|on)\b.*\blists?\b/iu

/** Whether a question asks which leads a list has, or which of them failed. */
const parseGroup = (text: string): LeadReference["group"] => {
  if (
    failureQuestion.test(text) &&
    (/\b(?:leads?|lists?|e-?mails?)\b/i.test(text) || (/failed|failure/i.test(text) && shortQuestion.test(text)))
  )
    return "failed"
  return membersQuestion.test(text) && /\blists?\b/i.test(text) && !/\bhow many\b/i.test(text) ? "all" : undefined
}

const courtesyTitle = /^(?:mrs?|ms|dr|herrn?|frau|mme|monsieur|madame)$/i
const wordBeforeName = /^(?:to|for|at|with|from|about|did|an|sen[dt]|wr[io]te|e?mail(?:ed)?|tell|told)$/i
/** Prepositions between a name and a company: "Jane of Poe Mills". */
const companyPreposition = /^(?:at|from|of|von)$/i

/** Runs of words that may be a name. If some words of a run have capitals, only those are kept. */
const findNames = (text: string): LeadReference["names"] => {
  const words = wordTokens(text).map((word) => word.replace(/'s$/, ""))
  const runs: Array<Array<number>> = [[]]
  words.forEach((word, index) => {
    const lower = word.toLowerCase()
    if (!isFiller(lower) && !leadQuestion.test(lower) && !courtesyTitle.test(lower) && lower.length > 1)
      runs.at(-1)?.push(index)
    else if (!companyPreposition.test(lower) && !(lower === "the" && companyPreposition.test(words[index - 1] ?? "")))
      runs.push([])
  })
  return runs.flatMap((run) => {
    const capitals = run.filter((index) => /^\p{Lu}/u.test(words[index] ?? ""))
    const [first = 0] = run
    const previous = words[first - 1] ?? ""
    const name = (capitals.length === 0 ? run : capitals).map((index) => (words[index] ?? "").toLowerCase())
    const isMarked =
      capitals.some((index) => index > 0) || wordBeforeName.test(previous) || courtesyTitle.test(previous)
    return name.length === 0 ? [] : [{ words: name, isMarked }]
  })
}

/** The addresses, names and titles by which a message may refer to leads; undefined if it is about something else. */
const parseLeadReference = (message: string, isAsked: boolean): LeadReference | undefined => {
  const text = message.slice(0, 1000)
  const addresses = (text.match(addressPattern) ?? []).map((each) => each.toLowerCase())
  if (addresses.length === 0 && !isAsked && !leadQuestion.test(text)) return undefined
  const byTitle = !/^\W*(?:and )?who (?:is|are)\b(?!.*\bthere\b)/i.test(text)
  const words = wordTokens(text).map((word) => word.toLowerCase().replace(/'s$/, ""))
  // "What did Jane Poe tell us?" names a lead and asks for no email to her.
  const isOfEmails =
    isAsked ||
    addresses.length > 0 ||
    listOfLeadQuestion.test(text) ||
    (emailsQuestion.test(text) && !personQuestion.test(text))
  return {
    addresses,
    names: isOfEmails ? findNames(text) : [],
    group: parseGroup(text),
    words: words.join(" "),
    colleagues: false,
    byTitle
  }
}

export interface LeadQuestion {
  readonly named: LeadReference
  /** The leads that the conversation may be about, the latest first, for a question that names none. */
  readonly earlierReferences: ReadonlyArray<LeadReference>
}

/** Earlier questions that are looked at for a lead. */
const maxEarlier = 3

/** German words in questions about leads, with their English. */
const germanWords: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:geschickt|gesendet)\b/gi, "sent"],
  [/\bgeschrieben\b/gi, "written"],
  [/\bgeöffnet(?!\p{L})/giu, "opened"],
  [/\bgeantwortet\b/gi, "replied"],
  [/\bbetreff\w*/gi, "subject"],
  [/\bzweite[nrs]?\b/gi, "second"],
  [/\berste[nrs]?\b/gi, "first"],
  [/\b(?:bei|beim)\b/gi, "at"],
  [/\ban\b(?= \p{Lu})/gu, "to"],
  [/^hat\b/gi, "has"]
]

const toEnglish = (question: string): string =>
  germanWords.some(([word]) => question.search(word) >= 0) &&
  /\b(?:haben|hat|hatte|wem|was|wir|die|der|und)\b/i.test(question)
    ? germanWords.reduce((text, [word, english]) => text.replace(word, english), question)
    : question

/** Which leads a question may be about. */
export const leadQuestionIn = (message: string, history: ReadonlyArray<Turn>): LeadQuestion | undefined => {
  const text = toEnglish(message)
  const colleagues = /\belse\b/i.test(text)
  const earlierReferences = history.flatMap(({ content, role }) => {
    const reference = role === "user" ? parseLeadReference(toEnglish(content), true) : undefined
    return reference === undefined ? [] : [{ ...reference, colleagues }]
  })
  const refersBack = backReference.test(text)
  const named = parseLeadReference(
    text,
    refersBack &&
      earlierQuestions(message, history).some((each) => leadQuestion.test(toEnglish(each)) && !asksForRows(each))
  )
  const refersToLead = refersBack && !asksForRows(text) && (leadQuestion.test(text) || personReference.test(text))
  return named && { named, earlierReferences: refersToLead ? earlierReferences.toReversed().slice(0, maxEarlier) : [] }
}

/** Questions about replies and opens, which Overture does not know. */
export const repliesQuestion =
  /\b(?:did|has|have|was|who|which|how many)\b.*\b(?:repl(?:y|ied)|opened|answer(?:ed)?|open(?:ed)? (?:\w+ ){0,2}e?-?(?:mails?|messages?)|mails? opened|respond(?:ed)?|bounced?|click(?:ed)?|unsubscribed?)\b|\b(?:open|reply|response|click|bounce) rates?\b/i
export const notSentNotice =
  "Overture writes emails and does not send them, so it does not know when an email was sent, opened or answered."

const deliveryQuestion = /\b(?:sen[dt]|got|get|gets|receiv\w+)\b/i
const writtenNotice = "These emails are written. Overture does not send them and does not know whether they were sent."

/** The emails of the leads; of one lead in full, or only the email that is asked for. */
export const answerAboutLeads = (question: string, files: ReadonlyArray<KnowledgeFile>): Answer => {
  const message = toEnglish(question)
  if (files.every(({ source }) => source === "lists")) {
    const passages = passagesOf(files)
    const content = passages.map(({ heading, text }) => `**${heading}**\n\n${text}`).join("\n\n")
    return { content, citations: passages.map(citationOf), nearest: [], answered_by: "search" }
  }
  const leads = files.map((file) => {
    const [heading = "", ...paragraphs] = file.content.split("\n\n")
    return { file, heading: heading.replace(/^#+ /, ""), text: paragraphs.join("\n\n") }
  })
  const citations = leads.map(citationOf)
  if (/\bwhen\b/i.test(message) || repliesQuestion.test(message)) {
    return { content: notSentNotice, citations: [], nearest: citations, answered_by: "search" }
  }
  // A question that also asks what was written gets the emails too.
  if (listOfLeadQuestion.test(question) && !emailsQuestion.test(message)) {
    const content = leads.map(({ file, heading }) => `**${heading}**\n\nList: ${file.filename}`).join("\n\n")
    return { content, citations, nearest: [], answered_by: "search" }
  }
  const index = ordinals.findIndex((ordinal) => ordinal.test(message))
  const isLast = /\b(?:last|final|latest) (?:e-?mail|mail|message|one)\b/i.test(message)
  const summaries = leads.map(({ heading, text }) => {
    const emails = text.split(/\n\n(?=\*\*Email \d\. Subject: )/)
    const selectedEmails = isLast ? emails.slice(-1) : index < 0 ? emails : emails.slice(index, index + 1)
    const shownEmails =
      selectedEmails.length === 0 ? [`There is no email ${index + 1}; ${emails.length} were written.`] : selectedEmails
    const isWhole = leads.length === 1 && !/^\W*(?:and )?who\b|\btitle\b/i.test(message)
    const emailTexts = isWhole ? shownEmails : shownEmails.map((email) => email.split("\n")[0] ?? "")
    return [`**${heading}**`, ...emailTexts].join("\n\n")
  })
  // "Sent" and "got" are what people say of emails that are written.
  const note = deliveryQuestion.test(message) && index < 0 ? [writtenNotice] : []
  const lists = listOfLeadQuestion.test(question) ? [`List: ${leads.map(({ file }) => file.filename).join(", ")}`] : []
  return { content: [...lists, ...summaries, ...note].join("\n\n"), citations, nearest: [], answered_by: "search" }
}

/** The answer for an address that no lead of the campaign has. */
export const noLeadNotice = "No lead in the lists of this campaign has that address."
