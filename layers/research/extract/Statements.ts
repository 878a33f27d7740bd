// layers/research/extract/Statements.ts: sentences of a company's own text whose words leave no doubt which field they answer.
import { extractJobTitles, holderNoun } from "#layers/generator/JobTitles.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import {
  changePattern,
  type Fact,
  factOf,
  figurePattern,
  maxStoryLength,
  remedy
} from "#layers/research/extract/Labelled.ts"
import { type Field, headingTopic, parseLabelled, type Topic } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { splitParagraph } from "#layers/text/Words.ts"

interface Statement {
  readonly field: Field
  readonly words: RegExp
  /** Sections of other fields that hold such sentences too. */
  readonly also?: ReadonlyArray<Topic>
}

/** Words by which a sentence says something else, or of another time, or only under a condition. */
const notNow =
  /\b(?:not|never|no longer|used to|would|hope|plan|until|expired|pending|applied)\b|n['’]t\b|[?"“”„«»]|\.\.\.$/i

const statements: ReadonlyArray<Statement> = [
  { field: "business_description", words: /^We help \p{Ll}[^,:;]{5,120} to? ?\p{Ll}/u },
  {
    field: "ideal_client_description",
    // A list of names is one of clients, and not of kinds of them.
    words:
      /^(?:Our (?:typical |usual |best )?(?:customers|clients) are|We (?:mostly |mainly |usually )?(?:sell to|serve|work (?:with|for)|supply)) (?!you|them|all |every)\p{Ll}[^:;]{10,}/u,
    also: ["business_description", "target_job_titles"]
  },
  {
    field: "unique_differentiators",
    words: /^Unlike (?!them\b|th[ei]s|those|that)\p{L}[^,]{2,50}, (?:we|our\p{L}*|every|each)\b/u,
    also: ["competitors"]
  },
  {
    field: "credibility_markers",
    words:
      /^(?:(?:We|Wir|Nous|\p{Lu}\S+) (?:are|is|have been|has been|sind|sommes|est) (?=.*(?:\bISO\b|certified|accredited|member of|zertifiziert|certifié))|(?:Founded|Established|Gegründet|Fondée?|Trading|In business) (?:in |since |seit |en |depuis )?(?:1[89]|20)\d\d|(?:[\p{Lu}\d][\p{L}\p{N}:/-]* ){1,3}(?:approved|certified|accredited|registered|zertifiziert)\.|Certifié\p{L}* \p{Lu})/u,
    also: ["business_description", "contact", "faq"]
  },
  {
    field: "solution_triggers",
    words:
      /^(?:Most|Our|\p{Lu}\p{L}+) (?:[\p{L}-]+ )?(?:owners|clients|customers|companies|firms|people|managers) (?:come to|call|ring|contact) us (?:after|when|before|as soon as) /u,
    also: ["faq", "business_description"]
  },
  {
    field: "lead_magnets",
    words:
      /^(?:You can try (?:us|it) free|Your first .{3,60} (?:costs? nothing|(?:is|are) free)|(?:Dégustation|Essai|Probe\p{L}*) (?:gratuite?|kostenlos) )/u
  }
]

/** A condition and what the business then does for the client: "If a seam opens, we mend it free of charge." */
const promise = /^(?:If|Falls|Wenn|Si) .{8,}[, ](?:we|wir|nous|you|the|it|is|are)\b/u

/** A client that begins a sentence, in at least two words: "Huta Wolbrom cut unplanned stops from 19 to 4 a year." */
const clientResult =
  /^\p{Lu}[\p{L}\p{M}'’-]+(?: (?:&|and|of|\p{Lu}[\p{L}\p{M}'’.-]*)){1,5}(?:, [^:.]{3,40})?(?::? [^.:]{0,80}\b(?:cut|reduced|fell|dropped|down|went|recovered|saved|lowered)\b|: )/u
const fromTo = /\bfrom [^.]{0,12}\d[^.]* to [^.]{0,12}\d|\bby \d+ ?(?:%|per ?cent)/i

const wordsIn = (name: string) => name.split(/[\s-]+/)[0]?.toLowerCase() ?? ""

const isClientResult = (text: string, company: string): boolean =>
  clientResult.test(text) &&
  fromTo.test(text) &&
  figurePattern.test(text) &&
  changePattern.test(text) &&
  wordsIn(text) !== wordsIn(company)

/** The titles at the beginning of a text, up to what these people work at: "Store owners and area managers with 2 to 25 shops." */
const leadingTitles = (text: string): string | undefined => {
  const [head = ""] = text.split(
    /[.;]| (?:with|at|in|who|that|from|mit|ab|bei|usually|call|bring) | d['’](?=\p{Ll}+s )/u
  )
  const all = head.split(/,\s+|\s+(?:and|or|und|oder|et|ou|&)\s+/)
  const areTitles = all.every(
    (part) => part.split(" ").length <= 4 && holderNoun.test(part) && !/\d|operators$/.test(part)
  )
  return areTitles && /^\p{Lu}/u.test(head) ? all.join(", ") : undefined
}

const titlesOf = (sentence: string, { topic, kind }: Block): string | undefined => {
  if (topic === "target_job_titles" && kind !== "heading") return leadingTitles(sentence)
  return /^(?:(?:Our |The )?(?:typical |usual )?buyers are|We (?:usually |mostly )?(?:talk|speak|sell) to) /iu.test(
    sentence
  )
    ? extractJobTitles(sentence)
        .map((title) => title.replace(/ (?:first|mostly|usually|too|only)$/u, ""))
        .join(", ") || undefined
    : undefined
}

/** Fields whose sentences may end in what clients or others do not do. */
const mayDeny: ReadonlySet<Field> = new Set(["ideal_client_description", "unique_differentiators"] as const)

const factsInSentence = (text: string, block: Block, company: string): ReadonlyArray<Fact> => {
  if (isClientResult(text, company) && block.topic !== "competitors") return [factOf("case_studies", text, block)]
  const titles = titlesOf(text, block)
  const isOf = ({ also, field, words }: Statement) =>
    (block.topic === undefined || block.topic === field || also?.includes(block.topic) === true) && words.test(text)
  const isPromise =
    promise.test(text) && remedy.test(text) && (block.topic === undefined || block.topic === "unique_differentiators")
  // "Practices where one patient in twenty does not speak English" are clients all the same.
  const said = (field: Field) => (mayDeny.has(field) ? text.slice(0, 40) : text)
  const [found] = statements.filter((each) => !notNow.test(said(each.field)) && isOf(each))
  return [
    ...(titles === undefined ? [] : [factOf("target_job_titles", titles, block)]),
    ...(isPromise ? [factOf("guarantee", text, block)] : []),
    ...(found === undefined ? [] : [factOf(found.field, text, block)])
  ]
}

/** Every such sentence of a company's own prose, whole. */
export const statementsIn = (own: ReadonlyArray<Block>, company: string): ReadonlyArray<Fact> =>
  own.flatMap((block) => {
    const isProse = block.kind === "paragraph" || block.kind === "point"
    if (!isProse || (isThirdParty(block) && block.topic !== "competitors")) return []
    const all = splitParagraph(block.text).slice(parseLabelled(block.text) === undefined ? 0 : 1)
    return all
      .filter((text) => block.topic !== "competitors" || text.startsWith("Unlike "))
      .filter(
        (text) =>
          (/[.!]$/.test(text) || block.topic === "target_job_titles") &&
          text.length <= maxStoryLength &&
          isComplete(text) &&
          headingTopic(text) === undefined
      )
      .flatMap((text) => factsInSentence(text, block, company))
  })
