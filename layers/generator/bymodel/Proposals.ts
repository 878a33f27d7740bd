// layers/generator/bymodel/Proposals.ts: selects from a list that a model proposes.
import type { Judgement } from "#layers/Model.ts"
import { listFaults } from "#layers/model/SourceFacts.ts"

/** The first item of each key. */
export const firstPerKey = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> =>
  [...new Map([...items].reverse().map((item) => [key(item).toLowerCase(), item])).values()].reverse()

/** The supported proposals; if there are too few, items made without a model follow. */
export const supportedProposals = <A>(
  proposed: ReadonlyArray<{ readonly item: A | undefined; readonly found: ReadonlyArray<string> }>,
  key: (item: A) => string,
  count: number,
  fallback: () => ReadonlyArray<A>
): Judgement<ReadonlyArray<A>> => {
  const kept = firstPerKey(
    proposed.flatMap(({ item }) => (item === undefined ? [] : [item])),
    key
  )
  const found = proposed.flatMap((each) => each.found)
  const missing =
    kept.length >= count ? [] : [`Name ${count} at least, with the sentence of the material that it rests on.`]
  return {
    value: missing.length === 0 ? kept : firstPerKey([...kept, ...fallback()], key),
    worth: kept.length - found.length,
    passes: found.length + missing.length === 0 ? 0 : 2,
    faults: [...listFaults(found), ...missing],
    error: "The model proposed nothing that can be used"
  }
}
