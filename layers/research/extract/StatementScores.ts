// layers/research/extract/StatementScores.ts: finds the statements that most likely answer a detail field.
import { titleNoun } from "#layers/generator/JobTitles.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { mailboxesIn, phonesIn } from "#layers/research/extract/Contacts.ts"
import { countWords, namesField, type WordedField, wordedFields } from "#layers/research/extract/FieldWords.ts"
import { type Field, headingTopic } from "#layers/research/extract/Labels.ts"
import { peopleNamedIn, toMixedCase } from "#layers/research/extract/Names.ts"
import {
  countedTopic,
  failureQuestion,
  freeWord,
  invitationStart,
  isPromise,
  isReadable,
  ownCondition,
  type Statement
} from "#layers/research/extract/Statements.ts"
import { classifyShape, isAboutPast } from "#layers/text/Sentences.ts"
import { splitParagraph } from "#layers/text/Words.ts"

export const figurePattern = /\d|\b(?:half|halved|doubled|tripled|twice|a third)\b/iu
const anyTitleNoun = new RegExp(
  `${titleNoun.source}|(?<!\\p{L})(?:gerentes?|jef[ea]s?|director[ae]s?|dueñ[oa]s?|encargad[oa]s?|patrons?|\\p{L}*beauftragte\\p{L}*|\\p{L}*leit(?:ung|er(?:in)?)|\\p{L}*techniker|compras|recursos humanos|HR|RH|H&S)(?!\\p{L})`,
  "iu"
)
/** Without these even a sentence under the right heading is no answer. */
const requiredPatterns: Partial<Record<WordedField, RegExp>> = {
  target_job_titles: anyTitleNoun,
  // A price is no result, nor is a promise.
  case_studies: new RegExp(
    `^(?!if\\b)(?!(?:\\S+ ){1,4}from \\d\\S* (?:a|an|per) \\p{L}+$).*(?:${figurePattern.source})`,
    "isu"
  ),
  client_transformation: figurePattern,
  core_products: /\d/,
  // Where two firms are compared, one of them has a name.
  competitors: /^(?!.*\b(?:(?:never|not)\b(?! like)|than \d)).*[^\s.“"] \p{Lu}\p{L}|^\p{Lu}\p{L}+,/u
}

/** Fields about other companies, which a text about a client or a competitor may answer. */
const thirdPartyFields: ReadonlySet<Field> = new Set([
  "ideal_client_description",
  "target_job_titles",
  "case_studies",
  "competitors",
  "competitor_frustrations",
  "client_transformation"
] as const)
/** A sentence about the one before it says nothing alone. */
const dependentStart =
  /^(?:that|this|these|those|it|they|he|she|elles?|ils?|voilà|er|each one|both|both of|no(?! one)|yes)\b/i

/** Fields whose answers are sentences: a name under their heading is none. */
const sentenceFields: ReadonlySet<Field> = new Set([
  "guarantee",
  "lead_magnets",
  "case_studies",
  "business_description"
] as const)

/** Fields that clients and objectors are quoted for. */
const quotedFields: ReadonlySet<Field> = new Set(["pain_points", "objections_and_responses"] as const)

/** Matches a sentence in which a business says what it does. */
const ownVerb =
  /^(?:(?:We|Wir|Nous|At [^,]{2,40}, we) (?!are\b|sind\b|sommes\b|talk|deal)\p{Ll}|\p{Lu}\p{Ll}+mos |(?:\p{Lu}[\p{L}&.’'-]*,? ){1,5}(?:is|ist|est|es|\p{Ll}{3,}[st]) )/u
/** The beginning of a condition, or of a sentence about clients. */
const otherSubject = /^(?:(?:if|wenn|si|falls)(?!\p{L})|we (?:sell to|serve|work (?:for|with)|talk to))/iu
/** Words of a sentence about the past. */
const pastTense = /\b(?:was|were|began|founded|started|opened|set up|gegründet|wurden?|fondée?|fundad[ao])\b/iu

/** What was, outside a list of problems, is the past of one client: "Fuel use had crept up 11%." */
export const isOneCase = (text: string, { kind, under }: Block, isInSection = false): boolean => {
  const isListed = (kind === "point" || kind === "row") && isInSection && !/\d/.test(text)
  return isAboutPast(text) && (!isListed || under.some((heading) => headingTopic(heading) === "case_studies"))
}

/** A result with the client's name in it: "At Clun Valley we put 430 volumes back in use." */
const isClientStory = (text: string) =>
  /\d/.test(text) &&
  nameInSentence.test(text) &&
  !historyVerb.test(text) &&
  (/^(?:At|For) [^,]{2,60} we (?:cut|put|set)\b/.test(text) || isAboutPast(text))
const nameInSentence =
  /(?<=\p{L} )(?!(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:\p{Ll}*)\b)\p{Lu}\p{Ll}/u
const historyVerb =
  /\b(?:began|born|bound|founded|grew up|had \p{L}+|joined|opened|quoted|retired|said|set up|started|told|took over)\b/iu

/** The client whose result stands in another cell of a row: "Thornby Pickles | bill cut by 31%". */
const clientOfRow = ({ block, text }: Statement): string => {
  const [firstCell = "", ...otherCells] = block.cells.filter((cell) => cell !== "")
  const topic = headingTopic(block.columns[0] ?? "")
  const isName =
    /^\p{Lu}[^.:?]*(?:\b(?:Co|Inc|Ltd)\.)?$/u.test(firstCell) &&
    firstCell.split(" ").length <= 8 &&
    headingTopic(firstCell) === undefined &&
    (topic === undefined || topic === "ideal_client_description" || topic === "case_studies")
  // One figure says little where the next cell has another: "9 h a week | 1 h".
  const [result = "", ...otherResults] = otherCells.filter((cell) => figurePattern.test(cell))
  const isTable = block.columns.some((column) => column !== "") && block.topic !== "core_products"
  return (isTable || block.topic === "case_studies") && isName && otherResults.length === 0 && result.includes(text)
    ? firstCell
    : ""
}

/** Longest name of a client in a heading, in characters. */
const maxHeading = 60
const noClientHeading =
  /[.:?!](?: |$)|\((?:name|client)|^(?:how|what|why)\b|(?<!\p{L})(?:cases?|clients?|customers?|ergebnisse|examples?|facts|figures|kunden|numbers|outcomes?|proof|results?|safety|savings|stor(?:y|ies)|stud(?:y|ies)|success(?:es)?)(?!\p{L})/iu

/** The client that the heading of a result names: "Quayside Retail Park", "A harbour trust in the north east". */
const clientOfHeading = ({ block, label, text }: Statement, names: ReadonlyArray<string>): string => {
  const heading = block.under.at(-1) ?? ""
  const [firstWord = ""] = heading.toLowerCase().split(" ")
  const isOwn = names.some((name) => heading.toLowerCase().startsWith(name.toLowerCase()))
  const isName =
    heading.length <= maxHeading &&
    headingTopic(heading) === undefined &&
    !noClientHeading.test(heading) &&
    /^(?:An? \p{Ll}|.*\p{Lu}\p{L}\S* (?:\S+ )?\p{Lu}\p{L})/u.test(heading)
  const isLabelled = namesField("case_studies", label)
  const isOfResults =
    isLabelled ||
    (label === "" && block.topic === "case_studies") ||
    // On slides a client stands in capitals above its result.
    (label === "" &&
      block.topic === undefined &&
      block.under.length > 1 &&
      !/\p{Ll}/u.test(heading) &&
      countWords("case_studies", text) > 0)
  return block.kind !== "row" &&
    !isOwn &&
    isName &&
    isOfResults &&
    (firstWord.length < 3 || !text.toLowerCase().includes(firstWord))
    ? toMixedCase(heading, [block])
    : ""
}

/** "Ask for a sample" is a button, and "The first box" is no offer without "Anything free?". */
const isNoGift = ({ context, text }: Statement): boolean =>
  !freeWord.test(text) &&
  ((text.split(" ").length < 6 && invitationStart.test(text)) || context.some((each) => each.endsWith("?")))

/** What a statement and its place say about a field. */
const cluesFor = (field: WordedField, statement: Statement, names: ReadonlyArray<string>) => {
  const { block, context, label, text } = statement
  const isOfCompany = names.some((name) => text.toLowerCase().startsWith(`${name.toLowerCase()} `))
  const isResult = /\d/.test(text) && countWords("case_studies", text) > 1
  const isCase = field === "case_studies"
  return {
    length: text.split(" ").length,
    isLabelled: namesField(field, label),
    isInSection:
      block.topic === field ||
      context.some((each) => namesField(field, each)) ||
      // Under this heading stand kinds of clients as often as results.
      (field === "ideal_client_description" && /^(?:our )?(?:clients|customers)$/i.test(block.under.at(-1) ?? "")),
    isOfCompany,
    isResult,
    isOfThirdParty: isThirdParty(block) && !thirdPartyFields.has(field),
    isRowOfClient: isCase && clientOfRow(statement) !== "",
    isStory: isCase && !isOfCompany && isClientStory(text),
    statesPromise: isPromise(text)
  }
}
type Clues = ReturnType<typeof cluesFor>

/** Whether a statement is no problem of many clients: what the business does, a price or an announcement. */
const isNoProblem = ({ text }: Statement, { isInSection, isLabelled, isOfCompany, length }: Clues): boolean =>
  length < 2 ||
  isOfCompany ||
  countedTopic.test(text) ||
  /^(?:from )?[€£$]/.test(text) ||
  (!isInSection && !isLabelled && /^we\b/i.test(text))

/** Whether a statement cannot say what a business does: that is a sentence, or says for whom. */
const isNoDescription = ({ text }: Statement, { isLabelled, isResult, length }: Clues): boolean =>
  isResult ||
  otherSubject.test(text) ||
  / · .* · /.test(text) ||
  (!isLabelled &&
    (length < 5 || !(/[.!]["”]?$/.test(text) || ownVerb.test(text) || / (?:for|für|pour|para) \p{L}/u.test(text))))

/** Rules of single fields by which a statement is no answer. */
const noAnswer: Partial<Record<WordedField, (statement: Statement, clues: Clues) => boolean>> = {
  target_job_titles: ({ text }) => peopleNamedIn(text).some(({ title }) => title !== ""),
  lead_magnets: (statement, { statesPromise }) => isNoGift(statement) || statesPromise,
  pain_points: (statement, clues) => clues.statesPromise || isNoProblem(statement, clues),
  problems_solved: isNoProblem,
  // "Client: Oak Ltd" names one client, and no kind of them.
  ideal_client_description: ({ label, sentence }) =>
    /^(?:client|customer|kunde|cliente?)$/i.test(label) || /^(?:not|no)\b/i.test(sentence),
  business_description: isNoDescription,
  // No rival is called as the business is.
  competitors: ({ text }, { isOfCompany }) => isOfCompany && !/\b(?:unlike|than|instead)\b/i.test(text)
}

/** Whether a statement is no answer, whatever its words. */
const isRuledOut = (field: WordedField, statement: Statement, clues: Clues): boolean => {
  const { block, text } = statement
  const { isInSection, isLabelled, isOfThirdParty, isRowOfClient, length } = clues
  const isFounding = field === "credibility_markers" && /^\p{Lu}\p{L}+ (?:19|20)\d\d\.?$/u.test(text)
  return (
    // A cell says nothing without its columns.
    (block.kind === "row" && !isRowOfClient && sentenceFields.has(field) && length < 6 && !/[.!]$/.test(text)) ||
    requiredPatterns[field]?.test(text) === false ||
    mailboxesIn(text).length > 0 ||
    phonesIn(text).length > 0 ||
    (!(isLabelled || isRowOfClient || (isInSection && field === "target_job_titles")) && dependentStart.test(text)) ||
    (length < 3 && !isFounding && (!(isLabelled || block.topic === field) || sentenceFields.has(field))) ||
    (isOfThirdParty && /^[>"“„«]/.test(block.text) && !(isInSection && quotedFields.has(field))) ||
    noAnswer[field]?.(statement, clues) === true
  )
}

/** How likely a statement answers a field, by its words and those before and above it. */
const scoreField = (field: WordedField, statement: Statement, names: ReadonlyArray<string>): number => {
  const { blockIndex, block, sentence, text } = statement
  const clues = cluesFor(field, statement, names)
  if (isRuledOut(field, statement, clues)) return 0
  const { isInSection, isLabelled } = clues
  const isIntroduction = field === "business_description" && block.kind === "paragraph" && clues.length > 4
  const isNamed = isIntroduction && clues.isOfCompany
  const isInOtherSection =
    clues.isOfThirdParty || (!isLabelled && !isInSection && block.topic !== undefined && block.topic !== "faq")
  const points =
    (isLabelled ? 4 : 0) +
    (clues.statesPromise && field === "guarantee" ? 6 : 0) +
    (clues.isRowOfClient ? 3 : clues.isStory ? 2 : 0) +
    (isInSection ? 3 : 0) +
    // What goes wrong in "Lost a pallet? We pay its value." is not what it promises.
    Math.min(2, countWords(field, sentence.replace(/^\P{P}{1,50}\? /u, ""))) +
    (isNamed ? 6 : isIntroduction && ownVerb.test(text) ? 2 : 0) +
    (isIntroduction && block.topic === undefined ? Math.max(0, 2 - blockIndex / 4) : 0) -
    // Under a heading of problems stands nothing that a business promises.
    (isInOtherSection ? (block.topic === "pain_points" ? 2 : 0.5) : 0)
  const isProblem = field === "pain_points" || field === "problems_solved"
  // Last, because it parses the text.
  if (isProblem && points > 0 && isOneCase(text, block, isInSection)) return 0
  return isIntroduction && pastTense.test(text) ? points - 3 : points
}

interface ScoredStatement extends Statement {
  /** The client in the heading of a result. */
  readonly client: string
  readonly points: ReadonlyMap<WordedField, number>
  /** The points of the field that it answers best. */
  readonly bestPoints: number
}

export const scoreStatement = (statement: Statement, names: ReadonlyArray<string>): ScoredStatement => {
  const points = new Map(wordedFields.map((field) => [field, scoreField(field, statement, names)]))
  // Nearly any sentence gets points for what a business does, and those must not keep it from its own field.
  const bestPoints = Math.max(...[...points].map(([field, each]) => (field === "business_description" ? 0 : each)))
  return { ...statement, client: clientOfHeading(statement, names), points, bestPoints }
}

/** "Want to see for yourself? We measure every tank free of charge": the email that offers it asks a question of its own. */
const idleQuestion = /^(?:want|would you like|like|curious|fancy|not sure|unsure|ready)\b[^.?!]{2,60}\?\s+(?=\p{Lu})/iu

/** What is free, before its colon: "Free asset list: send photos of your kit". */
export const freeOffer = /^(?:free|gratis|gratuite?|kostenlose?s?)(?!\p{L})(?! (?:offer|thing|resource|trial)s?$)/iu

/** A statement answers a field if it has fewer than this many points less than for its best field. */
const maxPointsBehind = 3

/** Statements that may answer a field, the likeliest first, without a label that only names the field. */
export const answersFor = (field: WordedField, statements: ReadonlyArray<ScoredStatement>): ReadonlyArray<string> => {
  const pointsOf = ({ points }: ScoredStatement) => points.get(field) ?? 0
  const bestPoints = Math.max(0, ...statements.map(pointsOf))
  return statements
    .filter(
      (each) =>
        pointsOf(each) > bestPoints / 2 &&
        pointsOf(each) > each.bestPoints - (field === "business_description" ? 2 : maxPointsBehind)
    )
    .toSorted((a, b) => pointsOf(b) - pointsOf(a))
    .map((statement) => {
      const { block, label, question, sentence, text } = statement
      if (field === "lead_magnets" && idleQuestion.test(text)) return text.replace(idleQuestion, "")
      // What is free may stand in the second sentence: "There is no charge for it."
      const isWholeGift =
        field === "lead_magnets" &&
        block.topic === field &&
        block.kind === "paragraph" &&
        splitParagraph(block.text).length === 2 &&
        freeWord.test(block.text) &&
        !freeWord.test(sentence)
      const isStory =
        field === "case_studies" &&
        block.kind === "paragraph" &&
        !isClientStory(sentence) &&
        isReadable(block.text) &&
        splitParagraph(block.text).every((each) => /[.!]["”]?$/.test(each) && classifyShape(each) === "sentence")
      const client =
        field !== "case_studies" ? "" : clientOfRow(statement) || (isClientStory(sentence) ? "" : statement.client)
      if (client !== "") return `${client}: ${isStory ? block.text : text}`
      const isOwnLabel =
        namesField(field, label) && (!freeOffer.test(label) || freeOffer.test(text)) && !failureQuestion.test(label)
      const answer = isOwnLabel ? text : sentence
      if (isStory || isWholeGift) return block.text
      if (field !== "guarantee") return answer
      const promise = answer.replace(/^[^.!?]{2,80}\? /u, "")
      if (ownCondition.test(promise)) return promise
      return question === "" ? answer : `${question} ${answer}`
    })
}
