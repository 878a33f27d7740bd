// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import { Struct } from "effect"
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import { addressesIn, contactsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import { changePattern, type Fact, figurePattern } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, isText, parseLabelled, type Topic, headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete, styleName } from "#layers/research/extract/Lines.ts"
import { companiesIn, isJob } from "#layers/research/extract/Names.ts"
import { findAllPricedItems } from "#layers/research/extract/Prices.ts"
import { hasMailboxOrPhone } from "#layers/text/Contacts.ts"
import { classifyShape } from "#layers/text/Sentences.ts"
import { looksEnglish, splitParagraph } from "#layers/text/Words.ts"
import type { MissingField } from "#schema/Imports.ts"

/** A sentence with where it stands. */
interface SourceSentence {
  readonly text: string
  readonly block: Block
  /** Its place in the text, to find what stands near. */
  readonly at: number
}

/** Sentences, where one that begins in lower case, in brackets or behind initials continues the one before: "Acme B.V. makes". */
const joinedSentences = (text: string) =>
  splitParagraph(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** Every sentence that is no heading and no row. */
const sentencesInBlocks = (all: ReadonlyArray<Block>): ReadonlyArray<SourceSentence> =>
  all.flatMap((block, at) =>
    block.kind === "heading" || block.kind === "row"
      ? []
      : joinedSentences(block.text).map((text) => ({ text, block, at }))
  )

/** A price, a right or a promise of the business is not a result of a client, and neither is a statement about itself. */
const notResult =
  /\b(?:pays?|contract|returned|refund|credit|guaranteed?|warranty|discounts?|certified|member since)\b|% off\b|\?$|^(?:We|Our|I|You|Your|If|This|That|These|It|They|Most|Since|Founded|No|Free|Prices?|Get|Save|Buy|Book|Try|Now|In|By|Up|From|Only|Today|First)(?!\p{L})|\bwe have\b/u
const isResult = (text: string): boolean =>
  text.length >= 20 &&
  /^["“„]?\p{Lu}/u.test(text) &&
  !notResult.test(text) &&
  figurePattern.test(text) &&
  changePattern.test(text)

/** Words of sentences that may answer a field, what emails are made of first. They order what is shown and fill nothing. */
const cueWords = {
  business_description: /\b(?:we|wir|nous) (?!do not|don['’]t|were|sind keine|ne )\p{Ll}{3,}|\p{Ll}{4,} wir\b/iu,
  ideal_client_description:
    /\b(?:we (?:sell to|serve|work with|work for|help|supply)|(?:customers|clients) (?:are|include)|(?:typical|best|usual) (?:customer|client)|(?:designed|built|made|ideal) for|aimed at|unsere kunden|nos clients|wir (?:arbeiten|betreuen|beliefern)|nous (?:travaillons|équipons|accompagnons)|(?:for|für|pour) (?:[\p{L}-]+,? ){0,3}(?:companies|firms|manufacturers|makers|hospitals|schools|hotels|restaurants|operators|\p{L}+(?:betriebe|hersteller|bauer|unternehmen)|entreprises|fabricants))\b|\b(?:customers|clients|companies|firms|sites)\b.*\b(?:with|between|from) \d/iu,
  target_job_titles:
    /\b(?:buyers?|decision[- ]makers|who decides|we (?:usually |mostly )?(?:talk to|deal with)|managers|directors|heads of|owners|usually the)\b|(?<!\p{L})(?:ansprechpartner sind|interlocuteurs)(?!\p{L})/iu,
  pain_points: /\b(?:struggle|too often|tired of|lose|waste|problem|trouble)\b/i,
  problems_solved: /\b(?:the (?:problem|trouble)|solve|avoid|prevent|no more)\b/i,
  unique_differentiators:
    /\b(?:unlike|the only|where (?:the |other )|instead of|no one else|different(?:ly)?|in-house|our own|same (?:\p{Ll}+ ){1,2}every|anders als|contrairement|nous-mêmes)\b/iu,
  case_studies: /\b(?:from|fell|rose|went) .*\d.* to \d|\d ?(?:%|per ?cent|percent) (?:fewer|less|more|lower)/i,
  credibility_markers:
    /\b(?:ISO|certified|accredited|(?:since|seit|depuis) (?:19|20)\d\d|award|gegründet|fondée?\b|member of|mitglied|founded in|years of experience|zertifiziert|certifié|approved|registered|insured|we employ)\b|\d[\d,.]* (?:employees|people|staff|customers|clients|sites|Mitarbeiter|salariés|Kunden)\b/i,
  guarantee:
    /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|you pay nothing|(?:again|back) free|garantie|we (?:replace|correct|come back|repeat|redo)\b.*\b(?:free|no (?:extra )?c(?:harge|ost)|nothing)|ersetzen wir|rembours\p{L}*)|^if (?:we|the|a|your)\b.*\b(?:free|refund|nothing|no charge|half|back|credit|waive|pay)\b|\bcarr(?:y|ies) \d+ (?:months|years)\b|\bentfällt\b/iu,
  lead_magnets:
    /^(?!If\b).*(?<!(?:gluten|nut|sugar|dairy|lactose|duty|tax|oil|lead)[ -])\b(?:free(?! from\b)|complimentary|no obligation|download|checklist|kostenlose?|gratuit\w*|offerte?)\b(?! of\b)/i,
  core_products:
    /[$€£] ?\d|\d ?(?:€|euros?)|\b(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN) ?\d|\d ?(?:EUR|CHF|NOK|SEK|DKK|PLN)\b/i,
  // Where two firms are compared, one of them has a name.
  competitors:
    /(?:[Cc]ompetitors?|[Cc]ompete|[Cc]ompetition|[Mm]itbewerb\p{L}*|[Ww]ettbewerb\p{L}*|[Cc]oncurren(?:ts?|ce)|[Cc]ompared (?:with|to)).* \p{Lu}\p{L}|(?:[Uu]nlike|than|against|instead of|switched from) \p{Lu}/u,
  objections_and_responses: /\b(?:too expensive|too dear|is (?:cheaper|dearer)|zu teuer|trop cher)\b/i,
  solution_triggers: /\b(?:call|come to|ring) us (?:after|when|before)\b/i,
  client_transformation: /\bfrom \d.{3,80}\bto \d/i,
  industry_vertical:
    /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu
} as const satisfies Partial<Record<Field, RegExp>>
type CuedField = keyof typeof cueWords

/** Sections of other fields whose sentences may answer a field as well; any may stand under no heading. */
const alsoUnder: Partial<Record<CuedField, ReadonlyArray<Topic>>> = {
  business_description: ["core_products"],
  pain_points: ["problems_solved", "solution_triggers"],
  problems_solved: ["pain_points"],
  case_studies: ["client_transformation"],
  guarantee: ["core_products", "unique_differentiators", "faq"],
  lead_magnets: ["core_products", "unique_differentiators", "faq"],
  competitors: ["competitor_frustrations", "faq"]
}
const generalTopics: ReadonlyArray<Topic> = [
  "business_description",
  "ideal_client_description",
  "target_job_titles",
  "faq"
]

/** What sentences with a field's words say when they are of another field all the same. */
const otherMeaning: Partial<Record<CuedField, RegExp>> = {
  // Whom a business works for, how it began and what it did once say nothing of what it does.
  business_description:
    /^(?:if|wenn|si|lose) |^(?:our |typical |the )*(?:buyers?|clients?|customers?)\b|^We are (?:at|on)\b|\b(?:str|st|co|inc|ltd)\.$|^We (?:also |mostly |usually |mainly )?(?:sell to|serve|work (?:best )?(?:for|with)|talk to|speak (?:to|with)|deal (?:mostly |mainly )?with)\b|\b(?:was|were|began|founded|started|opened|set up (?:in|by)|did|refund|free|no charge|nothing|VAT|employ|registered)\b/i,
  pain_points: /\b(?:he|she|his|her|started when|grew (?:up|tired)|spent \w+ years)\b/i,
  unique_differentiators: /@|\d{3} \d{3}|\bcompete|\b(?:was|were)\b/u,
  credibility_markers: /@|www\.|\?|\b[A-Z]{1,2}\d{1,2} \d[A-Z]{2}\b/,
  // Failures, goods and terms are nothing to give away before a meeting.
  lead_magnets:
    /^(?:if|wenn|wer|si)\b|^\p{Ll}|\b(?:or (?:the|it|we|you)\b|if|when|remakes?|ship(?:ping|ped)|delivery|postage|collection|parking|pick-?up|replaced?|repeat(?:ed)?|again|orders?|refund\w*|rembours\p{L}*)\b|(?<!\p{L})(?:livraison|refaite?s?|sinon|lieferung|keine?|sonst|nach)(?!\p{L})/u,
  competitors: /\b(?:not|never)\b/
}

const maxCandidates = 3
/** More candidates are offered for products, because most lines of a price list are picked. */
const maxProducts = 12
const clientFields: ReadonlySet<Field> = new Set(["case_studies", "competitors", "client_transformation"] as const)
const maxSentenceLength = 400

/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bsee below\b|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|page \d|bidder|supplier|tenderer|figure \d|table \d|[AQ]:)(?!\p{L})/iu
/** A sentence about the one before it says nothing alone. */
const dependentStart =
  /^(?:that|this|these|those|it|they|he|she|elles?|ils?|voilà|sie|er|each one|both|both of|no|yes)\b/i

/** A whole sentence, or a point or line of several words; a question, a remark in brackets and a quoted mail answer nothing. */
const isPossibleAnswer = ({ block, text }: SourceSentence) =>
  text.length <= maxSentenceLength &&
  text.split(" ").length > 2 &&
  block.topic !== "others" &&
  parseLabelled(text) === undefined &&
  isComplete(text) &&
  !remarkPattern.test(text) &&
  !dependentStart.test(text) &&
  !/[.!?]:/.test(text) &&
  /^["“„«]?[\p{L}\d]/u.test(text) &&
  !/\?["”]?$|^[^"“„«].*["“„«]|^contact us|\[\[| > .* > /i.test(text) &&
  (/[.!]["”»)]?$/.test(text) || text.split(" ").length > (block.kind === "point" ? 3 : 4))

/** Under the heading of a field, a name alone may answer it, but for fields of sentences. */
const isNameUnder = (field: Field, { block, text }: SourceSentence) =>
  block.topic === field &&
  !["guarantee", "lead_magnets", "case_studies", "business_description"].includes(field) &&
  text.length <= maxSentenceLength &&
  isComplete(text) &&
  parseLabelled(text) === undefined &&
  !remarkPattern.test(text) &&
  /^["“„«]?[\p{L}\d].*[^?:]$/u.test(text)

/** How far into a text it says what the company does, in whatever words, and how far by its name. */
const openingBlocks = 8
const introductionBlocks = 24
/** "Row by Row looks after vineyards": the library takes some names and verbs for nouns. */
const verbPattern = /^\S+(?: \S+){0,7}? (?:\p{Ll}{3,}s|are|is) /u

/** Whether a sentence that has a field's words or its heading is of another field all the same. */
const isOfAnother = (field: CuedField, text: string): boolean => {
  if (otherMeaning[field]?.test(text) === true) return true
  if (field === "business_description")
    return (
      isResult(text) ||
      text.split(" ").length < 5 ||
      hasMailboxOrPhone(text) ||
      !/[.!]["”»)]?$/.test(text) ||
      (looksEnglish(text) && classifyShape(text) !== "sentence" && !verbPattern.test(text))
    )
  if (field === "target_job_titles") return extractJobTitles(text).length === 0
  return (
    field === "case_studies" &&
    (notResult.test(text) || !figurePattern.test(text) || !(changePattern.test(text) || /: .{25}/.test(text)))
  )
}

const pointsFor = (field: CuedField, { at, block, text }: SourceSentence, names: ReadonlyArray<string>): number => {
  const { kind, topic } = block
  const isUnderOwn = topic === field
  const isNear = topic === undefined || isUnderOwn || [...generalTopics, ...(alsoUnder[field] ?? [])].includes(topic)
  if (!isNear || (isThirdParty(block) && !clientFields.has(field)) || isOfAnother(field, text)) return 0
  const isCued = cueWords[field].test(text)
  // Between the prices stand terms and praise.
  if (field === "core_products" && !isCued) return 0
  if (field === "case_studies" && topic === undefined && !isResult(text)) return 0
  const isDescription = field === "business_description"
  const isIntroduction = isDescription && kind === "paragraph"
  const isNamed = isIntroduction && at < introductionBlocks && names.some((name) => text.startsWith(`${name} `))
  const isOpening = isIntroduction && at < openingBlocks && !/[:·•|]/.test(text) && classifyShape(text) === "sentence"
  return (
    (isCued ? 2 : 0) +
    (isUnderOwn ? (isDescription ? 2 : 3) : 0) +
    (field === "case_studies" && isResult(text) ? 2 : 0) +
    (isNamed ? 3 : 0) +
    (isOpening ? 1 : 0)
  )
}

/** A row of results with the names of its columns: "Breakdowns per lift: year before 8.7, first full year 3.1". */
const resultsIn = (own: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const ofCases = own.filter(({ topic }) => topic === "case_studies")
  const rows = ofCases.flatMap(({ cells: [name = "", ...cells], columns }) =>
    columns.length > 2 && cells.length === columns.length - 1 && cells.every((cell) => figurePattern.test(cell))
      ? [`${name}: ${cells.map((cell, at) => `${columns[at + 1]} ${cell}`).join(", ")}`]
      : []
  )
  return rows.filter((text) => text.length <= maxSentenceLength)
}

/** Rivals that a table compares the company with, by its columns. */
const rivalsIn = (own: ReadonlyArray<Block>, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  own.flatMap(({ columns, topic }) => {
    const others = columns.slice(1).filter((column) => !names.some((name) => name.startsWith(column)))
    return topic === "competitors" && columns.length > 2 && others.length < columns.length - 1
      ? [others.join(", ")]
      : []
  })

/** What the rows of tables have in the columns that `isMeant`, in one line: the titles under "Who signs". */
const columnIn = (own: ReadonlyArray<Block>, isMeant: (block: Block, at: number) => boolean): ReadonlyArray<string> => {
  const cells = own.flatMap((block) =>
    block.columns.length < 2 ? [] : block.cells.filter((_, at) => isMeant(block, at))
  )
  const text = cells.filter((cell) => cell !== "").join(", ")
  return cells.length > 1 && text.length <= maxSentenceLength ? [text] : []
}

const locationPattern = /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu})/u

/** Candidate values that are not sentences. All are offered, because only the business knows which is its own. */
const valuesIn = (
  all: ReadonlyArray<Block>,
  sentences: ReadonlyArray<SourceSentence>
): ReadonlyArray<readonly [field: Field, values: ReadonlyArray<string>]> => {
  const own = all.filter((block) => block.topic !== "others")
  const lines = own.flatMap(({ text }) => text.split(/\s+[|·•]\s+/))
  const people = contactsIn(own).filter(({ isToContact }) => isToContact)
  const addresses = addressesIn(own)
  const names = companiesIn(own, hostsIn(lines.join("\n")))
  const labels = own.flatMap(({ kind, text }) => {
    const { label, value = "" } = parseLabelled(text) ?? {}
    return kind !== "heading" &&
      label !== undefined &&
      (isText(label) || isList(label)) &&
      value.length <= maxSentenceLength &&
      isComplete(value) &&
      !remarkPattern.test(value)
      ? [[label, [value]] as const]
      : []
  })
  return [
    ...labels,
    ["company_name", names],
    ["city_region", addresses.map(({ town }) => town)],
    ["city_region", sentences.filter(({ text }) => locationPattern.test(text)).map(({ text }) => text)],
    ["contact_name", people.map(({ name }) => name)],
    ["contact_title", people.map(({ title }) => title).filter(isJob)],
    ["contact_email", lines.flatMap(mailboxesIn)],
    ["contact_phone", lines.flatMap(phonesIn)],
    ["business_address", addresses.map(({ value }) => value)],
    ["website_url", lines.flatMap(sitesIn).map(({ origin }) => origin)],
    ["target_job_titles", columnIn(own, ({ columns }, at) => headingTopic(columns[at] ?? "") === "target_job_titles")],
    ["ideal_client_description", columnIn(own, ({ topic }, at) => topic === "ideal_client_description" && at === 0)],
    ["case_studies", resultsIn(own)],
    ["competitors", rivalsIn(own, names)],
    ["core_products", findAllPricedItems(own).map(({ pricing, product }) => `${product} | ${pricing}`)]
  ]
}

/** Empty fields, each with sentences or values that may fill it. Statements in the page's metadata come first. */
export const missingFields = (
  all: ReadonlyArray<Block>,
  has: (field: Field) => boolean,
  stated: ReadonlyArray<Fact>
): ReadonlyArray<MissingField> => {
  const sentences = sentencesInBlocks(all)
  const names = companiesIn(all, []).map((name) => name.split(" ").slice(0, 2).join(" "))
  const readable = sentences.filter(isPossibleAnswer)
  const answers = new Map<Field, ReadonlyArray<string>>(
    Struct.keys(cueWords).map((field) => {
      const scored = [...readable, ...sentences.filter((each) => isNameUnder(field, each))]
        .map((each) => ({ text: each.text, points: pointsFor(field, each, names) }))
        .filter(({ points }) => points > 0)
      return [field, scored.toSorted((a, b) => b.points - a.points).map(({ text }) => text)] as const
    })
  )
  const values = Map.groupBy(
    [...stated.map(({ field, value }) => [field, [value]] as const), ...valuesIn(all, readable)],
    ([field]) => field
  )
  const candidatesFor = (field: Field) => {
    const texts = [...(values.get(field) ?? []).flatMap(([, each]) => each), ...(answers.get(field) ?? [])].filter(
      (text) => !styleName.test(text)
    )
    // "Wash | €12" is the row "Wash, €12".
    const unlike = Map.groupBy(texts, (text) => text.replace(/[^\p{L}\p{N}]/gu, ""))
    return [...unlike.values()]
      .flatMap(([text]) => text ?? [])
      .slice(0, field === "core_products" ? maxProducts : maxCandidates)
  }
  return [...new Set([...answers.keys(), ...values.keys()])]
    .filter((field) => !has(field))
    .map((field) => ({ field, candidates: candidatesFor(field) }))
}
