// layers/generator/Taken.ts: what a writer is told of the emails that others of a list have got.
import type { Taken } from "#layers/Generator.ts"
import type { Diversity, Shared } from "#layers/generator/rules/Across.ts"
import { isStopWord } from "#layers/text/Words.ts"
import type { Lead } from "#schema/Lead.ts"

/** Every word by itself, out of possessives and compounds too. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)

const namesOf = ({ company, name }: Lead): ReadonlySet<string> =>
  new Set(wordsOf(`${name ?? ""} ${company ?? ""}`).filter((word) => !isStopWord(word)))

/** What others have got already, without what names one of them: a reader's name is not for another's email. */
export const takenFor = (leads: ReadonlyArray<Lead>) => {
  const names = leads.map(namesOf)
  const anybody = new Set(names.flatMap((own) => [...own]))
  /** The words of a text that may be in a name. */
  const said = new Map<string, ReadonlyArray<string>>()
  return (at: number, { headings, openings }: Diversity): Taken => {
    const own = names[at]
    const nameless = ({ places, text }: Shared) => {
      const all = said.get(text) ?? wordsOf(text).filter((word) => anybody.has(word))
      said.set(text, all)
      return !all.some((word) => own?.has(word) !== true && places.some((place) => names[place]?.has(word) === true))
    }
    const texts = (shared: ReadonlyArray<Shared>) => shared.filter(nameless).map(({ text }) => text)
    return { openings: texts(openings), subjects: texts(headings) }
  }
}
