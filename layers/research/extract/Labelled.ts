// layers/research/extract/Labelled.ts: what a document states behind labels that name a detail field, word for word.
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import { readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { String } from "effect"
import { isNotAddress } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import {
  type Field,
  isList,
  isText,
  knownLabel,
  type Label,
  parseLabelled,
  nameListFields,
  isOneLine,
  type Topic,
  headingTopic
} from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { hasLegalForm, isJob, isPerson } from "#layers/research/extract/Names.ts"
import {
  authorRemark,
  failureQuestion,
  invitationStart,
  ownCondition,
  removeRemark,
  withoutTail
} from "#layers/research/extract/Statements.ts"
import { isAboutPast } from "#layers/text/Sentences.ts"
import { splitParagraph } from "#layers/text/Words.ts"
import type { ImportSource } from "#schema/Imports.ts"

/** Maximum characters of a text, entries of a list, and characters of an entry. */
export const maxSizes = { text: 4000, list: 20, entry: 1000 }

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

/** An author who does not know yet asks or remarks. */
const isUndecided = (text: string) => text.includes("?") || authorRemark.test(text)
/** A link of a wiki, or where else to look. */
const referenceStart = /\[\[|^(?:see|siehe|voir)\b/i
/** A second label in the same paragraph: the value may end anywhere before it. */
const nextLabel = /[.;,] \p{Lu}[\p{L} ]{2,24}: \S/u

const withoutFullStop = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()

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
const oneLineValue = (field: Field, value: string): string | undefined => {
  const text = withoutFullStop(value)
  const isShort = text.length <= 80 && !/[@:;|?]/.test(text)
  if (field === "company_name")
    return isShort && text.split(" ").length <= 8 && (hasLegalForm(text) || !/\. \p{Lu}\p{Ll}+ |, \p{Ll}/u.test(text))
      ? text
      : undefined
  if (field === "city_region") return isShort && !/\d/.test(text) && text.split(" ").length <= 5 ? text : undefined
  if (field === "industry_vertical")
    return isShort && /^\p{L}/u.test(text) && text.split(" ").length <= 8 ? text : undefined
  if (field === "business_address")
    return /\p{L}{3}.*\d|\d.*\p{L}{3}/u.test(text) &&
      /,/.test(text) &&
      !isNotAddress(text) &&
      !/[@:?]|\. \p{Lu}/u.test(text) &&
      text.length <= 140
      ? text
      : undefined
  if (field === "contact_title") return isShort && isJob(text) && !/\d/.test(text) ? text : undefined
  return undefined
}

/** "Ann Lee, Head of Sales, 0113 496 0182": the person, and the title where it stands right behind the name. */
const personFacts = (value: string, block: Block): ReadonlyArray<Fact> => {
  const [name = "", title = ""] = withoutFullStop(
    value.replace(/^(?:Ms|Mrs?|Miss|Herrn?|Frau|Mme)\.? /, "").replace(/\s*\(([^()]+)\)/, ", $1")
  ).split(/,\s+/)
  if (!isPerson(name)) return []
  const isTitle = /^\p{L}[\p{L} /&'’-]{2,50}$/u.test(title) && isJob(title) && !isPerson(title)
  return [factOf("contact_name", name, block), ...(isTitle ? [factOf("contact_title", title, block)] : [])]
}

/** Under these headings a contact or a place is a client's. */
export const clientTopics: ReadonlySet<Topic | undefined> = new Set([
  "ideal_client_description",
  "target_job_titles",
  "case_studies"
] as const)
/** Fields that are about other companies, and may stand among them. */
const otherCompanyFields: ReadonlySet<Field> = new Set(["competitors", "case_studies", "ideal_client_urls"] as const)
/** Capitalizes the first letter, unless the first word has a capital inside, such as "bizSAFE". */
const capitalizeStart = (text: string) => (/^\S*\p{Lu}/u.test(text) ? text : String.capitalize(text))

/** The person whom a sentence of a paragraph names as its contact: "We lay floors. Contact: Ann Lee, Sales Manager." */
const contactsIn = (block: Block): ReadonlyArray<Fact> =>
  splitParagraph(block.text).flatMap((sentence) => {
    const { label, value = "" } = parseLabelled(sentence) ?? {}
    return label === "contact" || label === "contact_name" ? personFacts(value, block) : []
  })

/** Texts of several points, one a line. */
const pointFields: ReadonlySet<Field> = new Set([
  "pain_points",
  "ideal_client_description",
  "unique_differentiators",
  "solution_triggers",
  "problems_solved",
  "competitor_frustrations"
] as const)
const organizationNoun =
  /(?:agencies|associations|brands|breweries|charities|clinics|colleges|companies|councils|farms|firms|hospitals|hotels|manufacturers|mills|plants|practices|retailers|schools|shops|stores|trusts|universities|wholesalers)$/i

/** "Conservatoires and drama colleges" under "Who buys" are clients, not titles. */
const namesJob = (value: string): boolean =>
  value.split(/,\s+|\s+(?:and|or|und|oder|et|ou|y|o)\s+/).every((part) =>
    extractJobTitles(part).some((title) => {
      const { department, seniority } = readTitle(title)
      return (department !== null || seniority !== null) && !organizationNoun.test(title)
    })
  )

/** The facts in a label's value; none if the value is incomplete or undecided. */
const factsOfLabel = (label: Label, answer: string, block: Block): ReadonlyArray<Fact> => {
  const text = removeRemark(answer.replace(/^(?:Yes|Ja|Oui|Sí)[.,:!]\s+(?=\S)/u, ""))
  // Behind a promise with its condition may stand a remark of the author.
  const value =
    label === "guarantee" && ownCondition.test(text)
      ? (splitParagraph(text)[0] ?? "")
      : label === "lead_magnets"
        ? withoutTail(text)
        : text
  if (!(isText(label) || isList(label)) || (isThirdParty(block) && !otherCompanyFields.has(label))) return []
  if (
    value === "" ||
    isUndecided(value) ||
    referenceStart.test(value) ||
    (nextLabel.test(value) && label !== "case_studies" && !value.includes(" · ")) ||
    !isComplete(value) ||
    value.length > maxSizes.entry ||
    ((label === "pain_points" || label === "problems_solved") && isAboutPast(value)) ||
    (label === "target_job_titles" && !namesJob(value))
  )
    return []
  if (isOneLine(label)) {
    const line = clientTopics.has(block.topic) ? undefined : oneLineValue(label, value)
    return line === undefined ? [] : [factOf(label, line, block)]
  }
  if (nameListFields.has(label)) {
    const names = withoutFullStop(value)
    return label !== "ideal_client_urls" && areNames(names) ? [factOf(label, names, block)] : []
  }
  // What is all in capitals is a heading; an address says whom to ask, and a long number is a policy's.
  if (label === "credibility_markers" && /\b(?:not|pending|applied|expired|in progress)\b/i.test(value)) return []
  if (
    !/\p{Ll}/u.test(value)
      ? label !== "credibility_markers"
      : /@|https?:|www\.|\d{6}/.test(value) || invitationStart.test(value)
  )
    return []
  // "We replace it free" says nothing without "What if a blade breaks?"
  const isAnswer = failureQuestion.test(block.text) || failureQuestion.test(block.under.at(-1) ?? "")
  if (label === "guarantee" && isAnswer && !ownCondition.test(value)) return []
  // "The first box" is no offer without "Anything free?"
  if (label === "lead_magnets" && (block.under.at(-1) ?? "").endsWith("?")) return []
  if (label === "business_description" && !/[.!]["”“]?$/.test(value)) return []
  // Praise is no result; "Oak Ltd: stock written off fell from 6,800 to 900" needs no stop.
  if (label === "case_studies" && !/^[\p{Lu}\d].*(?:\d.*[.!]$|: [^.]*\d[^.]*\d[^.]*$)/su.test(value)) return []
  if (pointFields.has(label)) {
    // In prose a semicolon joins what belongs together.
    const points = (/\p{Ll}[.!]\s+\p{Lu}/u.test(value) ? [value] : value.split(/;\s+| · /u)).map((part) =>
      capitalizeStart(part.replace(/^\d{1,2}[.)]\s+/, ""))
    )
    return [factOf(label, points.join("\n"), block)]
  }
  if (!isList(label)) return [factOf(label, capitalizeStart(value), block)]
  // "New roofs get 5 years; existing ones 4." is one sentence.
  return value.split(/;\s+(?!\p{Ll}.*\.$)| · /u).map((part) => factOf(label, capitalizeStart(part), block))
}

/** Labels of a sentence within a paragraph: "Back in 36 hours. Guarantee: no charge if it fails." */
const inlineLabels: ReadonlySet<Label> = new Set(["guarantee", "competitors"] as const)
/** "Free fleet survey", and no word that only says that something is free. */
export const namedGift =
  /^(?:free|gratis|kostenlose?s?) (?!(?:offer|thing|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|review|demo)s?\s*:)\p{L}[\p{L} -]*:/iu

/** "Result: costs fell by a third", which says nothing without the line above it: "Client: Acme". */
const resultLabel = /^(?:results?|ergebnis|résultat|resultado)(?: \d{1,2})?\s*:/iu
const clientLine = /^(?:clients?|customer|kunde|cliente)(?: \d{1,2})?\s*:\s*(\S.{1,80})$/iu

const factsInBlock = (block: Block, next: Block | undefined, previous: Block | undefined): ReadonlyArray<Fact> => {
  if (block.kind === "heading" || block.kind === "row") return []
  if (resultLabel.test(block.text)) {
    const [, client] = clientLine.exec(previous?.text ?? "") ?? []
    const { value = "" } = parseLabelled(block.text) ?? {}
    const results = client === undefined ? [] : factsOfLabel("case_studies", value, block)
    return results.map((fact) => ({ ...fact, value: `${client}: ${fact.value}` }))
  }
  const isOfClient = clientTopics.has(block.topic) || isThirdParty(block)
  const contacts = isOfClient ? [] : contactsIn(block)
  const { label, value: labelValue = "" } = parseLabelled(block.text) ?? {}
  // "Free fleet survey: we look at every cover" names what is given away.
  const value = label === "lead_magnets" && namedGift.test(block.text) ? block.text : labelValue
  // A line that continues in the next one, as in a cell of a table, is cut here.
  const isCut = /[\p{L},]$/u.test(value) && /^\p{Ll}/u.test(next?.text ?? "")
  const [firstSentence = "", ...otherSentences] = splitParagraph(value)
  const inlineFacts = otherSentences.flatMap((sentence) => {
    const labelled = parseLabelled(sentence)
    return labelled !== undefined && inlineLabels.has(labelled.label)
      ? factsOfLabel(labelled.label, labelled.value, block)
      : []
  })
  const mainValue = inlineFacts.length > 0 ? firstSentence : value
  if (label === undefined || block.isJoined || isCut) return contacts
  return [...contacts, ...factsOfLabel(label, mainValue, block), ...inlineFacts]
}

/** A section with more paragraphs or points is an article. */
const maxParts = 12
/** "About us" is as often a history as what a company does. */
const aboutHeading = /about|über uns|qui sommes|quiénes/i
/** Whom a company does not serve is in no description of its clients. */
const negation = /^(?:not|no|nicht|pas|keine?)(?!\p{L})|\b(?:not|never|nicht)\b|n['’]t\b/iu
/** A note of a draft, the shorthand of a slide, or a quotation: in an email the sender would say them. */
const unfitPoint = /->|→|←| = |\?\?|\bw\/|\d\/\p{L}|: ?[€$£]\s?\d|["“”„«»]/u

/**
 * The facts of a section whose heading is a label and nothing else: "Our guarantee". All of it has to be whole: points, or
 * paragraphs of sentences.
 */
const factsOfSection = ({ text: heading }: Block, section: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const points = section.filter(({ kind }) => kind === "point")
  const body = section[0]?.kind === "point" ? points : section
  const [firstBlock] = body
  const isPromise = headingTopic(heading) === "guarantee" && ownCondition.test(firstBlock?.text ?? "")
  const label = knownLabel(heading) ?? (isPromise ? "guarantee" : undefined)
  if (label === undefined || firstBlock === undefined || body.length > maxParts || !(isList(label) || isText(label)))
    return []
  if (label === "lead_magnets" && namedGift.test(`${heading}:`)) return []
  const arePoints = body.every(({ kind }) => kind === "point")
  const isProse = body.every(({ kind, text }) => kind === "paragraph" && /[.!]$/.test(text))
  const isPlain = ({ isJoined, text }: Block) => !isJoined && parseLabelled(text) === undefined && isComplete(text)
  const isName = isOneLine(label) || nameListFields.has(label)
  if (!(arePoints || isProse || (isName && body.length === 1)) || !body.every(isPlain)) return []
  if (pointFields.has(label)) {
    const isSure = ({ text }: Block) =>
      headingTopic(text) === undefined && !unfitPoint.test(text) && !isUndecided(text) && !negation.test(text)
    const value = body.map(({ text }) => text).join("\n")
    const isWhole = arePoints ? body.length > 1 : body.length === 1 && splitParagraph(value).length === 1
    return isWhole && body.every(isSure) && value.length <= maxSizes.entry ? [factOf(label, value, firstBlock)] : []
  }
  if (label === "business_description" && aboutHeading.test(heading)) return []
  if (nameListFields.has(label))
    return factsOfLabel(label, body.map(({ text }) => withoutFullStop(text)).join(", "), firstBlock)
  if (isOneLine(label)) return body.length > 1 ? [] : factsOfLabel(label, firstBlock.text, firstBlock)
  if (isList(label)) return body.flatMap((block) => factsOfLabel(label, block.text, block))
  return isProse ? factsOfLabel(label, body.map(({ text }) => text).join(" "), firstBlock) : []
}

/** The blocks between a heading and the next, or up to one that stands under it no longer. */
const sectionBody = (blocks: ReadonlyArray<Block>, heading: number): ReadonlyArray<Block> => {
  const title = blocks[heading]?.text
  const end = blocks.findIndex(
    ({ kind, under }, index) => index > heading && (kind === "heading" || under.at(-1) !== title)
  )
  return blocks.slice(heading + 1, end === -1 ? undefined : end)
}

/** Every fact of a document that stands behind a label, in its order. */
export const labelledFacts = (blocks: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  blocks.flatMap((block, index) => factsInBlock(block, blocks[index + 1], blocks[index - 1]))

/** Every fact of a company's own text that stands under a label, in its order. */
export const sectionFacts = (blocks: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  blocks.flatMap((block, index) => {
    if (block.kind !== "heading") return []
    const isPart = ({ text }: Block) => /^\p{Ll}/u.test(text)
    const next = blocks[index + 1]
    // "The complaints are these:" between a heading and its points is no heading of its own.
    const isIntroduced = next?.kind === "heading" && next.level > 6 && headingTopic(next.text) === undefined
    const body = sectionBody(blocks, isIntroduced && blocks[index + 2]?.kind === "point" ? index + 1 : index)
    // A section that begins or continues in lower case was cut by its page or its column.
    const followingBlock = blocks[blocks.indexOf(body.at(-1) ?? block) + 1]
    if (body.slice(0, 1).some(isPart) || (followingBlock !== undefined && isPart(followingBlock))) return []
    return factsOfSection(block, body)
  })
