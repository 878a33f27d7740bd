// layers/generator/rules/Series.ts: the rules of emails that follow each other.
import type { Rule } from "#layers/generator/rules/Rule.ts"
import { likeness } from "#layers/text/Likeness.ts"

/** Days after the first email at which each one is best sent, by the number of emails. */
export const suggestedDelays: ReadonlyArray<ReadonlyArray<number>> = [[], [0], [0, 3], [0, 3, 8], [0, 3, 7, 14]]

const nagging =
  /\b(?:just checking in|checking in (?:on|to see)|bumping|bump this|following up on my|follow(?:ing)? up (?:on|to) my (?:last|previous|earlier)|(?:i )?(?:never|haven't|have not|didn't|did not) (?:heard?|get a (?:reply|response)) (?:back|from)|circling back|circle back|top of your inbox|any thoughts on my|did you (?:see|get) my|per my last|as per my)\b/i
const goodbye =
  /\b(?:last (?:note|email|mail|message|one) (?:from me|on this|about)|my last|won't (?:write|email|mail|bother|contact)[^.]*\bagain|leave it (?:here|there|at that)|stop here|close (?:the|your) file|final (?:note|email)|goodbye|i'll stop writing|no more emails?)\b/i
const earlierTalk =
  /\b(?:my (?:last|previous|earlier|first) (?:email|mail|note|message)|as (?:i )?(?:mentioned|wrote|said)|i wrote (?:to you )?(?:last|earlier|before)|since my last|again from me|earlier (?:email|note))\b/i

export const saysGoodbye = (text: string): boolean => goodbye.test(text)

export const series: ReadonlyArray<Rule> = [
  {
    id: "Q1",
    severity: "warn",
    applies_to: "sequence",
    instruction: "Send the emails on days 0, 3, 7 and 14; three on days 0, 3 and 8; two on days 0 and 3.",
    weight: { part: "ask", cost: 2 },
    check: ({ count, delays, step }) => {
      const wanted = suggestedDelays[count]
      if (delays === undefined || wanted === undefined || step !== 1) return undefined
      if (delays.length !== wanted.length || delays.some((day, at) => day !== wanted[at]))
        return { message: `Send on days ${wanted.join(", ")}.` }
    }
  },
  {
    id: "Q2",
    severity: "warn",
    applies_to: "sequence",
    instruction:
      "Give each email its own angle: save time, make money, save money, a resource, a goodbye. Repeat no wording.",
    weight: { part: "value", cost: 8 },
    check: ({ earlier, email }) => {
      const near = earlier.findIndex((before) => likeness(before.trigrams, email.trigrams) >= 0.5)
      if (near >= 0) return { message: `It reads like email ${near + 1}: take another angle.` }
    }
  },
  {
    id: "Q3",
    severity: "fail",
    applies_to: "body",
    instruction: "Never check in, bump, follow up on an earlier email or complain of silence.",
    weight: { part: "situation", cost: 15 },
    check: ({ email }) => {
      const found = nagging.exec(email.text)?.[0]
      if (found !== undefined)
        return { message: `"${found}" gives the reader nothing: bring a new reason to answer.`, text: found }
    }
  },
  {
    id: "Q4",
    severity: "warn",
    applies_to: "sequence",
    instruction: "Say goodbye only in the last of two or more emails, and speak of no earlier emails in the first.",
    weight: { part: "situation", cost: 8 },
    check: ({ count, email, step }) => {
      const farewell = step < count || count < 2 ? goodbye.exec(email.text)?.[0] : undefined
      if (farewell !== undefined)
        return { message: "It says goodbye too early: keep that for the last email.", text: farewell }
      const talk = step === 1 ? earlierTalk.exec(email.text)?.[0] : undefined
      if (talk !== undefined) return { message: "The first email speaks of earlier ones: there are none.", text: talk }
    }
  }
]
