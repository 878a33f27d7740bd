// layers/generator/rules/Length.ts: the rules of length and of how easily an email reads.
import { fleschKincaid } from "flesch-kincaid"
import { namesCompany } from "#layers/generator/rules/LeadFacts.ts"
import { type Case, type Rule, warn } from "#layers/generator/rules/Rule.ts"
import { ofSentence, type Sentence, syllables } from "#layers/text/Prose.ts"

interface Spoken {
  readonly counted: number
  readonly syllables: number
}

const nobody: ReadonlySet<string> = new Set()

/** What of a sentence tells how hard it reads. */
const spoken = (sentence: Sentence, companyWords: ReadonlySet<string>): Spoken => {
  let counted = 0
  let total = 0
  for (let at = 0; at < sentence.words.length; at++) {
    const word = sentence.words[at] ?? ""
    const lower = sentence.lower[at] ?? ""
    const code = word.charCodeAt(0)
    if (
      (code >= 48 && code <= 57) ||
      companyWords.has(lower) ||
      (at > 0 && lower !== word && lower !== "i" && !lower.startsWith("i'"))
    )
      continue
    counted++
    total += syllables(lower)
  }
  return { counted, syllables: total }
}

const spokenAsItIs = ofSentence((sentence) => spoken(sentence, nobody))

/** Flesch-Kincaid grade of the body, without names and numbers: they are what they are. */
export const grade = ({ email, lead }: Pick<Case, "email" | "lead">): number => {
  let word = 0
  let syllable = 0
  for (const sentence of email.prose.sentences) {
    const said = namesCompany(sentence, lead) ? spoken(sentence, lead.companyWords) : spokenAsItIs(sentence)
    word += said.counted
    syllable += said.syllables
  }
  return word === 0 ? 0 : fleschKincaid({ sentence: email.prose.sentences.length, word, syllable })
}

const jargon =
  /\b(?:leverag\w*|synerg\w*|best[- ]in[- ]class|streamlin\w*|robust|seamless\w*|cutting[- ]edge|empower\w*|unlock\w*|delv\w*|holistic\w*|game[- ]chang\w*|world[- ]class|next[- ]level|paradigm\w*|utili[sz]\w+|turnkey|supercharg\w*|revolutioni[sz]\w*|ecosystem|bleeding[- ]edge|state[- ]of[- ]the[- ]art|end[- ]to[- ]end|value[- ]add\w*|low[- ]hanging fruit|bespoke|transformative|elevat\w+|tailored|innovative|mission[- ]critical|scalab\w+|actionable)\b/i

const passive =
  /\b(?:is|are|was|were|been|being|be)\s+(?:\w+ly\s+)?(?:\w{2,}ed|written|done|made|given|taken|sent|paid|built|kept|held|lost|left|found|known|seen|shown|told|sold|bought|caught|hidden|driven|broken|spent)\b/gi

const contraction = /\b(?:\w+n't|\w+'(?:re|ve|ll|d|m)|(?:it|that|there|here|what|who|where|let|he|she)'s)\b/i

export const length: ReadonlyArray<Rule> = [
  {
    id: "L1",
    severity: "fail",
    applies_to: "body",
    instruction: "Keep the first email to 50-90 words, greeting and signature not counted.",
    weight: { part: "brevity", cost: 5 },
    check: ({ email, step }) => {
      const { count } = email.prose
      if (step !== 1)
        return count > 125 || count < 10 ? { message: `The body has ${count} words: write 25 to 80.` } : undefined
      if (count < 25 || count > 125) return { message: `The body has ${count} words: write 50 to 90.` }
      if (count < 40 || count > 100) return warn(`The body has ${count} words: aim at 50 to 90.`)
    }
  },
  {
    id: "L2",
    severity: "warn",
    applies_to: "body",
    instruction:
      "No email is longer than the one before it, and the last of a sequence has 25-50 words. Use two to four short paragraphs and no sentence of more than 25 words.",
    weight: { part: "brevity", cost: 4 },
    check: ({ count, earlier, email, step }) => {
      const long = email.prose.sentences.find((sentence) => sentence.words.length > 25)
      if (long !== undefined)
        return { message: `A sentence has ${long.words.length} words: split it.`, text: long.text }
      const { paragraphs } = email.prose
      if (paragraphs.length < 2 || paragraphs.length > 4)
        return { message: `The body has ${paragraphs.length} paragraph(s): use two to four.` }
      const before = earlier.at(-1)
      if (before !== undefined && email.prose.count > before.prose.count)
        return { message: "It is longer than the email before it: shorten it." }
      if (step === count && step > 1 && (email.prose.count < 25 || email.prose.count > 50))
        return { message: `The last email has ${email.prose.count} words: aim at 25 to 50.` }
    }
  },
  {
    id: "L3",
    severity: "warn",
    applies_to: "body",
    instruction: "Vary the length of sentences: never three in a row within two words of each other.",
    weight: { part: "brevity", cost: 3 },
    check: ({ email }) => {
      const lengths = email.prose.sentences.map((sentence) => sentence.words.length)
      for (let at = 2; at < lengths.length; at++) {
        const three = lengths.slice(at - 2, at + 1)
        if (Math.max(...three) - Math.min(...three) <= 2)
          return {
            message: "Three sentences in a row are about as long: make one of them short.",
            text: email.prose.sentences[at - 2]?.text ?? ""
          }
      }
    }
  },
  {
    id: "R1",
    severity: "fail",
    applies_to: "body",
    instruction: "Write for a reading grade of 3 to 7: short words, short sentences.",
    weight: { part: "brevity", cost: 4 },
    check: (subject) => {
      const reached = grade(subject)
      if (reached > 10) return { message: `It reads at grade ${reached.toFixed(1)}: use shorter words and sentences.` }
      if (reached > 8) return warn(`It reads at grade ${reached.toFixed(1)}: aim at 3 to 7.`)
    }
  },
  {
    id: "R2",
    severity: "warn",
    applies_to: "body",
    instruction:
      "Use contractions, at most one passive, and plain words: no leverage, synergy, best-in-class, streamline, robust, seamless, cutting-edge, empower, unlock, delve or their kind.",
    weight: { part: "value", cost: 5 },
    check: ({ email }) => {
      const word = jargon.exec(email.text)?.[0]
      if (word !== undefined) return { message: `"${word}" is jargon: say it plainly.`, text: word }
      const [, second] = email.text.match(passive) ?? []
      if (second !== undefined) return { message: "Say who does it: there is more than one passive.", text: second }
      if (!contraction.test(email.text)) return { message: "Use a contraction or two, as in speech." }
    }
  }
]
