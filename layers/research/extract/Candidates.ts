// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import { Struct } from "effect"
import { holderNoun } from "#layers/generator/JobTitles.ts"
import { addressesIn, contactsIn, streetsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, possiblePhonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import { changePattern, type Fact, figurePattern } from "#layers/research/extract/Labelled.ts"
import { type Field, isList, isText, parseLabelled, headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete, styleName } from "#layers/research/extract/Lines.ts"
import { companiesIn, isJob, peopleNamedIn } from "#layers/research/extract/Names.ts"
import { findAllPricedItems } from "#layers/research/extract/Prices.ts"
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

interface Cues {
  /** Words of a lead, a question or a heading, besides those of the topic. */
  readonly above?: RegExp
  /** Words of a sentence that stands anywhere. */
  readonly words: RegExp
  /** What sentences with these words say when they are of another field. */
  readonly not?: RegExp
  /** Without this even a sentence under the right heading is no answer. */
  readonly needs?: RegExp
}

const titleNoun = new RegExp(
  `${holderNoun.source}|(?<!\\p{L})(?:gerentes?|jef[ea]s?|director[ae]s?|dueñ[oa]s?|encargad[oa]s?|patrons?|\\p{L}*beauftragte\\p{L}*|\\p{L}*leitung|\\p{L}*techniker|compras|recursos humanos|HR|RH|H&S)(?!\\p{L})`,
  "iu"
)
/** A price, a right or a promise of the business is no result of a client, and neither is a statement about itself. */
const notResult =
  /\b(?:pays?|contract|returned|refund|credit|guaranteed?|warranty|discounts?|certified|member since)\b|% off\b|\?$|^(?:We|Our|I|You|Your|If|This|That|These|It|They|Most|Since|Founded|No|Free|Prices?|Get|Save|Buy|Book|Try|Now|In|By|Up|From|Only|Today|First)(?!\p{L})|\bwe have\b/u

const isResult = (text: string): boolean =>
  !notResult.test(text) && figurePattern.test(text) && changePattern.test(text)

/** Words that order what is shown. They fill nothing. */
const cues = {
  business_description: {
    above:
      /\b(?:who we are|what (?:are|is|do|does)\b|mission|organi[sz]ation|in your own words|was bieten|activité|qué hacemos)/iu,
    words:
      /\b(?:we|wir|nous) (?!do not|don['’]t|were|sind keine|ne )\p{Ll}{3,}|\p{Ll}{4,} wir\b|^\S+(?: \S+){0,7}? (?:\p{Ll}{3,}s|are|is|ist|est|es|wurde) /iu,
    // Whom a business works for, how it began and what it did once say nothing of what it does.
    not: /^(?:if|wenn|si|lose) |^(?:our |typical |the )*(?:buyers?|clients?|customers?)\b|^We are (?:at|on)\b|\b(?:str|st|co|inc|ltd)\.$|^We (?:also |mostly |usually |mainly )?(?:sell to|serve|work (?:best )?(?:for|with)|talk to|speak (?:to|with)|deal (?:mostly |mainly )?with)\b|\b(?:was set up|were|began|founded|started|opened|set up (?:in|by)|did|refund|free|no charge|nothing|VAT|employ)\b/i
  },
  ideal_client_description: {
    above:
      /^(?!.*\b(?:say|complain|tell|hear|results?|stories|success|support|service|line|guarantee)\b).*\b(?:customers|clients|clientes|clientèle|cible|target|kunden|who for|who (?:we (?:serve|help|want|work)|it|this|calls|rings|buys)|fits? (?:you|best)|how big|a quién|für wen|pour qui|markets?|sectors?|focus)\b/iu,
    words:
      /\b(?:we (?:sell to|serve|work with|work for|help|supply)|(?:customers|clients) (?:are|include)|(?:typical|best|usual) (?:customer|client)|(?:designed|built|made|ideal) for|aimed at|sweet spot|(?:sold|leased|rented) to|unsere kunden|nos clients|wir (?:arbeiten|betreuen|beliefern)|nous (?:travaillons|équipons|accompagnons)|atendemos|trabajamos (?:con|para)|(?:for|für|pour|para) (?:(?:\p{L}+[ ,]+){0,3}(?:companies|firms|manufacturers|makers|hospitals|schools|hotels|restaurants|operators|farms|labs|laborator\p{L}+|institutes|exporters|\p{L}+(?:betriebe|hersteller|bauer|unternehmen)|entreprises|fabricants|empresas)))\b|\b(?:customers|clients|companies|firms|sites|mills|plants|plantas|shops|offices)\b.*\b(?:with|between|from|de) \d|(?:^|\s)\d[\d.,]* ?(?:to|[-–]|bis|à|a|and|und|y|\+) ?(?:\d[\d.,]* )?(?:\p{Ll}+ )?(?:people|personnes|pickers|employees|staff|beds|sites|shops|trucks|vehicles|rooms|tonnes|spindles|looms|beschäftigte\p{L}*|mitarbeiter\p{L}*|salariés|empleados|trabajadores|m2|m²)(?!\p{L})/iu,
    not: /^(?:our |the )?price|[€$£]|\b(?:founded|gegründet)\b/i
  },
  target_job_titles: {
    above:
      /\b(?:who\b.*\b(?:says?|signs?|buys?|calls?|rings?|decides?|yes)|decision|decides?|talk to|entscheid\p{L}*|gesprächspartner|interlocuteurs?|trato|who for|customers|clients|kunden|cible|target|fits you)\b/iu,
    words:
      /\b(?:buyers?|decisions?|decides?|signs?|who decides|we (?:usually |mostly )?(?:talk to|deal with|work with|meet)|meet us through|the person is|usually|mostly|typically|mostly|meistens|meist|parfois|habla|trato con|ansprechpartner sind|interlocuteurs|managers|directors|owners|heads of)\b/iu,
    needs: titleNoun,
    not: /@|\d{3}[ -]?\d{3}|[€$£] ?\d/
  },
  pain_points: {
    above:
      /\b(?:problems?|pains?|complain\p{L}*|hear|duele|problèmes?|constats?|sorgen|frustrations?|seen|kunden uns)(?!\p{L})/iu,
    words:
      /\b(?:struggle|too (?:often|late|long|slow)|tired of|lose|lost|waste|problem|trouble|complaints?|throw away|weeks? (?:wait|to)|costs? .{0,20}to replace|vanish|nobody knows|trop (?:tard|souvent|long)|semaines|wochen(?:lang)?|zu (?:spät|lange)|niemand|demasiado|pierden|tarde)\b/iu,
    not: /\b(?:he|she|his|her|started when|grew (?:up|tired)|spent \w+ years)\b/i
  },
  problems_solved: {
    above: /\bproblems?\b/i,
    words: /\b(?:the (?:problem|trouble)|solves?|avoids?|prevents?|no more)\b/i
  },
  unique_differentiators: {
    above: /\b(?:why|different|unterscheide\p{L}*|warum|pourquoi|por qué|instead|isn['’]t that)(?!\p{L})/iu,
    words:
      /\b(?:unlike|(?:the )?only (?:one|company|firm|supplier)|where (?:the |other )|instead of|rather than|no one else|not like|others (?:charge|take|send)|different(?:ly)?|in-house|(?:our|your) own|all ours|same[- ]day|same (?:\p{Ll}+ ){1,2}every|within \d+ (?:hours?|days?)|in \d+ ?(?:h|hours|hrs)\b|anders als|eigene[nrms]?|contrairement|nous-mêmes|chez nous|propi[oa]s?)(?!\p{L})/iu,
    not: /@|\d{3} \d{3}|\bcompete|\b(?:was|were)\b/u
  },
  case_studies: {
    above:
      /\b(?:proof|references?|referenz\p{L}*|références?|results?|done (?:lately|this)|done this for|similar work|caso|cases?|stories)(?!\p{L})/iu,
    words: new RegExp(
      `${changePattern.source}|\\b(?:lost|none since|nothing|instead of|in \\d+ (?:days|weeks|months)|used to|pasó de|passé)\\b`,
      "iu"
    ),
    needs: figurePattern,
    not: notResult
  },
  credibility_markers: {
    above:
      /\b(?:approved|certified|accredit\p{L}*|members?|credentials?|gründungsjahr|beschäftigte|staff|founded|years trading|compliance)(?!\p{L})/iu,
    words:
      /\b(?:ISO|IATF|SANAS|B Corp|certified|accredited|accreditation|akkreditiert\p{L}*|licen[cs]ed|(?:since|seit|depuis|desde) (?:19|20)\d\d|awards?|gegründet|fondée?|fundad[ao]|members?(?: of)?|mitglied|founded|registered in|years of experience|third generation|zertifiziert|certifié|certificad[ao]|approved|insured|we employ|backed by|listed)\b|\d[\d,.]* (?:\p{Ll}+ )?(?:employees|people|staff|engineers|technicians|customers|clients|sites|mills|laboratories|machines|modules|mitarbeiter\p{L}*|salariés|kunden|empleados|costureras)(?!\p{L})/iu,
    not: /@|www\.|\?|\b[A-Z]{1,2}\d{1,2} \d[A-Z]{2}\b/
  },
  guarantee: {
    above: /\b(?:guarantee|promise|warranty|word|late|wrong|garant\p{L}+|versprechen|engagement|compromiso)(?!\p{L})/iu,
    words:
      /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|(?:pay|owe) nothing|no invoice|(?:is|are) (?:free|waived|credited|compensated|returned)|returned full|stand the cost|we pay the|(?:again|back) free|garantie|garantía|we (?:replace|correct|come back|repeat|redo|remove)\b.*\b(?:free|no (?:extra )?c(?:harge|ost)|nothing|only)|ersetzen wir|gratis|halben preis|rembours\p{L}*|sinon|sans frais|sin costo|devolvemos)(?!\p{L})|\bredo at no charge|^if (?:we|the|a|your|less)\b.*\b(?:free|refund|nothing|no charge|half|back|credit\w*|waive|pay)\b|\bcarr(?:y|ies) \d+ (?:months|years)\b|\bentfällt\b/iu,
    not: /^(?:free|gratis|dégustation|muestra)\b/i
  },
  lead_magnets: {
    above: /\b(?:free|gratis|see it first|download\p{L}*|complimentary|trial)(?!\p{L})/iu,
    words:
      /^(?!If\b).*(?<!(?:gluten|nut|sugar|dairy|lactose|duty|tax|oil|lead)[ -])\b(?:free(?! from\b)|complimentary|no obligation|download|télécharger|descargar|checkliste?|kostenlose?|gratis|gratuit\w*|offerte?)\b(?! of\b)/i,
    // Failures, goods and terms are nothing to give away before a meeting.
    not: /^(?:if|wenn|wer|si)\b|\b(?:or (?:the|it|we|you)\b|if|when|remakes?|ship(?:ping|ped)|delivery|postage|collection|parking|pick-?up|replaced?|repeat(?:ed)?|again|orders?|refund\w*|rembours\p{L}*)\b|(?<!\p{L})(?:livraison|refaite?s?|sinon|lieferung|keine?|sonst|nach)(?!\p{L})/u
  },
  core_products: {
    above: /\b(?:costs?|prices?|rates?|fees|tarifs?|preise?|precios|sell|anbieten|modules)(?!\p{L})/iu,
    words:
      /[$€£] ?\d|\d ?(?:€|euros?)|\b(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN|CZK|KES|MXN|INR|SGD|AUD|NZD|Rs\.?) ?\d|\bR ?\d[\d ]{2,}|\d ?(?:EUR|CHF|NOK|SEK|DKK|PLN|CZK|MXN|kr|zł)(?!\p{L})/iu,
    needs: /\d/
  },
  // Where two firms are compared, one of them has a name.
  competitors: {
    above: /\b(?:concurrence|alternatives?|versus|vs|mitbewerb|why not|and not|not just|einwände|ask "why)\b/iu,
    words:
      /(?:[Cc]ompetitors?|[Cc]ompetes?|[Cc]ompetition|[Mm]itbewerb\p{L}*|[Ww]ettbewerb\p{L}*|[Cc]oncurren(?:ts?|ce)|[Cc]ompared (?:with|to)).* \p{Lu}\p{L}|(?:[Uu]nlike|than|against|instead of|switched from|not like|[Tt]hat's|use|send them to|present contractor) \p{Lu}|(?:[Oo]thers|labs|big|[Gg]roßen|loueurs|heard? about)\b[^.]{0,30}[(:] ?\p{Lu}|\p{Lu}\p{L}+ (?:ofrece|compete|livre|charge)/u,
    needs: /\p{Lu}/u,
    not: /\b(?:not(?! like)|never)\b/
  },
  competitor_frustrations: {
    above:
      /\b(?:competit\p{L}+|concurrence|concurrents|mitbewerb\p{L}*|alternatives?|others|complaints|instead)(?!\p{L})/iu,
    words:
      /\b(?:complaints? (?:we hear )?about|they (?:send|take|want|charge|fail)|others (?:charge|take|send)|unlike|national labs|the (?:dealer|big \p{L}+)|(?:takes?|charges?|wants?) (?:per|\d|an? \d)|turn away|(?:parts|labs) take|weeks wait|\p{L}+ charge per)\b/iu,
    not: /^(?:We|Our)\b/
  },
  objections_and_responses: {
    above: /\b(?:instead of calling|objections?|isn['’]t that|aren['’]t you|too expensive)\b/iu,
    words: /\b(?:too expensive|too dear|is (?:cheaper|dearer)|zu teuer|trop cher|demasiado caro)\b/i
  },
  solution_triggers: {
    above: /\b(?:buying moment|they come when|who calls us|when|signs)\b/i,
    words:
      /\b(?:calls?|comes?(?: \p{L}+)?|rings?|phone)(?: to)?(?: us)? (?:after|when|before|in \p{Lu}\p{L}+ when)\b|^often after\b|makes them (?:call|ring|phone)/iu
  },
  client_transformation: { words: /\bfrom \d.{3,80}\bto \d/i },
  industry_vertical: {
    above: /\b(?:branche|industry|sector|category)\b/i,
    words:
      /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu
  }
} as const satisfies Partial<Record<Field, Cues>>
type CuedField = keyof typeof cues
const cuesOf = (field: CuedField): Cues => cues[field]
const cuedFields = Struct.keys(cues)

const maxCandidates = 3
/** More candidates are offered for products, because most lines of a price list are picked. */
const maxProducts = 12
/** Fields that are about others, and may be answered where a client or a rival is spoken of. */
const clientFields: ReadonlySet<Field> = new Set([
  "ideal_client_description",
  "target_job_titles",
  "case_studies",
  "competitors",
  "competitor_frustrations",
  "client_transformation"
] as const)
const maxSentenceLength = 400

/** Sentences, where one that begins in lower case, in brackets or behind initials continues the one before: "Acme B.V. makes". */
const joinedSentences = (text: string) =>
  splitParagraph(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** "Who we want more of: butchers", "Customers. Packhouses bring": what a sentence is about, and what it says. */
const leadPattern = /^([^:.!?;]{2,70}?)(?:\s*\??\s*:| [–—-](?= )|\?)\s+(\S.*)$/su
const splitLead = (text: string): readonly [lead: string, rest: string] => {
  const [, lead, rest] = leadPattern.exec(text) ?? []
  return lead === undefined || rest === undefined ? ["", text] : [lead, rest]
}

/** Sentences of prose, each with its lead and that of its paragraph: "Customers. Packhouses bring 61%." */
const statementsOf = (block: Block, at: number, above: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  if (block.kind === "row") {
    const [first = "", ...others] = block.cells.filter((cell) => cell !== "")
    const cells = others.length === 0 ? [first] : others
    return cells.flatMap((cell) =>
      joinedSentences(cell).map((text) => ({
        sentence: text,
        text,
        lead: others.length === 0 ? "" : first,
        above,
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
  return all.flatMap((block, at) => {
    const before = all[at - 1]
    // A short line without a stop is a heading that nothing marks.
    if (before !== undefined && /[?:]$|^>|^[^.!,;@]{4,50}$/.test(before.text)) introduction = before.text
    else if (block.kind !== "point" || before?.kind !== "point") introduction = ""
    return block.kind === "heading"
      ? []
      : statementsOf(
          block,
          at,
          [introduction, block.under.at(-1) ?? ""].filter((text) => text.length < 120)
        )
  })
}

/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bsee below\b|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|page \d|bidder|supplier|tenderer|figure \d|table \d|[AQ]:|office use)(?!\p{L})/iu
/** A sentence about the one before it says nothing alone. */
const dependentStart =
  /^(?:that|this|these|those|it|they|he|she|elles?|ils?|voilà|sie|er|each one|both|both of|no|yes)\b/i

const isAbout = (field: CuedField, text: string): boolean =>
  text !== "" && (headingTopic(text) === field || cuesOf(field).above?.test(text) === true)

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
  !/\?["”]?$|^contact us|\[\[| > .* > |:$/i.test(text) &&
  /^["“„«(]?[\p{L}\d$€£]/u.test(text)

const pointsFor = (field: CuedField, statement: Statement, names: ReadonlyArray<string>): number => {
  const { above, at, block, lead, sentence, text } = statement
  const { needs, not, words } = cuesOf(field)
  const length = text.split(" ").length
  const isLed = isAbout(field, lead)
  const isUnder = block.topic === field || above.some((each) => isAbout(field, each))
  const isCued = words.test(sentence)
  if (needs?.test(text) === false || (!isLed && not?.test(sentence) === true)) return 0
  if ((!isLed && dependentStart.test(text)) || (length < 3 && (!isLed || sentenceFields.has(field)))) return 0
  const isOfOthers = isThirdParty(block) && !clientFields.has(field)
  if (isOfOthers && /^[>"“„«]/.test(block.text) && !(isUnder && quotedFields.has(field))) return 0
  if (field === "business_description" && (length < 5 || text.includes("@") || isResult(text))) return 0
  const isIntroduction = field === "business_description" && block.kind === "paragraph"
  const isNamed = isIntroduction && names.some((name) => text.startsWith(`${name} `))
  // Under a heading of problems stands nothing that a business promises.
  const isElsewhere = isOfOthers || (!isLed && !isUnder && block.topic !== undefined && block.topic !== "faq")
  const lost = isElsewhere ? (block.topic === "pain_points" ? 2 : 1) : 0
  const points =
    (isLed ? 4 : 0) +
    (isUnder ? 3 : 0) +
    (isCued ? 2 : 0) +
    (isNamed ? 3 : 0) -
    lost +
    (isIntroduction && at < 3 ? 1 : 0)
  return points + (isIntroduction && points > 0 ? Math.max(0, 1 - at / 20) : 0)
}

/** Statements that may answer a field, the likeliest first, without a lead that only names the field. */
const answersFor = (
  field: CuedField,
  all: ReadonlyArray<Statement>,
  names: ReadonlyArray<string>
): ReadonlyArray<string> =>
  all
    .map((each) => ({ ...each, points: pointsFor(field, each, names) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ block, lead, sentence, text }) => {
      // Of the sentences of a result, the first names the client.
      const isStory = field === "case_studies" && block.kind !== "row" && block.text.length <= maxSentenceLength
      const said = isAbout(field, lead) ? text : sentence
      return isStory && isReadable(block.text)
        ? block.text.startsWith(sentence)
          ? block.text.slice(sentence.length - said.length)
          : block.text
        : said
    })

/** What the rows of tables have in the columns that `isMeant`, in one line: the titles under "Who signs". */
const columnIn = (own: ReadonlyArray<Block>, isMeant: (block: Block, at: number) => boolean): ReadonlyArray<string> => {
  const cells = own.flatMap((block) =>
    block.columns.length < 2 ? [] : block.cells.filter((_, at) => isMeant(block, at))
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
        ? [`${name}: ${cells.map((cell, at) => `${columns[at + 1]} ${cell}`).join(", ")}`]
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
  const named = own.flatMap(({ text }, at) => {
    const isOfContact = contactWords.test(text)
    const below = own[at + 1]?.text ?? ""
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
    .flatMap(({ text }) => text.split(/\s+[|·•]\s+/))
  const mailboxes = lines.flatMap(mailboxesIn)
  const people = peopleToOffer(
    own.filter((block) => !isThirdParty(block) || /^contact\b/i.test(block.text)),
    mailboxes
  )
  const addresses = addressesIn(own)
  const streets = streetsIn(own)
  const labels = own.flatMap(({ kind, text }) => {
    const { label, value = "" } = parseLabelled(text) ?? {}
    return kind !== "heading" && label !== undefined && (isText(label) || isList(label)) && isReadable(value)
      ? [[label, [value]] as const]
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
    ["core_products", findAllPricedItems(own).map(({ pricing, product }) => `${product} | ${pricing}`)]
  ]
}

/** Minutes of a meeting are about the business, unlike vacancies and news. */
const isAboutOthers = ({ topic, under }: Block): boolean =>
  topic === "others" && !/\b(?:agenda|minutes)\b/i.test(under.find((each) => headingTopic(each) === "others") ?? "")

/** Empty fields, each with sentences or values that may fill it. Statements in the page's metadata come first. */
export const missingFields = (
  all: ReadonlyArray<Block>,
  has: (field: Field) => boolean,
  stated: ReadonlyArray<Fact>
): ReadonlyArray<MissingField> => {
  const own = all.filter((block) => !isAboutOthers(block))
  const statements = allStatements(own)
  const readable = statements.filter(({ text }) => isReadable(text))
  const names = companiesIn(all, []).map((name) => name.split(" ").slice(0, 2).join(" "))
  const values = Map.groupBy(
    [...stated.map(({ field, value }) => [field, [value]] as const), ...valuesIn(own, statements)],
    ([field]) => field
  )
  const isCued = (field: Field): field is CuedField => Object.hasOwn(cues, field)
  const candidatesFor = (field: Field) => {
    const texts = [
      ...(values.get(field) ?? []).flatMap(([, each]) => each),
      ...(isCued(field) ? answersFor(field, readable, names) : [])
    ].filter((text) => text !== "" && text.length <= maxSentenceLength && !styleName.test(text))
    // "Wash | €12" is the row "Wash, €12".
    const unlike = Map.groupBy(texts, (text) => text.replace(/[^\p{L}\p{N}]/gu, ""))
    return [...unlike.values()]
      .flatMap(([text]) => text ?? [])
      .slice(0, field === "core_products" ? maxProducts : maxCandidates)
  }
  return [...new Set([...cuedFields, ...values.keys()])]
    .filter((field) => !has(field))
    .map((field) => ({ field, candidates: candidatesFor(field) }))
}
