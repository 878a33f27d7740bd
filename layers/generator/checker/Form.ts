// layers/generator/checker/Form.ts: language, length, subject lines, repetition and tone.
import { franc } from "franc-min"
import { at, quoted, whole } from "#layers/generator/checker/Findings.ts"
import { pattern } from "#layers/generator/checker/Patterns.ts"
import { type EmailText, normalOf } from "#layers/generator/checker/Text.ts"
import { setOf, words } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"

const english = setOf(
  "the to a an of and in is it you your that for on we i if this with or be are as at from what who can not there they so when " +
    "but by would one how does do before after every into our us me my have has no out up it's you're that's isn't don't i'll"
)
const languages = "eng deu fra spa nld ita por pol swe dan nob fin tur ces ron hun".split(" ")

/** Fails only where it is sure: few English small words, and a language detector that says another one. */
export const language = (email: EmailText): ReadonlyArray<Finding> => {
  const text = email.sentences.map(({ plain }) => plain).join(" ")
  const all = words(text.toLowerCase())
  const share = all.filter((word) => english.has(word)).length / all.length
  if (all.length < 8 || share >= 0.3) return []
  const wrong = share < 0.06 || (share < 0.2 && franc(text, { only: languages }) !== "eng")
  return wrong ? [whole("body", "language", "fail", "The email is not in English. Write it in English.")] : []
}

const pretended = /^\s*(?:re|fwd?|aw|wg)\s*:/i
const alarming =
  /\b(?:invoice (?:attached|overdue|due)|(?:payment|account|order) (?:overdue|failed|suspended|confirmed|confirmation)|final notice|last chance|action required|urgent|asap|verify your|your order|delivery failed|legal action|security alert|act now)\b/i

export const subjectLine = (email: EmailText, step: number): ReadonlyArray<Finding> => {
  const { subject } = email
  const found: Array<Finding> = []
  const all = { start: 0, end: subject.length }
  if (subject.trim() === "") return []
  const reply = pretended.exec(subject)
  if (reply !== null && step === 1)
    found.push(
      at(
        "subject",
        "subject.misleading",
        "fail",
        { start: 0, end: reply[0].length },
        "The first email answers nothing. Remove Re: or Fwd:."
      )
    )
  const alarm = alarming.exec(subject)
  if (alarm !== null)
    found.push(
      at(
        "subject",
        "subject.misleading",
        "warn",
        { start: alarm.index, end: alarm.index + alarm[0].length },
        `${quoted(alarm[0])} makes the reader expect something else. Name the topic.`
      )
    )
  if (/[\r\n]/.test(subject))
    found.push(at("subject", "subject.line", "fail", all, "A subject is one line. Remove the line break."))
  if (subject.length > 8 && subject === subject.toUpperCase() && /\p{Lu}{4}/u.test(subject))
    found.push(at("subject", "subject.capitals", "warn", all, "The subject is in capitals. Write it in lower case."))
  const mark = /!|[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u.exec(subject)
  if (mark !== null)
    found.push(
      at(
        "subject",
        "subject.mark",
        "hint",
        { start: mark.index, end: mark.index + mark[0].length },
        "Exclamation marks and emoji make a subject look like bulk mail."
      )
    )
  if (subject.length > 60)
    found.push(
      at(
        "subject",
        "subject.long",
        "hint",
        all,
        `The subject has ${subject.length} characters; many mail programs show 45. Cut it to its topic.`
      )
    )
  return found
}

/** The same sentence again, and texts too long to be read. */
export const repetition = (email: EmailText): ReadonlyArray<Finding> => {
  const said = new Map<string, number>()
  const found: Array<Finding> = []
  for (const sentence of email.sentences) {
    const normal = normalOf(sentence.text)
    if (normal.split(" ").length < 4) continue
    const times = (said.get(normal) ?? 0) + 1
    said.set(normal, times)
    if (times === 2)
      found.push(at("body", "repetition", "fail", sentence, "The email says this sentence twice. Remove one of them."))
  }
  return found
}

export const length = (email: EmailText): ReadonlyArray<Finding> => {
  const { wordCount } = email
  if (email.sentences.length === 0) return [whole("body", "empty", "fail", "The email says nothing. Write a body.")]
  if (wordCount > 250)
    return [whole("body", "length", "warn", `The email has ${wordCount} words. Cut it to 120 or fewer.`)]
  if (wordCount > 150)
    return [whole("body", "length", "hint", `The email has ${wordCount} words; most good first emails have 50 to 120.`)]
  return []
}

const hype =
  /\b(?:revolutioni[sz]\w+|game[- ]chang\w+|cutting[- ]edge|next[- ]level|skyrocket\w*|supercharge\w*|turbocharge\w*|unlock (?:your|the)|transform your|change everything|blow your mind|you(?:'ll| will) never believe|adore you|synerg\w+|paradigm|world of possibilities|take .{1,30} to the next level)\b/gi

export const taste = (email: EmailText): ReadonlyArray<Finding> => {
  const text = email.body.slice(0, email.signed)
  const loud = [...text.matchAll(hype)].map((found) =>
    at(
      "body",
      "hype",
      "warn",
      { start: found.index, end: found.index + found[0].length },
      `${quoted(found[0])} is hype. Say what the product does.`
    )
  )
  const nag =
    /\b(?:just checking in|checking in (?:on|to see)|bumping this|bump this|circling back|circle back|top of your inbox|did you (?:see|get) my|per my last|haven't heard back|never heard back)\b/i.exec(
      text
    )
  const nagging =
    nag === null
      ? []
      : [
          at(
            "body",
            "nagging",
            "warn",
            { start: nag.index, end: nag.index + nag[0].length },
            `${quoted(nag[0])} gives the reader nothing. Bring a new reason to answer.`
          )
        ]
  const asks =
    email.sentences.some(({ question }) => question) ||
    /\b(?:let me know|reply|send you|tell me|just say)\b/i.test(text)
  return [
    ...loud,
    ...nagging,
    ...(asks
      ? []
      : [
          whole(
            "body",
            "no.question",
            "hint",
            "The email asks nothing. End with a question that takes five words to answer."
          )
        ])
  ]
}

const reproach =
  /\b(?:and you know it|you should be ashamed|shame on you|you clearly don't|you obviously don't|you can't afford to ignore)\b/gi

/** Fails for the family of a reader, unless the sender's business is about families. */
export const personal = (email: EmailText, ours: string): ReadonlyArray<Finding> =>
  email.sentences.flatMap((sentence) => {
    const found = [...sentence.plain.matchAll(pattern.personal)].filter(
      ({ 0: text }) => !ours.includes(text.split(" ").at(-1)?.toLowerCase() ?? text)
    )
    const blamed = [...sentence.plain.matchAll(reproach)]
    return [
      ...found.map((one) =>
        at(
          "body",
          "reader.personal",
          "fail",
          { start: sentence.start + one.index, end: sentence.start + one.index + one[0].length },
          `${quoted(one[0])} is about the reader's private life. Remove it.`
        )
      ),
      ...blamed.map((one) =>
        at(
          "body",
          "reader.blamed",
          "warn",
          { start: sentence.start + one.index, end: sentence.start + one.index + one[0].length },
          `${quoted(one[0])} blames the reader. Remove it.`
        )
      )
    ]
  })
