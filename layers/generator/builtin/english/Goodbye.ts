// layers/generator/builtin/english/Goodbye.ts: the last email: short, and easy to say no to.
import type { AngleWording, Openers } from "#layers/generator/builtin/english/Wording.ts"

const about: Openers["topic"] = [
  "I'll stop here about {topic}, so you can get on with your week at {company}.",
  "You may have {topic} sorted at {company}, so I'll leave it there.",
  "I've said what I have to say about {topic}, so this is my last note.",
  "My last few lines on {topic}, and then I'll leave {company} in peace.",
  "This is my last note on {topic}.",
  "I won't write about {topic} again after this.",
  "Last one from me on {topic}, then you'll have your inbox back.",
  "If {topic} can wait, I'll leave it there.",
  "You've got plenty to read, so this is my last note about {topic}.",
  "I'll leave it here after today, as {topic} may not be what you need to fix first."
]

const bare: Openers["bare"] = [
  "I'll stop here, so you can get on with your week at {company}.",
  "I've said what I have to say, so this is my last note.",
  "My last few lines, and then I'll leave {company} in peace.",
  "This is my last note on this.",
  "You've got plenty to read, so this is my last note.",
  "Last one from me on this, then you'll have your inbox back.",
  "If this can wait, I'll leave it there.",
  "I won't write about this again after today."
]

export const goodbye: AngleWording = {
  openers: {
    clause: [...about, ...bare],
    doing: [...about, ...bare],
    thing: [...about, ...bare],
    other: [...about, ...bare],
    topic: [...about, ...bare],
    bare
  },
  researched: [],
  proven: [
    "If there's {trigger} at {company} one day, you'll know where to look. {proof}",
    "If this does come up at {company}, keep one thing in mind. {proof}",
    "Keep one thing in mind for your {team}. {proof}",
    "If you keep one line of it, keep this. {proof}",
    "Your {team} might like to know this all the same. {proof}",
    "If there's {trigger} one day, you'll know what we do. {does}",
    "If this comes up in {area} one day, {our} is here. {risk}",
    "Here's something you may want to keep in mind. {risk}",
    "Here's the one thing I'd keep for later. {proof}",
    "If your {team} asks one day, you could show them this. {proof}",
    "For the day it comes up at {company}, here's what it did for others. {proof}"
  ],
  unproven: [
    "If there's {trigger} at {company} one day, you'll know what we do. {does}",
    "If this does come up at {company}, you'll know what we do. {does}",
    "If you keep one line of it, keep this. {does}",
    "If this comes up in {area} one day, {our} is here. {risk}",
    "Here's something you may want to keep in mind. {risk}",
    "If this comes up one day, you'll know where to find us, and your {team} won't have to start from nothing.",
    "Should this come up at {company} one day, you'll know where to find us.",
    "If you take another look at {topic} one day, you'll know where to find us. Your {team} won't have to start from nothing.",
    "If somebody at {company} asks about {topic} next year, you'll have a name to give them.",
    "There's no rush with {topic}. When you're ready to look, you'll know whom to ask.",
    "You may well have {topic} in good hands, and then there's nothing to do. If not, you'll know whom to ask.",
    "There's no need to answer if you've got {topic} in hand. If you haven't, one line is enough.",
    "If things change at {company}, you know where we are. Your {team} won't have to start from nothing.",
    "There's no need to answer if it's not for you. If it is, one line is enough.",
    "If you'd rather come back to it next year, that's fine. You'll still find us here.",
    "If you look into this one day, you'll want to know what changes. {change}",
    "Here's one line to keep, in case it's useful later. {does}",
    "If you'd like to try it one day, this holds. {risk}",
    "If it comes back onto your list at {company}, here's what to ask us for. {change}",
    "If your {team} asks one day, here's the short answer. {does}",
    "Keep this for the day you need it. {does} {mark}",
    "Here's the short of it, for later. {does} {risk}",
    "Here's who you'd be talking to, for later. {mark} {does}"
  ],
  asks: {
    question: [
      "Is there someone else at {company} I should ask?",
      "Is it a no for now?",
      "Should I ask someone else at {company}?",
      "Have I come to the wrong person?",
      "Is there a better time to ask you?",
      "Would next quarter be a better time for you?",
      "Shall I leave it with you?",
      "Should I come back to you next year?",
      "Is this one for somebody else at {company}?"
    ],
    "lead magnet": [
      "Before I go, can I {give} {gift}?",
      "Would you like {magnet} before I go?",
      "Should I {give} {magnet} before I go?",
      "Can I {give} {magnet} all the same?",
      "Would {magnet} help you in the meantime?"
    ],
    "direct meeting": [
      "Would a short call this month suit you better?",
      "Do you want to talk it through on a short call first?",
      "Shall we have one short call before you decide?",
      "Would you like a short call before I leave it?",
      "Is a short call next week any easier for you?",
      "Would you rather hear it on a short call?",
      "Can we close this with a short call?",
      "Is there a day for a short call, or is it a no?"
    ]
  },
  subjects: [
    "Last note, {company}",
    "Last thought on {topic}",
    "Leaving this with {company}",
    "{Topic}: last note",
    "One last thing, {company}",
    "Leaving this with you",
    "Last note for your {team}",
    "My last note"
  ]
}
