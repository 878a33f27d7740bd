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
  freeWord,
  invitationStart,
  withoutRemark
} from "#layers/research/extract/Statements.ts"
import { classifyShape } from "#layers/text/Sentences.ts"
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

/** The names of a list whose last entry describes what else clients do: "Weir, KSB, a cousin with a van". */
const rivalNames = (list: string): string => {
  const parts = list.split(/,\s+(?:(?:and|or|und|et) )?/)
  const isName = (part: string) => /^\p{Lu}|\p{Ll}\p{Lu}/u.test(part)
  const end = parts.findIndex((part) => !isName(part))
  return end > 0 &&
    end === parts.length - 1 &&
    (parts[end]?.split(" ").length !== 2 || /^\p{Ll}+ing /u.test(parts[end] ?? ""))
    ? parts.slice(0, end).join(", ")
    : list
}

/** A value of a one-line field as it is stored; undefined where it has not the form of one. */
const oneLineValue = (field: Field, value: string): string | undefined => {
  const clean = withoutFullStop(value)
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
      !isNotAddress(clean) &&
      !/[@:?]|\. \p{Lu}/u.test(clean) &&
      clean.length <= 140
      ? clean
      : undefined
  if (field === "contact_title") return isShort && isJob(clean) && !/\d/.test(clean) ? clean : undefined
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

/** Longer paragraphs are articles. */
const maxStoryLength = 420
/** Texts of several points, one a line. */
const pointFields: ReadonlySet<Field> = new Set([
  "pain_points",
  "ideal_client_description",
  "unique_differentiators",
  "solution_triggers",
  "problems_solved",
  "competitor_frustrations"
] as const)
const organizations =
  /(?:agencies|associations|brands|breweries|charities|clinics|colleges|companies|councils|farms|firms|hospitals|hotels|manufacturers|mills|plants|practices|retailers|schools|shops|stores|trusts|universities|wholesalers)$/i

/** "Conservatoires and drama colleges" under "Who buys" are clients, not titles. */
const namesJob = (value: string): boolean =>
  value.split(/,\s+|\s+(?:and|or|und|oder|et|ou|y|o)\s+/).every((part) =>
    extractJobTitles(part).some((title) => {
      const { department, seniority } = readTitle(title)
      return (department !== null || seniority !== null) && !organizations.test(title)
    })
  )

/** What a business does for a client when it fails. */
const remedyPattern =
  /\b(?:free|refund\w*|credit\w*|no charge|without charge|pays? nothing|replace[sd]?|redo|re-?design|repeat|money back|come back|we pay)\b|kostenlos|erset|gutgeschr|schreiben .* gut|zahlen wir|rembours|offert|nos frais|gratis|halben preis|sin coste?|devolve|owe nothing|warrant|compensat|waive/i
/** Answers that repeat the condition of their question. */
const conditionStart = /^(?:if|when|should|in that case)\b/i

/** The facts in a label's value; none if the value is incomplete or undecided. */
const factsOfLabel = (label: Label, answer: string, block: Block): ReadonlyArray<Fact> => {
  const text = withoutRemark(answer.replace(/^(?:Yes|Ja|Oui|Sí)[.,:!]\s+(?=\S)/u, ""))
  const question = [block.text, block.under.at(-1) ?? ""]
    .find((text) => failureQuestion.test(text))
    ?.replace(answer, "")
  const sentences = splitParagraph(text)
  // Behind the promise of a label stand remarks of the author: "We return three fees. Ann words it nicely."
  const promise = sentences.slice(0, sentences.findLastIndex((sentence) => remedyPattern.test(sentence)) + 1).join(" ")
  const isPromise = label === "guarantee" && (question !== undefined || (promise !== "" && block.text.endsWith(answer)))
  // "We replace it free" says nothing without "What if a blade breaks?"
  const asked = question === undefined || conditionStart.test(promise) ? "" : question.replace(/[\s:?]*$/, "? ")
  const value = isPromise ? promise : text
  if (value === "") return []
  // "The first box" is no offer without "Anything free?"
  if (label === "lead_magnets" && (block.under.at(-1) ?? "").endsWith("?") && !freeWord.test(value)) return []
  if (!(isText(label) || isList(label)) || (isThirdParty(block) && !otherCompanyFields.has(label))) return []
  if (
    isUndecided(value) ||
    referenceStart.test(value) ||
    (nextLabel.test(value) && label !== "case_studies" && !value.includes(" · ")) ||
    !isComplete(value) ||
    value.length > maxSizes.entry ||
    (label === "target_job_titles" && !namesJob(value))
  )
    return []
  if (isOneLine(label)) {
    const line = clientTopics.has(block.topic) ? undefined : oneLineValue(label, value)
    return line === undefined ? [] : [factOf(label, line, block)]
  }
  if (nameListFields.has(label)) {
    const names = label === "competitors" ? rivalNames(withoutFullStop(value)) : withoutFullStop(value)
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
  const isSentence = /[.!]["”“]?$/.test(value)
  // "Oak Ltd: stock written off fell from 6,800 to 900" needs no stop.
  const isWhole =
    (isSentence && (label !== "case_studies" || /^[\p{Lu}\d]/u.test(value))) ||
    (label === "case_studies" && /^\p{Lu}[^:]{2,80}: .*\d.*\d/u.test(value))
  if ((label === "case_studies" || label === "business_description") && !isWhole) return []
  if (pointFields.has(label)) {
    // In prose a semicolon joins what belongs together.
    const points = (/\p{Ll}[.!]\s+\p{Lu}/u.test(value) ? [value] : value.split(/;\s+| · /u)).map((part) =>
      capitalizeStart(part.replace(/^\d{1,2}[.)]\s+/, ""))
    )
    return [factOf(label, points.join("\n"), block)]
  }
  if (!isList(label)) return [factOf(label, capitalizeStart(value), block)]
  // "New roofs get 5 years; existing ones 4." is one sentence.
  return value.split(/;\s+(?!\p{Ll}.*\.$)| · /u).map((part) => factOf(label, asked + capitalizeStart(part), block))
}

/** Labels of a sentence within a paragraph: "Back in 36 hours. Guarantee: no charge if it fails." */
const inlineLabels: ReadonlySet<Label> = new Set(["guarantee", "competitors"] as const)
/** "Free fleet survey", and no word that only says that something is free. */
const namedGift =
  /^(?:free|gratis|kostenlose?s?) (?!(?:offer|thing|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|review|demo)s?\s*:)\p{L}[\p{L} -]*:/iu

/** "Result: costs fell by a third", which says nothing without the line above it: "Client: Acme". */
const resultLabel = /^(?:results?|ergebnis|résultat|resultado)(?: \d{1,2})?\s*:/iu
const clientLine = /^(?:clients?|customer|kunde|cliente)(?: \d{1,2})?\s*:\s*(\S.{1,80})$/iu

const factsInBlock = (block: Block, next: Block | undefined, before: Block | undefined): ReadonlyArray<Fact> => {
  if (block.kind === "heading" || block.kind === "row") return []
  if (resultLabel.test(block.text)) {
    const [, client] = clientLine.exec(before?.text ?? "") ?? []
    const { value = "" } = parseLabelled(block.text) ?? {}
    const results = client === undefined ? [] : factsOfLabel("case_studies", value, block)
    return results.map((fact) => ({ ...fact, value: `${client}: ${fact.value}` }))
  }
  const isOfClient = clientTopics.has(block.topic) || isThirdParty(block)
  const contacts = isOfClient ? [] : contactsIn(block)
  const { label, value: said = "" } = parseLabelled(block.text) ?? {}
  // "Free fleet survey: we look at every cover" names what is given away.
  const value = label === "lead_magnets" && namedGift.test(block.text) ? block.text : said
  // A line that continues in the next one, as in a cell of a table, is cut here.
  const isCut = /[\p{L},]$/u.test(value) && /^\p{Ll}/u.test(next?.text ?? "")
  const [first = "", ...more] = splitParagraph(value)
  const others = more.flatMap((sentence) => {
    const next = parseLabelled(sentence)
    return next !== undefined && inlineLabels.has(next.label) ? factsOfLabel(next.label, next.value, block) : []
  })
  const mainValue = others.length > 0 ? first : value
  if (label === undefined || block.isJoined || isCut) return contacts
  return [...contacts, ...factsOfLabel(label, mainValue, block), ...others]
}

/** A section with more paragraphs or points is an article, and a longer description is a story. */
const maxParts = 12
const maxDescription = 500
/** "About us" is as often a history as what a company does. */
const aboutHeading = /about|über uns|qui sommes|quiénes/i

/** Sections whose heading may say more than a label: "The problems we're asked to solve". */
const sectionTopics: ReadonlySet<Topic | undefined> = new Set([
  ...pointFields,
  "guarantee",
  "credibility_markers"
] as const)
/** Whom a company does not serve is in no description of its clients. */
const negation =
  /^(?:not|no|nicht|pas|keine?)(?!\p{L})|\b(?:not|never|nicht|kein\p{L}*)\b|n['’]t\b|(?<!\p{L})(?:ne|n['’])[^.]{1,30} (?:pas|ni)(?!\p{L})/iu

/** A second sentence that is about the same clients. */
const continuationStart = /^(?:They|Most|Many|Typically|Ils|Elles|Sie|Die meisten)(?!\p{L})/u
/** Who signs at a client is no kind of client: "Usually the Practice Manager". */
const buyerStart =
  /^(?:(?:usually|mostly|typically|normally|often|meist|häufig) |c'est (?:souvent|surtout) |es (?:meldet|melden) sich )?(?:the|an?|der|die|das|le|la|el) (?:\p{L}+ ){0,2}(?:manager|director|partner|owner|head|chief|officer|\p{L}*leiter(?:in)?|directeur|directrice|responsable|gerente|jefe)(?!\p{L})/iu
/** A whole point in quotation marks, and words by which a client speaks there: in an email the sender would say them. */
const wholeQuotation = /^["“„«»]\s*([^"“”„«»]+?)\s*["”“»«]$/
const firstPerson =
  /(?<!\p{L})(?:I|me|my|we|our|us|ich|mir|mein\p{L}*|wir|unser\p{L}*|je|mon|ma|mes|nous|nos|notre)(?!\p{L})/iu
/** A note of a draft, in signs that no email has. */
const draftMark = /->|→|←| = |\?\?/
/** The shorthand of a slide: "Climbers: $1,400/tower", "Only one w/ approval". */
const shorthand = /\bw\/|\d\/\p{L}|: ?[€$£]\s?\d/u

/** Under these as often clients stand by name, or what they achieved. */
const clientListHeading = /^(?:our|unsere|nos|nuestros) (?:clients?|customers?|kunden|clientes)$/i
const clientQualifier =
  /^(?!\p{Lu}\S+ \p{Lu}\S* ).* (?:with|between|from|ab|mit|à partir|avec|con|desde|that|who) (?:\p{Ll}|\d)|^\p{L}+ (?:de|of|von) \d+ (?:a|à|to|bis) \d/u

const isPoint = ({ kind, text, topic }: Block) =>
  kind === "point" || (topic === "pain_points" && kind === "paragraph" && /^["“„«»]/.test(text))

/** The points of a section, or the sentences of its only paragraph up to one that says for whom it is not. */
const pointsOf = (label: Field, body: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const isIdeal = label === "ideal_client_description"
  const points = body
    .filter(isPoint)
    .map(({ text }) => text.replace(wholeQuotation, "$1"))
    .filter((text, index) => text === body.filter(isPoint)[index]?.text || !firstPerson.test(text))
  const [first] = body
  const all = points.length > 0 ? points.filter((text) => !draftMark.test(text)) : splitParagraph(first?.text ?? "")
  if (!isIdeal) return all
  if (points.length > 0) return all.filter((text) => !negation.test(text))
  const end = all.findIndex(
    (text, index) => negation.test(text) || buyerStart.test(text) || (index > 0 && !continuationStart.test(text))
  )
  return all.slice(0, end === -1 ? undefined : end)
}

/** Short lines without a stop at the beginning of a section, of which there are several, are its points. */
const withUnmarkedPoints = (body: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const unquoted = body
    .flatMap((block) => block.text.split(" · ").map((text) => ({ ...block, text: text.replace(/^>\s*/, "") })))
    .filter(({ text }) => text !== "")
  const end = unquoted.findIndex(
    ({ isJoined, kind, text }) => kind !== "paragraph" || isJoined || text.length > 60 || /[.!?:()"“„«]/.test(text)
  )
  const lines = unquoted.slice(0, end === -1 ? undefined : end)
  // A single word may be the heading of what follows.
  return lines.length > 1 && lines.every(({ text }) => text.includes(" "))
    ? lines.map((line) => ({ ...line, kind: "point" as const }))
    : body
}

/** The facts in the points of a section, if all are complete. A paragraph before points only introduces them. */
const factsOfList = (label: Field, lines: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const body = withUnmarkedPoints(lines)
  const [first] = body
  const points = pointsOf(label, body)
  const isList = body.some(isPoint)
  // "Breweries, cider makers and pubs with a cellar" needs no stop; names have capitals only.
  const isKindOfClients =
    label === "ideal_client_description" &&
    first?.isJoined === false &&
    points.length === 1 &&
    points.every((text) =>
      text
        .split(/, | (?:and|und|et|y) /)
        .every((part, index) => (index === 0 && part.endsWith("s")) || / \p{Ll}|^\p{Ll}/u.test(part))
    )
  const isWhole = (text: string) =>
    isComplete(text) &&
    // A heading among the points is that of another column.
    headingTopic(text) === undefined &&
    // "Oak Ltd – 22,400 trees" is a client, and no kind of them.
    !(isList && label === "ideal_client_description" && / [–—-] /.test(text)) &&
    !isUndecided(text) &&
    !referenceStart.test(text) &&
    !(isList && shorthand.test(text)) &&
    // "Fast. Friendly." is a headline.
    (isList || ((/[.!]["”»]?$/.test(text) || isKindOfClients) && text.split(" ").length > 3))
  // Of prose, a description of clients begins with the answer; problems and what is different are the whole of a short one.
  const isShort = body.length === 1 && (first?.text.length ?? 0) <= maxStoryLength && !first?.isJoined
  const isProblem =
    label !== "pain_points" || !points.some((text) => firstPerson.test(text) || /^(?:He|She)\b/.test(text))
  const isEnough = isList
    ? points.length > 1
    : first?.kind === "paragraph" && (label === "ideal_client_description" || (isShort && isProblem))
  if (first === undefined || points.length === 0 || !isEnough || !points.every(isWhole)) return []
  const value = isList ? points.join("\n") : points.join(" ")
  return value.length > maxSizes.entry ? [] : [factOf(label, value, isList ? (body.find(isPoint) ?? first) : first)]
}

/**
 * The facts of a section whose heading is a label and nothing else: "Our guarantee". All of it has to be whole, and
 * what could stand in an email has to be English.
 */
const factsOfSection = ({ text }: Block, body: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const topic = headingTopic(text)
  const label = knownLabel(text) ?? (sectionTopics.has(topic) ? topic : undefined)
  const [first] = body
  if (label === undefined || first === undefined || body.length > maxParts) return []
  if (label === "lead_magnets" && namedGift.test(`${text}:`)) return []
  if (!(isList(label) || isText(label)) || (isOneLine(label) && body.length > 1)) return []
  // Unlike a client's name, a kind of client says something of its size or its work.
  if (pointFields.has(label))
    return clientListHeading.test(text) && !body.some((each) => clientQualifier.test(each.text))
      ? []
      : factsOfList(label, body)
  const isStory = aboutHeading.test(text) || body.reduce((sum, { text }) => sum + text.length, 0) > maxDescription
  if (label === "business_description" && isStory) return []
  const isPlain = ({ isJoined, kind, text }: Block) =>
    (kind === "paragraph" || kind === "point") &&
    parseLabelled(text) === undefined &&
    !(isJoined && splitParagraph(text).some((sentence) => classifyShape(sentence) !== "sentence")) &&
    isComplete(text)
  const isProse = body.every(({ kind, text }) => kind === "paragraph" && /[.!]$/.test(text))
  // A short line between paragraphs may be a heading that nothing marks.
  const isOneKind = isProse || body.length === 1 || body.every(({ kind }) => kind === "point")
  if (!body.every(isPlain) || !isOneKind) return []
  if (nameListFields.has(label))
    return factsOfLabel(label, body.map(({ text }) => withoutFullStop(text)).join(", "), first)
  if (isOneLine(label)) return factsOfLabel(label, first.text, first)
  // Praise is no result.
  const isForField = ({ text }: Block) =>
    label !== "case_studies" || (figurePattern.test(text) && changePattern.test(text))
  if (isList(label)) return body.filter(isForField).flatMap((block) => factsOfLabel(label, block.text, block))
  return isProse ? factsOfLabel(label, body.map(({ text }) => text).join(" "), first) : []
}

const figurePattern = /(?<![\p{L}-])\d|\b(?:half|halved|doubled|tripled|twice|a third)\b/iu
const changePattern =
  /\b(?:cuts?|reduced|saved|saves|from (?:\p{L}+ )?\d[^.]* to|increased|grew|recovered|doubled|tripled|halved|dropped|fell|raised|rose|won|gained|avoided|lowered|improved|went|moved|stopped|replaced|reserved|surveyed|fewer|more|down|earlier|faster|finished|found|turned up|senkte|gespart|von \d.* auf|réduit|économisé|passée?s?)\b|\d\s?(?:%|per ?cent)/iu
/** A client at the beginning of its story, in at least two words: "Hound & Hearth, Leeds." */
const clientStart =
  /^(?:(?:The|Die|Der|Das|Les?|La) )?\p{Lu}[\p{L}\p{M}'’-]*(?: (?:&|and|und|et|of|de|du|der|des|\p{Lu}[\p{L}\p{M}'’-]*)){1,6}(?:[,:(]| \(| \p{Ll})/u

/** Clients' results under a heading of them: whole paragraphs that begin with a client's name, or stand under one. */
export const caseStudiesIn = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block) => {
    const { kind, topic, under } = block
    // What the client says of it, and whom to ask there, stand behind the result.
    const said = splitParagraph(block.text)
    const quoted = said.findIndex((sentence) => /["“”„«»]/.test(sentence))
    const contact = said.findIndex((sentence) => /^(?:contact|kontakt|ansprechpartner(?:in)?)\s?:/iu.test(sentence))
    const [end] = [quoted, contact].filter((at) => at > 0).toSorted((a, b) => a - b)
    const text = end === undefined ? block.text : said.slice(0, end).join(" ")
    const heading = (under.at(-1) ?? "").replace(/^case study\s*:\s*/i, "")
    const isClientStory =
      topic === "case_studies" &&
      kind === "paragraph" &&
      !/["“”„«»»]|^>/.test(text) &&
      splitParagraph(text).every((sentence) => /[.!]$/.test(sentence)) &&
      splitParagraph(text).some((sentence) => figurePattern.test(sentence) && changePattern.test(sentence)) &&
      isComplete(text) &&
      !(block.isJoined && splitParagraph(text).some((sentence) => classifyShape(sentence) !== "sentence")) &&
      !isUndecided(text)
    const isUnderClient = headingTopic(heading) === undefined && /^\p{Lu}/u.test(heading)
    // "Der Stromverbrauch der Kühlräume sank" begins as a name with its article does.
    const isNamed = clientStart.test(text) && !(isUnderClient && /^(?:The|Die|Der|Das|Les?|La) /.test(text))
    const value = isNamed ? text : isUnderClient ? `${heading}: ${text}` : ""
    return isClientStory && value !== "" && value.length <= maxStoryLength ? [factOf("case_studies", value, block)] : []
  })

/** A figure in words, as far as results have them. */
const numberWord =
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|dos|tres|cuatro|cinco|seis|siete|ocho|diez)(?!\p{L})/iu

/** What a block of clients' results says of one, as far as its form shows whose it is. */
const clientResult = ({ text, under }: Block): string | undefined => {
  const heading = (under.at(-1) ?? "").replace(/^case study\s*:\s*/i, "")
  if (/["“”„«»@]|^>|:$/.test(text) || isUndecided(text) || text.split(" ").length < 4) return undefined
  if (/^\p{Lu}[^\s:]* [^:.!?]{1,60}: \S+(?: \S+){3}/u.test(text) && parseLabelled(text) === undefined) return text
  return headingTopic(heading) === undefined && /^\p{Lu}/u.test(heading) ? `${heading}: ${text}` : undefined
}

/** All clients' results of a section that has one, or none: one of two looks like all that there are. */
export const completeStories = (all: ReadonlyArray<Block>, facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const textOf = (block: Block) => factOf("case_studies", "", block).source.text
  const sectionOf = ({ under }: Block) =>
    under.slice(0, under.findLastIndex((heading) => headingTopic(heading) === "case_studies") + 1).join("\n")
  const filled = new Set(facts.flatMap(({ field, source }) => (field === "case_studies" ? [source.text] : [])))
  const blocks = filled.size === 0 ? [] : all.filter(({ topic }) => topic === "case_studies")
  const stories = blocks.filter((block) => filled.has(textOf(block)))
  const rest = blocks.filter((block) => !filled.has(textOf(block)))
  const sections = new Set(stories.map(sectionOf))
  const headings = new Set(stories.map(({ under }) => under.join("\n")))
  const found = rest.flatMap((block) => {
    const value = clientResult(block) ?? ""
    // A second paragraph under the name of a client belongs to the same story.
    const isMore = value !== block.text && headings.has(block.under.join("\n"))
    const isResult = resultLabel.test(block.text) || (value !== "" && !isMore)
    if (block.kind === "heading" || block.kind === "row" || !isResult || !sections.has(sectionOf(block))) return []
    const isWhole =
      isComplete(value) &&
      (/[.!]$/.test(value) || /: .*\d.*\d/.test(block.text)) &&
      value.length <= maxStoryLength &&
      !block.isJoined &&
      (/\d/.test(block.text) || numberWord.test(block.text))
    return [{ section: sectionOf(block), fact: isWhole ? [factOf("case_studies", value, block)] : [] }]
  })
  const broken = new Set(found.flatMap(({ fact, section }) => (fact.length === 0 ? [section] : [])))
  const dropped = new Set(stories.filter((block) => broken.has(sectionOf(block))).map(textOf))
  return [
    ...facts.filter(({ field, source }) => field !== "case_studies" || !dropped.has(source.text)),
    ...found.flatMap(({ fact, section }) => (broken.has(section) ? [] : fact))
  ]
}

/** A lead magnet that a heading names, such as "Free chamber test". */
const leadMagnetIn = (heading: Block, body: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const [block] = body
  if (
    block === undefined ||
    body.length > 1 ||
    block.kind !== "paragraph" ||
    headingTopic(heading.text) !== "lead_magnets"
  )
    return []
  const isNamed = /^(?:free|kostenlos\p{L}*|gratis) \p{L}|(?:offerte?|gratuite?)s?$/iu.test(heading.text)
  const text = `${capitalizeStart(heading.text)}: ${block.text}`
  const isWhole = isComplete(text) && !isUndecided(text) && /[.!]$/.test(text) && !block.isJoined
  return isNamed && isWhole && text.length <= maxStoryLength && /\p{Ll}/u.test(heading.text)
    ? [factOf("lead_magnets", text, block)]
    : []
}

/** The blocks between a heading and the next, or up to one that stands under it no longer. */
const sectionBody = (all: ReadonlyArray<Block>, heading: number): ReadonlyArray<Block> => {
  const title = all[heading]?.text
  const end = all.findIndex(
    ({ kind, under }, index) => index > heading && (kind === "heading" || under.at(-1) !== title)
  )
  return all.slice(heading + 1, end === -1 ? undefined : end)
}

/** Every fact of a document that stands behind a label, in its order. */
export const labelledFacts = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block, index) => factsInBlock(block, all[index + 1], all[index - 1]))

/** Every fact of a company's own text that stands under a label, in its order. */
export const sectionFacts = (all: ReadonlyArray<Block>): ReadonlyArray<Fact> =>
  all.flatMap((block, index) => {
    if (block.kind !== "heading") return []
    const isPart = ({ text }: Block) => /^\p{Ll}/u.test(text)
    const next = all[index + 1]
    // "The complaints are these:" between a heading and its points is no heading of its own.
    const isIntroduced = next?.kind === "heading" && next.level > 6 && headingTopic(next.text) === undefined
    const body = sectionBody(all, isIntroduced && all[index + 2]?.kind === "point" ? index + 1 : index)
    // A section that begins or continues in lower case was cut by its page or its column.
    const after = all[all.indexOf(body.at(-1) ?? block) + 1]
    if (body.slice(0, 1).some(isPart) || (after !== undefined && isPart(after))) return []
    return [...factsOfSection(block, body), ...leadMagnetIn(block, body)]
  })
