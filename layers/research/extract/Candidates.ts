// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import { Struct } from "effect"
import { holderNoun } from "#layers/generator/JobTitles.ts"
import { addressesIn, contactsIn, streetsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, possiblePhonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import type { Fact } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, isText, knownLabel, parseLabelled, headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete, pageFurniture, styleName } from "#layers/research/extract/Lines.ts"
import { companiesIn, isJob, peopleNamedIn } from "#layers/research/extract/Names.ts"
import { findAllOffers } from "#layers/research/extract/Prices.ts"
import { splitParagraph } from "#layers/text/Words.ts"
import type { MissingField } from "#schema/Imports.ts"

/** A sentence or a cell of a table, with what stands before or above it and may say what it is about. */
interface Statement {
  readonly sentence: string
  /** The sentence without `lead`. */
  readonly text: string
  /** What stands before its colon, or in the first cell of its row. */
  readonly lead: string
  /** The lead of its paragraph, the question or introduction above it, and its heading. */
  readonly above: ReadonlyArray<string>
  readonly block: Block
  /** Its place in the text. */
  readonly at: number
}

/**
 * Words that ask for a field or that its answers have, in the languages of the labels. Each is a regular expression for whole
 * words: `*` stands for any letters, `_` for a space. They order what is shown, and fill nothing.
 */
