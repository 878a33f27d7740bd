// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import { addressesIn, contactsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import { changePattern, type Fact, figurePattern } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, isText, parseLabelled, type Topic, headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
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

/** A price, a right or a promise of the business is no result of a client, and neither is what it says of itself. */
const notResult =
  /\b(?:pays?|contract|returned|refund|credit|guaranteed?|warranty|discounts?|certified|member since)\b|% off\b|\?$|^(?:We|Our|I|You|Your|If|This|That|These|It|They|Most|Since|Founded|No|Free|Prices?|Get|Save|Buy|Book|Try|Now|In|By|Up|From|Only|Today|First)(?!\p{L})|\bwe have\b/u
const isResult = (text: string): boolean =>
  text.length >= 20 &&
  /^["“„]?\p{Lu}/u.test(text) &&
  !notResult.test(text) &&
  figurePattern.test(text) &&
  changePattern.test(text)

interface Cue {
  readonly words: RegExp
  /** Sections of other fields whose sentences may answer this one; any may stand under no heading. */
  readonly also?: ReadonlyArray<Topic>
  /** Sentences that have the words and say something else. */
  readonly not?: RegExp
}

/** A business's failures, goods and terms are nothing to give away before a meeting. */
const notGiven =
  /^(?:if|wenn|wer|si)\b|\b(?:or (?:the|it|we|you)\b|if|when|remakes?|ship(?:ping|ped)|delivery|postage|collection|parking|pick-?up|replaced?|repeat(?:ed)?|again|orders?|refund\w*|rembours\p{L}*)\b|(?<!\p{L})(?:livraison|refaite?s?|sinon|lieferung|keine?|sonst|nach)(?!\p{L})/iu
/** Whom a business works for, how it began and what it did once say nothing of what it does. */
const notDescription =
  /^(?:if|wenn|si|lose) |^(?:our |typical |the )*(?:buyers?|clients?|customers?)\b|^We are (?:at|on)\b|\b(?:str|st|co|inc|ltd)\.$|^We (?:also |mostly |usually |mainly )?(?:sell to|serve|work (?:best )?(?:for|with)|talk to|speak (?:to|with)|deal (?:mostly |mainly )?with)\b|\b(?:was|were|began|founded|started|opened|set up (?:in|by)|did|refund|free|no charge|nothing|VAT|employ|registered)\b/i
/** A founder's own story is no problem of the clients. */
const founderStory = /\b(?:he|she|his|her|started when|grew (?:up|tired)|spent \w+ years)\b/i

/** What emails are made of, the most important first. The cues order what is shown; they fill nothing. */
const fieldCues: ReadonlyArray<readonly [field: Field, cue: Cue]> = [
  [
    "business_description",
    {
      words: /\b(?:we|wir|nous) (?!do not|don['’]t|were|sind keine|ne )\p{Ll}{3,}|\p{Ll}{4,} wir\b/iu,
      also: ["core_products"],
      not: notDescription
    }
  ],
  [
    "ideal_client_description",
    {
      words:
        /\b(?:we (?:sell to|serve|work with|work for|help|supply|support)|(?:customers|clients) (?:are|include)|^customers\b|(?:typical|best|usual) (?:customer|client)|(?:designed|built|made|ideal) for|aimed at|unsere kunden|nos clients|wir (?:arbeiten|betreuen|beliefern)|nous (?:travaillons|équipons|accompagnons)|(?:for|für|pour) (?:[\p{L}-]+,? ){0,3}(?:companies|firms|businesses|manufacturers|makers|hospitals|schools|hotels|restaurants|factories|operators|agencies|\p{L}+(?:betriebe|hersteller|bauer|unternehmen)|entreprises|fabricants))\b|\b(?:customers|clients|groups|companies|firms|teams|sites)\b.*\b(?:with|between|from) \d/iu,
      also: ["target_job_titles", "business_description", "faq"]
    }
  ],
  [
    "target_job_titles",
    {
      words:
        /\b(?:buyers?|decision[- ]makers|the user|typical customer|who decides|we (?:usually |mostly )?(?:talk to|deal with)|managers|directors|heads of|owners|our (?:contacts|users)|usually the)\b|(?<!\p{L})(?:ansprechpartner sind|interlocuteurs)(?!\p{L})/iu,
      also: ["ideal_client_description", "business_description", "faq"]
    }
  ],
  [
    "pain_points",
    {
      words: /\b(?:struggle|too often|tired of|lose|waste|problem|trouble)\b/i,
      also: ["problems_solved", "solution_triggers"],
      not: founderStory
    }
  ],
  [
    "problems_solved",
    { words: /\b(?:the (?:problem|trouble)|solve|avoid|prevent|no more)\b/i, also: ["pain_points"], not: founderStory }
  ],
  [
    "unique_differentiators",
    {
      words:
        /\b(?:unlike|the only|where (?:the |other )|instead of|no one else|different(?:ly)?|in-house|(?:our )?own (?:workshop|staff|drivers|engineers|lab\w*|crews?)|always the same|same (?:\p{Ll}+ ){1,2}every|without (?:a|any) \p{Ll}+|anders als|im Gegensatz|contrairement|nous-mêmes|selbst)\b/iu,
      also: ["business_description", "faq"],
      not: /@|\d{3} \d{3}|^(?:A|Q|Prepared by|Conclusion): |\bcompete|\b(?:was|were)\b/u
    }
  ],
  [
    "case_studies",
    {
      words: /\b(?:from|fell|rose|went) .*\d.* to \d|\d ?(?:%|per ?cent|percent) (?:fewer|less|more|lower)/i,
      also: ["client_transformation"]
    }
  ],
  [
    "credibility_markers",
    {
      words:
        /\b(?:ISO|certified|accredited|(?:since|seit|depuis) (?:19|20)\d\d|award|gegründet|fondée?\b|member of|mitglied|founded in|years of experience|zertifiziert|certifié|approved|registered|insured|we employ)\b|\d[\d,.]* (?:employees|people|staff|customers|clients|sites|Mitarbeiter|salariés|Kunden)\b/i,
      also: ["business_description", "contact", "faq"],
      not: /@|www\.|\?|^(?:unit|no)\b|\b[A-Z]{1,2}\d{1,2} \d[A-Z]{2}\b/
    }
  ],
  [
    "guarantee",
    {
      words:
        /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|you pay nothing|(?:again|back) free|garantie|we (?:replace|correct|come back|repeat|redo)\b.*\b(?:free|no (?:extra )?c(?:harge|ost)|nothing)|ersetzen wir|kostenlos ersetzt|rembours\p{L}*)|^if (?:we|the|a|your)\b.*\b(?:free|refund|nothing|no charge|half|back|credit|waive)\b|\bcarr(?:y|ies) \d+ (?:months|years)\b|\bentfällt\b/iu,
      also: ["core_products", "unique_differentiators", "faq"]
    }
  ],
  [
    "lead_magnets",
    {
      words:
        /^(?!If\b).*(?<!(?:gluten|nut|sugar|dairy|lactose|duty|tax|oil|lead)[ -])\b(?:free(?! from\b)|complimentary|no obligation|download|checklist|trial (?!lawyers?|attorneys?|courts?)|kostenlose?|gratuit\w*|offerte?)\b(?! of\b)/i,
      also: ["core_products", "unique_differentiators", "faq"],
      not: notGiven
    }
  ],
  [
    "core_products",
    {
      words: /[$€£] ?\d|\d ?(?:€|euros?)|\b(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN) ?\d|\d ?(?:EUR|CHF|NOK|SEK|DKK|PLN)\b/i
    }
  ],
  [
    "competitors",
    {
      // Of two firms that are compared one has a name.
      words:
        /(?:[Cc]ompetitors?|[Cc]ompete|[Cc]ompetition|[Ww]ettbewerb\p{L}*|[Mm]itbewerb\p{L}*|[Cc]oncurren(?:ts?|ce)|[Cc]ompared (?:with|to)).* \p{Lu}\p{L}|(?:[Uu]nlike|than|against|instead of|dearer than|cheaper than|switched from) \p{Lu}/u,
      also: ["competitor_frustrations", "faq"],
      not: /\b(?:not|never)\b/
    }
  ],
  [
    "objections_and_responses",
    { words: /\b(?:too expensive|too dear|is (?:cheaper|dearer)|zu teuer|trop cher)\b/i, also: ["faq"] }
  ],
  [
    "solution_triggers",
    { words: /\b(?:(?:call|come to|ring) us (?:after|when|before)|when (?:you|a|your)|after a|as soon as)\b/i }
  ],
  ["client_transformation", { words: /\bfrom \d.{3,80}\bto \d/i }],
  [
    "industry_vertical",
    {
      words:
        /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu,
      also: ["business_description"]
    }
  ]
]

const maxCandidates = 3
/** More candidates are offered for products, because most lines of a price list are picked. */
const maxProducts = 12
const clientFields: ReadonlySet<Field> = new Set(["case_studies", "competitors", "client_transformation"] as const)
const maxSentenceLength = 400

/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bsee below\b|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|bidder|supplier|tenderer|figure \d|table \d|[AQ]:)(?!\p{L})/iu
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

/** A name alone answers none of these. */
const sentenceFields: ReadonlySet<Field> = new Set([
  "guarantee",
  "lead_magnets",
  "case_studies",
  "business_description"
] as const)

const isNameLine = (text: string) =>
  text.length <= maxSentenceLength &&
  isComplete(text) &&
  !remarkPattern.test(text) &&
  !/^page \d/i.test(text) &&
  /^["“„«]?[\p{L}\d].*[^?:]$/u.test(text)

/** How far into a text it says what the company does, in whatever words, and how far by its name. */
const openingBlocks = 8
const introductionBlocks = 24
/** "Row by Row looks after vineyards": the library takes some names and verbs for nouns. */
const verbPattern = /^\S+(?: \S+){0,7}? (?:\p{Ll}{3,}s|are|is) /u

/** Whether a sentence that has a field's words or its heading is of another field all the same. */
const isOfAnother = (field: Field, { not }: Cue, text: string): boolean => {
  if (not?.test(text) === true) return true
  if (field === "business_description")
    return (
      isResult(text) ||
      text.split(" ").length < 5 ||
      hasMailboxOrPhone(text) ||
      !/[.!]["”»)]?$/.test(text) ||
      (looksEnglish(text) && classifyShape(text) !== "sentence" && !verbPattern.test(text))
    )
  if (field === "lead_magnets") return !/^["“„«]?[\p{Lu}\d]/u.test(text)
  if (field === "target_job_titles") return extractJobTitles(text).length === 0
  return (
    field === "case_studies" &&
    (notResult.test(text) || !figurePattern.test(text) || !(changePattern.test(text) || /: .{25}/.test(text)))
  )
}

const pointsFor = (
  field: Field,
  cue: Cue,
  { at, block, text }: SourceSentence,
  names: ReadonlyArray<string>
): number => {
  const { kind, topic } = block
  const isUnderOwn = topic === field
  if (topic !== undefined && !isUnderOwn && cue.also?.includes(topic) !== true) return 0
  if ((isThirdParty(block) && !clientFields.has(field)) || isOfAnother(field, cue, text)) return 0
  const isCued = cue.words.test(text)
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

/** How many blocks a text begins with, and how many words say a trade: "Insulated boxes for people who post food". */
const maxStartBlocks = 5
const maxTradeWords = 14

/** Lines at the beginning that name a trade: a subtitle, or what stands beside the name in a title. */
const tradesIn = (own: ReadonlyArray<Block>, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  own
    .slice(0, maxStartBlocks)
    .flatMap(({ cells, kind, text }) => (kind === "row" ? cells.slice(0, 1) : text.split(/\s+[|–—·]\s+|:\s+/)))
    .map((part) => part.replace(/\.$/, "").trim())
    .filter(
      (part) =>
        part.split(" ").length <= maxTradeWords &&
        /^\p{L}.*\p{Ll}{3}.* \p{L}{3}/u.test(part) &&
        /(?<!\p{L})(?:for|of|and|für|von|und|pour|de|et|para|y)(?!\p{L})/u.test(part) &&
        !/[?!@\d]|\b(?:you|your|we|our|is|are|home|wir|nous|vous|that|when|list|trade|presentation|every|has|does|not)\b/i.test(
          part
        ) &&
        !/[.,;]\s\p{Lu}|[.,]$/u.test(part) &&
        !names.includes(part) &&
        classifyShape(part) !== "sentence" &&
        headingTopic(part) === undefined
    )

/** A row of results with the names of its columns: "Breakdowns per lift: year before 8.7, first full year 3.1". */
const resultsIn = (own: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const ofCases = own.filter(({ topic }) => topic === "case_studies")
  const rows = ofCases.flatMap(({ cells: [name = "", ...cells], columns }) =>
    columns.length > 2 && cells.length === columns.length - 1 && cells.every((cell) => figurePattern.test(cell))
      ? [`${name}: ${cells.map((cell, at) => `${columns[at + 1]} ${cell}`).join(", ")}`]
      : []
  )
  // A slide gives a client's name and its results point by point.
  const slides = [...Map.groupBy(ofCases, ({ under }) => under.join("\n")).values()].flatMap((all) => {
    const points = all.filter(({ kind, text }) => kind === "point" && figurePattern.test(text)).map(({ text }) => text)
    const heading = (all[0]?.under.at(-1) ?? "").replace(/^case study\s*:\s*/i, "")
    return points.length > 1 && headingTopic(heading) === undefined ? [`${heading}: ${points.join("; ")}`] : []
  })
  const quotes = ofCases
    .filter(
      ({ kind, text }) =>
        kind === "paragraph" && /["“„«»]/.test(text) && figurePattern.test(text) && !/ – \p{Lu}/u.test(text)
    )
    .map(({ text }) => text.replace(/^[^\p{L}\d"“„«»£$€]+/u, ""))
  return [...slides, ...rows, ...quotes].filter((text) => text.length <= maxSentenceLength)
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
  const trades = tradesIn(own, names)
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
    ["industry_vertical", trades],
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
  const own = all.filter((block) => block.topic !== "others")
  const trades = tradesIn(own, companiesIn(own, []))
  const answers = new Map(
    fieldCues.map(([field, cue]) => {
      // Under the heading of a field, a name alone may answer it.
      const named = sentences.filter(
        ({ block, text }) =>
          !sentenceFields.has(field) && isNameLine(text) && parseLabelled(text) === undefined && block.topic === field
      )
      const scored = [...readable, ...named]
        .map((each) => ({ text: each.text, points: pointsFor(field, cue, each, names) }))
        .concat(field === "business_description" ? trades.map((text) => ({ text, points: 2 })) : [])
        .filter(({ points }) => points > 0)
      return [field, scored.toSorted((a, b) => b.points - a.points).map(({ text }) => text)] as const
    })
  )
  const values = Map.groupBy(
    [...stated.map(({ field, value }) => [field, [value]] as const), ...valuesIn(all, readable)],
    ([field]) => field
  )
  const candidatesFor = (field: Field) => {
    const texts = [...(values.get(field) ?? []).flatMap(([, each]) => each), ...(answers.get(field) ?? [])]
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
