// layers/generator/builtin/english/Time.ts: the first email: what a trouble does to the reader's week.
import type { AngleWording } from "#layers/generator/builtin/Language.ts"

export const time: AngleWording = {
  openers: {
    clause: [
      "When {trouble}, {burden}.",
      "{Trouble}. When that happens, {burden}.",
      "{Trouble}, and {burden}.",
      "My guess about {company} is that {fact}. If so, {burden}.",
      "Tell me if I'm wrong about {company}: {trouble}. Then {burden}.",
      "Maybe {company} has this solved already, but elsewhere {trouble}. Then {burden}.",
      "You may know this one {known}: {trouble}. Each time, {burden}.",
      "Here's what I'd expect at {company}: {fact}. Then {burden}.",
      "It happens more than you'd think: {trouble}. Then {burden}.",
      "If {company} is like others, {trouble}. Then {burden}.",
      "I don't know how it goes at {company}. In many places, {trouble}, and {burden}."
    ],
    doing: [
      "If your team is still {trouble}, {burden}.",
      "Nobody at {company} has {trouble} in the job description. Still, {burden}.",
      "My guess is that {company} still ends up {trouble}. When it does, {burden}.",
      "You may know this one {known}: {trouble}. Each time, {burden}.",
      "You didn't hire people for {trouble}. Still, {burden}.",
      "Time spent {trouble} is time you don't get back. And {burden}.",
      "Maybe {company} has left this behind: {trouble}. If not, {burden}."
    ],
    thing: [
      "Few things eat up your {team}'s week like {trouble}. When it's bad, {burden}.",
      "You may know this one {known}: {trouble}. Each time, {burden}.",
      "My guess is that {company} loses time to {trouble}. When it does, {burden}.",
      "If {company} has to live with {trouble}, {burden}.",
      "Maybe {company} has this solved already: {trouble}. If not, {burden}.",
      "With {trouble}, {burden}."
    ],
    other: [
      "You may know this one {known}: {trouble}. Each time, {burden}.",
      "A common one: {trouble}. Then {burden}.",
      "Maybe {company} has this solved already: {trouble}. If not, {burden}.",
      "Somebody at {company} may know this one: {trouble}. Each time, {burden}.",
      "One thing you could be up against: {trouble}. If so, {burden}."
    ],
    topic: [
      "When something goes wrong with {topic}, {burden}.",
      "If something goes wrong with {topic} at {company}, {burden}.",
      "Nobody at {company} may think about {topic} until something goes wrong. Then {burden}.",
      "Nobody thinks about {topic} until something goes wrong. Then {burden}.",
      "If {company} spends more time on {topic} than you'd like, it adds up. In the end, {burden}.",
      "At {company}, as anywhere, somebody has to look after {topic}. When something slips, {burden}.",
      "You've got enough to do at {company} without worrying about {topic}. When something slips, {burden}.",
      "You've got enough to do without worrying about {topic}. When something slips, {burden}.",
      "I don't know how {company} deals with {topic}. Where something goes wrong, {burden}.",
      "{Company} may have {topic} well in hand. If not, {burden}.",
      "You may have {topic} well in hand. If you don't, {burden}."
    ],
    bare: [
      "When something slips, {burden}.",
      "You've got enough to do without one more thing going wrong. When it does, {burden}.",
      "At {company}, as anywhere, things go wrong now and then. When they do, {burden}.",
      "Things go wrong now and then. When they do, {burden}."
    ]
  },
  proven: [
    "{does} {proof}",
    "It doesn't have to go that way. {does} {proof}",
    "{change} {proof}",
    "{proof} {does}",
    "There's another way to go about it. {change} {proof}",
    "You can get ahead of it. {does}|{proof}",
    "There's a way to stop it. {does}|{proof}",
    "{change}|{proof}",
    "That's the part you can hand over. {does} {proof}",
    "{does} {change}|{proof}",
    "It's the reason we're here. {does}|{proof}",
    "{proof}|{change}",
    "You can change that. {proof} {does}",
    "{proof}"
  ],
  unproven: [
    "{does} {mark}",
    "{change} {mark}",
    "It doesn't have to go that way. {does} {mark}",
    "{does}|{change} {mark}",
    "You can get ahead of it. {does} {change}",
    "{does} {change}",
    "It doesn't have to go that way. {does} {change}",
    "You can get ahead of it. {does}",
    "{change} {does}",
    "There's another way to go about it. {change}",
    "That's the part you can hand over. {does}",
    "{does}|You'd see the difference in your {team}'s week.",
    "It's the reason we're here. {does}|You'd have one thing less to chase.",
    "You can change that. {does} {risk}",
    "{does} {risk}",
    "That's what {our} can take off your hands. You'd have one thing less to chase and your {team} would get its time back.",
    "You can hand that part over. You'd have one thing less to chase and your {team} would get its time back."
  ],
  asks: {
    question: [
      "Is that something you see at {company}?",
      "Does that sound like {company}?",
      "Is that close to how it goes at {company}?",
      "Would you want to know how that'd work at {company}?",
      "Does your {team} run into this too?",
      "Would it make a difference to your {team}?",
      "Are you the one to ask about {topic}?",
      "Who looks after {topic} at {company}?",
      "Should I show you what that'd look like for {company}?",
      "Is this on your list for the year?",
      "Would that be of use to you?",
      "Does any of that ring true for you?",
      "Is this one yours to fix?",
      "Do you want to know how it works?"
    ],
    "lead magnet": [
      "Can I {give} {gift}?",
      "Should I {give} {gift}?",
      "Would you like {gift}?",
      "Would {magnet} help you?",
      "Want me to {give} {gift}?",
      "Shall I {give} {gift}?"
    ],
    "direct meeting": [
      "Are you open to a short call about it?",
      "Would a short call next week suit you?",
      "Can we talk about {topic} for a few minutes?",
      "Could we have a short call about {company}?",
      "Do you have a few minutes for a call this week?",
      "Would you be up for a short call?"
    ]
  },
  subjects: [
    "{Topic} at {company}",
    "{company} and {topic}",
    "{Topic}, {company}",
    "A thought on {topic}",
    "A thought for {company}",
    "An idea for {company}",
    "{Topic} and your {team}",
    "A question about {topic}",
    "A thought for your {team}",
    "Your {team}'s week"
  ]
}
