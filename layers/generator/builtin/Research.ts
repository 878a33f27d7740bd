// layers/generator/builtin/Research.ts: conclusions about a market and an audience from a profile, and open questions.
import { audienceName, decisionMakers, facts, segmentFacts, titleOf } from "#layers/generator/builtin/Documents.ts"
import {
  complaints,
  joined,
  marketQuestions,
  type OpenQuestion,
  questionLine
} from "#layers/generator/builtin/OpenQuestions.ts"
import { placeIn } from "#layers/generator/builtin/Clients.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { jobTitles } from "#layers/generator/JobTitles.ts"
import { capitalized, stopped } from "#layers/generator/playbook/Frames.ts"
import { leansOn, rankProofs, sharedNouns } from "#layers/generator/playbook/Message.ts"
import { departmentsOf } from "#layers/generator/playbook/Personas.ts"
import { affinity, kinOfAll, shared } from "#layers/generator/playbook/Vocabulary.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { namedClients } from "#layers/generator/routing/KnownCompanies.ts"
import { document, list, points, section, unsaid } from "#layers/text/Markdown.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

const questions = "Questions that would change the emails"

const questionSection = (open: ReadonlyArray<OpenQuestion>) =>
  section(
    questions,
    open.length === 0 ? "The profile answers all of the questions that this page asks." : list(open.map(questionLine))
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
  const fresh = unsaid()
  const clients = [...new Set(namedClients(profile.case_studies))]
  const { found } = complaints(profile)
  return document(
    `The market of ${titleOf(profile)}`,
    section(
      "Who the clients are",
      list(
        segments(profile)
          .filter(({ industry_vertical }) => industry_vertical !== "")
          .map(kindLine)
      ),
      clients.length === 0 ? undefined : facts([["Clients named in your results", clients.join(", ")]])
    ),
    section(
      "Where the alternatives fall short",
      list(
        found.flatMap(({ about, text }) =>
          fresh([text]).map((said) => `**${capitalized(joined(about)) || "Others"}:** ${said}`)
        )
      )
    ),
    questionSection(marketQuestions(profile))
  )
}

interface Matched {
  readonly problem: string
  /** Job titles whose work the problem concerns. */
  readonly titles: ReadonlyArray<string>
  /** The result of a client on the same topic. */
  readonly proof: string | undefined
}

/** How much a problem concerns the work of departments, or of related ones. */
const tieOf = (problem: string, departments: ReadonlyArray<Department>) =>
  2 * affinity(problem, departments) + Math.min(1, affinity(problem, kinOfAll(departments)))

const leads = (title: string) => departmentsOf([title]).includes("leadership")

/** Problems of these readers' work or segment, or proved by a result, each with its proof; otherwise the first. */
const matchedProblems = (
  profile: Details,
  audience: Segment,
  titles: ReadonlyArray<string>
): ReadonlyArray<Matched> => {
  const segment = `${audience.segment_name} ${audience.industry_vertical} ${audience.additional_details ?? ""}`
  const proofs = (profile.case_studies ?? []).map((text) => ({ text, kind: "case" as const }))
  // "It shows up only as a bill" is unclear without the sentence before.
  const problems = unsaid()([...points(profile.pain_points), ...points(profile.problems_solved)]).filter(
    (text) => !leansOn.test(text)
  )
  const all = problems.map((problem) => {
    const near = proofs.filter(({ text }) => sharedNouns(text, problem, profile.industry_vertical) > 0)
    const departments = departmentsOf(titles)
    const concerned = titles.filter((title) => tieOf(problem, departmentsOf([title])) > 0)
    // The head of a business has all of its problems.
    const heads = concerned.length > 0 ? titles.filter(leads) : []
    return {
      problem,
      titles: titles.filter((title) => concerned.includes(title) || heads.includes(title)),
      proof: rankProofs(near, problem, departments)[0]?.text,
      tie: tieOf(problem, departments) + shared(problem, segment)
    }
  })
  const fitting = all.filter(({ proof, tie }) => tie > 0 || proof !== undefined).toSorted((a, b) => b.tie - a.tie)
  return (fitting.length > 0 ? fitting : all).slice(0, fitting.length > 0 ? 5 : 1)
}

