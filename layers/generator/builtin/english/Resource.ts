// layers/generator/builtin/english/Resource.ts: the email that brings something to use, or another view of the matter.
import type { AngleWording } from "#layers/generator/builtin/Language.ts"

export const resource: AngleWording = {
  openers: {
    clause: [
      "Another one for {area}: {trouble}.",
      "Here's a second thing your {team} may run into: {trouble}.",
      "One more you may recognise: {trouble}.",
      "There's a quieter one, too: {trouble}. You'd hardly see it from day to day.",
      "Something else you could check at {company} is whether {fact}.",
      "You can test this one at your desk: see if {fact}.",
      "It's easy to miss, but {trouble}."
    ],
    doing: [
      "Another one for {area}: {trouble}.",
      "Here's a second thing your {team} may run into: {trouble}.",
      "One more you may recognise: {trouble}.",
      "It's easy to get used to {trouble}.",
      "Your {team} may not even count the hours it spends {trouble}.",
      "How much of your week goes on {trouble} is hard to say from outside."
    ],
    thing: [
      "Another one for {area}: {trouble}.",
      "Here's a second thing your {team} may run into: {trouble}.",
      "One more you may recognise: {trouble}.",
      "It's easy to get used to {trouble}.",
      "You can put a number on {trouble}, and few companies do.",
      "There's a quieter one, too: {trouble}."
    ],
    other: [
      "Another one for {area}: {trouble}.",
      "Here's a second thing your {team} may run into: {trouble}.",
      "One more you may recognise: {trouble}.",
      "There's a quieter one, too: {trouble}."
    ],
    topic: [
      "It's easy to put {topic} off until next month, and you know how that goes.",
      "If {company} ever takes another look at {topic}, you'd want a second name on your list.",
      "Your {team} may have its own way with {topic}, and a second view can't hurt.",
      "You don't have to change how you deal with {topic} to find out if there's a better way.",
      "You may only think about {topic} when you have to. It's good to have a second name by then.",
      "It's hard to compare offers for {topic}, so a straight answer helps you more than a brochure."
    ],
    bare: [
      "It's easy to put this off until next month.",
      "You don't have to change a thing to see where your {team}'s time goes.",
      "A second view can't hurt, even if your {team} has it in hand."
    ]
  },
  proven: [
    "{proof}",
    "{frustration} {proof}",
    "{does} {proof}",
    "You'd not be the first to fix it. {proof}",
    "{change} {proof}"
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
    "There's no harm in having {our} on your list, and your {team} may be glad of it one day."
  ],
  asks: {
    question: [
      "Is that {one} familiar at {company}?",
      "Has your {team} met this {one}?",
      "Do you see that {one} at {company}, too?",
      "Would a second option help your {team}?",
      "Is anyone at {company} looking into this?",
      "Do you have that {one} under control?",
      "Should I tell you a bit more about how it works?"
    ],
    "lead magnet": [
      "Can I {give} {gift}?",
      "Should I {give} {gift}?",
      "Would you like {gift}?",
      "Would {magnet} be of use to you?",
      "Want me to {give} {gift}?",
      "Would it help if I {gave} {gift}?",
      "Shall I {give} {gift}?"
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
    "Where your time goes"
  ]
}
