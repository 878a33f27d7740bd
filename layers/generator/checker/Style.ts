// layers/generator/checker/Style.ts: checks length, subject line, repetition and tone.
import {
  type EmailText,
  findingAt,
  findingOnWhole,
  normalizeForComparison,
  quoteShort
} from "#layers/generator/checker/EmailText.ts"
import type { Finding } from "#schema/Findings.ts"

/** A reply or forward prefix, also in other languages: "Re:", "AW:". */
const fakeReplyPrefix = /^\s*(?:re|fwd?|aw|wg|tr|rv|antw|odp)\s*(?:\[\d+\])?\s*:/i
/** Subjects that imitate invoices, notices or orders: "payment overdue". */
const alarmingWords =
  /\b(?:invoice (?:attached|overdue|due)|(?:payment|account|order|subscription|contract|licen[cs]e|delivery|refund) (?:overdue|failed|suspended|confirmed|confirmation|expired|expiring|expires|cancelled|terminated|due|pending|reminder)|(?:final|formal|official|legal|statutory|important|enforcement|penalty|infringement|inspection) (?:notice|notification|warning|reminder|request|information|summons)|(?:notice|notification|warning|complaint|reminder|report|summons) (?:about|concerning|regarding|against|of|for|on|at) (?:your|you\b|the inspection|inspection|a complaint)|last chance|(?:action|response|reply|signature|payment|attention|confirmation) (?:is )?(?:required|needed|requested|necessary)|urgent|immediate(?:ly)?|asap|verify your|confirm your|your (?:order|account|invoice|payment|parcel|password|subscription|booking|refund|complaint|fine|application|summons)\b(?! (?:books?|desk|manag\w+|process\w*|system|forms?|teams?|software|\p{L}+s)\b)|delivery failed|legal action|security (?:alert|breach|incident)|data breach|act now|(?:complaint|accident|incident|fine|penalty|audit|lawsuit|claim) (?:at|against|report|from|in) (?:your|you)\b|(?:accident|incident) report|you(?:'ve| have) been (?:selected|reported|fined|charged|chosen|approved)|we(?:'ve| have) (?:received|suspended|charged|cancelled)|(?:payment|money|funds) (?:received|transferred|refunded)|(?:cqc|ofsted|hse|osha|irs|hmrc|fda|epa|ico|gdpr|police|court|tax office|finanzamt|bailiff|council|government)\s?:|(?:meeting|call|appointment|interview) (?:confirmed|confirmation|moved|cancelled|rescheduled)|missed (?:delivery|payment)|(?:our|your) (?:call|meeting|conversation|agreement|contract) (?:yesterday|today|on|of|last|tomorrow))/iu

export const subjectFindings = (email: EmailText, step: number): ReadonlyArray<Finding> => {
  const { subject } = email
  const findings: Array<Finding> = []
  const span = { start: 0, end: subject.length }
  if (subject.trim() === "") return []
  const reply = fakeReplyPrefix.exec(subject)
  if (reply !== null && step === 1)
    findings.push(
      findingAt(
        "subject",
        "subject.misleading",
        "fail",
        { start: 0, end: reply[0].length },
        "The first email answers nothing. Remove Re: or Fwd:."
      )
    )
  const alarm = alarmingWords.exec(subject)
  if (alarm !== null)
    findings.push(
      findingAt(
        "subject",
        "subject.misleading",
        "warn",
        { start: alarm.index, end: alarm.index + alarm[0].length },
        `${quoteShort(alarm[0])} makes the reader expect something else. Name the topic.`
      )
    )
  if (/[\r\n]/.test(subject))
    findings.push(findingAt("subject", "subject.line", "fail", span, "A subject is one line. Remove the line break."))
  if (subject.length > 8 && subject === subject.toUpperCase() && /\p{Lu}{4}/u.test(subject))
    findings.push(
      findingAt("subject", "subject.capitals", "warn", span, "The subject is in capitals. Write it in lower case.")
    )
  const attentionMark = /!|[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u.exec(subject)
  if (attentionMark !== null)
    findings.push(
      findingAt(
        "subject",
        "subject.mark",
        "hint",
        { start: attentionMark.index, end: attentionMark.index + attentionMark[0].length },
        "Exclamation marks and emoji make a subject look like bulk mail."
      )
    )
  if (subject.length > 60)
    findings.push(
      findingAt(
        "subject",
        "subject.long",
        "hint",
        span,
        `The subject has ${subject.length} characters; many mail programs show 45. Cut it to its topic.`
      )
    )
  return findings
}

/** Shorter sentences, such as "Worth a look?", may be repeated. */
const minRepeatedWords = 4

/** Sentences that occur more than once. */
export const repetitionFindings = (email: EmailText): ReadonlyArray<Finding> => {
  const counts = new Map<string, number>()
  const findings: Array<Finding> = []
  for (const sentence of email.sentences) {
    const comparisonText = normalizeForComparison(sentence.text)
    if (comparisonText.split(" ").length < minRepeatedWords) continue
    const count = (counts.get(comparisonText) ?? 0) + 1
    counts.set(comparisonText, count)
    // One finding, however often the sentence occurs.
    if (count === 2)
      findings.push(
        findingAt("body", "repetition", "fail", sentence, "The email says this sentence twice. Remove one of them.")
      )
  }
  return findings
}

export const lengthFindings = (email: EmailText): ReadonlyArray<Finding> => {
  const { wordCount } = email
  if (email.sentences.length === 0)
    return [findingOnWhole("body", "empty", "fail", "The email says nothing. Write a body.")]
  if (wordCount > 250)
    return [findingOnWhole("body", "length", "warn", `The email has ${wordCount} words. Cut it to 120 or fewer.`)]
  if (wordCount > 150)
    return [
      findingOnWhole(
        "body",
        "length",
        "hint",
        `The email has ${wordCount} words; most good first emails have 50 to 120.`
      )
    ]
  return []
}

/** Hype: "revolutionise", "game-changing". */
const hypePattern =
  /\b(?:revolutioni[sz]\w+|game[- ]chang\w+|cutting[- ]edge|next[- ]level|skyrocket\w*|supercharge\w*|turbocharge\w*|unlock (?:your|the)|transform your|change everything|blow your mind|you(?:'ll| will) never believe|adore you|synerg\w+|paradigm|world of possibilities|take .{1,30} to the next level)\b/gi

export const styleFindings = (email: EmailText): ReadonlyArray<Finding> => {
  const text = email.body.slice(0, email.signatureStart)
  const hypeFindings = [...text.matchAll(hypePattern)].map((match) =>
    findingAt(
      "body",
      "hype",
      "warn",
      { start: match.index, end: match.index + match[0].length },
      `${quoteShort(match[0])} is hype. Say what the product does.`
    )
  )
  const asksForReply =
    email.sentences.some(({ isQuestion }) => isQuestion) ||
    /\b(?:let me know|reply|send you|tell me|just say)\b/i.test(text)
  return [
    ...hypeFindings,
    ...(asksForReply
      ? []
      : [
          findingOnWhole(
            "body",
            "no.question",
            "hint",
            "The email asks nothing. End with a question that takes five words to answer."
          )
        ])
  ]
}
