// layers/generator/rules/Tells.ts: the rules against what filters and readers take for bulk mail or for a machine.
import { type Rule, warn } from "#layers/generator/rules/Rule.ts"
import { linksIn } from "#layers/text/Specifics.ts"

const spam =
  /\b(?:act now|buy now|call now|apply now|order now|click (?:here|below)|limited[- ]time|limited offer|special (?:offer|promotion)|exclusive (?:deal|offer)|once in a lifetime|risk[- ]free|no (?:obligation|strings attached|catch|risk|cost)|100% (?:free|guaranteed|satisfied)|free|guarantee(?:d|s)?|money[- ]back|cash|bonus|winner|prize|earn (?:money|extra)|make money|double your|lowest price|best price|bargain|cheap|discount|save big|increase sales|amazing|incredible|miracle|urgent|congratulations|dear friend|this isn't spam|not spam|opt in|viagra|casino|crypto|investment opportunity|million dollars|subscribe|unlimited|instant(?:ly)?|what are you waiting for|while supplies last|once only|hidden (?:fees|charges)|get started (?:now|today))\b|\${2,}|!{2,}/gi

const shortener =
  /\b(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|rb\.gy|is\.gd|buff\.ly|cutt\.ly|lnkd\.in|shorturl\.at)\b/i

const marks = /[\u2014\u2013\u2018\u2019\u201c\u201d\u2026]|[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u
const markdown = /\*\*|__|^#{1,6} |^\s*(?:[-*+\u2022]|\d+[.)]) |\[[^\]]*\]\([^)]*\)|`/mu
const contrast =
  /\b(?:not just|not only|isn't just|aren't just|more than just|it's not about|this isn't about)\b[^.?!]*(?:[,;.-]|\bbut\b)\s*(?:it's|it is|but|they're|we're|this is|also)\b/i
// A pronoun after the comma starts another clause ("in the end, it adds up and ..."), not the second of three things.
const three =
  /\b[\w'-]+, (?!(?:it|you|we|they|there|he|she|i|so|but|when|where|which|who|then|that|your|our|it's|you're|we're)\b)(?:[\w'-]+ ){0,2}[\w'-]+,? and (?!(?:you|we|it|they|i|then|so)\b)(?:[\w'-]+ ){0,2}[\w'-]+\b/i

export const tells: ReadonlyArray<Rule> = [
  {
    id: "D1",
    severity: "fail",
    applies_to: "body",
    instruction:
      'Use no spam terms such as "free", "guaranteed" or "act now". No link in the first email and at most one later, never a shortened one.',
    weight: { part: "value", cost: 3 },
    check: ({ email, step }) => {
      const terms = new Set(`${email.subject}\n${email.text}`.match(spam)?.map((term) => term.toLowerCase()))
      const [term] = terms
      const about = term === undefined ? {} : { text: term }
      if (terms.size >= 3)
        return {
          message: `It has ${terms.size} spam terms (${[...terms].join(", ")}): say them another way.`,
          ...about
        }
      const links = linksIn(email.text)
      const [link, second] = links
      const short = links.find((found) => shortener.test(found))
      if (short !== undefined) return { message: "A shortened link hides where it goes: take it out.", text: short }
      if (step === 1 && link !== undefined) return { message: "The first email has a link: take it out.", text: link }
      if (second !== undefined) return { message: `It has ${links.length} links: keep one at most.`, text: second }
      if (terms.size > 0) return warn(`"${[...terms].join('", "')}" is a spam term: say it another way.`, term)
    }
  },
  {
    id: "D2",
    severity: "warn",
    applies_to: "body",
    instruction:
      'Plain text as typed by hand: no em dash, curly quote, emoji, markdown or bullet, no "not just this, it\'s that", no list of three things.',
    weight: { part: "value", cost: 4 },
    check: ({ email }) => {
      const mark = marks.exec(email.whole)?.[0]
      if (mark !== undefined) return { message: `"${mark}" is not typed by hand: use plain marks.`, text: mark }
      const sign = markdown.exec(email.text)?.[0]
      if (sign !== undefined) return { message: "It has markdown or bullets: write plain sentences.", text: sign }
      const figure = contrast.exec(email.text)?.[0]
      if (figure !== undefined)
        return { message: "\"Not just this, it's that\" is a machine's figure: say what it is.", text: figure }
      const list = three.exec(email.text)?.[0]
      if (list !== undefined) return { message: "It lists three things in a row: name one or two.", text: list }
    }
  }
]
