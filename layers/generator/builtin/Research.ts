// layers/generator/builtin/Research.ts: conclusions about a market and an audience from a profile, and open questions.
import {
  audienceName,
  decisionMakers,
  factRows,
  segmentFacts,
  marketTitle
} from "#layers/generator/builtin/CompanySummary.ts"
import {
  clientNamesIn,
  complaints,
  joinWithAnd,
  openMarketQuestions,
  type OpenQuestion,
  questionLine
} from "#layers/generator/builtin/OpenQuestions.ts"
import { placeIn } from "#layers/generator/builtin/ClientDescriptions.ts"
import { kindsOfClients } from "#layers/generator/builtin/Segments.ts"
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import { capitalizeFirst, withFullStop } from "#layers/generator/playbook/Frames.ts"
import { dependsOnContext, rankProofs, sharedNounCount } from "#layers/generator/playbook/PersonaMessage.ts"
import { departmentsOfTitles } from "#layers/generator/playbook/PersonaGroups.ts"
import {
  departmentWordCount,
  relatedDepartments,
  sharedWordCount
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import {
  renderDocument,
  renderBullets,
  splitPoints,
  renderSection,
  skipRepeatedSentences
} from "#layers/text/Markdown.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

const questionsHeading = "Questions that would change the emails"

const questionSection = (open: ReadonlyArray<OpenQuestion>) =>
  renderSection(
    questionsHeading,
    open.length === 0
      ? "The profile answers all of the questions that this page asks."
      : renderBullets(open.map(questionLine))
  )

/** A kind of client on one line: its name with its stated size, revenue and place. */
const kindLine = ({ annual_revenue, company_size, geographic_location, segment_name }: Segment): string => {
  const revenue = annual_revenue === "" ? "" : `revenue ${annual_revenue}`
  const stated = [company_size, revenue, geographic_location].filter(
    (text) => text !== "" && !segment_name.includes(text) && text !== placeIn(segment_name)
  )
  return stated.length === 0 ? segment_name : `**${segment_name}:** ${stated.join("; ")}`
}

export const marketResearch = (profile: Details): string => {
  const fresh = skipRepeatedSentences()
  const clients = clientNamesIn(profile.case_studies)
  const { found } = complaints(profile)
  return renderDocument(
    marketTitle(profile),
    renderSection(
      "Who the clients are",
      renderBullets(kindsOfClients(profile).map(kindLine)),
      clients.length === 0 ? undefined : factRows([["Clients named in your results", clients.join(", ")]])
    ),
    renderSection(
      "Where the alternatives fall short",
      renderBullets(
        found.flatMap(({ about, text }) =>
          fresh([text]).map((said) => `**${capitalizeFirst(joinWithAnd(about)) || "Others"}:** ${said}`)
        )
      )
    ),
    questionSection(openMarketQuestions(profile))
  )
}

interface MatchedProblem {
  readonly problem: string
  /** Job titles whose work the problem concerns. */
  readonly titles: ReadonlyArray<string>
  /** The result of a client on the same topic. */
  readonly proof: string | undefined
}

/** How much a problem concerns the work of departments, or of related ones. */
const problemRelevance = (problem: string, departments: ReadonlyArray<Department>) =>
  2 * departmentWordCount(problem, departments) +
  Math.min(1, departmentWordCount(problem, relatedDepartments(departments)))

const isLeadership = (title: string) => departmentsOfTitles([title]).includes("leadership")

/** Problems of these readers' work or segment, or proved by a result, each with its proof; otherwise the first. */
const matchedProblems = (
  profile: Details,
  audience: Segment,
  titles: ReadonlyArray<string>
): ReadonlyArray<MatchedProblem> => {
  const segment = `${audience.segment_name} ${audience.industry_vertical} ${audience.additional_details ?? ""}`
  const proofs = (profile.case_studies ?? []).map((text) => ({ text, kind: "case" as const }))
  // "It shows up only as a bill" is unclear without the sentence before.
  const problems = skipRepeatedSentences()([
    ...splitPoints(profile.pain_points),
    ...splitPoints(profile.problems_solved)
  ]).filter((text) => !dependsOnContext.test(text))
  const all = problems.map((problem) => {
    // Of results that share a noun with the problem, those that share the most: one alone may be what every text is about.
    const sharedNounCounts = proofs.map(({ text }) => sharedNounCount(text, problem, profile.industry_vertical))
    const maxCount = Math.max(1, ...sharedNounCounts)
    const near = proofs.filter((_, index) => sharedNounCounts[index] === maxCount)
    const departments = departmentsOfTitles(titles)
    const concerned = titles.filter((title) => problemRelevance(problem, departmentsOfTitles([title])) > 0)
    // The head of a business has all of its problems.
    const heads = concerned.length > 0 ? titles.filter(isLeadership) : []
    return {
      problem,
      titles: titles.filter((title) => concerned.includes(title) || heads.includes(title)),
      proof: rankProofs(near, problem, departments)[0]?.text,
      relevance: problemRelevance(problem, departments) + sharedWordCount(problem, segment)
    }
  })
  const fitting = all
    .filter(({ proof, relevance }) => relevance > 0 || proof !== undefined)
    .toSorted((a, b) => b.relevance - a.relevance)
  return (fitting.length > 0 ? fitting : all).slice(0, fitting.length > 0 ? 5 : 1)
}

const problemNumbers = (
  matched: ReadonlyArray<MatchedProblem>,
  matches: (problem: MatchedProblem) => boolean
): ReadonlyArray<string> => matched.flatMap((problem, index) => (matches(problem) ? [`${index + 1}`] : []))

/** The readers concerned; "all but …" where the others are fewer than half as many. */
const readerNames = (concerned: ReadonlyArray<string>, all: ReadonlyArray<string>): string => {
  const others = all.filter((title) => !concerned.includes(title))
  if (others.length === 0 && all.length > 1) return "all of them"
  return others.length * 2 < concerned.length ? `all but ${joinWithAnd(others)}` : joinWithAnd(concerned)
}

/** A problem with its readers and its proof; a proof shown at an earlier problem is referred to by that number. */
const problemLines = (
  matched: ReadonlyArray<MatchedProblem>,
  all: ReadonlyArray<string>,
  fresh: (texts: ReadonlyArray<string>) => ReadonlyArray<string>
): ReadonlyArray<string> =>
  matched.map(({ problem, proof, titles: concerned }) => {
    const first = matched.findIndex((other) => other.proof === proof)
    const [shown] = proof === undefined ? [] : fresh([proof])
    return [
      `**${withFullStop(problem)}**`,
      ...(concerned.length === 0 ? [] : [`Concerns ${readerNames(concerned, all)}.`]),
      proof === undefined
        ? "No result of a client is about it."
        : shown === undefined
          ? `Its proof is that of problem ${first + 1}.`
          : `Proof: ${shown}`
    ].join(" ")
  })

const audienceQuestions = (
  audience: Segment,
  profile: Details,
  titles: ReadonlyArray<string>,
  matched: ReadonlyArray<MatchedProblem>
): ReadonlyArray<OpenQuestion> => {
  const name = audienceName(audience)
  const others = kindsOfClients(profile)
  const unproven = problemNumbers(matched, ({ proof }) => proof === undefined)
  const idle = titles.filter((title) => !isLeadership(title) && !matched.some((one) => one.titles.includes(title)))
  const found: ReadonlyArray<OpenQuestion | false> = [
    titles.length === 0 && {
      gap: "It is not known who decides.",
      ask: "Which job titles say yes to you, and which ones use what you sell?",
      effect: "Then each of them gets emails about their own work."
    },
    titles.length > 0 &&
      matched.length > 0 &&
      idle.length > 0 && {
        gap: `No problem mentions the work of ${joinWithAnd(idle, "or")}.`,
        ask: "What goes wrong in their week that you put right?",
        effect: "Until then their emails open with the same problem as everyone's."
      },
    unproven.length > 0 &&
      (profile.case_studies ?? []).length > 0 && {
        gap: `${unproven.length === 1 ? "Problem" : "Problems"} ${joinWithAnd(unproven)} ${unproven.length === 1 ? "has" : "have"} no result behind ${unproven.length === 1 ? "it" : "them"}.`,
        ask: `Which client got rid of ${unproven.length === 1 ? "it" : "them"}, and what changed?`,
        effect: "Emails that open with such a problem could then prove that you solve it."
      },
    others.length > 1 &&
      others.some(({ segment_name }) => segment_name === audience.segment_name) && {
        gap: `The profile names ${others.length} kinds of clients and says the same of all.`,
        ask: `What is worse for ${name} than for the others?`,
        effect: "Without a difference, a campaign of their own says nothing of their own."
      },
    audience.company_size === "" &&
      !/\d/.test(audience.additional_details ?? "") && {
        gap: "Their size is not stated.",
        ask: "From how many people, sites or machines is a company worth a meeting?",
        effect: "Then you can leave out companies that are too small."
      },
    audience.geographic_location === "" && {
      gap: "Their region is not stated.",
      ask: "Where do you serve clients?",
      effect: "Then you can leave out leads that you cannot serve."
    }
  ]
  return found.filter((question) => question !== false)
}

/** The offer closest to the problems or the readers; undefined if none is related. */
const matchingOffer = (profile: Details, titles: ReadonlyArray<string>, matched: ReadonlyArray<MatchedProblem>) => {
  const scored = (profile.lead_magnets ?? []).map((text) => {
    const near = matched.map(({ problem }) => sharedWordCount(text, problem))
    const maxCount = Math.max(0, ...near)
    return {
      text,
      at: near.indexOf(maxCount),
      most: maxCount,
      score: maxCount + 2 * departmentWordCount(text, departmentsOfTitles(titles))
    }
  })
  const [best] = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  if (best === undefined) return undefined
  return renderBullets([best.most > 0 ? `${best.text} (nearest to problem ${best.at + 1})` : best.text])
}

/** The segment without what its own description, which stands below, states in the same words. */
const withoutStatedFacts = (audience: Segment): Segment => {
  const statedText = (audience.additional_details ?? "").toLowerCase()
  const remaining = (text: string) => (statedText.includes(text.toLowerCase()) ? "" : text)
  return {
    ...audience,
    industry_vertical: remaining(audience.industry_vertical),
    company_size: remaining(audience.company_size),
    annual_revenue: remaining(audience.annual_revenue),
    geographic_location: remaining(audience.geographic_location)
  }
}

export const audienceResearch = (profile: Details, audience: Segment): string => {
  const own = decisionMakers(audience)
  const titles = own.length > 0 ? own : extractJobTitles(profile.target_job_titles)
  const matched = matchedProblems(profile, audience, titles)
  const fresh = skipRepeatedSentences()
  fresh(matched.map(({ problem }) => problem))
  const lines = problemLines(matched, titles, fresh)
  return renderDocument(
    audienceName(audience),
    renderSection(
      "Who they are",
      segmentFacts(withoutStatedFacts(audience)),
      renderBullets(fresh(splitPoints(audience.additional_details)))
    ),
    renderSection(
      "Their problems, and what proves that you solve them",
      lines.map((line, index) => `${index + 1}. ${line}`).join("\n")
    ),
    renderSection("What to offer first", matchingOffer(profile, titles, matched)),
    questionSection(audienceQuestions(audience, profile, titles, matched))
  )
}
