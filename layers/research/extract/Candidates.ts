// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import type { Fact } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, isText, labelled } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { addressesIn, companiesIn, peopleIn, townsIn } from "#layers/research/extract/Names.ts"
import { offersAnywhere } from "#layers/research/extract/Prices.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"
import type { MissingField } from "#schema/Imports.ts"

/** A sentence with where it stands. */
interface Said {
  readonly text: string
  readonly block: Block
  /** Its place in the text, to find what stands near. */
  readonly at: number
}

/** Sentences, where one that begins in lower case, in brackets or behind initials continues the one before: "Acme B.V. makes". */
const sentencesOf = (text: string) =>
  sentences(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** Every sentence that is no heading and no row. */
const saidIn = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) =>
    block.kind === "heading" || block.kind === "row" ? [] : sentencesOf(block.text).map((text) => ({ text, block, at }))
  )

const figure = /(?<![\p{L}-])\d|\b(?:half|halved|doubled|tripled|twice|a third)\b/iu
const change =
  /\b(?:cuts?|reduced|saved|saves|from|increased|grew|recovered|doubled|tripled|halved|dropped|fell|raised|won|gained|avoided|lowered|improved|up|down|now|stopped|replaced|fewer|earlier|faster|finished|found)\b|\d\s?%/i
/** The business itself, its reader or nothing certain is the subject. */
const ourselves =
  /^(?:We|Our|Us|I|You|Your|How|Why|What|If|This|That|These|Every\w*|All|It|They|Most|Each|Some|Many|Since|Founded|No|Free|Prices?|Guarantee|Get|Save|Buy|Order|Book|Try|New|Now|In|By|Up|From|Only|Just)(?!\p{L})|\bwe have\b/u

