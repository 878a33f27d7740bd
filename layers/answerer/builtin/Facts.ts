// layers/answerer/builtin/Facts.ts: a campaign's files, cut into facts that can each be quoted.
import { stemmer } from "stemmer"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { isStopWord, sentences, words, setOf } from "#layers/text/Words.ts"

export interface Fact {
  readonly id: number
  /** Its file's place among the files. */
  readonly file: number
  readonly heading: string
  /** What a labelled point is about: "Phone". */
  readonly label: string
  /** As it is quoted. */
  readonly text: string
  /** A point of a list, not a sentence of a paragraph. */
  readonly point: boolean
  /** The roots that it says itself, and those of its heading. */
  readonly says: ReadonlySet<string>
  readonly under: ReadonlySet<string>
}

/** Enough for the longest profile that people write; what is beyond is not read. */
const mostFacts = 4000
const longestFact = 800

/** Asking words that say nothing of what is asked. */
const asking = setOf(
  "tell know please explain list give show say says describe information info detail details thing things kind kinds type " +
    "sort sorts make makes possible available happen happens cover covers work works worked working offer offers offered provide provides use " +
    "uses used company campaign business find question answer help want like let mean means exactly actually hello hey hi " +
    "thanks thank okay ok anything something everything someone somebody anyone there's we're lot good best main different difference " +
    "differ great old already yet owns prospect prospects shouldn't helped helpful respond reply react counter handle achieve achieved integrate integrates " +
    "integration cheers thx " +
    // Those of questions in German, French and Spanish.
    "wie der die das ist sind wer wo welche welcher welches wir ihr sie unsere unser haben hat lautet quel quelle quels est sont la le les " +
    "des combien qui que votre vos notre nous cuál cuáles qué quién cuánto es el las los una son nuestra nuestro"
)

const synonyms = new Map(
  (
    "client customer, employee staff, firm company, telephone phone, mail email, begin start, assessment survey, " +
    "setup connection, onboarding connection, installation connection, implementation connection, " +
    "cost price, fee price, rate price, expensive price, store keep, kept keep, stay keep, host keep"
  )
    .split(", ")
    .map((pair) => pair.split(" ").map(stemmer))
    .map(([word = "", means = ""]) => [word, means])
)

/** What stands for a word in all its forms, and for those that mean the same: "saved" and "saving" are one. */
export const sense = (word: string): string => {
  const stem = stemmer(word.toLowerCase().replace(/'s?$/, ""))
  return synonyms.get(stem) ?? stem
}

export const isFiller = (word: string): boolean => isStopWord(word) || asking.has(word)

/** The words of a text that say what it is about, lower case. */
export const contents = (text: string): ReadonlyArray<string> =>
  words(text.toLowerCase().replace(/\bat least\b/g, "minimum"))
    .flatMap((word) => word.split(/[-_&]/))
    .filter((word) => (word.length > 1 || /\d/.test(word)) && !isFiller(word))

const senses = (text: string): ReadonlySet<string> => new Set(contents(text).map(sense))

/** Characters that no reader sees, or that turn text around, have no place in an answer. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === "\n" || char === "\t" ? char : ""))

const plain = (text: string): string => text.replace(/\*\*|__|`/g, "").trim()

const clipped = (text: string): string =>
  text.length <= longestFact ? text : text.slice(0, text.lastIndexOf(" ", longestFact)).slice(0, longestFact)

/** What a name in bold says again is left out: options repeat themselves in their descriptions. */
const pointOf = (line: string): { readonly label: string; readonly text: string } => {
  const rule = /^[A-Z]\d+(?: \(must\))?: (.+)$/.exec(line)
  if (rule !== null) return { label: "", text: plain(rule[1] ?? "") }
  const named = /^\*\*([^*]+?):?\*\*:?\s*(.+)$/.exec(line)
  if (named === null) return { label: "", text: plain(line) }
  const [, label = "", rest = ""] = named
  return label.split(" ").length > 4 ? { label: "", text: plain(rest) } : { label, text: `${label}: ${plain(rest)}` }
}

export const cut = (files: ReadonlyArray<KnowledgeFile>): ReadonlyArray<Fact> => {
  const facts: Array<Fact> = []
  files.forEach(({ content }, file) => {
    let heading = ""
    const add = (text: string, label: string, point: boolean) => {
      if (facts.length >= mostFacts || !/[\p{L}\p{N}]/u.test(text)) return
      const shown = clipped(text)
      const says = senses(shown.replace(/https?:\S+/g, " "))
      facts.push({ id: facts.length, file, heading, label, text: shown, point, says, under: senses(heading) })
    }
    for (const raw of visible(content).split(/\r?\n/)) {
      const line = raw.replace(/\s+/g, " ").trim()
      const headed = /^#{1,6} (.+)$/.exec(line)
      const listed = /^(?:[-*+•]|\d{1,2}[.)]) (.+)$/.exec(line)
      if (headed) heading = plain(headed[1] ?? "")
      else if (listed) {
        const { label, text } = pointOf(listed[1] ?? "")
        add(text, label, true)
      } else if (line !== "") for (const each of sentences(plain(line))) add(each, "", false)
    }
  })
  return facts
}
