// layers/answerer/builtin/Index.ts: a campaign's facts, made ready to be searched.
import { RegExp as Pattern } from "effect"
import MiniSearch from "minisearch"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { contents, cut, type Fact, sense } from "#layers/answerer/builtin/Facts.ts"
import { companyName } from "#layers/text/Names.ts"
import { words } from "#layers/text/Words.ts"

/** Of what a question is about, this much has to stand in the answer, rare words counting more. */
export const enough = 0.6

export interface Index {
  readonly files: ReadonlyArray<KnowledgeFile>
  readonly facts: ReadonlyArray<Fact>
  readonly search: MiniSearch<Fact>
  /** Words as they are written in the files, and in how many facts each root stands. */
  readonly known: ReadonlySet<string>
  readonly frequency: ReadonlyMap<string, number>
  /** The roots of what competitors are called. */
  readonly rivals: ReadonlySet<string>
  /** The business's own name, which any question may carry in place of "you". */
  readonly name: RegExp | undefined
}

/** Texts that say the same have the same key, whatever their marks and case. */
export const key = (text: string) => words(text.toLowerCase()).join(" ")

export const index = (files: ReadonlyArray<KnowledgeFile>): Index => {
  const facts = cut(files)
  const search = new MiniSearch<Fact>({
    fields: ["text", "heading"],
    tokenize: (text) => [...contents(text)],
    processTerm: sense,
    searchOptions: {
      boost: { text: 2 },
      combineWith: "OR",
      prefix: (term) => term.length > 4,
      weights: { prefix: 0.3, fuzzy: 0.3 }
    }
  })
  search.addAll(facts)
  const frequency = new Map<string, number>()
  // A fact that stands in three files is no commoner for it.
  const unique = new Map(facts.map((fact) => [key(fact.text), fact]))
  for (const { says, under } of unique.values())
    for (const each of new Set([...says, ...under])) frequency.set(each, (frequency.get(each) ?? 0) + 1)
  const known = new Set(facts.flatMap(({ heading, text }) => words(`${heading} ${text}`.toLowerCase())))
  const rivals = new Set(facts.flatMap(({ heading, says }) => (/compare|^competitors/i.test(heading) ? [...says] : [])))
  const summary = files.find(({ filename }) => filename === "Company summary.md")?.content ?? ""
  const named = companyName(/^# (.+)$/m.exec(summary)?.[1])?.toLowerCase() ?? ""
  const [first = ""] = named.split(" ")
  // "Tidewell" stands for Tidewell Boilers; "general" does not for General Pumps, where it is a word like any other.
  const alone = first.length > 3 && !files.some(({ content }) => content.includes(` ${first} `))
  const escaped = [named, ...(alone ? [first] : [])].map(Pattern.escape)
  const name =
    named === "" ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu")
  return { files, facts, search, known, frequency, rivals, name }
}

const rarity = ({ facts, frequency }: Index, term: string): number =>
  Math.log(1 + (facts.length + 1) / ((frequency.get(term) ?? 0) + 0.5))

/** How much of what is asked a fact speaks of, 0 to 1. */
export const covered = (
  index: Index,
  terms: ReadonlySet<string>,
  ...said: ReadonlyArray<ReadonlySet<string>>
): number => {
  let asked = 0
  let met = 0
  for (const term of terms) {
    const weight = rarity(index, term)
    asked += weight
    if (said.some((each) => each.has(term))) met += weight
  }
  return asked === 0 ? 0 : met / asked
}