const numbersOf = (matched: ReadonlyArray<Matched>, isMeant: (one: Matched) => boolean): ReadonlyArray<string> =>
  matched.flatMap((one, at) => (isMeant(one) ? [`${at + 1}`] : []))

/** The shorter list: the readers concerned, or those who are not. */
const readersOf = (concerned: ReadonlyArray<string>, all: ReadonlyArray<string>): string => {
  const others = all.filter((title) => !concerned.includes(title))
  if (others.length === 0 && all.length > 1) return "all of them"
  return others.length * 2 < concerned.length ? `all but ${joined(others)}` : joined(concerned)
}

/** A problem with its readers and its proof; a proof shown at an earlier problem is referred to by that number. */
const problemLines = (
  matched: ReadonlyArray<Matched>,
  all: ReadonlyArray<string>,
  fresh: (texts: ReadonlyArray<string>) => ReadonlyArray<string>
): ReadonlyArray<string> =>
  matched.map(({ problem, proof, titles: concerned }) => {
    const first = matched.findIndex((other) => other.proof === proof)
    const [shown] = proof === undefined ? [] : fresh([proof])
    return [
      `**${stopped(problem)}**`,
      ...(concerned.length === 0 ? [] : [`Concerns ${readersOf(concerned, all)}.`]),
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
  matched: ReadonlyArray<Matched>
): ReadonlyArray<OpenQuestion> => {
  const name = audienceName(audience)
  const others = segments(profile).filter(({ industry_vertical }) => industry_vertical !== "")
  const unproven = numbersOf(matched, ({ proof }) => proof === undefined)
  const idle = titles.filter((title) => !leads(title) && !matched.some((one) => one.titles.includes(title)))
  const found: ReadonlyArray<OpenQuestion | false> = [
    titles.length === 0 && {
      gap: "It is not known who decides.",
      ask: "Which job titles say yes to you, and which ones use what you sell?",
      effect: "Then each of them gets emails about their own work."
    },
    titles.length > 0 &&
      matched.length > 0 &&
      idle.length > 0 && {
        gap: `No problem mentions the work of ${joined(idle, "or")}.`,
        ask: "What goes wrong in their week that you put right?",
        effect: "Until then their emails open with the same problem as everyone's."
      },
    unproven.length > 0 &&
      (profile.case_studies ?? []).length > 0 && {
        gap: `${unproven.length === 1 ? "Problem" : "Problems"} ${joined(unproven)} ${unproven.length === 1 ? "has" : "have"} no result behind ${unproven.length === 1 ? "it" : "them"}.`,
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
const offerFor = (profile: Details, titles: ReadonlyArray<string>, matched: ReadonlyArray<Matched>) => {
  const scored = (profile.lead_magnets ?? []).map((text) => {
    const near = matched.map(({ problem }) => shared(text, problem))
    const most = Math.max(0, ...near)
    return { text, at: near.indexOf(most), most, score: most + 2 * affinity(text, departmentsOf(titles)) }
  })
  const [best] = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  if (best === undefined) return undefined
  return list([best.most > 0 ? `${best.text} (nearest to problem ${best.at + 1})` : best.text])
}

export const audienceResearch = (profile: Details, audience: Segment): string => {
  const own = decisionMakers(audience)
  const titles = own.length > 0 ? own : jobTitles(profile.target_job_titles)
  const matched = matchedProblems(profile, audience, titles)
  const fresh = unsaid()
  fresh(matched.map(({ problem }) => problem))
  const lines = problemLines(matched, titles, fresh)
  return document(
    audienceName(audience),
    section("Who they are", segmentFacts(audience), list(fresh(points(audience.additional_details)))),
    section(
      "Their problems, and what proves that you solve them",
      lines.map((line, at) => `${at + 1}. ${line}`).join("\n")
    ),
    section("What to offer first", offerFor(profile, titles, matched)),
    questionSection(audienceQuestions(audience, profile, titles, matched))
  )
}
