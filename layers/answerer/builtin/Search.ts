// layers/answerer/builtin/Search.ts: the facts that a question is about, wherever they stand.
import { contents, type Fact } from "#layers/answerer/builtin/Facts.ts"
import { covered, enough, type Index } from "#layers/answerer/builtin/Index.ts"
import type { Query } from "#layers/answerer/builtin/Question.ts"

const mostFacts = 3

/** How to write: nothing that a question about the business is answered from. */
const instructions = "Email instructions.md"

/** How near each fact is to a question, earlier questions of the conversation counting less. */
const ranked = (
  { search }: Index,
  terms: ReadonlySet<string>,
  before: ReadonlySet<string>
): ReadonlyMap<number, number> => {
  const near = search.search({
    combineWith: "OR",
    // These are roots already.
    tokenize: (term) => [term],
    processTerm: (term) => term,
    queries: [
      { queries: [...terms], combineWith: "OR" },
      { queries: [...before].filter((term) => !terms.has(term)), combineWith: "OR", boostTerm: () => 0.3 }
    ]
  })
  return new Map(near.map(({ id, score }) => [Number(id), score]))
}

/** Those that a wish holds for, if there are any. */
const narrowed = <A>(all: ReadonlyArray<A>, wish: (each: A) => boolean): ReadonlyArray<A> => {
  const some = all.filter(wish)
  return some.length > 0 ? some : all
}

/** The facts that speak of what is asked, wherever they stand. */
export const bySearch = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Fact> => {
  const own = query.all.size > 0
  const terms = own ? query.all : before
  if (terms.size === 0) return []
  const scores = ranked(index, terms, before)
  const ofEmails = /\b(?:e-?mails?|subjects?|sequences?|write|writing|body)\b/.test(query.text)
  // What holds of others than those who were spoken of is no answer.
  const others = own && before.size > 0 && query.others
  const near = index.facts
    .flatMap((fact) => {
      const score = scores.get(fact.id)
      const { says, text, under } = fact
      const fits =
        score !== undefined &&
        query.fits(text) &&
        (ofEmails || index.files[fact.file]?.filename !== instructions) &&
        (!others || covered(index, before, says, under) >= 0.5) &&
        covered(index, terms, says) > 0 &&
        [...query.names].every((each) => says.has(each) || under.has(each))
      return fits ? [{ fact, score, share: covered(index, terms, says, under) }] : []
    })
    .filter(({ share }) => share >= enough)
    // A promise is made of other facts, and says them shorter.
    .sort(
      (a, b) =>
        b.share - a.share ||
        Number(isPromise(a.fact)) - Number(isPromise(b.fact)) ||
        b.score - a.score ||
        a.fact.id - b.fact.id
    )
  // A managing director is no manager, although both words have one root.
  const fitting = narrowed(near, ({ fact }) => {
    const said = new Set(contents(fact.text))
    return query.words.every((each) => said.has(each))
  })
  const [best] = fitting
  if (best === undefined) return []
  const taken: Array<Fact> = []
  for (const { fact, score, share } of fitting) {
    if (taken.length >= mostFacts || share < best.share - 0.01 || score < 0.7 * best.score) continue
    // What says again what stands there already makes an answer longer and no better.
    const fresh = [...fact.says].filter((each) => !taken.some(({ says }) => says.has(each)))
    if (taken.length === 0 || fresh.length > 0.5 * fact.says.size) taken.push(fact)
  }
  return taken
}

const isPromise = ({ heading }: Fact): boolean => /value proposition|promise/i.test(heading)
