// layers/generator/builtin/OpenQuestions.ts: questions to the owner about gaps in a profile, each with its effect on
// the emails.
import { clientsSentence } from "#layers/generator/builtin/ClientDescriptions.ts"
import { namedClients } from "#layers/generator/companies/KnownCompanies.ts"
import { maxItems } from "#layers/generator/playbook/SellingPoints.ts"
import { contentStems, wordTokens } from "#layers/text/Words.ts"
import { splitItems } from "#layers/text/Sentences.ts"
import { splitNames, splitPoints } from "#layers/text/Markdown.ts"
import type { Details } from "#schema/Details.ts"

export interface OpenQuestion {
  /** The gap, as a sentence. */
  readonly gap: string
  readonly ask: string
  /** The effect of the answer on the emails. */
  readonly effect: string
}

export const questionLine = ({ ask, effect, gap }: OpenQuestion): string => `**${gap}** ${ask} ${effect}`

const hasContent = (text: string | null | undefined): boolean => /[\p{L}\p{N}]/u.test(text ?? "")
const nonEmptyTexts = (texts: ReadonlyArray<string> | null): ReadonlyArray<string> => (texts ?? []).filter(hasContent)

/** "A", "A and B", "A, B and C". */
export const joinWithAnd = (items: ReadonlyArray<string>, conjunction = "and"): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1)}`

/** A single word that names a result and no company: "Breakage fell". */
const outcomeNoun =
  /^\p{L}+(?:age|ing|tions?|ments?|ity|ness|ance|time|scrap|waste|rates?|costs?|sales|errors|remakes|calls)$/iu

/** The clients that results name. */
export const clientNamesIn = (texts: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  [...new Set(namedClients(texts))].filter((name) => !outcomeNoun.test(name))

/** A figure, or a number as a word; "one" does not count. */
const countWord =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|halved|double|doubled|twice|third|quarter)\b/i

/** Praise that any business could claim. */
const vagueWords =
  /\b(?:(?:high(?:est)?|best|top|great|good|excellent) (?:quality|prices?|service|support)|best[- ]in[- ]class|world[- ]class|state[- ]of[- ]the[- ]art|cutting[- ]edge|leading|innovative|passionate|experienced|professional|reliable|trusted|excellent|friendly|flexible|affordable|competitive|dedicated|attention to detail|customer[- ]focused|tailor[- ]made|one[- ]stop|award[- ]winning)\b/gi

const vaguePraise = (profile: Details): ReadonlyArray<string> => {
  const texts = [...splitItems(profile.unique_differentiators), ...nonEmptyTexts(profile.credibility_markers)]
  const words = texts.filter((text) => !countWord.test(text)).flatMap((text) => text.match(vagueWords) ?? [])
  return [...new Map(words.map((word) => [word.toLowerCase(), `“${word.toLowerCase()}”`])).values()].slice(0, 4)
}

const stemKey = (text: string) => contentStems(wordTokens(text.toLowerCase()))

/** Each complaint about competitors, with the competitors that it names. */
export const complaints = ({ competitor_frustrations, competitors }: Details) => {
  const rivals = splitNames(competitors).filter(hasContent).slice(0, maxItems)
  const rivalStems = rivals.map((rival) => ({ rival, stems: stemKey(rival) }))
  const entries = splitPoints(competitor_frustrations)
    .slice(0, maxItems)
    .map((text) => {
      const stems = stemKey(text)
      return { text, about: rivalStems.flatMap((one) => (one.stems.isDisjointFrom(stems) ? [] : [one.rival])) }
    })
  const namedRivals = new Set(entries.flatMap(({ about }) => about))
  // The alternative of doing nothing has no customers who could complain.
  const isNothing = (rival: string) => /\bnothing\b|\bstatus quo\b/i.test(rival)
  return { entries, silent: rivals.filter((rival) => !namedRivals.has(rival) && !isNothing(rival)) }
}

/** Gaps in what is sold and how it is proved. */
const offerGaps = (profile: Details): ReadonlyArray<OpenQuestion | false> => {
  const cases = nonEmptyTexts(profile.case_studies)
  const casesWithoutNumber = cases.filter((text) => !countWord.test(text))
  const clients = clientNamesIn(casesWithoutNumber)
  const praise = vaguePraise(profile)
  return [
    !hasContent(profile.business_description) && {
      gap: "Your profile does not say what you sell.",
      ask: "What do you sell, in one sentence that a stranger understands?",
      effect: "Each first email needs that sentence."
    },
    !hasContent(profile.pain_points) &&
      !hasContent(profile.problems_solved) && {
        gap: "Your profile names no problem of your clients.",
        ask: "What do clients complain of before they buy, in their words?",
        effect: "Then an email opens with the reader's problem instead of your product."
      },
    cases.length === 0 && {
      gap: "Your profile has no result of a client.",
      ask: "Which client's result may you name?",
      effect: "Then each email can carry proof instead of a promise."
    },
    casesWithoutNumber.length > 0 && {
      gap:
        clients.length > 0
          ? `There is no number in what you say of ${joinWithAnd(clients)}.`
          : cases.length === 1
            ? "Your result has no number."
            : `${casesWithoutNumber.length === cases.length ? "None" : "Not all"} of your results have a number.`,
      ask: "What was counted before and after: days, money, faults?",
      effect: "Readers believe a number before they believe praise."
    },
    !hasContent(profile.unique_differentiators) && {
      gap: "Your profile does not say what sets you apart.",
      ask: "What can a client say of you that no competitor could claim?",
      effect: "Then the promise of the emails is yours alone."
    },
    praise.length > 0 && {
      gap: `Any competitor says ${joinWithAnd(praise)} too.`,
      ask: "What can be counted or shown instead: a time, a number, a rule that you keep?",
      effect: "A measure makes the promise worth reading."
    }
  ]
}

/** Gaps in what moves a reader to answer. */
const marketGaps = (profile: Details): ReadonlyArray<OpenQuestion | false> => {
  const { silent } = complaints(profile)
  return [
    !hasContent(profile.ideal_client_description) &&
      clientsSentence(profile.business_description ?? "") === "" && {
        gap: "Your profile does not say who your clients are.",
        ask: "Who were your best three clients, and how large are they?",
        effect: "Then lists and emails can be made for companies like them."
      },
    !hasContent(profile.competitors) && {
      gap: "Your profile names no alternative.",
      ask: "What do clients compare you with, doing nothing included?",
      effect: "Then an email can name the difference before the reader asks."
    },
    silent.length > 0 && {
      gap: `No complaint about ${joinWithAnd(silent, "or")} is known.`,
      ask: `What do clients say who used ${silent.length === 1 ? "it" : "them"} before?`,
      effect: "Then an email can say what you do differently."
    },
    !hasContent(profile.solution_triggers) && {
      gap: "Your profile does not say when clients buy.",
      ask: "What had happened in the month before your last three clients called?",
      effect: "Then you can choose leads, and open emails, by that event."
    },
    !hasContent(profile.objections_and_responses) && {
      gap: "No objection is answered.",
      ask: "What do clients say before they say no, and what do you answer?",
      effect: "Then a later email can answer it first."
    },
    nonEmptyTexts(profile.lead_magnets).length === 0 && {
      gap: "Nothing is named to give before a meeting.",
      ask: "What can you send or do that is useful on its own?",
      effect: "Then the second email offers that instead of a call."
    },
    nonEmptyTexts(profile.guarantee).length === 0 && {
      gap: "No guarantee is stated.",
      ask: "What do you do, in writing, if it does not work?",
      effect: "Then an email can take the risk off the reader."
    }
  ]
}

/** Maximum number of questions; more would read like a form, and the company summary lists every gap. */
const maxQuestions = 5

/** The questions to ask about a profile, the most useful first. */
export const openMarketQuestions = (profile: Details): ReadonlyArray<OpenQuestion> =>
  [...offerGaps(profile), ...marketGaps(profile)].filter((question) => question !== false).slice(0, maxQuestions)
