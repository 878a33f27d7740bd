// layers/generator/rules/Subject.ts: the rules of a subject line.
import { type Rule, warn } from "#layers/generator/rules/Rule.ts"
import { acronyms } from "#layers/text/Specifics.ts"
import { bare } from "#layers/text/Words.ts"

const pressure =
  /\b(?:quick question|touching base|touch base|curious|urgent|asap|hurry|act now|last chance|final notice|important|immediately|today only|limited|deadline|don't miss|expir(?:es|ing))\b/i
const emoji = /[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u

export const subject: ReadonlyArray<Rule> = [
  {
    id: "S1",
    severity: "fail",
    applies_to: "subject",
    instruction: "Give every subject line two to five words, 45 characters at most.",
    weight: { part: "subject", cost: 3 },
    check: ({ email }) => {
      const { subject, subjectWords } = email
      const count = subjectWords.length
      if (subject.trim() === "") return { message: "The subject is empty: write two to five words." }
      if (subject.length > 60 || count > 9)
        return { message: `The subject has ${count} words and ${subject.length} characters: cut it to five words.` }
      if (count < 2 || count > 5 || subject.length > 45)
        return warn(
          `The subject has ${count} words and ${subject.length} characters: use two to five words and at most 45 characters.`
        )
    }
  },
  {
    id: "S2",
    severity: "warn",
    applies_to: "subject",
    instruction: "Write subjects in sentence case or lower case, with no word in capitals but acronyms and names.",
    weight: { part: "subject", cost: 2 },
    check: ({ email, campaign, lead }) => {
      const named = (word: string) => campaign.allies.has(bare(word)) || lead.companyWords.has(bare(word))
      const shouted = email.subjectWords.find(
        (word) =>
          /\p{Lu}{3}/u.test(word) &&
          word === word.toUpperCase() &&
          !acronyms.has(word) &&
          !campaign.capitals.has(word) &&
          !(lead.company ?? "").includes(word)
      )
      if (shouted !== undefined)
        return { message: `"${shouted}" is in capitals: write it in lower case.`, text: shouted }
      const titled = email.subjectWords
        .slice(1)
        .filter(
          (word) =>
            word.length > 3 && /^\p{Lu}\p{Ll}/u.test(word) && !named(word) && !campaign.vocabulary.has(bare(word))
        )
      if (titled.length > 1)
        return {
          message: "The subject is in title case: use capitals only for its first word and for names.",
          text: titled[0] ?? ""
        }
    }
  },
  {
    id: "S3",
    severity: "fail",
    applies_to: "subject",
    instruction:
      "No exclamation mark, emoji, dollar or percent sign in a subject, and no Re: or Fwd: on the first email.",
    weight: { part: "subject", cost: 5 },
    check: ({ email, step }) => {
      if (step === 1 && /^\s*(?:re|fwd?|aw|wg)\s*:/i.test(email.subject))
        return { message: "The first email answers nothing: take Re: or Fwd: out of the subject." }
      const mark = /[!$%\n\r]/.exec(email.subject) ?? emoji.exec(email.subject)
      if (mark !== null) return { message: "Take exclamation marks, emoji, $ and % out of the subject.", text: mark[0] }
    }
  },
  {
    id: "S4",
    severity: "warn",
    applies_to: "subject",
    instruction: 'Put no urgency, no "quick question" or the like, and not the reader\'s first name into a subject.',
    weight: { part: "subject", cost: 3 },
    check: ({ email, lead }) => {
      const found = pressure.exec(email.subject)?.[0]
      if (found !== undefined)
        return { message: `"${found}" sounds like bulk mail: name the matter instead.`, text: found }
      const first = lead.first?.toLowerCase()
      if (
        first !== undefined &&
        !lead.companyWords.has(first) &&
        email.subjectWords.some((word) => bare(word) === first)
      ) {
        return { message: "Take the reader's first name out of the subject.", text: first }
      }
    }
  },
  {
    id: "S5",
    severity: "warn",
    applies_to: "sequence",
    instruction: "Give each email of a sequence its own subject.",
    weight: { part: "subject", cost: 5 },
    check: ({ earlier, email }) => {
      const mine = email.subject.trim().toLowerCase()
      if (earlier.some((before) => before.subject.trim().toLowerCase() === mine))
        return { message: "An earlier email has this subject: write another.", place: "subject" }
    }
  }
]