/** Whether a sentence may state a client's result: a figure, and a change of it. */
const isResult = (text: string): boolean =>
  text.length >= 20 &&
  /^["“„]?\p{Lu}/u.test(text) &&
  !text.endsWith("?") &&
  !ourselves.test(text) &&
  figure.test(text) &&
  change.test(text)

/** A field, the words of sentences that may answer it, and the headings under which they stand. */
type Cue = readonly [field: Field, words: RegExp, ...topics: ReadonlyArray<Topic>]

/** What emails are made of, the most important first. The cues order what is shown; they fill nothing. */
const cues: ReadonlyArray<Cue> = [
  [
    "business_description",
    /\b(?:we|wir|nous) (?!do not|don['’]t|were|sind keine|ne )\p{Ll}{3,}|\p{Ll}{4,} wir\b/iu,
    "about"
  ],
  [
    "ideal_client_description",
    /\b(?:we (?:sell to|serve|work with|work for|help|supply|support)|(?:our )?(?:customers|clients) (?:are|is|=|include)|^customers\b|(?:typical|best|usual) (?:customer|client)|designed for|built for|made for|aimed at|ideal for|unsere kunden|nos clients|wir (?:arbeiten|betreuen|beliefern)|nous (?:travaillons|équipons|accompagnons)|(?:for|für|pour) (?:[\p{L}-]+,? ){0,3}(?:companies|firms|businesses|manufacturers|makers|hospitals|schools|hotels|restaurants|factories|operators|exporters|agencies|\p{L}+(?:betriebe|hersteller|zulieferer|bauer|unternehmen)|entreprises|industriels|fabricants)|(?:good|bad|no) fit|we do not (?:serve|take|work (?:for|with)))\b|\b(?:customers|clients|groups|companies|firms|teams|sites|makers|manufacturers)\b.*\b(?:with|between|from) \d/iu,
    "clients",
    "ideal"
  ],
  [
    "target_job_titles",
    /\b(?:buyers?|decision[- ]makers|the (?:user|person who)|typical customer|who decides|we (?:usually |mostly )?(?:talk to|deal with)|managers|directors|heads of|owners)\b/i,
    "buyers"
  ],
  ["pain_points", /\b(?:struggle|too often|tired of|lose|waste|problem|trouble)\b/i, "pains", "problems"],
  ["problems_solved", /\b(?:the (?:problem|trouble)|solve|avoid|prevent|no more)\b/i, "problems", "pains"],
  [
    "unique_differentiators",
    /\b(?:unlike|the only|where (?:the |other )|instead of|no one else|nobody else|different|in-house)\b/i,
    "differentiators"
  ],
  [
    "case_studies",
    /\b(?:from|fell|rose|went) .*\d.* to \d|\d ?(?:%|per ?cent|percent) (?:fewer|less|more|lower)/i,
    "cases"
  ],
  [
    "credibility_markers",
    /\b(?:ISO|certified|accredited|(?:since|seit|depuis) (?:19|20)\d\d|award|gegründet|fondée?\b|member of|founded in|years of experience|zertifiziert|certifié)|\b(?:approved|registered|insured|we employ)\b|\d[\d,.]* (?:employees|people|staff|customers|clients|sites|Mitarbeiter|salariés|Kunden)\b/i,
    "credibility"
  ],
  [
    "guarantee",
    /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|you pay nothing|(?:again|back) free|garantie|we (?:replace|correct|come back|repeat|redo)\b.*\b(?:free|no (?:extra )?c(?:harge|ost)|nothing)|ersetzen wir|kostenlos ersetzt|rembours\p{L}*)|^if (?:we|the|a|your)\b.*\b(?:free|refund|nothing|no charge|half|back|credit|waive)\b|\bcarr(?:y|ies) \d+ (?:months|years)\b|\bentfällt\b/iu,
    "guarantee"
  ],
  [
    "lead_magnets",
    /^(?!If\b).*(?<!(?:gluten|nut|sugar|dairy|lactose|duty|tax|oil|lead)[ -])\b(?:free(?! from\b)|complimentary|no obligation|download|checklist|trial|kostenlose?|gratuit\w*|offerte?)\b(?! of\b)/i,
    "magnets"
  ],
  [
    "core_products",
    /[$€£] ?\d|\d ?(?:€|euros?)|\b(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN) ?\d|\d ?(?:EUR|CHF|NOK|SEK|DKK|PLN)\b/i,
    "products"
  ],
  [
    "competitors",
    /\b(?:[Uu]nlike|[Cc]ompetitors?|compete|competition|[Ww]ettbewerb\p{L}*|[Mm]itbewerb\p{L}*|[Cc]oncurren(?:ts?|ce)|[Cc]ontrairement|compared (?:with|to)|(?:than|against|instead of|dearer than|cheaper than|switched from) \p{Lu})/u,
    "competitors"
  ],
  [
    "objections_and_responses",
    /\b(?:too expensive|dearer|too dear|is (?:cheaper|dearer)|zu teuer|trop cher)\b/i,
    "objections"
  ],
  ["solution_triggers", /\b(?:when (?:you|a|your)|before you|after a|as soon as|time to)\b/i, "triggers"],
  ["client_transformation", /\bfrom \d.{3,80}\bto \d|\binstead of\b/i, "transformation"],
  [
    "industry_vertical",
    /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu
  ]
]

const mostCandidates = 3
/** Of a price list most lines are picked. */
const mostProducts = 12
const ofClients: ReadonlySet<Field> = new Set(["case_studies", "competitors", "client_transformation"] as const)
const longest = 400

/** A whole sentence, or a point or line of several words; a question, a remark in brackets and a quoted mail answer nothing. */
const isAnswer = ({ block, text }: Said) =>
  text.length <= longest &&
  block.topic !== "others" &&
  labelled(text) === undefined &&
  isComplete(text) &&
  !/[.!?]:/.test(text) &&
  /^["“„«]?[\p{L}\d]/u.test(text) &&
  !/\?["”]?$|^[^"“„«].*["“„«]|^contact us|\[\[| > .* > /i.test(text) &&
  (/[.!]["”»)]?$/.test(text) || text.split(" ").length > (block.kind === "point" ? 3 : 4))

const isNamed = (text: string) => text.length <= longest && isComplete(text) && /^["“„«]?[\p{L}\d].*[^?:]$/u.test(text)

/** Table rows state prices and results as sentences do; those with a long cell are columns of prose. */
const longestCell = 60
const rowsOf = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) =>
    block.kind === "row" && block.cells.every((cell) => cell.length <= longestCell)
      ? [{ text: block.text, block, at }]
      : []
  )
const ofRows: ReadonlySet<Field> = new Set(["core_products", "case_studies"] as const)

/** How far into a text it says what the company does, in whatever words. */
const opening = 8
/** How far in it may still introduce itself by its name. */
const introduction = 24

const pointsFor = ([field, words, ...topics]: Cue, { at, block, text }: Said, names: ReadonlyArray<string>): number => {
  if (isOfOthers(block) && !ofClients.has(field)) return 0
  const isResultOf = field === "case_studies" && block.kind !== "row" && isResult(text)
  // Between the prices stand terms and praise.
  const isRemark = field === "core_products" && block.kind === "paragraph"
  const isOpening =
    field === "business_description" && at < opening && block.kind === "paragraph" && !/[:·•|]/.test(text)
  const isNamed =
    field === "business_description" &&
    at < introduction &&
    block.kind === "paragraph" &&
    names.some((name) => text.startsWith(`${name} `))
  return (
    (words.test(text) ? 2 : 0) +
    (block.topic !== undefined && topics.includes(block.topic) && !isRemark ? 2 : 0) +
    (isResultOf ? 2 : 0) +
    (isNamed ? 3 : 0) +
    (isOpening ? 1 : 0)
  )
}

const where = /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu})/u

/** What is no sentence but a value: every one that the text names, for only the business knows which is its own. */
const valuesIn = (
  all: ReadonlyArray<Block>,
  said: ReadonlyArray<Said>
): ReadonlyArray<readonly [field: Field, values: ReadonlyArray<string>]> => {
  const own = all.filter((block) => block.topic !== "others")
  const lines = own.flatMap(({ text }) => text.split(/\s+[|·•]\s+/))
  const people = lines.flatMap(peopleIn)
  const labels = own.flatMap(({ text }) => {
    const { label, value = "" } = labelled(text) ?? {}
    return label !== undefined && (isText(label) || isList(label)) && value.length <= longest
      ? [[label, [value]] as const]
      : []
  })
  return [
    ...labels,
    ["company_name", companiesIn(own, hostsIn(lines.join("\n")))],
    ["city_region", lines.flatMap(townsIn)],
    ["city_region", said.filter(({ text }) => where.test(text)).map(({ text }) => text)],
    ["contact_name", people.map(({ name }) => name)],
    ["contact_title", people.map(({ title }) => title).filter((title) => title !== "")],
    ["contact_email", lines.flatMap(mailboxesIn)],
    ["contact_phone", lines.flatMap(phonesIn)],
    ["business_address", addressesIn(own)],
    ["website_url", lines.flatMap(sitesIn).map(({ origin }) => origin)],
    ["core_products", offersAnywhere(own).map(({ pricing, product }) => `${product} | ${pricing}`)]
  ]
}

/** Empty fields, each with sentences or values that may fill it. Statements in the page's metadata come first. */
export const missingIn = (
  all: ReadonlyArray<Block>,
  has: (field: Field) => boolean,
  stated: ReadonlyArray<Fact>
): ReadonlyArray<MissingField> => {
  const said = saidIn(all)
  const names = companiesIn(all, []).map((name) => name.split(" ").slice(0, 2).join(" "))
  const readable = said.filter(isAnswer)
  const rows = rowsOf(all)
  const answers = new Map(
    cues.map((cue) => {
      const [field, , ...topics] = cue
      // Under the heading of a field, a name alone may answer it.
      const named = said.filter(({ block, text }) => isNamed(text) && topics.some((topic) => topic === block.topic))
      const scored = [...readable, ...named, ...(ofRows.has(field) ? rows : [])]
        .map((each) => ({ text: each.text, points: pointsFor(cue, each, names) }))
        .filter(({ points }) => points > 0)
      return [field, scored.toSorted((a, b) => b.points - a.points).map(({ text }) => text)] as const
    })
  )
  const values = Map.groupBy(
    [...stated.map(({ field, value }) => [field, [value]] as const), ...valuesIn(all, readable)],
    ([field]) => field
  )
  const offered = (field: Field) => {
    const texts = [...(values.get(field) ?? []).flatMap(([, each]) => each), ...(answers.get(field) ?? [])]
    // "Wash | €12" is the row "Wash, €12".
    const unlike = Map.groupBy(texts, (text) => text.replace(/[^\p{L}\p{N}]/gu, ""))
    return [...unlike.values()]
      .flatMap(([text]) => text ?? [])
      .slice(0, field === "core_products" ? mostProducts : mostCandidates)
  }
  return [...new Set([...answers.keys(), ...values.keys()])]
    .filter((field) => !has(field))
    .map((field) => ({ field, candidates: offered(field) }))
}
