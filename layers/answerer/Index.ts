// layers/answerer/Index.ts: a campaign's passages, indexed for search.
import { RegExp as Pattern } from "effect"
import MiniSearch from "minisearch"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { key, type Line, type Passage, passagesOf } from "#layers/answerer/Passages.ts"
import { contents, isFiller, stemOf, topics } from "#layers/answerer/Vocabulary.ts"
import { companyName } from "#layers/text/Names.ts"
import { setOf, words } from "#layers/text/Words.ts"

export interface Index {
  readonly passages: ReadonlyArray<Passage>
  readonly search: MiniSearch
  /** Finds the word that was meant by a misspelt one. */
  readonly spelling: MiniSearch
  /** In how many different lines each stem occurs. */
  readonly frequency: ReadonlyMap<string, number>
  readonly lines: number
  /** Stems and topics that lines, headings or aliases have. */
  readonly known: ReadonlySet<string>
  /** Stems of the names of competitors. */
  readonly rivals: ReadonlySet<string>
  /** The name of the business, which a question may use for "you". */
  readonly name: RegExp | undefined
}

/** Words that are spelt right and are one letter from words of the vocabulary. */
const right = setOf(
  "contract contracts contracted form forms prize prizes quite scale scales turnover weather gold cap salary trail"
)

const nameOf = (files: ReadonlyArray<KnowledgeFile>): RegExp | undefined => {
  const profile = files.find(({ source }) => source === "profile")?.content ?? ""
  const named = companyName(/^## Company name\s+(.+)$/m.exec(profile)?.[1])?.toLowerCase() ?? ""
  if (named === "") return undefined
  const [first = ""] = named.split(" ")
  // "Tidewell" means Tidewell Boilers; "general" does not mean General Pumps where it is a common word.
  const alone = first.length > 3 && !files.some(({ content }) => content.includes(` ${first} `))
  const escaped = [named, ...(alone ? [first] : [])].map(Pattern.escape)
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu")
}

export const aliasesOf = (passage: Passage, line?: Line): ReadonlyArray<string> => [
  ...passage.aliases,
  ...(line === undefined ? passage.lines.flatMap(({ aliases }) => [...aliases]) : line.aliases)
]

export const index = (files: ReadonlyArray<KnowledgeFile>): Index => {
  const name = nameOf(files)
  const passages = passagesOf(files, name)
  const search = new MiniSearch({
    fields: ["text", "heading", "aliases"],
    tokenize: (text, field) => (field === "aliases" ? text.split(" ") : [...contents(text)]),
    processTerm: (term, field) => (field === "aliases" ? term : stemOf(term)),
    searchOptions: { combineWith: "OR", boost: { text: 2, aliases: 1.5 } }
  })
  search.addAll(
    passages.map((passage) => ({
      id: passage.id,
      text: passage.text,
      heading: passage.heading,
      aliases: [...new Set(aliasesOf(passage))].join(" ")
    }))
  )
  const unique = new Map(passages.flatMap(({ lines, under }) => lines.map((line) => [key(line.text), { line, under }])))
  const frequency = new Map<string, number>()
  for (const { line, under } of unique.values())
    for (const stem of new Set([...line.stems, ...under])) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)

  const spoken = new Set([
    ...passages.flatMap(({ heading, text }) => words(`${heading} ${text}`.toLowerCase())),
    ...topics.flatMap(({ aliases, phrases }) => [...aliases.split(" "), ...(phrases?.source.match(/[a-z]{4,}/g) ?? [])])
  ])
  const spelling = new MiniSearch({ fields: ["word"], idField: "word", tokenize: (text) => [text] })
  spelling.addAll([...spoken].filter((word) => word.length > 3 && !/\d/.test(word)).map((word) => ({ word })))
  return {
    passages,
    search,
    spelling,
    frequency,
    lines: unique.size,
    known: new Set([...frequency.keys(), ...passages.flatMap((passage) => aliasesOf(passage))]),
    rivals: new Set(
      passages.flatMap(({ heading, lines }) =>
        /they compare|^competitors/i.test(heading) ? lines.flatMap(({ stems }) => [...stems]) : []
      )
    ),
    name
  }
}

const letters = (word: string) => [...word].toSorted().join("")

/** The word that was meant, or the word itself. Short words and numbers are too alike to guess. */
export const corrected = ({ known, spelling }: Index, word: string): string => {
  const lower = word.toLowerCase()
  if (lower.length < 4 || /\d/.test(lower) || right.has(lower) || isFiller(lower) || known.has(stemOf(lower)))
    return word
  const near = (fuzzy: number) =>
    spelling
      .search(lower, { fuzzy })
      .map(({ id }) => String(id))
      // A slip seldom changes the first letter, and other words often do.
      .filter((each) => each[0] === lower[0] && Math.abs(each.length - lower.length) <= 1)
  return (
    near(1)[0] ??
    // Two letters that changed places are two edits.
    near(2).find((each) => letters(each) === letters(lower)) ??
    word
  )
}

/** A rare word says more of what a question is about, a topic most, and another word for a section little. */
const rarity = ({ frequency, known, lines }: Index, term: string): number => {
  if (term.startsWith("@")) return 4
  const found = frequency.get(term) ?? 0
  return found === 0 && known.has(term) ? 1.5 : Math.log(1 + (lines + 1) / (found + 0.5))
}

/** How much of what is asked these texts cover, 0 to 1. Terms in `minor` count little. */
export const covered = (
  index: Index,
  terms: Iterable<string>,
  texts: ReadonlyArray<ReadonlySet<string>>,
  minor: ReadonlySet<string>
): number => {
  let asked = 0
  let met = 0
  for (const term of terms) {
    const weight = rarity(index, term) * (minor.has(term) ? 0.2 : 1)
    asked += weight
    if (texts.some((text) => text.has(term))) met += weight
  }
  return asked === 0 ? 0 : met / asked
}
