// layers/answerer/builtin/Question.ts: what a message asks, as far as its words tell.
import { contents, isFiller, sense } from "#layers/answerer/builtin/Facts.ts"
import type { Index } from "#layers/answerer/builtin/Index.ts"
import { corrected } from "#layers/answerer/builtin/Spelling.ts"
import { cueWords, loose, type Topic, topics } from "#layers/answerer/builtin/Topics.ts"
import { sentences, words } from "#layers/text/Words.ts"

/** A question as it is understood. */
export interface Query {
  readonly text: string
  readonly topics: ReadonlyArray<Topic>
  /** What it is about beyond its topics, and that with the words that name them. */
  readonly terms: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** Its words as they are written. */
  readonly words: ReadonlyArray<string>
  /** What it names, known or not. */
  readonly names: ReadonlySet<string>
  /** A name of them stands nowhere in the files. Whatever else matches, the answer would be about something else. */
  readonly stranger: boolean
  /** It wants what the campaign chose. */
  readonly chosen: boolean
  /** It asks of whoever was spoken of. */
  readonly others: boolean
  /** Whether a text holds the kind of thing that is asked for: an amount, so many of something, a length of time. */
  readonly fits: (text: string) => boolean
}

const mostQuestions = 3
/** A question is read for this many words, and this far from either end. */
const mostTerms = 40
const reach = 600

const number =
  /^(?:\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|half|third|quarter|fifth)$/
const duration =
  /(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|same|few)\b)\s?(?:working |business )?(?:minute|hour|day|week|month|quarter|year|morning|afternoon)/i

const date =
  /\b(?:(?:19|20)\d\d|spring|summer|autumn|winter|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|\w+days?)\b/i

const measure = /\bhow (?:much|many|long|often|big|large|fast|soon|quick(?:ly)?)\b/g
const choosing = /^(?:cho(?:se|sen|ose)|select(?:ed|ions?)?|pick(?:ed)?)$/
const greeting = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b/

/** Whether a text says how many there are of something: the number stands near its word. */
const counts = (what: string) => (text: string) => {
  const all = words(text.toLowerCase())
  return all.some(
    (word, at) => sense(word) === what && all.slice(Math.max(0, at - 3), at + 3).some((each) => number.test(each))
  )
}

const kindOf = (text: string): Query["fits"] => {
  const [, counted] = /\bhow many (\p{L}+)/u.exec(text) ?? []
  if (counted !== undefined) return counts(sense(counted))
  if (/\bhow (?:long|fast|soon|quick(?:ly)?)\b/.test(text)) return (found) => duration.test(found)
  if (/\bhow much\b/.test(text)) return (found) => words(found.toLowerCase()).some((each) => number.test(each))
  if (/\bwhen (?:was|were|did|is|are|have|has)\b/.test(text)) return (found) => date.test(found)
  return () => true
}

export const read = ({ frequency, known, name }: Index, text: string): Query => {
  const short = text.length > 2 * reach ? `${text.slice(0, reach)} ${text.slice(-reach)}` : text
  const lower = short
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(greeting, " ")
    .replace(/\b(what|who|where|when|how)'?s\b/g, "$1 is")
  let budget = mostTerms
  const meant = (name === undefined ? lower : lower.replace(name, "the company")).replace(/[\p{L}\p{M}']+/gu, (word) =>
    isFiller(word) || frequency.has(sense(word)) || budget-- <= 0 ? word : corrected(word, [cueWords, known])
  )
  // A turn of phrase says more than a word in it: an email address is no address.
  const phrased = topics.filter(({ phrases }) => phrases !== undefined && meant.search(phrases) >= 0)
  const bare = phrased.reduce((left, { phrases = /$/ }) => left.replace(phrases, " "), meant)
  const said = new Set(words(bare).flatMap((word) => [word, ...word.split("-")]))
  const named = topics.filter((each) => !phrased.includes(each) && each.cues.some((cue) => said.has(cue)))
  const found = [...phrased, ...named]
  const cues = new Set(named.flatMap((each) => each.cues))
  const about = (of: string, except: ReadonlySet<string>) =>
    new Set(
      contents(of.replace(measure, " "))
        .filter((word) => !except.has(word) && !choosing.test(word))
        .slice(0, mostTerms)
        .map(sense)
    )
  const capitals = /\p{Ll}/u.test(short) ? short.match(/(?<=[\p{Ll}\d,;:"'(]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu) : null
  const names = new Set(
    (capitals ?? [])
      .map((capital) => capital.toLowerCase())
      .filter((word) => !isFiller(word) && !cueWords.has(word))
      .map((word) => sense(corrected(word, [cueWords, known])))
  )
  const all = about(meant, new Set())
  return {
    text: meant,
    topics: found,
    terms: about(bare, found.length === 0 ? cues : new Set([...cues, ...loose])),
    // A number alone is in many texts and about nothing.
    all: [...all].every((term) => /^\d+$/.test(term)) ? new Set() : all,
    words: contents(meant),
    names,
    stranger: [...names].some((each) => !frequency.has(each)),
    chosen:
      words(meant).some((word) => choosing.test(word)) ||
      /\bwhich (?:lead magnet|guarantee|risk reversal|proof|case study)\b/.test(meant),
    others: /\b(?:they|them|their|he|him|his|she|her)\b/.test(meant),
    fits: kindOf(meant)
  }
}

/** The single questions of a message; what is no question beside one says nothing that is asked. */
export const questions = (message: string): ReadonlyArray<string> => {
  const asked = message.split("\n").flatMap((line) => sentences(line).filter((each) => each.endsWith("?")))
  const real = asked.filter((each) => contents(each).length > 0)
  return real.length === 0 ? [message] : real.slice(-mostQuestions)
}
