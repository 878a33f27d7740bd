// layers/generator/builtin/OpenQuestions.ts: questions to the owner about gaps in a profile, each with its effect on the
// emails.
import { clientsOf } from "#layers/generator/builtin/Clients.ts"
import { namedClients } from "#layers/generator/routing/KnownCompanies.ts"
import { content, words } from "#layers/text/Words.ts"
import { itemsOf } from "#layers/text/Sentences.ts"
import { names, points } from "#layers/text/Markdown.ts"
import type { Details } from "#schema/Details.ts"

export interface OpenQuestion {
  /** The gap, as a sentence. */
  readonly gap: string
  readonly ask: string
  /** The effect of the answer on the emails. */
  readonly effect: string
}

export const questionLine = ({ ask, effect, gap }: OpenQuestion): string => `**${gap}** ${ask} ${effect}`

const says = (text: string | null | undefined): boolean => /[\p{L}\p{N}]/u.test(text ?? "")
const sayings = (texts: ReadonlyArray<string> | null): ReadonlyArray<string> => (texts ?? []).filter(says)

/** "A", "A and B", "A, B and C". */
export const joined = (items: ReadonlyArray<string>, by = "and"): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${by} ${items.at(-1)}`

/** A figure, or a number as a word; "one" does not count. */
const counts =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|halved|double|doubled|twice|third|quarter)\b/i

/** Praise that any business could claim. */
const vague =
  /\b(?:(?:high(?:est)?|best|top|great|good|excellent) (?:quality|prices?|service|support)|best[- ]in[- ]class|world[- ]class|state[- ]of[- ]the[- ]art|cutting[- ]edge|leading|innovative|passionate|experienced|professional|reliable|trusted|excellent|friendly|flexible|affordable|competitive|dedicated|attention to detail|customer[- ]focused|tailor[- ]made|one[- ]stop|award[- ]winning)\b/gi

const vaguePraise = (profile: Details): ReadonlyArray<string> => {
  const texts = [...itemsOf(profile.unique_differentiators), ...sayings(profile.credibility_markers)]
  const found = texts.filter((text) => !counts.test(text)).flatMap((text) => text.match(vague) ?? [])
  return [...new Map(found.map((word) => [word.toLowerCase(), `“${word.toLowerCase()}”`])).values()].slice(0, 4)
}

const key = (text: string) => content(words(text.toLowerCase()))

/** Each complaint about competitors, with the competitors that it names. */
export const complaints = ({ competitor_frustrations, competitors }: Details) => {
  const rivals = names(competitors).filter(says)
  const found = points(competitor_frustrations).map((text) => ({
    text,
    about: rivals.filter((rival) => key(rival).intersection(key(text)).size > 0)
  }))
  const covered = new Set(found.flatMap(({ about }) => about))
  // The alternative of doing nothing has no customers who could complain.
  const isNothing = (rival: string) => /\bnothing\b|\bstatus quo\b/i.test(rival)
  return { found, silent: rivals.filter((rival) => !covered.has(rival) && !isNothing(rival)) }
}

/** Gaps in what is sold and how it is proved. */
const offerGaps = (profile: Details): ReadonlyArray<OpenQuestion | false> => {
  const cases = sayings(profile.case_studies)
  const uncounted = cases.filter((text) => !counts.test(text))
  const clients = namedClients(uncounted)
  const praise = vaguePraise(profile)
  return [
    !says(profile.business_description) && {
      gap: "What you sell is not said.",
      ask: "What do you sell, in one sentence that a stranger understands?",
      effect: "Each first email needs that sentence."
    },
    !says(profile.pain_points) &&
      !says(profile.problems_solved) && {
        gap: "No problem of your clients is named.",
        ask: "What do clients complain of before they buy, in their words?",
        effect: "Then an email opens with the reader's problem instead of your product."
      },
    cases.length === 0 && {
      gap: "There is no result of a client.",
      ask: "Which client's result may you name?",
      effect: "Then each email can carry proof instead of a promise."
    },
    uncounted.length > 0 && {
      gap:
        clients.length > 0
          ? `There is no number in what you say of ${joined(clients)}.`
          : cases.length === 1
            ? "Your result has no number."
            : `${uncounted.length === cases.length ? "None" : "Not all"} of your results have a number.`,
      ask: "What was counted before and after: days, money, faults?",
      effect: "Readers believe a number before they believe praise."
    },
    !says(profile.unique_differentiators) && {
      gap: "What sets you apart is not said.",
      ask: "What can a client say of you that no competitor could claim?",
      effect: "Then the promise of the emails is yours alone."
    },
    praise.length > 0 && {
      gap: `Any competitor says ${joined(praise)} too.`,
      ask: "What can be counted or shown instead: a time, a number, a rule that you keep?",
      effect: "A measure makes the promise worth reading."
    }
  ]
}

/** Gaps in what moves a reader to answer. */
const marketGaps = (profile: Details): ReadonlyArray<OpenQuestion | false> => {
  const { silent } = complaints(profile)
  return [
    !says(profile.ideal_client_description) &&
      clientsOf(profile.business_description ?? "") === "" && {
        gap: "It is not said who your clients are.",
        ask: "Who were your best three clients, and how large are they?",
        effect: "Then lists and emails can be made for companies like them."
      },
    !says(profile.competitors) && {
      gap: "No alternative is named.",
      ask: "What do clients compare you with, doing nothing included?",
      effect: "Then an email can name the difference before the reader asks."
    },
    silent.length > 0 && {
      gap: `No complaint about ${joined(silent, "or")} is known.`,
      ask: "What do clients say who used it before?",
      effect: "Then an email can say what you do differently."
    },
    !says(profile.solution_triggers) && {
      gap: "It is not said when clients buy.",
      ask: "What had happened in the month before your last three clients called?",
      effect: "Then you can choose leads, and open emails, by that event."
    },
    !says(profile.objections_and_responses) && {
      gap: "No objection is answered.",
      ask: "What do clients say before they say no, and what do you answer?",
      effect: "Then a later email can answer it first."
    },
    sayings(profile.lead_magnets).length === 0 && {
      gap: "Nothing is named to give before a meeting.",
      ask: "What can you send or do that is useful on its own?",
      effect: "Then the second email offers that instead of a call."
    },
    sayings(profile.guarantee).length === 0 && {
      gap: "No guarantee is stated.",
      ask: "What do you do, in writing, if it does not work?",
      effect: "Then an email can take the risk off the reader."
    }
  ]
}

/** The questions to ask about a profile, the most useful first. */
export const marketQuestions = (profile: Details): ReadonlyArray<OpenQuestion> =>
  [...offerGaps(profile), ...marketGaps(profile)].filter((question) => question !== false)