const fieldWords = {
  business_description:
    "about mission über_uns activité qui_sommes* quiénes_somos company profile overview unternehmen entreprise empresa we wir nous somos our* what_we what_is is_an? are_an? ist_ein* est_une? es_una? make* build* suppl* provide* sell* rent* repair* service* clean* manufactur* produce* develop* deliver* design* offer* bauen liefern bieten betreu* fabri* livr* propos* hacemos ofrecemos limpiamos vendemos",
  ideal_client_description:
    "customer* client* clientèle kunde* zielgruppe* cible* target* markets? sectors? industries who_for who_is_it* who_it* who_this* who_we* who_calls* who_buys* who_rents* für_wen für_\\p{L}+ pour_qui para_quién a_quién atendemos trabajamos_* designed_for built_for made_for ideal_for aimed_at sweet_spot sell_to serve work_with work_for supply sold_to leased_to rented_to wir_arbeiten* wir_beliefern nous_travaillons nous_équipons companies firms manufacturers makers hospitals schools hotels restaurants operators farms labs laborator* institutes exporters owners chains offices shops mills plants sites *betriebe *hersteller *unternehmen entreprises fabricants empresas with_\\d+ between_\\d+ from_\\d+ de_\\d+ ab_\\d+ mit_\\d+ \\d+_to_\\d+",
  target_job_titles:
    "who_signs who_buys who_decides who_calls who_rings who_says* decision* decides? signs? talk_to speak_to deal_with buyers? contacts_there contacts_are entscheid* gesprächspartner ansprechpartner_sind interlocuteurs? trato habla décide who_for customers clients kunden cible target fits manager* director* owner* head_of buyer*",
  pain_points:
    "problem* pains? complain* hear* tell_us goes_wrong struggle* duele* problèmes? constats? sorgen frustrations? erzählen racontent seen headaches? familiar too_often too_late too_long too_slow tired lose lost waste* trouble throw_away late vanish* nobody no_one wait* missing trop semaines wochen* zu_spät zu_lange niemand retard* demasiad* pierden tarde*",
  problems_solved: "problems? solve* trouble avoids? prevents? no_more",
  unique_differentiators:
    "why different* difference unterscheid* anders warum pourquoi por_qué atouts ventajas stärken vorteile advantages? unlike the_only only_company where_the where_other* instead rather_than no_one_else in-house our_own their_own all_ours same same-day within_\\d+ in_\\d+_(?:h|hours|hrs|days) eigene* contrairement nous-mêmes chez_nous propi[oa]s?",
  case_studies:
    "proof references? referenz* références? results? done case* stor(?:y|ies) example* caso* beispiel* exemple* changed erfolg* performance cuts? reduced saved saves increased grew recovered doubled tripled halved dropped fell raised rose gained avoided lowered improved went moved replaced fewer down earlier faster none_since used_to lost gesenkt sank gespart réduit* économisé* passées? passés? pasó from_\\d+ by_\\d+ de_\\d+ von_\\d+",
  credibility_markers:
    "approved certif* zertifi* accredit* akkredit* memberships? members? mitglied credentials? awards? gründungsjahr beschäftigte staff founded established years_trading compliance proof qualifications? ISO IATF EN_\\d+ SANAS B_Corp licen[cs]ed since_\\d+ seit_\\d+ depuis_\\d+ desde_\\d+ gegründet fondée? fundad[ao] registered_in years_of_experience generation insured employ employees engineers technicians backed_by listed installed mitarbeiter* salariés empleados",
  guarantee:
    "guarante* warrant* promise* our_word garant* versprechen zusage engagement* compromiso refund* money-back money_back is_free are_free waived? credited? we_pay pay_nothing pays_nothing not_pay owe_nothing no_charge no_invoice replaced? redo remake mended kostenlos *setzen gratis halben rembours* offerte? for_free free_of_charge we_credit if_we if_the if_an? if_you if_less wenn falls sinon sonst sans_frais sin_costo devolvemos entfällt",
  lead_magnets:
    "free gratis gratuit* offert* kostenlos* complimentary no_obligation see_it_first try trial download* télécharg* descargar checklist* checkliste* sample",
  core_products:
    "products? services? costs? prices? pricing rates? fees offers? plans? packages? leistungen produkte tarifs? preise? precios tarifas sell anbieten modules prestations competenc(?:y|ies)",
  competitors:
    "competit* competes? concurren* alternatives? versus vs mitbewerb* wettbewerb* competencia rivals? compared others unlike than against instead_of why_not switched_from",
  competitor_frustrations:
    "competit* concurren* alternatives? mitbewerb* wettbewerb* others elsewhere unlike complaints_we_hear complaints_about",
  objections_and_responses:
    "objections? isn.t_that aren.t_you expensive too_dear cheaper dearer teuer trop_cher caro einwände doubts",
  solution_triggers:
    "triggers? buying_moment they_come_when who_calls when_to_call signs anlässe calls?_us comes?_to_us rings?_us phone_us often_after",
  client_transformation: "before_and_after transformation avant_après from_\\d+.{3,80}_to_\\d+",
  industry_vertical: "branche industry sector category trade secteur"
} as const satisfies Partial<Record<Field, string>>
type CuedField = keyof typeof fieldWords
const cuedFields = Struct.keys(fieldWords)

