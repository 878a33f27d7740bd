// layers/research/extract/Labelled.ts: what a document states behind labels that name a detail field, word for word.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { type Field, isList, isText, labelled, names, oneLine } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { hasLegalForm, isJob, isPerson } from "#layers/research/extract/Names.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"
import type { ImportSource } from "#schema/Imports.ts"

/** At most so many characters in a text, entries in a list, and characters in an entry. */
export const most = { text: 4000, list: 20, entry: 1000 }

/** A value of a detail field, with the block that states it. */
export interface Fact {
  readonly field: Field
  readonly value: string
  readonly source: ImportSource
}

export const factOf = (field: Field, value: string, { text, under }: Pick<Block, "text" | "under">): Fact => ({
  field,
  value,
  source: {
    field,
    text: text.slice(0, 2000).toWellFormed(),
    heading: under.at(-1)?.slice(0, 200).toWellFormed() ?? null
  }
})

/** Remarks of an author who does not know yet. */
const undecided =
  /\?|\b(?:tbd|tbc|to be confirmed|under discussion|ask again|not sure|^(?:none|nothing|n\/a|unknown|keine?|aucune?)$|(?:see|terms) below|noch offen|unklar|zu klären|à confirmer|à définir|(?:not|never|no|keine|aucune) g[au]a?rant\p{L}+|reference ok|in writing|no logo|not public|(?:don['’]t|do not|never) (?:name|quote|publish|mention)|check with)\b/iu
/** A second label in the same paragraph: the value may end anywhere before it. */
const nextLabel = /[.;,] \p{Lu}[\p{L} ]{2,24}: \S/u

const unstopped = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()

/** "Weir, KSB, in-house teams": names or plain nouns, and no remark on them. */
const areNames = (list: string): boolean =>
  list
    .split(/,\s+(?:and |or )?|\s+(?:and|or|und|et)\s+/)
    .every((part) => part.split(/\s+/).length <= 4 && part.length > 1 && !/[.?!():;@]|\d{2}|\s[–—-]\s/.test(part))

/** A value of a one-line field as it is stored; undefined where it has not the form of one. */
const lineOf = (field: Field, value: string): string | undefined => {
  const clean = unstopped(value)
  const isShort = clean.length <= 80 && !/[@:;|?]/.test(clean)
  if (field === "company_name")
    return isShort &&
      clean.split(" ").length <= 8 &&
      (hasLegalForm(clean) || !/\. \p{Lu}\p{Ll}+ |, \p{Ll}/u.test(clean))
      ? clean
      : undefined
  if (field === "city_region") return isShort && !/\d/.test(clean) && clean.split(" ").length <= 5 ? clean : undefined
  if (field === "industry_vertical") return isShort && clean.split(" ").length <= 6 ? clean : undefined
  if (field === "business_address")
    return /\p{L}{3}.*\d|\d.*\p{L}{3}/u.test(clean) &&
      /,/.test(clean) &&
      !/[@:?]|\. \p{Lu}/u.test(clean) &&
      clean.length <= 140
      ? clean
      : undefined
  if (field === "contact_title") return isShort && !/\d/.test(clean) ? clean : undefined
  return undefined
}

/** "Ann Lee, Head of Sales, 0113 496 0182": the person, and the title where it stands right behind the name. */
const personFacts = (value: string, block: Block): ReadonlyArray<Fact> => {
  const [name = "", title = ""] = unstopped(value.replace(/\s*\(([^()]+)\)/, ", $1")).split(/,\s+/)
  if (!isPerson(name)) return []
  const isTitle = /^\p{L}[\p{L} /&'’-]{2,50}$/u.test(title) && isJob(title) && !isPerson(title)
  return [factOf("contact_name", name, block), ...(isTitle ? [factOf("contact_title", title, block)] : [])]
}

/** Under these headings a contact or a place is a client's. */
const ofClients: ReadonlySet<Topic | undefined> = new Set(["clients", "ideal", "buyers", "cases"] as const)
/** Fields that are about other companies, and may stand among them. */
const ofOthers: ReadonlySet<Field> = new Set(["competitors", "case_studies", "ideal_client_urls"] as const)
/** How a description begins that invites its readers to visit. */
const invites =
  /^(?:learn|discover|read|find out|explore|welcome|contact|see|looking|get|call|book|découvrez|bienvenue|entdecken|erfahren|willkommen)\b/i

/** The person whom a sentence of a paragraph names as its contact: "We lay floors. Contact: Ann Lee, Sales Manager." */
const contactsIn = (block: Block): ReadonlyArray<Fact> =>
  sentences(block.text).flatMap((sentence) => {
    const { label, value = "" } = labelled(sentence) ?? {}
    return label === "contact" || label === "contact_name" ? personFacts(value, block) : []
  })

/** The fact of a paragraph or point that begins with a label; none where its value is not whole. */
const statedIn = (block: Block, next: Block | undefined): ReadonlyArray<Fact> => {
  const { label, value = "" } = labelled(block.text) ?? {}
  if (label === undefined || !(isText(label) || isList(label)) || (isOfOthers(block) && !ofOthers.has(label))) return []
  // A line that continues in the next one, as in a cell of a table, is cut here.
  const isCut = /[\p{L},]$/u.test(value) && /^\p{Ll}/u.test(next?.text ?? "")
  if (block.isJoined || isCut || undecided.test(value) || nextLabel.test(value)) return []
  if (!isComplete(value) || value.length > most.entry) return []
  if (oneLine(label)) {
    const line = ofClients.has(block.topic) ? undefined : lineOf(label, value)
    return line === undefined ? [] : [factOf(label, line, block)]
  }
  if (names.has(label))
    return label !== "ideal_client_urls" && areNames(unstopped(value)) ? [factOf(label, unstopped(value), block)] : []
  // What is all in capitals is a heading; an address says whom to ask, and a long number is a policy's.
  if (!/\p{Ll}/u.test(value) ? label !== "credibility_markers" : /@|https?:|\d{6}/.test(value) || invites.test(value))
    return []
  const isSentence = /[.!]["”“]?$/.test(value)
  if ((label === "case_studies" || label === "business_description") && !isSentence) return []
  if (!isList(label)) return [factOf(label, String.capitalize(value), block)]
  // "New roofs get 5 years; existing ones 4." is one sentence.
  return value.split(/;\s+(?!\p{Ll}.*\.$)/u).map((part) => factOf(label, String.capitalize(part), block))
}

const factsIn = (block: Block, next: Block | undefined): ReadonlyArray<Fact> => {
  if (block.kind === "heading" || block.kind === "row") return []
  const isOfClient = ofClients.has(block.topic) || isOfOthers(block)
  return [...(isOfClient ? [] : contactsIn(block)), ...statedIn(block, next)]
}

/** Every labelled fact of a document, in its order. */
export const labelledFacts = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block, at) => factsIn(block, all[at + 1]))
