// layers/research/extract/Labelled.ts: what a document states behind labels that name a detail field, word for word.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import {
  type Field,
  isList,
  isText,
  knownLabel,
  type Label,
  labelled,
  names,
  oneLine
} from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { hasLegalForm, isJob, isPerson } from "#layers/research/extract/Names.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"
import { shapeOf } from "#layers/text/Sentences.ts"
import { looksEnglish, sentences } from "#layers/text/Words.ts"
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
/** A link of a wiki, or where else to look. */
const isReference = /\[\[|^(?:see|siehe|voir)\b/i
/** A second label in the same paragraph: the value may end anywhere before it. */
const nextLabel = /[.;,] \p{Lu}[\p{L} ]{2,24}: \S/u

const unstopped = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()

/** "Weir, KSB, in-house teams": names or plain nouns, and no remark on them. */
const areNames = (list: string): boolean =>
  list
    .split(/,\s+(?:and |or )?|\s+(?:and|or|und|et)\s+/)
    .every(
      (part) =>
        part.split(/\s+/).length <= 4 &&
        part.length > 1 &&
        !/[.?!():;@]|\d{2}|\s[–—-]\s|(?<!\p{L})(?:d(?:ie|er|as|es)|les|the|mostly|mainly|überwiegend|surtout)(?!\p{L})/u.test(
          part
        )
    )

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
  if (field === "industry_vertical")
    return isShort && /^\p{L}/u.test(clean) && clean.split(" ").length <= 8 ? clean : undefined
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
  /^(?:download|learn|discover|read|find out|explore|welcome|contact|see|looking|get|call|book|découvrez|bienvenue|entdecken|erfahren|willkommen)\b(?!-)/i

/** With a capital, unless its first word is a name with one inside, such as "bizSAFE". */
const begun = (text: string) => (/^\S*\p{Lu}/u.test(text) ? text : String.capitalize(text))

/** The person whom a sentence of a paragraph names as its contact: "We lay floors. Contact: Ann Lee, Sales Manager." */
const contactsIn = (block: Block): ReadonlyArray<Fact> =>
  sentences(block.text).flatMap((sentence) => {
    const { label, value = "" } = labelled(sentence) ?? {}
    return label === "contact" || label === "contact_name" ? personFacts(value, block) : []
  })

/** The facts that a label and what stands behind or under it state; none where that is not whole. */
const statedBy = (label: Label, value: string, block: Block): ReadonlyArray<Fact> => {
  if (!(isText(label) || isList(label)) || (isOfOthers(block) && !ofOthers.has(label))) return []
  if (
    undecided.test(value) ||
    isReference.test(value) ||
    nextLabel.test(value) ||
    !isComplete(value) ||
    value.length > most.entry
  )
    return []
  if (oneLine(label)) {
    const line = ofClients.has(block.topic) ? undefined : lineOf(label, value)
    return line === undefined ? [] : [factOf(label, line, block)]
  }
  if (names.has(label))
    return label !== "ideal_client_urls" && areNames(unstopped(value)) ? [factOf(label, unstopped(value), block)] : []
  // What is all in capitals is a heading; an address says whom to ask, and a long number is a policy's.
  if (label === "credibility_markers" && /\b(?:not|pending|applied|expired|in progress)\b/i.test(value)) return []
  if (!/\p{Ll}/u.test(value) ? label !== "credibility_markers" : /@|https?:|\d{6}/.test(value) || invites.test(value))
    return []
  const isSentence = /[.!]["”“]?$/.test(value)
  if ((label === "case_studies" || label === "business_description") && !isSentence) return []
  if (!isList(label)) return [factOf(label, begun(value), block)]
  // "New roofs get 5 years; existing ones 4." is one sentence.
  return value.split(/;\s+(?!\p{Ll}.*\.$)| · /u).map((part) => factOf(label, begun(part), block))
}

const factsIn = (block: Block, next: Block | undefined): ReadonlyArray<Fact> => {
  if (block.kind === "heading" || block.kind === "row") return []
  const isOfClient = ofClients.has(block.topic) || isOfOthers(block)
  const contacts = isOfClient ? [] : contactsIn(block)
  const { label, value = "" } = labelled(block.text) ?? {}
  // A line that continues in the next one, as in a cell of a table, is cut here.
  const isCut = /[\p{L},]$/u.test(value) && /^\p{Ll}/u.test(next?.text ?? "")
  return label === undefined || block.isJoined || isCut ? contacts : [...contacts, ...statedBy(label, value, block)]
}

/** A section with more paragraphs or points is an article, and a longer description is a story. */
const mostParts = 8
const mostDescription = 500

/**
 * The facts of a section whose heading is a label and nothing else: "Our guarantee". All of it has to be whole, and
 * what could stand in an email has to be English.
 */
const factsUnder = ({ text }: Block, body: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const label = knownLabel(text)
  const [first] = body
  if (label === undefined || first === undefined || body.length > mostParts) return []
  if (!(isList(label) || isText(label)) || (oneLine(label) && body.length > 1)) return []
  // "About us" is as often a history as what a company does.
  const isStory = topicOf(text) === "about" || body.reduce((sum, { text }) => sum + text.length, 0) > mostDescription
  if (label === "business_description" && isStory) return []
  const isPlain = ({ isJoined, kind, text }: Block) =>
    (kind === "paragraph" || kind === "point") &&
    labelled(text) === undefined &&
    !(isJoined && sentences(text).some((sentence) => shapeOf(sentence) !== "sentence")) &&
    isComplete(text) &&
    (names.has(label) || oneLine(label) || looksEnglish(text))
  const isProse = body.every(({ kind, text }) => kind === "paragraph" && /[.!]$/.test(text))
  // A short line between paragraphs may be a heading that nothing marks.
  const isOneKind = isProse || body.length === 1 || body.every(({ kind }) => kind === "point")
  if (!body.every(isPlain) || !isOneKind) return []
  if (names.has(label)) return statedBy(label, body.map(({ text }) => unstopped(text)).join(", "), first)
  if (oneLine(label)) return statedBy(label, first.text, first)
  if (isList(label)) return body.flatMap((block) => statedBy(label, block.text, block))
  return isProse ? statedBy(label, body.map(({ text }) => text).join(" "), first) : []
}

/** The blocks between a heading and the next. */
const bodyOf = (all: ReadonlyArray<Block>, heading: number): ReadonlyArray<Block> => {
  const end = all.findIndex(({ kind }, at) => at > heading && kind === "heading")
  return all.slice(heading + 1, end === -1 ? undefined : end)
}

/** Every fact of a document that stands behind a label, in its order. */
export const labelledFacts = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block, at) => factsIn(block, all[at + 1]))

/** Every fact of a company's own text that stands under a label, in its order. */
export const sectionFacts = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block, at) => (block.kind === "heading" ? factsUnder(block, bodyOf(all, at)) : []))
