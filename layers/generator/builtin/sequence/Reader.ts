// layers/generator/builtin/sequence/Reader.ts: what research found about a lead's company, said to the reader.
import type { Brief } from "#layers/Generator.ts"
import { plain } from "#layers/generator/builtin/grammar/Pieces.ts"
import { gerund, guessBase } from "#layers/generator/builtin/grammar/Verbs.ts"
import { withoutAsides, words } from "#layers/text/Words.ts"

export interface Reader {
  /** What the company does, to follow "you're": "importing tiles from Spain". */
  readonly doing: string | undefined
  /** What it is, with its article: "an importer of olive oil". */
  readonly being: string | undefined
}

/** Verbs that say what a company hopes or has, and not what it does. */
const idle =
  /^(?:are|is|were|was|have|has|had|believe|believes|love|loves|aim|aims|strive|strives|pride|know|knows|think|want|wants|hope|hopes|do|does|can|will|use|uses|understand|care|cares|work|works|need|needs|look|looks|welcome|thank|guarantee|take|takes|value|values)$/

/** Up to where a statement can be told in one breath. */
const breath = (text: string): string | undefined => {
  const cut =
    withoutAsides(text)
      .split(/[,;:.!]| (?:that|which|who|so|and (?:we|our)|since|because|while|where|with over|with more)\b/)[0]
      ?.trim() ?? ""
  const all = cut.split(" ")
  const short =
    all.length <= 9
      ? cut
      : all
          .slice(0, 9)
          .join(" ")
          .replace(/ (?:and|or|for|in|to|from|of|with|at|by|on|the|a|an)(?: \S+)?$/, "")
  const said = short.replace(/\bour\b/gi, "your").replace(/\bus\b/gi, "you")
  // What points back, or at the writer of the page, reads oddly from somebody else.
  return words(said).length < 2 || /\b(?:we|i|it|this|these|those|them)\b/i.test(said) ? undefined : said
}

const doingOf = (rest: string): string | undefined => {
  const [, adverb = "", verb = "", object = ""] = /^((?:also|mainly|proudly|now) )?([a-z]+) (.+)$/.exec(rest) ?? []
  if (verb === "" || adverb === "also " || idle.test(verb)) return undefined
  const said = breath(object)
  // After a subject stands its verb: "We import", "Quay imports".
  return said === undefined ? undefined : `${gerund(guessBase(verb))} ${said}`
}

const beingOf = (rest: string): string | undefined => {
  const [, noun] = /^(?:are|is|'re) ((?:an?|the) .+)$/.exec(rest) ?? []
  return noun === undefined ? undefined : breath(noun)
}

/** Reads the facts in their order, and takes the first that says what the company does and the first that says what it is. */
export const reader = ({ facts }: Pick<Brief, "facts">, company: string | undefined): Reader => {
  const names = ["We", ...(company === undefined ? [] : [company, company.split(" ")[0] ?? company])]
  const told = facts.flatMap(({ statement }) => {
    const said = plain(statement)
    const name = names.find(
      (each) => said.toLowerCase().startsWith(`${each.toLowerCase()} `) || said.startsWith(`${each}'re `)
    )
    return name === undefined ? [] : [said.slice(name.length).trim()]
  })
  const first = (read: (rest: string) => string | undefined) => told.map(read).find((each) => each !== undefined)
  return { doing: first(doingOf), being: first(beingOf) }
}
