// layers/generator/builtin/english/Money.ts: the email about what the trouble costs, and about the risk of changing it.
import type { AngleWording } from "#layers/generator/builtin/english/Wording.ts"

export const money: AngleWording = {
  openers: {
    clause: [
      "There's a price to it, too. When {trouble}, {cost}.",
      "If {trouble}, {cost}.",
      "Put a price on it for a moment: {trouble}, and {cost}.",
      "{Trouble}. In the end, {cost}.",
      "It's not only time. When {trouble}, {cost}.",
      "Leave the hours aside. When {trouble}, {cost}.",
      "You won't see it on an invoice: {trouble}, and {cost}.",
      "At {company} you may not see the bill, but {trouble}. In the end, {cost}.",
      "Nobody at {company} may have put a price on it: {trouble}, and {cost}."
    ],
    doing: [
      "There's a price to {trouble}: {cost}.",
      "As long as your {team} is {trouble}, {cost}.",
      "Put a price on {trouble} for a moment. In the end, {cost}.",
      "It's not only time. With your {team} {trouble}, {cost}."
    ],
    thing: [
      "There's a price to {trouble}: {cost}.",
      "With {trouble}, {cost}.",
      "Put a price on {trouble} for a moment. In the end, {cost}.",
      "It's not only time. With {trouble}, {cost}."
    ],
    other: [
      "There's a price to this one: {trouble}. In the end, {cost}.",
      "Put a price on this for a moment: {trouble}. Then {cost}.",
      "It's not only time: {trouble}, and {cost}."
    ],
    topic: [
      "There's a price to getting {topic} wrong: {cost}.",
      "When something goes wrong with {topic}, {cost}.",
      "If nobody keeps an eye on {topic}, {cost}.",
      "Put a price on {topic} for a moment. When something slips, {cost}.",
      "It's not only your time. With {topic} left to chance, {cost}.",
      "You won't see it on an invoice, but when something slips with {topic}, {cost}.",
      "Nobody at {company} may have put a price on {topic}. When something slips, {cost}."
    ],
    bare: ["There's a price to leaving things as they are: {cost}.", "It's not only your time. In the end, {cost}."]
  },
  researched: [],
  proven: [
    "{proof} {risk}",
    "{worry} {answer}|{proof}",
    "{worry} {answer}",
    "{proof}|{risk}",
    "{change} {proof}",
    "{does} {proof}",
    "{risk} {proof}",
    "{proof}",
    "There's a better use for the money. {proof} {does}",
    "You don't have to take my word for it. {proof}"
  ],
  unproven: [
    "{risk} {mark}",
    "{change} {mark}",
    "{risk} {change}",
    "{worry} {answer}",
    "{does} {risk}",
    "You wouldn't carry the risk of trying. {risk}",
    "{worry} {answer} {risk}",
    "{change}",
    "{does}",
    "You can stop it once, or you can fix it each time it comes up.",
    "That's money you could keep. {does}",
    "There's a better use for the money. {does} {change}",
    "{does} {mark}",
    "{change} {risk}"
  ],
  asks: {
    question: [
      "Does {company} keep an eye on that?",
      "Would you want that checked at {company}?",
      "Do you know what it costs {company}?",
      "Is that a cost you'd want gone?",
      "Do you have a number for that?",
      "Would that matter to you this year?",
      "Is that on your {team}'s list?"
    ],
    "lead magnet": [
      "Would {magnet} give you a clearer view?",
      "Can I {give} {gift}?",
      "Should I {give} {gift}?",
      "Would you like {magnet} to check it?",
      "Want me to {give} {gift}?"
    ],
    "direct meeting": [
      "Could we talk it through on a short call?",
      "Would a short call this week help you judge it?",
      "Can I take you through it in a short call?",
      "Are you open to a short call about the cost?",
      "Do you have time for a short call next week?"
    ]
  },
  subjects: [
    "What it costs {company}",
    "{company}: the cost side",
    "The cost side at {company}",
    "What {topic} can cost",
    "{Topic}: the cost side",
    "What it costs your {team}",
    "What it costs you"
  ]
}
