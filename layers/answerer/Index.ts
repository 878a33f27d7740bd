// layers/answerer/Index.ts: the lines of a campaign's passages, indexed for search.
import { RegExp as Pattern } from "effect"
import MiniSearch from "minisearch"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { type Line, type Passage, passagesOf } from "#layers/answerer/Passages.ts"
import { contents, isFiller, sections, stemOf } from "#layers/answerer/Vocabulary.ts"
import { companyName } from "#layers/text/Names.ts"
import { setOf, words } from "#layers/text/Words.ts"

/** A line, and the passage that it is of. */
export interface Entry {
  readonly id: number
  readonly line: Line
  readonly passage: Passage
}

export interface Index {
  readonly passages: ReadonlyArray<Passage>
  readonly entries: ReadonlyArray<Entry>
  readonly search: MiniSearch
  /** Finds the word that was meant by a misspelt one. */
  readonly spelling: MiniSearch
  /** In how many different lines each stem and section occurs. */
  readonly frequency: ReadonlyMap<string, number>
  /** Stems of the names of competitors. */
  readonly rivals: ReadonlySet<string>
  /** Those of them that no line about the business has. */
  readonly others: ReadonlySet<string>
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

const stems = (text: string) => [...new Set(contents(text.replace(/https?:\S+/g, " ")).map(stemOf))]

const leaning = /\b(?:it|its|they|them|their|this|that|these|those)\b/i

/**
 * Points with a label describe one thing together, so one of them may name it for all. A sentence with a pronoun leans on
 * the sentence before it.
 */
const around = (line: Line, { lines }: Passage) => {
  if (line.label === "") {
    const before = lines[lines.indexOf(line) - 1]
    return before === undefined || line.point || !leaning.test(line.text) ? [] : stems(before.text)
  }
  return lines.flatMap((line) => (line.label === "" ? [] : [...stems(line.text), ...line.sections]))
}

export const index = (files: ReadonlyArray<KnowledgeFile>): Index => {
  const name = nameOf(files)
  const passages = passagesOf(files)
  const entries = passages
    .flatMap((passage) => passage.lines.map((line) => ({ line, passage })))
    .map((entry, id) => ({ id, ...entry }))
  const search = new MiniSearch({
    fields: ["text", "heading", "sections", "around"],
    // These are stems already.
    tokenize: (text) => text.split(" "),
    processTerm: (term) => (term === "" ? null : term),
    searchOptions: { combineWith: "OR", boost: { text: 3, sections: 2, heading: 1, around: 0.2 } }
  })
  // The name of the business in a heading says nothing about the section.
  const headed = (heading: string) => stems(name === undefined ? heading : heading.toLowerCase().replace(name, " "))
  const single = new Set(entries.flatMap(({ line }) => stems(line.text)).filter((stem) => stem.length > 4))
  // "Mietpflanze" is also a "Pflanze", but "concentrate" no "centre".
  const tails = (stem: string) => {
    const at = [...stem].findIndex((_, from) => from > 3 && single.has(stem.slice(from)))
    return at < 0 ? [] : [stem.slice(at)]
  }
  const rows = entries.map(({ id, line, passage }) => ({
    id,
    text: stems(line.text)
      .flatMap((stem) => [stem, ...tails(stem)])
      .join(" "),
    heading: headed(passage.heading).join(" "),
    sections: line.sections.join(" "),
    around: around(line, passage).join(" ")
  }))
  search.addAll(rows)
  const frequency = new Map<string, number>()
  const unique = new Map(rows.map(({ heading, sections, text }) => [text, `${text} ${heading} ${sections}`]))
  for (const row of unique.values())
    for (const term of new Set(row.split(" "))) frequency.set(term, (frequency.get(term) ?? 0) + 1)

  const spoken = new Set([
    ...passages.flatMap(({ heading, text }) => words(`${heading} ${text}`.toLowerCase())),
    // "prices?" is two words.
    ...sections.flatMap(({ asks }) =>
      (asks.source.match(/[a-z]{4,}\??/g) ?? []).flatMap((word) =>
        word.endsWith("?") ? [word.slice(0, -1), word.slice(0, -2)] : [word]
      )
    )
  ])
  const spelling = new MiniSearch({ fields: ["word"], idField: "word", tokenize: (text) => [text] })
  spelling.addAll([...spoken].filter((word) => word.length > 3 && !/\d/.test(word)).map((word) => ({ word })))
  const rivals = entries.flatMap(({ line }) => (line.sections.includes("@competitors") ? stems(line.text) : []))
  const about = new Set(
    entries.flatMap(({ line }) => (/compare|competitors|fall short/i.test(line.origin) ? [] : stems(line.text)))
  )
  const others = new Set(rivals.filter((stem) => !about.has(stem)))
  return { passages, entries, search, spelling, frequency, rivals: new Set(rivals), others, name }
}

const letters = (word: string) => [...word].toSorted().join("")

/** The word that was meant, or the word itself. Short words and numbers are too alike to guess. */
export const corrected = ({ frequency, spelling }: Index, word: string): string => {
  const lower = word.toLowerCase()
  if (lower.length < 4 || /\d/.test(lower) || right.has(lower) || isFiller(lower) || frequency.has(stemOf(lower)))
    return word
  const near = (fuzzy: number) =>
    spelling
      .search(lower, { fuzzy })
      .map(({ id }) => String(id))
      // A slip seldom changes the first letter, and other words often do.
      .filter((each) => each[0] === lower[0] && Math.abs(each.length - lower.length) <= 1)
  const [exact] = near(0)
  return (
    exact ??
    // Of short words too many are one letter apart.
    (lower.length > 5 ? near(1)[0] : undefined) ??
    // Two letters that changed places are two edits.
    near(2).find((each) => letters(each) === letters(lower)) ??
    word
  )
}

/** How much of what is asked these terms are, 0 to 1: a rare word says more than a common one, and a section most. */
export const share = (
  { entries, frequency }: Index,
  terms: ReadonlySet<string>,
  met: ReadonlySet<string>,
  minor: ReadonlySet<string>
): number => {
  let asked = 0
  let found = 0
  for (const term of terms) {
    const lines = frequency.get(term) ?? 0
    // What occurs nowhere is most likely what the question is about.
    const rarity = Math.log(1 + (entries.length + 1) / (lines + 0.5)) * (lines === 0 && !minor.has(term) ? 2 : 1)
    const weight = (term.startsWith("@") ? 4 : rarity) * (minor.has(term) ? 0.2 : 1)
    asked += weight
    if (met.has(term)) found += weight
  }
  return asked === 0 ? 0 : found / asked
}
