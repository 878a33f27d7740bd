// layers/generator/builtin/english/Resource.ts: the email that brings something to use, or another view of the matter.
import type { AngleWording, Template } from "#layers/generator/builtin/english/Wording.ts"

/** Whatever the shape of the trouble, it stands as it is after a colon. */
const colon: ReadonlyArray<Template> = [
  "Another one for {area}: {trouble}.",
  "Here's a second thing your {team} may run into: {trouble}.",
  "One more you may recognise: {trouble}.",
  "There may be a second one at {company}: {trouble}."
]

/** The same with more around it, for a trouble that fits into one sentence with that. */
const longer: ReadonlyArray<Template> = [
  "If you've a minute this week, ask somebody at {company} about this one: {trouble}.",
  "It may be nothing at {company}, but here's what I'd look at next: {trouble}.",
  "There's one more that tends to hide behind the first, at {company} or anywhere: {trouble}.",
  "Your {team} may have stopped talking about this one, as it's always been there: {trouble}.",
  "Somewhere at {company} there's a person who'd nod at this one: {trouble}.",
  "You could walk over to your {team} and ask about this one: {trouble}."
]

export const resource: AngleWording = {
  openers: {
    clause: [
      ...colon,
      ...longer,
      "There's a quieter one, too: {trouble}. You'd hardly see it from day to day.",
      "Something else you could check at {company} is whether {fact}.",
      "You can test this one at your desk: see if {fact}.",
      "It's easy to miss, but {trouble}.",
      "Ask around at {company} and you may hear this, too: {trouble}.",
      "If the first one isn't yours at {company}, this may be: {trouble}.",
      "{Trouble}. You may be so used to it that it's hard to see.",
      "It doesn't make the agenda often, but {trouble}.",
      "You may have got used to it by now: {trouble}.",
      "Your {team} could tell you about this one: {trouble}.",
      "Here's one that's easy to check at {company}: see whether {fact}.",
      "I'd put one more thing on the list for {company}: {trouble}.",
      "Somebody on your {team} may have said it already: {trouble}."
    ],
    doing: [
      ...colon,
      "It's easy to get used to {trouble}.",
      "Your {team} may not even count the hours it spends {trouble}.",
      "How much of your week goes on {trouble} is hard to say from outside.",
      "I'd put {trouble} on the list for {company}, too.",
      "Your {team} could tell you what it's like: {trouble}, again and again."
    ],
    thing: [
      ...colon,
      ...longer,
      "It's easy to get used to {trouble}.",
      "You can put a number on {trouble}, and few companies do.",
      "There's a quieter one, too: {trouble}.",
      "I'd put {trouble} on the list for {company}, too.",
      "Your {team} could tell you a thing or two about {trouble}.",
      "If the first one isn't yours at {company}, this may be: {trouble}."
    ],
    other: [
      ...colon,
      ...longer,
      "There's a quieter one, too: {trouble}.",
      "I'd put one more thing on the list for {company}: {trouble}."
    ],
    topic: [
      "It's easy to put {topic} off until next month, and you know how that goes.",
      "If {company} ever takes another look at {topic}, you'd want a second name on your list.",
      "Your {team} may have its own way with {topic}, and a second view can't hurt.",
      "You don't have to change how you deal with {topic} to find out if there's a better way.",
      "You may only think about {topic} when you have to. It's good to have a second name by then.",
      "It's hard to compare offers for {topic}, so a straight answer helps you more than a brochure.",
      "Here's something for the day {topic} can't wait any longer at {company}.",
      "You may not need help with {topic} this month. When you do, it's good to know whom to ask.",
      "Whoever looks after {topic} at {company} may want this at hand.",
      "There's never a good week to look at {topic}, so it helps to have something ready.",
      "It may be nothing urgent at {company}, but somebody has to think of {topic}, and you may be the one.",
      "When the talk at {company} next turns to {topic}, it's good to have more than one answer.",
      "I don't know who deals with {topic} at {company} today, so take this as a second option.",
      "If {company} is happy with how it deals with {topic}, keep it that way. If you aren't quite, read on.",
      "There's always somebody at {company} who gets stuck with {topic}, and it may as well be somebody else.",
      "Before {topic} can get in the way at {company} again, here's one thing you could do."
    ],
    bare: [
      "It's easy to put this off until next month.",
      "You don't have to change a thing to see where your {team}'s time goes.",
      "A second view can't hurt, even if your {team} has it in hand.",
      "You may not need help this month. When you do, it's good to know whom to ask.",
      "Somebody at {company} may want this at hand one day.",
      "There's never a good week to change how things are done."
    ]
  },
  researched: [],
  proven: [
    "{proof}",
    "{frustration} {proof}",
    "{does} {proof}",
    "You'd not be the first to fix it. {proof}",
    "{change} {proof}",
    "Here's what that can look like. {proof}",
    "It doesn't have to stay that way. {proof}",
    "You don't have to put up with it. {proof}",
    "There's a way round it. {proof}",
    "{proof} {does}",
    "{proof}|{change}",
    "It's been done before. {proof}",
    "{proof} That's a change you'd notice.",
    "It isn't set in stone. {proof}",
    "That's fixable. {proof}",
    "Here's a result that may be of interest. {proof}",
    "I'd put this next to it. {proof}",
    "It needn't be that way at {company}. {proof}"
  ],
  unproven: [
    "{does} {mark}",
    "{change} {mark}",
    "{change}",
    "{frustration}",
    "{does}",
    "It can be put right. {change}",
    "In case it's of use to your {team}, here's what we do. {does}",
    "You'd have somebody to call who does this all day, and your {team} could get on with its own work.",
    "There's no harm in having {our} on your list, and your {team} may be glad of it one day.",
    "Here's how we go about it. {does}",
    "You don't have to put up with it. {does}",
    "There's a way round it. {change}",
    "It doesn't have to stay that way. {does} {change}",
    "{does} {risk}",
    "{change} {risk}",
    "In short, here's what changes. {change}",
    "If it's any help, here's what we do all day. {does}",
    "It's our daily work, so your {team} needn't make it theirs. {does}",
    "If you'd like a second view, {our} can give you one, and your {team} stays in charge.",
    "{our} can look at it with you, so you'd know where you stand.",
    "You'd tell {our} how you like things done, and your {team} could get on with its own work.",
    "That's something {our} does all day, so you wouldn't have to explain it twice."
  ],
  asks: {
    question: [
      "Is that {one} familiar at {company}?",
      "Has your {team} met this {one}?",
      "Do you see that {one} at {company}, too?",
      "Would a second option help your {team}?",
      "Is anyone at {company} looking into this?",
      "Do you have that {one} under control?",
      "Should I tell you a bit more about how it works?",
      "Is somebody at {company} on it already?",
      "Would your {team} say the same?",
      "Is that yours to decide?",
      "Does that one cost you time, too?"
    ],
    "lead magnet": [
      "Can I {give} {gift}?",
      "Should I {give} {gift}?",
      "Would you like {gift}?",
      "Would {magnet} be of use to you?",
      "Want me to {give} {gift}?",
      "Would it help if I {gave} {gift}?",
      "Shall I {give} {gift}?",
      "May I {give} {gift}?",
      "Would {magnet} come in handy?",
      "Would your {team} like {magnet}?",
      "Is it all right if I {give} {gift}?"
    ],
    "direct meeting": [
      "Could we go through it in a short call?",
      "Would you have time for a short call this week?",
      "Can I show you on a short call?",
      "Would a short call help you decide?",
      "Are you free for a short call on {topic}?"
    ]
  },
  subjects: [
    "{Short} for {company}",
    "{company} and {topic}",
    "{Topic} at {company}",
    "{Topic}: a second look",
    "Something for your {team}",
    "Something for {company}",
    "{Short} for your {team}",
    "More on {topic}",
    "Where your time goes",
    "One more for {company}",
    "{Short}, {company}",
    "For {company}: {short}",
    "{company}: one more thing",
    "Another thought, {company}"
  ]
}
