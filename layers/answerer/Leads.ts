// layers/answerer/Leads.ts: questions about the emails that a lead of the campaign got.
import type { Answer, KnowledgeFile, Named, Turn } from "#layers/answerer/Answer.ts"
import { citationOf, passagesOf } from "#layers/answerer/Passages.ts"
import { inEnglish, isFiller } from "#layers/answerer/Vocabulary.ts"
import { words } from "#layers/text/Words.ts"

const address = /[^\s@<>(),;:"']+@[^\s@<>(),;:"']+\.[\p{L}\p{N}-]+/gu
const ofLeads =
  /\b(?:sen[dt]|sending|wr[io]te|written|writing|e-?mail(?:s|ed)?|mail(?:s|ed)?|messages?|subjects?|sequences?|contact(?:ed)?|got|gets?|receiv(?:e|ed|es)|reach(?:ed)?|tell|told|leads?|lists?|fail(?:s|ed|ures?)?|repl(?:y|ied|ies)|opened|who (?:is|are|at|works)|titles?)\b/i
const ordinals: ReadonlyArray<RegExp> = [
  /\bfirst\b|\b1st\b|\bemail 1\b/i,
  /\bsecond\b|\b2nd\b|\bemail 2\b|\bfollow-?up\b/i,
  /\bthird\b|\b3rd\b|\bemail 3\b/i,
  /\bfourth\b|\b4th\b|\bemail 4\b/i
]
/** "The second email", and not "the second year". */
const ordinal = "(?:first|second|third|fourth|last)(?=\\W*(?:$|e-?mail|mail|message|one|subject|follow))"
const leaning = new RegExp(
  `^\\W*(?:and|what about|how about)\\b|\\b(?:it|its|them|they|their|he|him|his|she|her|there|ones?|${ordinal})\\b`,
  "i"
)
const ofPersons = new RegExp(`\\b(?:he|him|his|she|her|there|ones?|${ordinal})\\b`, "i")

const ofFailure = /\bfail(?:s|ed|ures?)?\b|\b(?:didn't|did not|without|no)\b.*\be-?mails?\b/i
const failedOnly = /^(?:\W*[\p{L}']+){1,5}\W*$/u
const ofMembers =
  /\b(?:which|what) (?:[\p{L}-]+ ){1,3}(?:are|do|did|will|have) we (?:writ\w+|e-?mail\w*|contact\w*)(?: to)?\W*$|\b(?:which|who|what|whose|show|name|list)\b.*\b(?:leads?|people|persons?|contacts?|companies|everyone)\b.*\b(?:in|on|of|from)\b|\bwho(?:'s| is| are| was| were) (?:in|on)\b.*\blists?\b/iu

/** Whether a question asks which leads a list has, or which of them failed. */
const groupIn = (text: string): Named["group"] => {
  if (
    ofFailure.test(text) &&
    (/\b(?:leads?|lists?|e-?mails?)\b/i.test(text) || (/failed|failure/i.test(text) && failedOnly.test(text)))
  )
    return "failed"
  return ofMembers.test(text) && /\blists?\b/i.test(text) && !/\bhow many\b/i.test(text) ? "all" : undefined
}

const courtesy = /^(?:mrs?|ms|dr|herrn?|frau|mme|monsieur|madame)$/i
const marking = /^(?:to|for|at|with|from|about|did|an|sen[dt]|wr[io]te|e?mail(?:ed)?|tell|told)$/i
/** What joins a name and a company: "Jane of Poe Mills". */
const joining = /^(?:at|from|of|von)$/i

/** The words in a row that may be a name. Where some have capitals, only those. */
const namesIn = (text: string): Named["names"] => {
  const spoken = words(text).map((word) => word.replace(/'s$/, ""))
  const runs: Array<Array<number>> = [[]]
  spoken.forEach((word, at) => {
    const lower = word.toLowerCase()
    if (!isFiller(lower) && !ofLeads.test(lower) && !courtesy.test(lower) && lower.length > 1) runs.at(-1)?.push(at)
    else if (!joining.test(lower) && !(lower === "the" && joining.test(spoken[at - 1] ?? ""))) runs.push([])
  })
  return runs.flatMap((run) => {
    const capitals = run.filter((at) => /^\p{Lu}/u.test(spoken[at] ?? ""))
    const [first = 0] = run
    const previous = spoken[first - 1] ?? ""
    const name = (capitals.length === 0 ? run : capitals).map((at) => (spoken[at] ?? "").toLowerCase())
    const isMarked = capitals.some((at) => at > 0) || marking.test(previous) || courtesy.test(previous)
    return name.length === 0 ? [] : [{ words: name, isMarked }]
  })
}

/** What a message may name a lead by; undefined for a question about something else. */
const namedIn = (message: string, asked: boolean): Named | undefined => {
  const text = message.slice(0, 1000)
  const addresses = (text.match(address) ?? []).map((each) => each.toLowerCase())
  if (addresses.length === 0 && !asked && !ofLeads.test(text)) return undefined
  const byTitle = !/^\W*(?:and )?who (?:is|are)\b(?!.*\bthere\b)/i.test(text)
  const lower = words(text).map((word) => word.toLowerCase().replace(/'s$/, ""))
  return { addresses, names: namesIn(text), group: groupIn(text), words: lower.join(" "), colleagues: false, byTitle }
}

export interface Wanted {
  readonly named: Named
  /** The leads that the conversation may be about, the latest first, for a question that names none. */
  readonly before: ReadonlyArray<Named>
}

/** Earlier questions that are looked at for a lead. */
const mostBefore = 3

/** Which leads a question may be about. */
export const wanted = (message: string, history: ReadonlyArray<Turn>): Wanted | undefined => {
  const text = inEnglish(message)
  const colleagues = /\belse\b/i.test(text)
  const earlier = history.flatMap(({ content, role }) => {
    const named = role === "user" ? namedIn(inEnglish(content), true) : undefined
    return named === undefined ? [] : [{ ...named, colleagues }]
  })
  const leans = leaning.test(text)
  const named = namedIn(text, leans && earlier.length > 0)
  const isAbout = leans && (ofLeads.test(text) || ofPersons.test(text))
  return named && { named, before: isAbout ? earlier.toReversed().slice(0, mostBefore) : [] }
}

/** Without email addresses, which are not sent to a model. */
export const withoutAddresses = (text: string) => text.replace(address, "(address)")

/** What happened to emails after they were exported. */
export const ofReplies =
  /\b(?:did|has|have|was|who|which|how many)\b.*\b(?:repl(?:y|ied)|opened|answer(?:ed)?|open(?:ed)? (?:\w+ ){0,2}e?-?(?:mails?|messages?)|mails? opened|respond(?:ed)?|bounced?|click(?:ed)?|unsubscribed?)\b|\b(?:open|reply|response|click|bounce) rates?\b/i
/** Emails that were written, to any lead. */
export const ofSending =
  /\b(?:did|have(?! to)|has(?! to)|had|was|were|been)\b.*\b(?:wr[io]te|written|sen[dt]|e-?mailed|contacted|did (?:we|you|i) (?:contact|e?-?mail))\b/i
export const unsent =
  "Overture writes emails and does not send them, so it does not know when an email was sent, opened or answered."

const ofDelivery = /\b(?:sen[dt]|got|get|gets|receiv\w+)\b/i
const written = "These emails are written. Overture does not send them and does not know whether they were sent."

/** The emails of the leads; of one lead in full, or only the email that is asked for. */
export const aboutLeads = (asked: string, files: ReadonlyArray<KnowledgeFile>): Answer => {
  const message = inEnglish(asked)
  const passages = passagesOf(files)
  if (files.every(({ source }) => source === "lists")) {
    const content = passages.map(({ heading, text }) => `**${heading}**\n\n${text}`).join("\n\n")
    return { content, citations: passages.map(citationOf), nearest: [], answered_by: "search" }
  }
  if (/\bwhen\b/i.test(message) || ofReplies.test(message)) {
    return { content: unsent, citations: [], nearest: passages.map(citationOf), answered_by: "search" }
  }
  const at = ordinals.findIndex((ordinal) => ordinal.test(message))
  const isLast = /\b(?:last|final|latest) (?:e-?mail|mail|message|one)\b/i.test(message)
  const shown = passages.map(({ heading, text }) => {
    const emails = text.split(/\n\n(?=\*\*Email \d\. Subject: )/)
    const wanted = isLast ? emails.slice(-1) : at < 0 ? emails : emails.slice(at, at + 1)
    const of = wanted.length === 0 ? [`There is no email ${at + 1}; ${emails.length} were written.`] : wanted
    const isWhole = passages.length === 1 && !/^\W*(?:and )?who\b|\btitle\b/i.test(message)
    const brief = isWhole ? of : of.map((email) => email.split("\n")[0] ?? "")
    return [`**${heading}**`, ...brief].join("\n\n")
  })
  // "Sent" and "got" are what people say of emails that are written.
  const note = ofDelivery.test(message) && at < 0 ? [written] : []
  return {
    content: [...shown, ...note].join("\n\n"),
    citations: passages.map(citationOf),
    nearest: [],
    answered_by: "search"
  }
}

/** For an address that no lead of the campaign has. */
export const noLead = "No lead in the lists of this campaign has that address."