const wordPattern = (words: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.replaceAll(" ", "|").replaceAll("*", "\\p{L}*").replaceAll("_", " ")})(?![\\p{L}\\p{N}])`,
    "giu"
  )
const wordPatterns = new Map(cuedFields.map((field) => [field, wordPattern(fieldWords[field])]))

/** How many words of a field a text has. */
const countWords = (field: CuedField, text: string) => text.match(wordPatterns.get(field) ?? /$^/)?.length ?? 0

const figurePattern = /\d|\b(?:half|halved|doubled|tripled|twice|a third)\b/iu
const titleNoun = new RegExp(
  `${holderNoun.source}|(?<!\\p{L})(?:gerentes?|jef[ea]s?|director[ae]s?|dueñ[oa]s?|encargad[oa]s?|patrons?|\\p{L}*beauftragte\\p{L}*|\\p{L}*leit(?:ung|er(?:in)?)|\\p{L}*techniker|compras|recursos humanos|HR|RH|H&S)(?!\\p{L})`,
  "iu"
)
/** Without these even a sentence under the right heading is no answer. */
const needed: Partial<Record<CuedField, RegExp>> = {
  target_job_titles: titleNoun,
  case_studies: figurePattern,
  client_transformation: figurePattern,
  core_products: /\d/,
  // Where two firms are compared, one of them has a name.
  competitors: /^(?!.*\b(?:never|not)\b(?! like)).*[^\s.“"] \p{Lu}\p{L}|^\p{Lu}\p{L}+,/u
}

const maxCandidates = 3
/** More candidates are offered for products, because most lines of a price list are picked. */
const maxProducts = 12
/** Fields that are about others, and may be answered where a client or a rival is spoken of. */
const thirdPartyFields: ReadonlySet<Field> = new Set([
  "ideal_client_description",
  "target_job_titles",
  "case_studies",
  "competitors",
  "competitor_frustrations",
  "client_transformation"
] as const)
const maxSentenceLength = 400

/**
 * Sentences, where one that begins in lower case, in brackets or behind initials continues the one before: "Acme B.V. makes".
 * The answer to a short question stays with it: "Not happy? We clean again."
 */
const joinedSentences = (text: string) =>
  splitParagraph(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 &&
      (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$|^\P{P}{1,50}\?$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** "Who we want more of: butchers", "Customers. Packhouses bring": what a sentence is about, and what it says. */
const leadPattern = /^([^:.!?;]{2,70}?)(?:\s*\??\s*:| [–—-](?= )|\?)\s+(\S.*)$/su
const splitLead = (text: string): readonly [lead: string, rest: string] => {
  const [, lead, rest] = leadPattern.exec(text) ?? []
  if (lead === undefined || rest === undefined) return ["", text]
  // A question that names no field is a condition: "Not happy? We clean again."
  const isCondition = text.startsWith(`${lead}?`) && headingTopic(`${lead}?`) === undefined
  return isCondition ? ["", text] : [lead, rest]
}

/** Sentences of prose, each with its lead and that of its paragraph: "Customers. Packhouses bring 61%." */
const statementsOf = (block: Block, at: number, above: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  if (block.kind === "row") {
    // Of columns side by side each has its own heading; otherwise the first cell says what the others are about.
    const isOfTopics = block.columns.some((name) => headingTopic(name) !== undefined)
    const [first = "", ...others] = block.cells.filter((cell) => cell !== "")
    const cells = others.length === 0 || isOfTopics ? block.cells : others
    return cells.flatMap((cell) =>
      joinedSentences(cell).map((text) => ({
        sentence: text,
        text,
        lead: others.length === 0 || isOfTopics ? "" : first,
        above: isOfTopics ? [block.columns[block.cells.indexOf(cell)] ?? ""] : above,
        block,
        at
      }))
    )
  }
  const sentences = joinedSentences(block.text)
  const [opening = ""] = sentences
  const title = opening.split(" ").length <= 4 ? opening : splitLead(opening)[0]
  return sentences.map((sentence) => {
    const [lead, text] = splitLead(sentence)
    return { sentence, text, lead, above: [title, ...above], block, at }
  })
}

const allStatements = (all: ReadonlyArray<Block>): ReadonlyArray<Statement> => {
  let introduction = ""
  return all.flatMap((block, index) => {
    const before = all[index - 1]
    // A short line without a stop is a heading that nothing marks.
    if (before !== undefined && /[?:]$|^>|^[^.!,;@]{4,50}$/.test(before.text)) introduction = before.text
    else if (block.kind !== "point" || before?.kind !== "point") introduction = ""
    return block.kind === "heading"
      ? []
      : statementsOf(
          block,
          index,
          [introduction, block.under.at(-1) ?? ""].filter((text) => text.length < 120)
        )
  })
}

/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bsee below\b|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|page \d|(?:issue|version|rev(?:ision)?|ausgabe) \d|supersedes|bidder|supplier|tenderer|figure \d|table \d|[AQ]:|office use)(?!\p{L})/iu
/** A sentence about the one before it says nothing alone. */
const dependentStart = /^(?:that|this|these|those|it|they|he|she|elles?|ils?|voilà|er|each one|both|both of|no|yes)\b/i

/** Whether a lead or a heading names a field: by its topic, or where it has none, by its words. */
const isAbout = (field: CuedField, text: string): boolean => {
  const topic = text === "" ? "others" : headingTopic(text)
  return topic === undefined ? countWords(field, text) > 0 : topic === field
}

/** Fields whose answers are sentences: a name under their heading is none. */
const sentenceFields: ReadonlySet<Field> = new Set([
  "guarantee",
  "lead_magnets",
  "case_studies",
  "business_description"
] as const)

/** Fields that clients and objectors are quoted for. */
const quotedFields: ReadonlySet<Field> = new Set(["pain_points", "objections_and_responses"] as const)

const isReadable = (text: string): boolean =>
  text.length <= maxSentenceLength &&
  isComplete(text) &&
  !remarkPattern.test(text) &&
  !pageFurniture.test(text) &&
  /\p{L}{2}|\d{2}/u.test(text) &&
  !/\?["”]?$|^contact us|\[\[| > .* > |:$/i.test(text) &&
  /^["“„«(]?[\p{L}\d$€£]/u.test(text)

/** Matches a sentence in which a business says what it does. */
const ownVerb =
  /^(?:(?:We|Wir|Nous|At [^,]{2,40}, we) (?!are\b|sind\b|sommes\b|talk|deal)\p{Ll}|\p{Lu}\p{Ll}+mos |(?:\p{Lu}[\p{L}&.’'-]*,? ){1,5}(?:is|ist|est|es|\p{Ll}{3,}[st]) )/u
/** The beginning of a condition, or of a sentence about clients. */
const notDescription = /^(?:(?:if|wenn|si|falls)(?!\p{L})|we (?:sell to|serve|work (?:for|with)|talk to))/iu
/** Words of a sentence about the past. */
const pastTense = /\b(?:was|were|began|founded|started|opened|set up|gegründet|wurden?|fondée?|fundad[ao])\b/iu

/** How much the words of a statement, and those before and above it, speak for a field. */
const pointsFor = (field: CuedField, statement: Statement, names: ReadonlyArray<string>): number => {
  const { above, at, block, lead, sentence, text } = statement
  const length = text.split(" ").length
  const isLed = isAbout(field, lead)
  const isFounding = field === "credibility_markers" && /^\p{Lu}\p{L}+ (?:19|20)\d\d\.?$/u.test(text)
  const isUnder = block.topic === field || above.some((each) => isAbout(field, each))
  if (needed[field]?.test(text) === false || mailboxesIn(text).length > 0 || phonesIn(text).length > 0) return 0
  if ((!isLed && dependentStart.test(text)) || (length < 3 && !isFounding && (!isLed || sentenceFields.has(field))))
    return 0
  const isOfOthers = isThirdParty(block) && !thirdPartyFields.has(field)
  if (isOfOthers && /^[>"“„«]/.test(block.text) && !(isUnder && quotedFields.has(field))) return 0
  const isResult = /\d/.test(text) && countWords("case_studies", text) > 1
  if (field === "business_description" && (isResult || notDescription.test(text))) return 0
  const isIntroduction = field === "business_description" && block.kind === "paragraph" && length > 4
  const isNamed = isIntroduction && names.some((name) => text.startsWith(`${name} `))
  const isElsewhere = isOfOthers || (!isLed && !isUnder && block.topic !== undefined && block.topic !== "faq")
  const points =
    (isLed ? 4 : 0) +
    (isUnder ? 3 : 0) +
    // What goes wrong in "Lost a pallet? We pay its value." is not what it promises.
    Math.min(2, countWords(field, sentence.replace(/^\P{P}{1,50}\? /u, ""))) +
    (isNamed ? 3 : isIntroduction && ownVerb.test(text) ? 2 : 0) +
    (isIntroduction && block.topic === undefined ? Math.max(0, 2 - at / 4) : 0) -
    // Under a heading of problems stands nothing that a business promises.
    (isElsewhere ? (block.topic === "pain_points" ? 2 : 0.5) : 0)
  return isIntroduction && pastTense.test(text) ? points - 3 : points
}

interface ScoredStatement extends Statement {
  readonly points: ReadonlyMap<CuedField, number>
  /** The points of the field that it answers best. */
  readonly most: number
}

const scored = (statement: Statement, names: ReadonlyArray<string>): ScoredStatement => {
  const points = new Map(cuedFields.map((field) => [field, pointsFor(field, statement, names)]))
  // Nearly any sentence gets points for what a business does, and those must not keep it from its own field.
  const most = Math.max(...[...points].map(([field, each]) => (field === "business_description" ? 0 : each)))
  return { ...statement, points, most }
}

/** What is free, before its colon: "Free asset list: send photos of your kit". */
const freeStart = /^(?:free|gratis|gratuite?|kostenlose?s?)(?!\p{L})(?! (?:offer|thing|resource|trial)s?$)/iu

/** A statement answers a field if it has fewer than this many points less than for its best field. */
const maxBehind = 3

/** Statements that may answer a field, the likeliest first, without a lead that only names the field. */
const answersFor = (field: CuedField, all: ReadonlyArray<ScoredStatement>): ReadonlyArray<string> => {
  const pointsOf = ({ points }: ScoredStatement) => points.get(field) ?? 0
  const best = Math.max(0, ...all.map(pointsOf))
  return all
    .filter(
      (each) =>
        pointsOf(each) > best / 2 && pointsOf(each) > each.most - (field === "business_description" ? 2 : maxBehind)
    )
    .toSorted((a, b) => pointsOf(b) - pointsOf(a))
    .map(({ block, lead, sentence, text }) => {
      // Of the sentences of a result, the first names the client.
      const isStory = field === "case_studies" && block.kind !== "row" && isReadable(block.text)
      const said = isAbout(field, lead) && !freeStart.test(lead) ? text : sentence
      return !isStory
        ? said
        : block.text.startsWith(sentence)
          ? block.text.slice(sentence.length - said.length)
          : block.text
    })
}

/** What the rows of tables have in the columns that `isMeant`, in one line: the titles under "Who signs". */
const columnIn = (own: ReadonlyArray<Block>, isMeant: (block: Block, at: number) => boolean): ReadonlyArray<string> => {
  const cells = own.flatMap((block) =>
    block.columns.length < 2 ? [] : block.cells.filter((_, index) => isMeant(block, index))
  )
  const text = cells.filter((cell) => cell !== "").join(", ")
  return cells.length > 1 && text.length <= maxSentenceLength ? [text] : []
}

/** A row of results with the names of its columns: "Breakdowns per lift: year before 8.7, first full year 3.1". */
const resultsIn = (own: ReadonlyArray<Block>): ReadonlyArray<string> =>
  own
    .filter(({ topic }) => topic === "case_studies")
    .flatMap(({ cells: [name = "", ...cells], columns }) =>
      columns.length > 2 && cells.length === columns.length - 1 && cells.every((cell) => figurePattern.test(cell))
        ? [`${name}: ${cells.map((cell, index) => `${columns[index + 1]} ${cell}`).join(", ")}`]
        : []
    )

/** Rivals that a table compares the company with, by its columns or its rows. */
const rivalsIn = (own: ReadonlyArray<Block>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isOwn = (text: string) => names.some((name) => name.toLowerCase().startsWith(text.toLowerCase()))
  const tables = own.filter(({ kind, topic }) => kind === "row" && topic === "competitors")
  const columns = tables.flatMap(({ columns }) => {
    const others = columns.slice(1).filter((column) => !isOwn(column))
    return columns.length > 2 && others.length < columns.length - 1 ? [others.join(", ")] : []
  })
  const rows = tables.flatMap(({ cells: [name = ""], columns: [head = ""] }) => (head === "" ? [name] : []))
  return [
    ...columns,
    ...(columns.length === 0 && rows.length > 1 ? [rows.filter((row) => !isOwn(row)).join(", ")] : [])
  ]
}

const locationPattern =
  /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu}|(?:from|roast|yard|workshop|showroom|works?|made|cooked|cuisinés?|plant|planta) (?:\p{Ll}+ )?(?:in|at|à|en) \p{Lu})/u

const contactWords = /(?<!\p{L})(?:contact|ansprech\p{L}*|interlocuteur|contacto|sales|ventas|vertrieb)(?!\p{L})/iu

/** People to contact first, then those whom a mailbox names, then all others who have a job. */
const peopleToOffer = (own: ReadonlyArray<Block>, mailboxes: ReadonlyArray<string>) => {
  const people = contactsIn(own)
  const parts = new Set(mailboxes.flatMap((each) => each.toLowerCase().split("@")[0]?.split(/[._-]/) ?? []))
  const named = own.flatMap(({ text }, index) => {
    const isOfContact = contactWords.test(text)
    const below = own[index + 1]?.text ?? ""
    const job = isJob(below) && below.split(" ").length < 6 ? below : ""
    const found = text.length <= maxSentenceLength ? peopleNamedIn(text) : []
    return found
      .filter(
        ({ name }) =>
          isOfContact ||
          name
            .toLowerCase()
            .split(" ")
            .some((word) => word.length > 2 && parts.has(word))
      )
      .map((each) => (each.title === "" ? { ...each, title: job } : each))
  })
  return [...people.filter(({ isToContact }) => isToContact), ...named, ...people]
}

/** Candidate values that are not sentences. All are offered, because only the business knows which is its own. */
const valuesIn = (
  own: ReadonlyArray<Block>,
  statements: ReadonlyArray<Statement>
): ReadonlyArray<readonly [field: Field, values: ReadonlyArray<string>]> => {
  // A number or a mailbox under "Contact" is likelier the company's than one in a text.
  const lines = own
    .toSorted((a, b) => Number(b.topic === "contact") - Number(a.topic === "contact"))
    .flatMap(({ text }) => text.split(/\s+[|·•]\s+|(?<=\p{L}{2}[.!])\s+(?=\p{Lu}\p{L}+:)/u))
    .map((line) => line.replace(supplierCreditPattern, ""))
  const mailboxes = lines.flatMap(mailboxesIn)
  const people = peopleToOffer(
    own.filter((block) => !isThirdParty(block) || /^contact\b/i.test(block.text)),
    mailboxes
  )
  const addresses = addressesIn(own)
  const streets = streetsIn(own)
  const labels = own.flatMap(({ cells, kind, text }) => {
    const { label, value = "" } = parseLabelled(text) ?? {}
    // Of a row each cell behind the label may be a value, up to another label.
    const [name = "", ...others] = kind === "row" ? cells : []
    const named = knownLabel(name) ?? label
    const end = others.findIndex((cell) => knownLabel(cell) !== undefined)
    const found = (knownLabel(name) === undefined ? [value] : others.slice(0, end === -1 ? undefined : end)).filter(
      isReadable
    )
    return kind !== "heading" && named !== undefined && (isText(named) || isList(named)) && found.length > 0
      ? [[named, found] as const]
      : []
  })
  const names = companiesIn(own, hostsIn(lines.join("\n")))
  return [
    ...labels,
    ["company_name", names],
    ["city_region", addresses.map(({ town }) => town)],
    [
      "city_region",
      statements.map(({ text }) => text).filter((text) => locationPattern.test(text) && isReadable(text))
    ],
    ["city_region", addresses.length > 0 ? [] : streets],
    ["contact_name", people.map(({ name }) => name)],
    ["contact_title", people.map(({ title }) => title).filter(isJob)],
    ["contact_email", mailboxes],
    ["contact_phone", [...lines.flatMap(phonesIn), ...lines.flatMap(possiblePhonesIn)]],
    ["business_address", [...addresses.map(({ value }) => value), ...streets]],
    ["website_url", lines.flatMap(sitesIn).map(({ origin }) => origin)],
    ["target_job_titles", columnIn(own, ({ columns }, at) => headingTopic(columns[at] ?? "") === "target_job_titles")],
    ["case_studies", resultsIn(own)],
    ["competitors", rivalsIn(own, names)],
    [
      "core_products",
      findAllOffers(own).map(({ pricing, product }) => (pricing === "" ? product : `${product} | ${pricing}`))
    ]
  ]
}

/** Who made the text or its site, advises the business or insures it: "Website by", "Steuerberater", "Printed by". */
const supplierCreditStart =
  /^(?:(?:web ?site|site|page|theme|photos?|fotos|design(?:ed)?|web ?design|built|made|powered|hosted|printed|imprimé|gedruckt|umsetzung|realisierung|hébergement|conception|réalisation|diseño web)(?: (?:by|par|von))?\s?[:,]? (?=\p{Lu}|OVH)|(?:druck|print|typeface|type)\s?: |(?:steuerberater(?:in)?|datenschutzbeauftragter?|accountants?|auditors?|solicitors?|bank|comptable|mutuelle|gestoría)(?: ?[:,]|$))/iu
const supplierCreditPattern =
  /(?<!\p{L})(?:(?:web ?site|site|theme|page|designed|developed|built(?: with love)?|powered|hosted|printed|managed|template) by|web ?design|umsetzung|hébergement|diseño web|underwrites?)(?!\p{L}).*/isu

/** Minutes of a meeting are about the business, unlike vacancies and news. */
const isOffTopic = ({ topic, under }: Block): boolean =>
  topic === "others" && !/\b(?:agenda|minutes)\b/i.test(under.find((each) => headingTopic(each) === "others") ?? "")

/** Empty fields, each with sentences or values that may fill it. Uncertain facts come first. */
export const missingFields = (
  all: ReadonlyArray<Block>,
  has: (field: Field) => boolean,
  uncertainFacts: ReadonlyArray<Fact>
): ReadonlyArray<MissingField> => {
  const own = all.filter((block) => !isOffTopic(block) && !supplierCreditStart.test(block.text))
  const statements = allStatements(own)
  const names = companiesIn(all, hostsIn(all.map(({ text }) => text).join("\n"))).map((name) =>
    name.split(" ").slice(0, 2).join(" ")
  )
  const readable = statements.filter(({ text }) => isReadable(text)).map((each) => scored(each, names))
  const values = Map.groupBy(
    [...uncertainFacts.map(({ field, value }) => [field, [value]] as const), ...valuesIn(own, statements)],
    ([field]) => field
  )
  const isCued = (field: Field): field is CuedField => Object.hasOwn(fieldWords, field)
  const candidatesFor = (field: Field) => {
    const texts = [
      ...(values.get(field) ?? []).flatMap(([, each]) => each),
      ...(isCued(field) ? answersFor(field, readable) : [])
    ].filter((text) => text !== "" && text.length <= maxSentenceLength && !styleName.test(text))
    // "Wash | €12" is the row "Wash, €12".
    const groupedByKey = Map.groupBy(texts, (text) => text.replace(/[^\p{L}\p{N}]/gu, ""))
    // A price alone names nothing that is sold.
    const distinct = [...groupedByKey.values()]
      .flatMap(([text]) => text ?? [])
      .filter((text) => field !== "core_products" || !/^(?:from |ab )?[€£$] ?\d/.test(text))
    return (
      distinct
        // "Send photos" is the end of "Free asset list: send photos".
        .filter((text) => !distinct.some((each) => each !== text && each.endsWith(text) && freeStart.test(each)))
        .filter(
          (text, index) =>
            field !== "target_job_titles" || !distinct.slice(0, index).some((each) => each.includes(text))
        )
        .slice(0, field === "core_products" ? maxProducts : maxCandidates)
    )
  }
  return [...new Set([...cuedFields, ...values.keys()])]
    .filter((field) => !has(field))
    .map((field) => ({ field, candidates: candidatesFor(field) }))
}
