// layers/generator/rules/Ask.ts: the rules of the one thing an email asks for.
import type { Ask } from "#layers/generator/Asks.ts"
import type { CampaignFacts } from "#layers/generator/rules/CampaignFacts.ts"
import { type Rule, warn } from "#layers/generator/rules/Rule.ts"
import { lastSentence, type View } from "#layers/generator/rules/View.ts"
import { stem, words } from "#layers/text/Words.ts"

const meeting =
  /\b(?:calls?|meet(?:ing)?|talk|speak|chat|minutes|demo|calendar|diary|phone|zoom|teams call|catch up)\b/i
const offer =
  /\b(?:send|share|give|set (?:you )?up|arrange|start with|have|like|want|pass on|forward|prepare|get|see|run|help|handy|use(?:ful)?)\b/i
const request =
  /^(?:please\b|let me know\b|tell me\b|just (?:reply|say)\b|reply\b|say (?:the word|yes)\b|if [^.]+, (?:reply|say|let me know|tell me)\b)/i
const calendar =
  /\b(?:calendly|cal\.com|savvycal|hubspot\.com\/meetings|meetings\.|book(?:ing)? (?:a time |a slot )?(?:here|below|via)|my calendar|schedule (?:here|below))/i

const worth =
  /\bworth (?:a |your |\d+ |fifteen |ten |twenty )?(?:look|minutes?|time|chat|call|conversation|exploring|quick)\b/i

/** What an email asks for, by its last sentence. */
export const askOf = (email: View, campaign: CampaignFacts): Ask | undefined => {
  const last = lastSentence(email)
  if (!last.endsWith("?") && !request.test(last)) return undefined
  if (offer.test(last)) {
    const said = words(last.toLowerCase()).filter((word) => word.length > 3 && campaign.magnets.has(stem(word)))
    if (said.length > 1 || /\b(?:send|share|forward|pass on)\b/i.test(last)) return "lead magnet"
  }
  return meeting.test(last) ? "direct meeting" : "question"
}

export const ask: ReadonlyArray<Rule> = [
  {
    id: "C1",
    severity: "fail",
    applies_to: "body",
    instruction: "Ask for exactly one thing, in the last sentence; use one question mark and no more.",
    weight: { part: "ask", cost: 10 },
    check: ({ email, campaign }) => {
      const marks = email.text.split("?").length - 1
      if (marks > 1) return { message: `It has ${marks} question marks: keep only the ask in the last sentence.` }
      if (askOf(email, campaign) === undefined) {
        return marks === 1
          ? { message: "The question does not stand in the last sentence: end with it.", text: "?" }
          : { message: "It asks for nothing: end with one easy question." }
      }
    }
  },
  {
    id: "C2",
    severity: "warn",
    applies_to: "body",
    instruction:
      "Make the ask answerable in five words, and ask for interest or offer a resource before asking for a meeting.",
    weight: { part: "ask", cost: 6 },
    check: ({ approved, earlier, email, campaign }) => {
      const last = lastSentence(email)
      const count = words(last).length
      if (count > 22) return { message: `The ask has ${count} words: make it answerable in five.`, text: last }
      if (/^(?:how|why|what (?:would it take|are your thoughts)|tell me about|describe|explain)\b/i.test(last)) {
        return { message: "The ask needs a long answer: ask something that takes five words.", text: last }
      }
      if (earlier.length === 0 && approved.has("question") && askOf(email, campaign) === "direct meeting") {
        return { message: "The first email asks for a meeting: ask for interest first.", text: last }
      }
    }
  },
  {
    id: "C3",
    severity: "warn",
    applies_to: "body",
    instruction:
      'Never ask whether it is "worth a look" or "worth 15 minutes", and put no calendar link into the first email.',
    weight: { part: "ask", cost: 6 },
    check: ({ email, step }) => {
      const found = worth.exec(email.text)?.[0]
      if (found !== undefined)
        return { message: '"Worth a look" and its kind get no answer: ask about the matter.', text: found }
      const link = step === 1 ? calendar.exec(email.text)?.[0] : undefined
      if (link !== undefined) return { message: "Take the calendar link out of the first email.", text: link }
    }
  },
  {
    id: "C4",
    severity: "warn",
    applies_to: "sequence",
    instruction: "Use only approved kinds of ask, a question first, a lead magnet second, a meeting last.",
    weight: { part: "ask", cost: 6 },
    check: ({ approved, count, email, campaign, step }) => {
      const kind = askOf(email, campaign)
      if (kind === undefined) return undefined
      const last = lastSentence(email)
      if (!approved.has(kind))
        return warn(`It asks for a ${kind}, which is not approved: ask for a ${[...approved].join(" or ")}.`, last)
      if (step === 1 && kind !== "question" && approved.has("question"))
        return warn("Start the sequence with a question.", last)
      if (kind === "direct meeting" && step < count && approved.size > 1)
        return warn("Keep the meeting for the last email.", last)
    }
  }
]
