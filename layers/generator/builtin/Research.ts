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
import { maxItems } from "#layers/generator/playbook/SellingPoints.ts"
import { departmentsOfTitles } from "#layers/generator/playbook/PersonaGroups.ts"
import {
  departmentWordCount,
  relatedDepartments,
  sharedWordCount
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
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

const questionSection = (questions: ReadonlyArray<OpenQuestion>) =>
  renderSection(
    questionsHeading,
    questions.length === 0
      ? "The profile answers all of the questions that this page asks."
      : renderBullets(questions.map(questionLine))
  )

/** A kind of client on one line: its name with its stated size, revenue and place. */
const kindLine = ({ annual_revenue, company_size, geographic_location, segment_name }: Segment): string => {
  const revenue = annual_revenue === "" ? "" : `revenue ${annual_revenue}`
  const properties = [company_size, revenue, geographic_location].filter(
    (text) => text !== "" && !segment_name.includes(text) && text !== placeIn(segment_name)
  )
  return properties.length === 0 ? segment_name : `**${segment_name}:** ${properties.join("; ")}`
}

export const marketResearch = (profile: Details): string => {
  const skipRepeated = skipRepeatedSentences()
  const clients = clientNamesIn(profile.case_studies)
  const { entries } = complaints(profile)
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
        entries.flatMap(({ about, text }) =>
          skipRepeated([text]).map((sentence) => `**${capitalizeFirst(joinWithAnd(about)) || "Others"}:** ${sentence}`)
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
const matchProblems = function* (
  profile: Details,
  audience: Segment,
  titles: ReadonlyArray<string>
): Turns<ReadonlyArray<MatchedProblem>> {
  const segment = `${audience.segment_name} ${audience.industry_vertical} ${audience.additional_details ?? ""}`
  const proofs = (profile.case_studies ?? []).slice(0, maxItems).map((text) => ({ text, kind: "case" as const }))
  // "It shows up only as a bill" is unclear without the sentence before.
  const problems = skipRepeatedSentences()([
    ...splitPoints(profile.pain_points),
    ...splitPoints(profile.problems_solved)
  ])
    .slice(0, maxItems)
    .filter((text) => !dependsOnContext.test(text))
  const departments = departmentsOfTitles(titles)
  const departmentsByTitle = titles.map((title) => ({ title, departments: departmentsOfTitles([title]) }))
  const candidates: Array<MatchedProblem & { readonly relevance: number }> = []
  for (const problem of problems) {
    yield
    // Of results that share a noun with the problem, those that share the most: one alone may be what every text is about.
    const sharedNounCounts = proofs.map(({ text }) => sharedNounCount(text, problem, profile.industry_vertical))
    const maxCount = Math.max(1, ...sharedNounCounts)
    const relatedProofs = proofs.filter((_, index) => sharedNounCounts[index] === maxCount)
    const concernedTitles = departmentsByTitle
      .filter((one) => problemRelevance(problem, one.departments) > 0)
      .map(({ title }) => title)
    // The head of a business has all of its problems.
    const heads = concernedTitles.length > 0 ? titles.filter(isLeadership) : []
    candidates.push({
      problem,
      titles: titles.filter((title) => concernedTitles.includes(title) || heads.includes(title)),
      proof: rankProofs(relatedProofs, problem, departments)[0]?.text,
      relevance: problemRelevance(problem, departments) + sharedWordCount(problem, segment)
    })
  }
  const relevant = candidates
    .filter(({ proof, relevance }) => relevance > 0 || proof !== undefined)
    .toSorted((a, b) => b.relevance - a.relevance)
  return (relevant.length > 0 ? relevant : candidates).slice(0, relevant.length > 0 ? 5 : 1)
}

const problemNumbers = (
  problems: ReadonlyArray<MatchedProblem>,
  matches: (problem: MatchedProblem) => boolean
): ReadonlyArray<string> => problems.flatMap((problem, index) => (matches(problem) ? [`${index + 1}`] : []))

/** The readers concerned; "all but …" where the others are fewer than half as many. */
const readerNames = (concernedTitles: ReadonlyArray<string>, titles: ReadonlyArray<string>): string => {
  const otherTitles = titles.filter((title) => !concernedTitles.includes(title))
  if (otherTitles.length === 0 && titles.length > 1) return "all of them"
  return otherTitles.length * 2 < concernedTitles.length
    ? `all but ${joinWithAnd(otherTitles)}`
    : joinWithAnd(concernedTitles)
}

/** A problem with its readers and its proof; a proof shown at an earlier problem is referred to by that number. */
const problemLines = (
  problems: ReadonlyArray<MatchedProblem>,
  titles: ReadonlyArray<string>,
  skipRepeated: (texts: ReadonlyArray<string>) => ReadonlyArray<string>
): ReadonlyArray<string> =>
  problems.map(({ problem, proof, titles: concerned }) => {
    const firstIndex = problems.findIndex((other) => other.proof === proof)
    const [shownProof] = proof === undefined ? [] : skipRepeated([proof])
    return [
      `**${withFullStop(problem)}**`,
      ...(concerned.length === 0 ? [] : [`Concerns ${readerNames(concerned, titles)}.`]),
      proof === undefined
        ? "No result of a client is about it."
        : shownProof === undefined
          ? `Its proof is that of problem ${firstIndex + 1}.`
          : `Proof: ${shownProof}`
    ].join(" ")
  })

const audienceQuestions = (
  audience: Segment,
  profile: Details,
  titles: ReadonlyArray<string>,
  problems: ReadonlyArray<MatchedProblem>
): ReadonlyArray<OpenQuestion> => {
  const name = audienceName(audience)
  const clientKinds = kindsOfClients(profile)
  const unprovenNumbers = problemNumbers(problems, ({ proof }) => proof === undefined)
  const unconcernedTitles = titles.filter(
    (title) => !isLeadership(title) && !problems.some((one) => one.titles.includes(title))
  )
  const questions: ReadonlyArray<OpenQuestion | false> = [
    titles.length === 0 && {
      gap: "It is not known who decides.",
      ask: "Which job titles say yes to you, and which ones use what you sell?",
      effect: "Then each of them gets emails about their own work."
    },
    titles.length > 0 &&
      problems.length > 0 &&
      unconcernedTitles.length > 0 && {
        gap: `No problem mentions the work of ${joinWithAnd(unconcernedTitles, "or")}.`,
        ask: "What goes wrong in their week that you put right?",
        effect: "Until then their emails open with the same problem as everyone's."
      },
    unprovenNumbers.length > 0 &&
      (profile.case_studies ?? []).length > 0 && {
        gap: `${unprovenNumbers.length === 1 ? "Problem" : "Problems"} ${joinWithAnd(unprovenNumbers)} ${unprovenNumbers.length === 1 ? "has" : "have"} no result behind ${unprovenNumbers.length === 1 ? "it" : "them"}.`,
        ask: `Which client got rid of ${unprovenNumbers.length === 1 ? "it" : "them"}, and what changed?`,
        effect: "Emails that open with such a problem could then prove that you solve it."
      },
    clientKinds.length > 1 &&
      clientKinds.some(({ segment_name }) => segment_name === audience.segment_name) && {
        gap: `The profile names ${clientKinds.length} kinds of clients and says the same of all.`,
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
  return questions.filter((question) => question !== false)
}

/** The offer closest to the problems or the readers; undefined if none is related. */
const findRelatedOffer = (profile: Details, titles: ReadonlyArray<string>, problems: ReadonlyArray<MatchedProblem>) => {
  const scoredOffers = (profile.lead_magnets ?? []).map((text) => {
    const overlaps = problems.map(({ problem }) => sharedWordCount(text, problem))
    const maxCount = Math.max(0, ...overlaps)
    return {
      text,
      at: overlaps.indexOf(maxCount),
      most: maxCount,
      score: maxCount + 2 * departmentWordCount(text, departmentsOfTitles(titles))
    }
  })
  const [best] = scoredOffers.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  if (best === undefined) return undefined
  return renderBullets([best.most > 0 ? `${best.text} (nearest to problem ${best.at + 1})` : best.text])
}

/** The segment without what its own description, which stands below, states in the same words. */
const removeStatedFacts = (audience: Segment): Segment => {
  const statedText = (audience.additional_details ?? "").toLowerCase()
  const removeStated = (text: string) => (statedText.includes(text.toLowerCase()) ? "" : text)
  return {
    ...audience,
    industry_vertical: removeStated(audience.industry_vertical),
    company_size: removeStated(audience.company_size),
    annual_revenue: removeStated(audience.annual_revenue),
    geographic_location: removeStated(audience.geographic_location)
  }
}

/** Like `audienceResearch`, and pauses after each problem, because a long profile takes long. */
export const audienceResearchInTurns = function* (profile: Details, audience: Segment): Turns<string> {
  const segmentTitles = decisionMakers(audience)
  const allTitles = segmentTitles.length > 0 ? segmentTitles : extractJobTitles(profile.target_job_titles)
  const titles = allTitles.slice(0, maxItems)
  const problems = yield* matchProblems(profile, audience, titles)
  yield
  const skipRepeated = skipRepeatedSentences()
  skipRepeated(problems.map(({ problem }) => problem))
  const lines = problemLines(problems, titles, skipRepeated)
  return renderDocument(
    audienceName(audience),
    renderSection(
      "Who they are",
      segmentFacts(removeStatedFacts(audience)),
      renderBullets(skipRepeated(splitPoints(audience.additional_details)))
    ),
    renderSection(
      "Their problems, and what proves that you solve them",
      lines.map((line, index) => `${index + 1}. ${line}`).join("\n")
    ),
    renderSection("What to offer first", findRelatedOffer(profile, titles, problems)),
    questionSection(audienceQuestions(audience, profile, titles, problems))
  )
}

export const audienceResearch = (profile: Details, audience: Segment): string =>
  runAtOnce(audienceResearchInTurns(profile, audience))
